#include "xwalk/crosswalk/reader_table.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/reader_rows_parquet.h"
#include "xwalk/crosswalk/reader_rows_yt.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/module.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/skiff/module.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

namespace xwalk::crosswalk {
namespace {

template <typename Row>
void expect_readers(std::span<const Row> rows, System system) {
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    const auto same = std::find_if(rows.begin(), row, [&](const Row& other) {
      return std::tie(other.reader, other.kind, other.when, other.remark) ==
             std::tie(row->reader, row->kind, row->when, row->remark);
    });
    EXPECT_EQ(same, row) << row->reader << " has a row twice: " << row->remark;
  }
  for (const Row& row : rows) {
    EXPECT_NE(std::ranges::find(readers_of(system), row.reader, &Reader::name),
              readers_of(system).end())
        << row.reader << " is no reader of " << system->name;
    EXPECT_FALSE(row.remark.empty()) << row.reader;
  }
}

TEST(ReaderTable, EachFactIsOfAReaderOfItsSystem) {
  expect_readers(parquet_rows(), parquet::kModule);
  expect_readers(lance_rows(), lance::kModule);
  expect_readers(vortex_rows(), vortex::kModule);
  expect_readers(table_rows(), yt::kModule);
}

TEST(ReaderTable, ReadersOfASystemStandTogetherAndOnce) {
  size_t count = 0;
  for (const System system :
       {System(parquet::kModule), System(lance::kModule), System(vortex::kModule),
        System(yt::kModule), System(skiff::kModule)}) {
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
  EXPECT_TRUE(readers_of(skiff::kModule).empty());
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
      {yt::kModule, "Struct<'a':List<Uuid>>", "CHYT", "value.a[]"},
      {yt::kModule, "Dict<Utf8,TzDate>", "SPYT", "value{key}"},
      {yt::kModule, "Dict<Utf8,TzDate>", "SPYT", "value{value}"},
      {yt::kModule, "Optional<Optional<TzDate>>", "SPYT", "value.value"},
      {yt::kModule, "Variant<Int64,TzDate>", "SPYT", "value<1>"},
      {yt::kModule, "Tagged<TzDate,'x'>", "SPYT", "value"},
      {vortex::kModule, "{a=list(map(utf8, f16, keys_sorted=false))}", "DuckDB",
       "value.a[]{value}"},
      {vortex::kModule, "fixed_size_list(f16)[2]", "DuckDB", "value[]"},
      {lance::kModule, "list.struct<item: struct<a: halffloat>>", "DuckDB", "value[].a"},
      {lance::kModule, "map<entries: struct<key: string, value: halffloat>>", "DuckDB",
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
