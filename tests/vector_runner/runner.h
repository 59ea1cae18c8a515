#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace xwalk::vectors {

using Json = nlohmann::json;

/// Reads a file of cases. Numbers that a double would round (beyond 64 bits, and those with a point
/// or an exponent) are the object {"number": TEXT}.
Json read_cases(const std::string& path);
/// Returns the value of a number, also of one in this form.
double double_of(const Json& number);
/// Returns the text of a number, also of one in this form.
std::string text_of(const Json& number);

/// Throws Mismatch unless the two are equal.
struct Mismatch {
  std::string expected;
  std::string found;
};

/// What a kind's check needs beyond the case.
struct Context {
  std::string folder;                  ///< the folder of the case's file
  std::vector<std::string>* refusals;  ///< the errors of all refusals, in order

  /// Runs `action`, keeps the words and the place of the xwalk::Error that it throws, and throws
  /// Mismatch when it throws none.
  void expect_refused(std::string_view what, const std::function<void()>& action) const;
};

/// Runs one case. Throws Mismatch or xwalk::Error when it does not pass.
using Check = std::function<void(const Json& vector, const Context& context)>;

/// The kinds that a module adds. Each module has one function in its own file.
using Checks = std::map<std::string, Check, std::less<>>;
void add_yson_checks(Checks* checks);
void add_yt_checks(Checks* checks);
void add_yt_value_checks(Checks* checks);
void add_skiff_checks(Checks* checks);
void add_parquet_checks(Checks* checks);
void add_lance_checks(Checks* checks);
void add_vortex_checks(Checks* checks);

void expect_equal(std::string_view what, const std::string& expected, const std::string& found);
void expect(bool condition, std::string_view expected, std::string_view found);
/// Returns the way a case goes: `both`, or from one to the other. Throws Mismatch for another word.
std::string direction_of(const Json& vector, const std::string& there, const std::string& back);

}  // namespace xwalk::vectors
