#include "xwalk/cli/compat.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/verb.h"
#include "xwalk/io/bytes/credentials.h"
#include "xwalk/io/formats/option_check.h"

namespace xwalk::cli {
namespace {

using crosswalk::CompatMode;

/// Reads the project file, and applies its settings for NEW that the command line does not set.
ProjectFile use_project_file(const CommandLine& command, CompatOptions* options) {
  // The command line names these hosts, not the file.
  ProjectOptions trust = options->project;
  for (const std::string& name : {options->old_path, options->new_path}) {
    trust.named.push_back(name);
    if (!trust.untrusted && io::is_uri(name)) {
      trust.allow_hosts.push_back(io::named_host(name, side_options(options->tokens).storage));
    }
  }
  ProjectFile file = open_project(*options->project.config, trust);
  const ProjectSection* section = section_of(file, options->new_path);
  if (section == nullptr) return file;
  const CompatOptions given = *options;
  CompatOptions parsed;
  CommandLine line;
  declare_compat(line, &parsed);
  parse_tokens("compat", line, section->options);
  *options = parsed;
  options->old_path = given.old_path;
  options->new_path = given.new_path;
  options->output = given.output;
  options->project = given.project;
  if (command.has("--mode")) options->mode = given.mode;
  if (command.has("--allow")) options->allow = given.allow;
  if (command.has("--from"))
    options->tokens[hub::Option::Format] = given.tokens.at(hub::Option::Format);
  return file;
}

/// Compares OLD with NEW as a section of the project file says, and adds entries to it for what
/// fails if asked to.
io::AnyReport compare_by_file(const CommandLine& command, CompatOptions& options,
                              Session& session) {
  check_write_accept(options.project);
  const ProjectFile file = use_project_file(command, &options);
  const ProjectSection* section = section_of(file, options.new_path);
  if (section == nullptr) {
    if (!options.project.write_accept) return compare(options, session);
    throw Error(ErrorCode::Usage,
                fmt::format("--write-accept: expected a [[compat]] whose new is {}, found none",
                            xwalk::quoted(options.new_path)),
                {.file = file.path});
  }
  std::vector<report::Acceptance> accepted =
      AcceptedToday(file, *section, session).of(options.new_path);
  io::AnyReport found = compare(options, session, accepted);
  const auto* report = std::get_if<report::CompatCheck>(&found.found());
  if (!options.project.write_accept || report == nullptr) return found;
  std::ranges::move(write_accept(file, *section, *report, options.project, session),
                    std::back_inserter(accepted));
  return compare(options, session, std::move(accepted));
}

int run(const CommandLine& command, CompatOptions& options, Session& session) {
  set_report_form(options.output, session);
  if (options.old_path.empty()) {
    return run_project(command, options.project, "compat", options.output, session);
  }
  if (options.new_path.empty()) {
    throw Error(ErrorCode::Usage, "xwalk compat: NEW is missing: schema of the readers", {},
                "usage: xwalk compat OLD NEW [--mode backward|forward|full]");
  }
  if (!options.project.config &&
      (options.project.untrusted || options.project.write_accept || options.project.wide ||
       options.project.reason || options.project.expires || !options.project.allow_hosts.empty())) {
    throw Error(ErrorCode::Usage,
                "xwalk compat: --allow-host, --untrusted and --write-accept are about --config");
  }
  const io::AnyReport found = options.project.config ? compare_by_file(command, options, session)
                                                     : compare(options, session);
  print_report(found, options.output, session);
  return worst_code(found.errors(), found.fails());
}

}  // namespace

io::AnyReport compare(const CompatOptions& options, Session& session,
                      std::vector<report::Acceptance> accepted) {
  yt::CompatibilityOptions allowed;
  for (const std::string& word : options.allow) {
    if (word == "rename") {
      allowed.allow_rename = true;
    } else if (word == "removal") {
      allowed.allow_removal = true;
    } else {
      throw unknown_word("--allow", word, {"rename", "removal"});
    }
  }
  io::check_storage(side_options(options.tokens).storage, {options.old_path, options.new_path});
  return io::compat(
      read_pairs(options.old_path, options.tokens, options.new_path, options.tokens, session),
      {.mode = options.mode, .allowed = allowed, .accepted = std::move(accepted)},
      hub::Interface::Program);
}

void declare_compat(CommandLine& command, CompatOptions* options) {
  add_text(command, "OLD", &options->old_path, "OLD", "schema of the data");
  add_text(command, "NEW", &options->new_path, "NEW", "schema of the readers");
  declare_option(command, hub::Option::Format, &options->tokens, "system of both schemas");
  add_choice<CompatMode>(
      command, "--mode", &options->mode,
      {{"backward", CompatMode::Backward},
       {"forward", CompatMode::Forward},
       {"full", CompatMode::Full}},
      "can new readers read old data, old readers new data, or both (default: backward)")
      ->group("Question");
  add_list(command, "--allow", &options->allow, "rename,removal",
           "accept these changes, which YTsaurus refuses by default")
      ->group("Question");
  declare_options(command, io::kPairs, &options->tokens);
  declare_report(command, &options->output);
  declare_project(command, &options->project);
  declare_write_accept(command, &options->project);
}

Verb compat_verb() {
  return {
      "compat",
      "checks if data of one schema can be read with another, and why not",
      "[OLD NEW] [--mode backward|forward|full]",
      {{"xwalk compat v1.schema v2.schema", "can readers of v2 read data of v1?"},
       {"xwalk compat v1.schema v2.schema --mode full --allow rename", ""},
       {"xwalk compat old.parquet new.parquet", "two files of any system"},
       {"xwalk compat", ""}},
      "Answers: compatible, needs validation (some values may not fit), incompatible. Two YTsaurus "
      "schemas are checked by that system's own rules, all others by the values their types hold. "
      "Exits 1 unless compatible. Without OLD and NEW, all pairs of xwalk.toml are checked, found "
      "from the current folder upwards.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<CompatOptions>();
        declare_compat(command, options.get());
        return [options, &command](Session& session) { return run(command, *options, session); };
      }};
}

}  // namespace xwalk::cli
