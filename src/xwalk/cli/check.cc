#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/planning.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/io/pipeline.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions rows;
  crosswalk::PlanOptions plan;
  std::string input;
  std::string to;
  /// The first verdict that counts as a failure.
  hub::Verdict fail_on = hub::Verdict::Lossy;
  bool read_rows = false;
  bool all = false;
};

/// What reading the rows found: how many would be refused, by path, each with its first example.
struct Refused {
  uint64_t rows = 0;
  Error first{ErrorCode::Input, ""};
};

struct Count {
  uint64_t rows = 0;
  uint64_t refused = 0;
  std::map<std::string, Refused> by_path;
};

Count count_refused(const Options& options, crosswalk::System target, Session& session) {
  ProgressLine line(session);
  io::InputOptions opening = input_options(options.rows);
  opening.skip_bad_rows = true;
  io::Input input = open_rows({options.input}, opening, session);
  auto source = crosswalk::parse_system(io::system_of(input.format));
  crosswalk::Plan plan = crosswalk::plan(*source, input.reader->schema(), target, options.plan);
  Count count;
  io::PipelineOptions pipeline;
  pipeline.threads = thread_count(options.rows);
  pipeline.skip_bad_rows = true;
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    Refused& refused = count.by_path[bad.error.place().path.text()];
    if (refused.rows++ == 0) refused.first = bad.error;
  };
  io::Progress done = io::run_pipeline(*input.reader, &plan.cast, nullptr, pipeline);
  count.rows = done.rows + done.bad_rows;
  count.refused = done.bad_rows;
  return count;
}

void print_count(const Count& count, Session& session) {
  session.print(fmt::format(
      "{} read, {}\n", counted(count.rows, "row"),
      count.refused == 0 ? "none would be refused" : grouped(count.refused) + " would be refused"));
  for (const auto& [path, refused] : count.by_path) {
    session.print(fmt::format("  {}  {}, the first: {}\n", path, counted(refused.rows, "row"),
                              refused.first.message()));
  }
}

int run(const Options& options, Session& session) {
  crosswalk::System target = system_argument("--to", options.to);
  SchemaInput input = read_schema_input(options.input, options.rows, session);
  crosswalk::Plan plan = crosswalk::plan(input.system, input.hub, target, options.plan);
  std::optional<Count> count;
  if (options.read_rows) count = count_refused(options, target, session);
  if (session.json) {
    auto out = nlohmann::ordered_json::parse(crosswalk::print_json(plan, options.input));
    if (count) {
      out["rows"] = count->rows;
      out["refused"] = count->refused;
      out["refused_by_path"] = nlohmann::ordered_json::object();
      for (const auto& [path, refused] : count->by_path) {
        out["refused_by_path"][path] = {{"rows", refused.rows},
                                        {"first", error_json(refused.first)}};
      }
    }
    session.print(out.dump(2) + "\n");
  } else {
    crosswalk::ReportStyle style;
    style.width = session.out().width();
    style.colour = session.out().has_color();
    style.all = options.all;
    session.print(crosswalk::print_text(plan, options.input, style));
    if (count) print_count(*count, session);
  }
  return plan.verdict() >= options.fail_on ? kFound : kDone;
}

}  // namespace

Verb check_verb() {
  return {"check",
          "says what converting would keep, narrow or lose; moves nothing",
          "IN --to F [--fail-on VERDICT] [--rows]",
          {{"xwalk check flights.parquet --to yt", ""},
           {"xwalk check events.yson --to parquet --rows", "reads the rows and counts refusals"},
           {"xwalk check table.schema --from yt --to lance --fail-on widened --json", ""}},
          "Verdicts from best to worst: exact annotated widened checked lossy unsupported. Exits 1 "
          "beyond checked, or from --fail-on VERDICT on. xwalk explain RULE tells of a rule.",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            add_text(app, "IN", &options->input, "IN", "data file, schema file or -")->required();
            add_text(app, "--to", &options->to, "F", "the system it would be converted to")
                ->required()
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
                     "read the rows and count those that would be refused")
                ->group("Output");
            add_flag(app, "--all", &options->all, "list exact columns too")->group("Output");
            declare_input(app, &options->rows);
            declare_selection(app, &options->rows);
            declare_skiff(app, &options->rows);
            declare_yson(app, &options->rows, false);
            declare_plan(app, &options->plan, &options->rows.repeated_keys);
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
