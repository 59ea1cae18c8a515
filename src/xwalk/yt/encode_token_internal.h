#pragma once

#include <cstring>
#include <string>
#include <string_view>
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

/// Functions that take `out` and return the end of what they wrote keep it in a register: written
/// through the context, each byte would wait for the place of the one before. They return null if
/// the value is out of range.
template <bool kBinary>
[[gnu::always_inline]] inline char* put_signed(const Step& step, int64_t value, char* out,
                                               EncodeContext& context) {
  if (!step.in_range(value)) [[unlikely]] {
    fail_range(context, step, value);
    return nullptr;
  }
  return kBinary ? yson::write_binary_int64(out, value) : yson::write_text_int64(out, value);
}

template <bool kBinary>
[[gnu::always_inline]] inline char* put_unsigned(const Step& step, uint64_t value, char* out,
                                                 EncodeContext& context) {
  if (!step.in_range(value)) [[unlikely]] {
    fail_range(context, step, value);
    return nullptr;
  }
  return kBinary ? yson::write_binary_uint64(out, value) : yson::write_text_uint64(out, value);
}

template <bool kBinary>
[[gnu::always_inline]] inline char* put_real(double value, char* out) {
  return kBinary ? yson::write_binary_double(out, value) : yson::write_text_double(out, value);
}

/// Writes a value of fixed width that is not null, into space for kSpace bytes; `op` is the step's.
template <bool kBinary, typename Values>
[[gnu::always_inline]] inline char* put_scalar(Op op, const Step& step, const Values& array,
                                               int64_t index, char* out, EncodeContext& context) {
  switch (op) {
    case Op::Signed8:
      return put_signed<kBinary>(step, array.template value<int8_t>(index), out, context);
    case Op::Signed16:
      return put_signed<kBinary>(step, array.template value<int16_t>(index), out, context);
    case Op::Signed32:
      return put_signed<kBinary>(step, array.template value<int32_t>(index), out, context);
    case Op::Signed64:
      return put_signed<kBinary>(step, array.template value<int64_t>(index), out, context);
    case Op::Unsigned8:
      return put_unsigned<kBinary>(step, array.template value<uint8_t>(index), out, context);
    case Op::Unsigned16:
      return put_unsigned<kBinary>(step, array.template value<uint16_t>(index), out, context);
    case Op::Unsigned32:
      // Dates are signed in Arrow: a negative one becomes a number beyond every range.
      return put_unsigned<kBinary>(
          step,
          step.scalar.kind == TypeKind::Date
              ? static_cast<uint64_t>(static_cast<int64_t>(array.template value<int32_t>(index)))
              : array.template value<uint32_t>(index),
          out, context);
    case Op::Unsigned64:
      return put_unsigned<kBinary>(step, array.template value<uint64_t>(index), out, context);
    case Op::Float:
      return put_real<kBinary>(static_cast<double>(array.template value<float>(index)), out);
    case Op::Double:
      return put_real<kBinary>(array.template value<double>(index), out);
    case Op::Bool:
      return kBinary ? yson::write_binary_boolean(out, array.bit(index))
                     : yson::write_text_boolean(out, array.bit(index));
    case Op::Null:
    case Op::String:
    case Op::Utf8:
    case Op::Json:
    case Op::Yson:
    case Op::Coded:
    case Op::List:
    case Op::Struct:
    case Op::PositionalStruct:
    case Op::Tuple:
    case Op::Variant:
    case Op::NamedVariant:
    case Op::WideVariant:
    case Op::NamedWideVariant:
    case Op::Dict:
    case Op::NamedDict:
    case Op::Boxed:
    case Op::Skip:
      break;
  }
  *out = '#';
  return out + 1;
}

/// Strings from this size are written in parts, so that a buffer with a drain stays short.
inline constexpr size_t kLongString = size_t{1} << 20;

template <bool kBinary>
[[gnu::noinline]] char* put_long_string(std::string_view bytes, char* out, EncodeContext& context,
                                        size_t more) {
  context.out = out;
  context.close();
  (kBinary ? yson::append_binary_string : yson::append_text_string)(bytes, context.buffer());
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
