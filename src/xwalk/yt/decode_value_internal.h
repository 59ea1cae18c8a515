#pragma once

#include "xwalk/yt/decode_token_internal.h"

namespace xwalk::yt {

/// Decodes the value at `p` into the builder. On false the context says why, and the builder may
/// hold half a value.
bool decode_value(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                  DecodeContext& context);

/// Sets the failure of a number beyond the range of its type and returns false.
bool fail_range(DecodeContext& context, const char* p, const Step& step, int64_t value);
bool fail_range(DecodeContext& context, const char* p, const Step& step, uint64_t value);

/// Decodes a value of a type that is not inlined.
bool decode_rare(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                 DecodeContext& context);
/// Decodes a string that the scalar's codec reads.
bool decode_text(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                 DecodeContext& context);

template <typename Value>
[[gnu::always_inline]] inline bool decode_signed(const Step& step, hub::ColumnBuilder& builder,
                                                 const char*& p, DecodeContext& context) {
  const char* at = p;
  int64_t number = 0;
  if (!read_signed(p, context, number)) return false;
  if (!step.in_range(number)) return fail_range(context, at, step, number);
  builder.append<Value>(static_cast<Value>(number));
  return true;
}

template <typename Value>
[[gnu::always_inline]] inline bool decode_unsigned(const Step& step, hub::ColumnBuilder& builder,
                                                   const char*& p, DecodeContext& context) {
  const char* at = p;
  uint64_t number = 0;
  if (!read_unsigned(p, context, number)) return false;
  if (!step.in_range(number)) return fail_range(context, at, step, number);
  builder.append<Value>(static_cast<Value>(number));
  return true;
}

/// Decodes a value by its step. With `kTop`, the caller checks utf8 for the whole batch.
template <bool kTop>
[[gnu::always_inline]] inline bool decode_step(const Step& step, hub::ColumnBuilder& builder,
                                               const char*& p, DecodeContext& context) {
  if (!at_token(p, context)) return false;
  if (step.nullable && *p == '#') {
    ++p;
    builder.append_null();
    return true;
  }
  double real = 0;
  bool flag = false;
  RawString text;
  switch (step.op) {
    case Op::Signed8:
      return decode_signed<int8_t>(step, builder, p, context);
    case Op::Signed16:
      return decode_signed<int16_t>(step, builder, p, context);
    case Op::Signed32:
      return decode_signed<int32_t>(step, builder, p, context);
    case Op::Signed64:
      return decode_signed<int64_t>(step, builder, p, context);
    case Op::Unsigned8:
      return decode_unsigned<uint8_t>(step, builder, p, context);
    case Op::Unsigned16:
      return decode_unsigned<uint16_t>(step, builder, p, context);
    case Op::Unsigned32:
      return decode_unsigned<uint32_t>(step, builder, p, context);
    case Op::Unsigned64:
      return decode_unsigned<uint64_t>(step, builder, p, context);
    case Op::Double:
      if (!read_real(p, context, real)) return false;
      builder.append<double>(real);
      return true;
    case Op::Bool:
      if (!read_bool(p, context, flag)) return false;
      builder.append_bool(flag);
      return true;
    case Op::String:
      if (!read_string(p, context, text)) return false;
      append_string(builder, text, context.end);
      return true;
    case Op::Utf8:
      if constexpr (kTop) {
        if (!read_string(p, context, text)) return false;
        append_string(builder, text, context.end);
        return true;
      } else {
        const char* rare = p;
        if (!decode_text(step, builder, rare, context)) return false;
        p = rare;
        return true;
      }
    case Op::Null:
      if (*p != '#') return fail_type(context, p, "#");
      ++p;
      builder.append_null();
      return true;
    case Op::Float:
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
  const char* rare = p;
  if (!decode_rare(step, builder, rare, context)) return false;
  p = rare;
  return true;
}

}  // namespace xwalk::yt
