#include "xwalk/lance/field_path.h"

#include <algorithm>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::lance {
namespace {

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](char c) { return is_ascii_alnum(c) || c == '_'; });
}

}  // namespace

FieldPath parse_field_path(std::string_view text) {
  FieldPath path;
  size_t at = 0;
  auto fail = [&](size_t where, const std::string& expected) {
    std::string found = where < text.size() ? clipped(text.substr(where, 1)) : "the end";
    throw Error(ErrorCode::Usage, "expected " + expected + ", found " + found,
                place_in_text(text, where));
  };
  for (;;) {
    std::string name;
    if (at < text.size() && text[at] == '`') {
      size_t start = at++;
      for (;; ++at) {
        if (at >= text.size()) fail(start, "a back-quote that ends the name");
        if (text[at] != '`') {
          name += text[at];
        } else if (text.substr(at, 2) == "``") {
          name += text[at++];
        } else {
          break;
        }
      }
      ++at;
      if (at < text.size() && text[at] != '.') fail(at, "a dot after the name");
    } else {
      size_t end = std::min(text.find('.', at), text.size());
      if (end == at) fail(at, "a name");
      size_t quote = text.substr(at, end - at).find('`');
      if (quote != std::string_view::npos) fail(at + quote, "back-quotes around the whole name");
      name = text.substr(at, end - at);
      at = end;
    }
    path.push_back(std::move(name));
    if (at >= text.size()) return path;
    ++at;
  }
}

std::string print_field_path(const FieldPath& path) {
  std::string out;
  for (const std::string& name : path) {
    if (!out.empty()) out += '.';
    if (is_plain(name)) {
      out += name;
      continue;
    }
    out += '`';
    for (char c : name) {
      if (c == '`') out += '`';
      out += c;
    }
    out += '`';
  }
  return out;
}

Path path_of(const FieldPath& path) {
  Path out;
  for (size_t i = 0; i < path.size(); ++i) {
    out = i == 0 ? Path::column(path[i]) : out.field(path[i]);
  }
  return out;
}

}  // namespace xwalk::lance
