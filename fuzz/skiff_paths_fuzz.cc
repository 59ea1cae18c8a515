// The fast path against the checked path on the same bytes: the same number of rows, or an error at
// the same row with the same words. The first byte chooses a table and how the bytes are handed
// out.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/rows.h"
#include "xwalk/skiff/values.h"

void xwalk::fuzz::run(std::string_view data) {
  using namespace xwalk::skiff;
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  // Both readers are compiled once, for all inputs.
  static std::vector<std::vector<BoundTable>> bound;
  static std::vector<CompiledTables> compiled;
  if (bound.empty()) {
    const Allowance any;
    for (uint32_t seed = 0; seed < 64; ++seed) {
      const testing::RandomTable table(seed);
      bound.push_back(bind(table.schema(), Flow::Read));
      compiled.emplace_back(table.schema());
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
  // Decimals that are nan or infinite pass the checked path alone: Arrow does not hold them.
  if (fast_words == "expected a value that Arrow holds, found another") return;
  require(bad == fast_bad && words == fast_words);
  require(bad || rows == fast_rows);
}
