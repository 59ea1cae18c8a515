#include <memory>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/planning.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/io/check_rows.h"
#include "xwalk/parquet/room.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions rows;
  crosswalk::PlanOptions plan = {.rows = true};
  std::string input;
  std::optional<std::string> to;
  /// The first verdict that counts as a failure.
  hub::Verdict fail_on = hub::Verdict::Lossy;
  bool read_rows = false;
  bool read_readers = false;
  ReportOutput output;
};

/// What is asked of readers: the input's own Parquet schema, else that of the Parquet output.
const parquet::Schema& parquet_schema(const io::SchemaInput& input, const crosswalk::Plan& plan) {
  if (const auto* own = input.schema.get_if<parquet::Schema>()) return *own;
  if (plan.target_system == parquet::kRoom) {
    return plan.target.as<parquet::Schema>();
  }
  throw Error(ErrorCode::Usage, "--readers is about Parquet files, found none", {},
              "Name a Parquet file or schema, or --to parquet.");
}

/// Reads the rows, with progress, and counts those that would be refused.
crosswalk::Rows read_rows(const Options& options, crosswalk::System target, Session& session) {
  ProgressLine line(session);
  io::InputOptions opening = input_options(options.rows);
  opening.skip_bad_rows = true;
  io::PipelineOptions pipeline;
  pipeline.threads = thread_count(options.rows);
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  crosswalk::Rows rows = io::check_rows(open_rows({options.input}, opening, session), target,
                                        options.plan, std::move(pipeline));
  line.clear();
  return rows;
}

int run(Options& options, Session& session) {
  settle_report(options.output, session);
  const io::SchemaInput input = read_schema(options.input, options.rows, session);
  if (!options.to && !options.read_readers) {
    throw Error(ErrorCode::Usage, "xwalk check: --to is required", {},
                "usage: xwalk check IN --to F");
  }
  // Readers alone are asked what they make of the file as it is.
  const crosswalk::System target = options.to ? system_argument("--to", *options.to) : input.system;
  const crosswalk::Plan plan = crosswalk::plan(input.system, input.hub, target, options.plan);
  crosswalk::Check check;
  check.plan = &plan;
  check.name = options.input;
  check.fail_on = options.fail_on;
  if (options.read_readers) check.readers = crosswalk::misreadings(parquet_schema(input, plan));
  if (options.read_rows) {
    check.rows = read_rows(options, target, session);
  }
  print_report(check, options.output, session);
  return plan.verdict() >= options.fail_on ? kFound : kDone;
}

}  // namespace

Verb check_verb() {
  return {"check",
          "says what converting would keep, narrow or lose; moves nothing",
          "IN --to F [--fail-on VERDICT] [--rows] [--readers] [--output FORM]",
          {{"xwalk check flights.parquet --to yt", ""},
           {"xwalk check events.yson --to parquet --rows", "reads the rows and counts refusals"},
           {"xwalk check flights.parquet --readers", "what pyarrow, DuckDB, arrow-rs, Polars get"},
           {"xwalk check flights.parquet --to yt --output html > report.html", "a page"},
           {"xwalk check table.schema --from yt --to lance --fail-on widened --json", ""}},
          "Verdicts from best to worst: exact annotated widened checked lossy unsupported. Exits 1 "
          "beyond checked, or from --fail-on VERDICT on. xwalk explain RULE tells of a rule.",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            add_text(app, "IN", &options->input, "IN", "data file, schema file or -")->required();
            add_text(app, "--to", &options->to, "F", "the system it would be converted to")
                ->group("Output");
            add_choice<hub::Verdict>(app, "--fail-on", &options->fail_on,
                                     {{"annotated", hub::Verdict::Annotated},
                                      {"widened", hub::Verdict::Widened},
                                      {"checked", hub::Verdict::Checked},
                                      {"lossy", hub::Verdict::Lossy},
                                      {"unsupported", hub::Verdict::Unsupported}},
                                     "exit 1 from this verdict on (lossy)")
                ->group("Output");
            add_flag(app, "--rows", &options->read_rows,
                     "read the rows: how many would be refused, smallest and largest value")
                ->group("Output");
            add_flag(app, "--readers", &options->read_readers,
                     "which readers of Parquet files would misread which column")
                ->group("Output");
            add_flag(app, "--all", &options->output.all, "list exact columns too")->group("Output");
            declare_report(app, &options->output);
            declare_input(app, &options->rows);
            declare_selection(app, &options->rows);
            declare_skiff(app, &options->rows);
            declare_yson(app, &options->rows, false);
            declare_plan(app, &options->plan, &options->rows.repeated_keys);
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
