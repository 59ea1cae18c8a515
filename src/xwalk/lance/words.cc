#include "xwalk/lance/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"

namespace xwalk::lance {
namespace {

class WordParser {
 public:
  explicit WordParser(std::string_view text) : cursor_(text) {}

  Field parse() {
    Field field = type("", 0);
    cursor_.expect_end();
    return field;
  }

 private:
  Field type(std::string name, int depth) {
    cursor_.check_depth(depth);
    const size_t start = cursor_.start();
    const size_t end =
        std::min(cursor_.text().find_first_of("<>, \n", start), cursor_.text().size());
    cursor_.move_to(end);
    Field field;
    field.name = std::move(name);
    field.type = parse_logical_type(cursor_.since(start));
    field.encoding = default_encoding(field.type);
    if (!cursor_.take('<')) return field;
    do {
      const size_t colon = cursor_.rest().find(": ");
      if (colon == std::string_view::npos) cursor_.expected("NAME: TYPE");
      std::string child(cursor_.rest().substr(0, colon));
      cursor_.move_to(cursor_.at() + colon + 2);
      field.children.push_back(type(std::move(child), depth + 1));
    } while (cursor_.take(", "));
    cursor_.expect('>');
    if (field.type.kind() == Kind::Map && !field.children.front().children.empty()) {
      field.children.front().nullable = false;
      field.children.front().children.front().nullable = false;
    }
    return field;
  }

  TextCursor cursor_;
};

}  // namespace

std::string print_type_text(const Field& field) {
  std::string text = print_logical_type(field.type);
  if (field.children.empty()) return text;
  std::vector<std::string> children;
  for (const Field& child : field.children) {
    children.push_back(child.name + ": " + print_type_text(child));
  }
  return text + "<" + join(children, ", ") + ">";
}

Field parse_type_text(std::string_view text) { return WordParser(text).parse(); }

}  // namespace xwalk::lance
