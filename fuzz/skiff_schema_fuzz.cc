// Any text as a skiff schema: what parses also prints and parses back, in every form. What binds
// is told to fit, and describes its columns.

#include <algorithm>
#include <optional>
#include <string_view>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/fit.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/table.h"
#include "xwalk/skiff/validate.h"
#include "xwalk/yson/print.h"

namespace xwalk::fuzz {
namespace {

using namespace skiff;

/// Returns why an action refuses what it is given.
template <typename Action>
std::optional<Error> refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input || error.code() == ErrorCode::Unsupported,
            "input is refused as such", error.describe());
    return error;
  }
  return std::nullopt;
}

/// A table that binds fits, with findings or without; rows that come in its format lose nothing.
void check_fit(const Schema& schema, size_t table) {
  const yt::TableSchema& columns = *schema.table_schema(table);
  const Type& root = schema.format.tables[table];
  for (const Flow flow : {Flow::Read, Flow::Write}) {
    const auto bound = refusal([&] { bind_table(root, &columns, flow); });
    const auto fits = refusal([&] { fit(root, columns, flow); });
    require(bound.has_value() == fits.has_value());
    if (bound) require(bound->describe() == fits->describe(), "both say why", fits->describe());
  }
  if (refusal([&] { bind_table(root, &columns, Flow::Write); })) return;
  require(unfit(schema, table, &schema, table).empty());
  // The wire types that are chosen for a table hold all of it.
  for (const bool narrow : {false, true}) {
    const DeriveOptions options{
        .narrow = narrow, .row_index = narrow, .range_index = narrow, .key_switch = narrow};
    std::optional<Type> derived;
    if (refusal([&] { derived = derive(columns, options); })) continue;
    require(fit(*derived, columns, Flow::Read).empty());
    require(fit(*derived, columns, Flow::Write).empty(), "derived wire types hold all", "");
  }
}

/// The columns of a table are those of its rows. Others are described separately.
void check_columns(const Schema& schema, size_t table) {
  yt::TableSchema columns;
  if (refusal([&] { columns = columns_of(schema, table); })) return;
  yt::TableSchema rows = columns;
  rows.columns.emplace_back("beside", yt::TypeKind::Utf8);
  Schema described = schema;
  if (refusal([&] { describe_others(&described, table, rows); })) return;
  require(described.format == schema.format);
  const yt::TableSchema now = columns_of(described, table);
  require(now.columns.size() >= columns.columns.size());
  require(
      std::ranges::equal(columns.columns, std::span(now.columns).first(columns.columns.size())));
  // A wire type may stand for a type that no table schema has it for: repeated_variant16 for a
  // list.
  if (schema.table_schema(table) == nullptr || refusal([&] { bind(schema, Flow::Read); })) return;
  const auto why = refusal([&] { bind(described, Flow::Read); });
  require(!why, "a described table binds", why ? why->describe() : "");
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const std::string text(data);
  Schema schema;
  try {
    const MemoryTotal total(text.size());
    schema = parse_schema(text);
  } catch (const Error&) {
    return;
  }
  require(parse_schema(print(schema, SchemaForm::File)) == schema);
  require(parse_format(print(schema, SchemaForm::Format)) == schema.format);
  // A simple wire type alone may be a type of a column, too.
  const Type& first = schema.format.tables.front();
  if (!is_simple(first.wire()) || schema.format.tables.size() > 1) {
    require(parse_schema(print(schema, SchemaForm::Short)).format == schema.format);
  }
  const std::string commands = print(schema, SchemaForm::Commands);
  require(static_cast<size_t>(std::ranges::count(commands, '>')) >= schema.format.tables.size());
  for (size_t i = 0; i < schema.format.tables.size(); ++i) {
    const Type& table = schema.format.tables[i];
    require(parse_short(to_string(table)) == table);
    require(parse_type(yson::print(to_node(table))) == table);
    require(same_encoding(table, table.named("other")));
    require(of_table(schema, i).format.tables == std::vector{table});
    try {
      table_beyond_text(table_layout(table));
    } catch (const Error&) {
      // Not every tree is a table.
      continue;
    }
    if (schema.table_schema(i) != nullptr) check_fit(schema, i);
    check_columns(schema, i);
  }
}

}  // namespace xwalk::fuzz
