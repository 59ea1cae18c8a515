// Runs every case of every *.json below a folder against the library. Prints one line per kind and
// per failing case. Exits 1 on any failure or unknown kind. The errors of refused cases are
// compared with a file of one line per case.
//
// --mutate STEP changes the fields of the cases one by one and requires that each change is
// noticed: every field is compared, is an input, or is in the list of mutations.cc. Every STEP-th
// change is tried.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include <fmt/format.h>

#include "mutations.h"
#include "runner.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::vectors {
namespace {

/// Cases that contradict the specification and the facts, each with the reason; shown, not run.
const std::map<std::string, std::string, std::less<>> kShownWrong = {
    {"bin08_variant",
     "its group is optional and its second row null, yet it expects a column that is not null"},
};

using Refusals = std::map<std::string, std::string, std::less<>>;

struct Tally {
  int passed = 0;
  int total = 0;
  int information = 0;
};

Checks all_checks() {
  Checks checks;
  add_yson_checks(&checks);
  add_yt_checks(&checks);
  add_skiff_checks(&checks);
  add_yt_value_checks(&checks);
  add_lance_checks(&checks);
  add_parquet_checks(&checks);
  add_vortex_checks(&checks);
  return checks;
}

std::vector<std::filesystem::path> files_below(const std::string& root) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Refusals read_refusals(const std::string& path) {
  Refusals refusals;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) refusals[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return refusals;
}

/// Runs a case. Returns the errors of its refusals, as one line.
std::string run_case(const Checks& checks, const Json& vector, const std::string& folder) {
  const std::string kind = vector.at("kind");
  auto check = checks.find(kind);
  expect(check != checks.end(), "a kind that is known", kind);
  std::vector<std::string> refusals;
  check->second(vector, Context{folder, &refusals});
  std::string line = join(refusals, " | ");
  std::ranges::replace(line, '\n', ' ');
  return line;
}

struct Run {
  std::string root;
  std::string refusals;
  bool update = false;
  int step = 0;  ///< of the mutations; 0: none
};

int run(const Run& options) {
  const Checks checks = all_checks();
  const Refusals expected = read_refusals(options.refusals);
  Refusals found;
  std::map<std::string, Tally> tallies;
  int failures = 0;
  Mutations mutations(options.step);
  for (const auto& file : files_below(options.root)) {
    const std::string folder = file.parent_path().string();
    for (const Json& vector : read_cases(file.string())) {
      const std::string id = vector.value("id", "?");
      Tally& tally =
          tallies[file.parent_path().filename().string() + "/" + vector.value("kind", "no kind")];
      if (vector.contains("info") || kShownWrong.contains(id)) {
        ++tally.information;
        continue;
      }
      ++tally.total;
      auto words = expected.find(id);
      const std::string said = words == expected.end() ? "" : words->second;
      try {
        const std::string line = run_case(checks, vector, folder);
        if (!line.empty()) found[id] = line;
        if (!options.update) expect_equal("refused with", said, line);
        ++tally.passed;
        mutations.try_all(
            vector, [&](const Json& mutated) { return run_case(checks, mutated, folder) == said; });
        continue;
      } catch (const Mismatch& mismatch) {
        std::cout << fmt::format("{}: expected {}, found {}\n", id, mismatch.expected,
                                 mismatch.found);
      } catch (const std::exception& error) {
        std::cout << fmt::format("{}: expected no error, found \"{}\"\n", id, error.what());
      }
      ++failures;
    }
  }
  for (const auto& [name, tally] : tallies) {
    std::cout << fmt::format("{}: {}/{}", name, tally.passed, tally.total);
    if (tally.information > 0) std::cout << fmt::format(" (+{} information)", tally.information);
    std::cout << '\n';
  }
  if (options.update) {
    std::ofstream stream(options.refusals);
    for (const auto& [id, line] : found) stream << fmt::format("{}: {}\n", id, line);
  } else {
    for (const auto& [id, line] : expected) {
      if (found.contains(id)) continue;
      std::cout << fmt::format("{}: expected to be refused, and is not\n", id);
      ++failures;
    }
  }
  if (options.step > 0) failures += mutations.report();
  return failures == 0 && !tallies.empty() ? 0 : 1;
}

}  // namespace
}  // namespace xwalk::vectors

int main(int argc, char** argv) {
  xwalk::vectors::Run options;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 2) {
    options.root = words[0];
    options.refusals = words[1];
    options.update = words.size() == 3 && words[2] == "--update";
    if (words.size() == 4 && words[2] == "--mutate") options.step = std::stoi(words[3]);
  }
  if (words.size() < 2 || (words.size() > 2 && !options.update && options.step < 1)) {
    std::cerr << "usage: xwalk-vectors DIR REFUSALS [--update | --mutate STEP]\n";
    return 2;
  }
  try {
    return xwalk::vectors::run(options);
  } catch (const std::exception& error) {
    std::cerr << "xwalk-vectors: " << error.what() << '\n';
    return 1;
  }
}
