#pragma once

#include <memory>

#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// The bytes of a source for several readers, which are opened one after the other: bytes that one
/// has fetched are not fetched again for the next. Not for several threads at a time.
class KeptBytes {
 public:
  explicit KeptBytes(std::shared_ptr<Source> source);

  /// Returns a source of all bytes, from their beginning. Returns null if the bytes only come in
  /// order (see Source::window) and a reader has read some of them.
  std::unique_ptr<Source> open() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace xwalk::io
