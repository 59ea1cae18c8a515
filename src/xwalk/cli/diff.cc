#include "xwalk/crosswalk/diff.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/row_options.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/row_diff.h"
#include "xwalk/convert/tables.h"
#include "xwalk/io/formats/option_check.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions left;
  RowOptions right;
  std::string left_path;
  std::string right_path;
  /// System of both, and schema of both.
  std::optional<std::string> from;
  std::optional<std::string> schema;
  crosswalk::DiffOptions diff;
  ReportOutput output;
  /// Compares the rows.
  bool rows = false;
  io::RowDiffOptions row_diff;
  std::optional<int64_t> limit;
};

/// Of the memory that inputs may ask for, what the rows of each side may take to be sorted.
constexpr uint64_t kSortShare = 64;

/// Opens the rows of a side, and tells the person of their schema.
io::Input open_side(const std::vector<std::string>& paths, const RowOptions& options,
                    Session& session) {
  io::InputOptions opening = input_options(options);
  opening.threads = std::max(1, opening.threads / 2);
  return open_rows(paths, opening, session);
}

/// Compares the rows of two tables.
crosswalk::RowDiff diff_rows(const std::vector<std::string>& left,
                             const std::vector<std::string>& right, const Options& options,
                             Session& session) {
  io::RowDiffOptions how = options.row_diff;
  how.limit = static_cast<uint64_t>(options.limit.value_or(static_cast<int64_t>(how.limit)));
  how.sort_bytes = max_memory(options.left) / kSortShare;
  how.threads = thread_count(options.left);
  how.cancelled = &interrupted();
  ProgressLine line(session);
  how.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  crosswalk::RowDiff diff = io::diff_rows(open_side(left, options.left, session),
                                          open_side(right, options.right, session), how);
  line.clear();
  diff.left_name = io::name_of(left);
  diff.right_name = io::name_of(right);
  return diff;
}

/// Compares the tables of two inputs, which may be one each.
int run_tables(const Options& options, Session& session) {
  const auto tables =
      read_pairs(options.left_path, options.left, options.right_path, options.right, session);
  crosswalk::ReportSet set = tables->set(hub::Door::Program);
  std::vector<std::unique_ptr<crosswalk::Diff>> diffs;
  for (const auto& [left, right] : tables->pairs) {
    if (options.rows) {
      set.reports.emplace_back(diff_rows(left->paths, right->paths, options, session));
      continue;
    }
    diffs.push_back(std::make_unique<crosswalk::Diff>(
        crosswalk::diff(left->schema.system, left->schema.hub, right->schema.system,
                        right->schema.hub, options.diff)));
    set.reports.emplace_back(crosswalk::DiffCheck{diffs.back().get(), left->name, right->name});
  }
  if (!tables->is_one()) {
    print_report(set, options.output, session);
    return worst_code(errors_of(*tables), set.fails());
  }
  std::visit([&](const auto& only) { print_report(only, options.output, session); },
             set.reports.front());
  return set.fails() ? kFound : kDone;
}

int run(Options& options, Session& session) {
  set_report_form(options.output, session);
  options.right.unify = options.left.unify;
  options.right.no_partitions = options.left.no_partitions;
  options.right.storage = options.left.storage;
  options.right.select = options.left.select;
  options.right.exclude = options.left.exclude;
  options.right.threads = options.left.threads;
  options.right.max_memory = options.left.max_memory;
  if (options.from) {
    if (!options.left.from) options.left.from = options.from;
    if (!options.right.from) options.right.from = options.from;
  }
  if (options.schema) {
    if (!options.left.schema) options.left.schema = options.schema;
    if (!options.right.schema) options.right.schema = options.schema;
  }
  const std::string names[] = {options.left_path, options.right_path};
  io::check_storage(options.left.storage, names);
  if (!options.rows || io::may_be_several({options.left_path}, options.left.storage) ||
      io::may_be_several({options.right_path}, options.right.storage)) {
    return run_tables(options, session);
  }
  const crosswalk::RowDiff diff =
      diff_rows({options.left_path}, {options.right_path}, options, session);
  print_report(diff, options.output, session);
  return diff.same() ? kDone : kFound;
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
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "A", &options->left_path, "A", "data file, schema file or -")->required();
        add_text(app, "B", &options->right_path, "B", "data file, schema file or -")->required();
        add_text(app, "--from", &options->from, "F", "system of both schemas")->group("Input");
        add_text(app, "--from-a", &options->left.from, "F", "system of A")->group("Input");
        add_text(app, "--from-b", &options->right.from, "F", "system of B")->group("Input");
        add_text(app, "--schema", &options->schema, "S",
                 "schema of YSON or Skiff rows on both sides (default: A.schema, B.schema)")
            ->group("YSON rows");
        add_text(app, "--schema-a", &options->left.schema, "S", "schema of A")->group("YSON rows");
        add_text(app, "--schema-b", &options->right.schema, "S", "schema of B")->group("YSON rows");
        app.add_flag_callback(
               "--no-guess", [options] { options->diff.guess_renames = false; },
               "don't guess renames: report a removed and an added column")
            ->group("Input");
        declare_files(app, &options->left);
        const char* rows = "Rows";
        CLI::Option* by_rows =
            add_flag(app, "--rows", &options->rows, "compare the values of two tables")
                ->group(rows);
        add_list(app, "--key", &options->row_diff.key, "a,b",
                 "match rows by these columns, not by position")
            ->group(rows)
            ->needs(by_rows);
        app.add_option_function<double>(
               "--tolerance",
               [options](double value) {
                 if (!std::isfinite(value) || value < 0) {
                   throw Error(ErrorCode::Usage,
                               fmt::format("expected --tolerance of 0 or more, found {}", value));
                 }
                 options->row_diff.tolerance = value;
               },
               "treat floats as equal within N × max(1, |value|) (default: equal bits, and nan is "
               "nan)")
            ->type_name("N")
            ->group(rows)
            ->needs(by_rows);
        add_number(app, "--limit", &options->limit, 0, "N",
                   "how many differences are shown (default: 10)")
            ->group(rows)
            ->needs(by_rows);
        add_list(app, "--select", &options->left.select, "a,b.c", "only these columns")
            ->group(rows)
            ->needs(by_rows);
        add_list(app, "--exclude", &options->left.exclude, "a,b.c", "all columns but these")
            ->group(rows)
            ->needs(by_rows);
        add_bytes(app, "--max-memory", &options->left.max_memory, "N",
                  "memory each input may use, such as 512MiB (default: 8GiB); keys are sorted in a "
                  "64th of it, and in temporary files")
            ->group("Speed and memory")
            ->needs(by_rows);
        add_number(app, "--threads", &options->left.threads, 1, "N",
                   "worker threads (default: all cores)")
            ->group("Speed and memory")
            ->needs(by_rows);
        add_flag(app, "--all", &options->output.all, "list what is the same, too")->group("Output");
        declare_report(app, &options->output);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
