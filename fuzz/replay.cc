// Checks known inputs with any of the fuzzers, without libFuzzer, so that every compiler builds
// them and every build runs them: xwalk_fuzz_replay FUZZER FOLDER…

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "fuzz/harness.h"

namespace xwalk::fuzz {

#define XWALK_FUZZER(name) void run_##name(std::string_view bytes);
#include "fuzzers.inc"
#undef XWALK_FUZZER

namespace {

struct Fuzzer {
  std::string_view name;
  void (*run)(std::string_view);
};
constexpr Fuzzer kFuzzers[] = {
#define XWALK_FUZZER(name) {#name, run_##name},
#include "fuzzers.inc"
#undef XWALK_FUZZER
};

int replay(const Fuzzer& fuzzer, int folders, char** paths) {
  int count = 0;
  for (int i = 0; i < folders; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(paths[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      // What a failure prints last.
      std::fprintf(stderr, "%s\n", entry.path().c_str());
      check_input(fuzzer.run, bytes);
      ++count;
    }
  }
  std::printf("%d inputs\n", count);
  return count == 0 ? 1 : 0;
}

}  // namespace
}  // namespace xwalk::fuzz

int main(int argc, char** argv) {
  for (const auto& fuzzer : xwalk::fuzz::kFuzzers) {
    if (argc > 2 && fuzzer.name == argv[1]) return xwalk::fuzz::replay(fuzzer, argc - 2, argv + 2);
  }
  std::fputs("usage: xwalk_fuzz_replay FUZZER FOLDER…\n", stderr);
  return 2;
}
