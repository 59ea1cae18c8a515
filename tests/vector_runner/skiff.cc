#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runner.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/oracle/node_codec.h"
#include "tests/skiff/oracle/rows.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/format.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/table.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/schema.h"

namespace xwalk::vectors {
namespace {

using skiff::Binding;
using skiff::BoundTable;
using skiff::Flow;
using skiff::Form;
using skiff::Schema;
using skiff::testing::MemorySink;
using skiff::testing::MemorySource;
using yson::Node;

/// JSON as YSON: a description of a schema, or a value without a type.
Node plain_node(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Node::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return Node::int64(json.get<int64_t>());
    case Json::value_t::number_unsigned: {
      auto value = json.get<uint64_t>();
      return value > INT64_MAX ? Node::uint64(value) : Node::int64(static_cast<int64_t>(value));
    }
    case Json::value_t::string:
      return Node::string(json.get<std::string>());
    case Json::value_t::array: {
      Node node = Node::list();
      for (const Json& item : json) node.add(plain_node(item));
      return node;
    }
    case Json::value_t::object: {
      if (json.size() == 1 && json.contains("hex")) {
        return Node::string(from_hex(json["hex"].get<std::string>()));
      }
      if (json.size() == 1 && json.contains("number")) return Node::real(double_of(json));
      Node node = Node::map();
      for (const auto& [key, value] : json.items()) node.add(key, plain_node(value));
      return node;
    }
    default:
      return Node();
  }
}

/// A JSON value in the positional form of its column.
Node typed_node(const Json& json, const Binding& binding) {
  auto items = [&](const auto& binding_of) {
    Node node = Node::list();
    size_t index = 0;
    for (const Json& item : json) node.add(typed_node(item, binding_of(index++)));
    return node;
  };
  switch (binding.form) {
    case Form::Unsigned:
      return Node::uint64(json.get<uint64_t>());
    case Form::Double:
      return Node::real(double_of(json));
    case Form::Optional:
    case Form::Present: {
      if (json.is_null()) return Node();
      Node value = typed_node(json, binding.children[0]);
      if (!yt::is_nullable(binding.type.item())) return value;
      Node node = Node::list();
      node.add(std::move(value));
      return node;
    }
    case Form::List:
    case Form::Dict:
      return items([&](size_t) -> const Binding& { return binding.children[0]; });
    case Form::Tuple:
      return items([&](size_t index) -> const Binding& { return binding.children.at(index); });
    case Form::Variant: {
      Node node = Node::list();
      node.add(Node::int64(json.at(0).get<int64_t>()));
      node.add(typed_node(json.at(1), binding.children.at(json.at(0).get<size_t>())));
      return node;
    }
    default:
      return plain_node(json);
  }
}

skiff::Row row_of(const Json& json, const std::vector<BoundTable>& tables) {
  skiff::Row row;
  row.table = json.value("table", 0u);
  bool many = tables.size() > 1;
  for (const auto& [name, value] : json.items()) {
    if (many && name == "table") continue;
    if (name == skiff::kKeySwitch) {
      row.key_switch = value.get<bool>();
    } else if (name == skiff::kRowIndex || name == skiff::kRangeIndex) {
      auto& index = name == skiff::kRowIndex ? row.row_index : row.range_index;
      if (!value.is_null()) index = value.get<int64_t>();
    } else {
      const auto& columns = tables.at(row.table).columns;
      auto column = std::ranges::find(columns, name, &skiff::BoundColumn::name);
      row.columns.add(
          name, column == columns.end() ? plain_node(value) : typed_node(value, column->binding));
    }
  }
  if (!many) row.table = 0;
  return row;
}

/// A row as text, independent of the order of its columns. Nulls are absent.
std::string printed(const skiff::Row& row) {
  std::vector<std::string> words;
  for (const auto& [name, value] : row.columns.as_map()) {
    if (value.is(Node::Kind::Entity)) continue;
    words.push_back(xwalk::quoted(name) + "=" + yson::print(value));
  }
  std::ranges::sort(words);
  auto index = [](const std::optional<int64_t>& value) {
    return value ? std::to_string(*value) : "#";
  };
  return fmt::format("{}:{{{}}} key_switch={} row={} range={}", row.table, join(words, ";"),
                     row.key_switch, index(row.row_index), index(row.range_index));
}

Schema schema_of(const Json& vector) {
  Schema made;
  auto add = [&](const Json& schema) {
    made.format.tables.push_back(skiff::parse_type(plain_node(schema)));
  };
  if (vector.contains("skiff_schemas")) {
    for (const Json& schema : vector["skiff_schemas"]) add(schema);
  } else {
    add(vector.at("skiff_schema"));
  }
  return made;
}

/// Takes the rows of a reader of rows.
template <typename Reader>
std::vector<std::string> rows_of(Reader* reader) {
  std::vector<std::string> rows;
  while (std::optional<skiff::Row> row = reader->next()) rows.push_back(printed(*row));
  return rows;
}

std::vector<std::string> decoded_by_oracle(const Schema& schema, const std::string& bytes) {
  skiff::Input input(bytes);
  skiff::RowReader reader(bind(schema, Flow::Read), input);
  return rows_of(&reader);
}

std::vector<std::string> decoded(const Schema& schema, const std::string& bytes) {
  skiff::Job job(schema, std::make_unique<MemorySource>(bytes, 0), {}, {});
  return rows_of(&job);
}

/// Writes rows of the first table as a job does.
std::string encoded(const Schema& schema, const std::vector<skiff::Row>& rows) {
  std::string out;
  std::vector<std::unique_ptr<ByteSink>> sinks;
  sinks.push_back(std::make_unique<MemorySink>(&out));
  skiff::Job job({}, std::make_unique<MemorySource>("", 0), schema, std::move(sinks));
  for (const skiff::Row& row : rows) job.write(0, row.columns);
  job.finish();
  return out;
}

/// Returns true if a job can write rows of the schema as they are: it says nothing beside columns.
bool has_columns_alone(const std::vector<BoundTable>& tables) {
  const skiff::TableLayout& layout = tables[0].layout;
  return tables.size() == 1 && !layout.has_key_switch && !layout.row_index && !layout.range_index;
}

template <typename Action>
bool is_refused(const Action& action) {
  try {
    action();
    return false;
  } catch (const Error&) {
    return true;
  }
}

std::string joined(const std::vector<std::string>& rows) { return join(rows, "\n"); }

std::vector<std::string> expected_rows(const Json& rows, const std::vector<BoundTable>& tables) {
  std::vector<std::string> words;
  for (const Json& row : rows) words.push_back(printed(row_of(row, tables)));
  return words;
}

void check_schema(const Json& vector, const Context& context) {
  expect_equal("row index", vector.at("row_index_column_name"), std::string(skiff::kRowIndex));
  expect_equal("range index", vector.at("range_index_column_name"),
               std::string(skiff::kRangeIndex));
  auto layout = [&] {
    Node registry = vector.contains("registry") ? plain_node(vector["registry"]) : Node();
    return skiff::table_layout(skiff::parse_type(plain_node(vector.at("schema")), &registry));
  };
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("schema", layout);
    return;
  }
  skiff::TableLayout found = layout();
  if (vector.contains("fields")) {
    std::vector<std::string> names;
    for (const skiff::Slot& slot : found.slots) {
      bool column = slot.role != skiff::Role::Sparse && slot.role != skiff::Role::Other;
      if (column) names.push_back(slot.type.name());
    }
    for (const skiff::Type& sparse : found.sparse) names.push_back(sparse.name());
    expect_equal("fields", vector["fields"].dump(), Json(names).dump());
  }
  if (vector.contains("has_other_columns")) {
    expect(vector["has_other_columns"].get<bool>() == found.has_other_columns,
           "has_other_columns as given", "otherwise");
  }
}

void check_rows(const Schema& schema, const std::string& bytes, const Json& rows) {
  const std::string expected = joined(expected_rows(rows, bind(schema, Flow::Write)));
  expect_equal("rows", expected, joined(decoded(schema, bytes)));
  expect_equal("rows of the oracle", expected, joined(decoded_by_oracle(schema, bytes)));
}

void check_encode(const Json& vector, const Context&) {
  const Schema schema = schema_of(vector);
  const std::vector<BoundTable> tables = bind(schema, Flow::Write);
  std::vector<skiff::Row> rows;
  for (const Json& row : vector.at("rows")) rows.push_back(row_of(row, tables));
  std::string out;
  skiff::RowWriter writer(tables, &out);
  for (const skiff::Row& row : rows) writer.write(row);
  expect_equal("bytes of the oracle", vector.at("hex"), to_hex(out));
  if (has_columns_alone(tables)) {
    expect_equal("bytes", vector.at("hex"), to_hex(encoded(schema, rows)));
  }
  check_rows(schema, out, vector.contains("decoded") ? vector["decoded"] : vector["rows"]);
}

void check_decode(const Json& vector, const Context& context) {
  const Schema schema = schema_of(vector);
  std::string bytes = from_hex(vector.at("hex").get<std::string>());
  if (!vector.value("valid", true)) {
    context.expect_refused("bytes", [&] { decoded(schema, bytes); });
    expect(is_refused([&] { decoded_by_oracle(schema, bytes); }), "bytes that the oracle refuses",
           "others");
    return;
  }
  check_rows(schema, bytes, vector.contains("rows") ? vector["rows"] : vector.at("expected"));
}

void check_structured_error(const Json& vector, const Context& context) {
  const Json root = {{"wire_type", "tuple"},
                     {"children", {{{"name", "a"}, {"wire_type", vector.at("wire")}}}}};
  const Schema schema = schema_of({{"skiff_schema", root}});
  const std::vector<BoundTable> tables = bind(schema, Flow::Write);
  const skiff::Row row = row_of({{"a", vector.at("value")}}, tables);
  context.expect_refused("value", [&] { encoded(schema, {row}); });
  std::string out;
  expect(is_refused([&] { skiff::RowWriter(tables, &out).write(row); }),
         "a value that the oracle refuses", "another");
}

Node read_all(const Binding& binding, const std::string& bytes) {
  skiff::Input input(bytes);
  skiff::Reader reader(input);
  Node node = skiff::read_node(binding, &reader);
  expect(reader.at_end(), "all bytes read", "bytes left over");
  return node;
}

void check_logical(const Json& vector, const Context&) {
  yt::Type type = yt::parse_type(vector.at("type_v3").get<std::string>());
  skiff::Type wire = skiff::parse_type(plain_node(vector.at("skiff_schema")));
  std::string direction = direction_of(vector, "yson_to_skiff", "skiff_to_yson");
  Node value = yson::parse(vector.at("positional_yson_text").get<std::string>());
  std::string hex = vector.at("hex");
  if (direction != "skiff_to_yson") {
    std::string out;
    skiff::Writer writer(&out);
    skiff::write_node(skiff::bind_nested(type, wire, Flow::Write), value, &writer);
    expect_equal("bytes", hex, to_hex(out));
  }
  if (direction != "yson_to_skiff") {
    Node found = read_all(skiff::bind_nested(type, wire, Flow::Read), from_hex(hex));
    expect_equal("value", yson::print(value), yson::print(found));
  }
  if (vector.contains("decimal_text")) {
    expect_equal("decimal", vector["decimal_text"],
                 yt::decimal_to_text(value.as_string(), type.precision(), type.scale()));
  }
}

void check_logical_error(const Json& vector, const Context& context) {
  yt::Type type = yt::parse_type(vector.at("type_v3").get<std::string>());
  skiff::Type wire = skiff::parse_type(plain_node(vector.at("skiff_schema")));
  std::string direction = vector.at("direction");
  if (direction != "schema") direction = direction_of(vector, "yson_to_skiff", "skiff_to_yson");
  auto bound = [&](Flow flow) { return skiff::bind_nested(type, wire, flow); };
  if (direction == "schema") {
    context.expect_refused("the pair of schemas, to read", [&] { bound(Flow::Read); });
    context.expect_refused("the pair of schemas, to write", [&] { bound(Flow::Write); });
  } else if (direction == "skiff_to_yson") {
    Binding binding = bound(Flow::Read);
    std::string bytes = from_hex(vector.at("input").get<std::string>());
    context.expect_refused("bytes", [&] { read_all(binding, bytes); });
  } else {
    Binding binding = bound(Flow::Write);
    Node value = yson::parse(vector.at("input").get<std::string>());
    context.expect_refused("value", [&] {
      std::string out;
      skiff::Writer writer(&out);
      skiff::write_node(binding, value, &writer);
    });
  }
}

}  // namespace

void add_skiff_checks(Checks* checks) {
  checks->emplace("skiff_schema", check_schema);
  checks->emplace("skiff_encode", check_encode);
  checks->emplace("skiff_decode", check_decode);
  checks->emplace("skiff_structured", check_encode);
  checks->emplace("skiff_structured_error", check_structured_error);
  checks->emplace("skiff_logical", check_logical);
  checks->emplace("skiff_logical_error", check_logical_error);
}

}  // namespace xwalk::vectors
