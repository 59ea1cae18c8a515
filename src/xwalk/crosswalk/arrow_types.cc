#include "xwalk/crosswalk/arrow_types.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "xwalk/arrow/schema.h"
#include "xwalk/arrow/validate.h"
#include "xwalk/base/if_valid.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/find_cast.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/ordered_dictionary.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Type;

struct ListWord {
  Kind kind;
  std::string_view word;
};

/// The note of a map whose keys are sorted, which types of most systems do not say.
constexpr std::string_view kSortedMap = "map[keys_sorted]";

/// Lists are noted by their layout alone: the item is noted for itself.
constexpr std::array kListNames = {
    ListWord{Kind::List, "list"},
    ListWord{Kind::LargeList, "large_list"},
    ListWord{Kind::ListView, "list_view"},
    ListWord{Kind::LargeListView, "large_list_view"},
};

/// Returns the union of a struct's fields by a note's list of codes: `0,1?`. Empty if the fields
/// cannot be its alternatives, which are nullable, and wrapped if marked by `?`.
std::optional<Type> noted_union(Kind kind, std::string_view codes, const Type& found) {
  if (found.kind() != Kind::Struct) return std::nullopt;
  std::vector<int8_t> type_codes;
  std::vector<Field> alternatives;
  for (const Field& field : found.children()) {
    int8_t code = 0;
    const auto [end, error] = std::from_chars(codes.data(), codes.data() + codes.size(), code);
    if (error != std::errc() || code < 0 || !field.nullable) return std::nullopt;
    codes.remove_prefix(static_cast<size_t>(end - codes.data()));
    Field alternative = field;
    alternative.nullable = codes.starts_with('?');
    if (alternative.nullable) {
      codes.remove_prefix(1);
      if (!hub::is_box(field.type) || !field.type.child().nullable) return std::nullopt;
      const Field& value = field.type.child();
      alternative = Field(field.name, value.type, true, value.metadata);
    }
    if (codes.starts_with(',')) codes.remove_prefix(1);
    if (std::ranges::find(type_codes, code) != type_codes.end()) return std::nullopt;
    type_codes.push_back(code);
    alternatives.push_back(std::move(alternative));
  }
  if (!codes.empty() || alternatives.empty()) return std::nullopt;
  return hub::union_(std::move(alternatives), kind, std::move(type_codes));
}

/// Returns the type of an annotation, applied to the existing type; empty if the text is not an
/// annotation.
std::optional<Type> noted_type(std::string_view text, const Type& found) {
  const bool is_list = hub::is_list(found.kind());
  for (const ListWord& list : kListNames) {
    if (text != list.word) continue;
    if (!is_list) return std::nullopt;
    return hub::list(found.child(), list.kind);
  }
  if (text == kSortedMap) {
    if (found.kind() != Kind::Map) return std::nullopt;
    return hub::map_of_entries(found.child(), true);
  }
  constexpr std::string_view kFixed = "fixed_size_list[";
  if (text.starts_with(kFixed) && text.ends_with(']')) {
    int32_t size = 0;
    for (const char digit : text.substr(kFixed.size(), text.size() - kFixed.size() - 1)) {
      if (digit < '0' || digit > '9' || size > 100'000'000) return std::nullopt;
      size = 10 * size + (digit - '0');
    }
    if (!is_list) return std::nullopt;
    return hub::fixed_size_list(found.child(), size);
  }
  for (const Kind kind : {Kind::DenseUnion, Kind::SparseUnion}) {
    const std::string_view name = hub::kind_name(kind);
    if (!text.starts_with(name) || !text.substr(name.size()).starts_with('[')) continue;
    if (!text.ends_with(']')) return std::nullopt;
    text.remove_prefix(name.size() + 1);
    text.remove_suffix(1);
    return noted_union(kind, text, found);
  }
  // Values are stored as rows, and numbered again when they are read.
  auto type = if_valid([&] { return hub::without_order(arrow::parse_type(text)); });
  return type && arrow_layer_text(*type) ? type : std::nullopt;
}

/// Returns what a system stores a field as; empty if it has no type for it.
std::optional<Type> stored_as(System system, const Field& field) {
  hub::Refused refused;
  const auto mapped = from_arrow(system, {{field}, {}}, &refused);
  if (!refused.empty()) return std::nullopt;
  return to_arrow(mapped.schema).fields.front().type;
}

/// Returns true if the system stores the candidate as the found type, and the values can be
/// converted back.
bool is_stored_as(System system, const Type& candidate, const Type& found, bool nullable) {
  const Field wanted("value", candidate, nullable);
  const Field stored = hub::without_annotations(Field("value", found, nullable));
  if (is_union(candidate.kind())) {
    if (system->capabilities.unions) return false;
  } else if (candidate.kind() == Kind::Map) {
    if (system->capabilities.sorted_keys) return false;
  } else if (system->restore != nullptr) {
    const hub::Schema kept = system->restore({{stored}, {}}, {{wanted}, {}});
    if (!(kept.fields.front().type == candidate)) return false;
  } else if (hub::is_list(candidate.kind())) {
    const Field plain("value", hub::with_children(candidate, {Field("item", Kind::Int32)}));
    const std::optional<Type> there = stored_as(system, plain);
    if (!there || there->kind() != found.kind()) return false;
  } else if (stored_as(system, wanted) != stored.type) {
    return false;
  }
  hub::NoCast none;
  return hub::find_cast({{stored}, {}}, {{wanted}, {}}, {}, &none).has_value();
}

/// Returns true for an encoding of values whose extension Arrow's readers refuse there.
bool is_refused(const Field& field, const Type& candidate) {
  return hub::is_encoded(candidate) && hub::has_stored_extension(field);
}

/// Returns the type that a field's note names, if it is believed.
std::optional<Type> believed(System system, const Field& field) {
  const std::optional<std::string_view> text = hub::annotation(field, hub::kArrowSystem);
  if (!text) return std::nullopt;
  std::optional<Type> candidate = noted_type(*text, field.type);
  if (candidate && !is_refused(field, *candidate) &&
      is_stored_as(system, *candidate, field.type, field.nullable))
    return candidate;
  return std::nullopt;
}

/// Returns false for what some readers of Parquet cannot find in the columns: unions, and
/// fixed-size lists that are required in a struct that may be null, whose nulls pyarrow takes for
/// short lists.
bool is_found_in_place(const Type& type, const Field& field, bool in_nullable) {
  if (type.kind() == Kind::FixedSizeList) return field.nullable || !in_nullable;
  return !is_union(type.kind());
}

/// Drops the name of a canonical extension type from a column that is stored otherwise: another
/// writer's metadata may not fit its file.
Field without_wrong_extension(Field field) {
  if (arrow::fits_extension(field)) return field;
  field.metadata.erase(hub::kExtensionName);
  field.metadata.erase(hub::kExtensionMetadata);
  return field;
}

/// `in_nullable`: the field is a member of a struct that may be null, or is nested in one.
Field restored(System system, Field field, Restored which, bool in_nullable) {
  if (!field.type.children().empty()) {
    const bool below = field.type.kind() == Kind::Struct && (field.nullable || in_nullable);
    std::vector<Field> children;
    for (const Field& child : field.type.children()) {
      children.push_back(restored(system, child, which, below));
    }
    field.type = hub::with_children(field.type, std::move(children));
  }
  const std::optional<Type> type = believed(system, field);
  if (!type) return without_wrong_extension(std::move(field));
  if (which == Restored::InPlace && !is_found_in_place(*type, field, in_nullable)) {
    // Readers would expect the storage of the extension here.
    field.metadata.erase(hub::kExtensionName);
    field.metadata.erase(hub::kExtensionMetadata);
    return field;
  }
  field.type = *type;
  field.metadata.erase(hub::annotation_key(hub::kArrowSystem));
  return without_wrong_extension(std::move(field));
}

/// Returns true if `restored` may change a field.
bool is_restorable(const Field& field) {
  return hub::annotation(field, hub::kArrowSystem) || !arrow::fits_extension(field) ||
         std::ranges::any_of(field.type.children(), is_restorable);
}

bool has_notes(const Field& field) {
  return hub::annotation(field, hub::kArrowSystem).has_value() ||
         std::ranges::any_of(field.type.children(), has_notes);
}

}  // namespace

std::optional<std::string> arrow_layer_text(const Type& type) {
  for (const ListWord& list : kListNames) {
    if (list.kind == type.kind()) return std::string(list.word);
  }
  if (type.kind() == Kind::FixedSizeList) return fmt::format("fixed_size_list[{}]", type.size());
  if (type.kind() == Kind::Map && type.flag()) return std::string(kSortedMap);
  if (is_union(type.kind())) {
    std::vector<std::string> codes;
    for (size_t i = 0; i < type.children().size(); ++i) {
      codes.push_back(
          fmt::format("{}{}", int{type.type_codes()[i]}, type.child(i).nullable ? "?" : ""));
    }
    return fmt::format("{}[{}]", hub::kind_name(type.kind()), join(codes, ","));
  }
  const bool leaf = type.children().empty() && type.kind() != Kind::Struct;
  if (leaf || type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded) {
    return arrow::print_type(hub::without_order(type));
  }
  return std::nullopt;
}

void note_arrow_type(System target, const Field& source, Field* field) {
  if (target->is_hub) return;
  if (hub::annotation(source, hub::kArrowSystem)) {
    if (believed(target, *field)) return;
    hub::drop_notes_of_others(target->capabilities, field);
    return;
  }
  if (source.type == field->type) return;
  const std::optional<std::string> text = arrow_layer_text(source.type);
  if (!text || text == arrow_layer_text(field->type)) return;
  const std::optional<Type> candidate = noted_type(*text, field->type);
  if (!candidate || is_refused(*field, *candidate) ||
      !is_stored_as(target, *candidate, field->type, field->nullable))
    return;
  hub::annotate(*field, hub::kArrowSystem, *text);
}

namespace {

/// Returns true if the target's reader gets the type of the source's field back, at every depth.
bool gives_back(System target, const Field& source, const Field& field) {
  const Type type = believed(target, field).value_or(field.type);
  return source.nullable == field.nullable && own_layer(type) == own_layer(source.type) &&
         std::ranges::equal(source.type.children(), type.children(),
                            [&](const Field& a, const Field& b) {
                              return hub::is_encoded(type) || gives_back(target, a, b);
                            });
}

}  // namespace

void carry_extension(System target, const Field& source, Field* field) {
  if (hub::same_geospatial(source, *field)) {
    field->metadata.set(hub::kExtensionMetadata, std::string(source.extension_metadata()));
  }
  if (source.extension_name().empty() || !field->extension_name().empty()) return;
  if (!gives_back(target, source, *field)) return;
  *field =
      hub::with_extension(std::move(*field), source.extension_name(), source.extension_metadata());
}

hub::Schema with_arrow_types(System system, const hub::Schema& stored, Restored which) {
  hub::Schema out = stored;
  for (Field& field : out.fields) {
    if (is_restorable(field)) field = restored(system, std::move(field), which, false);
  }
  return out;
}

std::optional<std::string_view> ignored_note(System system, const Field& field) {
  const std::optional<std::string_view> note = hub::annotation(field, hub::kArrowSystem);
  return note && !believed(system, field) ? note : std::nullopt;
}

namespace {

Field without_ignored_notes(System system, Field field) {
  if (!has_notes(field)) return field;
  if (ignored_note(system, field)) field.metadata.erase(hub::annotation_key(hub::kArrowSystem));
  std::vector<Field> children;
  for (const Field& child : field.type.children()) {
    children.push_back(without_ignored_notes(system, child));
  }
  if (!children.empty()) field.type = hub::with_children(field.type, std::move(children));
  return field;
}

}  // namespace

hub::Schema without_ignored_notes(System system, hub::Schema schema) {
  schema.metadata.erase(hub::annotation_key(hub::kArrowSystem));
  for (Field& field : schema.fields) field = without_ignored_notes(system, std::move(field));
  return schema;
}

std::unique_ptr<hub::BatchReader> with_arrow_types(System system,
                                                   std::unique_ptr<hub::BatchReader> reader) {
  if (std::ranges::none_of(reader->schema().fields, is_restorable)) return reader;
  hub::Schema wanted = with_arrow_types(system, reader->schema());
  hub::CompiledCast cast = hub::compile_cast(reader->schema(), wanted);
  return hub::cast_stream(std::move(reader), std::move(cast));
}

}  // namespace xwalk::crosswalk
