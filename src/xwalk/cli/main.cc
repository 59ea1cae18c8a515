#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/built_with.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/help.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/invocation.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/query.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/hub/option_names.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/plugins/engine_load.h"
#include "xwalk/version.h"

namespace xwalk::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs = {
      convert_verb(),  schema_verb(), info_verb(),   type_verb(),       check_verb(),
      validate_verb(), head_verb(),   tail_verb(),   explain_verb(),    formats_verb(),
      types_verb(),    diff_verb(),   compat_verb(), merge_verb(),      job_verb(),
      evolve_verb(),   verify_verb(), vortex_verb(), completion_verb(), man_verb(),
  };
  return kVerbs;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  return names;
}

namespace {

const Verb* find_verb(const std::string& word) {
  for (const Verb& verb : verbs()) {
    if (verb.name == word) return &verb;
  }
  return nullptr;
}

/// What people type who know another program, and what does it here.
struct Wish {
  std::string_view word;
  std::string_view answer;
};

constexpr std::string_view kHead = "xwalk head FILE shows the first rows, -n N more of them.";
constexpr std::string_view kCount = "xwalk validate FILE reads all rows, checks and counts them.";
constexpr std::string_view kColumns = "xwalk schema FILE shows the columns of a file.";
constexpr std::string_view kConvert = "xwalk convert IN OUT converts a file.";
constexpr std::string_view kReport =
    "xwalk check FOLDER --to F --output management prints a page for those who decide; --output "
    "html has every column. Without FOLDER, the pairs of xwalk.toml are checked.";
constexpr std::string_view kMigrate =
    "xwalk convert FOLDER OUT/ --to F --resume converts every file and continues after an "
    "interruption; --verify proves the result. Without FOLDER, the conversions of xwalk.toml are "
    "run.";
constexpr std::string_view kQuery =
    "Queries are a query engine's work: xwalk convert FILE rows.parquet, then duckdb -c \"SELECT * "
    "FROM 'rows.parquet' WHERE …\"; or read the file itself with xwalk's DuckDB extension.";
constexpr std::array kWishes = {
    Wish{"cat", "xwalk convert FILE - --to json prints all rows; xwalk head FILE the first ones."},
    Wish{"show", kHead},
    Wish{"view", kHead},
    Wish{"print", kHead},
    Wish{"less", kHead},
    Wish{"ls", kColumns},
    Wish{"list", kColumns},
    Wish{"describe", kColumns},
    Wish{"columns", kColumns},
    Wish{"count", kCount},
    Wish{"wc", kCount},
    Wish{"sql", kQuery},
    Wish{"query", kQuery},
    Wish{"select", kQuery},
    Wish{"where", kQuery},
    Wish{"filter", kQuery},
    Wish{"grep", kQuery},
    Wish{"sort", kQuery},
    Wish{"cp", kConvert},
    Wish{"copy", kConvert},
    Wish{"export", kConvert},
    Wish{"import", kConvert},
    Wish{"report", kReport},
    Wish{"summary", kReport},
    Wish{"migrate", kMigrate},
    Wish{"sync", kMigrate},
};

Error unknown_verb(const std::string& word) {
  const auto* wish = std::ranges::find(kWishes, word, &Wish::word);
  if (wish != kWishes.end()) {
    return Error(ErrorCode::Usage, fmt::format("unknown command {}", xwalk::quoted(word)), {},
                 std::string(wish->answer));
  }
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    return Error(
        ErrorCode::Usage, fmt::format("expected a command, found the file {}", xwalk::quoted(word)),
        {},
        fmt::format("Its first rows: xwalk head {0}. Its schema: xwalk schema {0}. Its size and "
                    "columns: xwalk info {0}.",
                    word));
  }
  if (word.starts_with('-')) {
    Error error(ErrorCode::Usage, "unknown option " + word, {},
                did_you_mean(word, {"--version", "--help"}));
    if (error.hint().empty())
      error.with_hint("Options follow the command: xwalk COMMAND --help lists them.");
    return error;
  }
  Error error = unknown_word("command", word, verb_names(), false);
  if (error.hint().empty()) error.with_hint("xwalk --help lists the commands.");
  return error;
}

/// Returns how an unknown option was probably meant: `-to` as `--to`, `--allow-lossy` as
/// `--allow lossy`; "" if it is not like any.
std::string meant_option(const std::string& word, const std::vector<std::string>& known) {
  const std::string name = word.substr(0, word.find('='));
  const auto is_known = [&](const std::string& one) {
    return one.size() > 3 && std::ranges::find(known, one) != known.end();
  };
  if (!name.starts_with("--")) return is_known("-" + name) ? "Did you mean -" + name + "?" : "";
  for (size_t dash = name.rfind('-'); dash > 1; dash = name.rfind('-', dash - 1)) {
    const std::string option = name.substr(0, dash);
    if (!is_known(option)) continue;
    return fmt::format("Did you mean {} {}?", option, name.substr(dash + 1));
  }
  return "";
}

/// Returns which other commands have an option; "" if none has.
std::string commands_with(const std::string& name) {
  std::vector<std::string> found;
  for (const Verb& verb : verbs()) {
    CommandLine command(verb.name);
    CommonOptions common;
    Session session;
    declare(verb, command, &session, &common);
    const auto is_named = [&](const std::string& one) { return "--" + one == name; };
    if (std::ranges::any_of(command.options(), [&](const Argument* option) {
          return !option->group().empty() && std::ranges::any_of(option->long_names(), is_named);
        })) {
      found.push_back(fmt::format("xwalk {}", verb.name));
    }
  }
  return found.empty() ? "" : fmt::format("{} is an option of {}.", name, fmt::join(found, ", "));
}

/// Refuses options that the verb does not have, so that the words after them do not become
/// arguments.
void refuse_unknown_options(const Verb& verb, const CommandLine& command,
                            const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  std::vector<const Argument*> options;
  for (const Argument* option : command.options()) {
    for (const std::string& name : option->long_names()) known.push_back("--" + name);
    for (const std::string& name : option->short_names()) known.push_back("-" + name);
    options.resize(known.size(), option);
  }
  bool is_value = false;
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (is_value) {
      is_value = false;
      continue;
    }
    if (word.size() < 2 || word[0] != '-' || is_ascii_digit(word[1])) continue;
    std::string name = word.substr(0, word.find('='));
    if (word[1] != '-') name = word.substr(0, 2);
    const auto found = std::ranges::find(known, name);
    if (found != known.end()) {
      const Argument& option = *options[static_cast<size_t>(found - known.begin())];
      is_value = option.takes_value() && name == word;
      continue;
    }
    if (is_query_option(name)) {
      throw query_error(verb.name, arguments, [&](const std::string& other) {
        const auto at = std::ranges::find(known, other);
        return at != known.end() && options[static_cast<size_t>(at - known.begin())]->takes_value();
      });
    }
    std::string hint = meant_option(word, known);
    if (hint.empty()) hint = commands_with(name);
    if (hint.empty()) hint = hub::suggested_option(name, known, hub::Interface::Program);
    if (hint.empty()) hint = fmt::format("xwalk {} --help lists the options.", verb.name);
    throw Error(ErrorCode::Usage, "unknown option " + name, {}, std::move(hint));
  }
}

int run_verb(const Verb& verb, std::vector<std::string> arguments, Session* session) {
  CommandLine command(verb.name);
  CommonOptions common;
  const Action action = declare(verb, command, session, &common);

  // Help wins over whatever else is wrong with the words.
  for (auto word = arguments.begin(); word != arguments.end() && *word != "--"; ++word) {
    if (*word == "--help" || *word == "-h") {
      const std::string topic = std::next(word) == arguments.end() ? "" : *std::next(word);
      session->print(help_of(verb, command, session->out(), topic));
      return kDone;
    }
  }
  refuse_unknown_options(verb, command, arguments);
  parse_tokens(verb.name, command, arguments);
  session->color = !common.no_color;
  session->settle();
  return action(*session);
}

int run(const std::vector<std::string>& arguments, Session* session) {
  if (arguments.empty()) {
    session->print(welcome(session->out()));
    return kDone;
  }
  const std::string& first = arguments[0];
  if (first == "--version" || first == "version") {
    const bool in_full =
        arguments.size() > 1 && (arguments[1] == "-v" || arguments[1] == "--verbose");
    session->print(in_full ? built_with() : fmt::format("xwalk {}\n", XWALK_VERSION));
    return kDone;
  }
  bool wants_help = first == "--help" || first == "-h" || first == "help";
  if (wants_help && arguments.size() == 1) {
    session->print(overview(session->out()));
    return kDone;
  }
  const std::string& name = wants_help ? arguments[1] : first;
  const Verb* verb = find_verb(name);
  if (verb == nullptr) throw unknown_verb(name);
  if (wants_help)
    return run_verb(*verb, {"--help", arguments.size() > 2 ? arguments[2] : ""}, session);
  return run_verb(*verb, {arguments.begin() + 1, arguments.end()}, session);
}

/// Reports the number of requests to stores.
void tell_traffic(Session* session) {
  // Collected only if it is reported: after a run there may be no memory left to collect it.
  if (!session->verbose) return;
  const io::StoreTraffic traffic = io::store_traffic();
  if (traffic.requests == 0) return;
  session->note(fmt::format("stores: {}, {} read, {} written", counted(traffic.requests, "request"),
                            counted(traffic.bytes_read, "byte"),
                            counted(traffic.bytes_written, "byte")));
  if (traffic.bytes_written > 0) {
    session->note(
        "stores: a run that is killed may leave parts of an upload in S3, which cost space: "
        "aws s3api list-multipart-uploads --bucket BUCKET lists them");
  }
  if (traffic.staged > 0) {
    session->note(
        fmt::format("stores: {} under a hidden name that a run left which was ended, or one that "
                    "writes now: {}{}",
                    counted(traffic.staged, "object"), visible(traffic.first_staged),
                    traffic.staged > 1 ? " and others" : ""));
  }
  if (traffic.fetched_whole > 0) {
    session->note("stores: a server gives no ranges of a file, which was fetched whole");
  }
}

bool has_word(int argc, char** argv, std::string_view word) {
  return std::find(argv + 1, argv + argc, word) != argv + argc;
}

int guarded(int argc, char** argv) try {
  Session session;
  // Known before the options are read, so that errors about them obey.
  session.json = has_word(argc, argv, "--json");
  session.color = !has_word(argc, argv, "--no-color");
  session.settle();
  try {
    io::use_interpreter_of_environment();
    int code = run({argv + 1, argv + argc}, &session);
    session.flush();
    tell_traffic(&session);
    return code;
  } catch (const Error& error) {
    // An engine that a signal ended, too, may have been the first to notice.
    if (interrupted()) {
      tell_fate();
      return interrupted_code();
    }
    // Output printed before the error comes first.
    if (error.code() != ErrorCode::ClosedPipe) {
      try {
        session.flush();
      } catch (const Error& second) {
        return report(session, second);
      }
    }
    int code = report(session, error);
    tell_traffic(&session);
    return dynamic_cast<const crosswalk::Refusal*>(&error) != nullptr ? kFound : code;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    return report(session, io::file_error(error));
  } catch (const std::system_error& error) {
    return report(session, Error(ErrorCode::Io, error.what()));
  } catch (const std::exception& error) {
    return report(session, Error(ErrorCode::Internal, error.what()));
  }
} catch (const std::bad_alloc&) {
  // Nothing more is made to say so.
  static constexpr std::string_view kText = "xwalk: error: not enough memory\n";
  static constexpr std::string_view kJson =
      R"({"error":{"code":"io","message":"not enough memory"}})"
      "\n";
  const std::string_view message = has_word(argc, argv, "--json") ? kJson : kText;
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  return kIo;
}

}  // namespace
}  // namespace xwalk::cli

int main(int argc, char** argv) {
  // Closed pipes are seen as errors of write, where what was begun can be taken back.
  std::signal(SIGPIPE, SIG_IGN);
  xwalk::cli::catch_interrupts();
  xwalk::cli::set_invocation(argc, argv);
  const int code = xwalk::cli::guarded(argc, argv);
  xwalk::io::end_past_loader(code);
  return code;
}
