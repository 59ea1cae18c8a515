#include "xwalk/crosswalk/reader_table.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/room.h"
#include "xwalk/lance/room.h"
#include "xwalk/parquet/room.h"
#include "xwalk/skiff/room.h"
#include "xwalk/vortex/room.h"
#include "xwalk/yt/room.h"

namespace xwalk::crosswalk {
namespace {

template <typename Row>
void expect_readers(std::span<const Row> rows, System system) {
  for (const Row& row : rows) {
    EXPECT_NE(std::ranges::find(readers_of(system), row.reader, &Reader::name),
              readers_of(system).end())
        << row.reader << " is no reader of " << system->name;
    EXPECT_FALSE(row.remark.empty()) << row.reader;
  }
}

TEST(ReaderTable, EachFactIsOfAReaderOfItsSystem) {
  expect_readers(parquet_rows(), parquet::kRoom);
  expect_readers(lance_rows(), lance::kRoom);
  expect_readers(vortex_rows(), vortex::kRoom);
  expect_readers(table_rows(), yt::kRoom);
}

TEST(ReaderTable, ReadersOfASystemStandTogetherAndOnce) {
  size_t count = 0;
  for (const System system : {System(parquet::kRoom), System(lance::kRoom), System(vortex::kRoom),
                              System(yt::kRoom), System(skiff::kRoom)}) {
    std::set<std::string_view> names;
    for (const Reader& reader : readers_of(system)) {
      EXPECT_TRUE(reader.system == system);
      EXPECT_TRUE(names.insert(reader.name).second) << reader.name;
      // What is read, not run, has the day on which it was read.
      EXPECT_TRUE(reader.known == Known::Ran || !reader.day.empty()) << reader.name;
    }
    count += names.size();
  }
  EXPECT_EQ(count, known_readers().size());
  EXPECT_TRUE(readers_of(skiff::kRoom).empty());
}

std::vector<ReaderRemark> remarks_of(System system, std::string_view words) {
  const AnySchema schema = parse_type(system, words);
  return misreadings(schema, plan(schema, system)).remarks;
}

TEST(ReaderTable, PartsOfATypeAreAskedAtTheirPaths) {
  struct Case {
    System system;
    std::string_view words;
    std::string_view reader;
    std::string_view path;
  };
  const Case cases[] = {
      {yt::kRoom, "Struct<'a':List<Uuid>>", "CHYT", "value.a[]"},
      {yt::kRoom, "Dict<Utf8,TzDate>", "SPYT", "value{key}"},
      {yt::kRoom, "Dict<Utf8,TzDate>", "SPYT", "value{value}"},
      {yt::kRoom, "Optional<Optional<TzDate>>", "SPYT", "value.value"},
      {yt::kRoom, "Variant<Int64,TzDate>", "SPYT", "value<1>"},
      {yt::kRoom, "Tagged<TzDate,'x'>", "SPYT", "value"},
      {vortex::kRoom, "{a=list(map(utf8, f16, keys_sorted=false))}", "DuckDB", "value.a[]{value}"},
      {vortex::kRoom, "fixed_size_list(f16)[2]", "DuckDB", "value[]"},
      {lance::kRoom, "list.struct<item: struct<a: halffloat>>", "DuckDB", "value[].a"},
      {lance::kRoom, "map<entries: struct<key: string, value: halffloat>>", "DuckDB",
       "value{value}"},
  };
  for (const Case& one : cases) {
    const std::vector<ReaderRemark> remarks = remarks_of(one.system, one.words);
    EXPECT_TRUE(std::ranges::any_of(remarks,
                                    [&](const ReaderRemark& remark) {
                                      return remark.reader == one.reader &&
                                             remark.path.text() == one.path;
                                    }))
        << one.words << ": nothing of " << one.reader << " at " << one.path;
  }
}

}  // namespace
}  // namespace xwalk::crosswalk
