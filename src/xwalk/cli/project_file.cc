#include "xwalk/cli/project_file.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/definitions.h"
#include "xwalk/cli/toml_nesting.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/path_pattern.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/places/schema_input.h"

// The parser is compiled here, and nowhere else.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace xwalk::cli {
namespace {

/// A file of some hundred pairs has some ten kilobytes.
constexpr size_t kLargestFile = size_t{16} << 20U;

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::none:
      return "nothing";
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time";
    case toml::node_type::date_time:
      return "a date with a time";
  }
  return "";
}

class Reader {
 public:
  explicit Reader(const std::string& path) {
    file_.path = path;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    folder_ = folder.string();
  }

  std::vector<std::string> read_allowed_hosts() const {
    const toml::table table = parse(text());
    check_keys(table, {"allow-host"});
    const auto hosts = table.find("allow-host");
    return hosts == table.end() ? std::vector<std::string>()
                                : texts_of(hosts->first, hosts->second);
  }

  ProjectFile read() { return read(text()); }

  ProjectFile read(std::string text) {
    const toml::table table = parse(text);
    file_.text = std::move(text);
    check_keys(table, {"title", "owner", "check", "compat", "convert"});
    for (const auto& [key, node] : table) {
      if (key == "title") file_.title = text_of(key, node);
      if (key == "owner") file_.owner = text_of(key, node);
    }
    for (const std::string_view verb : {"check", "compat", "convert"}) {
      const toml::node* sections = table.get(verb);
      if (sections == nullptr) continue;
      const toml::array* all = sections->as_array();
      if (all == nullptr || !all->is_homogeneous(toml::node_type::table)) {
        fail(sections->source(),
             fmt::format("expected [[{}]], a list of tables, found {}", verb, kind_of(*sections)));
      }
      for (const toml::node& section : *all) add_section(verb, *section.as_table());
    }
    // In the order of the file, for all commands.
    std::ranges::stable_sort(file_.sections, {}, &ProjectSection::line);
    return std::move(file_);
  }

 private:
  std::string text() const { return io::read_all(*io::open_source(file_.path), kLargestFile); }

  toml::table parse(const std::string& text) const {
    check_nesting(text, file_.path);
    toml::parse_result parsed = toml::parse(text, file_.path);
    if (!parsed) {
      fail(parsed.error().source(), std::string(parsed.error().description()));
    }
    return std::move(parsed).table();
  }

  [[noreturn]] void fail(const toml::source_region& at, std::string message,
                         std::string hint = {}) const {
    throw Error(ErrorCode::Usage, std::move(message),
                {.file = file_.path, .line = at.begin.line, .column = at.begin.column},
                std::move(hint));
  }

  [[noreturn]] void fail_type(const toml::key& key, const toml::node& node,
                              std::string_view wanted) const {
    fail(node.source(), fmt::format("{}: expected {}, found {}", key.str(), wanted, kind_of(node)));
  }

  void check_keys(const toml::table& table, const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::ranges::find(known, name) != known.end()) continue;
      std::string hint = did_you_mean(name, known);
      if (hint.empty()) hint = fmt::format("Known are {}.", join(known, ", "));
      fail(key.source(), fmt::format("unknown key {}", xwalk::quoted(name)), std::move(hint));
    }
  }

  std::string text_of(const toml::key& key, const toml::node& node) const {
    const toml::value<std::string>* text = node.as_string();
    if (text == nullptr) fail_type(key, node, "a string");
    return text->get();
  }

  /// A string, or a list of them.
  std::vector<std::string> texts_of(const toml::key& key, const toml::node& node) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) return {text_of(key, node)};
    std::vector<std::string> out;
    for (const toml::node& item : *list) out.push_back(text_of(key, item));
    if (out.empty()) fail(node.source(), fmt::format("{}: expected at least one", key.str()));
    return out;
  }

  /// A value as on the command line.
  std::string scalar_of(const toml::key& key, const toml::node& node) const {
    if (const auto* number = node.as_integer()) return fmt::to_string(number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    return text_of(key, node);
  }

  /// A path of the file's folder, as the program sees it.
  std::string seen(const toml::key& key, const toml::node& at, const std::string& path) const {
    if (path == "-") fail(at.source(), fmt::format("{}: standard input is no pair's", key.str()));
    const bool whole = io::is_uri(path) || std::filesystem::path(path).is_absolute();
    std::string name = whole ? path : io::Location(folder_).in(path).name();
    check_place(at, name);
    return name;
  }

  /// Refuses a name that may not be read. Whether an output may be written is checked before that.
  void check_place(const toml::node& at, const std::string& name) const {
    try {
      io::check_read(name);
    } catch (const Error& error) {
      fail(at.source(), error.what(), error.hint());
    }
  }

  /// Returns the value of an option that names a place, as the program sees it.
  std::string place_of(const Argument& option, const toml::key& key, const toml::node& at,
                       const std::string& text) const {
    switch (option.place()) {
      case hub::OptionPlace::None:
        return text;
      case hub::OptionPlace::Read:
      case hub::OptionPlace::Write:
        return seen(key, at, text);
      case hub::OptionPlace::ReadOrText: {
        std::error_code ignored;
        const std::string path = io::Location(folder_).in(text).name();
        const std::string& name = std::filesystem::exists(path, ignored) ? path : text;
        if (!io::is_schema_text(name)) check_place(at, name);
        return name;
      }
      case hub::OptionPlace::Host:
        if (io::may_name_hosts()) return text;
        fail(at.source(), fmt::format("{} is about hosts", key.str()),
             "With --untrusted, a project file names only files of its own repository.");
    }
    return text;
  }

  /// Returns true for an option whose values begin with a key: `PATH=TYPE`.
  static bool has_keys(const Argument& option) {
    return option.placeholder().find('=') != std::string::npos;
  }

  /// Adds what an option of a table replaces: all values of the conversion's option, or those with
  /// its keys.
  static void add_replaced(const Argument& option, const toml::key& key,
                           const std::vector<std::string>& given, TableOptions* table) {
    const std::string name = "--" + std::string(key.str());
    if (!has_keys(option)) return table->replaced.push_back(name);
    for (const std::string& token : given) {
      table->replaced.push_back(token.substr(0, token.find('=', name.size() + 1)));
    }
  }

  /// The option and its values, as on the command line.
  void add_option(const Argument& option, const toml::key& key, const toml::node& node,
                  std::vector<std::string>* arguments) const {
    const std::string name = "--" + std::string(key.str());
    if (!option.takes_value()) {
      const toml::value<bool>* flag = node.as_boolean();
      if (flag == nullptr) fail_type(key, node, "true or false");
      if (flag->get()) arguments->push_back(name);
      return;
    }
    if (node.is_boolean()) fail_type(key, node, "a string");
    if (const toml::table* table = node.as_table()) {
      if (!has_keys(option)) fail_type(key, node, "a string");
      for (const auto& [member, value] : *table) {
        const std::string text = place_of(option, key, value, scalar_of(member, value));
        arguments->push_back(fmt::format("{}={}={}", name, member.str(), text));
      }
      return;
    }
    std::vector<const toml::node*> values = {&node};
    if (const toml::array* list = node.as_array()) {
      values.clear();
      for (const toml::node& item : *list) values.push_back(&item);
    }
    for (const toml::node* value : values) {
      const std::string text = place_of(option, key, *value, scalar_of(key, *value));
      arguments->push_back(fmt::format("{}={}", name, text));
    }
  }

  std::string date_of(const toml::key& key, const toml::node& node) const {
    const toml::value<toml::date>* date = node.as_date();
    if (date == nullptr) {
      fail(node.source(), fmt::format("{}: expected a date, found {}", key.str(), kind_of(node)),
           "As in expires = 2027-03-31, without quotes.");
    }
    const toml::date& day = date->get();
    return fmt::format("{:04}-{:02}-{:02}", day.year, day.month, day.day);
  }

  FileAcceptance acceptance_of(std::string_view verb, const toml::key& key,
                               const toml::node& node) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) fail_type(key, node, "tables with path, rule, reason and expires");
    check_keys(*table, {"path", "rule", "reason", "expires", "table"});
    FileAcceptance out;
    out.line = node.source().begin.line;
    for (const auto& [name, value] : *table) {
      if (name == "path") out.finding.path = text_of(name, value);
      if (name == "table") out.table = text_of(name, value);
      if (name == "reason") out.finding.reason = text_of(name, value);
      if (name == "expires") out.finding.expires = date_of(name, value);
      if (name == "rule") {
        out.finding.rule = text_of(name, value);
        check_rule(verb, value, out.finding.rule);
      }
    }
    for (const auto& [name, text] : {std::pair{"path", &out.finding.path},
                                     {"rule", &out.finding.rule},
                                     {"reason", &out.finding.reason},
                                     {"expires", &out.finding.expires}}) {
      if (!text->empty()) continue;
      fail(node.source(), fmt::format("an accepted finding needs {}", name),
           "As in accept = [{path = \"price\", rule = \"range.narrowed\", reason = \"…\", "
           "expires = 2027-03-31}].");
    }
    return out;
  }

  void check_rule(std::string_view verb, const toml::node& node, const std::string& rule) const {
    std::vector<std::string> known = {"backward", "forward"};
    if (verb != "compat") {
      known.clear();
      for (const hub::Rule& one : crosswalk::rules()) known.emplace_back(one.slug);
    }
    if (std::ranges::any_of(known,
                            [&](const std::string& one) { return hub::is_like(one, rule); })) {
      return;
    }
    if (hub::is_pattern(rule)) {
      fail(node.source(), fmt::format("no rule matches {}", xwalk::quoted(rule)),
           verb == "compat" ? "The rules of compat are backward and forward."
                            : "`xwalk explain rules` lists all rules.");
    }
    std::string hint = did_you_mean(rule, known);
    if (hint.empty() && verb == "compat") hint = "The rules of compat are backward and forward.";
    fail(node.source(), fmt::format("unknown rule {}", xwalk::quoted(rule)), std::move(hint));
  }

  void add_acceptances(const toml::key& key, const toml::array& list,
                       ProjectSection* section) const {
    for (const toml::node& one : list) {
      section->accepted.push_back(acceptance_of(section->verb, key, one));
    }
    if (!list.empty() && !list.back().as_table()->is_inline()) return;
    const auto position = [](const toml::source_position& at) {
      return FilePosition{at.line, at.column};
    };
    section->accept_list =
        AcceptList{position(list.empty() ? list.source().begin : list.back().source().end),
                   position(list.source().end), list.empty()};
  }

  using Options = std::vector<std::pair<std::string, const Argument*>>;

  /// Returns the options that concern all pairs, which the command line gives.
  static std::set<std::string> options_of_all(std::string_view verb) {
    if (verb == "convert") return {"resume", "jobs", "verify", "proof", "overwrite"};
    return {"output", "all", "title", "owner"};
  }

  /// Returns the options of a command that a section may have.
  static Options options_of(const Definition& definition) {
    std::set<std::string> of_all = options_of_all(definition.verb().name);
    // A check has it as a side.
    if (definition.verb().name != "convert") of_all.insert("to");
    Options out;
    for (const Argument* option : definition.options()) {
      const std::string name = option->long_names().front();
      if (option->group() != "Every command" && option->group() != "Project" &&
          !of_all.contains(name)) {
        out.emplace_back(name, option);
      }
    }
    return out;
  }

  /// Adds the option from which verdict on the check of a conversion fails.
  static void add_fail_on(const Definition& check, Options* options) {
    for (const auto& [name, option] : options_of(check)) {
      if (name == "fail-on") options->emplace_back(name, option);
    }
  }

  /// Refuses an option that the command line gives for all sections.
  void check_options_of_all(std::string_view verb, const toml::table& table) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (!options_of_all(verb).contains(name)) continue;
      fail(key.source(), fmt::format("{} is for all of the file", xwalk::quoted(name)),
           fmt::format("Give --{} to xwalk {}.", name, verb));
    }
  }

  /// Adds `[[convert.table]]`, with options of a conversion.
  void add_table(const toml::table& table, const Options& options, ProjectSection* section) const {
    std::vector<std::string> known = {"input", "except", "output"};
    for (const auto& [name, option] : options) known.push_back(name);
    check_options_of_all(section->verb, table);
    check_keys(table, known);
    TableOptions& out = section->of_tables.emplace_back();
    out.line = table.source().begin.line;
    for (const auto& [key, node] : table) {
      if (key == "input") {
        out.tables.input = texts_of(key, node);
      } else if (key == "except") {
        out.tables.except = texts_of(key, node);
      } else if (key == "output") {
        out.output = seen(key, node, text_of(key, node));
      } else {
        const Argument& option =
            *std::ranges::find(options, std::string(key.str()), &Options::value_type::first)
                 ->second;
        std::vector<std::string> given;
        add_option(option, key, node, &given);
        add_replaced(option, key, given, &out);
        std::vector<std::string>& to = key == "fail-on" ? out.check_options : out.options;
        to.insert(to.end(), given.begin(), given.end());
      }
    }
    if (out.tables.input.empty() && out.tables.except.empty()) {
      fail(table.source(), "[[convert.table]] has neither key input nor key except",
           "As in input = \"dump/orders.yson\", or with * for any text in a name.");
    }
    if (table.contains("to") && !out.output) {
      fail(table.source(), "[[convert.table]] has a key to and no key output",
           "Name the output of the other format.");
    }
  }

  void add_tables(const toml::key& key, const toml::node& node, const Options& options,
                  ProjectSection* section) const {
    const toml::array* all = node.as_array();
    if (all == nullptr || !all->is_homogeneous(toml::node_type::table)) {
      fail_type(key, node, "[[convert.table]], a list of tables");
    }
    for (const toml::node& one : *all) add_table(*one.as_table(), options, section);
  }

  /// Refuses a section without the inputs and outputs that its command needs.
  void check_sides(const toml::table& table, const ProjectSection& section,
                   const std::vector<std::string>& first,
                   const std::vector<std::string>& second) const {
    const std::string_view verb = section.verb;
    if (verb != "compat" && first.empty()) {
      fail(table.source(), fmt::format("[[{}]] has no key input", verb));
    }
    if (verb == "convert" && second.empty()) {
      fail(table.source(), "[[convert]] has no key output");
    }
    if (verb == "check" && second.empty()) {
      const bool readers = std::ranges::find(section.options, "--readers") != section.options.end();
      if (!readers) fail(table.source(), "[[check]] has no key to", "As in to = \"parquet\".");
    }
    if (verb == "compat" && second.empty()) fail(table.source(), "[[compat]] has no key new");
    if (verb == "compat" && !first.empty() && (first.size() > 1 || second.size() > 1)) {
      fail(table.source(), "a compat compares one old with one new");
    }
  }

  void add_section(std::string_view verb, const toml::table& table) {
    const Verb& definition_verb = *std::ranges::find(verbs(), verb, &Verb::name);
    const Definition definition(definition_verb);
    std::vector<std::string> known = {"accept"};
    const std::vector<std::string> sides = verb == "check" ? std::vector<std::string>{"input", "to"}
                                           : verb == "compat"
                                               ? std::vector<std::string>{"old", "new"}
                                               : std::vector<std::string>{"input", "output"};
    known.insert(known.end(), sides.begin(), sides.end());
    Options options = options_of(definition);
    const Definition check(*std::ranges::find(verbs(), "check", &Verb::name));
    if (verb == "convert") add_fail_on(check, &options);
    for (const auto& [name, option] : options) known.push_back(name);
    if (verb == "convert") known.insert(known.end(), {"except", "table"});
    check_options_of_all(verb, table);
    check_keys(table, known);
    ProjectSection section;
    section.verb = verb;
    section.line = table.source().begin.line;
    section.is_inline = table.is_inline();
    std::vector<std::string> first;
    std::vector<std::string> second;
    for (const auto& [key, node] : table) {
      if (key == "accept") {
        const toml::array* list = node.as_array();
        if (list == nullptr) fail_type(key, node, "a list of tables");
        add_acceptances(key, *list, &section);
      } else if (key == sides[0]) {
        for (const std::string& path : texts_of(key, node)) first.push_back(seen(key, node, path));
      } else if (key == "to" && verb == "check") {
        second = texts_of(key, node);
      } else if (key == "output") {
        second = {seen(key, node, text_of(key, node))};
      } else if (key == "except") {
        section.tables.except = texts_of(key, node);
      } else if (key == "table") {
        add_tables(key, node, options, &section);
      } else if (key == "new") {
        for (const std::string& path : texts_of(key, node)) second.push_back(seen(key, node, path));
      } else {
        const std::string name(key.str());
        const auto option = std::ranges::find(options, name, &Options::value_type::first);
        const bool is_of_check = verb == "convert" && name == "fail-on";
        add_option(*option->second, key, node,
                   is_of_check ? &section.check_options : &section.options);
      }
    }
    check_sides(table, section, first, second);
    if (verb == "check") {
      if (second.empty()) second.emplace_back();
      for (const std::string& target : second) {
        std::vector<std::string>& arguments = section.questions.emplace_back();
        if (!target.empty()) arguments.push_back("--to=" + target);
        arguments.emplace_back("--");
        arguments.insert(arguments.end(), first.begin(), first.end());
      }
    } else if (verb == "convert") {
      section.inputs = std::move(first);
      section.output = second.front();
    } else if (first.empty()) {
      section.files = second;
    } else {
      section.questions.push_back({"--", first[0], second[0]});
    }
    file_.sections.push_back(std::move(section));
  }

  ProjectFile file_;
  std::string folder_;
};

}  // namespace

std::string seen_from(const std::string& file, const std::string& path) {
  if (io::is_uri(path)) return path;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const std::filesystem::path seen = std::filesystem::path(path).lexically_relative(folder);
  return folder.empty() || seen.empty() ? path : seen.string();
}

bool TablePatterns::has(std::string_view table) const {
  const auto is_like = [&](const std::string& pattern) {
    return report::is_table_like(table, pattern);
  };
  return (input.empty() || std::ranges::any_of(input, is_like)) &&
         std::ranges::none_of(except, is_like);
}

ProjectFile read_project_file(const std::string& path) { return Reader(path).read(); }

ProjectFile parse_project_file(const std::string& path, std::string text) {
  return Reader(path).read(std::move(text));
}

std::vector<std::string> read_allowed_hosts(const std::string& path) {
  return Reader(path).read_allowed_hosts();
}

}  // namespace xwalk::cli
