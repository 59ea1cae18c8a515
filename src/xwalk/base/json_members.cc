#include "xwalk/base/json_members.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk {

void fail_json(const Path& path, std::string message) {
  throw Error(ErrorCode::Input, std::move(message), {.path = path});
}

std::string shown_json(const SchemaJson& json) {
  return cut_utf8(json.dump(-1, ' ', true, SchemaJson::error_handler_t::replace), 40);
}

const SchemaJson& json_member(const SchemaJson& json, const char* key, const Path& path) {
  if (!json.is_object()) {
    fail_json(path, fmt::format("expected an object, found {}", shown_json(json)));
  }
  const auto found = json.find(key);
  if (found == json.end()) fail_json(path, fmt::format("expected a \"{}\", found none", key));
  return *found;
}

std::string json_string(const SchemaJson& json, const char* what, const Path& path) {
  if (!json.is_string()) {
    fail_json(path, fmt::format("expected {} as a string, found {}", what, shown_json(json)));
  }
  return json.get<std::string>();
}

}  // namespace xwalk
