#include "pyarrow_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::vectors {
namespace {

using hub::Kind;

std::string children_text(const hub::Type& type) {
  std::vector<std::string> texts;
  for (const hub::Field& child : type.children()) {
    texts.push_back(fmt::format("{}: {}{}", child.name, pyarrow_type_text(child),
                                child.nullable ? "" : " not null"));
  }
  return join(texts, ", ");
}

}  // namespace

std::string pyarrow_text(const hub::Type& type) {
  std::string name(hub::kind_name(type.kind()));
  switch (type.kind()) {
    case Kind::Date32:
      return "date32[day]";
    case Kind::Date64:
      return "date64[ms]";
    case Kind::List:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
    case Kind::Struct:
      return fmt::format("{}<{}>", name, children_text(type));
    case Kind::FixedSizeList:
      return fmt::format("{}<{}>[{}]", name, children_text(type), type.size());
    case Kind::Map:
      return fmt::format("map<{}, {}{}>", pyarrow_type_text(type.key()),
                         pyarrow_type_text(type.value()), type.flag() ? ", keys_sorted" : "");
    case Kind::Dictionary:
      return fmt::format("dictionary<values={}, indices={}, ordered={:d}>",
                         pyarrow_text(type.child().type), hub::kind_name(type.index_kind()),
                         type.flag());
    default:
      return hub::to_string(type);
  }
}

bool is_registered(std::string_view extension) {
  return extension == "arrow.uuid" || extension == "arrow.json" || extension == "arrow.bool8" ||
         extension == "arrow.parquet.variant";
}

std::string pyarrow_type_text(const hub::Field& field) {
  const std::string_view extension = field.extension_name();
  return is_registered(extension) ? fmt::format("extension<{}>", extension)
                                  : pyarrow_text(field.type);
}

namespace {

/// The lines below that of a field, which begins at `indent`.
std::string below_text(const hub::Field& field, size_t indent, bool by_name) {
  std::string out;
  const bool registered = by_name && pyarrow_type_text(field).starts_with("extension<");
  const std::string here(indent + 2, ' ');
  if (!registered && field.type.kind() != Kind::Dictionary) {
    // Children of a nested field are indented by four more, those of a column by two.
    const size_t below = indent == 0 ? 2 : indent + 4;
    for (size_t i = 0; i < field.type.children().size(); ++i) {
      const hub::Field& child = field.type.child(i);
      out += fmt::format("\n{}child {}, {}: {}{}{}", std::string(below, ' '), i, child.name,
                         by_name ? pyarrow_type_text(child) : pyarrow_text(child.type),
                         child.nullable ? "" : " not null", below_text(child, below, by_name));
    }
  }
  std::string entries;
  for (const auto& [key, value] : field.metadata) {
    const bool shown = !registered || !key.starts_with("ARROW:extension:");
    if (shown) entries += fmt::format("\n{}{}: '{}'", here, key, value);
  }
  if (!entries.empty()) out += fmt::format("\n{}-- field metadata --{}", here, entries);
  return out;
}

}  // namespace

std::string pyarrow_schema_text(std::span<const hub::Field> fields, bool by_name) {
  std::vector<std::string> texts;
  for (const hub::Field& field : fields) {
    texts.push_back(fmt::format("{}: {}{}{}", field.name,
                                by_name ? pyarrow_type_text(field) : pyarrow_text(field.type),
                                field.nullable ? "" : " not null", below_text(field, 0, by_name)));
  }
  return with_sorted_metadata(join(texts, "\n"));
}

std::string with_sorted_metadata(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (!line.ends_with("ARROW:extension:metadata: ''")) lines.push_back(std::move(line));
    at = end + 1;
  }
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (!line->ends_with("-- field metadata --")) continue;
    const size_t indent = line->find('-');
    auto last = line + 1;
    while (last != lines.end() && last->find_first_not_of(' ') == indent &&
           !last->substr(indent).starts_with("child ")) {
      ++last;
    }
    std::sort(line + 1, last);
  }
  return join(lines, "\n");
}

}  // namespace xwalk::vectors
