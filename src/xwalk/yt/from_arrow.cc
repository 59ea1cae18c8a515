#include <map>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/layer.h"
#include "xwalk/yt/ranges.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

/// Metadata keys that Arrow and other writers use for what is not a user's label.
bool is_own_key(std::string_view key) {
  return hub::is_annotation_key(key) || key == hub::kExtensionName ||
         key == hub::kExtensionMetadata || key == "ARROW:schema";
}

class Mapper {
 public:
  explicit Mapper(const hub::FromArrowOptions& options) : options_(options) {}

  Type map_field(const hub::Field& encoded, const Path& path, int depth) {
    if (depth > kMaxTypeDepth) {
      refuse(path, fmt::format("expected at most {} levels of composite types, found more",
                               kMaxTypeDepth));
    }
    hub::Field field = decoded_field(encoded);
    if (encoded.type.kind() != field.type.kind()) {
      find({"layout.flattened", hub::Values::Kept, hub::TypeKept::Changed,
            fmt::format("the encoding {}", hub::kind_name(encoded.type.kind())), "", "", false},
           path, encoded, "");
    }
    report_labels(encoded.metadata, path);
    Type layer = layer_for(field, path);
    return fill(layer, field, path, depth);
  }

  /// Returns names that members of a struct may have, or `columns` of a table: each once, not
  /// empty, not too long; UTF-8 within a struct.
  std::vector<std::string> legal_names(std::span<const hub::Field> fields, const Path& path,
                                       bool columns) {
    std::set<std::string, std::less<>> taken;
    for (const hub::Field& field : fields) taken.insert(field.name);
    std::set<std::string, std::less<>> used;
    // Where the search for a free number ended last, so that many equal names stay cheap.
    std::map<std::string, int> next_number;
    std::vector<std::string> names;
    for (const hub::Field& field : fields) {
      std::string name = legal_name(field, columns);
      if (name != field.name || used.contains(name)) {
        std::string stem = name;
        int& number = next_number.emplace(stem, 2).first->second;
        while (used.contains(name) || (name != field.name && taken.contains(name))) {
          std::string suffix = fmt::format("_{}", number++);
          name = cut(stem, kMaxNameLength - suffix.size()) + suffix;
        }
      }
      used.insert(name);
      if (name != field.name) {
        Path below = path.empty() ? Path::column(field.name) : path.field(field.name);
        find({"name.changed", hub::Values::Kept, hub::TypeKept::Changed,
              fmt::format("the name {}: {}", clipped(field.name),
                          why_illegal(field, columns).empty() ? "it stands there twice"
                                                              : why_illegal(field, columns)),
              "", "", true},
             below, field, name);
      }
      names.push_back(std::move(name));
    }
    return names;
  }

  void report_labels(const hub::Metadata& metadata, const Path& path) {
    hub::Finding lost;
    for (const auto& [key, value] : metadata) {
      if (is_own_key(key)) continue;
      if (key == "PARQUET:field_id" || key == "field_id") {
        hub::Finding id;
        id.rule = "id.lost";
        id.path = path;
        id.labels = {fmt::format("field id {}", value)};
        id.lost = id.labels.front();
        findings.push_back(std::move(id));
        continue;
      }
      lost.labels.push_back(key);
    }
    if (lost.labels.empty()) return;
    lost.rule = "metadata.lost";
    lost.path = path;
    lost.lost = "metadata " + join(lost.labels, ", ");
    findings.push_back(std::move(lost));
  }

  void stale(const Path& path, std::string_view what, std::string_view text) {
    hub::Finding finding;
    finding.rule = "annotation.stale";
    finding.path = path;
    finding.source = std::string(text);
    finding.lost = fmt::format("{} that no longer describes it is ignored", what);
    findings.push_back(std::move(finding));
  }

  [[noreturn]] static void refuse(const Path& path, std::string message, std::string hint = {}) {
    Place place;
    place.path = path;
    throw Error(ErrorCode::Unsupported, std::move(message), std::move(place), std::move(hint));
  }

  hub::Findings findings;

 private:
  void find(const Lowering& lowering, const Path& path, const hub::Field& field,
            std::string target) {
    if (lowering.lowers && !options_.lower) {
      refuse(path, fmt::format("YTsaurus has no type for {}: {} ({})", hub::to_string(field.type),
                               lowering.lost, lowering.rule));
    }
    hub::Finding finding;
    finding.rule = lowering.rule;
    finding.path = path;
    finding.values = lowering.values;
    finding.type = lowering.type;
    finding.source = hub::to_string(field.type);
    finding.target = std::move(target);
    finding.lost = lowering.lost;
    finding.witness = lowering.witness;
    finding.hint = lowering.hint;
    findings.push_back(std::move(finding));
  }

  Type layer_for(const hub::Field& field, const Path& path) {
    if (options_.annotations) {
      if (std::optional<std::string_view> text = hub::annotation(field, kSystem)) {
        if (std::optional<Type> layer = annotated_layer(field, *text)) return *layer;
        stale(path, "an annotation", *text);
      }
    }
    PlainLayer plain = plain_layer(field);
    bool hollow = !bare(plain.layer).is_simple();
    for (const Lowering& lowering : plain.lowerings) {
      find(lowering, path, field,
           hollow ? std::string(kind_name(bare(plain.layer).kind())) : print_short(plain.layer));
    }
    return plain.layer;
  }

  /// Replaces the items of a layer by the types of the field's children.
  Type fill(const Type& layer, const hub::Field& field, const Path& path, int depth) {
    const hub::Type& type = field.type;
    switch (layer.kind()) {
      case TypeKind::Tagged:
        return tagged(layer.tag(), fill(layer.item(), field, path, depth + 1));
      case TypeKind::Optional:
        if (!is_boxed(layer)) return optional(fill(layer.item(), field, path, depth + 1));
        return optional(map_field(type.child(), path.field(kBoxMember), depth + 1));
      case TypeKind::List:
        return list(map_field(type.child(), path.item(), depth + 1));
      case TypeKind::Dict:
        return fill_dict(field, path, depth);
      case TypeKind::Struct:
        // The parts of an interval are no fields.
        if (type.kind() != hub::Kind::Struct) return layer;
        return struct_(fill_members(layer, field, path, depth),
                       {layer.removed_members().begin(), layer.removed_members().end()});
      case TypeKind::Tuple:
        return tuple(fill_elements(layer, field, path, depth));
      case TypeKind::Variant:
        return layer.is_named() ? variant(fill_members(layer, field, path, depth))
                                : variant_of(fill_elements(layer, field, path, depth));
      default:
        return layer;
    }
  }

  Type fill_dict(const hub::Field& field, const Path& path, int depth) {
    const hub::Type pairs = decoded_field(field.type.child()).type;
    hub::Field key_field = pairs.child(0);
    if (field.type.kind() == hub::Kind::Map) key_field.nullable = false;
    Type key = map_field(key_field, path.map_key(), depth + 1);
    key = legal_key(key, key_field, path.map_key());
    return dict(std::move(key), map_field(pairs.child(1), path.map_value(), depth + 1));
  }

  /// The system allows neither yson nor json anywhere in a key.
  Type legal_key(const Type& type, const hub::Field& field, const Path& path) {
    bool changed = false;
    Type legal = without_documents(type, &changed);
    if (changed) {
      find({"type.as-storage", hub::Values::Kept, hub::TypeKept::Changed,
            "json and yson are not allowed in keys: kept as utf8 and string", "", "", true},
           path, field, print_short(legal));
    }
    return legal;
  }

  static Type without_documents(const Type& type, bool* changed) {
    auto members = [&] {
      std::vector<Member> out;
      for (const Member& member : type.members()) {
        out.emplace_back(member.name, without_documents(member.type, changed), member.stable_name);
      }
      return out;
    };
    auto elements = [&] {
      std::vector<Type> out;
      for (const Member& member : type.members()) {
        out.push_back(without_documents(member.type, changed));
      }
      return out;
    };
    switch (type.kind()) {
      case TypeKind::Json:
        *changed = true;
        return TypeKind::Utf8;
      case TypeKind::Yson:
        *changed = true;
        return TypeKind::String;
      case TypeKind::Optional:
        return optional(without_documents(type.item(), changed));
      case TypeKind::List:
        return list(without_documents(type.item(), changed));
      case TypeKind::Tagged:
        return tagged(type.tag(), without_documents(type.item(), changed));
      case TypeKind::Struct:
        return struct_(members(), {type.removed_members().begin(), type.removed_members().end()});
      case TypeKind::Tuple:
        return tuple(elements());
      case TypeKind::Variant:
        return type.is_named() ? variant(members()) : variant_of(elements());
      case TypeKind::Dict: {
        Type key = without_documents(type.key(), changed);
        return dict(std::move(key), without_documents(type.value(), changed));
      }
      default:
        return type;
    }
  }

  std::vector<Type> fill_elements(const Type& layer, const hub::Field& field, const Path& path,
                                  int depth) {
    std::vector<Type> out;
    bool lowered = layer.is(TypeKind::Variant) && field.type.kind() == hub::Kind::Struct;
    for (const hub::Field& child : field.type.children()) {
      Path below =
          layer.is(TypeKind::Variant) ? path.alternative(child.name) : path.field(child.name);
      Type type = map_field(child, below, depth + 1);
      // An alternative of a struct is null when another one is set.
      out.push_back(lowered && type.is(TypeKind::Optional) ? type.item() : type);
    }
    return out;
  }

  std::vector<Member> fill_members(const Type& layer, const hub::Field& field, const Path& path,
                                   int depth) {
    std::vector<Type> types = fill_elements(layer, field, path, depth);
    std::vector<std::string> names = legal_names(field.type.children(), path, false);
    std::vector<Member> out;
    for (size_t i = 0; i < types.size(); ++i) {
      const Member& member = layer.members()[i];
      bool renamed = member.stable_name != member.name && names[i] == member.name;
      out.emplace_back(names[i], types[i], renamed ? member.stable_name : names[i]);
    }
    return out;
  }

  static std::string cut(std::string_view name, size_t size) {
    if (name.size() <= size) return std::string(name);
    while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80) --size;
    return std::string(name.substr(0, size));
  }

  /// Returns why a name is not allowed, "" if it is.
  std::string why_illegal(const hub::Field& field, bool column) const {
    if (field.name.empty()) return "it is empty";
    if (field.name.size() > kMaxNameLength) {
      return fmt::format("it has {} bytes, and {} are allowed", field.name.size(), kMaxNameLength);
    }
    if (!column && !is_valid_utf8(field.name)) return "it is not UTF-8";
    if (column && field.name.starts_with('$')) {
      ColumnSchema probe(field.name, bare(plain_layer(decoded_field(field)).layer));
      if (!validate(probe).empty()) return "it is a name of the system";
    }
    return "";
  }

  std::string legal_name(const hub::Field& field, bool column) const {
    std::string name = field.name;
    if (!column && !is_valid_utf8(name)) name = to_hex(name);
    if (column && name.starts_with('$') && !why_illegal(field, column).empty()) name[0] = '_';
    name = cut(name, kMaxNameLength);
    return name.empty() ? "_" : name;
  }

  const hub::FromArrowOptions& options_;
};

/// Returns true for the column that holds what a schema does not describe.
bool is_other_columns(const hub::Field& field) {
  if (field.name != kOtherColumns) return false;
  std::optional<std::string_view> text = hub::annotation(field, kSystem);
  std::optional<Type> layer = text ? annotated_layer(field, *text) : std::nullopt;
  return layer && bare(*layer).is(TypeKind::Yson);
}

void read_table_annotation(const hub::Schema& schema, Mapper* mapper, TableSchema* out) {
  std::optional<std::string_view> text = hub::annotation(schema, kSystem);
  if (!text) return;
  try {
    TableSchema table = parse_table_schema(yson::parse(*text));
    out->unique_keys = table.unique_keys;
    out->schema_modification = table.schema_modification;
    out->deleted_columns = table.deleted_columns;
  } catch (const Error&) {
    mapper->stale(Path(), "an annotation of the table", *text);
  }
}

void read_column_annotation(const hub::Field& field, Mapper* mapper, ColumnSchema* column) {
  std::optional<std::string_view> text = field.metadata.find(kColumnAnnotation);
  if (!text) return;
  ColumnSchema annotated = *column;
  try {
    set_column_attributes(&annotated, yson::parse(*text));
    if (validate(annotated).empty()) {
      *column = std::move(annotated);
      return;
    }
  } catch (const Error&) {
    // Said below, as for attributes that the column can no longer have.
  }
  mapper->stale(Path::column(field.name), "an annotation of the column", *text);
}

/// Takes away what only annotations said, when together it makes no valid table any more: a key
/// column was dropped or moved.
void drop_stale_keys(Mapper* mapper, TableSchema* schema) {
  TableSchema plain = *schema;
  plain.unique_keys = false;
  plain.deleted_columns.clear();
  for (ColumnSchema& column : plain.columns) {
    column.sort_order.reset();
    column.stable_name = column.name;
  }
  if (!validate(plain).empty()) return;
  *schema = std::move(plain);
  mapper->stale(Path(), "an annotation of keys", "");
}

}  // namespace

FromArrow from_arrow(const hub::Schema& schema, const hub::FromArrowOptions& options) {
  Mapper mapper(options);
  FromArrow out;
  mapper.report_labels(schema.metadata, Path());
  std::span<const hub::Field> fields = schema.fields;
  if (options.annotations && !fields.empty() && is_other_columns(fields.back())) {
    out.schema.strict = false;
    fields = fields.first(fields.size() - 1);
  }
  std::vector<std::string> names = mapper.legal_names(fields, Path(), true);
  for (size_t i = 0; i < fields.size(); ++i) {
    ColumnSchema column(names[i], mapper.map_field(fields[i], Path::column(fields[i].name), 0));
    if (options.annotations) read_column_annotation(fields[i], &mapper, &column);
    out.schema.columns.push_back(std::move(column));
  }
  if (options.annotations) {
    read_table_annotation(schema, &mapper, &out.schema);
  }
  Problems problems = validate(out.schema);
  if (!problems.empty() && options.annotations) {
    drop_stale_keys(&mapper, &out.schema);
    problems = validate(out.schema);
  }
  if (!problems.empty()) {
    Error error = to_error(problems.front());
    throw Error(ErrorCode::Unsupported, error.message(), error.place(), error.hint());
  }
  out.findings = std::move(mapper.findings);
  hub::Findings notes_found = notes(out.schema);
  out.findings.insert(out.findings.end(), notes_found.begin(), notes_found.end());
  return out;
}

hub::Refinement refine(const hub::Field& field) {
  hub::Field decoded = decoded_field(field);
  std::optional<Type> layer;
  if (std::optional<std::string_view> text = hub::annotation(decoded, kSystem)) {
    layer = annotated_layer(decoded, *text);
  }
  if (!layer) layer = plain_layer(decoded).layer;
  TypeKind kind = bare(*layer).kind();
  hub::Refinement out;
  if (is_integral(kind)) {
    IntegerRange range = integer_range(kind);
    out.range = hub::Range{range.min, static_cast<Int128>(range.max)};
  }
  out.special_values = kind == TypeKind::Decimal;
  out.zone_names = is_tz(kind);
  return out;
}

}  // namespace xwalk::yt
