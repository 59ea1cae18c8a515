#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/planning.h"
#include "xwalk/cli/schema_input.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/kinds.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;

struct Options {
  std::optional<std::string> from;
  std::optional<std::string> to;
};

/// One cell of the table of all types.
struct Cell {
  System from;
  System to;
  std::string source;
  std::string target;
  hub::Verdict verdict = hub::Verdict::Unsupported;
  std::vector<std::string> rules;
};

Cell cell_of(System from, std::string_view words, System to) {
  Cell cell{from, to, std::string(words), {}, hub::Verdict::Unsupported, {}};
  try {
    const crosswalk::Plan plan = crosswalk::plan(crosswalk::parse_type(from, words), to);
    cell.target = crosswalk::room(to).type_text(plan.target);
    cell.verdict = plan.verdict();
    for (const crosswalk::PathReport& report : plan.paths) {
      for (const hub::Finding& reason : report.reasons) {
        if (std::ranges::find(cell.rules, reason.rule) == cell.rules.end()) {
          cell.rules.emplace_back(reason.rule);
        }
      }
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Unsupported) throw;
    cell.target = error.message();
  }
  return cell;
}

std::vector<System> systems_of(const std::string& option, const std::optional<std::string>& word) {
  if (word) return {system_argument(option, *word)};
  return {crosswalk::kSystems.begin(), crosswalk::kSystems.end()};
}

int run(const Options& options, Session& session) {
  std::vector<Cell> cells;
  for (const System from : systems_of("--from", options.from)) {
    for (const System to : systems_of("--to", options.to)) {
      if (from == to && !(options.from && options.to)) continue;
      for (const std::string_view words : crosswalk::kinds(from)) {
        cells.push_back(cell_of(from, words, to));
      }
    }
  }
  if (session.json) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Cell& cell : cells) {
      out.push_back({{"from", crosswalk::to_string(cell.from)},
                     {"to", crosswalk::to_string(cell.to)},
                     {"source", cell.source},
                     {"target", cell.target},
                     {"verdict", hub::to_string(cell.verdict)},
                     {"rules", cell.rules}});
    }
    session.print(out.dump(2) + "\n");
    return kDone;
  }
  const Cell* last = nullptr;
  for (const Cell& cell : cells) {
    if (last == nullptr || last->from != cell.from || last->to != cell.to) {
      if (last != nullptr) session.print("\n");
      session.print(
          session.out().paint(Ink::Bold, fmt::format("{} → {}\n", crosswalk::to_string(cell.from),
                                                     crosswalk::to_string(cell.to))));
    }
    last = &cell;
    std::string line =
        fmt::format("  {:<38}  ", cell.source) + painted(session.out(), cell.verdict);
    if (!cell.rules.empty()) line += "  " + join(cell.rules, ", ");
    session.print(line + "\n      " + cell.target + "\n");
  }
  return kDone;
}

}  // namespace

Verb types_verb() {
  return {
      "types",
      "the complete type table: every kind of every system in every other",
      "[--from F] [--to F]",
      {{"xwalk types --from yt --to parquet", ""},
       {"xwalk types --json", "all pairs, for a program"}},
      "Computed by the same code that converts. One type of each kind stands for it; xwalk type "
      "shows any other.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "--from", &options->from, "F", "only from this system");
        add_text(app, "--to", &options->to, "F", "only to this system");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
