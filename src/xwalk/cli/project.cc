#include "xwalk/cli/project.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fnmatch.h>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/cli/accept_entries.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/check.h"
#include "xwalk/cli/compat.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/project_trust.h"
#include "xwalk/convert/convert.h"
#include "xwalk/io/bytes/credentials.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/report/decisions.h"

namespace xwalk::cli {
namespace {

/// How long entries of --write-accept count.
constexpr int kAcceptedDays = 365;

/// Returns the date of today or of a later day.
std::string today(int days_later = 0) {
  const auto day = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(day + std::chrono::days(days_later));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

bool is_expired(const FileAcceptance& one) { return one.finding.expires < today(); }

std::string subject_of(const FileAcceptance& one) {
  const std::string table = one.table.empty() ? "" : one.table + ": ";
  return fmt::format("{}{}: {}", table, one.finding.path, one.finding.rule);
}

const std::string& table_of(const report::Check& check) { return check.name; }
const std::string& table_of(const report::CompatCheck& check) { return check.new_name; }

/// Refuses options that are about one pair: those of the file have theirs there.
void refuse_options_of_one(const CommandLine& command, std::string_view file) {
  static const std::set<std::string> kOfAll = {
      "config", "output",     "all",       "rows",         "readers", "title",
      "owner",  "allow-host", "untrusted", "write-accept", "reason",  "expires",
      "wide",   "resume",     "jobs",      "verify",       "proof",   "overwrite"};
  for (const Argument* option : command.options()) {
    if (option->count() == 0 || option->group() == "Every command") continue;
    const std::string name = option->long_names().empty() ? "" : option->long_names().front();
    if (kOfAll.contains(name)) continue;
    throw Error(
        ErrorCode::Usage,
        fmt::format("--{} applies to one pair of tables, and no input is given", name), {},
        fmt::format("Name the input, or set {} in the section of the pair in {}.", name, file));
  }
}

bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  const bool has_form = std::ranges::equal(text, kForm, [](char c, char form) {
    return form == '0' ? c >= '0' && c <= '9' : c == form;
  });
  if (!has_form) return false;
  const auto number = [&](size_t at, size_t size) {
    return std::stoi(std::string(text.substr(at, size)));
  };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

}  // namespace

void check_write_accept(const ProjectOptions& options) {
  if (!options.write_accept && (options.reason || options.expires || options.wide)) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("{} has no effect without --write-accept", options.reason    ? "--reason"
                                                               : options.expires ? "--expires"
                                                                                 : "--wide"),
        {}, "Add --write-accept.");
  }
  if (options.reason && options.reason->empty()) {
    throw Error(ErrorCode::Usage, "--reason: expected a text, found nothing");
  }
  if (!options.expires) return;
  if (!is_date(*options.expires)) {
    throw Error(ErrorCode::Usage,
                fmt::format("--expires: expected a date such as 2027-03-31, found {}",
                            xwalk::quoted(*options.expires)));
  }
  if (*options.expires < today()) {
    throw Error(ErrorCode::Usage,
                fmt::format("--expires: {} has passed; today is {}", *options.expires, today()));
  }
}

namespace {

/// Returns the file of a conversion's rejected rows, or "".
std::string rejects_of(const ProjectSection& section) {
  constexpr std::string_view kOption = "--rejects=";
  for (const std::string& token : section.options) {
    if (token.starts_with(kOption)) return token.substr(kOption.size());
  }
  return "";
}

/// Returns what the tables of a section become, as the file says; "" if it does not.
std::string becomes_of(const ProjectSection& section) {
  if (section.verb == "convert") return section.output;
  constexpr std::string_view kTo = "--to=";
  for (const std::string& token : section.options) {
    if (token.starts_with(kTo)) return token.substr(kTo.size());
  }
  return "";
}

/// Returns the check of a conversion: its inputs, with those of its options that `check` has.
std::vector<std::string> check_of(const ProjectSection& section) {
  const Definition check(*std::ranges::find(verbs(), "check", &Verb::name));
  std::vector<std::string> out = section.check_options;
  bool has_target = false;
  for (const std::string& token : section.options) {
    const std::string name = token.substr(2, token.find('=') - 2);
    has_target = has_target || name == "to";
    if (token == "--mode=append") {
      // Inputs that were added before are left out, so that the answer is about all others.
      out.insert(out.end(), {"--mode=append-again", "--append=" + section.output});
      continue;
    }
    if (token == "--mode=upsert") out.push_back("--append=" + section.output);
    const auto is_same = [&](const Argument* option) {
      return !option->long_names().empty() && option->long_names().front() == name;
    };
    if (std::ranges::any_of(check.options(), is_same)) out.push_back(token);
  }
  // Rows that have a file are a decision, not a failure.
  const bool is_given = std::ranges::any_of(
      out, [](const std::string& token) { return token.starts_with("--on-error"); });
  if (!rejects_of(section).empty() && !is_given) out.emplace_back("--on-error=skip");
  if (!has_target) {
    const io::Format format = io::output_format(section.output, {});
    out.push_back(fmt::format("--to={}", format->word));
  }
  out.emplace_back("--");
  out.insert(out.end(), section.inputs.begin(), section.inputs.end());
  return out;
}

/// Returns the entries for findings of a section, with the reason and the last day of the options.
NewEntries new_entries(const ProjectSection& section, const std::vector<TableFinding>& findings,
                       const ProjectOptions& options) {
  NewEntries out{&section, entries_for(findings, options.wide)};
  for (FileAcceptance& entry : out.entries) {
    entry.finding.reason =
        options.reason.value_or("found by xwalk check --write-accept on " + today());
    entry.finding.expires = options.expires.value_or(today(kAcceptedDays));
  }
  return out;
}

void write_entries(const ProjectFile& file, const std::vector<NewEntries>& added,
                   Session& session) {
  size_t count = 0;
  for (const NewEntries& one : added) count += one.entries.size();
  if (count > 0) {
    const std::string text = with_entries(file, added);
    // A text that the next run cannot read is not written.
    (void)parse_project_file(file.path, text);
    std::error_code ignored;
    const std::filesystem::path real = std::filesystem::canonical(file.path, ignored);
    io::write_file(ignored ? file.path : real.string(), text,
                   {.mode = io::OutputMode::Overwrite, .durable = true});
  }
  session.note(fmt::format("{}: {} of accept written", shown_name(file.path),
                           count == 1 ? "1 entry" : fmt::format("{} entries", count)));
}

/// The pairs of a project, asked one after the other.
class Project {
 public:
  Project(ProjectFile file, const CommandLine& command, const ProjectOptions& options,
          Session& session)
      : file_(std::move(file)), command_(command), options_(options), session_(session) {
    found_.name = file_.path;
    found_.title = file_.title;
    found_.owner = file_.owner;
  }

  void ask(const ProjectSection& section) {
    const size_t first = found_.reports.size();
    const size_t first_problem = found_.problems.size();
    answered_ = true;
    line_ = section.line;
    if (!section.files.empty()) {
      session_.note(fmt::format(
          "{}:{}: not compared here: its old versions are those of a commit. The hook "
          "compat_since.py compares them{}",
          shown_name(file_.path), section.line,
          options_.write_accept ? ", and with --write-accept it writes their entries" : ""));
    }
    std::vector<std::vector<std::string>> questions = section.questions;
    if (section.verb == "convert") questions.push_back({"--", section.inputs.back()});
    for (const std::vector<std::string>& question : questions) {
      std::vector<std::string> tokens = section.options;
      tokens.insert(tokens.end(), question.begin(), question.end());
      try {
        if (section.verb == "convert") {
          ask_conversion(section);
        } else if (section.verb == "check") {
          ask_check(tokens);
        } else {
          ask_compat(tokens);
        }
      } catch (const Error& error) {
        // Errors that do not belong to the pair stop all of them.
        if (error.code() == ErrorCode::Interrupted || error.code() == ErrorCode::Internal) throw;
        const Error error_text = spelled_for_program(error);
        worst_ = std::max(worst_, exit_code(error.code()));
        answered_ = false;
        // The name and the line of the pair are printed before it already.
        Place place = error_text.place();
        if (place.file == file_.path) place = {};
        std::string text = Error(error_text.code(), error_text.message(), place).describe();
        for (const std::string& before :
             {shown_name(question.back()) + ": ", std::string("error: ")}) {
          if (text.starts_with(before)) text.erase(0, before.size());
        }
        std::ranges::replace(text, '\n', ' ');
        const std::string about = about_credentials();
        if (!about.empty()) text += fmt::format(" ({})", about);
        found_.problems.push_back({.kind = "error",
                                   .subject = question.back(),
                                   .text = std::move(text),
                                   .line = section.line,
                                   .reports = {first, found_.reports.size()},
                                   .hint = error_text.hint()});
      }
    }
    for (size_t i = first_problem; i < found_.problems.size(); ++i) {
      std::string& becomes = found_.problems[i].becomes;
      if (becomes.empty()) becomes = becomes_of(section);
    }
    for (const FileAcceptance& one : section.accepted) {
      if (is_expired(one)) {
        found_.problems.push_back(
            {.kind = "expired",
             .subject = subject_of(one),
             .text = fmt::format("accepted until {}: {}", one.finding.expires, one.finding.reason),
             .line = one.line});
        continue;
      }
      const bool met = accept(one, first);
      if (met || !answered_ || first == found_.reports.size()) continue;
      found_.problems.push_back({.kind = "not-found",
                                 .subject = subject_of(one),
                                 .text = "no report has this finding: remove the entry",
                                 .line = one.line});
    }
    if (options_.write_accept) collect_entries(section, first);
  }

  int finish(const ReportOutput& output) {
    if (options_.write_accept) write_entries(file_, added_, session_);
    const io::AnyReport report(std::move(found_), {});
    print_report(report, output, session_);
    if (worst_ != kDone) return worst_;
    return report.fails() ? kFound : kDone;
  }

 private:
  /// Calls a function with each report of a section that has findings to accept, from the
  /// `first`-th on.
  template <typename Function>
  void for_each_report(size_t first, const Function& function) {
    for (size_t i = first; i < found_.reports.size(); ++i) {
      std::visit(
          [&](auto& report) {
            if constexpr (requires { report.accepted; }) function(report);
          },
          found_.reports[i]);
    }
  }

  /// Accepts findings in the reports from the `first`-th on. Returns true if one has them.
  bool accept(const FileAcceptance& one, size_t first) {
    bool met = false;
    for_each_report(first, [&](auto& report) {
      const std::string table = seen_from(file_.path, table_of(report));
      if (!one.table.empty() && !report::is_table_like(table, one.table)) return;
      report.accepted.push_back(one.finding);
      met = met || report.has(one.finding);
    });
    return met;
  }

  /// Accepts what fails in the reports of a section, and keeps the entries for the file.
  void collect_entries(const ProjectSection& section, size_t first) {
    std::vector<TableFinding> findings;
    for_each_report(first, [&](const auto& report) {
      const std::string table = seen_from(file_.path, table_of(report));
      for (report::Acceptance& one : report::unaccepted(report)) {
        findings.push_back({table, std::move(one)});
      }
    });
    NewEntries& added = added_.emplace_back(new_entries(section, findings, options_));
    for (const FileAcceptance& entry : added.entries) (void)accept(entry, first);
  }

  /// Checks the tables of a conversion: each file if each has an output, those with the same
  /// options together.
  void ask_conversion(const ProjectSection& section) {
    const std::vector<SectionOutput> outputs = outputs_.add(section, [](const ProjectSection& one) {
      return read_row_options(conversion_tokens(one, {}));
    });
    const bool is_cut = !section.of_tables.empty() || !section.tables.except.empty();
    std::vector<std::shared_ptr<const ProjectSection>> parts;
    for (const SectionOutput& one : outputs) {
      if (std::ranges::find(parts, one.section) == parts.end()) parts.push_back(one.section);
    }
    for (const std::shared_ptr<const ProjectSection>& part : parts) {
      ProjectSection own = *part;
      std::vector<const io::OutputOf*> tables;
      if (is_cut) own.inputs.clear();
      for (const SectionOutput& one : outputs) {
        if (one.section != part) continue;
        tables.push_back(&one.of);
        if (is_cut) own.inputs.push_back(one.of.inputs.front());
      }
      ask_tables(own, tables);
    }
  }

  /// Checks the tables of a conversion that have the same options.
  void ask_tables(const ProjectSection& section, const std::vector<const io::OutputOf*>& outputs) {
    const bool is_each = !outputs.front()->folder.name().empty();
    const size_t first = found_.reports.size();
    const size_t first_problem = found_.problems.size();
    ask_check(check_of(section), is_each);
    const std::string rejects = rejects_of(section);
    const auto output_of = [&](const std::string& table) -> std::string {
      const auto found = std::ranges::find_if(outputs, [&](const io::OutputOf* known) {
        return !is_each || io::name_of(known->inputs) == table;
      });
      return found == outputs.end() ? "" : (*found)->output.name();
    };
    for (size_t i = first; i < found_.reports.size(); ++i) {
      auto& one = std::get<report::Check>(found_.reports[i]);
      one.rejects = rejects;
      one.output = output_of(one.name);
    }
    for (size_t i = first_problem; i < found_.problems.size(); ++i) {
      found_.problems[i].becomes = output_of(found_.problems[i].subject);
    }
  }

  void ask_check(const std::vector<std::string>& tokens, bool is_each = false) {
    CheckOptions options;
    CommandLine command;
    declare_check(command, &options);
    parse_tokens("check", command, tokens);
    // `compat` has no such options.
    options.apart = is_each;
    options.read_rows = options.read_rows || command_.has("--rows");
    options.read_readers = options.read_readers || command_.has("--readers");
    add(check(options, session_));
  }

  void ask_compat(const std::vector<std::string>& tokens) {
    CompatOptions options;
    CommandLine command;
    declare_compat(command, &options);
    parse_tokens("compat", command, tokens);
    add(compare(options, session_));
  }

  /// Adds the reports and the problems of a pair.
  void add(io::AnyReport report) {
    const size_t first = found_.reports.size();
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.reports; }) {
            found_.reports.insert(found_.reports.end(), one.reports.begin(), one.reports.end());
          } else if constexpr (requires { found_.reports.front() = one; }) {
            found_.reports.emplace_back(one);
          }
        },
        report.found());
    for (report::Problem problem : report.problems()) {
      problem.line = line_;
      problem.reports = {first, found_.reports.size()};
      found_.problems.push_back(std::move(problem));
      answered_ = false;
    }
    worst_ = std::max(worst_, worst_code(report.errors(), false));
    reports_.push_back(std::move(report));
  }

  ProjectFile file_;
  ProjectOutputs outputs_{file_.path};
  const CommandLine& command_;
  const ProjectOptions& options_;
  Session& session_;
  report::ReportSet found_;
  /// What the reports refer to.
  std::vector<io::AnyReport> reports_;
  std::vector<NewEntries> added_;
  /// Of the section that is asked: its line, and whether every file of it had an answer.
  uint64_t line_ = 0;
  bool answered_ = true;
  int worst_ = kDone;
};

}  // namespace

io::OptionTokens conversion_tokens(const ProjectSection& section, io::OptionTokens given) {
  CommandLine command;
  declare_options(command, io::kConvert, &given);
  parse_tokens("convert", command, section.options);
  given[hub::Option::Resume] = {};
  return given;
}

std::vector<SectionOutput> ProjectOutputs::add(const ProjectSection& section,
                                               const OptionsOf& options_of) {
  std::vector<SectionOutput> outputs = outputs_of(file_, section, options_of);
  for (const SectionOutput& output : outputs) {
    const io::OutputOf& one = output.of;
    std::string name = one.output;
    if (one.output.kind() == io::LocationKind::Local) {
      name = std::filesystem::weakly_canonical(std::filesystem::absolute(name)).string();
    }
    const auto [other, is_new] = lines_.emplace(std::move(name), output.section->line);
    // Inputs that are added to one output take turns.
    const bool adds = one.options.output.mode == io::OutputMode::Append;
    if (is_new || (adds && other->second == output.section->line)) continue;
    Place place;
    place.file = file_;
    place.line = output.section->line;
    throw Error(ErrorCode::Usage,
                fmt::format("two conversions would write {}, the other in line {}",
                            xwalk::quoted(one.output), other->second),
                place);
  }
  return outputs;
}

void declare_project(CommandLine& command, ProjectOptions* options, bool writes) {
  add_text(command, "--config", &options->config, "FILE",
           "file of the project's pairs; the nearest xwalk.toml else, from here upwards")
      ->group("Project");
  add_list(command, "--allow-host", &options->allow_hosts, "HOST",
           "send credentials to this host, although the project's file names it")
      ->group("Project");
  if (writes) return;
  add_flag(command, "--untrusted", &options->untrusted,
           "the project's file is a stranger's: only files of its repository, no URIs")
      ->group("Project");
}

void declare_write_accept(CommandLine& command, ProjectOptions* options) {
  add_flag(command, "--write-accept", &options->write_accept,
           "add entries of accept to the project's file for all findings that fail")
      ->group("Project");
  add_flag(command, "--wide", &options->wide,
           "the new entries are for all tables, and patterns for many paths")
      ->group("Project");
  add_text(command, "--reason", &options->reason, "TEXT", "reason of the new entries")
      ->group("Project");
  add_text(command, "--expires", &options->expires, "DATE",
           "last day of the new entries, such as 2027-03-31 (default: in a year)")
      ->group("Project");
}

ProjectFile open_project(const std::string& path, const ProjectOptions& options) {
  if (options.untrusted && !options.allow_hosts.empty()) {
    throw Error(ErrorCode::Usage, "--allow-host contradicts --untrusted, which sends nothing");
  }
  std::vector<std::string> hosts = options.allow_hosts;
  if (!options.untrusted) {
    const std::vector<std::string> more = hosts_of_user();
    hosts.insert(hosts.end(), more.begin(), more.end());
  }
  io::limit_credentials(std::move(hosts));
  io::PlaceLimit limit{.top = repository_of(path),
                       .reads_outside = !options.untrusted,
                       .writes_outside = options.config.has_value() && !options.untrusted};
  for (const io::Location name : options.named) {
    limit.named.push_back(name);
    const bool is_local = name.kind() == io::LocationKind::Local;
    const io::Location side =
        io::side_schema_path(is_local ? name.renamed(io::without_links(name)) : name);
    std::error_code ignored;
    if (!is_local || !std::filesystem::is_symlink(side.name(), ignored)) {
      limit.named.push_back(side);
    }
  }
  if (!options.untrusted) limit.named.push_back(path);
  io::limit_places(std::move(limit));
  return read_project_file(path);
}

std::string about_credentials() {
  const std::vector<std::string> hosts = io::hosts_without_credentials();
  if (hosts.empty()) return "";
  return fmt::format(
      "{} got no credentials, since only the project's file names {}: --allow-host sends them",
      join(hosts, ", "), hosts.size() == 1 ? "it" : "them");
}

ProjectFile project_of(const CommandLine& command, const ProjectOptions& options,
                       std::string_view missing, std::string_view usage) {
  std::optional<std::string> path = options.config;
  FoundFile found;
  if (!path) {
    found = find_project_file();
    path = found.path;
  }
  if (!path && !found.refused.empty()) {
    throw Error(ErrorCode::Usage, found.refused);
  }
  if (!path) {
    throw Error(
        ErrorCode::Usage, fmt::format("{} missing", missing), {},
        fmt::format("usage: xwalk {}. Without arguments, it reads {}; none was found in this "
                    "folder or its parents.",
                    usage, kProjectFile));
  }
  refuse_options_of_one(command, *path);
  check_write_accept(options);
  if (options.write_accept && !options.config && leads_outside(*path)) {
    throw Error(ErrorCode::Usage,
                "--write-accept: expected a file of the repository, found a link out of it",
                {.file = *path},
                fmt::format("--config {} changes the file that it leads to.", *path));
  }
  return open_project(*path, options);
}

int run_project(const CommandLine& command, const ProjectOptions& options, std::string_view only,
                const ReportOutput& output, Session& session) {
  const ProjectFile file = only.empty()
                               ? project_of(command, options, "IN is", "check IN... --to F")
                               : project_of(command, options, "OLD is", "compat OLD NEW");
  Project project(file, command, options, session);
  for (const ProjectSection& section : file.sections) {
    if (only.empty() || section.verb == only) project.ask(section);
  }
  return project.finish(output);
}

std::vector<report::Acceptance> AcceptedToday::of(const std::string& table) {
  std::vector<report::Acceptance> out;
  const std::string seen = seen_from(file_.path, table);
  for (const FileAcceptance& one : section_.accepted) {
    if (!one.table.empty() && !report::is_table_like(seen, one.table)) continue;
    if (!is_expired(one)) {
      out.push_back(one.finding);
    } else if (reported_.insert(one.line).second) {
      session_.note(fmt::format("{}:{}: expired: {} was accepted until {}", file_.path, one.line,
                                subject_of(one), one.finding.expires));
    }
  }
  return out;
}

std::vector<report::Acceptance> write_accept(const ProjectFile& file, const ProjectSection& section,
                                             const report::CompatCheck& report,
                                             const ProjectOptions& options, Session& session) {
  const std::string table = seen_from(file.path, report.new_name);
  std::vector<TableFinding> findings;
  for (report::Acceptance& one : report::unaccepted(report)) {
    findings.push_back({table, std::move(one)});
  }
  const NewEntries added = new_entries(section, findings, options);
  write_entries(file, {added}, session);
  std::vector<report::Acceptance> out;
  for (const FileAcceptance& entry : added.entries) out.push_back(entry.finding);
  return out;
}

std::optional<hub::Verdict> fail_on_of(const ProjectSection& section) {
  CheckOptions options;
  CommandLine command;
  declare_check(command, &options);
  parse_tokens("check", command, section.check_options);
  return options.fail_on;
}

const ProjectSection* section_of(const ProjectFile& file, const std::string& path) {
  const auto plain = [](const std::string& name) {
    return std::filesystem::absolute(name).lexically_normal().string();
  };
  for (const ProjectSection& section : file.sections) {
    for (const std::string& pattern : section.files) {
      if (fnmatch(plain(pattern).c_str(), plain(path).c_str(), 0) == 0) return &section;
    }
  }
  return nullptr;
}

}  // namespace xwalk::cli
