#include "xwalk/iceberg/hub.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/hub/variant.h"
#include "xwalk/iceberg/text.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::iceberg {
namespace {

using parquet::kFieldId;

static_assert(kCapabilities.distinct_metadata == kFieldId);

constexpr std::string_view kDefaultEdges = "spherical";
constexpr int kUuidBytes = 16;
constexpr int kUint64Digits = 20;

// --- to Arrow -----------------------------------------------------------------------------------

hub::Field arrow_field(const Field& field);

std::vector<hub::Field> arrow_fields(const std::vector<Field>& fields) {
  std::vector<hub::Field> out;
  out.reserve(fields.size());
  for (const Field& field : fields) out.push_back(arrow_field(field));
  return out;
}

/// Returns the Arrow type of a type that has one. Others are bytes with an annotation.
hub::Type arrow_type(const Type& type) {
  const KindRow& row = kind_row(type.kind);
  if (row.arrow) return *row.arrow;
  if (row.unit) return hub::timestamp(*row.unit, row.utc ? "UTC" : "");
  switch (type.kind) {
    case Kind::Decimal:
      return hub::decimal(128, type.precision, type.scale);
    case Kind::Time:
      return hub::time64(hub::TimeUnit::Micro);
    case Kind::Uuid:
      return hub::fixed_size_binary(kUuidBytes);
    case Kind::Fixed:
      return hub::fixed_size_binary(type.length);
    case Kind::Variant:
      return hub::variant_type();
    case Kind::Struct:
      return hub::struct_(arrow_fields(type.children));
    case Kind::List:
      return hub::list(arrow_field(type.children[0]));
    case Kind::Map:
      return hub::map(arrow_field(type.children[0]), arrow_field(type.children[1]));
    case Kind::Geometry:
    case Kind::Geography:
      return hub::Kind::Binary;
    case Kind::Unknown:
    case Kind::Boolean:
    case Kind::Int:
    case Kind::Long:
    case Kind::Float:
    case Kind::Double:
    case Kind::Date:
    case Kind::Timestamp:
    case Kind::Timestamptz:
    case Kind::TimestampNs:
    case Kind::TimestamptzNs:
    case Kind::String:
    case Kind::Binary:
      break;  // Each has its row.
  }
  return {};
}

hub::Geospatial geospatial(const Type& type) {
  hub::Geospatial out{type.crs, type.algorithm};
  if (type.kind == Kind::Geography && out.edges.empty()) out.edges = kDefaultEdges;
  return out;
}

hub::Field arrow_field(const Field& field) {
  hub::Field out(field.name, arrow_type(field.type), !field.required);
  const Kind kind = field.type.kind;
  if (kind == Kind::Uuid) out = hub::with_extension(std::move(out), hub::kUuidExtension);
  if (kind == Kind::Variant) out = hub::with_extension(std::move(out), hub::kVariantExtension);
  if (is_geospatial(kind)) out = hub::with_geospatial(std::move(out), geospatial(field.type));
  if (field.id != 0) out.metadata.set(kFieldId, std::to_string(field.id));
  if (field.doc) out.metadata.set(kDoc, *field.doc);
  if (field.initial_default) out.metadata.set(kInitialDefault, *field.initial_default);
  if (field.write_default) out.metadata.set(kWriteDefault, *field.write_default);
  return out;
}

// --- from Arrow ---------------------------------------------------------------------------------

/// Returns false if the text of a reference system makes a type's text ambiguous.
bool is_parsed_back(const Type& type) {
  try {
    return parse_primitive(print_type_text(type)) == type;
  } catch (const Error&) {
    return false;
  }
}

std::optional<std::string> entry(const hub::Metadata& metadata, std::string_view key) {
  const auto found = metadata.find(key);
  if (!found) return std::nullopt;
  return std::string(*found);
}

std::optional<int32_t> number(std::string_view text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Returns a default that is JSON.
std::optional<std::string> default_entry(const hub::Metadata& metadata, std::string_view key) {
  auto text = entry(metadata, key);
  if (text && !is_valid_json(*text)) text.reset();
  return text;
}

/// Returns true if the type of a field has its extension, or the field has none. JSON as text is a
/// finding of the values.
bool keeps_extension(const hub::Field& field, Kind kind) {
  const std::string_view name = field.extension_name();
  return name.empty() || kind == Kind::Uuid || kind == Kind::Variant || is_geospatial(kind) ||
         name == hub::kJsonExtension || hub::geospatial_of(field);
}

class Mapper {
 public:
  Field column(const hub::Field& field, const Path& path) {
    return map(field, field.name, path, 0);
  }

  hub::Findings findings;

 private:
  std::vector<Field> members(std::span<const hub::Field> fields, const Path& path, int depth) {
    std::vector<Field> out;
    out.reserve(fields.size());
    for (const hub::Field& field : fields) {
      out.push_back(map(field, field.name, path.field(field.name), depth));
    }
    return out;
  }

  void find(std::string_view rule, const Path& path, std::string lost) {
    findings.push_back({.rule = rule, .path = path, .lost = std::move(lost)});
  }

  Field map(const hub::Field& field, std::string_view name, const Path& path, int depth) {
    hub::check_nesting(depth, limits::kSchemaDepth, path);
    Field out;
    out.name = name;
    out.required = !field.nullable;
    out.type = plain(field, path, depth);
    if (!keeps_extension(field, out.type.kind)) {
      find("extension.unknown", path,
           fmt::format("the extension {} is stored as its plain type",
                       quoted(field.extension_name())));
    }
    if (out.type.kind == Kind::Unknown) out.required = false;
    const KindRow& row = kind_row(out.type.kind);
    if (row.since > 1) {
      find("spec.version", path,
           fmt::format("{} came with version {} of the table format", row.name, row.since));
    }
    const auto id = field.metadata.find(kFieldId);
    const auto given = id ? number(*id) : std::nullopt;
    if (given && *given > kLastFieldId) {
      find("id.invalid", path,
           fmt::format("the id {} is reserved, so the field gets another one", *given));
    } else if (given && *given > 0) {
      out.id = *given;
    }
    out.doc = entry(field.metadata, kDoc);
    out.initial_default = default_entry(field.metadata, kInitialDefault);
    out.write_default = default_entry(field.metadata, kWriteDefault);
    return out;
  }

  static Type timestamp(const hub::Type& type) {
    for (const KindRow& row : kKindRows) {
      if (row.unit == type.unit() && row.utc == !type.zone().empty()) return {.kind = row.kind};
    }
    return {};
  }

  /// Maps a type without parameters.
  Type unparametrized(const hub::Field& field, const Path& path) {
    const hub::Kind kind = field.type.kind();
    if (kind == hub::Kind::Null) return {.kind = Kind::Unknown};
    if (kind == hub::Kind::Bool) return {.kind = Kind::Boolean};
    if (kind == hub::Kind::Uint64) return {.kind = Kind::Decimal, .precision = kUint64Digits};
    if (kind == hub::Kind::Int64 || kind == hub::Kind::Uint32) return {.kind = Kind::Long};
    if (hub::is_integer(kind)) return {.kind = Kind::Int};
    if (kind == hub::Kind::HalfFloat || kind == hub::Kind::Float) return {.kind = Kind::Float};
    if (kind == hub::Kind::Double) return {.kind = Kind::Double};
    if (hub::is_utf8(kind)) return {.kind = Kind::String};
    if (hub::is_binary(kind)) return bytes(field, path);
    if (kind == hub::Kind::Date32) return {.kind = Kind::Date};
    hub::refuse_type("Iceberg", field, path);
  }

  Type plain(const hub::Field& field, const Path& path, int depth) {
    using hub::Form;
    const hub::Type& type = field.type;
    const std::string_view extension = field.extension_name();
    switch (hub::kind_row(type.kind()).form) {
      case Form::Plain:
        return unparametrized(field, path);
      case Form::FixedSizeBinary:
        if (extension == hub::kUuidExtension && type.size() == kUuidBytes) {
          return {.kind = Kind::Uuid};
        }
        return {.kind = Kind::Fixed, .length = type.size()};
      case Form::Unit:
        if (type.kind() == hub::Kind::Duration) break;
        return {.kind = Kind::Time};
      case Form::Timestamp:
        return timestamp(type);
      case Form::Decimal:
        return {.kind = Kind::Decimal,
                .precision = std::min(type.precision(), kMaxPrecision),
                .scale = std::min(type.scale(), kMaxPrecision)};
      case Form::List:
      case Form::FixedSizeList:
        return {.kind = Kind::List,
                .children = {map(type.child(), kElement, path.item(), depth + 1)}};
      case Form::Struct:
        if (extension == hub::kVariantExtension) return {.kind = Kind::Variant};
        return {.kind = Kind::Struct, .children = members(type.children(), path, depth + 1)};
      case Form::Map:
        return {.kind = Kind::Map,
                .children = {map(type.key(), kKey, path.map_key(), depth + 1),
                             map(type.value(), kValue, path.map_value(), depth + 1)}};
      case Form::Dictionary:
        return encoded(field, type.child().type, path, depth);
      case Form::RunEndEncoded:
        return encoded(field, type.child(1).type, path, depth);
      case Form::Union:
        break;
    }
    hub::refuse_type("Iceberg", field, path);
  }

  /// A reference system that a type cannot name leaves the values as bytes.
  Type bytes(const hub::Field& field, const Path& path) {
    const std::optional<hub::Geospatial> geospatial = hub::geospatial_of(field);
    if (!geospatial) return {.kind = Kind::Binary};
    Type type{.kind = geospatial->edges.empty() ? Kind::Geometry : Kind::Geography,
              .crs = geospatial->crs.value_or(""),
              .algorithm = geospatial->edges == kDefaultEdges ? "" : geospatial->edges};
    if (!geospatial->crs) find("crs.assumed", path, std::string(hub::kAssumedCrs));
    if (auto code = hub::projjson_code(type.crs)) {
      find("crs.by-code", path, fmt::format("the definition in PROJJSON is replaced by {}", *code));
      type.crs = *std::move(code);
    }
    if (is_parsed_back(type)) return type;
    find("crs.lost", path,
         fmt::format("stored as bytes: no type can name {}", hub::describe(*geospatial)));
    return {.kind = Kind::Binary};
  }

  Type encoded(const hub::Field& field, const hub::Type& values, const Path& path, int depth) {
    hub::Field plain_field = field;
    plain_field.type = values;
    return plain(plain_field, path, depth);
  }
};

}  // namespace

hub::Schema to_arrow(const Schema& schema) {
  hub::Schema out{arrow_fields(schema.fields), {}};
  if (schema.schema_id) out.metadata.set(kSchemaId, std::to_string(*schema.schema_id));
  if (!schema.identifier_field_ids.empty()) {
    out.metadata.set(kIdentifierIds,
                     fmt::format("{}", fmt::join(schema.identifier_field_ids, ",")));
  }
  hub::annotate_table(out, kSystem, schema.table);
  return out;
}

FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  Mapper mapper;
  FromArrow out;
  out.schema.fields = hub::map_columns(
      schema.fields, refused,
      [&](const hub::Field& field, const Path& path) { return mapper.column(field, path); });
  out.findings = std::move(mapper.findings);
  if (const auto id = schema.metadata.find(kSchemaId)) out.schema.schema_id = number(*id);
  if (const auto ids = schema.metadata.find(kIdentifierIds)) {
    std::string_view rest = *ids;
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      if (const auto id = number(rest.substr(0, comma))) {
        out.schema.identifier_field_ids.push_back(*id);
      }
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  assign_ids(&out.schema);
  return out;
}

}  // namespace xwalk::iceberg
