// Any bytes as the headers of pages, as row groups of a footer, and as the compact protocol itself:
// skipped bytes are the bytes read, and counts and reports about rows are correct, or the bytes are
// refused.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/random_access.h"
#include "xwalk/parquet/bson.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/pages.h"
#include "xwalk/parquet/row_groups.h"
#include "xwalk/parquet/statistics.h"
#include "xwalk/parquet/thrift.h"

namespace xwalk::fuzz {
namespace {

namespace thrift = parquet::thrift;

void check_protocol(const std::string& bytes) {
  thrift::Reader reader(bytes);
  try {
    reader.skip(thrift::Wire::Struct);
  } catch (const Error&) {
    return;
  }
  const std::string whole(reader.slice(0));
  thrift::Reader again(whole);
  again.skip(thrift::Wire::Struct);
  require(again.at_end());
  // One byte less is never a whole struct.
  if (whole.empty()) return;
  const std::string cut = whole.substr(0, whole.size() - 1);
  thrift::Reader short_of(cut);
  try {
    short_of.skip(thrift::Wire::Struct);
    require(false);
  } catch (const Error&) {
  }
}

int count_leaves(std::span<const parquet::Node> nodes) {
  int count = 0;
  for (const parquet::Node& node : nodes) {
    count += node.is_group() ? count_leaves(node.children()) : 1;
  }
  return count;
}

void check_groups(const std::string& footer, const std::string& file) {
  try {
    const auto groups = parquet::row_groups(footer);
    const parquet::Footer parsed = parquet::parse_footer(footer);
    require(parsed.row_groups == static_cast<int64_t>(groups.size()));
    std::vector<int> leaves;
    const int count = count_leaves(parsed.schema.columns());
    for (int i = 0; i < std::min(count, 4); ++i) leaves.push_back(i);
    parquet::dictionary_leaves(file, footer, parsed.schema, leaves, 1 << 20);
    for (const auto& chunk : parquet::large_chunks(file, footer, parsed.schema, leaves, 1)) {
      require(static_cast<size_t>(chunk.group) < groups.size() && chunk.leaf < count);
    }
    for (uint64_t first = 0; first < std::min<uint64_t>(groups.size(), 3); ++first) {
      const std::string part = parquet::keep_row_groups(footer, first, 1);
      require(parquet::row_groups(part).size() == 1);
      require(parquet::row_groups(part)[0].rows == groups[first].rows);
    }
    const auto more = parquet::row_groups(parquet::with_one_row_more(footer));
    require(more.size() == groups.size());
    parquet::RowCounts counts(file, "input", footer, parsed.schema, leaves, [](auto) {});
    counts.check_until(INT64_MAX);
    parquet::storing_of(footer, parsed.schema);
    parquet::facts_of(footer, parsed, parquet::to_arrow(parsed.schema));
  } catch (const Error&) {
  }
}

}  // namespace

void run(std::string_view data) {
  Choices choices(data);
  const size_t what = choices.below(3);
  const std::string bytes(choices.rest());
  parquet::is_valid_bson(bytes);
  if (what == 0) return check_protocol(bytes);
  if (what == 1) {
    try {
      check_groups(parquet::read_footer_bytes(*memory_access(bytes, "input")), bytes);
    } catch (const Error&) {
    }
    return;
  }
  // The length of the footer comes first, so that the rest is pages.
  const size_t size = choices.word() % 4096;
  const std::string rest(choices.rest());
  check_groups(rest.substr(0, size), rest);
}

}  // namespace xwalk::fuzz
