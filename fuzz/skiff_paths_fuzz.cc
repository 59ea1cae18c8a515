// The columnar reader and the oracle on the same bytes: the same number of rows, or an error at
// the same row with the same words. The first byte chooses a table and how the bytes are handed
// out. Of inputs of odd sizes, the rows that were read are written, and give the same bytes when
// they are read and written again.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/oracle/rows.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/values.h"

namespace {

using namespace xwalk;
using namespace xwalk::skiff;

/// Encoders of the tables of one schema.
struct Encoders {
  std::vector<RowEncoder> tables;

  explicit Encoders(const Schema& schema) {
    for (uint32_t table = 0; table < schema.format.tables.size(); ++table) {
      tables.emplace_back(schema, WriteOptions{.table = table});
    }
  }
};

/// Reads rows and writes them, table by table.
std::vector<std::string> written(std::string_view bytes, const CompiledTables& compiled,
                                 const Encoders& encoders) {
  std::vector<std::string> out(encoders.tables.size());
  std::vector<int64_t> rows(out.size());
  TablesReader reader(std::make_unique<skiff::testing::MemorySource>(bytes, 0), compiled);
  while (const auto found = reader.next()) {
    yson::Buffer buffer;
    const hub::Batch& batch = found->batch;
    encoders.tables[found->table].encode(batch.array, 0, batch.rows(), 0, rows[found->table],
                                         &buffer);
    rows[found->table] += batch.rows();
    out[found->table] += buffer.view();
  }
  return out;
}

}  // namespace

void xwalk::fuzz::run(std::string_view data) {
  using namespace xwalk::skiff;
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  // Both readers are compiled once, for all inputs.
  static std::vector<std::vector<BoundTable>> bound;
  static std::vector<CompiledTables> compiled;
  static std::vector<Encoders> encoders;
  if (bound.empty()) {
    const Allowance any;
    for (uint32_t seed = 0; seed < 64; ++seed) {
      const testing::RandomTable table(seed);
      bound.push_back(bind(table.schema(), Flow::Read));
      compiled.emplace_back(table.schema());
      encoders.emplace_back(table.schema());
    }
  }
  const std::string bytes(data.substr(1));
  size_t rows = 0;
  std::optional<uint64_t> bad;
  std::string words;
  try {
    Input input(bytes);
    RowReader reader(bound[choice % 64], input);
    while (reader.next()) ++rows;
  } catch (const xwalk::Error& error) {
    bad = error.place().row;
    words = error.what();
  }
  size_t fast_rows = 0;
  std::optional<uint64_t> fast_bad;
  std::string fast_words;
  try {
    TablesReader reader(std::make_unique<testing::MemorySource>(bytes, choice / 64),
                        compiled[choice % 64]);
    while (auto batch = reader.next()) fast_rows += static_cast<size_t>(batch->batch.rows());
  } catch (const xwalk::Error& error) {
    fast_bad = error.place().row;
    fast_words = error.what();
  }
  // Decimals that are nan or infinite are read by the oracle alone: Arrow does not hold them.
  if (fast_words == "expected a finite decimal, found nan or an infinity") return;
  require(bad == fast_bad && words == fast_words);
  require(bad || rows == fast_rows);
  if (bad || bytes.size() % 2 == 0) return;
  const std::vector<std::string> once =
      written(bytes, compiled[choice % 64], encoders[choice % 64]);
  std::string all;
  for (const std::string& table : once) all += table;
  require(written(all, compiled[choice % 64], encoders[choice % 64]) == once);
}
