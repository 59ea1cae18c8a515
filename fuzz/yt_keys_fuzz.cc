// Keys of rows of random tables: their encoded bytes have the order of YTsaurus's
// CompareYsonValues, implemented here again over the stored form, for all types, directions and
// byte orders of uuids. A value without an order is refused.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "tests/yt/random_type.h"
#include "tests/yt/random_value.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/key_order.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::fuzz {
namespace {

using yson::Node;

/// What is compiled of a table for one order of uuids.
struct Table {
  yt::TableSchema schema;
  yt::UuidOrder order = yt::UuidOrder::Rfc;
  std::unique_ptr<const yt::RowDecoder> decoder;
  yt::KeyOrder keys;
};

yt::TableSchema random_table(uint64_t seed) {
  yt::testing::RandomTypes random(seed);
  yt::TableSchema schema;
  const auto wanted = static_cast<size_t>(1 + random.below(3));
  for (int tries = 0; schema.columns.size() < wanted && tries < 100; ++tries) {
    yt::Type type = random.below(8) == 0 ? yt::optional(yt::TypeKind::Yson) : random.type(3, true);
    if (!yt::can_be_key_column(type)) continue;
    schema.columns.emplace_back("k" + std::to_string(schema.columns.size()), std::move(type));
    schema.columns.back().sort_order =
        random.below(2) == 0 ? yt::SortOrder::Ascending : yt::SortOrder::Descending;
  }
  schema.unique_keys = random.below(2) == 0;
  return schema;
}

const Table* table_of(uint8_t seed, bool raw) {
  static std::map<std::pair<uint8_t, bool>, std::unique_ptr<const Table>> made;
  const std::pair key(seed, raw);
  if (const auto found = made.find(key); found != made.end()) return found->second.get();
  auto table = std::make_unique<Table>();
  table->schema = random_table(seed);
  table->order = raw ? yt::UuidOrder::Raw : yt::UuidOrder::Rfc;
  yt::ReadOptions options;
  options.values = yt::stored_form();
  options.values.uuid_order = table->order;
  try {
    table->decoder = std::make_unique<const yt::RowDecoder>(table->schema, options);
    const hub::Schema& schema = table->decoder->schema();
    table->keys = yt::KeyOrder(schema, schema, table->order);
  } catch (const Error& error) {
    require_refusal(error, {ErrorCode::Unsupported});
    table = nullptr;
  }
  return made.emplace(key, std::move(table)).first->second.get();
}

int sign(bool less, bool more) { return less ? -1 : more ? 1 : 0; }

/// Like CompareYsonValues; empty for values without an order.
std::optional<int> compare(const Node& a, const Node& b) {
  constexpr std::array kRanks = {Node::Kind::Entity, Node::Kind::Int64,   Node::Kind::Uint64,
                                 Node::Kind::Double, Node::Kind::Boolean, Node::Kind::String};
  if (a.kind() != b.kind()) {
    for (const Node::Kind kind : kRanks) {
      if (a.is(kind) || b.is(kind)) return a.is(kind) ? -1 : 1;
    }
  }
  switch (a.kind()) {
    case Node::Kind::Entity:
      return 0;
    case Node::Kind::Int64:
      return sign(a.as_int64() < b.as_int64(), a.as_int64() > b.as_int64());
    case Node::Kind::Uint64:
      return sign(a.as_uint64() < b.as_uint64(), a.as_uint64() > b.as_uint64());
    case Node::Kind::Double: {
      const double x = a.as_double();
      const double y = b.as_double();
      if (x != x || y != y) return sign(x == x && y != y, x != x && y == y);
      return sign(x<y, x> y);
    }
    case Node::Kind::Boolean:
      return sign(!a.as_boolean() && b.as_boolean(), a.as_boolean() && !b.as_boolean());
    case Node::Kind::String:
      return sign(a.as_string() < b.as_string(), a.as_string() > b.as_string());
    case Node::Kind::List:
      break;
    case Node::Kind::Map:
      return std::nullopt;
  }
  const Node::List& left = a.as_list();
  const Node::List& right = b.as_list();
  for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
    const std::optional<int> order = compare(left[i], right[i]);
    if (!order || *order != 0) return order;
  }
  return sign(left.size() < right.size(), left.size() > right.size());
}

bool has_map(const Node& node) {
  if (node.is(Node::Kind::Map)) return true;
  if (!node.is(Node::Kind::List)) return false;
  for (const Node& item : node.as_list()) {
    if (has_map(item)) return true;
  }
  return false;
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const uint8_t seed = choices.byte();
  const Table* const table = table_of(seed, choices.below(2) == 1);
  if (table == nullptr || table->schema.columns.empty()) return;
  const yt::KeyOrder& keys = table->keys;
  require(!keys.empty() && keys.columns().size() == table->schema.columns.size());
  require(keys.unique() == table->schema.unique_keys && !keys.names().empty());

  std::vector<std::vector<Node>> rows;
  std::string text;
  for (size_t count = 2 + choices.below(3); count > 0; --count) {
    yt::testing::RandomValues random(choices.byte());
    Node::Map row;
    // Rows share the values of columns before more often than not.
    const size_t same = rows.empty() ? 0 : choices.below(table->schema.columns.size());
    rows.emplace_back();
    for (const yt::ColumnSchema& column : table->schema.columns) {
      const size_t place = rows.back().size();
      rows.back().push_back(place < same ? rows.front()[place] : random.value(column.type));
      row.emplace_back(column.name, rows.back().back());
    }
    text += print(Node::map(std::move(row)), yson::Format::Binary) + ";";
  }
  yt::RowDecoder decoder(*table->decoder);
  const hub::Batch batch = decoder.decode(text, 0);
  require(batch.rows() == static_cast<int64_t>(rows.size()));
  std::vector<std::optional<std::string>> bytes;
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string key;
    bool refused = false;
    try {
      keys.append(batch.array, static_cast<int64_t>(i), &key);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Input && !error.place().path.empty());
      refused = true;
    }
    bool map = false;
    for (const Node& value : rows[i]) map = map || has_map(value);
    require(refused == map, "a type without an order is refused", keys.text(batch.array, 0));
    bytes.push_back(refused ? std::nullopt : std::optional(std::move(key)));
    require(keys.text(batch.array, static_cast<int64_t>(i)).starts_with('('));
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!bytes[i] || !bytes[j]) continue;
      int order = 0;
      for (size_t column = 0; column < rows[i].size() && order == 0; ++column) {
        order = compare(rows[i][column], rows[j][column]).value();
        const bool down = table->schema.columns[column].sort_order == yt::SortOrder::Descending;
        if (down) order = -order;
      }
      require(sign(*bytes[i]<*bytes[j], *bytes[i]> * bytes[j]) == order,
              "keys are in the order of their values",
              keys.text(batch.array, static_cast<int64_t>(i)) + " and " +
                  keys.text(batch.array, static_cast<int64_t>(j)));
    }
  }
}

}  // namespace xwalk::fuzz
