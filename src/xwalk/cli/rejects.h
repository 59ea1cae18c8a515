#pragma once

#include <memory>
#include <string>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"

namespace xwalk::cli {

/// A file of rows that were left out: one JSON object a line with the row's number, why, where, and
/// its bytes as they stood in the source (`source`, or `source_base64` where they are not UTF-8).
class Rejects {
 public:
  explicit Rejects(const std::string& path);
  void add(const hub::BadRow& bad);
  void finish();

 private:
  std::unique_ptr<ByteSink> sink_;
};

}  // namespace xwalk::cli
