#include "xwalk/convert/named_options.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/byte_count.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/word_list.h"
#include "xwalk/convert/convert.h"
#include "xwalk/crosswalk/reader_choice.h"
#include "xwalk/crosswalk/shredding.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/option_names.h"
#include "xwalk/io/bytes/compress.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/lance/data_version.h"
#include "xwalk/vortex/edition.h"

namespace xwalk::io {
namespace {

using Json = nlohmann::json;
using hub::Option;

[[noreturn]] void expected(const std::string& what, const Json& found) {
  // What is not UTF-8 is replaced, and what is long is cut: the value may be a whole schema.
  std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr size_t kShown = 60;
  if (text.size() > kShown) text = text.substr(0, kShown) + "…";
  throw Error(ErrorCode::Usage, fmt::format("expected {}, found {}", what, text));
}

std::string word(const Json& value) {
  if (!value.is_string()) expected("a string", value);
  return value.get<std::string>();
}

bool flag(const Json& value) {
  if (!value.is_boolean()) expected("true or false", value);
  return value.get<bool>();
}

std::vector<std::string> strings(const Json& value) {
  if (value.is_string()) return {word(value)};
  if (!value.is_array()) expected("a list of strings", value);
  std::vector<std::string> out;
  for (const Json& item : value) out.push_back(word(item));
  return out;
}

/// Does not take an empty list for no list: a selection that a program computed.
std::vector<std::string> some_strings(const Json& value) {
  std::vector<std::string> out = strings(value);
  if (out.empty()) expected("at least one column", value);
  return out;
}

template <typename T>
T number(const Json& value, T smallest = 0) {
  constexpr T kLargest = std::numeric_limits<T>::max();
  const bool fits = value.is_number_unsigned() && value.get<uint64_t>() >= uint64_t(smallest) &&
                    std::in_range<T>(value.get<uint64_t>());
  if (!fits) expected(fmt::format("an integer from {} to {}", smallest, kLargest), value);
  return value.get<T>();
}

/// Returns a whole number or a share as text.
std::string number_or_share(const Json& value) {
  return value.is_number() ? value.dump() : word(value);
}

[[noreturn]] void wrong_word(const std::string& what, const std::string& found,
                             const std::vector<std::string>& known) {
  throw Error(ErrorCode::Usage, fmt::format("expected {}, found {}", what, clipped(found)), {},
              did_you_mean(found, known));
}

uint64_t byte_count(const Json& value) {
  if (!value.is_string()) return number<uint64_t>(value, 1);
  const std::optional<int64_t> parsed = parse_byte_count(word(value));
  if (!parsed) expected(std::string(kByteCount), value);
  return static_cast<uint64_t>(*parsed);
}

template <typename T>
T choice(const Json& value, std::initializer_list<std::pair<const char*, T>> choices) {
  const std::string found = word(value);
  std::vector<std::string> known;
  for (const auto& [name, meaning] : choices) {
    if (name == found) return meaning;
    known.emplace_back(name);
  }
  wrong_word(alternatives(known), found, known);
}

/// Reads a part as the module gives it.
Part part(const Json& value) {
  Part out;
  if (!value.is_object()) expected("a part of a file", value);
  for (const auto& [name, member] : {std::pair{"first", &out.first},
                                     {"count", &out.count},
                                     {"first_row", &out.first_row},
                                     {"rows", &out.rows},
                                     {"line", &out.line},
                                     {"column", &out.column}}) {
    if (!value.contains(name)) expected(fmt::format("a part with {}", name), value);
    *member = number<uint64_t>(value[name]);
  }
  out.binary = value.contains("binary") && flag(value["binary"]);
  return out;
}

/// More threads than any machine is used with.
constexpr int kMostThreads = 256;

/// Sets the options given by name: an object of values, or texts as on the command line.
template <typename SetText, typename SetValue>
void pairs(const Json& value, std::string_view what, const SetText& set_text,
           const SetValue& set_value) {
  if (value.is_array()) {
    for (const Json& text : value) set_text(word(text));
    return;
  }
  if (!value.is_object()) expected(std::string(what), value);
  for (const auto& [name, one] : value.items()) set_value(name, one);
}

std::vector<crosswalk::RenameOption> renames(const Json& value) {
  std::vector<crosswalk::RenameOption> out;
  pairs(
      value, "new names by path",
      [&](const std::string& text) { out.push_back(parse_rename(text)); },
      [&](const std::string& path, const Json& name) {
        out.push_back({parse_selection(path), word(name)});
        if (!out.back().path.last().is_named()) expected("the path of a name", path);
      });
  return out;
}

std::vector<crosswalk::CastOption> casts(const Json& value) {
  std::vector<crosswalk::CastOption> out;
  pairs(
      value, "new types by path", [&](const std::string& text) { out.push_back(parse_cast(text)); },
      [&](const std::string& path, const Json& type) { out.push_back(cast_to(path, word(type))); });
  return out;
}

std::vector<crosswalk::CastOption> shreds(const Json& value) {
  // Without a path it is about every VARIANT column.
  const crosswalk::CastOption all{{}, true, std::string(crosswalk::kShredAuto)};
  if (value == Json(crosswalk::kShredAuto)) return {all};
  std::vector<crosswalk::CastOption> out;
  pairs(
      value, "types by path, or auto",
      [&](const std::string& text) {
        out.push_back(text == crosswalk::kShredAuto ? all : parse_cast(text));
      },
      [&](const std::string& path, const Json& type) {
        const bool is_all = path == crosswalk::kShredAuto && type == Json("");
        out.push_back(is_all ? all : cast_to(path, word(type)));
      });
  return out;
}

// Which commands of the program take an option.
constexpr Commands kRows = kConvert | kCheck | kHead | kInfo | kValidate;
constexpr Commands kInputs = kRows | kSchema;
constexpr Commands kFiles = kInputs | kPairs;
constexpr Commands kStores = kFiles | kEvolve;
constexpr Commands kTargets = kConvert | kCheck;
constexpr Commands kPlans = kTargets | kJob;
constexpr Commands kShapes = kPlans | kHead | kValidate | kSchema;
constexpr Commands kTypes = kPlans | kSchema | kType;
constexpr Commands kSchemas = kTargets | kSchema;
constexpr Commands kFileVersions = kSchemas | kType;
constexpr Commands kWritesYson = kConvert | kHead;

constexpr NamedOption kAll[] = {
#define XWALK_OPTION(which, id, word, kind, unless_given, ...) \
  {.option = which, .value = OptionValue::kind, .usual = unless_given, __VA_ARGS__},
#include "xwalk/hub/options.inc"
#undef XWALK_OPTION
};
static_assert(std::ranges::all_of(kAll, [](const NamedOption& option) {
  const bool is_name = option.value == OptionValue::Path || option.value == OptionValue::Schema;
  return !is_name || option.place != OptionPlace::None;
}));

/// Returns a hint: where a text stops being JSON, or that no double holds one of its numbers.
std::string json_hint(const Json::exception& error) {
  const auto* where = dynamic_cast<const Json::parse_error*>(&error);
  if (where == nullptr) return "A number in it is larger than a double holds.";
  return fmt::format("The text is not JSON from byte {} on.", where->byte);
}

/// Parses JSON. Throws Error (Usage) for a name that an object has twice, of which the parser keeps
/// the last.
Json parse_unrepeated(std::string_view text) {
  std::vector<std::set<std::string>> objects;
  std::string outer;
  return Json::parse(text, [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) objects.emplace_back();
    if (event == Json::parse_event_t::object_end) objects.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto name = value.get<std::string>();
    if (!objects.back().insert(name).second) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{}{} is given twice", objects.size() == 1 ? "" : outer,
                              xwalk::quoted(name)));
    }
    if (objects.size() == 1) outer = name + ": ";
    return true;
  });
}

Json parse_object(std::string_view text) {
  check_json_document(text, ErrorCode::Usage);
  Json json;
  try {
    json = parse_unrepeated(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected options as JSON, found {}", xwalk::quoted(text)), {},
                json_hint(error));
  }
  if (!json.is_object()) expected("options as a JSON object", json);
  return json;
}

[[noreturn]] void unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedOption& known : named_options()) names.emplace_back(to_string(known.option));
  throw Error(ErrorCode::Usage, fmt::format("unknown option {}", xwalk::quoted(name)), {},
              hub::suggested_option(name, names, hub::Interface::Json));
}

/// Reads one option; errors get its name.
template <typename Read>
void named(const std::string& name, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", name, error.message()), error.place(),
                error.hint());
  }
}

Json parse_json(std::string_view text) {
  try {
    return parse_unrepeated(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::Usage, fmt::format("expected JSON, found {}", xwalk::quoted(text)), {},
                json_hint(error));
  }
}

Json parse_number(const NamedOption& option, std::string_view text) {
  const std::optional<int64_t> found = parse_count(text);
  if (found && *found >= option.least) return static_cast<uint64_t>(*found);
  throw Error(ErrorCode::Usage, fmt::format("expected a whole number of at least {}, found {}",
                                            option.least, xwalk::quoted(text)));
}

Json parse_flag(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "true" || lower == "false") return lower == "true";
  throw Error(ErrorCode::Usage,
              fmt::format("expected true or false, found {}", xwalk::quoted(text)));
}

std::string trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

/// Reads `name=value, name=value`. A value may have commas between brackets: `decimal(18,2)`.
Json parse_pairs(std::string_view text) {
  Json out = Json::object();
  for (const std::string& pair : split_list(text, "([{<", ")]}>")) {
    const size_t equals = pair.find('=');
    std::string name = trimmed(pair.substr(0, equals));
    if (out.contains(name)) {
      throw Error(ErrorCode::Usage, fmt::format("{} is given twice", xwalk::quoted(name)));
    }
    out[std::move(name)] = equals == std::string::npos ? "" : pair.substr(equals + 1);
  }
  return out;
}

Json from_text(const NamedOption& option, std::string_view text) {
  switch (option.value) {
    case OptionValue::Flag:
      return parse_flag(text);
    case OptionValue::Number:
      return parse_number(option, text);
    case OptionValue::List: {
      if (text.starts_with('[')) return parse_json(text);
      Json out = Json::array();
      for (const std::string& item : split_list(text)) out.push_back(trimmed(item));
      return out;
    }
    case OptionValue::Texts:
      return text.starts_with('[') ? parse_json(text) : Json(text);
    case OptionValue::Object:
      return text.starts_with('{') ? parse_json(text) : parse_pairs(text);
    case OptionValue::Bytes:
    case OptionValue::NumberOrWord:
    case OptionValue::NumberOrShare:
    case OptionValue::Word:
    case OptionValue::Choice:
    case OptionValue::Path:
    case OptionValue::Schema:
      return text;
  }
  return text;
}

Json from_tokens(const NamedOption& option, const std::vector<std::string>& tokens) {
  if (option.value == OptionValue::Flag) return option.usual != "true";
  if (option.value == OptionValue::List) {
    Json out = Json::array();
    for (const std::string& text : tokens) {
      for (std::string& item : split_list(text)) out.push_back(std::move(item));
    }
    return out;
  }
  const bool whole = option.value == OptionValue::Texts || option.value == OptionValue::Object;
  return whole ? Json(tokens) : from_text(option, tokens.back());
}

/// Sets options that are implied by the given ones.
void complete(ConvertOptions* options) {
  options->input.given = options->given;
  options->input.annotations = options->plan.annotations;
  options->output.values = options->input.values;
  options->output.parquet.keep_repeated_keys =
      options->plan.cast.duplicate_keys == hub::DuplicateKeys::Keep;
  options->output.parquet.geoparquet = options->plan.geoparquet;
  options->output.sampled = crosswalk::sampled(options->plan.shred);
}

/// Returns the options that decide which rows and values an output has.
std::string deciding_options(Json given) {
  for (const Option option :
       {Option::Threads, Option::BatchRows, Option::MaxMemory, Option::Durable, Option::Mode,
        Option::Resume, Option::Jobs, Option::Verify, Option::Storage, Option::Rejects,
        Option::MaxRejects, Option::SaveSchema, Option::RequireSchema}) {
    given.erase(std::string(hub::to_string(option)));
  }
  return given.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::span<const NamedOption> all_options() { return kAll; }

std::vector<NamedOption> named_options() {
  std::vector<NamedOption> out;
  std::ranges::copy_if(kAll, std::back_inserter(out), &NamedOption::is_keyword);
  return out;
}

const NamedOption& named_option(Option option) {
  return *std::ranges::find(kAll, option, &NamedOption::option);
}

std::vector<std::string> choices_of(const NamedOption& option) {
  std::vector<std::string> out;
  if (option.known != nullptr) {
    for (const std::string_view word : option.known()) out.emplace_back(word);
  }
  if (option.value == OptionValue::Choice) {
    std::string_view rest = option.usual.substr(option.usual.starts_with(' ') ? 1 : 0);
    while (!rest.empty()) {
      out.emplace_back(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(std::min(rest.size(), out.back().size() + 1));
    }
  }
  return out;
}

void set_output_format(const std::string& format, ConvertOptions* options) {
  if (auto schema = set_format(format, options->given, &options->output)) {
    set_output_schema(SchemaArgument{std::move(*schema)}, options);
  }
}

void set_output_schema(ConvertOptions::Target schema, ConvertOptions* options) {
  if (!std::holds_alternative<std::monostate>(options->target)) {
    throw Error(
        ErrorCode::Usage, "two schemas are given for one output", {},
        fmt::format("Give one of {}, {} and the attributes of {}.", mention(Option::TargetSchema),
                    mention(Option::Message), mention(Option::To)));
  }
  options->target = std::move(schema);
}

std::string parse_option(Option option, std::string_view text) {
  Json value;
  named(mention(option), [&] { value = from_text(named_option(option), text); });
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ConvertOptions read_named_options(std::string_view json, OptionTexts texts,
                                  hub::Interface interface) {
  ConvertOptions options;
  options.interface = interface;
  options.pipeline.threads = 0;
  const Json given = json.empty() ? Json::object() : parse_object(json);
  Json format;
  Json to;
  for (const auto& [name, value] : given.items()) {
    if (value.is_null()) continue;
    const std::optional<Option> option = hub::option_of_id(name);
    const NamedOption* row = option ? &named_option(*option) : nullptr;
    if (row == nullptr || !row->is_keyword) unknown(name);
    options.given.insert(*option);
    if (row->set == nullptr) {
      (option == Option::To ? to : format) = value;
      continue;
    }
    named(name, [&, &its = value] {
      const bool is_parsed = texts == OptionTexts::Parsed && its.is_string();
      row->set(options, is_parsed ? from_text(*row, its.get<std::string>()) : its);
    });
  }
  complete(&options);
  if (!format.is_null()) named("format", [&] { set_format(word(format), &options.input); });
  if (!to.is_null()) named("to", [&] { set_output_format(word(to), &options); });
  set_tolerance(&options);
  if (options.resume) options.given_json = deciding_options(given);
  return options;
}

ConvertOptions read_option_tokens(const OptionTokens& tokens) {
  ConvertOptions options;
  Json all = Json::object();
  for (const NamedOption& row : kAll) {
    const auto given = tokens.find(row.option);
    if (given == tokens.end()) continue;
    options.given.insert(row.option);
    Json value;
    named(mention(row.option), [&] { value = from_tokens(row, given->second); });
    all[std::string(hub::to_string(row.option))] = value;
    if (row.set == nullptr) continue;
    named(mention(row.option), [&] { row.set(options, value); });
  }
  complete(&options);
  const auto format = tokens.find(Option::Format);
  if (format != tokens.end() && !names_schemas(format->second.back())) {
    set_format(format->second.back(), &options.input);
  }
  const auto to = tokens.find(Option::To);
  if (to != tokens.end()) set_output_format(to->second.back(), &options);
  if (options.resume) options.given_json = deciding_options(std::move(all));
  return options;
}

}  // namespace xwalk::io
