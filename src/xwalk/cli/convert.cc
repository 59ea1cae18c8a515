#include "xwalk/convert/convert.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/invocation.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/convert/verify.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/skiff_tables.h"

namespace xwalk::cli {
namespace {

struct Options {
  io::OptionTokens tokens;
  std::vector<std::string> paths;
  bool overwrite = false;
  /// Compares the output with the inputs, and writes the proof to a file if it has a name.
  bool verify = false;
  std::optional<std::string> proof;

  bool verifies() const { return verify || proof; }
};

/// Returns how many rows were rejected, and why the first was.
std::string rejected_text(const io::Progress& done) {
  return fmt::format("{} rejected, the first: {}", counted(done.bad_rows, "row"),
                     visible(io::rejection_text(spelled_for_program(*done.first_bad))));
}

/// Returns the line that ends a conversion.
std::string summary_line(const io::Converted& converted, double seconds) {
  const io::Progress& done = converted.done;
  auto rate = static_cast<uint64_t>(static_cast<double>(done.bytes_read) / std::max(seconds, 1e-6));
  std::string line = fmt::format(
      "{}  {} → {}  {}{}   {}", counted(done.rows, "row"), byte_size(done.bytes_read),
      byte_size(done.bytes_written), duration(seconds),
      rate > 0 ? fmt::format("  {}/s", byte_size(rate)) : "", crosswalk::summary(converted.plan));
  if (done.bad_rows > 0) line += "   " + rejected_text(done);
  return line;
}

std::string summary_json(const io::Converted& converted, double seconds) {
  const io::Progress& done = converted.done;
  const crosswalk::Plan& plan = converted.plan;
  Json out;
  out["output"] = converted.output;
  out["rows"] = done.rows;
  out["rejected"] = done.bad_rows;
  if (done.first_bad) out["first_rejected"] = error_json(*done.first_bad);
  out["bytes_in"] = done.bytes_read;
  out["bytes_out"] = done.bytes_written;
  out["seconds"] = seconds;
  out["verdict"] = hub::to_string(plan.verdict());
  out["columns"] = Json::object();
  std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  std::map<std::string, hub::Verdict> worst;
  for (size_t i = 0; i < verdicts.size() && i < plan.source_hub.fields.size(); ++i) {
    const std::string& name = plan.source_hub.fields[i].name;
    worst[name] = std::max(worst[name], verdicts[i]);
    out["columns"][name] = hub::to_string(worst[name]);
  }
  if (!converted.notes.empty()) out["notes"] = Json::array();
  for (const hub::Finding& note : converted.notes) {
    out["notes"].push_back({{"path", note.path.text()},
                            {"rule", note.rule},
                            {"found", hub::spelled(note.lost, hub::Interface::Program)}});
  }
  return json_text(out, -1);
}

/// Prints what reading decided or met, and the line that ends a conversion, or the JSON form of
/// both; rows may be on standard output, so all goes to standard error.
void print_summary(const io::Converted& converted, double seconds, Session& session) {
  if (session.json) {
    session.note(summary_json(converted, seconds));
    return;
  }
  hub::Findings notes = converted.notes;
  // That was reported when the input was opened.
  std::erase_if(notes, [](const hub::Finding& note) { return note.rule == "schema.inferred"; });
  print_notes(notes, session);
  session.note(summary_line(converted, seconds));
}

/// Returns the line that ends a conversion of many files to as many; -v has one for each.
std::string total_line(const std::vector<io::Converted>& results, double seconds) {
  const io::Progress all = io::sum_of(results);
  const hub::Verdict worst = results[io::worst_of(results)].plan.verdict();
  std::string line =
      fmt::format("{}  {}  {} → {}  {}   {} at worst", counted(results.size(), "file"),
                  counted(all.rows, "row"), byte_size(all.bytes_read), byte_size(all.bytes_written),
                  duration(seconds), hub::to_string(worst));
  if (all.bad_rows > 0) line += "   " + rejected_text(all);
  return line;
}

/// Prints even with --quiet which rows were left out and which columns have other values.
void warn_of_changes(const std::vector<io::Converted>& results, double seconds, Session& session) {
  const io::Progress all = io::sum_of(results);
  if (all.bad_rows > 0 && !session.json) session.warn(rejected_text(all));
  for (const io::Converted& result : results) {
    const bool is_lossy = result.plan.verdict() >= hub::Verdict::Lossy;
    if (session.json && (is_lossy || result.done.bad_rows > 0)) {
      session.warn(summary_json(result, seconds));
    } else if (is_lossy) {
      session.warn(fmt::format("{}: values were changed   {}", visible(result.output),
                               crosswalk::summary(result.plan)));
    }
  }
}

/// Prints the result of each output; for many files in a folder, one summary.
void print_summaries(const std::vector<io::Converted>& results, const std::string& out,
                     double seconds, Session& session) {
  if (session.quiet) warn_of_changes(results, seconds, session);
  if (out.ends_with('/') && results.size() > 1 && !session.verbose && !session.json) {
    for (const io::Converted& result : results) {
      hub::Findings notes = result.notes;
      std::erase_if(notes, [](const hub::Finding& note) { return !is_about_values(note); });
      print_notes(notes, session);
    }
    session.note(total_line(results, seconds));
    return;
  }
  for (const io::Converted& result : results) {
    if ((io::is_table_pattern(out) || results.size() > 1) && !session.json) {
      session.note(visible(result.output) + ":");
    }
    print_summary(result, seconds, session);
  }
}

/// Returns the options for io::convert.
io::ConvertOptions convert_options(const Options& options) {
  io::ConvertOptions out = read_row_options(options.tokens);
  if (!options.overwrite) return out;
  if (out.output.mode_given && out.output.mode != io::OutputMode::Overwrite) {
    throw Error(ErrorCode::Usage, "--overwrite and --mode contradict each other", {},
                "Give one of the two.");
  }
  out.output.mode = io::OutputMode::Overwrite;
  out.output.mode_given = true;
  return out;
}

/// Refuses conversions whose inputs or output cannot be read again.
void check_verifiable(const std::vector<std::string>& inputs, const std::string& out) {
  const bool is_read_once = std::ranges::find(inputs, "-") != inputs.end();
  if (!is_read_once && out != "-") return;
  throw Error(ErrorCode::Usage,
              fmt::format("--verify reads inputs and output again, found {}",
                          is_read_once ? "standard input" : "standard output"),
              {}, "Name a file.");
}

/// Reads the output back and compares it with the inputs; returns the exit code.
int verify(const std::vector<std::string>& inputs, const std::string& out,
           io::ConvertOptions convert, const Options& options, Session& session) {
  ProgressLine line(session);
  convert.pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  convert.on_open = nullptr;
  const io::StorageOptions storage = convert.output.storage;
  const crosswalk::Proof proof =
      io::verify(inputs, out, std::move(convert), {.command = invocation()});
  line.clear();
  if (options.proof) io::write_proof(proof, *options.proof, storage);
  ReportOutput output;
  if (session.json) output.form = ReportForm::Json;
  if (session.json || !proof.passes()) {
    print_report(proof, output, session);
  } else {
    std::string text = crosswalk::print_text(proof);
    text.pop_back();
    session.note(text);
  }
  return proof.passes() ? kDone : kFound;
}

int run(const Options& options, Session& session) {
  if (options.paths.size() < 2) {
    throw Error(ErrorCode::Usage,
                options.paths.empty() ? "xwalk convert: IN and OUT are missing: files, folders or "
                                        "URIs; - is standard input or output"
                                      : "expected IN and OUT, found one path",
                {}, "usage: xwalk convert IN... OUT [options]");
  }
  const std::string& out = options.paths.back();
  const std::vector<std::string> inputs(options.paths.begin(), options.paths.end() - 1);
  if (options.verifies()) check_verifiable(inputs, out);
  io::ConvertOptions convert = convert_options(options);
  ProgressLine line(session);
  convert.on_open = [&](const io::Input& input) {
    tell_files(input.files.front(), input.file_notes, session);
  };
  convert.pipeline.cancelled = &interrupted();
  convert.pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  std::vector<io::Converted> results;
  try {
    results = io::convert(inputs, out, convert);
  } catch (const Error&) {
    line.clear();
    throw;
  }
  line.clear();
  try {
    print_summaries(results, out, line.seconds(), session);
  } catch (const std::bad_alloc&) {
    // The outputs have their names: no words about them make it a failure.
  }
  if (options.verifies()) return verify(inputs, out, std::move(convert), options, session);
  return kDone;
}

}  // namespace

Verb convert_verb() {
  return {
      "convert",
      "converts rows from one system to another and sums up what was kept",
      "IN... OUT [options]",
      {{"xwalk convert flights.parquet flights.yson", ""},
       {"xwalk convert part-*.yson all.parquet --schema table.schema --select id,price", ""},
       {"xwalk convert events.yson events.parquet --on-error skip --rejects bad.yson", ""},
       {"cat rows.yson | xwalk convert - - --from yt --schema table.schema --to arrow", ""}},
      "OUT/ is a folder with one file per input. {table} writes one file per table.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<Options>();
        add_rest(command, "PATHS", &options->paths,
                 "inputs, then the output: files, folders, URIs; - is standard input or output");
        declare_options(command, io::kConvert, &options->tokens);
        add_flag(command, "--overwrite", &options->overwrite, "same as --mode overwrite")
            ->group("Output");
        add_flag(command, "--verify", &options->verify, "compare OUT with IN, as xwalk verify does")
            ->group("Output");
        add_text(command, "--proof", &options->proof, "FILE",
                 "verify, and write a proof: .html, .xml, .json")
            ->group("Output");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
