#include "xwalk/cli/json.h"

#include <algorithm>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/visible.h"

namespace xwalk::cli {

/// Converts to and from the JSON library, which is compiled here and in no other file.
struct JsonText {
  using Other = nlohmann::ordered_json;

  static Other to_other(const Json& json) {
    if (const auto* items = std::get_if<Json::Items>(&json.value_)) {
      Other out = Other::array();
      for (const Json& item : *items) out.push_back(to_other(item));
      return out;
    }
    if (const auto* members = std::get_if<Json::Members>(&json.value_)) {
      Other out = Other::object();
      for (const auto& [name, value] : *members) out[name] = to_other(value);
      return out;
    }
    return std::visit(
        [](const auto& value) {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
            return Other(value);
          } else {
            return Other();
          }
        },
        json.value_);
  }

  static Json from_other(const Other& other) {
    Json out;
    if (other.is_array()) out = Json::array();
    if (other.is_object()) out = Json::object();
    for (const auto& [name, value] : other.items()) {
      if (other.is_array()) out.push_back(from_other(value));
      if (other.is_object()) out[name] = from_other(value);
    }
    if (other.is_boolean()) out.value_ = other.get<bool>();
    if (other.is_number_integer()) out.value_ = other.get<int64_t>();
    if (other.is_number_unsigned()) out.value_ = other.get<uint64_t>();
    if (other.is_number_float()) out.value_ = other.get<double>();
    if (other.is_string()) out.value_ = other.get<std::string>();
    return out;
  }
};

Json::Json(std::initializer_list<Json> items) {
  const bool is_object = std::ranges::all_of(items, [](const Json& item) {
    const auto* pair = std::get_if<Items>(&item.value_);
    return pair != nullptr && pair->size() == 2 &&
           std::holds_alternative<std::string>(pair->front().value_);
  });
  if (!is_object) {
    value_ = Items(items);
    return;
  }
  Members& members = value_.emplace<Members>();
  for (const Json& item : items) {
    const auto& pair = std::get<Items>(item.value_);
    members.emplace_back(std::get<std::string>(pair[0].value_), pair[1]);
  }
}

Json Json::parse(std::string_view text) {
  return JsonText::from_other(JsonText::Other::parse(text));
}

Json& Json::operator[](std::string_view name) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Members();
  auto& members = std::get<Members>(value_);
  const auto found = std::ranges::find(members, name, &Members::value_type::first);
  if (found != members.end()) return found->second;
  return members.emplace_back(std::string(name), Json()).second;
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Items();
  std::get<Items>(value_).push_back(std::move(item));
}

std::string Json::dump(int indent) const {
  return JsonText::to_other(*this).dump(indent, ' ', false,
                                        JsonText::Other::error_handler_t::replace);
}

std::string json_text(const Json& json, int indent) { return visible_json(json.dump(indent)); }

}  // namespace xwalk::cli
