#include "xwalk/hub/annotation.h"

#include <algorithm>
#include <vector>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::hub {
namespace {

/// Kinds that differ only in layout, as one of them.
Kind plain_kind(Kind kind) {
  if (is_utf8(kind)) return Kind::Utf8;
  if (is_binary(kind)) return Kind::Binary;
  if (is_list(kind) && kind != Kind::FixedSizeList) return Kind::List;
  if (is_decimal(kind)) return Kind::Decimal128;
  if (kind == Kind::SparseUnion) return Kind::DenseUnion;
  return kind;
}

/// The type of the values, whatever encodes them.
const Type& decoded(const Type& type) {
  if (type.kind() == Kind::Dictionary) return decoded(type.child(0).type);
  if (type.kind() == Kind::RunEndEncoded) return decoded(type.child(1).type);
  return type;
}

bool same_names(const Type& a, const Type& b) {
  return std::ranges::equal(a.children(), b.children(), {}, &Field::name, &Field::name);
}

Metadata without_annotations(const Metadata& metadata) {
  Metadata kept;
  for (const auto& [key, value] : metadata) {
    if (!is_annotation_key(key)) kept.append(key, value);
  }
  return kept;
}

Type without_annotations(const Type& type) {
  if (type.children().empty()) return type;
  std::vector<Field> children;
  for (const Field& child : type.children()) children.push_back(without_annotations(child));
  return with_children(type, std::move(children));
}

/// Finds the value of `annotation_key(system)`, which is not made for that: most fields have none.
std::optional<std::string_view> find_annotation(const Metadata& metadata, std::string_view system) {
  for (const auto& [key, value] : metadata) {
    if (std::string_view(key).starts_with(kAnnotationPrefix) &&
        std::string_view(key).substr(kAnnotationPrefix.size()) == system) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string annotation_key(std::string_view system) {
  return std::string(kAnnotationPrefix) + std::string(system);
}

std::optional<std::string_view> annotation(const Field& field, std::string_view system) {
  return find_annotation(field.metadata, system);
}

std::optional<std::string_view> annotation(const Schema& schema, std::string_view system) {
  return find_annotation(schema.metadata, system);
}

void annotate(Field& field, std::string_view system, std::string text) {
  field.metadata.set(annotation_key(system), std::move(text));
}

void annotate(Schema& schema, std::string_view system, std::string text) {
  schema.metadata.set(annotation_key(system), std::move(text));
}

void annotate_table(Schema& schema, std::string_view system,
                    std::span<const std::pair<std::string, std::string>> labels) {
  if (labels.empty()) return;
  nlohmann::ordered_json table;
  for (const auto& [name, value] : labels) table[name] = value;
  annotate(schema, system, table.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

Metadata table_labels(std::string_view text) {
  Metadata out;
  const auto table = nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!table.is_object()) return out;
  for (const auto& [name, value] : table.items()) {
    if (value.is_string()) out.append(name, value.get<std::string>());
  }
  return out;
}

bool is_annotation_key(std::string_view key) { return key.starts_with(kAnnotationPrefix); }

Field without_annotations(Field field) {
  field.metadata = without_annotations(field.metadata);
  field.type = without_annotations(field.type);
  return field;
}

Schema without_annotations(Schema schema) {
  schema.metadata = without_annotations(schema.metadata);
  for (Field& field : schema.fields) field = without_annotations(std::move(field));
  return schema;
}

bool annotation_fits(const Type& actual, const Type& promised) {
  const Type& a = decoded(actual);
  const Type& b = decoded(promised);
  if (plain_kind(a.kind()) != plain_kind(b.kind())) return false;
  switch (kind_row(a.kind()).form) {
    case Form::FixedSizeBinary:
    case Form::FixedSizeList:
      return a.size() == b.size();
    case Form::Unit:
      return a.unit() == b.unit();
    case Form::Timestamp:
      return a.unit() == b.unit() && a.zone() == b.zone();
    case Form::Decimal:
      return a.precision() == b.precision() && a.scale() == b.scale();
    case Form::Struct:
    case Form::Union:
      return same_names(a, b);
    case Form::Plain:
    case Form::List:
    case Form::Map:
    case Form::Dictionary:
    case Form::RunEndEncoded:
      return true;
  }
  return false;
}

}  // namespace xwalk::hub
