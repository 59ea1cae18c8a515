#include "xwalk/cli/check.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/word_list.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/facade.h"
#include "xwalk/crosswalk/reader_choice.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format_word.h"

namespace xwalk::cli {
namespace {

int run(const CommandLine& command, CheckOptions& options, Session& session) {
  set_report_form(options.output, session);
  if (options.inputs.empty())
    return run_project(command, options.project, "", options.output, session);
  for (const char* name : {"--config", "--allow-host", "--untrusted", "--write-accept", "--wide",
                           "--reason", "--expires"}) {
    if (!command.has(name)) continue;
    throw Error(ErrorCode::Usage, fmt::format("xwalk check: {} is for the pairs of a file", name),
                {}, "xwalk check --config FILE asks them all; with IN leave it out.");
  }
  options.output.inputs = options.inputs;
  // Never destroyed: the program ends with this, and giving back what the report on a wide table
  // takes is a tenth of the time.
  static const io::AnyReport& found = *new io::AnyReport(check(options, session));
  print_report(found, options.output, session);
  return worst_code(found.errors(), found.fails());
}

/// Takes the word after --readers, if it lists readers, out of the names: `duckdb,spark`.
std::vector<crosswalk::ChosenReader> take_readers(io::Locations* names) {
  const std::span<const std::string_view> known = crosswalk::reader_names();
  const auto lists_readers = [&](const io::Location& name) {
    return std::ranges::all_of(split_list(name.name()), [&](const std::string& word) {
      return std::ranges::find(known, word) != known.end();
    });
  };
  const auto found = std::ranges::find_if(*names, lists_readers);
  if (found == names->end() || names->size() < 2) return {};
  std::vector<crosswalk::ChosenReader> out = crosswalk::parse_readers({found->name()});
  names->erase(found);
  return out;
}

}  // namespace

io::AnyReport check(const CheckOptions& options, Session& session) {
  io::Locations names = options.inputs;
  std::optional<io::Location> append;
  if (options.append) append = *options.append;
  io::Ask ask{.rows = options.read_rows,
              .readers = options.read_readers,
              .counts_files = options.output.form == io::ReportForm::Management,
              .apart = options.apart,
              .fail_on = options.fail_on};
  if (options.read_readers) ask.only_readers = take_readers(&names);
  if (!options.to && !append && !options.read_readers && names.size() > 1) {
    append = std::move(names.back());
    names.pop_back();
  }
  if (!options.to && !append && !options.read_readers) {
    throw Error(ErrorCode::Usage, "xwalk check: --to is missing", {},
                "usage: xwalk check IN... --to F, or xwalk check IN... --append OUT");
  }
  io::ConvertOptions convert = read_options(options.tokens);
  // A name may not say which format the output has.
  const std::optional<io::Format> named =
      append && !append->name().ends_with('/') ? io::format_of_output_name(*append) : std::nullopt;
  if (append && options.to) io::set_output_format(*options.to, &convert);
  const bool is_other = named && options.to && convert.output.format != named;
  if (append && (is_other || options.tokens.contains(hub::Option::TargetSchema) ||
                 options.tokens.contains(hub::Option::Message))) {
    throw Error(ErrorCode::Usage,
                "--append names an output that has a format and a schema; --to, --to-schema and "
                "--message name another",
                {}, "Give --append alone.");
  }
  io::Against against;
  if (append) {
    against = io::Addition{*std::move(append)};
  } else if (options.to) {
    if (!io::names_format(*options.to)) (void)system_argument("--to", *options.to);
    against = *options.to;
  }
  const std::optional<std::string> from = value_of(options.tokens, hub::Option::Format);
  if (options.read_rows && from) (void)io::parse_format_word(*from);
  ProgressLine line(session);
  show_work(&convert, line, session);
  prepare_for(names);
  io::AnyReport found =
      io::check(names, source_system(options.tokens), against, ask, std::move(convert));
  line.clear();
  return found;
}

void declare_check(CommandLine& command, CheckOptions* options) {
  add_rest(command, "IN", &options->inputs,
           "data files, a folder, a schema file or its text, a URI or -");
  add_text(command, "--to", &options->to, "F", "format or system of the output")->group("Output");
  add_text(command, "--append", &options->append, "OUT", "could the rows be added to this output?")
      ->group("Output")
      ->names_place(hub::OptionPlace::Read);
  add_choice<std::optional<hub::Verdict>>(command, "--fail-on", &options->fail_on,
                                          {{"annotated", hub::Verdict::Annotated},
                                           {"widened", hub::Verdict::Widened},
                                           {"inferred", hub::Verdict::Inferred},
                                           {"checked", hub::Verdict::Checked},
                                           {"lossy", hub::Verdict::Lossy},
                                           {"unsupported", hub::Verdict::Unsupported}},
                                          "exit 1 from this verdict on (default: lossy)")
      ->group("Output");
  add_flag(command, "--rows", &options->read_rows,
           "also read the rows, and count those that don't fit")
      ->group("Output");
  add_flag(command, "--readers", &options->read_readers,
           "show which programs misread what; R,R: only these")
      ->group("Output");
  add_flag(command, "--all", &options->output.all, "list exact columns too")->group("Output");
  declare_report(command, &options->output, true);
  declare_project(command, &options->project);
  declare_write_accept(command, &options->project);
  declare_options(command, io::kCheck, &options->tokens);
}

Verb check_verb() {
  return {
      "check",
      "reports what a conversion would keep, narrow or lose, without converting",
      "[IN... --to F] [--fail-on VERDICT] [--rows] [--readers] [--output FORM]",
      {{"xwalk check flights.parquet --to yt", ""},
       {"xwalk check monday.parquet --append flights.lance", ""},
       {"xwalk check flights.parquet --readers", ""},
       {"xwalk check", ""}},
      "Verdicts, best first: exact annotated widened inferred checked lossy unsupported. "
      "Exits 1 from lossy or --fail-on VERDICT on, or if --rows finds rows that would be rejected. "
      "Without IN, all pairs of xwalk.toml are checked.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<CheckOptions>();
        declare_check(command, options.get());
        return [options, &command](Session& session) { return run(command, *options, session); };
      }};
}

}  // namespace xwalk::cli
