#include "xwalk/arrow/validate.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_zone.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/judgement.h"

namespace xwalk::arrow {
namespace {

using hub::Field;
using hub::Kind;
using hub::TimeUnit;
using hub::Type;

/// A canonical extension type, what stores it, and what its own metadata must be.
struct Canonical {
  std::string_view name;
  std::string_view storage;
  bool (*stored)(const Type& type);
  std::string_view metadata = {};
  bool (*described)(std::string_view metadata, const Type& type) = nullptr;
};

bool is_text(const Type& type) { return hub::is_utf8(type.kind()); }
bool is_bytes(const Type& type) { return hub::is_binary(type.kind()); }
bool is_int8(const Type& type) { return type.kind() == Kind::Int8; }
bool is_16_bytes(const Type& type) {
  return type.kind() == Kind::FixedSizeBinary && type.size() == 16;
}
bool is_fixed_list(const Type& type) { return type.kind() == Kind::FixedSizeList; }
bool is_struct(const Type& type) { return type.kind() == Kind::Struct; }
bool is_any(const Type& /*type*/) { return true; }

bool is_empty(std::string_view metadata, const Type& /*type*/) { return metadata.empty(); }

/// Returns true if the metadata of a tensor fits the number of its dimensions.
bool has_dimensions(const nlohmann::json& tensor, size_t count) {
  const auto list_of = [&](const char* key, const auto& is_item) {
    const auto list = tensor.find(key);
    if (list == tensor.end()) return true;
    return list->is_array() && list->size() == count && std::ranges::all_of(*list, is_item);
  };
  // The items are in memory, so that they are as many: the schema alone may claim any count.
  const auto places = tensor.find("permutation");
  // guard(allocate): As many as the list in the metadata has items.
  std::vector<bool> met(places == tensor.end() ? 0 : places->size());
  const auto is_place = [&](const nlohmann::json& item) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() >= count) return false;
    const auto place = item.get<size_t>();
    if (met[place]) return false;
    met[place] = true;
    return true;
  };
  const auto is_name = [](const nlohmann::json& item) { return item.is_string(); };
  const auto is_extent = [](const nlohmann::json& item) {
    return item.is_null() || item.is_number_unsigned();
  };
  return list_of("permutation", is_place) && list_of("dim_names", is_name) &&
         list_of("uniform_shape", is_extent);
}

/// A tensor of any shape has its extents in a fixed-size list.
bool has_tensor(std::string_view metadata, const Type& type) {
  const auto json = nlohmann::json::parse(metadata, nullptr, false);
  for (const Field& member : type.children()) {
    const bool is_shape = member.name == "shape" && member.type.kind() == Kind::FixedSizeList;
    if (!is_shape) continue;
    return json.is_object() && has_dimensions(json, static_cast<size_t>(member.type.size()));
  }
  return false;
}

bool has_shape(std::string_view metadata, const Type& type) {
  const auto json = nlohmann::json::parse(metadata, nullptr, false);
  if (!json.is_object() || !json.contains("shape") || !json["shape"].is_array()) return false;
  if (!has_dimensions(json, json["shape"].size())) return false;
  int64_t items = 1;
  for (const auto& extent : json["shape"]) {
    if (!extent.is_number_unsigned() || extent.get<uint64_t>() > INT32_MAX) return false;
    // More than a list has is enough, and does not overflow.
    items = std::min<int64_t>(items * extent.get<int64_t>(), int64_t{1} << 31);
  }
  return items == type.size();
}

bool has_owner(std::string_view metadata, const Type& /*type*/) {
  const auto json = nlohmann::json::parse(metadata, nullptr, false);
  const auto named = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
  return json.is_object() && named("type_name") && named("vendor_name");
}

/// The offset may be encoded.
bool is_with_offset(const Type& type) {
  if (type.kind() != Kind::Struct || type.children().size() != 2) return false;
  const Field& instant = type.child(0);
  const Field& offset = type.child(1);
  return instant.name == "timestamp" && instant.type.kind() == Kind::Timestamp &&
         instant.type.zone() == "UTC" && !instant.nullable && offset.name == "offset_minutes" &&
         hub::without_encoding(offset.type).kind() == Kind::Int16 && !offset.nullable;
}

bool is_geoarrow(std::string_view metadata, const Type& /*type*/) {
  return hub::parse_geoarrow_metadata(metadata).has_value();
}

constexpr std::string_view kGeoarrow = "JSON with a crs and known edges";

/// Also those of GeoArrow, which its specification defines.
constexpr std::array kCanonical = {
    Canonical{hub::kBool8Extension, "int8", is_int8, "nothing", is_empty},
    Canonical{
        hub::kFixedTensorExtension, "a fixed-size list", is_fixed_list,
        "a shape of as many items as the list has, and as many names and places of dimensions",
        has_shape},
    Canonical{hub::kJsonExtension, "text", is_text},
    Canonical{"arrow.opaque", "any type", is_any, "a type_name and a vendor_name", has_owner},
    Canonical{"arrow.parquet.variant", "a struct", is_struct},
    Canonical{"arrow.timestamp_with_offset",
              "a struct of timestamp (in UTC) and offset_minutes (int16)", is_with_offset,
              "nothing", is_empty},
    Canonical{hub::kUuidExtension, "fixed_size_binary[16]", is_16_bytes, "nothing", is_empty},
    Canonical{"arrow.variable_shape_tensor", "a struct", is_struct,
              "a JSON object with as many names and places of dimensions as the shape has",
              has_tensor},
    Canonical{hub::kWkbExtension, "bytes", is_bytes, kGeoarrow, is_geoarrow},
    Canonical{hub::kWktExtension, "text", is_text, kGeoarrow, is_geoarrow},
};

/// Returns the row of a field's extension; null if it is not a canonical one.
const Canonical* canonical_of(const Field& field) {
  const auto* found = std::ranges::find(kCanonical, field.extension_name(), &Canonical::name);
  return found == kCanonical.end() ? nullptr : found;
}

bool is_described(const Canonical& canonical, const Field& field, const Type& stored) {
  return canonical.described == nullptr || canonical.described(field.extension_metadata(), stored);
}

class Validator : hub::Judgement {
 public:
  void names(std::span<const Field> fields, const Path& path) {
    std::unordered_set<std::string_view> met;
    for (const Field& field : fields) {
      if (!met.insert(field.name).second) {
        note("name.duplicate", path.field(field.name), "a second field of this name");
      }
    }
  }

  void field(const Field& field, const Path& path) {
    if (!is_valid_utf8(field.name)) violation("name.invalid", path, "a name that is not UTF-8");
    parameters(field.type, path);
    const Type& stored = hub::without_encoding(field.type);
    if (const Canonical* canonical = canonical_of(field))
      extension(*canonical, field, stored, path);
    if (&stored != &field.type) parameters(stored, path);
    if (stored.kind() == Kind::Struct) names(stored.children(), path);
    for (const hub::Child& child : hub::children_of(stored, path)) {
      this->field(*child.field, child.path);
    }
  }

  hub::Findings take() { return std::move(findings_); }

 private:
  void extension(const Canonical& canonical, const Field& field, const Type& stored,
                 const Path& path) {
    if (!canonical.stored(stored)) {
      violation("type.parameters", path,
                fmt::format("{} stored as {}, where it takes {}", canonical.name,
                            hub::to_string(field.type), canonical.storage));
    } else if (!is_described(canonical, field, stored)) {
      violation("type.parameters", path,
                fmt::format("{} with the metadata {}, where it takes {}", canonical.name,
                            clipped(field.extension_metadata()), canonical.metadata));
    }
  }

  void parameters(const Type& type, const Path& path) {
    const Kind kind = type.kind();
    if (kind == Kind::Time32 || kind == Kind::Time64) {
      const bool coarse = type.unit() <= TimeUnit::Milli;
      if (coarse != (kind == Kind::Time32)) {
        violation(
            "type.parameters", path,
            fmt::format("{}, where {} has units of {}", hub::to_string(type), hub::kind_name(kind),
                        kind == Kind::Time32 ? "s and ms" : "us and ns"));
      }
    } else if (kind == Kind::Timestamp) {
      if (!type.zone().empty() && !is_time_zone(type.zone())) {
        note("zone.unknown", path,
             fmt::format("{} names no time zone; readers may fail on it",
                         xwalk::quoted(type.zone())));
      }
    } else if (hub::is_decimal(kind)) {
      decimal(type, path);
    } else if (kind == Kind::Map) {
      map(type, path);
    } else if (kind == Kind::DenseUnion || kind == Kind::SparseUnion) {
      const std::set<int8_t> codes(type.type_codes().begin(), type.type_codes().end());
      if (codes.size() != type.type_codes().size() || (!codes.empty() && *codes.begin() < 0)) {
        violation("type.parameters", path,
                  "type codes that are not distinct numbers from 0 to 127");
      }
    } else if (kind == Kind::RunEndEncoded) {
      run_ends(type.child(0), path);
    }
  }

  void decimal(const Type& type, const Path& path) {
    const int bits = hub::fixed_bits(type).value_or(0);
    const int most = bits == 32 ? 9 : bits == 64 ? 18 : bits == 128 ? 38 : 76;
    if (type.precision() >= 1 && type.precision() <= most) return;
    violation("type.parameters", path,
              fmt::format("a precision of {}, outside 1 to {}", type.precision(), most));
  }

  void map(const Type& type, const Path& path) {
    if (type.child().nullable) note("map.shape", path, "entries that may be null");
    if (type.key().nullable) note("map.key-optional", path.map_key(), "keys that may be null");
  }

  void run_ends(const Field& ends, const Path& path) {
    const Kind kind = ends.type.kind();
    const bool counted = kind == Kind::Int16 || kind == Kind::Int32 || kind == Kind::Int64;
    if (counted && !ends.nullable) return;
    violation("type.parameters", path,
              fmt::format("run ends of {}, expected int16, int32 or int64 without nulls",
                          hub::to_string(ends)));
  }
};

}  // namespace

bool fits_extension(const Field& field) {
  const Canonical* canonical = canonical_of(field);
  if (canonical == nullptr) return true;
  const Type& stored = hub::without_encoding(field.type);
  return canonical->stored(stored) && is_described(*canonical, field, stored);
}

hub::Findings validate(const hub::Schema& schema) {
  Validator validator;
  validator.names(schema.fields, Path());
  for (const Field& field : schema.fields) validator.field(field, Path::column(field.name));
  return validator.take();
}

}  // namespace xwalk::arrow
