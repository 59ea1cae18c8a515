#include "xwalk/yt/json_form.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"

namespace xwalk::yt {
namespace {

using Json = nlohmann::ordered_json;
using yson::Node;

constexpr const char* kAttributes = "$attributes";
constexpr const char* kValue = "$value";

std::string checked_text(const std::string& text) {
  if (!is_valid_utf8(text)) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("expected UTF-8, which JSON needs, found {}", clipped(text)), {},
                "the YSON forms hold any bytes");
  }
  return text;
}

Json json_of_map(const Node::Map& entries);

Json json_of(const Node& node) {
  Json value;
  switch (node.kind()) {
    case Node::Kind::Entity:
      break;
    case Node::Kind::Boolean:
      value = node.as_boolean();
      break;
    case Node::Kind::Int64:
      value = node.as_int64();
      break;
    case Node::Kind::Uint64:
      value = node.as_uint64();
      break;
    case Node::Kind::Double:
      value = node.as_double();
      break;
    case Node::Kind::String:
      value = checked_text(node.as_string());
      break;
    case Node::Kind::List:
      value = Json::array();
      for (const Node& item : node.as_list()) value.push_back(json_of(item));
      break;
    case Node::Kind::Map:
      value = json_of_map(node.as_map());
      break;
  }
  if (!node.has_attributes()) return value;
  Json out = Json::object();
  out[kAttributes] = json_of_map(node.attributes());
  out[kValue] = std::move(value);
  return out;
}

Json json_of_map(const Node::Map& entries) {
  Json out = Json::object();
  for (const auto& [key, value] : entries) out[checked_text(key)] = json_of(value);
  return out;
}

Node node_of(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Node::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return Node::int64(json.get<int64_t>());
    case Json::value_t::number_unsigned: {
      auto value = json.get<uint64_t>();
      return value <= INT64_MAX ? Node::int64(static_cast<int64_t>(value)) : Node::uint64(value);
    }
    case Json::value_t::number_float:
      return Node::real(json.get<double>());
    case Json::value_t::string:
      return Node::string(json.get<std::string>());
    case Json::value_t::array: {
      Node node = Node::list();
      for (const Json& item : json) node.add(node_of(item));
      return node;
    }
    case Json::value_t::object: {
      if (json.contains(kValue)) {
        Node node = node_of(json[kValue]);
        auto attributes = json.find(kAttributes);
        if (attributes != json.end() && attributes->is_object()) {
          for (const auto& [key, value] : attributes->items()) {
            node.add_attribute(key, node_of(value));
          }
        }
        return node;
      }
      Node node = Node::map();
      for (const auto& [key, value] : json.items()) node.add(key, node_of(value));
      return node;
    }
    default:
      return {};
  }
}

}  // namespace

std::string to_json(const yson::Node& node) { return json_of(node).dump(2); }

yson::Node from_json(std::string_view text) {
  auto guard = [](int depth, Json::parse_event_t, Json&) {
    if (depth > limits::kSchemaDepth) {
      throw Error(ErrorCode::Input, fmt::format("expected at most {} levels of JSON, found more",
                                                limits::kSchemaDepth));
    }
    return true;
  };
  try {
    return node_of(Json::parse(text.begin(), text.end(), guard));
  } catch (const nlohmann::json::parse_error& error) {
    size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    std::string seen = offset < text.size() ? clipped(text.substr(offset), 20) : "the end";
    throw Error(ErrorCode::Input, fmt::format("expected JSON, found {}", seen),
                place_in_text(text, offset));
  }
}

bool looks_like_json(std::string_view text) {
  size_t i = 0;
  auto skip = [&](std::string_view set) {
    while (i < text.size() && set.find(text[i]) != std::string_view::npos) ++i;
  };
  skip(" \t\r\n");
  if (i >= text.size() || (text[i] != '{' && text[i] != '[')) return false;
  skip(" \t\r\n[{");
  if (i >= text.size() || text[i] != '"') return false;
  for (++i; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\') ++i;
  }
  ++i;
  skip(" \t\r\n");
  return i < text.size() && text[i] == ':';
}

}  // namespace xwalk::yt
