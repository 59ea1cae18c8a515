#include "xwalk/variant/leaf_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"

namespace xwalk::variant {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<Primitive, std::string_view>, 9> kNames = {{
    {Primitive::Date, "date"},
    {Primitive::Time, "time"},
    {Primitive::Timestamp, "timestamp"},
    {Primitive::LocalTimestamp, "timestamp_ntz"},
    {Primitive::TimestampNanos, "timestamp_nanos"},
    {Primitive::LocalTimestampNanos, "timestamp_nanos_ntz"},
    {Primitive::Float, "float"},
    {Primitive::Binary, "binary"},
    {Primitive::Uuid, "uuid"},
}};
constexpr std::string_view kDecimal = "decimal(";

Json to_json(const LeafTypes& types) {
  if (types.leaf == Primitive::Decimal16) return fmt::format("{}{})", kDecimal, types.scale);
  if (types.leaf) {
    const auto* const name =
        std::ranges::find(kNames, *types.leaf, &std::pair<Primitive, std::string_view>::first);
    return std::string(name->second);
  }
  if (!types.item.empty()) return Json::array({to_json(types.item.front())});
  Json fields = Json::object();
  for (const auto& [name, field] : types.fields) fields[name] = to_json(field);
  return fields;
}

std::optional<LeafTypes> leaf_of(std::string_view name) {
  const auto* const known =
      std::ranges::find(kNames, name, &std::pair<Primitive, std::string_view>::second);
  if (known != kNames.end()) return LeafTypes{.leaf = known->first};
  if (!name.starts_with(kDecimal) || !name.ends_with(')')) return std::nullopt;
  LeafTypes out{.leaf = Primitive::Decimal16};
  const char* const end = name.data() + name.size() - 1;
  const auto [at, failed] = std::from_chars(name.data() + kDecimal.size(), end, out.scale);
  if (failed != std::errc() || at != end) return std::nullopt;
  if (out.scale < 0 || out.scale > kMostDigits) return std::nullopt;
  return out;
}

std::optional<LeafTypes> of_json(const Json& json) {
  if (json.is_string()) return leaf_of(json.get_ref<const std::string&>());
  LeafTypes out;
  if (json.is_array() && json.size() == 1) {
    std::optional<LeafTypes> item = of_json(json.front());
    if (!item) return std::nullopt;
    out.item.push_back(*std::move(item));
    return out;
  }
  if (!json.is_object()) return std::nullopt;
  for (const auto& [name, value] : json.items()) {
    std::optional<LeafTypes> field = of_json(value);
    if (!field) return std::nullopt;
    out.fields.emplace(name, *std::move(field));
  }
  return out;
}

}  // namespace

std::string to_text(const LeafTypes& types) {
  return to_json(types).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<LeafTypes> parse_leaf_types(std::string_view text) {
  try {
    check_json_document(text, ErrorCode::Input);
  } catch (const Error&) {
    return std::nullopt;
  }
  return of_json(Json::parse(text, nullptr, /*allow_exceptions=*/false));
}

}  // namespace xwalk::variant
