#include "xwalk/convert/convert.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/invocation.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/convert/resumed_tables.h"
#include "xwalk/convert/tables.h"
#include "xwalk/convert/verify.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/report/report.h"

namespace xwalk::cli {
namespace {

struct ConvertOptions {
  io::OptionTokens tokens;
  std::vector<std::string> paths;
  bool overwrite = false;
  /// A file for the proof.
  std::optional<std::string> proof;
  /// What the proof is called, and who owns the migration.
  ReportOutput titles;
  ProjectOptions project;
};

/// Returns how many rows were rejected, and why the first was.
std::string rejected_text(const io::Progress& done) {
  return fmt::format("{} rejected, the first: {}", counted(done.bad_rows, "row"),
                     visible(io::rejection_text(spelled_for_program(*done.first_bad))));
}

/// Returns how many rows were added, and how many replaced others, if they did so by key.
std::string upserted_text(const io::Converted& converted) {
  if (converted.upserted == nullptr) return "";
  return fmt::format(" (inserted {}, updated {})", grouped(converted.upserted->inserted),
                     grouped(converted.upserted->updated));
}

/// Returns the line that ends a conversion.
std::string summary_line(const io::Converted& converted, double seconds) {
  const io::Progress& done = converted.done;
  auto rate = static_cast<uint64_t>(static_cast<double>(done.bytes_read) / std::max(seconds, 1e-6));
  std::string line = fmt::format(
      "{}{}  {} → {}  {}{}   {}", counted(done.rows, "row"), upserted_text(converted),
      byte_size(done.bytes_read), byte_size(done.bytes_written), duration(seconds),
      rate > 0 ? fmt::format("  {}/s", byte_size(rate)) : "", report::summary(converted.plan));
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
  if (converted.upserted != nullptr) {
    out["inserted"] = converted.upserted->inserted;
    out["updated"] = converted.upserted->updated;
  }
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
std::string total_line(const std::vector<io::Converted>& results, size_t failed, double seconds) {
  io::Progress moved;
  for (const io::Converted& one : results) {
    if (!one.was_complete) io::add_to(&moved, one.done);
  }
  const auto kept = std::ranges::count_if(results, &io::Converted::was_complete);
  std::string line = counted(results.size() + failed, "file");
  if (kept > 0) line += fmt::format(", {} complete before", grouped(static_cast<uint64_t>(kept)));
  if (failed > 0) line += fmt::format(", {} failed", grouped(failed));
  line += fmt::format("  {}  {} → {}  {}", counted(moved.rows, "row"), byte_size(moved.bytes_read),
                      byte_size(moved.bytes_written), duration(seconds));
  if (results.empty()) return line;
  line +=
      fmt::format("   {} at worst", hub::to_string(results[io::worst_of(results)].plan.verdict()));
  const io::Progress all = io::sum_of(results);
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
                               report::summary(result.plan)));
    }
  }
}

/// Prints the result of each output; for many files in a folder, one summary.
void print_summaries(const std::vector<io::Converted>& results, size_t failed,
                     const std::string& out, double seconds, Session& session) {
  const bool is_list = out.empty() || out.ends_with('/');
  if (session.quiet) warn_of_changes(results, seconds, session);
  // Several inputs may have been added to one output.
  const bool adds = results.size() > 1 && results[0].output == results[1].output;
  const bool is_total = ((is_list || adds || failed > 0) && results.size() + failed != 1) ||
                        std::ranges::any_of(results, &io::Converted::was_complete);
  if (is_total && !session.verbose && !session.json) {
    for (const io::Converted& result : results) {
      hub::Findings notes = result.notes;
      std::erase_if(notes, [](const hub::Finding& note) { return !is_about_values(note); });
      print_notes(notes, session);
    }
    session.note(total_line(results, failed, seconds));
    return;
  }
  for (const io::Converted& result : results) {
    if ((io::is_table_pattern(out) || results.size() > 1) && !session.json) {
      session.note(visible(result.output) + ":");
    }
    print_summary(result, seconds, session);
  }
}

/// Returns the options for io::convert of these tokens.
io::ConvertOptions convert_options(const io::OptionTokens& tokens, const ConvertOptions& options) {
  io::ConvertOptions out = read_row_options(tokens);
  out.verify |= options.proof.has_value();
  if (!options.overwrite) return out;
  if (out.output.mode_given && out.output.mode != io::OutputMode::Overwrite) {
    throw Error(ErrorCode::Usage, "--overwrite and --mode contradict each other", {},
                "Give one of the two.");
  }
  out.output.mode = io::OutputMode::Overwrite;
  out.output.mode_given = true;
  return out;
}

/// Prints the result of reading the output back; returns the exit code.
int print_proof(report::Proof proof, const ConvertOptions& options,
                const io::StorageOptions& storage, Session& session) {
  proof.command = invocation();
  if (options.proof) io::write_proof(proof, *options.proof, storage);
  ReportOutput output;
  if (session.json) output.form = io::ReportForm::Json;
  if (session.json || !proof.passes()) {
    print_report({proof, {}}, output, session);
  } else {
    std::string text = report::print_text(proof);
    text.pop_back();
    session.note_lines(text);
  }
  return proof.passes() ? kDone : kFound;
}

/// Throws Error (Usage) for an output that a project file may not name, before anything is written.
void check_outputs(const io::OutputOf& output) {
  io::check_write(output.output);
  if (output.options.rejects) io::check_write(*output.options.rejects);
  if (output.options.input.save_schema) io::check_write(*output.options.input.save_schema);
}

/// Returns the outputs of all `[[convert]]` of a project's file. A section whose inputs are not
/// found is one of the failures.
std::vector<io::OutputOf> project_outputs(const ProjectFile& file, const ConvertOptions& options,
                                          Session& session, std::vector<Error>* failures,
                                          std::vector<report::ProvenTable>* unproven) {
  std::vector<io::OutputOf> out;
  ProjectOutputs outputs(file.path);
  for (const ProjectSection& section : file.sections) {
    if (section.verb != "convert") continue;
    try {
      AcceptedToday accepted(file, section, session);
      const auto options_of = [&](const ProjectSection& one) {
        return convert_options(conversion_tokens(one, options.tokens), options);
      };
      for (SectionOutput& one : outputs.add(section, options_of)) {
        io::OutputOf& output = one.of;
        check_outputs(output);
        output.origin = fmt::format("{}:{}", shown_name(file.path), one.section->line);
        output.options.fail_on = fail_on_of(*one.section);
        output.options.accepted = accepted.of(io::name_of(output.inputs));
        out.push_back(std::move(output));
      }
    } catch (const Error& error) {
      if (!io::is_about_input(error)) throw;
      if (error.code() == ErrorCode::Usage) throw naming_section(file.path, section, error);
      failures->push_back(error);
      unproven->push_back(
          io::unproven(section.inputs, section.output, error, hub::Interface::Program));
    }
  }
  if (out.empty() && failures->empty()) {
    throw Error(ErrorCode::Usage, fmt::format("{} has no [[convert]]", shown_name(file.path)), {},
                "usage: xwalk convert IN... OUT [options]");
  }
  return out;
}

int run(const CommandLine& command, const ConvertOptions& options, Session& session) {
  if (options.paths.size() == 1) {
    throw Error(ErrorCode::Usage, "expected IN and OUT, found one path", {},
                "usage: xwalk convert IN... OUT [options]");
  }
  const bool is_project = options.paths.empty();
  const std::string out = is_project ? "" : options.paths.back();
  io::ConvertOptions convert = convert_options(options.tokens, options);
  ProgressLine line(session);
  show_work(&convert, line, session);
  std::optional<report::Proof> proof;
  convert.on_proof = [&](const report::Proof& found) { proof = found; };
  ReportOutput titles = options.titles;
  if (!options.proof && (!titles.title.empty() || !titles.owner.empty())) {
    throw Error(ErrorCode::Usage, fmt::format("{} has no effect without --proof",
                                              titles.title.empty() ? "--owner" : "--title"));
  }
  std::vector<Error> failures;
  std::vector<report::ProvenTable> unproven;
  if (convert.resume || is_project) {
    convert.on_failure = [&](const Error& error) { failures.push_back(error); };
  }
  std::vector<io::Converted> results;
  try {
    std::vector<std::string> inputs = options.paths;
    std::vector<io::OutputOf> outputs;
    if (is_project) {
      ProjectOptions project = options.project;
      if (options.proof) project.named.push_back(*options.proof);
      const ProjectFile file =
          project_of(command, project, "IN and OUT are", "convert IN... OUT [options]");
      if (titles.title.empty()) titles.title = file.title;
      if (titles.owner.empty()) titles.owner = file.owner;
      outputs = project_outputs(file, options, session, &failures, &unproven);
    } else {
      inputs.pop_back();
      if (convert.resume) outputs = io::resumable_outputs(inputs, out, convert);
    }
    results = is_project || convert.resume
                  ? io::resume_tables(std::move(outputs), convert, options.proof.has_value())
                  : io::convert(inputs, out, convert);
  } catch (const Error&) {
    line.clear();
    throw;
  }
  line.clear();
  for (const Error& error : failures) report(session, error);
  try {
    print_summaries(results, failures.size(), out, line.seconds(), session);
  } catch (const std::bad_alloc&) {
    // The outputs have their names: no words about them make it a failure.
  }
  int code = worst_code(failures, false);
  if (convert.verify && !unproven.empty()) {
    if (!proof) proof = io::proof_of({}, {});
    std::ranges::move(unproven, std::back_inserter(proof->tables));
  }
  if (proof) {
    proof->title = std::move(titles.title);
    proof->owner = std::move(titles.owner);
    code = std::max(code, print_proof(*std::move(proof), options, convert.output.storage, session));
  }
  return code;
}

}  // namespace

Verb convert_verb() {
  return {
      "convert",
      "converts rows from one system to another and sums up what was kept",
      "[IN... OUT] [options]",
      {{"xwalk convert flights.parquet flights.yson", ""},
       {"xwalk convert part-*.yson all.parquet --schema table.schema --select id,price", ""},
       {"xwalk convert events.yson events.parquet --on-error skip --rejects bad.yson", ""},
       {"cat rows.yson | xwalk convert - - --from yt --schema table.schema --to arrow", ""}},
      "OUT/ has a file per input, {table} a file per table. No IN: xwalk.toml is run.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<ConvertOptions>();
        add_rest(command, "PATHS", &options->paths,
                 "inputs, then the output: files, folders, URIs; - is standard input or output");
        declare_options(command, io::kConvert, &options->tokens);
        add_flag(command, "--overwrite", &options->overwrite, "same as --mode overwrite")
            ->group("Output");
        add_text(command, "--proof", &options->proof, "FILE",
                 "verify, and write a proof: .html, .xml, .json")
            ->group("Output");
        declare_titles(command, &options->titles);
        declare_project(command, &options->project, /*writes=*/true);
        return [options, &command](Session& session) { return run(command, *options, session); };
      }};
}

}  // namespace xwalk::cli
