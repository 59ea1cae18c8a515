#include "xwalk/base/path.h"

#include <algorithm>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_ascii_alnum(c) || c == '_' || c == '$' || c == '-';
  });
}

std::string printed(std::string_view name) {
  return is_plain(name) ? std::string(name) : quoted(name);
}

}  // namespace

Path Path::append(std::string step, bool dotted) const {
  Path path = *this;
  if (dotted && !path.text_.empty()) path.text_ += '.';
  path.text_ += step;
  path.steps_.push_back(std::move(step));
  return path;
}

Path Path::column(std::string_view name) { return Path().field(name); }
Path Path::field(std::string_view name) const { return append(printed(name), true); }
Path Path::item() const { return append("[]", false); }
Path Path::item(size_t index) const { return append('[' + std::to_string(index) + ']', false); }
Path Path::map_key() const { return append("{key}", false); }
Path Path::map_value() const { return append("{value}", false); }
Path Path::alternative(std::string_view name) const {
  return append('<' + printed(name) + '>', false);
}

}  // namespace xwalk
