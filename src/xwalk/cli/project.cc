#include "xwalk/cli/project.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fnmatch.h>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/check.h"
#include "xwalk/cli/compat.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/project_trust.h"
#include "xwalk/io/bytes/credentials.h"

namespace xwalk::cli {
namespace {

std::string today() {
  const auto day = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

bool is_expired(const FileAcceptance& one) { return one.finding.expires < today(); }

std::string subject_of(const FileAcceptance& one) {
  return fmt::format("{}: {}", one.finding.path, one.finding.rule);
}

/// Refuses options that are about one pair: those of the file have theirs there.
void refuse_options_of_one(const CommandLine& command, std::string_view file) {
  static const std::set<std::string> kOfAll = {"config",  "output",     "all",      "rows",
                                               "readers", "allow-host", "untrusted"};
  for (const Argument* option : command.options()) {
    if (option->count() == 0 || option->group() == "Every command") continue;
    const std::string name = option->long_names().empty() ? "" : option->long_names().front();
    if (kOfAll.contains(name)) continue;
    throw Error(
        ErrorCode::Usage,
        fmt::format("xwalk {}: --{} is about one pair, and there is none", command.name(), name),
        {}, fmt::format("Name it, or say {} in {} in the section of the pair.", name, file));
  }
}

/// The pairs of a project, asked one after the other.
class Project {
 public:
  Project(ProjectFile file, const CommandLine& command, Session& session)
      : file_(std::move(file)), command_(command), session_(session) {
    found_.name = file_.path;
  }

  void ask(const ProjectSection& section) {
    const size_t first = found_.reports.size();
    answered_ = true;
    line_ = section.line;
    for (const std::vector<std::string>& question : section.questions) {
      std::vector<std::string> tokens = section.options;
      tokens.insert(tokens.end(), question.begin(), question.end());
      try {
        if (section.verb == "check") {
          ask_check(tokens);
        } else {
          ask_compat(tokens);
        }
      } catch (const Error& error) {
        // Errors that do not belong to the pair stop all of them.
        if (error.code() == ErrorCode::Interrupted || error.code() == ErrorCode::Internal) throw;
        const Error told = in_words(error);
        worst_ = std::max(worst_, exit_code(error.code()));
        answered_ = false;
        // The name of the pair is printed before it already.
        std::string text = told.describe();
        for (const std::string& before :
             {shown_name(question.back()) + ": ", std::string("error: ")}) {
          if (text.starts_with(before)) text.erase(0, before.size());
        }
        std::ranges::replace(text, '\n', ' ');
        const std::string about = about_credentials();
        if (!about.empty()) text += fmt::format(" ({})", about);
        found_.problems.push_back({"error", question.back(), std::move(text), section.line});
      }
    }
    for (const FileAcceptance& one : section.accepted) {
      if (is_expired(one)) {
        found_.problems.push_back(
            {"expired", subject_of(one),
             fmt::format("accepted until {}: {}", one.finding.expires, one.finding.reason),
             one.line});
        continue;
      }
      bool met = !answered_ || first == found_.reports.size();
      for (size_t i = first; i < found_.reports.size(); ++i) {
        std::visit(
            [&](auto& check) {
              if constexpr (requires { check.accepted; }) {
                check.accepted.push_back(one.finding);
                met = met || check.has(one.finding);
              }
            },
            found_.reports[i]);
      }
      if (met) continue;
      found_.problems.push_back({"not-found", subject_of(one),
                                 "accepted, and found no more: take it out of the file", one.line});
    }
  }

  int finish(const ReportOutput& output) {
    print_report(found_, output, session_);
    if (worst_ != kDone) return worst_;
    return found_.fails() ? kFound : kDone;
  }

 private:
  void ask_check(const std::vector<std::string>& tokens) {
    CheckOptions options;
    CommandLine command;
    declare_check(command, &options);
    parse_tokens("check", command, tokens);
    // `compat` has no such options.
    options.read_rows = options.read_rows || command_.has("--rows");
    options.read_readers = options.read_readers || command_.has("--readers");
    checks_.push_back(check(options, session_));
    for (const io::CheckedTable& table : checks_.back().tables) {
      found_.reports.emplace_back(table.check);
    }
    add_problems(checks_.back().problems, checks_.back().errors);
  }

  void ask_compat(const std::vector<std::string>& tokens) {
    CompatOptions options;
    CommandLine command;
    declare_compat(command, &options);
    parse_tokens("compat", command, tokens);
    compared_.push_back(compare(options, session_));
    const Compared& found = compared_.back();
    for (const crosswalk::CompatCheck& one : found.checks) found_.reports.emplace_back(one);
    add_problems(found.tables->problems, found.errors());
  }

  /// Adds the problems of single files of a pair.
  void add_problems(const std::vector<crosswalk::Problem>& problems,
                    const std::vector<Error>& errors) {
    for (crosswalk::Problem& problem : io::spelled(problems, hub::Interface::Program)) {
      problem.line = line_;
      found_.problems.push_back(std::move(problem));
    }
    answered_ = answered_ && problems.empty();
    worst_ = std::max(worst_, worst_code(errors, false));
  }

  ProjectFile file_;
  const CommandLine& command_;
  Session& session_;
  crosswalk::ReportSet found_;
  std::vector<io::CheckedInputs> checks_;
  std::vector<Compared> compared_;
  /// Of the section that is asked: its line, and whether every file of it had an answer.
  uint64_t line_ = 0;
  bool answered_ = true;
  int worst_ = kDone;
};

}  // namespace

void declare_project(CommandLine& command, ProjectOptions* options) {
  add_text(command, "--config", &options->config, "FILE",
           "file of the project's pairs; the nearest xwalk.toml else, from here upwards")
      ->group("Project");
  add_list(command, "--allow-host", &options->allow_hosts, "HOST",
           "send credentials to this host, although the project's file names it")
      ->group("Project");
  add_flag(command, "--untrusted", &options->untrusted,
           "the project's file is a stranger's: only files of its repository, no URIs")
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
  return read_project_file(path, !options.untrusted);
}

std::string about_credentials() {
  const std::vector<std::string> hosts = io::hosts_without_credentials();
  if (hosts.empty()) return "";
  return fmt::format(
      "{} got no credentials, since only the project's file names {}: --allow-host sends them",
      join(hosts, ", "), hosts.size() == 1 ? "it" : "them");
}

int run_project(const CommandLine& command, const ProjectOptions& options, std::string_view only,
                const ReportOutput& output, Session& session) {
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
    const std::string_view usage = only.empty() ? "check IN... --to F" : "compat OLD NEW";
    throw Error(
        ErrorCode::Usage,
        fmt::format("xwalk {}: {} is required", command.name(), only.empty() ? "IN" : "OLD"), {},
        fmt::format("usage: xwalk {}. Without arguments, it reads {}; none was found in this "
                    "folder or its parents.",
                    usage, kProjectFile));
  }
  refuse_options_of_one(command, *path);
  const ProjectFile file = open_project(*path, options);
  Project project(file, command, session);
  for (const ProjectSection& section : file.sections) {
    if (only.empty() || section.verb == only) project.ask(section);
  }
  return project.finish(output);
}

std::vector<crosswalk::Acceptance> accepted_today(const ProjectFile& file,
                                                  const ProjectSection& section, Session& session) {
  std::vector<crosswalk::Acceptance> out;
  for (const FileAcceptance& one : section.accepted) {
    if (is_expired(one)) {
      session.note(fmt::format("{}:{}: expired: {} was accepted until {}", file.path, one.line,
                               subject_of(one), one.finding.expires));
    } else {
      out.push_back(one.finding);
    }
  }
  return out;
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
