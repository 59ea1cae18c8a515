#include "xwalk/cli/check.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::cli {
namespace {

int run(const CLI::App& app, CheckOptions& options, Session& session) {
  set_report_form(options.output, session);
  if (options.inputs.empty()) return run_project(app, options.project, "", options.output, session);
  for (const char* name : {"--config", "--allow-host", "--untrusted"}) {
    if (app.get_option(name)->count() == 0) continue;
    throw Error(ErrorCode::Usage, fmt::format("xwalk check: {} is for the pairs of a file", name),
                {}, "xwalk check --config FILE asks them all; with IN leave it out.");
  }
  // Never destroyed: the program ends with this, and giving back what the report on a wide table
  // takes is a tenth of the time.
  static const io::CheckedInputs& found = *new io::CheckedInputs(check(options, session));
  if (found.is_one()) {
    const crosswalk::Check& only = found.tables.front().check;
    print_report(only, options.output, session);
    return only.fails() ? kFound : kDone;
  }
  const crosswalk::ReportSet set = found.set();
  print_report(set, options.output, session);
  return worst_code(found.errors, set.fails());
}

}  // namespace

io::CheckedInputs check(const CheckOptions& options, Session& session) {
  io::InputsQuestion question;
  question.names = options.inputs;
  question.append = options.append;
  const bool is_pair =
      !options.target.to && !question.append && !options.read_readers && question.names.size() > 1;
  if (is_pair) {
    question.append = std::move(question.names.back());
    question.names.pop_back();
  }
  const bool readers_only = !options.target.to && !question.append;
  if (readers_only && !options.read_readers) {
    throw Error(ErrorCode::Usage, "xwalk check: --to is missing", {},
                "usage: xwalk check IN... --to F, or xwalk check IN... --append OUT");
  }
  io::ConvertOptions convert = options.convert;
  convert.given = options.rows.given;
  convert.input = input_options(options.rows);
  convert.output.values = options.rows.values;
  std::optional<std::string> format;
  if (options.target.to && io::names_format(*options.target.to)) {
    format = io::set_format(*options.target.to, convert.given, &convert.output);
    question.target = (*convert.output.format)->system;
  } else if (options.target.to) {
    question.target = system_argument("--to", *options.target.to);
  }
  if (question.append &&
      (options.target.to || options.target.to_schema || options.target.message)) {
    throw Error(ErrorCode::Usage,
                "--append names an output that has a format and a schema; --to, --to-schema and "
                "--message name another",
                {}, "Give --append alone.");
  }
  if (question.append) question.target = io::set_addition(*question.append, &convert);
  set_target_schema(options.target, std::move(format), &convert);
  if (question.target) io::set_reading(*question.target, &convert);
  if (options.max_rejects) io::set_max_rejects(*options.max_rejects, &convert.pipeline);
  if (options.read_rows && options.rows.from) (void)io::parse_format_word(*options.rows.from);
  question.source = source_system(options.rows);
  question.rows = options.read_rows;
  question.readers = options.read_readers;
  question.fail_on = options.fail_on;
  question.on_table = [&](const io::InputTable& table) {
    tell_schema(table.paths.front(), table.schema, Inferred::InNote, session);
  };
  ProgressLine line(session);
  convert.pipeline.threads = thread_count(options.rows);
  convert.pipeline.cancelled = &interrupted();
  convert.pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  prepare_for(question.names);
  io::CheckedInputs found = io::check_inputs(question, convert);
  line.clear();
  return found;
}

void declare_check(CLI::App& app, CheckOptions* options) {
  app.add_option("IN", options->inputs, "data files, a folder, a schema file, a URI or -");
  add_text(app, "--to", &options->target.to, "F", "format or system of the output")
      ->group("Output");
  add_text(app, "--append", &options->append, "OUT", "could the rows be added to this output?")
      ->group("Output");
  add_choice<std::optional<hub::Verdict>>(app, "--fail-on", &options->fail_on,
                                          {{"annotated", hub::Verdict::Annotated},
                                           {"widened", hub::Verdict::Widened},
                                           {"inferred", hub::Verdict::Inferred},
                                           {"checked", hub::Verdict::Checked},
                                           {"lossy", hub::Verdict::Lossy},
                                           {"unsupported", hub::Verdict::Unsupported}},
                                          "exit 1 from this verdict on (default: lossy)")
      ->group("Output");
  add_flag(app, "--rows", &options->read_rows, "also read the rows, and count those that don't fit")
      ->group("Output");
  add_flag(app, "--readers", &options->read_readers,
           "show which programs would misread which columns")
      ->group("Output");
  add_flag(app, "--all", &options->output.all, "list exact columns too")->group("Output");
  declare_report(app, &options->output);
  declare_project(app, &options->project);
  declare_input(app, &options->rows);
  declare_selection(app, &options->rows);
  declare_skiff(app, &options->rows);
  declare_yson(app, &options->rows, false);
  declare_target_schema(app, &options->target);
  declare_cluster(app, &options->convert.plan);
  declare_versions(app, &options->convert.plan);
  declare_csv(app, &options->convert.output.csv_formulas);
  declare_plan(app, &options->convert.plan, &options->rows.repeated_keys);
  declare_tolerance(app, &options->convert, &options->max_rejects);
}

Verb check_verb() {
  return {
      "check",
      "reports what a conversion would keep, restrict or lose, without converting",
      "[IN... --to F] [--fail-on VERDICT] [--rows] [--readers] [--output FORM]",
      {{"xwalk check flights.parquet --to yt", ""},
       {"xwalk check monday.parquet --append flights.lance", ""},
       {"xwalk check flights.parquet --readers", ""},
       {"xwalk check", ""}},
      "Verdicts, best first: exact annotated widened inferred checked lossy unsupported. "
      "Exits 1 from lossy or --fail-on VERDICT on, or if --rows finds rows that would be refused. "
      "Without IN, all pairs of xwalk.toml are checked.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<CheckOptions>();
        declare_check(app, options.get());
        return [options, &app](Session& session) { return run(app, *options, session); };
      }};
}

}  // namespace xwalk::cli
