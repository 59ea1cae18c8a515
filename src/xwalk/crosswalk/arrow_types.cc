#include "xwalk/crosswalk/arrow_types.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/arrow/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast.h"
#include "xwalk/parquet/hub.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Type;

constexpr std::string_view kArrow = "arrow";

struct ListWord {
  Kind kind;
  std::string_view word;
};

/// Lists are noted by their layout alone: the item is noted for itself.
constexpr std::array kListWords = {
    ListWord{Kind::List, "list"},
    ListWord{Kind::LargeList, "large_list"},
    ListWord{Kind::ListView, "list_view"},
    ListWord{Kind::LargeListView, "large_list_view"},
};

std::optional<std::string> layer_text(const Type& type) {
  for (const ListWord& list : kListWords) {
    if (list.kind == type.kind()) return std::string(list.word);
  }
  if (type.kind() == Kind::FixedSizeList) return fmt::format("fixed_size_list[{}]", type.size());
  const bool leaf = type.children().empty() && type.kind() != Kind::Struct;
  if (leaf || type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded) {
    return arrow::print_type(type);
  }
  return std::nullopt;
}

/// Returns the type that a note names above what is found; nothing for words that are no note.
std::optional<Type> noted_type(std::string_view text, const Type& found) {
  const bool is_list = hub::is_list(found.kind());
  for (const ListWord& list : kListWords) {
    if (text != list.word) continue;
    if (!is_list) return std::nullopt;
    return hub::list(found.child(), list.kind);
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
  try {
    Type type = arrow::parse_type(text);
    return layer_text(type) ? std::optional(std::move(type)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Returns what a system stores a field as.
Type stored_as(System system, const Field& field) {
  return to_arrow(room(system).from_arrow({{field}, {}}, {.lower = true}).schema)
      .fields.front()
      .type;
}

/// Returns true if the system stores the candidate as what is found, and the values have a way from
/// there to it.
bool is_stored_as(System system, const Type& candidate, const Type& found, bool nullable) {
  const Field wanted("value", candidate, nullable);
  const Field stored = hub::without_annotations(Field("value", found, nullable));
  try {
    if (system == System::Parquet) {
      if (!(parquet::with_arrow_schema({{stored}, {}}, {{wanted}, {}}).fields.front().type ==
            candidate)) {
        return false;
      }
    } else if (hub::is_list(candidate.kind())) {
      const Field plain("value", hub::with_children(candidate, {Field("item", Kind::Int32)}));
      if (stored_as(system, plain).kind() != found.kind()) return false;
    } else if (!(stored_as(system, wanted) == stored.type)) {
      return false;
    }
    (void)hub::compile_cast({{stored}, {}}, {{wanted}, {}});
    return true;
  } catch (const Error&) {
    return false;
  }
}

Field restored(System system, Field field) {
  if (!field.type.children().empty()) {
    std::vector<Field> children;
    for (const Field& child : field.type.children()) children.push_back(restored(system, child));
    field.type = hub::with_children(field.type, std::move(children));
  }
  const std::optional<std::string_view> text = hub::annotation(field, kArrow);
  if (!text) return field;
  const std::optional<Type> candidate = noted_type(*text, field.type);
  if (candidate && is_stored_as(system, *candidate, field.type, field.nullable)) {
    field.type = *candidate;
    field.metadata.erase(hub::annotation_key(kArrow));
  }
  return field;
}

bool has_notes(const Field& field) {
  return hub::annotation(field, kArrow).has_value() ||
         std::ranges::any_of(field.type.children(), has_notes);
}

}  // namespace

void note_arrow_type(System target, const Field& source, Field* field) {
  const std::optional<std::string> text = layer_text(source.type);
  if (!text || text == layer_text(field->type)) return;
  const std::optional<Type> candidate = noted_type(*text, field->type);
  if (!candidate || !is_stored_as(target, *candidate, field->type, field->nullable)) return;
  hub::annotate(*field, kArrow, *text);
}

hub::Schema with_arrow_types(System system, const hub::Schema& stored) {
  hub::Schema out = stored;
  for (Field& field : out.fields) {
    if (has_notes(field)) field = restored(system, std::move(field));
  }
  return out;
}

std::unique_ptr<hub::BatchReader> with_arrow_types(System system,
                                                   std::unique_ptr<hub::BatchReader> reader) {
  if (std::ranges::none_of(reader->schema().fields, has_notes)) return reader;
  hub::Schema wanted = with_arrow_types(system, reader->schema());
  hub::CompiledCast cast = hub::compile_cast(reader->schema(), wanted);
  return hub::cast_stream(std::move(reader), std::move(cast));
}

}  // namespace xwalk::crosswalk
