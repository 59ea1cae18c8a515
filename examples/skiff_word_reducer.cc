// A reducer: reads counted words sorted by word on descriptor 0, with $key_switch at the first row
// of each word, and writes one row a word to output table 0 (descriptor 1).

#include <cstdio>

#include "xwalk/base/error.h"
#include "xwalk/skiff/job.h"

namespace {

using xwalk::yson::Node;

constexpr const char* kInputs = "tuple<'word':string32;'count':int64;'$key_switch':boolean>\n";
constexpr const char* kOutputs = "tuple<'word':string32;'count':int64>\n";

void reduce_words() {
  xwalk::skiff::Job job(xwalk::skiff::parse_schema(kInputs), xwalk::skiff::parse_schema(kOutputs));
  xwalk::skiff::Row row;
  while (job.next_group()) {
    Node out = Node::map();
    int64_t count = 0;
    while (job.next_in_group(&row)) {
      if (out.as_map().empty()) out.add("word", *row.columns.find("word"));
      count += row.columns.find("count")->as_int64();
    }
    out.add("count", Node::int64(count));
    job.write(0, out);
  }
  job.finish();
}

}  // namespace

int main() {
  try {
    reduce_words();
    return 0;
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
