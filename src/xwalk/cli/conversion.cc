#include "xwalk/cli/conversion.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/rejects.h"
#include "xwalk/io/sink.h"

namespace xwalk::cli {
namespace {

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
                         const hub::Findings& notes, const std::string& output) {
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
  if (!notes.empty()) out["notes"] = nlohmann::ordered_json::array();
  for (const hub::Finding& note : notes) {
    out["notes"].push_back({{"path", note.path.text()}, {"rule", note.rule}, {"found", note.lost}});
  }
  return out.dump();
}

}  // namespace

void ask_consent(const crosswalk::Plan& plan, bool allow_lossy) {
  const auto objection = crosswalk::objection_to(plan, allow_lossy);
  if (!objection) return;
  Place place;
  place.path = objection->path;
  if (objection->verdict == hub::Verdict::Lossy) {
    throw Refusal(objection->message, place, "Agree with --allow lossy.");
  }
  throw Error(ErrorCode::Unsupported, objection->message, place);
}

io::Progress run_with(const Conversion& conversion, ProgressLine& line,
                      const std::function<io::Progress(const io::PipelineOptions&)>& move) {
  std::unique_ptr<io::RejectWriter> rejects;
  if (conversion.rejects) {
    io::check_other_output(*conversion.rejects, conversion.out, conversion.output.inputs);
    rejects = std::make_unique<io::RejectWriter>(
        io::open_sink(*conversion.rejects, {.mode = conversion.output.mode}));
  }
  io::PipelineOptions pipeline;
  pipeline.threads = thread_count(conversion.rows);
  pipeline.skip_bad_rows = conversion.skip_bad_rows;
  if (conversion.max_rejects) {
    pipeline.max_bad_rows = static_cast<uint64_t>(*conversion.max_rejects);
  }
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    if (rejects) rejects->add(bad);
  };
  io::Progress done;
  try {
    done = move(pipeline);
  } catch (Error& error) {
    line.clear();
    if (rejects) rejects->finish();
    const bool is_row =
        error.code() == ErrorCode::Input && error.place().row && error.hint().empty();
    if (is_row && !conversion.skip_bad_rows) {
      error.with_hint("Skip such rows with --on-error skip --rejects FILE.");
    }
    throw;
  }
  if (rejects) rejects->finish();
  line.clear();
  return done;
}

void print_summary(const io::Progress& done, double seconds, const crosswalk::Plan& plan,
                   const hub::Findings& notes, const std::string& output, Session& session) {
  if (session.json) {
    session.note(summary_json(done, seconds, plan, notes, output));
    return;
  }
  print_notes(notes, session);
  session.note(summary_line(done, seconds, plan));
}

}  // namespace xwalk::cli
