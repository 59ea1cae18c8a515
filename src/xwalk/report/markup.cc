#include "xwalk/report/markup.h"

#include "xwalk/base/shortened.h"

namespace xwalk::report {

void append_markup(std::string_view text, std::string* out) {
  size_t begin = 0;
  const auto replace = [&](size_t at, std::string_view by) {
    out->append(text.substr(begin, at - begin)).append(by);
    begin = at + 1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '&':
        replace(i, "&amp;");
        break;
      case '<':
        replace(i, "&lt;");
        break;
      case '>':
        replace(i, "&gt;");
        break;
      case '"':
        replace(i, "&quot;");
        break;
      case '\'':
        replace(i, "&#39;");
        break;
      case '\n':
        replace(i, "&#10;");
        break;
      default:
        break;
    }
  }
  out->append(text.substr(begin));
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_markup(text, &out);
  return out;
}

void append_shown_markup(std::string_view text, std::string* out) {
  append_markup(shortened(text), out);
}

std::string shown_markup(std::string_view text) { return escape_markup(shortened(text)); }

}  // namespace xwalk::report
