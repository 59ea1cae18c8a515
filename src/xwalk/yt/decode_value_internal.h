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

/// The one switch. `kTop` leaves the check of utf8 to the batch.
template <bool kTop>
[[gnu::always_inline]] inline bool decode_step(const Step& step, hub::ColumnBuilder& builder,
                                               const char*& p, DecodeContext& context) {
  if (!at_token(p, context)) return false;
  if (step.nullable && *p == '#') {
    ++p;
    builder.append_null();
    return true;
  }
  int64_t number = 0;
  uint64_t natural = 0;
  double real = 0;
  bool flag = false;
  RawString text;
  const char* at = p;
  switch (step.op) {
    case Op::Signed8:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int8_t>(static_cast<int8_t>(number));
      return true;
    case Op::Signed16:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int16_t>(static_cast<int16_t>(number));
      return true;
    case Op::Signed32:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int32_t>(static_cast<int32_t>(number));
      return true;
    case Op::Signed64:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int64_t>(number);
      return true;
    case Op::Unsigned8:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint8_t>(static_cast<uint8_t>(natural));
      return true;
    case Op::Unsigned16:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint16_t>(static_cast<uint16_t>(natural));
      return true;
    case Op::Unsigned32:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint32_t>(static_cast<uint32_t>(natural));
      return true;
    case Op::Unsigned64:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint64_t>(natural);
      return true;
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
