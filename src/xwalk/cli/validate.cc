#include "xwalk/convert/validate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/shortened.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/schema_rules.h"
#include "xwalk/convert/tables.h"
#include "xwalk/hub/module.h"

namespace xwalk::cli {
namespace {

struct ValidateOptions {
  io::OptionTokens tokens;
  std::vector<std::string> inputs;
  bool values = false;
  bool rules = false;
};

void print_finding(const std::string& file, const hub::Finding& finding, Session& session,
                   Json* errors) {
  const bool violation = hub::is_violation(finding);
  if (session.json) {
    errors->push_back({{"file", shown_name(file)},
                       {"path", finding.path.text()},
                       {"rule", finding.rule},
                       {"found", finding.lost},
                       {"violation", violation}});
    return;
  }
  const std::string path = finding.path.empty() ? "" : shortened_path(finding.path.text()) + ": ";
  session.print(fmt::format("{}: {}: {}{} ({})\n", visible(shown_name(file)),
                            violation ? "error" : "note", visible(path),
                            visible(shortened(finding.lost)), finding.rule));
}

/// Prints problems as they are found; with --json collects them.
class Printer final : public io::ValidationEvents {
 public:
  Printer(const ValidateOptions& options, Session& session, ProgressLine& line)
      : options_(options), session_(session), line_(line) {}

  void opened(const std::string& name, const io::FileNotes& notes) override {
    tell_files(name, notes, session_);
  }
  void bad_row(const Error& error) override {
    line_.clear();
    if (session_.json) {
      errors_.push_back(error_json(error));
    } else {
      session_.print(spelled_for_program(error).describe() + "\n");
    }
  }
  void more_bad_rows(uint64_t count) override {
    if (!session_.json) session_.print(fmt::format("… and {} more\n", grouped(count)));
  }
  void finding(const std::string& file, const hub::Finding& finding) override {
    line_.clear();
    print_finding(file, finding, session_, &errors_);
  }
  void notes(const hub::Findings& notes) override {
    line_.clear();
    if (!session_.json) return print_notes(notes, session_);
    for (const hub::Finding& note : notes) {
      print_finding(options_.inputs.front(), note, session_, &errors_);
    }
  }
  void unreadable(const Error& error) override {
    line_.clear();
    if (session_.json) {
      errors_.push_back(error_json(error));
    } else {
      (void)report(session_, error);
    }
  }
  Json& errors() { return errors_; }

 private:
  const ValidateOptions& options_;
  Session& session_;
  ProgressLine& line_;
  Json errors_ = Json::array();
};

/// Prints the result; returns the exit code.
int conclude(const ValidateOptions& options, io::Validation& out, Json& errors, Session& session) {
  const bool sound = out.is_valid();
  const int code = worst_code(out.unreadable, !sound);
  if (!out.rows_were_read) out.names.clear();
  if (session.json) {
    Json files = Json::array();
    for (const std::string& name : out.names) {
      const io::FileRows& its = out.files[name];
      files.push_back({{"file", shown_name(name)}, {"rows", its.rows}, {"bad_rows", its.bad_rows}});
    }
    Json json = {{"rows", out.rows},
                 {"bad_rows", out.bad_rows},
                 {"files", std::move(files)},
                 {"errors", std::move(errors)}};
    session.print(json_text(json) + "\n");
    return code;
  }
  const auto judged = [&](bool is_sound, uint64_t bad_rows) {
    if (is_sound) return session.out().paint(Ink::Good, "valid");
    return session.out().paint(
        Ink::Bad, bad_rows == 0 ? "invalid" : fmt::format("{} invalid", grouped(bad_rows)));
  };
  if (out.names.size() > 1) {
    for (const std::string& name : out.names) {
      const io::FileRows& its = out.files[name];
      if (its.unreadable) {
        session.print(fmt::format("{}: {}\n", visible(shown_name(name)),
                                  session.out().paint(Ink::Bad, "cannot be read")));
        continue;
      }
      const bool is_sound = its.bad_rows == 0 && !its.broken;
      session.print(fmt::format("{}: {}, {}\n", visible(shown_name(name)), counted(its.rows, "row"),
                                judged(is_sound, its.bad_rows)));
    }
  }
  const std::string verdict = judged(sound, out.bad_rows);
  session.print(fmt::format("{}: {}{}\n", visible(io::name_of(options.inputs)),
                            out.rows_were_read ? counted(out.rows, "row") + ", " : "", verdict));
  return code;
}

/// Checks a schema against the rules of its system; returns whether none is broken.
bool check_schema_rules(const std::string& path, const ValidateOptions& options, Session& session) {
  const hub::Findings findings =
      io::check_rules(path, source_system(options.tokens), input_options(options.tokens));
  const bool sound = std::ranges::none_of(findings, hub::is_violation);
  Json list = Json::array();
  for (const hub::Finding& finding : findings) print_finding(path, finding, session, &list);
  if (session.json) {
    session.print(json_text(Json({{"errors", std::move(list)}})) + "\n");
    return sound;
  }
  const std::string verdict =
      sound ? session.out().paint(Ink::Good, "valid") : session.out().paint(Ink::Bad, "invalid");
  session.print(fmt::format("{}: schema, {}\n", visible(shown_name(path)), verdict));
  return sound;
}

/// Checks the rules of all inputs; returns the exit code.
int run_rules(const ValidateOptions& options, Session& session) {
  bool sound = true;
  for (const std::string& input : options.inputs) {
    sound = check_schema_rules(input, options, session) && sound;
  }
  return sound ? kDone : kFound;
}

int run(const ValidateOptions& options, Session& session) {
  if (options.rules) return run_rules(options, session);
  ProgressLine line(session);
  io::ConvertOptions read = read_row_options(options.tokens);
  io::ValidationOptions validation;
  validation.reading = std::move(read.input);
  validation.columns = std::move(read.plan);
  validation.values = options.values;
  validation.cancelled = &interrupted();
  validation.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  Printer printer(options, session, line);
  io::Validation found = io::validate(options.inputs, validation, &printer);
  line.clear();
  return conclude(options, found, printer.errors(), session);
}

}  // namespace

Verb validate_verb() {
  return {
      "validate",
      "checks every row against its schema, writes nothing",
      "IN... [--schema S]",
      {{"xwalk validate events.yson --schema events.schema", ""},
       {"xwalk validate --rules --from parquet message.txt", "only the schema, without rows"},
       {"xwalk validate part-*.yson.zst --json", "errors as JSON"}},
      "Exits 1 if anything is invalid. The first 20 errors are described, the rest are counted.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<ValidateOptions>();
        add_rest(command, "IN", &options->inputs, "files, a folder, URIs or -")->required();
        add_flag(command, "--values", &options->values,
                 "check every value of a Parquet file against its annotation")
            ->group("Checks");
        add_flag(command, "--rules", &options->rules,
                 "check only the schema against its system's rules; IN may be a schema file")
            ->group("Checks");
        declare_options(command, io::kValidate, &options->tokens);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
