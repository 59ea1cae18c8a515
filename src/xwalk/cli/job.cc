#include <memory>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/schema_input.h"

namespace xwalk::cli {
namespace {

struct JobOptions {
  std::string inputs;
  std::optional<std::string> outputs;
  io::OptionTokens tokens;
  bool end_of_stream = false;
  bool numbered_zones = false;
};

skiff::Schema read_streams(const std::string& option, const std::string& argument) {
  try {
    return skiff::parse_schema(io::schema_text(argument));
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = option;
    throw;
  }
}

/// Refuses to alter values without consent.
void ask_consent(const io::TableJob& job, bool allow_lossy) {
  for (size_t table = 0; table < job.plans().size(); ++table) {
    try {
      crosswalk::ask_consent(job.plans()[table], allow_lossy);
    } catch (Error& error) {
      error.place().table = static_cast<uint32_t>(table);
      throw;
    }
  }
}

int run(const JobOptions& options, Session& session) {
  skiff::Schema inputs = read_streams("--schema", options.inputs);
  skiff::Schema outputs =
      options.outputs ? read_streams("--output-schema", *options.outputs) : inputs;
  io::ConvertOptions read = read_options(options.tokens);
  read.plan.numbered_zones = options.numbered_zones;
  const io::TableJob job(std::move(inputs), std::move(outputs), read.plan);
  ask_consent(job, read.allow_lossy);
  io::PipelineOptions pipeline;
  pipeline.cancelled = &interrupted();
  const io::Progress done = job.run(pipeline, options.end_of_stream);
  if (session.json) {
    session.note(
        Json(
            {{"rows", done.rows}, {"bytes_in", done.bytes_read}, {"bytes_out", done.bytes_written}})
            .dump());
  } else {
    session.note(fmt::format("{}  {} → {}", counted(done.rows, "row"), byte_size(done.bytes_read),
                             byte_size(done.bytes_written)));
  }
  return kDone;
}

}  // namespace

Verb job_verb() {
  return {
      "job",
      "runs as a job of a YTsaurus operation: Skiff tables in and out",
      "--schema S [--output-schema S]",
      {{"xwalk job --schema in.schema --output-schema out.schema", "as a map or reduce command"}},
      "Rows of all input tables arrive on descriptor 0; output table i leaves on descriptor 1 + 3 "
      "i. "
      "Rows of input table i go to output table i, or all to the only one, matched by column name. "
      "A row that doesn't fit fails the job.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<JobOptions>();
        add_text(command, "--schema", &options->inputs, "S",
                 "format configuration or table schemas of the input, as a file or as text")
            ->required()
            ->group("Tables");
        add_text(command, "--output-schema", &options->outputs, "S",
                 "the same for the output (default: that of the input)")
            ->group("Tables");
        add_flag(command, "--end-of-stream", &options->end_of_stream,
                 "expect the tag 0xFFFF at the end of the input")
            ->group("Tables");
        declare_options(command, io::kJob, &options->tokens);
        add_choice<bool>(command, "--tz-form", &options->numbered_zones,
                         {{"name", false}, {"index", true}},
                         "time zones of tz_* values as names, or as numbers, as newer clusters "
                         "store them (default: name)")
            ->group("Tables");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
