#include <fmt/format.h>

#include "xwalk/base/exact_double.h"
#include "xwalk/hub/option.h"
#include "xwalk/variant/transcode.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/decode_container_internal.h"
#include "xwalk/yt/decode_fields_internal.h"
#include "xwalk/yt/decode_value_internal.h"
#include "xwalk/yt/decode_variant_internal.h"

namespace xwalk::yt {
namespace {

using hub::ColumnBuilder;
using yson::Status;

bool decode_float(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  double value = 0;
  const char* at = p;
  const uint64_t integers = context.integers_met;
  if (!read_real(p, context, value)) return false;
  // A double is rounded as a cluster does it.
  if (context.integers_met != integers && static_cast<float>(value) != value) {
    return fail_type(context, at, "an integer that a float holds exactly");
  }
  if (!is_float_for(value))
    return fail(context, at, float_fault(value), "a column of double holds it");
  builder.append<float>(static_cast<float>(value));
  return true;
}

/// Appends a value of `any` to a column of VARIANT.
bool decode_variant(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  variant::Writer& writer = context.variants;
  const char* at = p;
  context.scratch.clear();
  const Status status =
      variant::read_yson_variant(at, context.end, kFreeDepth, &writer, &context.scratch);
  if (status != Status::Ok) return fail_status(context, at, status);
  if (writer.fault() != variant::Fault::None) {
    return fail(context, p,
                fmt::format("expected a value that VARIANT has, found {}",
                            variant::describe(writer.fault())),
                hub::mention(hub::Option::Any, "yson") + " keeps the bytes");
  }
  builder.child(0).append_bytes(writer.finish());
  builder.child(1).append_bytes(context.scratch.view());
  builder.append_struct();
  p = at;
  return true;
}

bool decode_yson(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (*p == '<') return fail(context, p, "expected yson without attributes at its top, found <");
  if (*p == '#') return fail_type(context, p, "yson");
  if (builder.layout() == ColumnBuilder::Layout::Struct) return decode_variant(builder, p, context);
  const char* at = p;
  context.scratch.clear();
  Status status =
      yson::transcode(at, context.end, yson::Format::Binary, &context.scratch, kFreeDepth);
  if (status != Status::Ok) return fail_status(context, at, status);
  p = at;
  builder.append_bytes(context.scratch.view());
  return true;
}

/// Decodes a string that the scalar's codec reads.
bool decode_text(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  std::string_view bytes = plain_bytes(value, context);
  if (append_scalar(step.scalar, bytes, &builder)) return true;
  ScalarFault fault = fault_of(step.scalar, bytes);
  return fail(context, at, std::move(fault.message), std::move(fault.hint));
}

bool decode_nested(const Step& step, ColumnBuilder& builder, const char*& p,
                   DecodeContext& context) {
  switch (step.nesting) {
    case Nesting::List:
      return decode_list(step, builder, p, context);
    case Nesting::Struct:
      if (step.named) return decode_struct(step, builder, p, context);
      [[fallthrough]];
    case Nesting::Tuple:
      return decode_elements(step, builder, p, context);
    case Nesting::Variant:
      return decode_variant(step, builder, p, context);
    case Nesting::Dict:
      if (step.named) return decode_map(step, builder, p, context);
      return decode_pairs(step, builder, p, context);
    case Nesting::Box:
      return decode_boxed(step, builder, p, context);
    case Nesting::Scalar:
      break;
  }
  return false;
}

}  // namespace

bool fail_range(DecodeContext& context, const char* p, const Step& step, int64_t value) {
  return fail(context, p, range_fault(step.scalar.kind, value));
}

bool fail_range(DecodeContext& context, const char* p, const Step& step, uint64_t value) {
  return fail(context, p, range_fault(step.scalar.kind, value));
}

bool decode_rare(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (step.op == Op::Nested) return decode_nested(step, builder, p, context);
  if (step.op == Op::Yson) return decode_yson(builder, p, context);
  if (step.op == Op::Float) return decode_float(builder, p, context);
  if (step.op != Op::Skip) return decode_text(step, builder, p, context);
  const Status status = yson::skip_value(p, context.end, kFreeDepth);
  return status == Status::Ok || fail_status(context, p, status);
}

bool decode_value(const Step& step, ColumnBuilder& builder, const char*& p,
                  DecodeContext& context) {
  const char* at = p;
  if (!decode_step<false>(step, builder, at, context)) return false;
  p = at;
  return true;
}

}  // namespace xwalk::yt
