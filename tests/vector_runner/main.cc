// Runs every case of every *.json below a folder against the library. One line a kind, one line a
// failing case; exits 1 on any failure or unknown kind.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "runner.h"
#include "xwalk/base/error.h"

namespace xwalk::vectors {

void expect(bool condition, std::string_view expected, std::string_view found) {
  if (!condition) throw Mismatch{std::string(expected), std::string(found)};
}

void expect_equal(std::string_view what, const std::string& expected, const std::string& found) {
  if (expected != found) {
    throw Mismatch{fmt::format("{} = {}", what, expected), found};
  }
}

void expect_refused(std::string_view what, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error&) {
    return;
  }
  throw Mismatch{fmt::format("{} refused", what), "accepted"};
}

namespace {

constexpr const char* kNumber = "number";

/// Makes an object of each number that a double would round.
class ExactNumbers : public nlohmann::detail::json_sax_dom_parser<Json> {
 public:
  using json_sax_dom_parser::json_sax_dom_parser;
  bool number_float(double /*rounded*/, const std::string& text) {
    std::string name = kNumber;
    std::string digits = text;
    return start_object(1) && key(name) && string(digits) && end_object();
  }
};

bool is_exact_number(const Json& json) {
  return json.is_object() && json.size() == 1 && json.contains(kNumber);
}

}  // namespace

Json read_cases(const std::string& path) {
  std::ifstream stream(path);
  Json cases;
  ExactNumbers reader(cases);
  Json::sax_parse(stream, &reader);
  return cases;
}

double double_of(const Json& number) {
  return is_exact_number(number) ? std::stod(text_of(number)) : number.get<double>();
}

std::string text_of(const Json& number) {
  return is_exact_number(number) ? number.at(kNumber).get<std::string>() : number.dump();
}

namespace {

/// Kinds of rooms that are not built yet.
const std::set<std::string, std::less<>> kNotBuilt = {
    // clang-format off
    // clang-format on
};

/// Cases that contradict the specification and the facts, each with the reason; shown, not run.
const std::map<std::string, std::string, std::less<>> kShownWrong = {
    {"bin08_variant",
     "its group is optional and its second row null, yet it expects a column that is not null"},
};

struct Tally {
  int passed = 0;
  int total = 0;
  int information = 0;
  bool not_built = false;
};

int run(const std::string& root) {
  Checks checks;
  add_yson_checks(&checks);
  add_yt_checks(&checks);
  add_skiff_checks(&checks);
  add_yt_value_checks(&checks);
  add_lance_checks(&checks);
  add_parquet_checks(&checks);
  add_vortex_checks(&checks);

  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());

  std::map<std::string, Tally> tallies;
  int failures = 0;
  for (const auto& file : files) {
    const Json cases = read_cases(file.string());
    Context context{file.parent_path().string()};
    for (const Json& vector : cases) {
      std::string kind = vector.at("kind");
      Tally& tally = tallies[file.parent_path().filename().string() + "/" + kind];
      if (vector.contains("info") || kShownWrong.contains(vector.value("id", ""))) {
        ++tally.information;
        continue;
      }
      ++tally.total;
      auto check = checks.find(kind);
      if (check == checks.end()) {
        if (kNotBuilt.contains(kind)) {
          tally.not_built = true;
          continue;
        }
        ++failures;
        std::cout << fmt::format("{}: unknown kind {}\n", vector.value("id", "?"), kind);
        continue;
      }
      try {
        check->second(vector, context);
        ++tally.passed;
        continue;
      } catch (const Mismatch& mismatch) {
        std::cout << fmt::format("{}: expected {}, found {}\n", vector.value("id", "?"),
                                 mismatch.expected, mismatch.found);
      } catch (const std::exception& error) {
        std::cout << fmt::format("{}: expected no error, found \"{}\"\n", vector.value("id", "?"),
                                 error.what());
      }
      ++failures;
    }
  }
  for (const auto& [name, tally] : tallies) {
    if (tally.not_built) {
      std::cout << fmt::format("{}: not built ({} cases)\n", name, tally.total);
    } else {
      std::cout << fmt::format("{}: {}/{}", name, tally.passed, tally.total);
      if (tally.information > 0) std::cout << fmt::format(" (+{} information)", tally.information);
      std::cout << '\n';
    }
  }
  return failures == 0 && !files.empty() ? 0 : 1;
}

}  // namespace
}  // namespace xwalk::vectors

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: xwalk-vectors DIR\n";
    return 2;
  }
  try {
    return xwalk::vectors::run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "xwalk-vectors: " << error.what() << '\n';
    return 1;
  }
}
