#include <memory>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/conversion.h"
#include "xwalk/cli/format_word.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/planning.h"
#include "xwalk/cli/target_schema.h"
#include "xwalk/cli/verb.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/skiff_tables.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;

struct Options {
  Conversion conversion;
  std::vector<std::string> paths;
  std::optional<std::string> to;
  std::optional<int64_t> row_group_rows;
};

int convert_rows(Conversion& conversion, Session& session) {
  const io::Format format = io::output_format(conversion.out, conversion.output);
  conversion.output.format = format;
  ProgressLine line(session);
  io::InputOptions opening = input_options(conversion.rows);
  opening.skip_bad_rows = conversion.skip_bad_rows;
  io::Input input = open_rows(conversion.inputs, opening, session);
  const System target = io::system_of(format);
  if (conversion.message && target != System::Parquet) {
    throw Error(ErrorCode::Usage, "--message is the schema of a Parquet file; the output is none");
  }
  conversion.output.inputs = io::files_read(input);
  const auto there = io::schema_to_add_to(conversion.out, conversion.output, input.reader->schema(),
                                          conversion.message || conversion.to_schema);
  const crosswalk::Plan plan =
      there ? crosswalk::plan_to(io::system_of(input.format), input.reader->schema(), *there,
                                 conversion.plan)
      : conversion.message
          ? plan_rows(input, target, conversion.rows, conversion.message, conversion.plan,
                      "--message")
          : plan_rows(input, target, conversion.rows, conversion.to_schema, conversion.plan);
  ask_consent(plan, conversion.allow_lossy);
  auto writer = io::open_output(conversion.out, io::output_schema(plan), conversion.output);
  const io::Progress done = run_with(conversion, line, [&](const io::PipelineOptions& pipeline) {
    return io::run_pipeline(*input.reader, &plan.cast, writer.get(), pipeline);
  });
  print_summary(done, line.seconds(), plan, notes_of(*input.reader), conversion.out, session);
  return kDone;
}

int run(Options& options, Session& session) {
  if (options.paths.size() < 2) {
    throw Error(ErrorCode::Usage, "expected IN and OUT, found one path", {},
                "usage: xwalk convert IN... OUT");
  }
  Conversion& conversion = options.conversion;
  conversion.out = options.paths.back();
  conversion.inputs.assign(options.paths.begin(), options.paths.end() - 1);
  conversion.output.values = conversion.rows.values;
  if (options.to) {
    FormatWord to = parse_format_word(*options.to);
    conversion.output.format = to.format;
    if (to.values) {
      conversion.output.values = with_attributes(conversion.rows.values, *to.values);
    }
    if (to.skiff_schema && !conversion.to_schema) conversion.to_schema = to.skiff_schema;
  }
  conversion.output.row_group_rows = options.row_group_rows.value_or(0);
  conversion.output.end_of_stream = conversion.rows.end_of_stream;
  conversion.output.keep_repeated_keys =
      conversion.plan.cast.duplicate_keys == hub::DuplicateKeys::Keep;
  conversion.output.threads = thread_count(conversion.rows);
  if (io::is_table_pattern(conversion.out)) return convert_tables(conversion, session);
  return convert_rows(conversion, session);
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
       {"xwalk convert events.yson events.parquet --on-error skip --rejects bad.yson", ""},
       {"cat rows.yson | xwalk convert - - --from yt --schema table.schema --to arrow", ""}},
      "Goes ahead up to the verdict checked: a value that does not fit is an error with its row "
      "and column, or a rejected row. lossy needs the option that alters and --allow lossy. OUT "
      "appears under its name when it is complete, and one that is there is refused: --mode "
      "overwrite replaces it, --mode append adds rows to Lance, YSON and Skiff, and a file to a "
      "folder of Parquet or Arrow. {table} in OUT is the index of a Skiff table: all tables of a "
      "stream go each to an output of its own.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        app.add_option("PATHS", options->paths, "inputs, then the output; - is a pipe")->required();
        declare_input(app, &options->conversion.rows);
        declare_selection(app, &options->conversion.rows);
        const char* output = "Output";
        add_text(app, "--to", &options->to, "F",
                 "format of the output, also as <format=binary>yson; else by its name")
            ->group(output);
        declare_target_schema(app, &options->conversion.to_schema);
        add_choice<std::string>(app, "--compression", &options->conversion.output.compression,
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
        add_text(app, "--message", &options->conversion.message, "SCHEMA",
                 "write Parquet by this message text, to the letter: a file or the text")
            ->group(output);
        add_flag(app, "--durable", &options->conversion.output.durable,
                 "on the disk before it ends")
            ->group(output);
        add_choice<io::OutputMode>(app, "--mode", &options->conversion.output.mode,
                                   {{"create", io::OutputMode::Create},
                                    {"append", io::OutputMode::Append},
                                    {"overwrite", io::OutputMode::Overwrite}},
                                   "what becomes of an output that is there; create refuses it")
            ->group(output);
        app.add_flag_callback(
               "--overwrite",
               [options] { options->conversion.output.mode = io::OutputMode::Overwrite; },
               "the same as --mode overwrite")
            ->group(output);
        declare_plan(app, &options->conversion.plan, &options->conversion.rows.repeated_keys);
        add_choice<bool>(app, "--allow", &options->conversion.allow_lossy, {{"lossy", true}},
                         "agree to altered values")
            ->group("What may change");
        const char* bad = "Bad rows";
        add_choice<bool>(app, "--on-error", &options->conversion.skip_bad_rows,
                         {{"fail", false}, {"skip", true}}, "end at a bad row, or leave it out")
            ->group(bad);
        add_text(app, "--rejects", &options->conversion.rejects, "FILE",
                 "bad rows with reasons, as YSON rows")
            ->group(bad);
        add_number(app, "--max-rejects", &options->conversion.max_rejects, 0, "N",
                   "fail when more rows are bad")
            ->group(bad);
        declare_skiff(app, &options->conversion.rows);
        declare_yson(app, &options->conversion.rows, true);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
