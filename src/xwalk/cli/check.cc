#include "xwalk/cli/check.h"

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/io/check_rows.h"
#include "xwalk/io/format_word.h"
#include "xwalk/io/row_format.h"

namespace xwalk::cli {
namespace {

/// Reads the rows, with progress, and adds what was found.
void read_rows(const CheckOptions& options, const std::vector<std::string>& inputs,
               const io::ConvertOptions& convert, crosswalk::System target, Session& session,
               crosswalk::Check* check) {
  ProgressLine line(session);
  if (options.rows.from) (void)io::parse_format_word(*options.rows.from);
  io::InputOptions opening = convert.input;
  opening.skip_bad_rows = true;
  io::PipelineOptions pipeline;
  pipeline.threads = thread_count(options.rows);
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  io::check_rows(open_rows(inputs, opening, session), target, convert, std::move(pipeline), check);
  line.clear();
}

int run(const CLI::App& app, CheckOptions& options, Session& session) {
  settle_report(options.output, session);
  if (options.inputs.empty()) return run_project(app, options.config, "", options.output, session);
  if (options.config) {
    throw Error(ErrorCode::Usage, "xwalk check: --config is for the pairs of a file", {},
                "xwalk check --config FILE asks them all; with IN leave it out.");
  }
  // Never destroyed: the program ends with this, and giving back what the report on a wide table
  // takes is a tenth of the time.
  static const Checked& found = *new Checked(check(options, session));
  print_report(found.check, options.output, session);
  return found.check.fails() ? kFound : kDone;
}

}  // namespace

Checked check(const CheckOptions& options, Session& session) {
  std::vector<std::string> inputs = options.inputs;
  std::optional<std::string> append = options.append;
  const bool is_pair = !options.target.to && !append && !options.read_readers && inputs.size() > 1;
  if (is_pair) {
    append = std::move(inputs.back());
    inputs.pop_back();
  }
  const bool readers_only = !options.target.to && !append;
  if (readers_only && !options.read_readers) {
    throw Error(ErrorCode::Usage, "xwalk check: --to is missing", {},
                "usage: xwalk check IN... --to F, or xwalk check IN... --append OUT");
  }
  io::ConvertOptions convert = options.convert;
  convert.given = options.rows.given;
  convert.input = input_options(options.rows);
  convert.output.values = options.rows.values;
  std::optional<crosswalk::System> wanted;
  std::optional<std::string> format;
  if (options.target.to && io::names_format(*options.target.to)) {
    format = io::set_format(*options.target.to, &convert.output);
    wanted = (*convert.output.format)->system;
  } else if (options.target.to) {
    wanted = system_argument("--to", *options.target.to);
  }
  if (append) wanted = io::set_addition(*append, &convert);
  set_target_schema(options.target, std::move(format), &convert);
  if (wanted) io::settle_reading(*wanted, &convert);
  Checked found;
  found.input = read_schema(inputs, options.rows, convert.input, session);
  const io::SchemaInput& input = found.input;
  // Readers alone are asked what they make of the file as it is.
  const crosswalk::System target = wanted.value_or(input.system);
  found.plan = std::make_unique<crosswalk::Plan>(
      append ? io::plan_addition(input.schema, input.hub, *append, &convert)
             : io::plan_check(input.schema, input.hub, target, convert));
  crosswalk::Check& check = found.check;
  check.plan = found.plan.get();
  check.name = name_of(inputs);
  if (options.max_rejects) {
    convert.pipeline.max_bad_rows = static_cast<uint64_t>(*options.max_rejects);
  }
  io::prepare_check(input.schema, convert, &check);
  if (options.fail_on) check.fail_on = *options.fail_on;
  if (!readers_only) io::check_files(input.file_notes, *found.plan, convert, &check);
  if (options.read_readers) check.readers = crosswalk::misreadings(input.schema, *found.plan);
  // Rows that cannot be added are not tried one by one.
  const bool tries = !append || found.plan->verdict() < hub::Verdict::Unsupported;
  if (options.read_rows && tries) read_rows(options, inputs, convert, target, session, &check);
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
  declare_project(app, &options->config);
  declare_input(app, &options->rows);
  declare_selection(app, &options->rows);
  declare_skiff(app, &options->rows);
  declare_yson(app, &options->rows, false);
  declare_target_schema(app, &options->target);
  declare_cluster(app, &options->convert.plan);
  declare_versions(app, &options->convert.plan);
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
      "Verdicts from best to worst: exact annotated widened checked lossy unsupported. Exits 1 "
      "from lossy on, or from --fail-on VERDICT on, or if --rows finds rows that would be refused. "
      "Without IN, all pairs of xwalk.toml are checked.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<CheckOptions>();
        declare_check(app, options.get());
        return [options, &app](Session& session) { return run(app, *options, session); };
      }};
}

}  // namespace xwalk::cli
