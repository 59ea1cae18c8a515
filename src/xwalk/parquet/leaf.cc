#include "xwalk/parquet/leaf.h"

#include <algorithm>

#include "xwalk/base/error.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/parquet/kinds.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

hub::TimeUnit to_hub(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Millis:
      return hub::TimeUnit::Milli;
    case TimeUnit::Micros:
      return hub::TimeUnit::Micro;
    case TimeUnit::Nanos:
      return hub::TimeUnit::Nano;
  }
  return hub::TimeUnit::Nano;
}

/// Seconds have no unit in Parquet; milliseconds hold them.
TimeUnit from_hub(hub::TimeUnit unit) {
  switch (unit) {
    case hub::TimeUnit::Second:
    case hub::TimeUnit::Milli:
      return TimeUnit::Millis;
    case hub::TimeUnit::Micro:
      return TimeUnit::Micros;
    case hub::TimeUnit::Nano:
      return TimeUnit::Nanos;
  }
  return TimeUnit::Nanos;
}

hub::Type physical_type(const Node& node, const ToArrowOptions& options) {
  if (std::optional<hub::Kind> arrow = physical_row(node.physical()).arrow) return *arrow;
  if (node.physical() == PhysicalType::FixedLenByteArray) {
    return hub::fixed_size_binary(node.length());
  }
  return options.storage ? hub::fixed_size_binary(12) : hub::timestamp(options.int96_unit);
}

hub::Type integer_type(const LogicalType& logical) {
  switch (logical.bits()) {
    case 8:
      return logical.is_signed() ? hub::Kind::Int8 : hub::Kind::Uint8;
    case 16:
      return logical.is_signed() ? hub::Kind::Int16 : hub::Kind::Uint16;
    case 32:
      return logical.is_signed() ? hub::Kind::Int32 : hub::Kind::Uint32;
    default:
      return logical.is_signed() ? hub::Kind::Int64 : hub::Kind::Uint64;
  }
}

hub::Type leaf_type(const Node& node, const ToArrowOptions& options) {
  const LogicalType& logical = node.logical();
  const LogicalRow& row = logical_row(logical.kind());
  if (logical.is(Kind::Interval) && options.storage) return physical_type(node, options);
  if (row.arrow) return *row.arrow;
  switch (row.parameters) {
    case Parameters::Decimal:
      // Arrow's widest decimal has 76 digits: beyond, the bytes of the number as they are.
      if (logical.precision() > 76) break;
      return hub::decimal(logical.precision() <= 38 ? 128 : 256, logical.precision(),
                          logical.scale());
    case Parameters::Time:
      if (logical.is(Kind::Time)) {
        return logical.unit() == TimeUnit::Millis ? hub::time32(hub::TimeUnit::Milli)
                                                  : hub::time64(to_hub(logical.unit()));
      }
      if (options.storage && node.physical() == PhysicalType::FixedLenByteArray) break;
      return hub::timestamp(to_hub(logical.unit()), logical.utc() ? "UTC" : "");
    case Parameters::Integer:
      return integer_type(logical);
    case Parameters::None:
    case Parameters::Variant:
    case Parameters::Geospatial:
    case Parameters::Future:
      break;
  }
  return physical_type(node, options);
}

hub::Geospatial to_hub(const LogicalType& type) {
  hub::Geospatial out{std::string(type.crs().value_or("")), {}};
  if (out.crs == hub::kDefaultCrs) out.crs = "";
  if (type.is(Kind::Geography)) {
    out.edges =
        hub::kEdges.at(static_cast<size_t>(type.algorithm().value_or(EdgeAlgorithm::Spherical)));
  }
  return out;
}

/// Returns the type in its shortest form: the defaults are not written.
LogicalType from_hub(const hub::Geospatial& type) {
  std::optional<std::string> crs = type.crs;
  if (crs && crs->empty()) crs.reset();
  if (type.edges.empty()) return LogicalType::geometry(std::move(crs));
  const auto edges =
      static_cast<EdgeAlgorithm>(std::ranges::find(hub::kEdges, type.edges) - hub::kEdges.begin());
  if (edges == EdgeAlgorithm::Spherical) return LogicalType::geography(std::move(crs), {});
  return LogicalType::geography(std::move(crs), edges);
}

}  // namespace

hub::Field named_field(const Node& node, hub::Type type, bool nullable) {
  hub::Field field(node.name(), std::move(type), nullable);
  if (node.id()) field.metadata.set(kFieldId, std::to_string(*node.id()));
  return field;
}

hub::Field leaf_field(const Node& node, const ToArrowOptions& options) {
  hub::Field field = named_field(node, leaf_type(node, options), node.is(Repetition::Optional));
  const LogicalRow& row = logical_row(node.logical().kind());
  if (row.parameters == Parameters::Geospatial) {
    return hub::with_geospatial(std::move(field), to_hub(node.logical()));
  }
  std::string_view extension = row.extension;
  return extension.empty() ? field : hub::with_extension(std::move(field), extension);
}

namespace {

NodeData leaf(PhysicalType physical, const LogicalType& logical = {}, int32_t length = 0) {
  NodeData data;
  data.physical = physical;
  data.annotation = logical;
  data.length = length;
  return data;
}

NodeData integer_leaf(hub::Kind kind) {
  const int bits = hub::kind_row(kind).bits;
  const PhysicalType physical = bits == 64 ? PhysicalType::Int64 : PhysicalType::Int32;
  const bool is_default = kind == hub::Kind::Int32 || kind == hub::Kind::Int64;
  return leaf(physical, is_default ? LogicalType()
                                   : LogicalType::integer(bits, hub::is_signed_integer(kind)));
}

/// Returns the leaf of a type without parameters.
std::optional<NodeData> plain_leaf(const hub::Field& field) {
  const hub::Kind kind = field.type.kind();
  if (hub::is_integer(kind)) return integer_leaf(kind);
  if (hub::is_utf8(kind)) {
    return leaf(PhysicalType::ByteArray,
                field.extension_name() == hub::kJsonExtension ? Kind::Json : Kind::String);
  }
  if (hub::is_binary(kind)) {
    const std::optional<hub::Geospatial> geospatial = hub::geospatial_of(field);
    return leaf(PhysicalType::ByteArray, geospatial ? from_hub(*geospatial) : LogicalType());
  }
  if (kind == hub::Kind::Null) return leaf(PhysicalType::Int32, Kind::Unknown);
  if (kind == hub::Kind::Bool) return leaf(PhysicalType::Boolean);
  if (kind == hub::Kind::HalfFloat) {
    return leaf(PhysicalType::FixedLenByteArray, Kind::Float16, 2);
  }
  if (kind == hub::Kind::Float) return leaf(PhysicalType::Float);
  if (kind == hub::Kind::Double) return leaf(PhysicalType::Double);
  if (kind == hub::Kind::Date32 || kind == hub::Kind::Date64) {
    return leaf(PhysicalType::Int32, Kind::Date);
  }
  return std::nullopt;
}

}  // namespace

std::optional<NodeData> standard_leaf(const hub::Field& field) {
  const hub::Type& type = field.type;
  switch (hub::kind_row(type.kind()).form) {
    case hub::Form::Plain:
      return plain_leaf(field);
    case hub::Form::FixedSizeBinary: {
      if (type.size() < 1) return std::nullopt;
      const bool is_uuid = field.extension_name() == hub::kUuidExtension && type.size() == 16;
      return leaf(PhysicalType::FixedLenByteArray, is_uuid ? Kind::Uuid : Kind::None, type.size());
    }
    case hub::Form::Unit:
      if (type.kind() == hub::Kind::Time32) {
        return leaf(PhysicalType::Int32, LogicalType::time(TimeUnit::Millis, false));
      }
      if (type.kind() == hub::Kind::Time64) {
        return leaf(PhysicalType::Int64, LogicalType::time(from_hub(type.unit()), false));
      }
      return leaf(PhysicalType::Int64);
    case hub::Form::Timestamp:
      return leaf(PhysicalType::Int64,
                  LogicalType::timestamp(from_hub(type.unit()), !type.zone().empty()));
    case hub::Form::Decimal:
      if (type.scale() < 0 || type.scale() > type.precision()) return std::nullopt;
      return leaf(PhysicalType::FixedLenByteArray,
                  LogicalType::decimal(type.precision(), type.scale()),
                  min_decimal_bytes(type.precision()));
    case hub::Form::List:
    case hub::Form::FixedSizeList:
    case hub::Form::Struct:
    case hub::Form::Map:
    case hub::Form::Union:
    case hub::Form::Dictionary:
    case hub::Form::RunEndEncoded:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace xwalk::parquet
