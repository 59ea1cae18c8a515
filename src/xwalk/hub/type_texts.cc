#include "xwalk/hub/type_texts.h"

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/children.h"

namespace xwalk::hub {
namespace {

/// Returns the metadata of a field that another does not have: `key = "value"`.
std::string own_metadata(const Field& field, const Field& other) {
  std::vector<std::string> own;
  for (const auto& [key, value] : field.metadata) {
    if (other.metadata.find(key) == std::string_view(value)) continue;
    own.push_back(fmt::format("{} = {}", key, xwalk::quoted(value)));
  }
  return own.empty() ? "no metadata" : join(own, ", ");
}

/// Returns what the texts of two types leave out, at the first place where it differs.
std::optional<std::pair<std::string, std::string>> left_out(const Field& a, const Field& b,
                                                            const Path& path) {
  if (a.metadata != b.metadata) {
    return std::pair(fmt::format(" ({}: {})", path.text(), own_metadata(a, b)),
                     fmt::format(" ({}: {})", path.text(), own_metadata(b, a)));
  }
  const std::vector<Child> left = children_of(a.type, path);
  const std::vector<Child> right = children_of(b.type, path);
  for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
    if (auto found = left_out(*left[i].field, *right[i].field, left[i].path)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::pair<std::string, std::string> texts_apart(const Field& a, const Field& b) {
  std::pair texts(to_string(a.type), to_string(b.type));
  if (texts.first != texts.second) return texts;
  if (a.nullable != b.nullable) {
    (a.nullable ? texts.second : texts.first) += " not null";
    return texts;
  }
  const auto more = left_out(a, b, Path::column(a.name));
  if (!more) return texts;
  return {texts.first + more->first, texts.second + more->second};
}

}  // namespace xwalk::hub
