#include <algorithm>
#include <charconv>
#include <cmath>
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
#include "xwalk/convert/facade.h"
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

/// Returns how rows are compared.
io::RowDiffOptions row_diff_options(const DiffOptions& options, ProgressLine& line) {
  io::RowDiffOptions how = options.row_diff;
  how.limit = static_cast<uint64_t>(options.limit.value_or(static_cast<int64_t>(how.limit)));
  const io::InputOptions common = side_options(options.left);
  how.sort_bytes = common.max_memory / kSortShare;
  how.threads = common.threads;
  how.cancelled = &interrupted();
  how.on_progress = [&line](const io::Progress& progress) { line.show(progress); };
  return how;
}

/// Compares inputs that may be several tables each.
io::AnyReport diff_tables(const DiffOptions& options, Session& session) {
  std::shared_ptr<const io::PairedTables> tables =
      read_pairs(options.left_path, options.left, options.right_path, options.right, session);
  if (!options.rows) {
    return io::diff(std::move(tables), {.guess_renames = !options.no_guess},
                    hub::Interface::Program);
  }
  ProgressLine line(session);
  io::AnyReport found =
      io::diff_rows(std::move(tables), side_options(options.left), side_options(options.right),
                    row_diff_options(options, line), hub::Interface::Program);
  line.clear();
  return found;
}

/// Compares the rows of two tables.
io::AnyReport diff_rows(const DiffOptions& options, Session& session) {
  const auto open = [&](const std::string& path, const io::OptionTokens& tokens) {
    return open_rows({path}, io::opening_of_side(side_options(tokens)), session);
  };
  io::Input left = open(options.left_path, options.left);
  io::Input right = open(options.right_path, options.right);
  ProgressLine line(session);
  io::AnyReport found =
      io::diff_rows(std::move(left), std::move(right),
                    {io::name_of({options.left_path}), io::name_of({options.right_path})},
                    row_diff_options(options, line));
  line.clear();
  return found;
}

int run(DiffOptions& options, Session& session) {
  set_report_form(options.output, session);
  options.output.inputs = {options.left_path, options.right_path};
  options.left.insert(options.tokens.begin(), options.tokens.end());
  options.right.insert(options.tokens.begin(), options.tokens.end());
  const io::StorageOptions storage = io::read_option_tokens(options.tokens).input.storage;
  io::check_storage(storage, {options.left_path, options.right_path});
  const bool reads_schemas = !options.rows || io::may_be_several({options.left_path}, storage) ||
                             io::may_be_several({options.right_path}, storage);
  const io::AnyReport found =
      reads_schemas ? diff_tables(options, session) : diff_rows(options, session);
  print_report(found, options.output, session);
  return worst_code(found.errors(), found.fails());
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
