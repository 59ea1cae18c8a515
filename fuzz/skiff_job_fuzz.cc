// A job of a YTsaurus operation on any bytes: random tables (the first byte) as its inputs, rows
// walked by key or one by one, and written to outputs of the same tables. It ends or refuses at the
// same row as the plain reader, and its output is read back as the rows that it read.

#include <memory>
#include <optional>
#include <vector>

#include "fuzz/harness.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/oracle/rows.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/job.h"

namespace xwalk::fuzz {
namespace {

using skiff::testing::MemorySink;
using skiff::testing::MemorySource;
using skiff::testing::RandomTable;

/// Rows that the plain reader takes before its end or its error.
size_t plain_rows(const skiff::Schema& schema, const std::string& bytes) {
  size_t rows = 0;
  try {
    skiff::Input input(bytes);
    skiff::RowReader reader(bind(schema, skiff::Flow::Read), input);
    while (reader.next()) ++rows;
  } catch (const Error&) {
  }
  return rows;
}

}  // namespace

void run(std::string_view data) {
  static const std::vector<std::unique_ptr<RandomTable>> tables = [] {
    const Allowance any;
    std::vector<std::unique_ptr<RandomTable>> made;
    for (uint32_t seed = 0; seed < 64; ++seed) made.push_back(std::make_unique<RandomTable>(seed));
    return made;
  }();
  Choices choices(data);
  const size_t first = choices.byte();
  const skiff::Schema& schema = tables[first % tables.size()]->schema();
  const std::string bytes(choices.rest());
  std::string written;
  size_t read = 0;
  bool refused_write = false;
  try {
    std::vector<std::unique_ptr<ByteSink>> sinks;
    sinks.push_back(std::make_unique<MemorySink>(&written));
    skiff::Job job(schema, std::make_unique<MemorySource>(bytes, first / 64), schema,
                   std::move(sinks));
    if (first % 2 == 0) {
      try {
        while (job.next_group()) {
          while (job.next_in_group()) ++read;
        }
        return;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::Usage) return;
      }
    }
    while (std::optional<skiff::Row> row = job.next()) {
      ++read;
      try {
        job.write(0, row->columns);
      } catch (const Error&) {
        refused_write = true;
      }
    }
    job.finish();
  } catch (const Error&) {
  }
  require(read == plain_rows(schema, bytes), "a job reads what the plain reader reads",
          std::to_string(read));
  if (!refused_write && !written.empty()) {
    require(plain_rows(schema, written) <= read, "no row is written twice", "");
  }
}

}  // namespace xwalk::fuzz
