// A mapper: reads lines on descriptor 0, writes words to output table 0 (descriptor 1) and lines
// that have no word to output table 1 (descriptor 4). The two schemas describe the tables of the
// operation.
#include <cstdio>
#include <sstream>
#include <xwalk/skiff_job.hpp>

namespace {

constexpr const char* kInputs =
    "tuple<'line':variant8<nothing;string32>;'$other_columns':yson32>\n";
constexpr const char* kOutputs =
    "tuple<'word':string32;'count':int64>\n"
    "tuple<'line':variant8<nothing;string32>>\n";

void map_lines() {
  xwalk::SkiffJob job(kInputs, kOutputs);
  xwalk::SkiffRow row;
  while (job.next(&row)) {
    const xwalk::YsonNode* line = row.columns.find("line");
    std::istringstream words(line == nullptr ? "" : line->as_string());
    bool any = false;
    for (std::string word; words >> word; any = true) {
      xwalk::YsonNode out = xwalk::YsonNode::map();
      out.add("word", xwalk::YsonNode::string(word));
      out.add("count", xwalk::YsonNode::int64(1));
      job.write(0, out);
    }
    if (any) continue;
    xwalk::YsonNode out = xwalk::YsonNode::map();
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
