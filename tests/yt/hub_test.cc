#include "xwalk/yt/hub.h"

#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "tests/yt/random_type.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/layer.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

FromArrow lowered(const hub::Schema& schema) {
  return hub::lower_and_map(schema, kCapabilities, from_arrow);
}

TableSchema one_column(Type type) {
  TableSchema schema;
  schema.columns.emplace_back("c", std::move(type));
  return schema;
}

struct ToArrowCase {
  const char* type;
  const char* arrow;
  bool annotated;
};

TEST(Hub, ToArrow) {
  const ToArrowCase cases[] = {
      {"Null", "c: null", false},
      {"Void", "c: null", true},
      {"Int8", "c: int8 not null", false},
      {"Uint64", "c: uint64 not null", false},
      {"Float", "c: float not null", false},
      {"Double?", "c: double", false},
      {"Bool", "c: bool not null", false},
      {"String", "c: binary not null", false},
      {"Utf8", "c: string not null", false},
      {"Json", "c: string not null [arrow.json]", false},
      {"Uuid?", "c: fixed_size_binary[16] [arrow.uuid]", false},
      {"Any?", "c: binary", true},
      {"Date", "c: date32 not null", true},
      {"Date32", "c: date32 not null", false},
      {"Datetime", "c: timestamp[s, tz=UTC] not null", true},
      {"Datetime64", "c: timestamp[s, tz=UTC] not null", false},
      {"Timestamp", "c: timestamp[us, tz=UTC] not null", true},
      {"Timestamp64", "c: timestamp[us, tz=UTC] not null", false},
      {"Interval", "c: duration[us] not null", true},
      {"Interval64", "c: duration[us] not null", false},
      {"TzDate32", "c: struct<time: date32 not null, zone: string not null> not null", true},
      {"TzDatetime?", "c: struct<time: timestamp[s, tz=UTC] not null, zone: string not null>",
       true},
      {"Decimal(38,2)", "c: decimal128(38, 2) not null", false},
      {"Decimal(39,2)", "c: decimal256(39, 2) not null", false},
      {"List<Int64?>", "c: list<item: int64> not null", false},
      {"Struct<'a':Int64,'b':Utf8?>", "c: struct<a: int64 not null, b: string> not null", false},
      {"Tuple<Int64,Utf8>", "c: struct<0: int64 not null, 1: string not null> not null", true},
      {"Dict<Utf8,Int64>", "c: map<string, int64 not null> not null", false},
      {"Dict<Utf8?,Int64>",
       "c: list<item: struct<key: string, value: int64 not null> not null> not null", true},
      {"Variant<Int64,Utf8>", "c: dense_union<0: int64 not null=0, 1: string not null=1> not null",
       false},
      {"Variant<'a':Int64>", "c: dense_union<a: int64 not null=0> not null", false},
      {"Variant<'a':Int64>?", "c: struct<value: dense_union<a: int64 not null=0> not null>", true},
      {"Int64??", "c: struct<value: int64>", true},
      {"Null?", "c: struct<value: null>", true},
      {"Tagged<Int64?,'t'>", "c: int64", true},
  };
  for (const ToArrowCase& c : cases) {
    hub::Field field = to_arrow("c", parse_type_short(c.type));
    EXPECT_EQ(hub::to_string(field), c.arrow) << c.type;
    EXPECT_EQ(hub::annotation(field, kSystem).has_value(), c.annotated) << c.type;
  }
}

TEST(Hub, WideVariantBecomesAStructOfAlternatives) {
  std::vector<Type> types(128, TypeKind::Int64);
  types[1] = optional(TypeKind::Utf8);
  types[2] = variant_of({TypeKind::Bool});
  Type wide = variant_of(types);
  hub::Field field = to_arrow("c", wide);
  ASSERT_EQ(field.type.kind(), hub::Kind::Struct);
  EXPECT_EQ(hub::to_string(field.type.child(0)), "0: int64");
  EXPECT_EQ(hub::to_string(field.type.child(1)), "1: struct<value: string>");
  EXPECT_EQ(hub::to_string(field.type.child(2)),
            "2: struct<value: dense_union<0: bool not null=0> not null>");
  for (const Type& type : {wide, optional(wide), optional(optional(wide))}) {
    TableSchema schema = one_column(type);
    EXPECT_EQ(from_arrow(to_arrow(schema)).schema, schema);
  }
}

TEST(Hub, AnnotationDescribesItsOwnLayerOnly) {
  hub::Field field = to_arrow("c", parse_type_short("Tuple<List<Date>,Utf8>"));
  EXPECT_EQ(*hub::annotation(field, kSystem),
            "{\"type_name\"=\"tuple\";\"elements\"=[{\"type\"=\"null\";};{\"type\"=\"null\";};];}");
  EXPECT_FALSE(hub::annotation(field.type.child(0), kSystem));
  EXPECT_EQ(*hub::annotation(field.type.child(0).type.child(), kSystem), "\"date\"");
}

TEST(Hub, RandomSchemasComeBack) {
  for (uint64_t seed = 0; seed < test::rounds(1500); ++seed) {
    testing::RandomTypes random(seed);
    TableSchema schema = random.table();
    ASSERT_TRUE(validate(schema).empty())
        << print(schema, SchemaForm::Short) << validate(schema).front().message;
    hub::Schema arrow = to_arrow(schema);
    FromArrow back = from_arrow(arrow);
    ASSERT_EQ(back.schema, schema)
        << print(schema, SchemaForm::Short) << print(back.schema, SchemaForm::Short);
    for (const hub::Finding& finding : back.findings) {
      EXPECT_TRUE(finding.rule.starts_with("spec.")) << finding.rule << " " << finding.lost;
    }
    // A C schema and back changes nothing.
    EXPECT_EQ(from_arrow(hub::import_schema(*hub::export_schema(arrow).get())).schema, schema);
    // Without annotations it is still a table that keeps its Arrow schema in one more step.
    FromArrow plain = lowered(hub::without_annotations(arrow));
    hub::Schema taken = to_arrow(plain.schema);
    EXPECT_EQ(from_arrow(taken).schema, plain.schema);
  }
}

struct FromArrowCase {
  hub::Type arrow;
  const char* type;
  std::vector<std::string> rules;
  bool exact;
};

TEST(Hub, FromArrowCoversEveryKind) {
  using hub::Field;
  using hub::Kind;
  using hub::TimeUnit;
  Field item("item", Kind::Int64);
  const std::vector<FromArrowCase> cases = {
      {Kind::Null, "Null", {}, true},
      {Kind::Bool, "Optional<Bool>", {}, true},
      {Kind::Int8, "Optional<Int8>", {}, true},
      {Kind::Int16, "Optional<Int16>", {}, true},
      {Kind::Int32, "Optional<Int32>", {}, true},
      {Kind::Int64, "Optional<Int64>", {}, true},
      {Kind::Uint8, "Optional<Uint8>", {}, true},
      {Kind::Uint16, "Optional<Uint16>", {}, true},
      {Kind::Uint32, "Optional<Uint32>", {}, true},
      {Kind::Uint64, "Optional<Uint64>", {}, true},
      {Kind::HalfFloat, "Optional<Float>", {"type.widened"}, false},
      {Kind::Float, "Optional<Float>", {}, true},
      {Kind::Double, "Optional<Double>", {}, true},
      {Kind::Utf8, "Optional<Utf8>", {}, true},
      {Kind::LargeUtf8, "Optional<Utf8>", {"layout.flattened"}, true},
      {Kind::Utf8View, "Optional<Utf8>", {"layout.flattened"}, true},
      {Kind::Binary, "Optional<String>", {}, true},
      {Kind::LargeBinary, "Optional<String>", {"layout.flattened"}, true},
      {Kind::BinaryView, "Optional<String>", {"layout.flattened"}, true},
      {hub::fixed_size_binary(7), "Optional<String>", {"size.lost"}, false},
      {Kind::Date32, "Optional<Date32>", {}, true},
      {Kind::Date64, "Optional<Date32>", {"unit.coarser"}, false},
      {hub::time32(TimeUnit::Milli), "Optional<Int64>", {"type.as-storage"}, false},
      {hub::time64(TimeUnit::Nano), "Optional<Int64>", {"type.as-storage"}, false},
      {hub::timestamp(TimeUnit::Second, "UTC"), "Optional<Datetime64>", {}, true},
      {hub::timestamp(TimeUnit::Milli, "UTC"), "Optional<Timestamp64>", {"type.widened"}, false},
      {hub::timestamp(TimeUnit::Micro, "+00:00"), "Optional<Timestamp64>", {}, true},
      {hub::timestamp(TimeUnit::Micro), "Optional<Timestamp64>", {"zone.assumed"}, false},
      {hub::timestamp(TimeUnit::Micro, "Europe/Moscow"),
       "Optional<Timestamp64>",
       {"zone.dropped"},
       false},
      {hub::timestamp(TimeUnit::Nano, "UTC"), "Optional<Timestamp64>", {"unit.coarser"}, false},
      {hub::duration(TimeUnit::Second), "Optional<Interval64>", {"type.widened"}, false},
      {hub::duration(TimeUnit::Micro), "Optional<Interval64>", {}, true},
      {hub::duration(TimeUnit::Nano), "Optional<Interval64>", {"unit.coarser"}, false},
      {Kind::IntervalMonths, "Optional<Int32>", {"type.as-storage"}, false},
      {Kind::IntervalDayTime,
       "Optional<Struct<'days':Int32,'milliseconds':Int32>>",
       {"type.as-storage"},
       false},
      {Kind::IntervalMonthDayNano,
       "Optional<Struct<'months':Int32,'days':Int32,'nanoseconds':Int64>>",
       {"type.as-storage"},
       false},
      {hub::decimal(32, 9, 2), "Optional<Decimal(9,2)>", {"layout.flattened"}, true},
      {hub::decimal(64, 18, 2), "Optional<Decimal(18,2)>", {"layout.flattened"}, true},
      {hub::decimal(128, 35, 2), "Optional<Decimal(35,2)>", {}, true},
      {hub::decimal(128, 36, 2), "Optional<Decimal(36,2)>", {"spec.beyond-text"}, true},
      {hub::decimal(256, 76, 76), "Optional<Decimal(76,76)>", {"spec.beyond-text"}, true},
      {hub::decimal(128, 5, -2), "Optional<Decimal(7,0)>", {"type.widened"}, false},
      {hub::decimal(128, 2, 5), "Optional<Decimal(5,5)>", {"type.widened"}, false},
      {hub::decimal(256, 76, -1), "Optional<Utf8>", {"type.widened", "type.as-storage"}, false},
      {hub::list(item), "Optional<List<Optional<Int64>>>", {}, true},
      {hub::list(item, Kind::LargeList),
       "Optional<List<Optional<Int64>>>",
       {"layout.flattened"},
       true},
      {hub::list(item, Kind::ListView),
       "Optional<List<Optional<Int64>>>",
       {"layout.flattened"},
       true},
      {hub::list(item, Kind::LargeListView),
       "Optional<List<Optional<Int64>>>",
       {"layout.flattened"},
       true},
      {hub::fixed_size_list(item, 3), "Optional<List<Optional<Int64>>>", {"size.lost"}, false},
      {hub::struct_({item}), "Optional<Struct<'item':Optional<Int64>>>", {}, true},
      {hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Int64)),
       "Optional<Dict<Utf8,Optional<Int64>>>",
       {},
       true},
      {hub::map(hub::with_extension(Field("key", Kind::Utf8, false), "arrow.json"),
                Field("value", Kind::Int64)),
       "Optional<Dict<Utf8,Optional<Int64>>>",
       {"type.as-storage"},
       false},
      {hub::union_({item, Field("b", Kind::Utf8, false)}),
       "Variant<'item':Optional<Int64>,'b':Utf8>",
       {},
       true},
      {hub::union_({item}, Kind::SparseUnion, {5}),
       "Variant<'item':Optional<Int64>>",
       {"layout.flattened", "layout.flattened"},
       true},
      {hub::union_({Field("0", Kind::Int8, false), Field("1", Kind::Utf8, false)}),
       "Variant<Int8,Utf8>",
       {},
       true},
      {hub::dictionary(Kind::Int32, Kind::Utf8), "Optional<Utf8>", {"layout.flattened"}, true},
      {hub::run_end_encoded(Kind::Int32, Field("values", Kind::Int64, true)),
       "Optional<Int64>",
       {"layout.flattened"},
       true},
  };
  std::vector<bool> seen(static_cast<size_t>(Kind::RunEndEncoded) + 1);
  for (const FromArrowCase& c : cases) {
    seen[static_cast<size_t>(c.arrow.kind())] = true;
    hub::Schema schema{{hub::Field("c", c.arrow)}, {}};
    FromArrow found = lowered(schema);
    EXPECT_EQ(print_short(found.schema.columns.at(0).type), c.type) << hub::to_string(c.arrow);
    std::vector<std::string> rules;
    for (const hub::Finding& finding : found.findings) rules.emplace_back(finding.rule);
    EXPECT_EQ(rules, c.rules) << hub::to_string(c.arrow);
    EXPECT_TRUE(validate(found.schema).empty());
    // The schema a sink takes is a fixed point.
    FromArrow again = from_arrow(to_arrow(found.schema));
    EXPECT_EQ(again.schema, found.schema);
    if (c.exact) {
      EXPECT_EQ(from_arrow(schema).schema, found.schema);
    } else {
      try {
        from_arrow(schema);
        ADD_FAILURE() << hub::to_string(c.arrow) << " has no exact mapping";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Unsupported);
        EXPECT_TRUE(error.place().path.text().starts_with("c")) << error.describe();
      }
    }
  }
  for (size_t kind = 0; kind < seen.size(); ++kind) {
    EXPECT_TRUE(seen[kind]) << hub::kind_name(static_cast<Kind>(kind));
  }
}

std::vector<std::string> rules_of(const hub::Findings& findings) {
  std::vector<std::string> rules;
  for (const hub::Finding& finding : findings) rules.emplace_back(finding.rule);
  return rules;
}

TEST(Hub, StaleAnnotationIsIgnoredWithAFinding) {
  hub::Schema schema = to_arrow(one_column(TypeKind::Date));
  schema.fields[0].type = hub::Kind::Int64;
  FromArrow found = from_arrow(schema);
  EXPECT_EQ(print_short(found.schema.columns[0].type), "Int64");
  EXPECT_EQ(rules_of(found.findings), std::vector<std::string>{"annotation.stale"});

  // Layout, list-child name and nullability may change under it.
  schema = to_arrow(one_column(parse_type_short("Tagged<List<Date>,'t'>")));
  hub::Field child = schema.fields[0].type.child();
  child.name = "element";
  schema.fields[0].type = hub::list(child, hub::Kind::LargeList);
  schema.fields[0].nullable = true;
  EXPECT_EQ(print_short(from_arrow(schema).schema.columns[0].type),
            "Tagged<Optional<List<Date>>,'t'>");

  schema.metadata.set("xwalk:yt", "{not a schema}");
  EXPECT_EQ(rules_of(from_arrow(schema).findings), std::vector<std::string>{"annotation.stale"});
}

TEST(Hub, KeysThatNoLongerLeadAreDroppedWithAFinding) {
  TableSchema table = one_column(TypeKind::Int64);
  table.columns[0].sort_order = SortOrder::Ascending;
  table.columns.emplace_back("d", TypeKind::Utf8);
  table.unique_keys = true;
  hub::Schema schema = to_arrow(table);
  std::swap(schema.fields[0], schema.fields[1]);
  FromArrow found = from_arrow(schema);
  EXPECT_EQ(found.schema.key_column_count(), 0U);
  EXPECT_FALSE(found.schema.unique_keys);
  EXPECT_EQ(rules_of(found.findings), std::vector<std::string>{"annotation.stale"});
}

TEST(Hub, LabelsAndNames) {
  hub::Schema schema;
  schema.metadata.set("pandas", "{}");
  schema.fields = {
      hub::Field("a", hub::Kind::Int64, true, {{"doc", "x"}, {"PARQUET:field_id", "7"}}),
      hub::Field("a", hub::Kind::Int64),
      hub::Field("", hub::Kind::Int64),
      hub::Field("$x", hub::Kind::Int64),
      hub::Field(std::string(300, 'n'), hub::Kind::Int64),
      hub::Field("s",
                 hub::struct_({hub::Field("m", hub::Kind::Int8), hub::Field("m", hub::Kind::Int8),
                               hub::Field("\xff", hub::Kind::Int8)}))};
  FromArrow found = lowered(schema);
  std::vector<std::string> names;
  for (const ColumnSchema& column : found.schema.columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "a_2", "_", "_x", std::string(256, 'n'), "s"}));
  EXPECT_EQ(print_short(found.schema.columns[5].type),
            "Optional<Struct<'m':Optional<Int8>,'m_2':Optional<Int8>,'ff':Optional<Int8>>>");
  std::vector<std::string> rules = rules_of(found.findings);
  EXPECT_EQ(std::count(rules.begin(), rules.end(), "name.changed"), 6);
  EXPECT_THROW(from_arrow(schema), Error);
}

TEST(Hub, UnknownExtensionIsSaid) {
  hub::Schema schema{{hub::with_extension(hub::Field("c", hub::Kind::Binary), "my.ext")}, {}};
  EXPECT_EQ(rules_of(from_arrow(schema).findings), std::vector<std::string>{"extension.unknown"});
}

TEST(Hub, ALostReferenceSystemIsSaid) {
  hub::Schema schema{{hub::with_extension(hub::Field("c", hub::Kind::Binary), "geoarrow.wkb",
                                          R"({"crs":"EPSG:3857","edges":"karney"})")},
                     {}};
  const FromArrow mapped = from_arrow(schema);
  EXPECT_EQ(rules_of(mapped.findings), std::vector<std::string>{"crs.lost"});
  EXPECT_NE(mapped.findings[0].lost.find("geography (karney) with the CRS \"EPSG:3857\""),
            std::string::npos);
}

TEST(Hub, TooDeepIsRefused) {
  hub::Field field("c", hub::Kind::Int64, false);
  for (int i = 0; i < 40; ++i) field = hub::Field("c", hub::list(field), false);
  try {
    lowered({{field}, {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
  }
}

TEST(Hub, NonStrictTableHasAColumnForOthers) {
  TableSchema table = one_column(TypeKind::Int64);
  table.strict = false;
  hub::Schema schema = to_arrow(table);
  ASSERT_EQ(schema.fields.size(), 2U);
  EXPECT_EQ(schema.fields[1].name, kOtherColumns);
  EXPECT_EQ(schema.fields[1].type.kind(), hub::Kind::Binary);
  EXPECT_EQ(from_arrow(schema).schema, table);
}

TEST(Hub, Refine) {
  auto range = [](TypeKind kind) { return refine(to_arrow("c", optional(kind))).range; };
  EXPECT_EQ(range(TypeKind::Date)->high, Int128{kDateRange.max});
  EXPECT_EQ(range(TypeKind::Date32)->low, Int128{kDate32Range.min});
  EXPECT_EQ(range(TypeKind::Timestamp64)->high, Int128{kTimestamp64Range.max});
  EXPECT_EQ(range(TypeKind::Uint64)->high, Int128{UINT64_MAX});
  EXPECT_FALSE(range(TypeKind::Utf8));
  EXPECT_TRUE(refine(to_arrow("c", decimal(5, 2))).special_values);
  hub::Field zoned = to_arrow("c", TypeKind::TzDate);
  EXPECT_TRUE(refine(zoned).zone_names);
  EXPECT_EQ(refine(zoned.type.child(0)).range->high, Int128{kDateRange.max});
}

}  // namespace
}  // namespace xwalk::yt
