#include "xwalk/crosswalk/diff.h"

#include <memory>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/row_options.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions left;
  RowOptions right;
  std::string left_path;
  std::string right_path;
  /// System of both.
  std::optional<std::string> from;
  crosswalk::DiffOptions diff;
  ReportOutput output;
};

int run(Options& options, Session& session) {
  settle_report(options.output, session);
  options.right.unify = options.left.unify;
  options.right.no_partitions = options.left.no_partitions;
  options.right.storage = options.left.storage;
  if (options.from) {
    if (!options.left.from) options.left.from = options.from;
    if (!options.right.from) options.right.from = options.from;
  }
  const io::SchemaInput left = read_schema({options.left_path}, options.left, session);
  const io::SchemaInput right = read_schema({options.right_path}, options.right, session);
  const crosswalk::Diff diff =
      crosswalk::diff(left.system, left.hub, right.system, right.hub, options.diff);
  print_report(crosswalk::DiffCheck{&diff, options.left_path, options.right_path}, options.output,
               session);
  return diff.same() ? kDone : kFound;
}

}  // namespace

Verb diff_verb() {
  return {
      "diff",
      "compares two schemas of any two systems",
      "A B [--output text|json|html|junit|github|markdown]",
      {{"xwalk diff v1.schema v2.schema", "two schemas of one system"},
       {"xwalk diff flights.parquet flights.lance", "two files of any systems"},
       {"xwalk diff old.parquet new.parquet --output html > diff.html", "side by side, as a page"}},
      "Columns are matched by field id where both schemas have ids, then by name; what looks like "
      "a "
      "rename without an id is reported as a guess. Across systems, types differ if they hold "
      "different values. Exits 1 if anything differs. xwalk compat tells whether it matters.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "A", &options->left_path, "A", "data file, schema file or -")->required();
        add_text(app, "B", &options->right_path, "B", "data file, schema file or -")->required();
        add_text(app, "--from", &options->from, "F", "system of both schemas")->group("Input");
        add_text(app, "--from-a", &options->left.from, "F", "system of A")->group("Input");
        add_text(app, "--from-b", &options->right.from, "F", "system of B")->group("Input");
        app.add_flag_callback(
               "--no-guess", [options] { options->diff.guess_renames = false; },
               "don't guess renames: report a removed and an added column")
            ->group("Input");
        declare_files(app, &options->left);
        add_flag(app, "--all", &options->output.all, "list what is the same, too")->group("Output");
        declare_report(app, &options->output);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
