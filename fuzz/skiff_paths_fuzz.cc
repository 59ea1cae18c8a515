// The fast path against the checked path on the same bytes: the same number of rows, or an error at
// the same row with the same words. The first byte chooses a table and how the bytes are handed
// out.

#include <memory>
#include <optional>

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
  static std::vector<std::unique_ptr<testing::RandomTable>> tables = [] {
    std::vector<std::unique_ptr<testing::RandomTable>> made;
    for (uint32_t seed = 0; seed < 64; ++seed) {
      made.push_back(std::make_unique<testing::RandomTable>(seed));
    }
    return made;
  }();
  const Schema& schema = tables[choice % 64]->schema();
  const std::string bytes(data.substr(1));
  size_t rows = 0;
  std::optional<uint64_t> bad;
  std::string words;
  try {
    Input input(bytes);
    RowReader reader(bind(schema, Flow::Read), input);
    while (reader.next()) ++rows;
  } catch (const xwalk::Error& error) {
    bad = error.place().row;
    words = error.what();
  }
  size_t fast_rows = 0;
  std::optional<uint64_t> fast_bad;
  std::string fast_words;
  try {
    TablesReader reader(std::make_unique<testing::MemorySource>(bytes, choice / 64), schema);
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
