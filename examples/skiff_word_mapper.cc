// A mapper: reads lines on descriptor 0, writes words to output table 0 (descriptor 1) and lines
// without a word to output table 1 (descriptor 4). Nothing but the two schemas ties it to the
// tables of the operation.

#include <cstdio>
#include <sstream>

#include "xwalk/base/error.h"
#include "xwalk/skiff/job.h"

namespace {

using xwalk::yson::Node;

constexpr const char* kInputs =
    "tuple<'line':variant8<nothing;string32>;'$other_columns':yson32>\n";
constexpr const char* kOutputs =
    "tuple<'word':string32;'count':int64>\n"
    "tuple<'line':variant8<nothing;string32>>\n";

void map_lines() {
  xwalk::skiff::Job job(xwalk::skiff::parse_schema(kInputs), xwalk::skiff::parse_schema(kOutputs));
  xwalk::skiff::Row row;
  while (job.next(&row)) {
    const Node* line = row.columns.find("line");
    std::istringstream words(line == nullptr ? "" : line->as_string());
    bool any = false;
    for (std::string word; words >> word; any = true) {
      Node out = Node::map();
      out.add("word", Node::string(word));
      out.add("count", Node::int64(1));
      job.write(0, out);
    }
    if (any) continue;
    Node out = Node::map();
    if (line != nullptr) out.add("line", *line);
    job.write(1, out);
  }
  job.finish();
}

}  // namespace

int main() {
  try {
    map_lines();
    return 0;
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
