#pragma once

#include <memory>

#include "xwalk/convert/dataset.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {

struct Rows::State {
  io::Dataset data;
  /// What the last reading met; may be null.
  io::SplitReader::Notes met;

  /// Begins a reading.
  std::unique_ptr<io::SplitReader> read() {
    std::unique_ptr<io::SplitReader> reader = data.read();
    met = reader->notes();
    return reader;
  }
};

}  // namespace xwalk
