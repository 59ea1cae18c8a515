#include "xwalk/lance/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"

namespace xwalk::lance {
namespace {

class WordParser {
 public:
  explicit WordParser(std::string_view text) : text_(text) {}

  Field parse() {
    Field field = type("", 0);
    if (at_ != text_.size()) fail("the end of the type");
    return field;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    Place place;
    place.line = 1;
    place.column = at_ + 1;
    throw Error(ErrorCode::Input,
                fmt::format("expected {}, found {}", expected,
                            at_ == text_.size() ? "the end" : quoted(text_.substr(at_, 20))),
                std::move(place));
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Field type(std::string name, int depth) {
    if (depth > limits::kSchemaDepth) fail("fewer levels of nesting");
    const size_t end = std::min(text_.find_first_of("<>, \n", at_), text_.size());
    Field field;
    field.name = std::move(name);
    field.type = parse_logical_type(text_.substr(at_, end - at_));
    field.encoding = default_encoding(field.type);
    at_ = end;
    if (!take("<")) return field;
    do {
      const size_t colon = text_.find(": ", at_);
      if (colon == std::string_view::npos) fail("NAME: TYPE");
      std::string child(text_.substr(at_, colon - at_));
      at_ = colon + 2;
      field.children.push_back(type(std::move(child), depth + 1));
    } while (take(", "));
    if (!take(">")) fail("\">\"");
    if (field.type.kind() == Kind::Map && !field.children.front().children.empty()) {
      field.children.front().nullable = false;
      field.children.front().children.front().nullable = false;
    }
    return field;
  }

  std::string_view text_;
  size_t at_ = 0;
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
