#include "xwalk/crosswalk/sort_order.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/module.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::System;
using hub::Type;

constexpr std::string_view kOrder = "sort_order";
constexpr std::string_view kUnique = "unique_keys";

/// Kinds of values that compare alike.
enum class Order : uint8_t { Numbers, Instants, Bytes, Other };

Order order_of(Kind kind) {
  if (hub::is_integer(kind) || hub::is_decimal(kind) || kind == Kind::HalfFloat ||
      kind == Kind::Float || kind == Kind::Double) {
    return Order::Numbers;
  }
  if (kind == Kind::Date32 || kind == Kind::Date64 || kind == Kind::Timestamp) {
    return Order::Instants;
  }
  return hub::is_utf8(kind) || hub::is_binary(kind) ? Order::Bytes : Order::Other;
}

bool keeps_order(const Type& was, const Type& is) {
  if (was == is) return true;
  const Order order = order_of(hub::without_encoding(was).kind());
  return order != Order::Other && order == order_of(hub::without_encoding(is).kind());
}

/// Returns the system whose metadata marks a column as part of the sort order.
std::optional<System> order_system(const Field& column) {
  for (const System system : systems()) {
    if (system->labels_key.empty()) continue;
    const std::optional<std::string_view> text = column.metadata.find(system->labels_key);
    if (text && system->labels(*text).find(kOrder)) return system;
  }
  return std::nullopt;
}

yson::Node without(const yson::Node::Map& map, std::string_view dropped) {
  yson::Node::Map left;
  for (const auto& [key, value] : map) {
    if (key != dropped) left.emplace_back(key, value);
  }
  return yson::Node::map(std::move(left));
}

void drop_order(Field* column, System system) {
  const std::string_view key = system->labels_key;
  const yson::Node left = without(yson::parse(*column->metadata.find(key)).as_map(), kOrder);
  if (left.as_map().empty()) {
    column->metadata.erase(key);
  } else {
    column->metadata.set(key, yson::print(left));
  }
}

/// Drops that a table's keys are unique.
void drop_unique(hub::Schema* schema) {
  for (const System system : systems()) {
    if (system->labels_key.empty()) continue;
    const std::optional<std::string_view> text = hub::annotation(*schema, system->name);
    if (!text) continue;
    const yson::Node table = yson::parse(*text);
    yson::Node left = yson::Node::list({});
    for (const auto& [key, value] : table.attributes()) {
      left.add_attribute(key, key == kUnique ? yson::Node::boolean(false) : value);
    }
    hub::annotate(*schema, system->name, yson::print(left));
  }
}

}  // namespace

bool is_sorted_by(const Field& column) { return order_system(column).has_value(); }

std::vector<std::string> cut_order(const hub::Schema& was, hub::Schema* is) {
  std::vector<const Field*> keys;
  for (const Field& column : was.fields) {
    if (is_sorted_by(column)) keys.push_back(&column);
  }
  size_t left = 0;
  bool sorted = true;
  bool distinct = true;
  for (Field& column : is->fields) {
    const std::optional<System> system = order_system(column);
    if (!system) continue;
    const Field* const key = sorted && left < keys.size() ? keys[left] : nullptr;
    sorted = key != nullptr && key->name == column.name && keeps_order(key->type, column.type);
    if (!sorted) {
      drop_order(&column, *system);
      continue;
    }
    ++left;
    // Other values than integers may have been rounded to one.
    distinct = distinct && (key->type == column.type || hub::is_integer(column.type.kind()));
  }
  if (left < keys.size() || !distinct) drop_unique(is);
  std::vector<std::string> lost;
  for (; left < keys.size(); ++left) lost.push_back(keys[left]->name);
  return lost;
}

namespace {

/// A column by which rows are sorted.
struct Key {
  std::string name;
  std::string order;
  const Type* type;
};

std::vector<Key> keys_of(const hub::Schema& schema) {
  std::vector<Key> out;
  for (const Field& column : schema.fields) {
    const std::optional<System> system = order_system(column);
    if (!system) continue;
    const hub::Metadata labels = (*system)->labels(*column.metadata.find((*system)->labels_key));
    out.push_back({column.name, std::string(*labels.find(kOrder)), &column.type});
  }
  return out;
}

}  // namespace

bool has_unique_keys(const hub::Schema& schema) {
  return std::ranges::any_of(systems(), [&](System system) {
    if (system->labels_key.empty()) return false;
    const std::optional<std::string_view> text = hub::annotation(schema, system->name);
    if (!text) return false;
    const yson::Node table = yson::parse(*text);
    const yson::Node* const unique = table.find_attribute(kUnique);
    return unique != nullptr && unique->is(yson::Node::Kind::Boolean) && unique->as_boolean();
  });
}

hub::Findings order_required(const hub::Schema& was, const hub::Schema& is,
                             const std::map<std::string, std::string>& renamed) {
  const std::vector<Key> wanted = keys_of(is);
  if (wanted.empty()) return {};
  std::vector<Key> promised = keys_of(was);
  for (Key& key : promised) {
    const auto name = renamed.find(key.name);
    if (name != renamed.end()) key.name = name->second;
  }
  const auto is_same = [](const Key& a, const Key& b) {
    return a.name == b.name && a.order == b.order && keeps_order(*a.type, *b.type);
  };
  const bool is_sorted = wanted.size() <= promised.size() &&
                         std::equal(wanted.begin(), wanted.end(), promised.begin(), is_same);
  const bool wants_unique = has_unique_keys(is);
  // Of fewer columns, or of rounded values, keys may be there twice.
  const bool is_unique =
      is_sorted && has_unique_keys(was) && wanted.size() == promised.size() &&
      std::equal(wanted.begin(), wanted.end(), promised.begin(), [](const Key& a, const Key& b) {
        return *a.type == *b.type || hub::is_integer(a.type->kind());
      });
  if (is_sorted && (!wants_unique || is_unique)) return {};
  std::vector<std::string> names;
  for (const Key& key : wanted) {
    names.push_back(key.name + (key.order == "descending" ? " descending" : ""));
  }
  return {{.rule = "order.required",
           .effect = hub::Effect::Refused,
           .lost = fmt::format("rows must be sorted by {}{}", join(names, ", "),
                               wants_unique ? ", each key once" : "")}};
}

std::vector<std::string> drop_order(hub::Schema* schema) {
  std::vector<std::string> lost;
  for (Field& column : schema->fields) {
    const std::optional<System> system = order_system(column);
    if (!system) continue;
    drop_order(&column, *system);
    lost.push_back(column.name);
  }
  if (!lost.empty()) drop_unique(schema);
  return lost;
}

hub::Findings order_lost(const std::vector<std::string>& columns) {
  if (columns.empty()) return {};
  return {{.rule = "key.lost",
           .lost = fmt::format("rows are no longer said to be sorted by {}", join(columns, ", "))}};
}

}  // namespace xwalk::crosswalk
