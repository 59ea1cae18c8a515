// Prints the schema of a data file, a schema file or a text in the words of a system:
//
//   schema '[{name=id;type=int64}]' parquet
//   schema events.skiff arrow
#include <cstdio>
#include <xwalk/xwalk.hpp>

namespace crosswalk = xwalk::crosswalk;
namespace io = xwalk::io;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FILE|TEXT yt|skiff|parquet|lance|vortex|arrow\n", argv[0]);
    return 2;
  }
  try {
    io::set_engine_folder(XWALK_ENGINE_FOLDER);
    const io::SchemaInput found = io::is_schema_text(argv[1]) ? io::parse_schema_input({}, argv[1])
                                                              : io::read_schema(argv[1]);
    const crosswalk::Plan plan = crosswalk::plan(found.schema, crosswalk::system_of_word(argv[2]));
    crosswalk::require_all_columns(plan);
    std::fputs(crosswalk::print_schema(plan.target).c_str(), stdout);
    std::fprintf(stderr, "%s\n", crosswalk::summary(plan).c_str());
    for (const crosswalk::PathReport& path : plan.paths) {
      for (const crosswalk::Reason& reason : path.reasons) {
        std::fprintf(stderr, "%s: %s (%.*s)\n", path.path.text().c_str(), reason.lost.c_str(),
                     static_cast<int>(reason.rule.size()), reason.rule.data());
      }
    }
    return 0;
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
