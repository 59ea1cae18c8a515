#include "xwalk/arrow/ipc_schema.h"

#include <gtest/gtest.h>

#include "tests/base/shared_offsets.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"

namespace xwalk::arrow {
namespace {

using hub::Field;
using hub::Kind;

hub::Schema every_layout() {
  hub::Schema schema;
  auto add = [&](hub::Type type) {
    schema.fields.emplace_back("f" + std::to_string(schema.fields.size()), type,
                               schema.fields.size() % 2 == 0);
  };
  for (Kind kind : {Kind::Null, Kind::Bool, Kind::Int8, Kind::Uint64, Kind::HalfFloat, Kind::Double,
                    Kind::Utf8, Kind::LargeUtf8, Kind::Utf8View, Kind::Binary, Kind::LargeBinary,
                    Kind::BinaryView, Kind::Date32, Kind::Date64, Kind::IntervalMonths,
                    Kind::IntervalDayTime, Kind::IntervalMonthDayNano}) {
    add(kind);
  }
  Field item("item", Kind::Int32, false, {{"k", "v"}});
  add(hub::time32(hub::TimeUnit::Milli));
  add(hub::time64(hub::TimeUnit::Nano));
  add(hub::timestamp(hub::TimeUnit::Micro, "Europe/Moscow"));
  add(hub::duration(hub::TimeUnit::Second));
  add(hub::decimal(32, 9, -2));
  add(hub::decimal(256, 76, 10));
  add(hub::fixed_size_binary(3));
  for (Kind kind : {Kind::List, Kind::LargeList, Kind::ListView, Kind::LargeListView}) {
    add(hub::list(item, kind));
  }
  add(hub::fixed_size_list(item, 4));
  add(hub::struct_({item, Field("d", hub::dictionary(Kind::Uint8, Kind::Utf8))}));
  add(hub::map(Field("key", Kind::Utf8, false), item, true));
  add(hub::union_({item, Field("s", Kind::Utf8)}, Kind::SparseUnion, {4, 7}));
  add(hub::dictionary(Kind::Int16, hub::list(item), true));
  add(hub::run_end_encoded(Kind::Int32, item));
  schema.metadata.append("a", "b");
  return schema;
}

TEST(IpcSchema, MayShareLittleAndNotMuch) {
  using shared::shared_arrow_schema;
  const hub::Schema small = read_ipc_schema(
      shared_arrow_schema({.fields = 100, .name_bytes = 100, .entries = 2, .entry_bytes = 10}));
  ASSERT_EQ(small.fields.size(), 100);
  EXPECT_EQ(small.fields[99].name, std::string(100, 'n'));
  EXPECT_EQ(small.fields[99].metadata.size(), 2);
  for (const shared::SharedOffsets& much :
       {shared::SharedOffsets{.fields = 10'000, .name_bytes = 300'000},
        shared::SharedOffsets{.fields = 1'000'000, .name_bytes = 2, .one_table = true},
        shared::SharedOffsets{.entries = 10'000, .entry_bytes = 300'000},
        shared::SharedOffsets{.fields = 3000, .entries = 3000}}) {
    const std::string bytes = shared_arrow_schema(much);
    EXPECT_THROW((void)read_ipc_schema(bytes), Error) << bytes.size();
    EXPECT_THROW((void)check_ipc_message(std::string_view(bytes).substr(8)), Error);
  }
  const SchemaMemoryScope scope(1 << 20);
  EXPECT_THROW((void)read_ipc_schema(shared_arrow_schema({.fields = 20'000})), Error);
}

TEST(IpcSchema, ReadsBackWhatItWrote) {
  hub::Schema schema = every_layout();
  hub::Schema back = read_ipc_schema(write_ipc_schema(schema));
  ASSERT_EQ(back.fields.size(), schema.fields.size());
  for (size_t i = 0; i < back.fields.size(); ++i) {
    EXPECT_EQ(back.fields[i], schema.fields[i]) << hub::to_string(schema.fields[i]);
  }
  EXPECT_EQ(back, schema);
}

TEST(IpcSchema, EveryTruncationIsRefused) {
  std::string bytes = write_ipc_schema(every_layout());
  for (size_t size = 0; size < bytes.size() - 8; ++size) {
    EXPECT_THROW(read_ipc_schema(std::string_view(bytes).substr(0, size)), Error) << size;
  }
}

TEST(IpcSchema, RefusesNegativeSizes) {
  for (const hub::Type& type :
       {hub::fixed_size_binary(-1), hub::fixed_size_list(Field("item", Kind::Int8), -3)}) {
    EXPECT_THROW(read_ipc_schema(write_ipc_schema({{Field("a", type)}, {}})), Error);
  }
}

// One field of an unknown type leaves the others as they are.
TEST(IpcSchema, NotesFieldsOfUnknownTypes) {
  const auto with = [](const hub::Type& type) {
    const Field unknown("u", type, false, {{"k", "v"}});
    return hub::Schema{{Field("a", hub::duration(hub::TimeUnit::Milli)), unknown,
                        Field("s", hub::struct_({Field("d", Kind::Date64), unknown})),
                        Field("l", hub::list(unknown, Kind::LargeList)),
                        Field("m", hub::map(Field("key", Kind::Utf8, false), unknown))},
                       {{"table", "t"}}};
  };
  // No type may have a negative size.
  const std::string bytes = write_ipc_schema(with(hub::fixed_size_binary(-1)));
  EXPECT_THROW(read_ipc_schema(bytes), Error);
  hub::Schema expected = with(Kind::Null);
  const auto note = [](Field field) {
    field.metadata.append("xwalk:arrow", "unknown: expected a size of 0 or more, found -1");
    return field;
  };
  expected.fields[1] = note(expected.fields[1]);
  const Field& unknown = expected.fields[1];
  expected.fields[2].type = hub::struct_({Field("d", Kind::Date64), unknown});
  expected.fields[3].type = hub::list(unknown, Kind::LargeList);
  expected.fields[4].type = hub::map(Field("key", Kind::Utf8, false), unknown);
  EXPECT_EQ(read_ipc_schema(bytes, UnknownTypes::Noted), expected);
}

}  // namespace
}  // namespace xwalk::arrow
