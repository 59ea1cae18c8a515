#include "xwalk/delta/hub.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/hub/variant.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::delta {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kUint64Digits = 20;

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// --- to Arrow -----------------------------------------------------------------------------------

hub::Field arrow_field(const Field& field);

std::vector<hub::Field> arrow_fields(const std::vector<Field>& fields) {
  std::vector<hub::Field> out;
  out.reserve(fields.size());
  for (const Field& field : fields) out.push_back(arrow_field(field));
  return out;
}

hub::Type arrow_type(const Type& type) {
  const KindRow& row = kind_row(type.kind);
  if (row.arrow) return *row.arrow;
  switch (type.kind) {
    case Kind::Decimal:
      return hub::decimal(128, type.precision, type.scale);
    case Kind::Timestamp:
      return hub::timestamp(hub::TimeUnit::Micro, "UTC");
    case Kind::TimestampNtz:
      return hub::timestamp(hub::TimeUnit::Micro, "");
    case Kind::Variant:
      return hub::variant_type();
    case Kind::Struct:
      return hub::struct_(arrow_fields(type.children));
    case Kind::Array:
      return hub::list(arrow_field(type.children[0]));
    case Kind::Map:
      return hub::map(arrow_field(type.children[0]), arrow_field(type.children[1]));
    case Kind::Void:
    case Kind::Boolean:
    case Kind::Byte:
    case Kind::Short:
    case Kind::Integer:
    case Kind::Long:
    case Kind::Float:
    case Kind::Double:
    case Kind::Date:
    case Kind::String:
    case Kind::Binary:
      break;  // Each has its row.
  }
  return {};
}

/// Puts the metadata of a field where Arrow has it.
void add_metadata(const Field& field, hub::Field* out) {
  Json rest = Json::object();
  for (const auto& [key, value] : field.metadata) {
    const Json json = Json::parse(value, nullptr, /*allow_exceptions=*/false);
    if (key == kComment && json.is_string()) {
      out->metadata.set(kComment, json.get<std::string>());
      continue;
    }
    if (key == kMappingId && json.is_number_integer()) {
      out->metadata.set(parquet::kFieldId, json_text(json));
    }
    rest[key] = json;
  }
  if (!rest.empty()) out->metadata.set(kFieldMetadata, json_text(rest));
}

hub::Field arrow_field(const Field& field) {
  hub::Field out(field.name, arrow_type(field.type), field.nullable);
  if (field.type.kind == Kind::Variant) {
    out = hub::with_extension(std::move(out), hub::kVariantExtension);
  }
  add_metadata(field, &out);
  return out;
}

// --- from Arrow ---------------------------------------------------------------------------------

/// Returns the metadata of a field that came from one of Delta: all of it, or nothing.
std::vector<std::pair<std::string, std::string>> metadata_from(const hub::Field& field) {
  std::vector<std::pair<std::string, std::string>> out;
  if (const auto comment = field.metadata.find(kComment)) {
    out.emplace_back(kComment, json_text(std::string(*comment)));
  }
  if (const auto rest = field.metadata.find(kFieldMetadata)) {
    const Json json = Json::parse(*rest, nullptr, /*allow_exceptions=*/false);
    if (json.is_object()) {
      for (const auto& [key, value] : json.items()) out.emplace_back(key, json_text(value));
    }
  }
  std::ranges::sort(out);
  return out;
}

class Mapper {
 public:
  Field column(const hub::Field& field, const Path& path) { return member(field, path, 0); }

  hub::Findings findings;

 private:
  std::vector<Field> members(std::span<const hub::Field> fields, const Path& path, int depth) {
    std::vector<Field> out;
    out.reserve(fields.size());
    for (const hub::Field& field : fields) {
      out.push_back(member(field, path.field(field.name), depth));
    }
    return out;
  }

  Field member(const hub::Field& field, const Path& path, int depth) {
    Field out = map(field, field.name, path, depth);
    out.metadata = metadata_from(field);
    return out;
  }

  void find(std::string_view rule, const Path& path, std::string lost) {
    findings.push_back({.rule = rule, .path = path, .lost = std::move(lost)});
  }

  Field map(const hub::Field& field, std::string_view name, const Path& path, int depth) {
    hub::check_nesting(depth, limits::kSchemaDepth, path);
    Field out;
    out.name = name;
    out.nullable = field.nullable;
    out.type = plain(field, path, depth);
    const std::string_view extension = field.extension_name();
    // JSON as text is a finding of the values.
    if (const auto geospatial = hub::geospatial_of(field)) {
      find("crs.lost", path,
           fmt::format("stored as WKB bytes: the type {} is not preserved",
                       hub::describe(*geospatial)));
    } else if (!extension.empty() && out.type.kind != Kind::Variant &&
               extension != hub::kJsonExtension) {
      find("extension.unknown", path,
           fmt::format("the extension {} is stored as its plain type", quoted(extension)));
    }
    if (out.type.kind == Kind::Void) out.nullable = true;
    const KindRow& row = kind_row(out.type.kind);
    if (!row.feature.empty()) {
      find("spec.version", path,
           fmt::format("{} needs the table feature {}", row.name, row.feature));
    }
    return out;
  }

  /// Maps a type without parameters.
  static Type unparametrized(const hub::Field& field, const Path& path) {
    const hub::Kind kind = field.type.kind();
    const auto row = std::ranges::find(kKindRows, std::optional(kind), &KindRow::arrow);
    if (row != kKindRows.end()) return {.kind = row->kind};
    if (kind == hub::Kind::Uint8) return {.kind = Kind::Short};
    if (kind == hub::Kind::Uint16) return {.kind = Kind::Integer};
    if (kind == hub::Kind::Uint32) return {.kind = Kind::Long};
    if (kind == hub::Kind::Uint64) return {.kind = Kind::Decimal, .precision = kUint64Digits};
    if (kind == hub::Kind::HalfFloat) return {.kind = Kind::Float};
    if (hub::is_utf8(kind)) return {.kind = Kind::String};
    if (hub::is_binary(kind)) return {.kind = Kind::Binary};
    hub::refuse_type("Delta", field, path);
  }

  Type plain(const hub::Field& field, const Path& path, int depth) {
    using hub::Form;
    const hub::Type& type = field.type;
    switch (hub::kind_row(type.kind()).form) {
      case Form::Plain:
        return unparametrized(field, path);
      case Form::FixedSizeBinary:
        return {.kind = Kind::Binary};
      case Form::Timestamp:
        return {.kind = type.zone().empty() ? Kind::TimestampNtz : Kind::Timestamp};
      case Form::Decimal:
        return {.kind = Kind::Decimal,
                .precision = std::min(type.precision(), kMaxPrecision),
                .scale = std::min(type.scale(), kMaxPrecision)};
      case Form::List:
      case Form::FixedSizeList:
        return {.kind = Kind::Array,
                .children = {map(type.child(), kElement, path.item(), depth + 1)}};
      case Form::Struct:
        if (field.extension_name() == hub::kVariantExtension) return {.kind = Kind::Variant};
        return {.kind = Kind::Struct, .children = members(type.children(), path, depth + 1)};
      case Form::Map:
        return {.kind = Kind::Map,
                .children = {map(type.key(), kKey, path.map_key(), depth + 1),
                             map(type.value(), kValue, path.map_value(), depth + 1)}};
      case Form::Dictionary:
        return encoded(field, type.child().type, path, depth);
      case Form::RunEndEncoded:
        return encoded(field, type.child(1).type, path, depth);
      case Form::Unit:
      case Form::Union:
        break;
    }
    hub::refuse_type("Delta", field, path);
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
  return out;
}

}  // namespace xwalk::delta
