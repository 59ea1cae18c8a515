// A reducer: reads counted words sorted by word on descriptor 0, with $key_switch at the first row
// of each word, and writes one row per word to output table 0 (descriptor 1).
#include <cstdio>
#include <xwalk/skiff_job.hpp>

namespace {

constexpr const char* kInputs = "tuple<'word':string32;'count':int64;'$key_switch':boolean>\n";
constexpr const char* kOutputs = "tuple<'word':string32;'count':int64>\n";

void reduce_words() {
  xwalk::SkiffJob job(kInputs, kOutputs);
  xwalk::SkiffRow row;
  while (job.next_group()) {
    xwalk::YsonNode out = xwalk::YsonNode::map();
    int64_t count = 0;
    while (job.next_in_group(&row)) {
      if (out.as_map().empty()) out.add("word", *row.columns.find("word"));
      count += row.columns.find("count")->as_int64();
    }
    out.add("count", xwalk::YsonNode::int64(count));
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
