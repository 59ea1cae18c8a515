#include "xwalk/parquet/leaf.h"

#include <algorithm>

#include "xwalk/base/error.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
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

std::optional<NodeData> standard_leaf(const hub::Field& field) {
  NodeData data;
  auto leaf = [&](PhysicalType physical, const LogicalType& logical = {}, int32_t length = 0) {
    data.physical = physical;
    data.annotation = logical;
    data.length = length;
    return data;
  };
  const hub::Type& type = field.type;
  switch (type.kind()) {
    case hub::Kind::Null:
      return leaf(PhysicalType::Int32, Kind::Unknown);
    case hub::Kind::Bool:
      return leaf(PhysicalType::Boolean);
    case hub::Kind::Int8:
      return leaf(PhysicalType::Int32, LogicalType::integer(8, true));
    case hub::Kind::Int16:
      return leaf(PhysicalType::Int32, LogicalType::integer(16, true));
    case hub::Kind::Int32:
      return leaf(PhysicalType::Int32);
    case hub::Kind::Int64:
      return leaf(PhysicalType::Int64);
    case hub::Kind::Uint8:
      return leaf(PhysicalType::Int32, LogicalType::integer(8, false));
    case hub::Kind::Uint16:
      return leaf(PhysicalType::Int32, LogicalType::integer(16, false));
    case hub::Kind::Uint32:
      return leaf(PhysicalType::Int32, LogicalType::integer(32, false));
    case hub::Kind::Uint64:
      return leaf(PhysicalType::Int64, LogicalType::integer(64, false));
    case hub::Kind::HalfFloat:
      return leaf(PhysicalType::FixedLenByteArray, Kind::Float16, 2);
    case hub::Kind::Float:
      return leaf(PhysicalType::Float);
    case hub::Kind::Double:
      return leaf(PhysicalType::Double);
    case hub::Kind::Utf8:
    case hub::Kind::LargeUtf8:
    case hub::Kind::Utf8View:
      return leaf(PhysicalType::ByteArray,
                  field.extension_name() == hub::kJsonExtension ? Kind::Json : Kind::String);
    case hub::Kind::Binary:
    case hub::Kind::LargeBinary:
    case hub::Kind::BinaryView: {
      const std::optional<hub::Geospatial> geospatial = hub::geospatial_of(field);
      return leaf(PhysicalType::ByteArray, geospatial ? from_hub(*geospatial) : LogicalType());
    }
    case hub::Kind::FixedSizeBinary:
      if (type.size() < 1) return std::nullopt;
      return leaf(PhysicalType::FixedLenByteArray,
                  field.extension_name() == hub::kUuidExtension && type.size() == 16 ? Kind::Uuid
                                                                                     : Kind::None,
                  type.size());
    case hub::Kind::Date32:
    case hub::Kind::Date64:
      return leaf(PhysicalType::Int32, Kind::Date);
    case hub::Kind::Time32:
      return leaf(PhysicalType::Int32, LogicalType::time(TimeUnit::Millis, false));
    case hub::Kind::Time64:
      return leaf(PhysicalType::Int64, LogicalType::time(from_hub(type.unit()), false));
    case hub::Kind::Timestamp:
      return leaf(PhysicalType::Int64,
                  LogicalType::timestamp(from_hub(type.unit()), !type.zone().empty()));
    case hub::Kind::Duration:
      return leaf(PhysicalType::Int64);
    case hub::Kind::Decimal32:
    case hub::Kind::Decimal64:
    case hub::Kind::Decimal128:
    case hub::Kind::Decimal256:
      if (type.scale() < 0 || type.scale() > type.precision()) return std::nullopt;
      return leaf(PhysicalType::FixedLenByteArray,
                  LogicalType::decimal(type.precision(), type.scale()),
                  min_decimal_bytes(type.precision()));
    case hub::Kind::IntervalMonths:
    case hub::Kind::IntervalDayTime:
    case hub::Kind::IntervalMonthDayNano:
    case hub::Kind::List:
    case hub::Kind::LargeList:
    case hub::Kind::ListView:
    case hub::Kind::LargeListView:
    case hub::Kind::FixedSizeList:
    case hub::Kind::Struct:
    case hub::Kind::Map:
    case hub::Kind::DenseUnion:
    case hub::Kind::SparseUnion:
    case hub::Kind::Dictionary:
    case hub::Kind::RunEndEncoded:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace xwalk::parquet
