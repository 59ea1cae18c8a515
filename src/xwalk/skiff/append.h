#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/builder.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/scalar_codec.h"

namespace xwalk::skiff {

/// What is wrong with a row: what was expected and found, at which path, and at which byte of the
/// row.
class Fault {
 public:
  /// `row` is the byte from which places are counted.
  explicit Fault(const char* row) : row_(row) {}

  // Each returns null, as the end of a value with a fault.
  const char* set(const char* at, std::string message, std::string hint = {});
  /// Takes the error of a value at `at`.
  const char* set(const char* at, const Error& error);
  /// Only `left` of `size` bytes of a wire type are there.
  const char* set_cut(const char* at, WireType wire, size_t size, size_t left);
  /// Puts a path in front of the one of the fault.
  const char* within(Path path);

  /// Returns the error. The fault must be set.
  const Error& error() const { return *error_; }

 private:
  uint64_t byte_of(const char* at) const { return static_cast<uint64_t>(at - row_); }

  const char* row_;
  std::optional<Error> error_;
};

/// Appends the value at `at`, which `skip` accepted, and returns its end. Returns null for a value
/// that is not one of the type. The builders are incomplete then and must be truncated. The scratch
/// is memory for one value.
const char* append_value(const Codec& codec, const char* at, const char* end,
                         hub::ColumnBuilder* out, yson::Buffer* scratch);

/// Appends any value and returns its end. Returns null, and sets the fault with a path that begins
/// at the value, for one that is broken, cut by `end` or not one of the type.
const char* explain_value(const Codec& codec, const char* at, const char* end,
                          hub::ColumnBuilder* out, Fault* fault);

/// Appends a value of a type without children that is given as YSON. `any` values of the type
/// `yson` may be null or have attributes. Throws Error (Input) without a place for a value that is
/// not one of the type.
void append_yson(const yt::ScalarCodec& scalar, bool any, const yson::Node& node,
                 hub::ColumnBuilder* out);

}  // namespace xwalk::skiff
