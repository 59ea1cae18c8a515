#include "xwalk/hub/option.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/letter_case.h"
#include "xwalk/hub/option_value.h"

namespace xwalk::hub {
namespace {

struct Row {
  Option option;
  std::string_view id;
  std::string_view program;
  OptionValue value;
  /// What it is unless it is given.
  std::string_view usual;
};

constexpr std::array kRows = {
#define XWALK_OPTION(option, id, word, value, usual, ...) \
  Row{option, id, word, OptionValue::value, usual},
#include "xwalk/hub/options.inc"
#undef XWALK_OPTION
};

/// The place of each option in `kRows`, by its number. Does not compile unless each option has one
/// row.
constexpr auto kPlaces = [] {
  std::array<size_t, kRows.size()> places{};
  places.fill(kRows.size());
  for (size_t i = 0; i < kRows.size(); ++i) places.at(static_cast<size_t>(kRows[i].option)) = i;
  return places;
}();
static_assert(kRows.size() >= kOptions &&
              std::ranges::find(kPlaces, kRows.size()) == kPlaces.end());

const Row& row_of(Option option) { return kRows[kPlaces[static_cast<size_t>(option)]]; }

bool is_number(OptionValue value) {
  return value == OptionValue::Number || value == OptionValue::Bytes;
}

bool is_placeholder(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string in_program(const Row& row, std::string_view value) {
  std::string out(row.program);
  const bool quotes = value.find_first_of(" ()[]<>*?;&|$\"`\\") != std::string_view::npos;
  if (!value.empty()) out.append(quotes ? " '" : " ").append(value).append(quotes ? "'" : "");
  return out;
}

/// Words that SQL keeps for itself, and takes as names in quotes.
constexpr std::array kSqlKeywords = {Option::Select, Option::Cast, Option::Limit,
                                     Option::Table,  Option::Any,  Option::To};

/// Writes `name=value` as an object of one value. Names may be in double quotes.
std::string object_in_code(std::string_view value, bool sql) {
  bool in_quotes = false;
  size_t equals = 0;
  for (; equals < value.size() && (in_quotes || value[equals] != '='); ++equals) {
    if (value[equals] == '"') in_quotes = !in_quotes;
    if (value[equals] == '\\') ++equals;
  }
  const auto literal = [&](std::string_view text) {
    if (!sql) return quoted(text);
    std::string out = "'";
    for (char c : text) out.append(c == '\'' ? 2 : 1, c);
    return out + "'";
  };
  const size_t rest = std::min(equals + 1, value.size());
  return fmt::format("{{{}: {}}}", literal(value.substr(0, equals)), literal(value.substr(rest)));
}

std::string in_code(const Row& row, std::string_view value, Interface interface) {
  const bool python = interface == Interface::Python;
  const bool quoted = interface == Interface::Json ||
                      (interface == Interface::Sql &&
                       std::ranges::find(kSqlKeywords, row.option) != kSqlKeywords.end());
  const bool copy = interface == Interface::Copy;
  const std::string id = copy ? in_upper_case(row.id) : std::string(row.id);
  std::string out = quoted ? fmt::format("\"{}\"", id) : id;
  const std::string_view link = python                         ? "="
                                : interface == Interface::Json ? ": "
                                : copy                         ? " "
                                                               : " => ";
  if (row.value == OptionValue::Flag && value.empty()) {
    const bool off = row.usual == "true";
    out.append(link).append(python ? (off ? "False" : "True") : (off ? "false" : "true"));
  } else if (row.option == Option::Schema && !value.empty() && !python) {
    // These take the text of a schema, never a path.
    out.append(link).append("TEXT");
  } else if (row.value == OptionValue::Object && value.find('=') != std::string_view::npos) {
    out.append(link).append(object_in_code(value, copy || interface == Interface::Sql));
  } else if (!value.empty()) {
    const bool bare = is_number(row.value) || is_placeholder(value);
    const char quote = copy || interface == Interface::Sql ? '\'' : '"';
    out.append(link).append(bare ? std::string(value) : fmt::format("{0}{1}{0}", quote, value));
  }
  return out;
}

/// What a text between two backquotes mentions; a null row if it is something else.
struct Mention {
  const Row* row = nullptr;
  std::string_view value;
};

Mention mention_in(std::string_view inner) {
  const size_t equals = inner.find('=');
  const auto row = std::ranges::find(kRows, inner.substr(0, equals), &Row::id);
  if (row == kRows.end()) return {};
  return {&*row, equals == std::string_view::npos ? std::string_view{} : inner.substr(equals + 1)};
}

}  // namespace

std::string_view to_string(Option option) { return row_of(option).id; }

std::optional<Option> option_of_id(std::string_view id) {
  const auto row = std::ranges::find(kRows, id, &Row::id);
  if (row == kRows.end()) return std::nullopt;
  return row->option;
}

std::optional<Option> option_of_word(std::string_view word) {
  const auto row = std::ranges::find(kRows, word, &Row::program);
  if (row == kRows.end()) return std::nullopt;
  return row->option;
}

std::string_view program_word(Option option) { return row_of(option).program; }

std::string mention(Option option, std::string_view value) {
  if (value.empty()) return fmt::format("`{}`", to_string(option));
  return fmt::format("`{}={}`", to_string(option), value);
}

std::string spelled(std::string_view text, Interface interface) {
  std::string out;
  bool follows_option = false;
  while (true) {
    const size_t start = text.find('`');
    const size_t end = start == std::string_view::npos ? start : text.find('`', start + 1);
    if (end == std::string_view::npos) return out.append(text);
    const Mention found = mention_in(text.substr(start + 1, end - start - 1));
    if (found.row == nullptr) {
      // The second backquote may begin a mention.
      out.append(text.substr(0, end));
      text.remove_prefix(end);
      continue;
    }
    // Two options next to each other are two arguments of a call.
    const bool is_next = start == 1 && text[0] == ' ' && follows_option;
    if (is_next && interface != Interface::Program) out += ',';
    out.append(text.substr(0, start));
    out.append(interface == Interface::Program ? in_program(*found.row, found.value)
                                               : in_code(*found.row, found.value, interface));
    text.remove_prefix(end + 1);
    follows_option = true;
  }
}

Error spelled(const Error& error, Interface interface) {
  Place place = error.place();
  std::string_view file = place.file;
  if (file.size() > 2 && file.starts_with('`') && file.ends_with('`')) {
    file.remove_prefix(1);
    file.remove_suffix(1);
    const Mention found = mention_in(file);
    if (found.row != nullptr) {
      place.file = interface == Interface::Program ? found.row->program : found.row->id;
    }
  }
  // What leaves the library shows no signature of a URL.
  place.file = shown_name(place.file);
  return {error.code(), shown_text(spelled(error.message(), interface)), std::move(place),
          shown_text(spelled(error.hint(), interface))};
}

}  // namespace xwalk::hub
