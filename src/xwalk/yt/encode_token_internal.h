#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "xwalk/yson/transcode.h"
#include "xwalk/yt/encode_value_internal.h"
#include "xwalk/yt/values.h"

/// Inline functions that write tokens: the encoders of values and of rows are made of them.
namespace xwalk::yt {

/// Space for a bracket, a separator and a scalar.
inline constexpr size_t kSpace = yson::kMaxScalarBytes + 8;

[[gnu::noinline]] inline bool fail(EncodeContext& context, std::string message) {
  context.message = std::move(message);
  return false;
}

[[gnu::noinline]] inline bool unwind_field(EncodeContext& context, std::string name) {
  context.path.push_back({Path::Step::Kind::Field, std::move(name), 0});
  return false;
}

template <typename T>
[[gnu::noinline]] bool fail_range(EncodeContext& context, const Step& step, T value) {
  return fail(context, range_fault(step.scalar.kind, value));
}

/// Returns false if a null is not allowed.
[[gnu::always_inline]] inline bool may_be_null(const Step& step, EncodeContext& context) {
  if (step.nullable || step.op == Op::Null) [[likely]]
    return true;
  return fail(context, "expected a value, found a null");
}

/// Writes the token of a number or a boolean into space for kSpace bytes.
///
/// Functions that take `out` and return the end of what they wrote keep it in a register: written
/// through the context, each byte would wait for the place of the one before. They return null if
/// the value is out of range.
template <bool kBinary, typename Token>
[[gnu::always_inline]] inline char* put_token(const Step& step, Token value, char* out,
                                              EncodeContext& context) {
  if constexpr (std::is_same_v<Token, bool>) {
    return kBinary ? yson::write_binary_boolean(out, value) : yson::write_text_boolean(out, value);
  } else if constexpr (std::is_same_v<Token, double>) {
    return kBinary ? yson::write_binary_double(out, value) : yson::write_text_double(out, value);
  } else {
    if (!step.in_range(value)) [[unlikely]] {
      fail_range(context, step, value);
      return nullptr;
    }
    if constexpr (std::is_same_v<Token, int64_t>) {
      return kBinary ? yson::write_binary_int64(out, value) : yson::write_text_int64(out, value);
    } else {
      return kBinary ? yson::write_binary_uint64(out, value) : yson::write_text_uint64(out, value);
    }
  }
}

/// Calls `use` with zeroes of the type that a number or a boolean has in Arrow, and of the type of
/// its token. Returns its result, or null for a step of another value.
template <typename Use>
[[gnu::always_inline]] inline auto with_types(const Step& step, const Use& use)
    -> decltype(use(bool{}, bool{})) {
  const int width = step.scalar.width;
  switch (step.op) {
    case Op::Signed:
      if (width == 8) return use(int64_t{}, int64_t{});
      if (width == 4) return use(int32_t{}, int64_t{});
      return width == 2 ? use(int16_t{}, int64_t{}) : use(int8_t{}, int64_t{});
    case Op::Unsigned:
      if (width == 8) return use(uint64_t{}, uint64_t{});
      // Dates are signed in Arrow: a negative one becomes a number beyond every range.
      if (step.scalar.kind == TypeKind::Date) return use(int32_t{}, uint64_t{});
      if (width == 4) return use(uint32_t{}, uint64_t{});
      return width == 2 ? use(uint16_t{}, uint64_t{}) : use(uint8_t{}, uint64_t{});
    case Op::Float:
      return use(float{}, double{});
    case Op::Double:
      return use(double{}, double{});
    case Op::Bool:
      return use(bool{}, bool{});
    case Op::Null:
    case Op::Yson:
    case Op::String:
    case Op::Utf8:
    case Op::Json:
    case Op::Coded:
    case Op::Nested:
    case Op::Skip:
      break;
  }
  return nullptr;
}

/// Returns a value of an array or a column in the type of its token.
template <typename Value, typename Token, typename Values>
[[gnu::always_inline]] inline Token load_token(const Values& values, int64_t index) {
  if constexpr (std::is_same_v<Value, bool>) {
    return values.bit(index);
  } else {
    return static_cast<Token>(values.template value<Value>(index));
  }
}

/// Strings from this size are written in parts, so that a buffer with a drain stays short.
inline constexpr size_t kLongString = size_t{1} << 20;

template <bool kBinary>
[[gnu::noinline]] char* put_long_string(std::string_view bytes, char* out, EncodeContext& context,
                                        size_t more) {
  context.out = out;
  context.close();
  (kBinary ? yson::append_binary_string : yson::append_text_string)(
      bytes, context.buffer(), context.count(), /*drains=*/true);
  context.open(more + EncodeContext::kChunk);
  return context.out;
}

/// Writes a string and makes space for `more` bytes after it. Bytes up to `readable` can be read.
template <bool kBinary>
[[gnu::always_inline]] inline char* put_string(std::string_view bytes, const char* readable,
                                               char* out, EncodeContext& context, size_t more) {
  if (bytes.size() >= kLongString) [[unlikely]] {
    return put_long_string<kBinary>(bytes, out, context, more);
  }
  out = context.need(out, (kBinary ? yson::max_binary_string_bytes(bytes.size())
                                   : yson::max_text_string_bytes(bytes.size())) +
                              32 + more);
  return kBinary ? yson::write_binary_string(out, bytes, readable)
                 : yson::write_text_string(out, bytes, readable);
}

template <bool kBinary>
[[gnu::always_inline]] inline char* put_string(const hub::Array& array, int64_t index, char* out,
                                               EncodeContext& context, size_t more) {
  return put_string<kBinary>(array.text(index), array.raw<char>(2) + array.first_item(array.length),
                             out, context, more);
}

}  // namespace xwalk::yt
