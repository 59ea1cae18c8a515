#include "xwalk/crosswalk/compat.h"

#include <memory>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/row_options.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {
namespace {

using crosswalk::CompatMode;
using yt::Compatibility;

struct Options {
  RowOptions rows;
  std::string old_path;
  std::string new_path;
  CompatMode mode = CompatMode::Backward;
  std::vector<std::string> allow;
  ReportOutput output;
};

int run(Options& options, Session& session) {
  settle_report(options.output, session);
  yt::CompatibilityOptions allowed;
  for (const std::string& word : options.allow) {
    if (word == "rename") {
      allowed.allow_rename = true;
    } else if (word == "removal") {
      allowed.allow_removal = true;
    } else {
      throw unknown_word("--allow", word, {"rename", "removal"});
    }
  }
  const io::SchemaInput before = read_schema({options.old_path}, options.rows, session);
  const io::SchemaInput after = read_schema({options.new_path}, options.rows, session);
  const crosswalk::Compat compat = crosswalk::check_compat(before.schema, before.hub, after.schema,
                                                           after.hub, options.mode, allowed);
  crosswalk::CompatCheck check;
  check.compat = &compat;
  check.old_name = options.old_path;
  check.new_name = options.new_path;
  check.old_system = before.system;
  check.new_system = after.system;
  check.old_schema = &before.hub;
  check.new_schema = &after.hub;
  check.mode = options.mode;
  print_report(check, options.output, session);
  return compat.answer == Compatibility::FullyCompatible ? kDone : kFound;
}

}  // namespace

Verb compat_verb() {
  return {
      "compat",
      "tells whether data of one schema can be read with another, and why not",
      "OLD NEW [--mode backward|forward|full]",
      {{"xwalk compat v1.schema v2.schema", "can readers of v2 read data of v1?"},
       {"xwalk compat v1.schema v2.schema --mode full --allow rename", ""},
       {"xwalk compat old.parquet new.parquet", "two files of any system"}},
      "Answers: compatible, needs validation (some values may not fit), incompatible. Two YTsaurus "
      "schemas are checked by that system's own rules, all others by the values their types hold. "
      "Exits 1 unless compatible.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "OLD", &options->old_path, "OLD", "schema of the data")->required();
        add_text(app, "NEW", &options->new_path, "NEW", "schema of the readers")->required();
        add_text(app, "--from", &options->rows.from, "F", "system of both schemas")->group("Input");
        add_choice<CompatMode>(
            app, "--mode", &options->mode,
            {{"backward", CompatMode::Backward},
             {"forward", CompatMode::Forward},
             {"full", CompatMode::Full}},
            "can new readers read old data, old readers new data, or both (default: backward)")
            ->group("Question");
        add_list(app, "--allow", &options->allow, "rename,removal",
                 "accept these changes, which YTsaurus refuses by default")
            ->group("Question");
        declare_files(app, &options->rows);
        declare_report(app, &options->output);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
