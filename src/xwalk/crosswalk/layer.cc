#include "xwalk/crosswalk/layer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/hub/annotation.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/names.h"

namespace xwalk::crosswalk {

using hub::Field;
using hub::Kind;
using hub::Type;

namespace {

bool opens(char c) { return c == '<' || c == '(' || c == '{' || c == '['; }
bool closes(char c) { return c == '>' || c == ')' || c == '}' || c == ']'; }

}  // namespace

Type own_layer(const Type& type) {
  if (type.children().empty()) return type;
  if (type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded) return type;
  std::vector<Field> children;
  for (const Field& child : type.children()) {
    children.emplace_back(has_names(type) ? child.name : "", Kind::Null, true);
  }
  return with_children(type, std::move(children));
}

Type bare_layer(const Type& type) {
  if (type.kind() == Kind::Struct) return hub::struct_({});
  if (type.kind() == Kind::DenseUnion || type.kind() == Kind::SparseUnion) {
    return hub::union_({}, type.kind());
  }
  return own_layer(type);
}

Type without_layout(const Type& type) {
  if (hub::is_utf8(type.kind())) return Kind::Utf8;
  if (hub::is_binary(type.kind())) return Kind::Binary;
  if (hub::kind_row(type.kind()).form == hub::Form::List) return hub::list(type.child());
  return type;
}

namespace {

/// Compares all that two fields have, except their names: members of structs and unions have those
/// in the layer of the type, and names of items, keys and values have no meaning.
bool holds_alike(const Field& a, const Field& b) {
  const auto unnoted = [](hub::Metadata metadata) {
    metadata.erase(hub::annotation_key(hub::kArrowSystem));
    return metadata;
  };
  if (a.nullable != b.nullable || unnoted(a.metadata) != unnoted(b.metadata)) return false;
  if (a.type.kind() == Kind::Map && b.type.kind() == Kind::Map) {
    return a.type.flag() == b.type.flag() && holds_alike(a.type.key(), b.type.key()) &&
           holds_alike(a.type.value(), b.type.value());
  }
  return own_layer(without_layout(a.type)) == own_layer(without_layout(b.type)) &&
         std::ranges::equal(a.type.children(), b.type.children(), holds_alike);
}

/// The name of a field in the text of its type in Parquet's notation.
struct NameInText {
  size_t begin = 0;
  /// 0 if the text has none.
  size_t size = 0;
};

NameInText field_name_in(std::string_view text) {
  constexpr std::array<std::string_view, 3> kRepetitions = {"required ", "optional ", "repeated "};
  const auto begins = [&](std::string_view repetition) { return text.starts_with(repetition); };
  if (std::ranges::none_of(kRepetitions, begins)) return {};
  if (text.ends_with(';')) text.remove_suffix(1);
  const size_t space = text.find(' ', text.find(' ') + 1);
  if (space == std::string_view::npos) return {};
  const size_t begin = space + 1;
  size_t end = begin;
  if (end < text.size() && text[end] == '"') {
    for (++end; end < text.size() && text[end] != '"'; ++end) end += text[end] == '\\' ? 1 : 0;
    end = std::min(end + 1, text.size());
  } else {
    end = std::min(text.find(' ', end), text.size());
  }
  return {begin, end - begin};
}

}  // namespace

bool has_type(const Field& a, const Field& b) {
  if (a.type.kind() == Kind::Map && b.type.kind() == Kind::Map) {
    return has_type(a.type.key(), b.type.key()) && has_type(a.type.value(), b.type.value());
  }
  return a.extension_name() == b.extension_name() &&
         own_layer(without_layout(a.type)) == own_layer(without_layout(b.type)) &&
         std::ranges::equal(a.type.children(), b.type.children(), has_type);
}

bool is_other_layout(const Field& a, const Field& b) {
  return a.name == b.name && holds_alike(a, b);
}

std::string without_field_name(std::string_view text) {
  const NameInText name = field_name_in(text);
  if (name.size == 0) return std::string(text);
  if (text.ends_with(';')) text.remove_suffix(1);
  return std::string(text.substr(0, name.begin - 1)) +
         std::string(text.substr(name.begin + name.size));
}

std::string with_field_name(std::string text, std::string_view name) {
  const NameInText was = field_name_in(text);
  if (was.size != 0) text.replace(was.begin, was.size, name);
  return text;
}

std::string shown_type(std::string_view text) {
  return hub::with_short_crs(without_field_name(text));
}

std::string layer_text(System system, const hub::Field& field, std::string_view text) {
  const hub::Type& type = field.type;
  if (type.children().empty() || hub::is_encoded(type)) return layer_text(field, text, "");
  const bool is_map = type.kind() == hub::Kind::Map;
  return layer_text(field, text, type_text(system, is_map ? type.key() : type.child()));
}

std::string layer_text(const hub::Field& field, std::string_view whole, std::string_view child) {
  std::string text = shown_type(whole);
  if (field.type.children().empty() || hub::is_encoded(field.type)) return text;
  // From the bracket before the first child to those that close the whole.
  const size_t begin = child.empty() ? std::string_view::npos : text.find(child, 1);
  if (begin == std::string::npos) return text;
  const size_t bracket = text.find_last_of("<({[", begin - 1);
  if (bracket == std::string::npos) return text;
  int open = 0;
  for (const char c : text.substr(0, bracket + 1)) open += closes(c) ? -1 : opens(c) ? 1 : 0;
  size_t end = text.size();
  while (end > begin && open > 0) open -= closes(text[--end]) ? 1 : 0;
  while (end > begin && text[end - 1] == ' ') --end;
  return fmt::format("{}…{}", text.substr(0, bracket + 1), text.substr(end));
}

}  // namespace xwalk::crosswalk
