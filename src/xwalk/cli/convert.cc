#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/base64.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/planning.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/rejects.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/io/pipeline.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;

struct Options {
  RowOptions rows;
  crosswalk::PlanOptions plan;
  io::OutputOptions output;
  std::vector<std::string> paths;
  std::optional<std::string> to;
  std::string compression;
  bool allow_lossy = false;
  bool skip_bad_rows = false;
  std::optional<std::string> rejects;
  std::optional<int64_t> max_rejects;
  std::optional<int64_t> row_group_rows;
};

/// Refuses to alter or leave out anything the person did not agree to.
void ask_consent(const crosswalk::Plan& plan, bool allow_lossy) {
  hub::Verdict worst = plan.verdict();
  if (worst <= hub::Verdict::Checked || (worst == hub::Verdict::Lossy && allow_lossy)) return;
  const crosswalk::PathReport* found = nullptr;
  for (const crosswalk::PathReport& report : plan.paths) {
    if (report.verdict() == worst) {
      found = &report;
      break;
    }
  }
  Place place;
  std::string why;
  if (found != nullptr) {
    place.path = found->path;
    if (!found->reasons.empty()) {
      const hub::Finding& reason = found->reasons.front();
      why =
          fmt::format(": {} ({})", reason.lost.empty() ? "see the rule" : reason.lost, reason.rule);
    }
  }
  if (worst == hub::Verdict::Lossy) {
    throw Refusal("values would be altered" + why, place, "Agree with --allow lossy.");
  }
  throw Error(ErrorCode::Unsupported, "there is no mapping" + why, place);
}

/// Returns the line that ends a conversion.
std::string summary_line(const io::Progress& done, double seconds, const crosswalk::Plan& plan) {
  auto rate = static_cast<uint64_t>(static_cast<double>(done.bytes_read) / std::max(seconds, 1e-6));
  std::string line = fmt::format("{}  {} → {}  {}  {}/s   {}", counted(done.rows, "row"),
                                 byte_size(done.bytes_read), byte_size(done.bytes_written),
                                 duration(seconds), byte_size(rate), crosswalk::summary(plan));
  if (done.bad_rows > 0) line += fmt::format("   {} rejected", counted(done.bad_rows, "row"));
  return line;
}

std::string summary_json(const io::Progress& done, double seconds, const crosswalk::Plan& plan,
                         const std::string& output) {
  nlohmann::ordered_json out;
  out["output"] = output;
  out["rows"] = done.rows;
  out["rejected"] = done.bad_rows;
  out["bytes_in"] = done.bytes_read;
  out["bytes_out"] = done.bytes_written;
  out["seconds"] = seconds;
  out["verdict"] = hub::to_string(plan.verdict());
  out["columns"] = nlohmann::ordered_json::object();
  std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  for (size_t i = 0; i < verdicts.size() && i < plan.source_hub.fields.size(); ++i) {
    out["columns"][plan.source_hub.fields[i].name] = hub::to_string(verdicts[i]);
  }
  return out.dump();
}

int run(Options& options, Session& session) {
  if (options.paths.size() < 2) {
    throw Error(ErrorCode::Usage, "expected IN and OUT, found one path", {},
                "usage: xwalk convert IN... OUT");
  }
  std::string output_path = options.paths.back();
  options.paths.pop_back();
  if (options.to) options.output.format = io::parse_format(*options.to);
  options.output.values = options.rows.values;
  options.output.compression = options.compression;
  options.output.row_group_rows = options.row_group_rows.value_or(0);
  options.output.store_schema = true;
  options.output.threads = thread_count(options.rows);
  io::Format format = io::output_format(output_path, options.output);
  options.output.format = format;

  ProgressLine line(session);
  io::InputOptions opening = input_options(options.rows);
  opening.skip_bad_rows = options.skip_bad_rows;
  io::Input input = open_rows(options.paths, opening, session);
  System source = *crosswalk::parse_system(io::system_of(input.format));
  System target = *crosswalk::parse_system(io::system_of(format));
  crosswalk::Plan plan = crosswalk::plan(source, input.reader->schema(), target, options.plan);
  ask_consent(plan, options.allow_lossy);

  io::OutputSchema schema;
  schema.hub = plan.target_hub;
  if (const auto* table = std::get_if<yt::TableSchema>(&plan.target)) schema.table_schema = *table;
  if (const auto* streams = std::get_if<skiff::Schema>(&plan.target)) {
    schema.skiff_schema = *streams;
  }
  auto writer = io::open_output(output_path, schema, options.output);

  std::unique_ptr<Rejects> rejects;
  if (options.rejects) rejects = std::make_unique<Rejects>(*options.rejects);
  io::PipelineOptions pipeline;
  pipeline.threads = thread_count(options.rows);
  pipeline.skip_bad_rows = options.skip_bad_rows;
  if (options.max_rejects) pipeline.max_bad_rows = static_cast<uint64_t>(*options.max_rejects);
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    if (rejects) rejects->add(bad);
  };
  io::Progress done;
  try {
    done = io::run_pipeline(*input.reader, &plan.cast, writer.get(), pipeline);
  } catch (Error& error) {
    line.clear();
    if (rejects) rejects->finish();
    bool is_row = error.code() == ErrorCode::Input && error.place().row && error.hint().empty();
    if (is_row && !options.skip_bad_rows) {
      error.with_hint("Skip such rows with --on-error skip --rejects FILE.");
    }
    throw;
  }
  if (rejects) rejects->finish();
  line.clear();
  if (session.json) {
    // Rows may be on standard output, so the summary is not.
    session.note(summary_json(done, line.seconds(), plan, output_path));
  } else {
    session.note(summary_line(done, line.seconds(), plan));
  }
  return kDone;
}

}  // namespace

Verb convert_verb() {
  return {
      "convert",
      "moves rows from one system to another, with a report line",
      "IN... OUT [options]",
      {{"xwalk convert flights.parquet flights.yson", "and flights.yson.schema beside it"},
       {"xwalk convert flights.parquet flights.yson.zst --yson-format binary", ""},
       {"xwalk convert part-*.yson all.parquet --schema table.schema --select id,price", ""},
       {"xwalk convert events.yson events.parquet --on-error skip --rejects bad.jsonl", ""},
       {"cat rows.yson | xwalk convert - - --from yt --schema table.schema --to arrow", ""}},
      "Goes ahead up to the verdict checked: a value that does not fit is an error with its row "
      "and column, or a rejected row. lossy needs the option that alters and --allow lossy. OUT "
      "appears under its name when it is complete.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        app.add_option("PATHS", options->paths, "inputs, then the output; - is a pipe")->required();
        declare_input(app, &options->rows);
        declare_selection(app, &options->rows);
        const char* output = "Output";
        add_text(app, "--to", &options->to, "F", "format of the output; else by its name")
            ->group(output);
        add_choice<std::string>(app, "--compression", &options->compression,
                                {{"none", "none"},
                                 {"snappy", "snappy"},
                                 {"zstd", "zstd"},
                                 {"lz4", "lz4"},
                                 {"gzip", "gzip"},
                                 {"brotli", "brotli"}},
                                "inside Parquet and Arrow; rows go by .gz and .zst")
            ->group(output);
        add_number(app, "--row-group-rows", &options->row_group_rows, 1, "N",
                   "rows of a Parquet row group")
            ->group(output);
        add_flag(app, "--durable", &options->output.durable, "on the disk before it ends")
            ->group(output);
        declare_plan(app, &options->plan, &options->rows.repeated_keys);
        add_choice<bool>(app, "--allow", &options->allow_lossy, {{"lossy", true}},
                         "agree to altered values")
            ->group("What may change");
        const char* bad = "Bad rows";
        add_choice<bool>(app, "--on-error", &options->skip_bad_rows,
                         {{"fail", false}, {"skip", true}}, "end at a bad row, or leave it out")
            ->group(bad);
        add_text(app, "--rejects", &options->rejects, "FILE", "bad rows with reasons, JSON lines")
            ->group(bad);
        add_number(app, "--max-rejects", &options->max_rejects, 0, "N",
                   "fail when more rows are bad")
            ->group(bad);
        declare_yson(app, &options->rows, true);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
