#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// What a source was opened on, and somebody else may change meanwhile: a file, an object.
class Original {
 public:
  virtual ~Original() = default;
  /// Bytes as stored, when it was opened.
  virtual uint64_t size() const = 0;
  /// Returns bytes as stored; the range is within `size`. Throws Error (Io).
  virtual std::string read_at(uint64_t offset, uint64_t size) const = 0;
  /// Throws Error (Io) where it is known that it was changed: what was made of its bytes counts for
  /// nothing then. Any thread; asks nobody.
  virtual void check() const = 0;
  /// The same after whoever keeps the bytes was asked. Where nobody answers, that is an error only
  /// if `must_answer`.
  virtual void check_at_its_place(bool /*must_answer*/) const { check(); }
};

/// Calls what reads an original, and throws that it was changed meanwhile in place of whatever came
/// of that.
template <typename Call>
auto while_unchanged(const std::shared_ptr<const Original>& original, Call call) {
  try {
    auto result = call();
    if (original) original->check();
    return result;
  } catch (const Error&) {
    if (original) original->check_at_its_place(/*must_answer=*/false);
    throw;
  }
}

}  // namespace xwalk::io
