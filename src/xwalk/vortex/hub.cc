#include "xwalk/vortex/hub.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_zone.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/hub/variant.h"
#include "xwalk/vortex/extension.h"
#include "xwalk/vortex/text.h"

namespace xwalk::vortex {
namespace {

constexpr std::string_view kLayerJoint = " of ";
/// Nested DTypes that the living system's verifier lets pass.
constexpr int kMaxNesting = 32;

hub::TimeUnit hub_unit(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Nanoseconds:
      return hub::TimeUnit::Nano;
    case TimeUnit::Microseconds:
      return hub::TimeUnit::Micro;
    case TimeUnit::Milliseconds:
      return hub::TimeUnit::Milli;
    case TimeUnit::Seconds:
    case TimeUnit::Days:
      return hub::TimeUnit::Second;
  }
  return hub::TimeUnit::Second;
}

TimeUnit unit_of(hub::TimeUnit unit) {
  switch (unit) {
    case hub::TimeUnit::Nano:
      return TimeUnit::Nanoseconds;
    case hub::TimeUnit::Micro:
      return TimeUnit::Microseconds;
    case hub::TimeUnit::Milli:
      return TimeUnit::Milliseconds;
    case hub::TimeUnit::Second:
      return TimeUnit::Seconds;
  }
  return TimeUnit::Seconds;
}

// --- to Arrow -----------------------------------------------------------------------------------

/// Returns an extension's layer as an annotation names it: `id[0x…]`, the words where they suffice.
std::string layer_text(const DType& extension) {
  std::string text = print_text(extension);
  return text.substr(0, text.size() - print_text(extension.storage()).size() - 2);
}

void annotate_layer(hub::Field& field, const std::string& layer) {
  auto inner = hub::annotation(field, kSystem);
  hub::annotate(field, kSystem, inner ? fmt::format("{}{}{}", layer, kLayerJoint, *inner) : layer);
}

std::vector<hub::Field> member_fields(const DType& type) {
  std::vector<hub::Field> fields;
  for (const Member& member : type.members()) fields.push_back(to_arrow(member.name, member.type));
  return fields;
}

hub::Field with_wkb(hub::Field field, std::string_view metadata) {
  const std::optional<std::string> crs = read_wkb_crs(metadata);
  if (!crs) return field;
  hub::Geospatial type;
  if (!crs->empty()) type.crs = *crs == hub::kDefaultCrs ? std::string() : *crs;
  return hub::with_geospatial(std::move(field), type);
}

hub::Field extension_field(std::string_view name, const DType& type) {
  bool nullable = type.nullable();
  const std::string& id = type.id();
  hub::Field field(std::string(name), {}, nullable);
  std::string canonical;
  if (id == kDateId || id == kTimeId || id == kTimestampId) {
    TemporalMetadata temporal = read_temporal_metadata(id, type.metadata());
    canonical = temporal_metadata(id, temporal.unit, temporal.zone);
    hub::TimeUnit unit = hub_unit(temporal.unit);
    if (id == kDateId) {
      field.type = temporal.unit == TimeUnit::Days ? hub::Kind::Date32 : hub::Kind::Date64;
    } else if (id == kTimeId) {
      field.type = unit <= hub::TimeUnit::Milli ? hub::time32(unit) : hub::time64(unit);
    } else {
      field.type = hub::timestamp(unit, temporal.zone);
    }
  } else if (id == kUuidId) {
    field.type = hub::fixed_size_binary(16);
    field = hub::with_extension(std::move(field), hub::kUuidExtension);
  } else if (id == kJsonId) {
    field.type = hub::Kind::Utf8;
    field = hub::with_extension(std::move(field), hub::kJsonExtension);
  } else {
    field = to_arrow(name, type.storage());
    if (id == kWkbId && type.storage().kind() == Kind::Binary) {
      field = with_wkb(std::move(field), type.metadata());
    }
    annotate_layer(field, layer_text(type));
    return field;
  }
  if (type.metadata() != canonical) annotate_layer(field, layer_text(type));
  return field;
}

hub::Field union_field(std::string_view name, const DType& type) {
  std::vector<int8_t> codes;
  std::string ids;
  bool fits = true;
  for (uint8_t id : type.type_ids()) {
    fits &= id < 128;
    codes.push_back(static_cast<int8_t>(id));
    ids += (ids.empty() ? "" : ",") + std::to_string(id);
  }
  std::vector<hub::Field> fields = member_fields(type);
  // Arrow's codes end at 127. Positions replace larger ids.
  if (!fits) codes.clear();
  hub::Field field(std::string(name),
                   hub::union_(std::move(fields), hub::Kind::DenseUnion, std::move(codes)), false);
  if (!fits) annotate_layer(field, fmt::format("union[{}]", ids));
  if (!type.nullable()) return field;
  // Arrow unions have no nulls themselves.
  field.name = "value";
  return {std::string(name), hub::struct_({std::move(field)}), true};
}

}  // namespace

hub::Field to_arrow(std::string_view name, const DType& type) {
  std::string text(name);
  bool nullable = type.nullable();
  switch (type.kind()) {
    case Kind::Null:
      return {text, hub::Kind::Null, true};
    case Kind::Bool:
      return {text, hub::Kind::Bool, nullable};
    case Kind::Primitive:
      return {text, primitive_row(type.ptype()).arrow, nullable};
    case Kind::Decimal:
      return {text,
              hub::decimal(type.precision() <= 38 ? 128 : 256, type.precision(), type.scale()),
              nullable};
    case Kind::Utf8:
      return {text, hub::Kind::Utf8, nullable};
    case Kind::Binary:
      return {text, hub::Kind::Binary, nullable};
    case Kind::Struct:
      return {text, hub::struct_(member_fields(type)), nullable};
    case Kind::List:
      return {text, hub::list(to_arrow("item", type.element())), nullable};
    case Kind::Extension:
      return extension_field(name, type);
    case Kind::FixedSizeList:
      if (type.size() > INT32_MAX) {
        throw Error(ErrorCode::Unsupported,
                    fmt::format("expected a fixed-size list of at most {} items, found {}",
                                INT32_MAX, type.size()),
                    {.path = Path::column(name)});
      }
      return {
          text,
          hub::fixed_size_list(to_arrow("item", type.element()), static_cast<int32_t>(type.size())),
          nullable};
    case Kind::Variant:
      return hub::with_extension(hub::Field(text, hub::variant_type(), nullable),
                                 hub::kVariantExtension);
    case Kind::Union:
      return union_field(name, type);
    case Kind::Map:
      return {text,
              hub::map(to_arrow("key", type.key()), to_arrow("value", type.value()),
                       type.keys_sorted()),
              nullable};
  }
  return {};
}

hub::Schema to_arrow(const DType& root) {
  hub::Schema schema;
  if (root.kind() == Kind::Struct) {
    schema.fields = member_fields(root);
    schema.nullable_rows = root.nullable();
  } else {
    schema.fields = {to_arrow(kRootColumn, root)};
    schema.bare_rows = true;
  }
  return schema;
}

// --- from Arrow ---------------------------------------------------------------------------------

namespace {

/// Reads the ids that `union[5,255]` gives the alternatives of a union. Empty if they do not match
/// the field.
std::optional<std::vector<uint8_t>> union_ids(const hub::Field& field, std::string_view layer) {
  constexpr std::string_view kUnion = "union[";
  if (field.type.kind() != hub::Kind::DenseUnion) return std::nullopt;
  if (!layer.starts_with(kUnion) || !layer.ends_with(']')) return std::nullopt;
  std::vector<uint8_t> ids;
  std::string_view rest = layer.substr(kUnion.size(), layer.size() - kUnion.size() - 1);
  while (!rest.empty()) {
    uint8_t id = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    if (error != std::errc()) return std::nullopt;
    ids.push_back(id);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (rest.starts_with(',')) rest.remove_prefix(1);
  }
  if (ids.size() != field.type.children().size()) return std::nullopt;
  return ids;
}

class Mapper {
 public:
  DType map_field(const hub::Field& field, const Path& path, int nesting) {
    hub::check_nesting(nesting, kMaxNesting, path);
    if (auto annotation = hub::annotation(field, kSystem)) {
      if (auto type = annotated(field, std::string(*annotation), path, nesting)) return *type;
      findings.push_back(hub::stale_annotation(path, *annotation));
    }
    return map_layer(field, path, nesting);
  }

  std::vector<Member> members(std::span<const hub::Field> fields, const Path& path, int nesting) {
    std::vector<Member> out;
    std::set<std::string_view> names;
    for (const hub::Field& field : fields) {
      out.push_back(member(field, path.field(field.name), nesting, &names));
    }
    return out;
  }

  /// `names` are those of the members before it.
  Member member(const hub::Field& field, const Path& path, int nesting,
                std::set<std::string_view>* names) {
    if (!names->insert(field.name).second) {
      hub::refuse(path, "expected distinct names of a struct's fields, found one twice");
    }
    return {field.name, map_field(field, path, nesting + 1)};
  }

  hub::Findings findings;

 private:
  /// Rebuilds the layers that an annotation names over what the Arrow type gives. Nothing if they
  /// do not fit.
  std::optional<DType> annotated(const hub::Field& field, const std::string& text, const Path& path,
                                 int nesting) {
    hub::Field bare = field;
    bare.metadata.erase(hub::annotation_key(kSystem));
    size_t joint = text.find(kLayerJoint);
    std::string layer = text.substr(0, joint);
    if (joint != std::string::npos) {
      hub::annotate(bare, kSystem, text.substr(joint + kLayerJoint.size()));
    }
    if (layer.starts_with("union[")) return annotated_union(bare, layer, path, nesting);
    size_t kept = findings.size();
    try {
      DType inner = map_field(bare, path, nesting);
      // Of a known extension the Arrow type gives the whole back but its metadata.
      std::string id = layer.substr(0, layer.find('['));
      const DType& storage =
          inner.kind() == Kind::Extension && inner.id() == id ? inner.storage() : inner;
      DType type = parse_text(fmt::format("{}({})", layer, print_text(storage)));
      hub::Field promised = to_arrow(field.name, type);
      // Another program may have set another coordinate reference system.
      const bool placed = !hub::geospatial_of(field) || !hub::geospatial_of(promised) ||
                          hub::same_geospatial(field, promised);
      if (placed && hub::annotation_fits(field.type, promised.type)) return type;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Unsupported) throw;
    }
    // guard(allocate): A list is shortened.
    findings.resize(kept);
    return std::nullopt;
  }

  std::optional<DType> annotated_union(const hub::Field& field, std::string_view layer,
                                       const Path& path, int nesting) {
    std::optional<std::vector<uint8_t>> ids = union_ids(field, layer);
    if (!ids) return std::nullopt;
    return union_type(field, *std::move(ids), path, nesting);
  }

  DType union_type(const hub::Field& field, std::vector<uint8_t> ids, const Path& path,
                   int nesting) {
    std::vector<Member> variants;
    for (const hub::Field& child : field.type.children()) {
      variants.push_back({child.name, map_field(child, path.alternative(child.name), nesting + 1)});
    }
    return DType::union_(std::move(variants), std::move(ids), false);
  }

  DType temporal(const hub::Field& field, std::string_view id, TimeUnit unit, PType storage,
                 std::string_view zone = {}) {
    return DType::extension(std::string(id), DType::primitive(storage, field.nullable),
                            temporal_metadata(id, unit, zone));
  }

  DType timestamp(const hub::Field& field, const Path& path) {
    TimeUnit unit = unit_of(field.type.unit());
    try {
      return temporal(field, kTimestampId, unit, PType::I64, field.type.zone());
    } catch (const Error& error) {
      hub::refuse(path, error.message());
    }
  }

  DType map_layer(const hub::Field& field, const Path& path, int nesting) {
    const hub::Type& type = field.type;
    const bool nullable = field.nullable;
    switch (hub::kind_row(type.kind()).form) {
      case hub::Form::Plain:
        return plain(field, path);
      case hub::Form::FixedSizeBinary:
        return uuid(field, path);
      case hub::Form::Unit:
        if (type.kind() == hub::Kind::Duration) hub::refuse_type("Vortex", field, path);
        return temporal(field, kTimeId, unit_of(type.unit()),
                        type.kind() == hub::Kind::Time32 ? PType::I32 : PType::I64);
      case hub::Form::Timestamp:
        return timestamp(field, path);
      case hub::Form::Decimal:
        try {
          return DType::decimal(type.precision(), type.scale(), nullable);
        } catch (const Error& error) {
          hub::refuse(path, error.message());
        }
      case hub::Form::List:
        return DType::list(map_field(type.child(), path.item(), nesting + 1), nullable);
      case hub::Form::FixedSizeList:
        return DType::fixed_size_list(map_field(type.child(), path.item(), nesting + 1),
                                      static_cast<uint32_t>(type.size()), nullable);
      case hub::Form::Struct:
        if (hub::is_variant(field)) return DType::variant(nullable);
        return DType::struct_(members(type.children(), path, nesting), nullable);
      case hub::Form::Map:
        return map(field, path, nesting);
      case hub::Form::Union:
        hub::refuse(path, fmt::format("Vortex readers cannot read {}", hub::to_string(type)));
      case hub::Form::Dictionary:
      case hub::Form::RunEndEncoded:
        return encoded(field, path, nesting);
    }
    hub::refuse(path, "an Arrow type newer than this version of xwalk");
  }

  /// Maps a type without parameters.
  DType plain(const hub::Field& field, const Path& path) {
    const hub::Kind kind = field.type.kind();
    for (const PrimitiveRow& row : kPrimitiveRows) {
      if (row.arrow == kind) return DType::primitive(row.ptype, field.nullable);
    }
    if (kind == hub::Kind::Null) return DType::null();
    if (kind == hub::Kind::Bool) return DType::boolean(field.nullable);
    if (hub::is_utf8(kind)) {
      const DType text = DType::utf8(field.nullable);
      const bool is_json = field.extension_name() == hub::kJsonExtension;
      return is_json ? DType::extension(std::string(kJsonId), text, "") : text;
    }
    if (hub::is_binary(kind)) return DType::binary(field.nullable);
    if (kind == hub::Kind::Date32) return temporal(field, kDateId, TimeUnit::Days, PType::I32);
    if (kind == hub::Kind::Date64) {
      return temporal(field, kDateId, TimeUnit::Milliseconds, PType::I64);
    }
    hub::refuse_type("Vortex", field, path);
  }

  DType uuid(const hub::Field& field, const Path& path) {
    if (field.extension_name() != hub::kUuidExtension || field.type.size() != 16) {
      hub::refuse_type("Vortex", field, path);
    }
    const DType bytes =
        DType::fixed_size_list(DType::primitive(PType::U8, false), 16, field.nullable);
    return DType::extension(std::string(kUuidId), bytes, "");
  }

  /// Maps the values of a dictionary or of runs.
  DType encoded(const hub::Field& field, const Path& path, int nesting) {
    const bool is_dictionary = field.type.kind() == hub::Kind::Dictionary;
    const hub::Field& of = field.type.child(is_dictionary ? 0 : 1);
    hub::Field values = field;
    values.type = of.type;
    values.nullable = field.nullable || (!is_dictionary && of.nullable);
    return map_field(values, path, nesting);
  }

  DType map(const hub::Field& field, const Path& path, int nesting) {
    DType key = map_field(field.type.key(), path.map_key(), nesting + 1);
    DType value = map_field(field.type.value(), path.map_value(), nesting + 1);
    if (key.nullable()) hub::refuse_type("Vortex", field, path);
    return DType::map(std::move(key), std::move(value), field.type.flag(), field.nullable);
  }
};

}  // namespace

bool holds(const hub::Field& field) {
  const auto layer = hub::annotation(field, kSystem);
  return layer && union_ids(field, *layer);
}

bool has_zone(std::string_view zone) { return zone.empty() || is_time_zone(zone); }

bool fixed_list_of(const hub::Type& list) { return !hub::has_variant(list.child()); }

FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  Mapper mapper;
  std::set<std::string_view> names;
  std::vector<Member> columns =
      hub::map_columns(schema.fields, refused, [&](const hub::Field& field, const Path& path) {
        return mapper.member(field, path, 1, &names);
      });
  return {DType::struct_(std::move(columns), false), std::move(mapper.findings)};
}

}  // namespace xwalk::vortex
