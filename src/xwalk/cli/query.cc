#include "xwalk/cli/query.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/json.h"

namespace xwalk::cli {
namespace {

struct QueryOption {
  std::string_view name;
  std::string_view clause;
};

/// In the order of the clauses.
constexpr std::array kQueryOptions = {
    QueryOption{"--where", "WHERE"}, QueryOption{"--filter", "WHERE"},
    QueryOption{"--sort-by", "ORDER BY"}, QueryOption{"--order-by", "ORDER BY"},
    QueryOption{"--sort", "ORDER BY"}};

/// What a command asks for.
struct Query {
  std::vector<std::string> paths;
  /// By the order of the options.
  std::array<std::string, kQueryOptions.size()> values;

  std::string clauses() const {
    std::string out;
    for (size_t i = 0; i < kQueryOptions.size(); ++i) {
      if (!values[i].empty()) out += fmt::format(" {} {}", kQueryOptions[i].clause, values[i]);
    }
    return out;
  }
};

Query parse(std::span<const std::string> arguments,
            const std::function<bool(const std::string&)>& takes_value) {
  Query out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.size() < 2 || word[0] != '-') {
      out.paths.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto* found = std::ranges::find(kQueryOptions, name, &QueryOption::name);
    const bool has_value = equals != std::string::npos;
    if (found != kQueryOptions.end()) {
      std::string value = has_value                  ? word.substr(equals + 1)
                          : i + 1 < arguments.size() ? arguments[i + 1]
                                                     : "…";
      out.values[static_cast<size_t>(found - kQueryOptions.begin())] = std::move(value);
    }
    if (!has_value && (found != kQueryOptions.end() || takes_value(name))) ++i;
  }
  return out;
}

std::string sql_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

/// A list of texts, or the only one.
std::string list_of(const std::vector<std::string>& paths,
                    const std::function<std::string(std::string_view)>& shown) {
  std::vector<std::string> out;
  for (const std::string& path : paths) out.push_back(shown(path));
  return out.size() == 1 ? out.front() : "[" + join(out, ", ") + "]";
}

std::string python_text(std::string_view text) { return Json(text).dump(); }

}  // namespace

bool is_query_option(std::string_view name) {
  return std::ranges::find(kQueryOptions, name, &QueryOption::name) != kQueryOptions.end();
}

Error query_error(std::string_view verb, std::span<const std::string> arguments,
                  const std::function<bool(const std::string&)>& takes_value) {
  Query query = parse(arguments, takes_value);
  const bool converts = verb == "convert" && query.paths.size() > 1;
  std::string out;
  if (converts) {
    out = query.paths.back();
    query.paths.pop_back();
  }
  if (query.paths.empty()) query.paths.emplace_back("FILE");
  const std::string clauses = query.clauses();
  const std::string python =
      converts ? fmt::format("xwalk.convert(duckdb.sql({}), {})",
                             python_text("FROM rows" + clauses), python_text(out))
               : fmt::format("print(duckdb.sql({}))", python_text("FROM rows" + clauses));
  const std::string line = fmt::format("import duckdb, xwalk; rows = xwalk.open({}); {}",
                                       list_of(query.paths, python_text), python);
  return {ErrorCode::Usage,
          fmt::format("xwalk {} has no filters and does not sort", verb),
          {},
          fmt::format("In DuckDB with xwalk's extension: FROM read_xwalk({}){}. "
                      "By a stream, pip install xwalk duckdb: python3 -c {}",
                      list_of(query.paths, sql_text), clauses, shell_quoted(line))};
}

}  // namespace xwalk::cli
