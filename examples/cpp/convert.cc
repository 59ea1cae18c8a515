// Converts a file and says what became of its columns:
//
//   convert IN OUT
#include <cstdio>
#include <xwalk/xwalk.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
    return 2;
  }
  try {
    xwalk::io::set_engine_folder(XWALK_ENGINE_FOLDER);
    xwalk::io::ConvertOptions options;
    options.pipeline.skip_bad_rows = true;
    options.pipeline.on_bad_row = [](const xwalk::hub::BadRow& bad) {
      std::fprintf(stderr, "left out: %s\n", bad.error.describe().c_str());
    };
    for (const xwalk::io::Converted& made : xwalk::io::convert({argv[1]}, argv[2], options)) {
      const xwalk::crosswalk::Check check{.plan = &made.plan, .name = argv[1]};
      std::fputs(print_text(check, {.all = true}).c_str(), stdout);
      std::printf("%s: %llu rows\n", made.output.c_str(),
                  static_cast<unsigned long long>(made.done.rows));
    }
    return 0;
  } catch (const xwalk::Error& error) {
    // It is a crosswalk::Refusal where values would be altered and `allow_lossy` is not set.
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
