// Prints the schema of a data file, a schema file or a text in the syntax of a system:
//
//   schema '[{name=id;type=int64}]' parquet
//   schema events.skiff arrow
#include <cstdio>
#include <xwalk/xwalk.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FILE|TEXT yt|skiff|parquet|lance|vortex|arrow\n", argv[0]);
    return 2;
  }
  try {
    const auto [schema, report] = xwalk::Schema::read(argv[1]).to(argv[2]);
    std::fputs(schema.dump().c_str(), stdout);
    std::fprintf(stderr, "%s\n", report.summary().c_str());
    for (const xwalk::ReportLine& line : report.lines()) {
      for (const xwalk::Remark& remark : line.remarks) {
        std::fprintf(stderr, "%s: %s (%s)\n", line.path.c_str(), remark.text.c_str(),
                     remark.rule.c_str());
      }
    }
    return 0;
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
