#include "xwalk/hub/type.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/c_schema.h"

namespace xwalk::hub {
namespace {

std::vector<Field> every_type() {
  std::vector<Field> fields;
  auto add = [&](Type type) { fields.emplace_back("f" + std::to_string(fields.size()), type); };
  for (Kind kind : {Kind::Null,
                    Kind::Bool,
                    Kind::Int8,
                    Kind::Int16,
                    Kind::Int32,
                    Kind::Int64,
                    Kind::Uint8,
                    Kind::Uint16,
                    Kind::Uint32,
                    Kind::Uint64,
                    Kind::HalfFloat,
                    Kind::Float,
                    Kind::Double,
                    Kind::Utf8,
                    Kind::LargeUtf8,
                    Kind::Utf8View,
                    Kind::Binary,
                    Kind::LargeBinary,
                    Kind::BinaryView,
                    Kind::Date32,
                    Kind::Date64,
                    Kind::IntervalMonths,
                    Kind::IntervalDayTime,
                    Kind::IntervalMonthDayNano}) {
    add(kind);
  }
  for (TimeUnit unit : {TimeUnit::Second, TimeUnit::Milli}) add(time32(unit));
  for (TimeUnit unit : {TimeUnit::Micro, TimeUnit::Nano}) add(time64(unit));
  add(timestamp(TimeUnit::Micro));
  add(timestamp(TimeUnit::Nano, "Europe/Moscow"));
  add(duration(TimeUnit::Second));
  for (int bits : {32, 64, 128, 256}) add(decimal(bits, 9, 2));
  add(fixed_size_binary(16));
  Field item("item", Kind::Int64, false);
  for (Kind kind : {Kind::List, Kind::LargeList, Kind::ListView, Kind::LargeListView}) {
    add(list(item, kind));
  }
  add(fixed_size_list(item, 3));
  add(struct_({item, Field("x", Kind::Utf8, true, {{"k", "v"}})}));
  add(map(Field("key", Kind::Utf8, false), Field("value", Kind::Int32), true));
  add(union_({item, Field("s", Kind::Utf8)}, Kind::DenseUnion, {3, 5}));
  add(union_({item, Field("s", Kind::Utf8)}, Kind::SparseUnion));
  add(dictionary(Kind::Int8, Kind::Utf8, true));
  add(run_end_encoded(Kind::Int32, Field("values", Kind::Utf8)));
  return fields;
}

TEST(Type, SurvivesTheCDataInterface) {
  Schema schema{every_type(), {{"a", "1"}, {"b", ""}}};
  SchemaHandle handle = export_schema(schema);
  Schema back = import_schema(*handle);
  ASSERT_EQ(back.fields.size(), schema.fields.size());
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    EXPECT_EQ(back.fields[i], schema.fields[i]) << to_string(schema.fields[i]);
  }
  EXPECT_EQ(back, schema);
}

TEST(CSchema, KeepsWhatIsSaidOfTheValuesOfADictionary) {
  const SchemaHandle values =
      export_field(Field("", Kind::Utf8, true, {{std::string(kExtensionName), "arrow.json"}}));
  const SchemaHandle handle =
      export_field(Field("a", dictionary(Kind::Int8, Kind::Utf8), true, {{"k", "v"}}));
  handle->dictionary->metadata = values->metadata;
  const Field back = import_field(*handle);
  handle->dictionary->metadata = nullptr;
  EXPECT_EQ(back.metadata,
            (Metadata{{"k", "v"}, {"dictionary.ARROW:extension:name", "arrow.json"}}));
}

TEST(CSchema, RefusesNegativeSizes) {
  for (const char* format : {"w:-1", "+w:-3"}) {
    const SchemaHandle handle = export_field(Field("a", list(Field("item", Kind::Int64))));
    ArrowSchema hostile = *handle;
    hostile.format = format;
    EXPECT_THROW(import_field(hostile), Error) << format;
  }
}

TEST(CSchema, RefusesANegativeNumberOfChildren) {
  const SchemaHandle handle = export_schema(Schema{{Field("a", Kind::Int64)}, {}});
  ArrowSchema hostile = *handle;
  hostile.n_children = -1;
  EXPECT_THROW(import_schema(hostile), Error);
}

TEST(Type, PrintsAsArrowDoes) {
  EXPECT_EQ(to_string(list(Field("item", Kind::Int64, false))), "list<item: int64 not null>");
  EXPECT_EQ(to_string(timestamp(TimeUnit::Micro, "UTC")), "timestamp[us, tz=UTC]");
  EXPECT_EQ(to_string(decimal(128, 20, 4)), "decimal128(20, 4)");
}

}  // namespace
}  // namespace xwalk::hub
