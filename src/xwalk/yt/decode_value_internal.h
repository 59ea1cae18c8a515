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
  const char* const at = p;
  int64_t integer = 0;
  uint64_t natural = 0;
  double real = 0;
  bool flag = false;
  RawString text;
  switch (step.op) {
    case Op::Signed:
      if (!read_signed(p, context, integer)) return false;
      if (!step.in_range(integer)) return fail_range(context, at, step, integer);
      builder.append_integer(static_cast<uint64_t>(integer));
      return true;
    case Op::Unsigned:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append_integer(natural);
      return true;
    case Op::Double:
      if (!read_real(p, context, real)) return false;
      builder.append<double>(real);
      return true;
    case Op::Bool:
      if (!read_bool(p, context, flag)) return false;
      builder.append_bool(flag);
      return true;
    case Op::Null:
      if (*p != '#') return fail_type(context, p, "#");
      ++p;
      builder.append_null();
      return true;
    case Op::Utf8:
      if constexpr (!kTop) break;
      [[fallthrough]];
    case Op::String:
      if (!read_string(p, context, text)) return false;
      append_string(builder, text, context.end);
      return true;
    case Op::Float:
    case Op::Yson:
    case Op::Json:
    case Op::Coded:
    case Op::Nested:
    case Op::Skip:
      break;
  }
  const char* rare = p;
  if (!decode_rare(step, builder, rare, context)) return false;
  p = rare;
  return true;
}

}  // namespace xwalk::yt
