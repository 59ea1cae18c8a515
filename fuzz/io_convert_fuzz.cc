// Whole conversions of any bytes: rows of YSON and Skiff, of a random table, to every system whose
// rows have no engine; in one thread and in several. All rows are accounted for, the output is the
// same for any number of threads, and it can be read back without errors.

#include <memory>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/convert.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/forms.h"

namespace xwalk::fuzz {
namespace {

using skiff::testing::RandomTable;

struct Outcome {
  std::string bytes;
  std::string rejected;
  std::string refused;
  uint64_t rows = 0;
  uint64_t bad_rows = 0;
};

Outcome convert(const std::string& bytes, io::Format to, io::ConvertOptions options, int threads) {
  Outcome out;
  uint64_t told = 0;
  options.output.format = to;
  options.pipeline.threads = threads;
  options.pipeline.on_bad_row = [&](const hub::BadRow& row) {
    ++told;
    out.rejected += std::to_string(row.error.place().row.value_or(0)) + row.error.what() + "\n";
  };
  try {
    io::Dataset rows([&] { return io::memory_source(bytes, "input"); }, true, options.input);
    const io::Converted done =
        io::convert(rows, io::memory_sink(&out.bytes), std::move(options)).front();
    out.rows = done.done.rows;
    out.bad_rows = done.done.bad_rows;
    require(told == out.bad_rows, "each bad row is reported", out.rejected);
  } catch (const Error& error) {
    require_refusal(error);
    out.refused = error.describe();
  }
  return out;
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  static const std::vector<std::unique_ptr<RandomTable>> tables = [] {
    std::vector<std::unique_ptr<RandomTable>> made;
    for (uint32_t seed = 0; seed < 64; ++seed) made.push_back(std::make_unique<RandomTable>(seed));
    return made;
  }();
  Choices choices(data);
  const uint8_t first = choices.byte();
  const uint8_t modes = choices.byte();
  const bool from_skiff = (modes & 1) != 0;
  const io::Format to = (modes & 2) != 0 ? io::kSkiffRows : io::kYsonRows;
  const skiff::Schema& schema = tables[first % tables.size()]->schema();
  io::ConvertOptions options;
  options.input.format = from_skiff ? io::kSkiffRows : io::kYsonRows;
  if (from_skiff) {
    options.input.schema = print(schema, skiff::SchemaForm::File);
  } else if ((modes & 4) != 0 && !schema.table_schemas.empty()) {
    options.input.schema = print(schema.table_schemas[0], yt::SchemaForm::Yson);
  }
  options.allow_lossy = (modes & 8) != 0;
  options.input.skip_bad_rows = options.pipeline.skip_bad_rows = (modes & 16) != 0;
  options.input.batch_rows = 1 + choices.byte() % 8;
  options.plan.cast.round = (modes & 32) != 0;
  options.plan.cast.merge_nulls = (modes & 64) != 0;
  const std::string bytes(choices.rest());
  const Outcome one = convert(bytes, to, options, 1);
  const Outcome many = convert(bytes, to, options, 3);
  require(one.refused == many.refused, "threads do not matter", one.refused + many.refused);
  if (!one.refused.empty()) return;
  require(one.rows == many.rows && one.bad_rows == many.bad_rows, "threads do not matter", "");
  require(one.bytes == many.bytes, "threads do not matter", one.bytes);
  require(one.rejected == many.rejected, "threads do not matter", one.rejected);
}

}  // namespace xwalk::fuzz
