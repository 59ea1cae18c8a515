#include "xwalk/lance/hub.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/lance/json_text.h"

namespace xwalk::lance {
namespace {

constexpr std::string_view kLanceJson = "lance.json";
constexpr std::string_view kBlobV2 = "lance.blob.v2";
constexpr std::string_view kBFloat16 = "lance.bfloat16";
constexpr std::string_view kBlobKey = "lance-encoding:blob";

[[noreturn]] void fail(ErrorCode code, const std::string& message, const Path& path) {
  throw Error(code, message, {.path = path});
}

// --- to Arrow -----------------------------------------------------------------------------------

class ToArrow {
 public:
  explicit ToArrow(Json json) : json_(json) {}

  hub::Field field(const Field& source, const Path& path) {
    hub::Field out(source.name, {}, source.nullable, source.metadata);
    out.type = type(source, path);
    if (source.type.kind() == Kind::Blob && !out.metadata.find(kBlobKey)) {
      out.metadata.set(kBlobKey, "true");
    }
    if (source.type.kind() == Kind::Json) {
      out.metadata.set(hub::kExtensionName,
                       std::string(json_ == Json::Text ? hub::kJsonExtension : kLanceJson));
    }
    if (auto extension = out.metadata.find(kExtensionAnnotation)) {
      const hub::Type& values =
          out.type.kind() == hub::Kind::Dictionary ? out.type.child().type : out.type;
      if (hub::is_utf8(values.kind()) && out.extension_name().empty()) {
        out = hub::with_extension(std::move(out), std::string(*extension));
      }
      out.metadata.erase(kExtensionAnnotation);
    }
    return out;
  }

 private:
  const Field& only_child(const Field& source, const Path& path) {
    if (source.children.empty()) {
      fail(ErrorCode::Input,
           fmt::format("expected the child field of a {}, found none",
                       print_logical_type(source.type)),
           path);
    }
    return source.children[0];
  }

  hub::Type map(const Field& source, const Path& path) {
    const Field& entries = only_child(source, path);
    if (entries.type.kind() != Kind::Struct || entries.children.size() != 2) {
      fail(ErrorCode::Input,
           "expected a map's child to be a struct of key and value, found another", path);
    }
    hub::Field field("", {}, false);
    field = hub::Field(entries.name,
                       hub::struct_({this->field(entries.children[0], path.map_key()),
                                     this->field(entries.children[1], path.map_value())}),
                       false, entries.metadata);
    return hub::map_of_entries(std::move(field));
  }

  hub::Type type(const Field& source, const Path& path) {
    const LogicalType& logical = source.type;
    const Kind kind = logical.kind();
    if (kind == Kind::Struct) {
      std::vector<hub::Field> fields;
      for (const Field& child : source.children) {
        fields.push_back(field(child, path.field(child.name)));
      }
      return hub::struct_(std::move(fields));
    }
    if (kind == Kind::Map) return map(source, path);
    if (is_list(kind)) {
      const bool large = kind == Kind::LargeList || kind == Kind::LargeListStruct;
      return hub::list(field(only_child(source, path), path.item()),
                       large ? hub::Kind::LargeList : hub::Kind::List);
    }
    if (kind == Kind::FixedSizeList && logical.element().kind() == Kind::Struct) {
      return fixed_size_list(field(only_child(source, path), path.item()), logical.size(), path);
    }
    return leaf(logical, path);
  }

  static hub::Type fixed_size_list(hub::Field item, int32_t size, const Path& path) {
    if (size < 0) fail(ErrorCode::Input, fmt::format("expected a list size, found {}", size), path);
    return hub::fixed_size_list(std::move(item), size);
  }

  hub::Type leaf(const LogicalType& logical, const Path& path) {
    const KindRow& row = kind_row(logical.kind());
    if (row.arrow) return *row.arrow;
    switch (row.parameters) {
      case Parameters::Decimal: {
        int most = logical.bits() == 128 ? 38 : 76;
        if (logical.precision() < 1 || logical.precision() > most) {
          fail(ErrorCode::Input,
               fmt::format("expected a decimal precision from 1 to {}, found {}", most,
                           logical.precision()),
               path);
        }
        return hub::decimal(logical.bits(), logical.precision(), logical.scale());
      }
      case Parameters::Unit:
        return row.kind == Kind::Time32   ? hub::time32(logical.unit())
               : row.kind == Kind::Time64 ? hub::time64(logical.unit())
                                          : hub::duration(logical.unit());
      case Parameters::UnitAndZone:
        return hub::timestamp(logical.unit(), logical.zone());
      case Parameters::Size:
        if (logical.size() < 0) {
          fail(ErrorCode::Input, fmt::format("expected a size in bytes, found {}", logical.size()),
               path);
        }
        return hub::fixed_size_binary(logical.size());
      case Parameters::ElementAndSize: {
        hub::Field item("item", leaf(logical.element(), path.item()));
        if (logical.element().kind() == Kind::BFloat16) item = hub::with_extension(item, kBFloat16);
        return fixed_size_list(std::move(item), logical.size(), path);
      }
      case Parameters::ValuesAndIndex: {
        hub::Type index = leaf(logical.index(), path);
        if (!hub::is_integer(index.kind())) {
          fail(ErrorCode::Input,
               fmt::format("expected an integer as index of a dictionary, found {}",
                           print_logical_type(logical.index())),
               path);
        }
        return hub::dictionary(index.kind(), leaf(logical.element(), path));
      }
      case Parameters::None:
        break;
    }
    if (row.kind == Kind::BFloat16) return hub::fixed_size_binary(2);
    if (row.kind == Kind::Json && json_ == Json::Text) return hub::Kind::Utf8;
    if (row.kind == Kind::Blob || row.kind == Kind::Json) return hub::Kind::LargeBinary;
    fail(ErrorCode::Input,
         fmt::format("expected an element of a fixed size or of text or bytes, found {}",
                     print_logical_type(logical)),
         path);
  }

  Json json_;
};

/// Writes annotations for properties that the Arrow field does not determine, field by field:
/// unusual types and ids always, keys if the metadata does not name them.
void annotate(const Field& source, bool with_ids, hub::Field* out) {
  std::vector<std::string> note;
  Kind kind = source.type.kind();
  if (!source.spelling.empty()) {
    note.push_back("type=" + source.spelling);
  } else if (kind == Kind::Blob || (kind == Kind::Json && hub::is_utf8(out->type.kind()))) {
    note.push_back("type=" + print_logical_type(source.type));
  }
  if (with_ids) note.push_back(fmt::format("id={}", source.id));
  if (source.primary_key && !source.metadata.find(kPrimaryKey) &&
      !source.metadata.find(kPrimaryKeyPosition)) {
    note.push_back(fmt::format("key={}", source.primary_key_position));
  }
  if (source.clustering_key_position > 0 && !source.metadata.find(kClusteringKeyPosition)) {
    note.push_back(fmt::format("clustering={}", source.clustering_key_position));
  }
  if (!note.empty()) hub::annotate(*out, kSystem, join(note, " "));

  // Types are immutable, so a changed child means a new type.
  const hub::Type& type = out->type;
  std::vector<hub::Field> children(type.children().begin(), type.children().end());
  auto below = [&](size_t count) {
    for (size_t i = 0; i < count; ++i) annotate(source.children[i], with_ids, &children[i]);
  };
  if (type.kind() == hub::Kind::Struct && kind == Kind::Struct) {
    below(children.size());
    out->type = hub::struct_(std::move(children));
  } else if (type.kind() == hub::Kind::List || type.kind() == hub::Kind::LargeList) {
    below(1);
    out->type = hub::list(std::move(children[0]), type.kind());
  } else if (type.kind() == hub::Kind::Map) {
    below(1);
    out->type = hub::map_of_entries(std::move(children[0]), type.flag());
  } else if (type.kind() == hub::Kind::FixedSizeList && source.children.size() == 1 &&
             source.type.element().kind() == Kind::Struct) {
    below(1);
    out->type = hub::fixed_size_list(std::move(children[0]), type.size());
  }
}

}  // namespace

hub::Schema to_arrow(const Schema& schema, Json json) {
  hub::Schema out;
  out.metadata = schema.metadata;
  Schema renumbered = schema;
  assign_ids(&renumbered);
  std::function<bool(const std::vector<Field>&, const std::vector<Field>&)> same_ids =
      [&](const std::vector<Field>& a, const std::vector<Field>& b) {
        for (size_t i = 0; i < a.size(); ++i) {
          if (a[i].id != b[i].id || !same_ids(a[i].children, b[i].children)) return false;
        }
        return true;
      };
  bool with_ids = !same_ids(schema.fields, renumbered.fields);
  for (const Field& field : schema.fields) {
    out.fields.push_back(ToArrow(json).field(field, Path::column(field.name)));
    annotate(field, with_ids, &out.fields.back());
  }
  if (!schema.indices.empty()) {
    hub::annotate(out, kSystem, nlohmann::json(schema.indices).dump());
  }
  return out;
}

// --- from Arrow ---------------------------------------------------------------------------------

namespace {

bool is_true(std::string_view text) {
  std::string lower;
  for (char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return lower == "true" || lower == "1" || lower == "yes";
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Returns true for an item that a fixed-size list names in its own type, so that it is not a child
/// field.
bool is_element(const Field& item) {
  return item.children.empty() && item.type.kind() != Kind::Map;
}

/// Returns true for what a dictionary names in its own type.
bool is_dictionary_value(const Field& value) {
  return value.children.empty() && print_logical_type(value.type).find(':') == std::string::npos;
}

/// Takes the keys that a field's metadata names.
void take_keys(Field* out) {
  if (const auto flag = out->metadata.find(kPrimaryKey)) out->primary_key |= is_true(*flag);
  if (const auto position = out->metadata.find(kPrimaryKeyPosition)) {
    out->primary_key_position = number_of<uint32_t>(*position).value_or(0);
    out->primary_key |= out->primary_key_position > 0;
  }
  if (const auto position = out->metadata.find(kClusteringKeyPosition)) {
    out->clustering_key_position = number_of<uint32_t>(*position).value_or(0);
  }
}

class FromArrowMapper {
 public:
  hub::Findings findings;
  std::set<int32_t> claimed_ids;
  bool ids_annotated = true;

  Field field(const hub::Field& source, const Path& path) {
    Field out;
    out.name = source.name;
    out.nullable = source.nullable;
    out.metadata = source.metadata;
    out.metadata.erase(hub::annotation_key(kSystem));
    claim_id(out.metadata, path);
    type(source, path, &out);
    take_keys(&out);
    bool with_id = false;
    if (auto note = hub::annotation(source, kSystem)) {
      with_id = annotated(*note, source, path, &out);
    }
    ids_annotated &= with_id;
    out.encoding = default_encoding(out.type);
    return out;
  }

 private:
  /// Lance takes ids from this key, refuses repeated ones, and then renumbers the fields anyway.
  void claim_id(hub::Metadata& metadata, const Path& path) {
    auto text = metadata.find(kFieldIdKey);
    if (!text) return;
    auto id = number_of<int32_t>(*text);
    if (id && !claimed_ids.insert(*id).second) {
      fail(ErrorCode::Unsupported, fmt::format("expected distinct field ids, found {} twice", *id),
           path);
    }
    metadata.erase(kFieldIdKey);
  }

  /// Applies an annotation. Returns true if it had an id.
  bool annotated(std::string_view note, const hub::Field& source, const Path& path, Field* out) {
    bool with_id = false;
    bool stale = false;
    const std::string_view whole = note;
    while (!note.empty()) {
      size_t space = note.find(' ');
      // A spelling may contain spaces. It comes first and ends where a key with '=' begins.
      std::string_view word = note.substr(0, space);
      note = space == std::string_view::npos ? std::string_view() : note.substr(space + 1);
      std::string_view value = word.substr(std::min(word.size(), word.find('=') + 1));
      if (word.starts_with("type=")) {
        stale |= !spelled(value, source, out);
      } else if (word.starts_with("id=")) {
        if (auto id = number_of<int32_t>(value)) {
          out->id = *id;
          with_id = true;
        }
      } else if (word.starts_with("key=")) {
        out->primary_key = true;
        out->primary_key_position = number_of<uint32_t>(value).value_or(0);
      } else if (word.starts_with("clustering=")) {
        out->clustering_key_position = number_of<uint32_t>(value).value_or(0);
      }
    }
    if (stale) findings.push_back(hub::stale_annotation(path, whole));
    return with_id;
  }

  /// Takes the type's own string if it still stands for the column's Arrow type.
  bool spelled(std::string_view text, const hub::Field& source, Field* out) {
    try {
      LogicalType type = parse_logical_type(text);
      Field promised = *out;
      promised.type = type;
      const Json json = hub::is_utf8(source.type.kind()) ? Json::Text : Json::Bytes;
      hub::Field arrow = ToArrow(json).field(promised, Path());
      if (!hub::annotation_fits(source.type, arrow.type)) return false;
      out->type = type;
      out->spelling = print_logical_type(type) == text ? "" : text;
      if (type.kind() == Kind::Blob) out->metadata.erase(kBlobKey);
      if (type.kind() == Kind::Json) {
        out->metadata.set(hub::kExtensionName, std::string(kLanceJson));
      }
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void children(const hub::Type& type, const Path& path, Field* out) {
    for (const hub::Field& child : type.children()) {
      out->children.push_back(field(child, path.field(child.name)));
    }
  }

  void list(const hub::Field& item, bool large, const Path& path, Field* out) {
    out->children = {field(item, path.item())};
    bool of_struct = out->children[0].type.kind() == Kind::Struct;
    out->type = large ? (of_struct ? Kind::LargeListStruct : Kind::LargeList)
                      : (of_struct ? Kind::ListStruct : Kind::List);
  }

  void map(const hub::Field& source, const Path& path, Field* out) {
    const hub::Type& type = source.type;
    if (type.flag() || type.key().nullable) hub::refuse_type("Lance", source, path);
    const hub::Field& entries = type.child();
    Field pair;
    pair.name = entries.name;
    pair.type = Kind::Struct;
    pair.nullable = entries.nullable;
    pair.metadata = entries.metadata;
    bool with_id = false;
    if (auto note = hub::annotation(entries, kSystem)) {
      with_id = annotated(*note, entries, path, &pair);
    }
    pair.metadata.erase(hub::annotation_key(kSystem));
    ids_annotated &= with_id;
    pair.children = {field(type.key(), path.map_key()), field(type.value(), path.map_value())};
    out->type = Kind::Map;
    out->children = {std::move(pair)};
  }

  void fixed_size_list(const hub::Field& source, const Path& path, Field* out) {
    const hub::Type& type = source.type;
    const hub::Field& item = type.child();
    if (item.type.kind() == hub::Kind::Struct) {
      out->children = {field(item, path.item())};
      out->type = LogicalType::fixed_size_list(Kind::Struct, type.size());
      return;
    }
    if (item.extension_name() == kBFloat16 && item.type.kind() == hub::Kind::FixedSizeBinary &&
        item.type.size() == 2) {
      out->type = LogicalType::fixed_size_list(Kind::BFloat16, type.size());
      return;
    }
    // A separate mapper, because an item has no id.
    Field element = FromArrowMapper().field(item, path.item());
    if (!is_element(element)) hub::refuse_type("Lance", source, path);
    out->type = LogicalType::fixed_size_list(element.type, type.size());
  }

  void dictionary(const hub::Field& source, const Path& path, Field* out) {
    const hub::Type& type = source.type;
    Field value = FromArrowMapper().field(hub::Field("", type.child().type), path);
    if (!is_dictionary_value(value)) hub::refuse_type("Lance", source, path);
    out->type = LogicalType::dictionary(
        value.type, FromArrowMapper().field(hub::Field("", type.index_kind()), path).type);
  }

  /// Text that Arrow marks as JSON is Lance's json, as in Lance itself.
  static void text(const hub::Field& source, Kind plain, Field* out) {
    bool json =
        source.extension_name() == hub::kJsonExtension && source.type.kind() != hub::Kind::Utf8View;
    out->type = json ? Kind::Json : plain;
    if (json) out->metadata.set(hub::kExtensionName, std::string(kLanceJson));
  }

  void type(const hub::Field& source, const Path& path, Field* out) {
    const hub::Type& type = source.type;
    if (source.extension_name() == kBlobV2) {
      out->type = Kind::Struct;
      children(type, path, out);
      // Other systems know one layout of bytes and of text; that of a blob is given.
      for (Field& child : out->children) {
        if (child.type.kind() == Kind::Binary) child.type = Kind::LargeBinary;
        if (child.type.kind() == Kind::LargeString) child.type = Kind::String;
      }
      return;
    }
    for (const KindRow& row : kKindRows) {
      if (row.arrow != type.kind()) continue;
      out->type = row.kind;
      if (hub::is_utf8(type.kind())) text(source, row.kind, out);
      if (type.kind() == hub::Kind::LargeBinary && source.extension_name() == kLanceJson) {
        out->type = Kind::Json;
      }
      return;
    }
    const hub::Kind kind = type.kind();
    switch (hub::kind_row(kind).form) {
      case hub::Form::Plain:
        if (kind == hub::Kind::Utf8View) return text(source, Kind::String, out);
        if (kind != hub::Kind::BinaryView) hub::refuse_type("Lance", source, path);
        out->type = Kind::Binary;
        return;
      case hub::Form::FixedSizeBinary:
        out->type = LogicalType::fixed_size_binary(type.size());
        return;
      case hub::Form::Unit:
        out->type = LogicalType::in_units(kind == hub::Kind::Time32   ? Kind::Time32
                                          : kind == hub::Kind::Time64 ? Kind::Time64
                                                                      : Kind::Duration,
                                          type.unit());
        return;
      case hub::Form::Timestamp:
        // An offset of "-" alone would read back as no zone.
        out->type = LogicalType::timestamp(type.unit(), type.zone() == "-" ? "" : type.zone());
        return;
      case hub::Form::Decimal: {
        const int bits = hub::kind_row(kind).bits;
        if (bits < 128) hub::refuse_type("Lance", source, path);
        out->type = LogicalType::decimal(bits, type.precision(), type.scale());
        return;
      }
      case hub::Form::List:
        if (kind != hub::Kind::List && kind != hub::Kind::LargeList)
          hub::refuse_type("Lance", source, path);
        return list(type.child(), kind == hub::Kind::LargeList, path, out);
      case hub::Form::FixedSizeList:
        return fixed_size_list(source, path, out);
      case hub::Form::Struct:
        out->type = Kind::Struct;
        return children(type, path, out);
      case hub::Form::Map:
        return map(source, path, out);
      case hub::Form::Dictionary:
        return dictionary(source, path, out);
      case hub::Form::Union:
      case hub::Form::RunEndEncoded:
        hub::refuse_type("Lance", source, path);
    }
  }
};

/// Returns the exact mapping of a single field; empty if it has no exact mapping.
std::optional<Field> mapped_alone(const hub::Field& field) {
  try {
    return FromArrowMapper().field(field, Path());
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Keys: a leaf, not null up to the top, not inside a list or map (table format, "Unenforced
/// Primary Key").
void check_keys(const Field& field, const Path& path, bool holds) {
  const bool here = holds && !field.nullable;
  if (field.primary_key) {
    if (!field.children.empty()) {
      fail(ErrorCode::Unsupported, "expected a leaf as primary key column, found children", path);
    }
    if (!here) {
      fail(ErrorCode::Unsupported,
           "expected a primary key column that is not nullable and in no list or map", path);
    }
  }
  for (const Field& child : field.children) {
    check_keys(child, path.field(child.name), here && field.type.kind() == Kind::Struct);
  }
}

/// Returns true for what data files hold as the items of a fixed-size list.
bool has_fixed_width(const LogicalType& type) {
  if (type.kind() == Kind::FixedSizeList) return has_fixed_width(type.element());
  const Family family = kind_row(type.kind()).family;
  return family != Family::Text && family != Family::Bytes && type.kind() != Kind::Dictionary &&
         type.kind() != Kind::Json;
}

}  // namespace

bool fixed_list_of(const hub::Type& list) {
  const hub::Field& item = list.child();
  if (list.size() <= 0) return false;
  if (item.extension_name() == kBFloat16) return true;
  // The format has those of structs, but pylance writes as many rows of them as they have items,
  // and cannot read them beside other columns.
  if (item.type.kind() == hub::Kind::Struct) return false;
  // Bytes of no length become bytes of any, and lists of those lose their length.
  if (item.type.kind() == hub::Kind::FixedSizeBinary && item.type.size() == 0) return false;
  if (item.type.kind() == hub::Kind::FixedSizeList && !fixed_list_of(item.type)) return false;
  const std::optional<Field> element = mapped_alone(item);
  return element && is_element(*element) && has_fixed_width(element->type);
}

bool dictionary_of(const hub::Type& dictionary) {
  const std::optional<Field> value = mapped_alone(hub::Field("", dictionary.child().type));
  return value && is_dictionary_value(*value);
}

namespace {

/// Returns true for text with the annotation that it is Lance's own json.
bool is_noted_json(const hub::Field& field) {
  if (!hub::is_utf8(field.type.kind())) return false;
  const auto note = hub::annotation(field, kSystem);
  return note && (*note == "type=json" || note->starts_with("type=json "));
}

constexpr hub::ContentRule kKeptJson = {
    "JSON with distinct keys and numbers of 64 bits or a double's digits", keeps_json_text};

}  // namespace

bool holds(const hub::Field& field) { return is_noted_json(field); }

hub::Metadata table_labels(std::string_view text) {
  hub::Metadata out;
  const auto indices = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!indices.is_array()) return out;
  for (const auto& index : indices) {
    if (index.is_string()) out.append("index", index.get<std::string>());
  }
  return out;
}

hub::Refinement refine(const hub::Field& field) {
  hub::Refinement refinement;
  if (is_noted_json(field)) refinement.content = &kKeptJson;
  refinement.is_layout = field.extension_name() == kBlobV2;
  return refinement;
}

hub::LegalName legal_name(const hub::Field& field, hub::NameOf of) {
  hub::LegalName legal{field.name, ""};
  if (field.name.empty()) {
    legal = {"_", "readers cannot ask for an empty name"};
  } else if (field.name.find('`') != std::string::npos) {
    legal.why = "readers cannot quote a '`'";
    std::ranges::replace(legal.name, '`', '_');
  }
  if (of == hub::NameOf::Member) return legal;
  if (is_own_column(field.name)) {
    legal = {field.name + "_", "Lance gives the name to a column of its own"};
  } else if (legal.name.find('.') != std::string::npos) {
    legal.why = "a column's name has no '.'";
    std::ranges::replace(legal.name, '.', '_');
  }
  return legal;
}

FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  FromArrowMapper mapper;
  FromArrow out;
  std::set<std::string_view> names;
  const auto map = [&](const hub::Field& source, const Path& path) {
    if (source.name.find('.') != std::string::npos) {
      fail(ErrorCode::Unsupported, "expected a column name without '.', found one", path);
    }
    if (!names.insert(source.name).second) {
      fail(ErrorCode::Unsupported, "expected distinct column names, found one twice", path);
    }
    Field field = mapper.field(source, path);
    check_keys(field, path, true);
    return field;
  };
  out.schema.fields = hub::map_columns(schema.fields, refused, map);
  out.schema.metadata = schema.metadata;
  // Indices of another dataset, which are not written.
  out.schema.metadata.erase(hub::annotation_key(kSystem));
  if (schema.fields.empty() || !mapper.ids_annotated) assign_ids(&out.schema);
  out.findings = std::move(mapper.findings);
  return out;
}

namespace {

/// Adds what the rows' metadata has besides the schema's own, as Arrow shows it.
void add_metadata(const hub::Metadata& rows, const hub::Metadata& own, hub::Metadata* out) {
  for (const auto& [key, value] : rows) {
    const bool consumed = key == kFieldIdKey || key == hub::annotation_key(kSystem);
    if (!consumed && !own.find(key) && !out->find(key)) out->append(key, value);
  }
}

void add_metadata(const hub::Field& rows, const hub::Field& own, Field* out) {
  add_metadata(rows.metadata, own.metadata, &out->metadata);
  take_keys(out);
  const auto children = rows.type.children();
  const auto own_children = own.type.children();
  // Elements that a type names itself have no field, and no metadata.
  if (children.size() != out->children.size() || own_children.size() != children.size()) return;
  for (size_t i = 0; i < children.size(); ++i) {
    add_metadata(children[i], own_children[i], &out->children[i]);
  }
}

}  // namespace

Schema with_metadata_of(const hub::Schema& rows, Schema schema) {
  const hub::Schema own = rows_to_arrow(schema);
  add_metadata(rows.metadata, own.metadata, &schema.metadata);
  const size_t columns = std::min(rows.fields.size(), schema.fields.size());
  for (size_t i = 0; i < columns; ++i) {
    add_metadata(rows.fields[i], own.fields[i], &schema.fields[i]);
  }
  for (const Field& field : schema.fields) check_keys(field, Path::column(field.name), true);
  return schema;
}

}  // namespace xwalk::lance
