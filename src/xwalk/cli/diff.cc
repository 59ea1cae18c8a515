#include "xwalk/crosswalk/diff.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/row_diff.h"
#include "xwalk/convert/tables.h"
#include "xwalk/io/formats/option_check.h"

namespace xwalk::cli {
namespace {

struct DiffOptions {
  /// Of both sides, and then of each.
  io::OptionTokens tokens;
  io::OptionTokens left;
  io::OptionTokens right;
  std::string left_path;
  std::string right_path;
  bool no_guess = false;
  ReportOutput output;
  /// Compares the rows.
  bool rows = false;
  io::RowDiffOptions row_diff;
  std::optional<int64_t> limit;
};

/// Of the memory that inputs may ask for, what the rows of each side may take to be sorted.
constexpr uint64_t kSortShare = 64;

/// Compares the rows of two tables.
crosswalk::RowDiff diff_rows(io::Input left, io::Input right, const DiffOptions& options,
                             Session& session) {
  io::RowDiffOptions how = options.row_diff;
  how.limit = static_cast<uint64_t>(options.limit.value_or(static_cast<int64_t>(how.limit)));
  const io::InputOptions common = side_options(options.left);
  how.sort_bytes = common.max_memory / kSortShare;
  how.threads = common.threads;
  how.cancelled = &interrupted();
  ProgressLine line(session);
  how.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  crosswalk::RowDiff diff = io::diff_rows(std::move(left), std::move(right), how);
  line.clear();
  return diff;
}

/// Returns how the rows of a side are opened.
io::InputOptions opening_of(const io::OptionTokens& tokens) {
  io::InputOptions opening = side_options(tokens);
  // Both sides are read at the same time.
  opening.max_memory = std::max<uint64_t>(1, opening.max_memory / 2);
  opening.threads = std::max(1, opening.threads / 2);
  opening.plan.special_decimals = true;
  return opening;
}

/// Compares the tables of two inputs, which may be one each.
int run_tables(const DiffOptions& options, Session& session) {
  const auto tables =
      read_pairs(options.left_path, options.left, options.right_path, options.right, session);
  crosswalk::ReportSet set = tables->set(hub::Interface::Program);
  if (options.rows) {
    for (const auto& [left, right] : tables->pairs) {
      crosswalk::RowDiff diff =
          diff_rows(io::open_table(*left, opening_of(options.left)),
                    io::open_table(*right, opening_of(options.right)), options, session);
      diff.left_name = left->name;
      diff.right_name = right->name;
      set.reports.emplace_back(std::move(diff));
    }
  } else {
    std::ranges::copy(tables->diff({.guess_renames = !options.no_guess}),
                      std::back_inserter(set.reports));
  }
  if (!tables->is_one()) {
    print_report(set, options.output, session);
    return worst_code(errors_of(*tables), set.fails());
  }
  std::visit([&](const auto& only) { print_report(only, options.output, session); },
             set.reports.front());
  return set.fails() ? kFound : kDone;
}

int run(DiffOptions& options, Session& session) {
  set_report_form(options.output, session);
  options.output.inputs = {options.left_path, options.right_path};
  options.left.insert(options.tokens.begin(), options.tokens.end());
  options.right.insert(options.tokens.begin(), options.tokens.end());
  const io::StorageOptions storage = io::read_option_tokens(options.tokens).input.storage;
  io::check_storage(storage, {options.left_path, options.right_path});
  if (!options.rows || io::may_be_several({options.left_path}, storage) ||
      io::may_be_several({options.right_path}, storage)) {
    return run_tables(options, session);
  }
  io::Input left = open_rows({options.left_path}, opening_of(options.left), session);
  io::Input right = open_rows({options.right_path}, opening_of(options.right), session);
  crosswalk::RowDiff diff = diff_rows(std::move(left), std::move(right), options, session);
  diff.left_name = io::name_of({options.left_path});
  diff.right_name = io::name_of({options.right_path});
  print_report(diff, options.output, session);
  return diff.same() ? kDone : kFound;
}

double parse_tolerance(const std::string& text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = failed == std::errc() && end == text.data() + text.size();
  if (is_number && std::isfinite(value) && value >= 0) return value;
  throw Error(ErrorCode::Usage,
              fmt::format("--tolerance: expected a number of at least 0, found {}", text));
}

/// Declares an option of one side: `--from-a`.
Argument* declare_side(CommandLine& command, hub::Option option, const std::string& side,
                       io::OptionTokens* tokens, const std::string& help) {
  const io::NamedOption& row = io::named_option(option);
  return command
      .add(fmt::format("{}-{}", hub::program_word(option), side), Argument::Takes::Word,
           std::string(row.placeholder), help,
           [tokens, option](const std::vector<std::string>& given) { (*tokens)[option] = given; })
      ->group("Input");
}

}  // namespace

Verb diff_verb() {
  return {
      "diff",
      "compares two schemas, or the rows of two tables, of any two systems",
      "A B [--rows [--key a,b]] [--output text|json|html|junit|github|markdown]",
      {{"xwalk diff v1.schema v2.schema", ""},
       {"xwalk diff flights.parquet flights.lance", ""},
       {"xwalk diff old.parquet new.parquet --output html > diff.html", "side by side, as a page"},
       {"xwalk diff flights.parquet copy.yson --rows", "is the copy right, row by row?"},
       {"xwalk diff monday.lance tuesday.lance --rows --key id,day", ""}},
      "Columns are matched by field id where both schemas have ids, then by name; what looks like "
      "a rename without an id is reported as a guess. Across systems, types differ if they hold "
      "different values. Exits 1 if anything differs. xwalk compat tells whether it matters. With "
      "--rows, values are compared, cast to a type that holds those of both: columns are matched "
      "by name, rows by position or by --key.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<DiffOptions>();
        add_text(command, "A", &options->left_path, "A", "data file, schema file or -")->required();
        add_text(command, "B", &options->right_path, "B", "data file, schema file or -")
            ->required();
        using hub::Option;
        declare_option(command, Option::Format, &options->tokens, "system of both schemas");
        declare_side(command, Option::Format, "a", &options->left, "system of A");
        declare_side(command, Option::Format, "b", &options->right, "system of B");
        declare_option(command, Option::Schema, &options->tokens,
                       "schema of YSON or Skiff rows on both sides (default: A.schema, B.schema)")
            ->group("YSON rows");
        declare_side(command, Option::Schema, "a", &options->left, "schema of A")
            ->group("YSON rows");
        declare_side(command, Option::Schema, "b", &options->right, "schema of B")
            ->group("YSON rows");
        add_flag(command, "--no-guess", &options->no_guess,
                 "don't guess renames: report a removed and an added column")
            ->group("Input");
        declare_options(command, io::kPairs, &options->tokens);
        const char* rows = "Rows";
        Argument* by_rows =
            add_flag(command, "--rows", &options->rows, "compare the values of two tables")
                ->group(rows);
        add_list(command, "--key", &options->row_diff.key, "a,b",
                 "match rows by these columns, not by position")
            ->group(rows)
            ->needs(by_rows);
        command
            .add(
                "--tolerance", Argument::Takes::Word, "N",
                "treat floats as equal within N × max(1, |value|) (default: equal bits, and nan is "
                "nan)",
                [options](const std::vector<std::string>& given) {
                  options->row_diff.tolerance = parse_tolerance(given.front());
                })
            ->group(rows)
            ->needs(by_rows);
        add_number(command, "--limit", &options->limit, 0, "N",
                   "how many differences are shown (default: 10)")
            ->group(rows)
            ->needs(by_rows);
        const std::pair<Option, std::string_view> of_rows[] = {
            {Option::Select, "only these columns"},
            {Option::Exclude, ""},
            {Option::MaxMemory,
             "memory each input may use, such as 512MiB (default: 8GiB); keys are sorted in a "
             "64th of it, and in temporary files"},
            {Option::Threads, ""}};
        for (const auto& [option, help] : of_rows) {
          Argument* argument = declare_option(command, option, &options->tokens, help);
          argument->needs(by_rows);
          if (argument->group() == "Input") argument->group(rows);
        }
        add_flag(command, "--all", &options->output.all, "list what is the same, too")
            ->group("Output");
        declare_report(command, &options->output);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
