#include "xwalk/yt/hub.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/hub/member_paths.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/layer.h"
#include "xwalk/yt/other_columns.h"
#include "xwalk/yt/type_hash.h"
#include "xwalk/yt/validate.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

hub::Type arrow_type(const ArrowForm& form) {
  if (form.kind == hub::Kind::Timestamp) return hub::timestamp(form.unit, "UTC");
  if (form.kind == hub::Kind::Duration) return hub::duration(form.unit);
  if (form.kind == hub::Kind::FixedSizeBinary) return hub::fixed_size_binary(form.size);
  return form.kind;
}

/// Returns the fields of members or alternatives. With `nullable`, an alternative that is nullable
/// itself is boxed by its optional.
std::vector<hub::Field> member_fields(const Type& type, bool nullable = false) {
  std::vector<hub::Field> fields;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Member& member = type.members()[i];
    fields.push_back(to_arrow(type.is_named() ? member.name : std::to_string(i),
                              nullable ? optional(member.type) : member.type));
  }
  return fields;
}

/// Returns the field of a simple type or a decimal.
hub::Field leaf_field(std::string name, const Type& type) {
  const KindRow& row = kind_row(type.kind());
  if (row.content == Content::Decimal) {
    int bits = type.precision() <= 38 ? 128 : 256;
    return {std::move(name), hub::decimal(bits, type.precision(), type.scale()), false};
  }
  if (row.content == Content::Zoned) {
    hub::Field zone("zone", hub::Kind::Utf8, false);
    return {std::move(name), hub::struct_({to_arrow("time", row.instant), std::move(zone)}), false};
  }
  hub::Field field(std::move(name), arrow_type(row.arrow), row.content == Content::Null);
  if (row.arrow.extension.empty()) return field;
  return hub::with_extension(std::move(field), row.arrow.extension);
}

/// Returns the field of a type without tags and optional, not null, without an annotation.
hub::Field bare_field(std::string name, const Type& type) {
  auto plain = [&](hub::Type arrow) {
    return hub::Field(std::move(name), std::move(arrow), false);
  };
  switch (type.composition()) {
    case Composition::None:
      return leaf_field(std::move(name), type);
    case Composition::List:
      return plain(hub::list(to_arrow("item", type.item())));
    case Composition::Struct:
    case Composition::Tuple:
      return plain(hub::struct_(member_fields(type)));
    case Composition::Variant:
      return plain(is_union_variant(type) ? hub::union_(member_fields(type))
                                          : hub::struct_(member_fields(type, true)));
    case Composition::Dict: {
      hub::Field key = to_arrow("key", type.key());
      hub::Field value = to_arrow("value", type.value());
      // Keys of an Arrow map are never null.
      if (!is_nullable(type.key())) return plain(hub::map(std::move(key), std::move(value)));
      return plain(
          hub::list(hub::Field("item", hub::struct_({std::move(key), std::move(value)}), false)));
    }
    case Composition::Optional:
    case Composition::Tagged:
      break;
  }
  return to_arrow(name, type);
}

/// Returns the field of a type without the annotation of its own layer.
hub::Field shape(std::string name, const Type& type) {
  if (type.is(TypeKind::Tagged)) return shape(std::move(name), type.item());
  if (!type.is(TypeKind::Optional)) return bare_field(std::move(name), type);
  if (is_boxed(type)) {
    return {std::move(name), hub::box(to_arrow(kBoxMember, type.item())), true};
  }
  hub::Field field = shape(std::move(name), type.item());
  field.nullable = true;
  return field;
}

}  // namespace

bool is_utc(std::string_view zone) {
  for (std::string_view name : {"UTC", "+00:00", "Etc/UTC", "Z", "Zulu", "Etc/Zulu", "UCT",
                                "Etc/UCT", "Universal", "Etc/Universal"}) {
    if (zone == name) return true;
  }
  return false;
}

hub::Field to_arrow(std::string_view name, const Type& type) {
  hub::Field field = shape(std::string(name), type);
  Type layer = layer_of(type);
  const std::optional<PlainLayer> plain = plain_layer(field);
  if (!plain || !(plain->layer == layer)) {
    hub::annotate(field, kSystem, print_type_yson(layer));
  }
  return field;
}

hub::Schema to_arrow(const TableSchema& schema) {
  hub::Schema out;
  out.fields.reserve(schema.columns.size());
  // Most columns of a wide table have one of a few types.
  std::unordered_map<Type, hub::Field, TypeHash> known;
  for (const ColumnSchema& column : schema.columns) {
    const auto [at, fresh] = known.try_emplace(column.type);
    if (fresh) at->second = to_arrow(column.name, column.type);
    hub::Field field = at->second;
    field.name = column.name;
    yson::Node attributes = column_attributes_node(column);
    if (!attributes.as_map().empty()) {
      field.metadata.set(kColumnAnnotation, yson::print(attributes));
    }
    out.fields.push_back(std::move(field));
  }
  if (!schema.strict) {
    out.fields.push_back(to_arrow(kOtherColumns, optional(TypeKind::Yson)));
  }
  // This is about rows of YSON, not about the table.
  const bool has_integers = has_integers_in_doubles(schema);
  TableSchema table = has_integers ? schema : TableSchema();
  set_integers_in_doubles(false, &table);
  yson::Node attributes = attributes_node(has_integers ? table : schema);
  if (!(attributes == attributes_node(TableSchema()))) {
    hub::annotate(out, kSystem, yson::print(attributes));
  }
  return out;
}

namespace {

class Mapper {
 public:
  Type map_field(const hub::Field& encoded, const Path& path, int depth) {
    hub::check_nesting(depth, kMaxTypeDepth, path);
    hub::Field field = decoded_field(encoded);
    if (encoded.type.kind() != field.type.kind()) {
      report({"layout.flattened",
              fmt::format("the {} encoding is not preserved", hub::kind_name(encoded.type.kind()))},
             path);
    }
    Type layer = layer_for(field, path);
    return fill(layer, field, path, depth);
  }

  /// Returns true if nothing can be wrong with the names of columns, or of members of a struct.
  static bool have_plain_names(std::span<const hub::Field> fields) {
    const bool plain = std::ranges::all_of(fields, hub::is_plain_word, &hub::Field::name);
    return plain && hub::are_distinct(fields);
  }

  /// Refuses a name that a member of a struct, or a column, may not have. `used`: the names of
  /// those before it.
  static void check_name(const hub::Field& field, const Path& path, hub::NameOf of,
                         std::unordered_set<std::string_view>* used) {
    std::string why = legal_name(field, of).why;
    if (!used->insert(field.name).second) why = "the name occurs twice";
    if (why.empty()) return;
    hub::refuse(path,
                fmt::format("YTsaurus cannot hold the name {}: {}", clipped(field.name), why));
  }

  void stale(const Path& path, std::string_view what) {
    findings.push_back({.rule = "annotation.stale",
                        .path = path,
                        .lost = fmt::format("{} that no longer describes it is ignored", what)});
  }

  hub::Findings findings;

 private:
  void report(const Unsaid& unsaid, const Path& path) {
    findings.push_back({.rule = unsaid.rule, .path = path, .lost = std::string(unsaid.lost)});
  }

  Type layer_for(const hub::Field& field, const Path& path) {
    if (std::optional<std::string_view> text = hub::annotation(field, kSystem)) {
      if (std::optional<Type> layer = annotated_layer(field, *text)) return *layer;
      stale(path, "an annotation");
    }
    std::optional<PlainLayer> plain = plain_layer(field);
    if (!plain) {
      hub::refuse_type("YTsaurus", field, path);
    }
    for (const Unsaid& unsaid : plain->unsaid) {
      report(unsaid, path);
    }
    return plain->layer;
  }

  /// Replaces the items of a layer by the types of the field's children.
  Type fill(const Type& layer, const hub::Field& field, const Path& path, int depth) {
    const hub::Type& type = field.type;
    switch (layer.composition()) {
      case Composition::None:
        break;
      case Composition::Tagged:
        return tagged(layer.tag(), fill(layer.item(), field, path, depth + 1));
      case Composition::Optional:
        if (!is_boxed(layer)) return optional(fill(layer.item(), field, path, depth + 1));
        return fill_box(field, path, depth);
      case Composition::List:
        return list(map_field(type.child(), path.item(), depth + 1));
      case Composition::Dict:
        return fill_dict(field, path, depth);
      case Composition::Struct:
        return struct_(fill_members(layer, field, path, depth),
                       {layer.removed_members().begin(), layer.removed_members().end()});
      case Composition::Tuple:
        return tuple(fill_elements(layer, field, path, depth));
      case Composition::Variant:
        return layer.is_named() ? variant(fill_members(layer, field, path, depth))
                                : variant_of(fill_elements(layer, field, path, depth));
    }
    return layer;
  }

  /// A box wraps a type that has its own null. Around any other type it would not convert back to
  /// this field, so it is an ordinary struct then.
  Type fill_box(const hub::Field& field, const Path& path, int depth) {
    Type item = map_field(field.type.child(), path.field(kBoxMember), depth + 1);
    if (is_boxed(optional(item))) return optional(std::move(item));
    stale(path, "an annotation");
    return optional(struct_({{std::string(kBoxMember), std::move(item)}}));
  }

  Type fill_dict(const hub::Field& field, const Path& path, int depth) {
    const hub::Type pairs = decoded_field(field.type.child()).type;
    hub::Field key_field = pairs.child(0);
    if (field.type.kind() == hub::Kind::Map) key_field.nullable = false;
    Type key = map_field(key_field, path.map_key(), depth + 1);
    return dict(std::move(key), map_field(pairs.child(1), path.map_value(), depth + 1));
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
    const std::span<const hub::Field> children = field.type.children();
    std::unordered_set<std::string_view> used;
    for (size_t i = 0; !have_plain_names(children) && i < children.size(); ++i) {
      check_name(children[i], path.field(children[i].name), hub::NameOf::Member, &used);
    }
    std::vector<Member> out;
    for (size_t i = 0; i < types.size(); ++i) {
      const Member& member = layer.members()[i];
      const std::string& name = field.type.child(i).name;
      bool renamed = member.stable_name != member.name && name == member.name;
      out.emplace_back(name, types[i], renamed ? member.stable_name : name);
    }
    return out;
  }
};

/// Returns true for the column that holds what a schema does not describe.
bool is_other_columns(const hub::Field& field) {
  if (field.name != kOtherColumns) return false;
  std::optional<std::string_view> text = hub::annotation(field, kSystem);
  std::optional<Type> layer = text ? annotated_layer(field, *text) : std::nullopt;
  return layer && bare(*layer).is(TypeKind::Yson);
}

/// Returns a layer that is a document as what it is stored as.
Type without_document(const Type& layer) {
  if (layer.is(TypeKind::Tagged)) return tagged(layer.tag(), without_document(layer.item()));
  if (layer.is(TypeKind::Optional)) return optional(without_document(layer.item()));
  if (layer.is(TypeKind::Json)) return TypeKind::Utf8;
  if (layer.is(TypeKind::Yson)) return TypeKind::String;
  return layer;
}

/// Makes plain text and bytes of the json and yson in a field. Returns whether there was any.
bool take_documents(hub::Field& field) {
  bool taken = false;
  if (field.extension_name() == hub::kJsonExtension) {
    taken = true;
    field.metadata.erase(hub::kExtensionName);
    field.metadata.erase(hub::kExtensionMetadata);
  }
  if (const auto text = hub::annotation(field, kSystem)) {
    const std::optional<Type> layer = annotated_layer(field, *text);
    const Type plain = layer ? without_document(*layer) : Type(TypeKind::Null);
    if (layer && !(plain == *layer)) {
      taken = true;
      hub::annotate(field, kSystem, print_type_yson(plain));
    }
  }
  std::vector<hub::Field> children(field.type.children().begin(), field.type.children().end());
  bool below = false;
  for (hub::Field& child : children) below |= take_documents(child);
  if (below) field.type = hub::with_children(field.type, std::move(children));
  return taken || below;
}

void read_table_annotation(const hub::Schema& schema, Mapper* mapper, TableSchema* out) {
  std::optional<std::string_view> text = hub::annotation(schema, kSystem);
  if (!text) return;
  try {
    TableSchema table = parse_table_schema(yson::parse(*text));
    out->unique_keys = table.unique_keys;
    out->schema_modification = table.schema_modification;
    out->deleted_columns = table.deleted_columns;
    out->others = std::move(table.others);
  } catch (const Error&) {
    mapper->stale(Path(), "an annotation of the table");
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
  mapper->stale(Path::column(field.name), "an annotation of the column");
}

Error unsupported(const Problem& problem) {
  const Error error = to_error(problem);
  return {ErrorCode::Unsupported, error.message(), error.place(), error.hint()};
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
  mapper->stale(Path(), "an annotation of keys");
}

/// Refuses the columns of a table that is invalid which are so by themselves.
void refuse_invalid(std::span<const hub::Field> fields, const TableSchema& schema,
                    hub::Refused* refused) {
  const std::map<size_t, Error> before = refused->columns;
  auto column = schema.columns.begin();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (before.contains(i)) continue;
    const Problems problems = validate(*column++);
    if (!problems.empty()) hub::Refused::add(refused, i, unsupported(problems.front()));
  }
}

}  // namespace

hub::LegalName legal_name(const hub::Field& field, hub::NameOf of) {
  const bool column = of != hub::NameOf::Member;
  if (of == hub::NameOf::LastColumn && is_other_columns(field)) return {field.name, ""};
  hub::LegalName legal{field.name, ""};
  if (field.name.empty()) {
    legal.why = "it is empty";
  } else if (field.name.size() > kMaxNameLength) {
    legal.why =
        fmt::format("it has {} bytes, and {} are allowed", field.name.size(), kMaxNameLength);
  } else if (!column && !is_valid_utf8(field.name)) {
    legal.why = "it is not UTF-8";
  } else if (column && field.name.starts_with('$')) {
    // Which such names are the system's own depends on the type.
    const std::optional<PlainLayer> plain = plain_layer(decoded_field(field));
    ColumnSchema probe(field.name, plain ? bare(plain->layer) : Type(TypeKind::Null));
    if (!validate(probe).empty()) {
      legal.why = "it is a name of the system";
      legal.name[0] = '_';
    }
  }
  if (!column && !is_valid_utf8(legal.name)) legal.name = to_hex(legal.name);
  legal.name = cut_utf8(legal.name, kMaxNameLength);
  if (legal.name.empty()) legal.name = "_";
  return legal;
}

std::string legal_key(hub::Field& key) {
  if (!take_documents(key)) return "";
  return "json and yson are not allowed in keys: kept as utf8 and string";
}

FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  Mapper mapper;
  FromArrow out;
  std::span<const hub::Field> fields = schema.fields;
  if (!fields.empty() && is_other_columns(fields.back())) {
    out.schema.strict = false;
    fields = fields.first(fields.size() - 1);
  }
  const bool is_plain = Mapper::have_plain_names(fields);
  std::unordered_set<std::string_view> used;
  const auto map = [&](const hub::Field& field, const Path& path) {
    if (!is_plain) Mapper::check_name(field, path, hub::NameOf::Column, &used);
    ColumnSchema column(field.name, mapper.map_field(field, path, 0));
    read_column_annotation(field, &mapper, &column);
    return column;
  };
  out.schema.columns = hub::map_columns(fields, refused, map);
  read_table_annotation(schema, &mapper, &out.schema);
  Problems problems = validate(out.schema);
  if (!problems.empty()) {
    if (refused != nullptr) refuse_invalid(fields, out.schema, refused);
    drop_stale_keys(&mapper, &out.schema);
    problems = validate(out.schema);
  }
  if (!problems.empty() && refused == nullptr) throw unsupported(problems.front());
  if (!problems.empty() && refused->empty()) refused->whole = unsupported(problems.front());
  out.findings = std::move(mapper.findings);
  hub::Findings notes_found = notes(out.schema);
  out.findings.insert(out.findings.end(), notes_found.begin(), notes_found.end());
  return out;
}

namespace {

/// Checks a value of `any`: one value without attributes at the top, and not `#`. Returns the
/// position of the error, or npos.
size_t any_fault(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  yson::skip_space(p, end);
  const bool bare = p < end && *p != '<' && *p != '#';
  const bool valid = bare && yson::skip_value(p, end, kAnyDepth) == yson::Status::Ok;
  if (valid) yson::skip_space(p, end);
  return valid && p == end ? std::string_view::npos : static_cast<size_t>(p - bytes.data());
}

constexpr hub::ContentRule kAny = {
    "YSON without attributes at its top and not #",
    [](std::string_view bytes) { return any_fault(bytes) == std::string_view::npos; },
    [](std::string_view bytes) { return fmt::format("wrong at byte {}", any_fault(bytes)); }};

}  // namespace

hub::Refinement refine(const hub::Field& field) {
  hub::Field decoded = decoded_field(field);
  std::optional<Type> layer;
  if (std::optional<std::string_view> text = hub::annotation(decoded, kSystem)) {
    // A note that no longer describes the field promises nothing, and nothing else does.
    layer = annotated_layer(decoded, *text);
  } else if (std::optional<PlainLayer> plain = plain_layer(decoded)) {
    layer = std::move(plain->layer);
  }
  hub::Refinement out;
  if (!layer) return out;
  for (const Type* type = &*layer; type != &bare(*layer); type = &type->item()) {
    if (type->is(TypeKind::Tagged)) out.tags.push_back(type->tag());
  }
  TypeKind kind = bare(*layer).kind();
  out.zone_names = is_tz(kind);
  if (is_integral(kind) || out.zone_names) {
    IntegerRange range = integer_range(kind);
    out.range = hub::Range{range.min, static_cast<Int128>(range.max)};
    // In columns that xwalk made, the field of the time has the annotation.
    const bool is_noted =
        out.zone_names && hub::annotation(decoded.type.child(0), kSystem).has_value();
    if (is_noted && refine(decoded.type.child(0)).range == out.range) out.range.reset();
  }
  out.special_values = kind == TypeKind::Decimal;
  out.yson = kind == TypeKind::Yson;
  if (out.yson) out.content = &kAny;
  if (is_other_columns(field)) out.rest_fault = others_fault;
  return out;
}

}  // namespace xwalk::yt
