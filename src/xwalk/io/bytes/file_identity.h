#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// The file or object that a source was opened on, which another process may change while it is
/// open.
class Original {
 public:
  virtual ~Original() = default;
  /// Bytes as stored, when it was opened.
  virtual uint64_t size() const = 0;
  /// Returns bytes as stored. The range must be within `size`. Throws Error (Io).
  virtual std::string read_at(uint64_t offset, uint64_t size) const = 0;
  /// Throws Error (Io) if it is known to have changed, so that results from its bytes are invalid.
  /// Thread-safe. Makes no requests.
  virtual void check() const = 0;
  /// The same after a request to the storage. No answer is an error only if `must_answer`.
  virtual void check_at_its_place(bool /*must_answer*/) const { check(); }
};

/// Calls a function that reads an original. If the original changed meanwhile, throws that instead
/// of the function's result or error.
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
