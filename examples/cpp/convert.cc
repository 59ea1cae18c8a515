// Converts a file and reports each column:
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
    xwalk::Watch watch;
    watch.on_rejected = [](const xwalk::Error& reason, std::string_view) {
      std::fprintf(stderr, "rejected: %s\n", reason.describe().c_str());
    };
    const xwalk::Report report = xwalk::convert(argv[1], argv[2], {{"on_error", "skip"}}, watch);
    std::fputs(report.text(80, /*all=*/true).c_str(), stdout);
    std::printf("%s: %llu rows\n", argv[2], static_cast<unsigned long long>(*report.rows()));
    return 0;
  } catch (const xwalk::Error& error) {
    // Its code is Unsupported if values would be altered without {"allow", "lossy"}.
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
