#include <memory>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {
namespace {

using What = Expected::What;

enum class Shell { Bash, Zsh, Fish };

/// Returns the names of an option as they are typed: `-o`, `--output`.
std::vector<std::string> dashed_names(const Argument& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.short_names()) names.push_back("-" + name);
  for (const std::string& name : option.long_names()) names.push_back("--" + name);
  return names;
}

std::string joined_verbs() { return join(verb_names(), " "); }

std::string replaced(std::string_view text, std::string_view which, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (which.find(c) != std::string_view::npos) out += before;
    out += c;
  }
  return out;
}

/// Quotes for a shell: between single quotes, where `quote` stands for a single quote.
std::string single_quoted(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      out += c;
    }
  }
  return out + "'";
}

// One block a shell.

std::string bash_answer(const Expected& expected) {
  switch (expected.what) {
    case What::Choices:
      return fmt::format("_xwalk_words {}", single_quoted(join(expected.tokens, " "), "'\\''"));
    case What::Files:
      return "_xwalk_files";
    case What::Nothing:
    case What::Anything:
      return ":";
  }
  return ":";
}

std::string bash_verb(const Definition& definition) {
  std::string values;
  std::vector<std::string> names;
  for (const Argument* option : definition.options()) {
    const std::vector<std::string> own = dashed_names(*option);
    names.insert(names.end(), own.begin(), own.end());
    const Expected expected = expected_of(*option);
    if (expected.what == What::Nothing) continue;
    values += fmt::format("        {}) {}; return ;;\n", join(own, "|"), bash_answer(expected));
  }
  Expected place;
  if (!definition.positionals().empty()) place = expected_of(*definition.positionals().front());
  std::string out = fmt::format("    {})\n", definition.verb().name);
  if (!values.empty()) out += "      case $previous in\n" + values + "      esac\n";
  out += fmt::format("      if [[ $current == -* ]]; then _xwalk_words '{}'; else {}; fi ;;\n",
                     join(names, " "), bash_answer(place));
  return out;
}

std::string bash_script() {
  std::string out =
      "# Completion of xwalk for bash, made by `xwalk completion bash`.\n"
      "# In ~/.bashrc: eval \"$(xwalk completion bash)\"\n"
      "_xwalk_words() {\n"
      "  local IFS=$' \\t\\n'\n"
      "  COMPREPLY=($(compgen -W \"$1\" -- \"$current\"))\n"
      "}\n"
      "_xwalk_files() {\n"
      "  local IFS=$'\\n'\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "}\n"
      "_xwalk() {\n"
      "  COMPREPLY=()\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  # Bash splits `--option=value` into three words.\n"
      "  if [[ $current == = ]]; then\n"
      "    current=''\n"
      "  elif [[ $previous == = ]]; then\n"
      "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  if ((COMP_CWORD == 1)); then\n";
  out += fmt::format("    _xwalk_words '{} help --help --version'\n", joined_verbs());
  out += "    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  out += fmt::format("    help) _xwalk_words '{}' ;;\n", joined_verbs());
  for (const Definition& definition : definitions()) out += bash_verb(definition);
  return out + "  esac\n}\ncomplete -F _xwalk xwalk\n";
}

std::string zsh_answer(const Expected& expected) {
  switch (expected.what) {
    case What::Choices:
      return fmt::format("({})", join(expected.tokens, " "));
    case What::Files:
      return "_files";
    case What::Nothing:
    case What::Anything:
      return " ";
  }
  return " ";
}

std::string zsh_verb(const Definition& definition) {
  std::string out = fmt::format("    {})\n      _arguments -S", definition.verb().name);
  for (const Argument* option : definition.options()) {
    const Expected expected = expected_of(*option);
    const std::string text = replaced(option->description(), "[]:\\", "\\");
    for (const std::string& name : dashed_names(*option)) {
      std::string spec = name;
      if (expected.what != What::Nothing && name.starts_with("--")) spec += '=';
      spec += "[" + text + "]";
      if (expected.what != What::Nothing) {
        spec += ":" + replaced(option->placeholder(), ":\\", "\\") + ":" + zsh_answer(expected);
      }
      out += " \\\n        " + single_quoted(spec, "'\\''");
    }
  }
  if (!definition.positionals().empty()) {
    const Argument* place = definition.positionals().front();
    out += " \\\n        " +
           single_quoted(fmt::format("*:{}:{}", place->position(), zsh_answer(expected_of(*place))),
                         "'\\''");
  }
  return out + " ;;\n";
}

std::string zsh_script() {
  std::string out =
      "#compdef xwalk\n"
      "# Completion of xwalk for zsh, made by `xwalk completion zsh`.\n"
      "# In ~/.zshrc: source <(xwalk completion zsh)\n"
      "_xwalk() {\n"
      "  local -a verbs\n"
      "  verbs=(\n";
  for (const Verb& verb : verbs()) {
    out += fmt::format("    {}\n", single_quoted(fmt::format("{}:{}", verb.name,
                                                             replaced(verb.summary, ":\\", "\\")),
                                                 "'\\''"));
  }
  out +=
      "  )\n"
      "  if ((CURRENT == 2)); then _describe -t commands command verbs; return; fi\n"
      "  local verb=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $verb in\n"
      "    help) _describe -t commands command verbs ;;\n";
  for (const Definition& definition : definitions()) out += zsh_verb(definition);
  return out +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _xwalk ]]; then _xwalk \"$@\"; else compdef _xwalk xwalk; fi\n";
}

std::string fish_script() {
  std::string out =
      "# Completion of xwalk for fish, made by `xwalk completion fish`.\n"
      "complete -c xwalk -f\n";
  const std::string_view quote = "\\'";
  for (const Verb& verb : verbs()) {
    out += fmt::format("complete -c xwalk -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                       single_quoted(verb.summary, quote));
  }
  for (const Definition& definition : definitions()) {
    const std::string start = fmt::format("complete -c xwalk -n '__fish_seen_subcommand_from {}'",
                                          definition.verb().name);
    for (const Argument* option : definition.options()) {
      std::string line = start;
      for (const std::string& name : option->short_names()) line += " -s " + name;
      for (const std::string& name : option->long_names()) line += " -l " + name;
      const Expected expected = expected_of(*option);
      if (expected.what == What::Files) line += " -r -F";
      if (expected.what == What::Anything) line += " -x";
      if (expected.what == What::Choices) {
        line += " -x -a " + single_quoted(join(expected.tokens, " "), quote);
      }
      out += line + " -d " + single_quoted(option->description(), quote) + "\n";
    }
    if (definition.positionals().empty()) continue;
    const Expected place = expected_of(*definition.positionals().front());
    if (place.what == What::Files) out += start + " -F\n";
    if (place.what == What::Choices) {
      out += start + " -a " + single_quoted(join(place.tokens, " "), quote) + "\n";
    }
  }
  return out;
}

}  // namespace

Verb completion_verb() {
  return {"completion",
          "prints a completion script for your shell",
          "bash|zsh|fish",
          {{"eval \"$(xwalk completion bash)\"", "in ~/.bashrc"},
           {"source <(xwalk completion zsh)", "in ~/.zshrc"},
           {"xwalk completion fish > ~/.config/fish/completions/xwalk.fish", ""}},
          "make install puts the scripts where each shell looks for them.",
          [](CommandLine& command) -> Action {
            auto shell = std::make_shared<Shell>(Shell::Bash);
            add_choice<Shell>(command, "SHELL", shell.get(),
                              {{"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}},
                              "the shell")
                ->required();
            return [shell](Session& session) {
              std::string script;
              switch (*shell) {
                case Shell::Bash:
                  script = bash_script();
                  break;
                case Shell::Zsh:
                  script = zsh_script();
                  break;
                case Shell::Fish:
                  script = fish_script();
                  break;
              }
              if (session.json) {
                script = Json({{"script", script}}).dump(2) + "\n";
              }
              session.print(script);
              return static_cast<int>(kDone);
            };
          }};
}

}  // namespace xwalk::cli
