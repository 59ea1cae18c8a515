// How values nest, the same for YSON, Arrow and Skiff: types that one of them once saw otherwise.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/skiff/memory_stream.h"
#include "tests/yt/random_type.h"
#include "tests/yt/random_value.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/layer.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::skiff {
namespace {

using yt::optional;
using yt::tagged;
using yt::Type;
using yt::TypeKind;
using yt::variant_of;

yt::TableSchema table_of(std::vector<Type> types) {
  yt::TableSchema table;
  for (size_t i = 0; i < types.size(); ++i) {
    table.columns.emplace_back("c" + std::to_string(i), std::move(types[i]));
  }
  return table;
}

std::string rows_of(const yt::TableSchema& table, uint64_t seed, int count) {
  yt::testing::RandomValues random(seed);
  std::vector<yson::Node> rows;
  for (int i = 0; i < count; ++i) {
    yson::Node::Map row;
    for (const yt::ColumnSchema& column : table.columns) {
      row.emplace_back(column.name, random.value(column.type));
    }
    rows.push_back(yson::Node::map(std::move(row)));
  }
  return yson::print_list_fragment(rows, yson::Format::Text);
}

/// Takes rows from YSON to Skiff and back, each through Arrow.
std::string there_and_back(const yt::TableSchema& table, const Schema& schema,
                           const std::string& rows) {
  yt::ReadOptions read;
  read.values = yt::stored_form();
  hub::Batch batch = yt::RowDecoder(table, read).decode(rows, 0);
  yson::Buffer bytes;
  RowEncoder(schema, {}).encode(batch.array, 0, batch.rows(), 0, 0, &bytes);
  auto reader = read_rows(std::make_unique<testing::MemorySource>(bytes.view(), 0), schema, {});
  std::optional<hub::Batch> back = reader->next();
  yson::Buffer out;
  yt::ValueOptions form = yt::stored_form();
  form.format = yson::Format::Text;
  if (back) yt::RowEncoder(table, form).encode(back->array, 0, back->rows(), 0, &out);
  return std::string(out.view());
}

/// Holds one table to everything that is claimed of it.
void expect_whole(const yt::TableSchema& table, uint64_t seed) {
  hub::Schema arrow = yt::to_arrow(table);
  for (bool narrow : {false, true}) {
    DeriveOptions options;
    options.narrow = narrow;
    Schema schema = schema_of(table, options);
    hub::Schema shown = to_arrow(schema);
    EXPECT_TRUE(hub::without_annotations(shown) == hub::without_annotations(arrow))
        << hub::to_string(shown) << "\n"
        << hub::to_string(arrow);
    FromArrow back = from_arrow(shown);
    ASSERT_EQ(back.schema.table_schemas.size(), 1u);
    EXPECT_TRUE(back.schema.table_schemas[0] == table);
    std::string rows = rows_of(table, seed, 5);
    EXPECT_EQ(there_and_back(table, schema, rows), rows);
  }
  FromArrow derived = from_arrow(arrow);
  ASSERT_EQ(derived.schema.table_schemas.size(), 1u);
  EXPECT_TRUE(derived.schema.table_schemas[0] == table);
  // By itself a Skiff schema stands for its wire types.
  Schema alone = schema_of(table);
  alone.table_schemas.clear();
  hub::Schema wires = to_arrow(alone);
  EXPECT_EQ(to_arrow(from_arrow(wires).schema), wires);
}

Type many(const Type& last) {
  std::vector<Type> alternatives(yt::kMaxUnionAlternatives, TypeKind::Int64);
  alternatives.push_back(optional(TypeKind::Utf8));
  alternatives.push_back(last);
  return variant_of(std::move(alternatives));
}

TEST(Nesting, TypesThatNestOddlyGoThereAndBack) {
  Type choice = variant_of({TypeKind::Int64, TypeKind::Utf8});
  Type small = variant_of({TypeKind::Int8, yt::list(TypeKind::Int16)});
  Type row = yt::struct_({{"value", TypeKind::Int8}});
  const std::vector<Type> types = {
      optional(tagged("t", choice)),
      tagged("u", optional(tagged("t", choice))),
      optional(optional(tagged("t", choice))),
      optional(tagged("t", optional(choice))),
      yt::list(optional(tagged("t", small))),
      yt::struct_({{"value", optional(tagged("t", small))}}),
      optional(row),
      optional(optional(row)),
      variant_of({row, optional(row), tagged("t", optional(small))}),
      variant_of({TypeKind::Null, TypeKind::Int64}),
      optional(variant_of({TypeKind::Null, choice})),
      yt::dict(optional(TypeKind::Int32), small),
      yt::dict(tagged("k", optional(choice)), optional(optional(TypeKind::Date))),
      yt::dict(TypeKind::Null, yt::tuple({})),
      yt::dict(yt::tuple({TypeKind::Utf8, optional(TypeKind::Int8)}), TypeKind::Void),
      many(TypeKind::Null),
      many(choice),
      many(tagged("t", optional(small))),
      many(optional(yt::list(TypeKind::Int16))),
      optional(tagged("t", many(row))),
      many(many(optional(row))),
  };
  for (size_t i = 0; i < types.size(); ++i) {
    SCOPED_TRACE(yt::print_short(types[i]).substr(0, 200));
    expect_whole(table_of({types[i]}), i);
  }
}

TEST(Nesting, RandomTypesGoThereAndBack) {
  int tags = 0;
  int choices = 0;
  int composite_keys = 0;
  int nullable_keys = 0;
  std::function<void(const Type&)> count = [&](const Type& type) {
    if (type.is(TypeKind::Dict)) {
      const Type& key = yt::without_tags(type.key());
      composite_keys += key.is_simple() ? 0 : 1;
      nullable_keys += yt::is_nullable(key) ? 1 : 0;
      count(type.key());
      count(type.value());
    } else if (type.is(TypeKind::Optional) || type.is(TypeKind::List)) {
      bool choice = yt::without_tags(type.item()).is(TypeKind::Variant);
      choices += choice && type.is(TypeKind::Optional) ? 1 : 0;
      count(type.item());
    } else if (type.is(TypeKind::Tagged)) {
      ++tags;
      count(type.item());
    } else if (!type.is_simple() && !type.is(TypeKind::Decimal)) {
      for (const yt::Member& member : type.members()) count(member.type);
    }
  };
  for (uint64_t seed = 0; seed < 800; ++seed) {
    Type type = yt::testing::RandomTypes(seed).type(4);
    yt::TableSchema table = table_of({type});
    if (!yt::validate(table).empty()) continue;
    SCOPED_TRACE(yt::print_short(type) + " " + std::to_string(seed));
    count(type);
    expect_whole(table, seed);
    if (HasFailure()) return;
  }
  EXPECT_GT(tags, 50);
  EXPECT_GT(choices, 30);
  EXPECT_GT(composite_keys, 30);
  EXPECT_GT(nullable_keys, 30);
}

TEST(Nesting, SparseColumnsOfAnyTypeStandAlone) {
  for (const char* type : {"variant8<int64;string32>", "variant8<nothing;variant8<int64;string32>>",
                           "repeated_variant8<variant8<int8;string32>>", "tuple<'value':int8>",
                           "nothing", "variant8<nothing;variant8<nothing;int16>>", "int128"}) {
    std::string text = std::string("tuple<'$sparse_columns':repeated_variant16<'s':") + type + ">>";
    Schema schema = parse_schema(text + "\n");
    hub::Schema arrow = to_arrow(schema);
    ASSERT_EQ(arrow.fields.size(), 1u);
    EXPECT_TRUE(arrow.fields[0].nullable) << type;
    EXPECT_NO_THROW(RowEncoder(schema, {})) << type;
  }
}

TEST(Nesting, AStructCarriedInPartKeepsItsMembers) {
  yt::TableSchema table = table_of({yt::struct_(
      {{"a", TypeKind::Int8}, {"b", optional(TypeKind::Int64)}, {"c", TypeKind::Utf8}})});
  Schema schema = schema_of(table);
  schema.format.tables = {parse_short("tuple<'c0':tuple<'a':int8;'c':string32>>")};
  EXPECT_TRUE(hub::without_annotations(to_arrow(schema)) ==
              hub::without_annotations(yt::to_arrow(table)));
  EXPECT_EQ(there_and_back(table, schema, "{\"c0\"=[1;2;\"x\";];};\n"),
            "{\"c0\"=[1;#;\"x\";];};\n");
}

}  // namespace
}  // namespace xwalk::skiff
