#include "xwalk/io/named_options.h"

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::io {
namespace {

using Json = nlohmann::json;
using Set = void (*)(NamedOptions&, const Json&);

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

std::vector<std::string> words(const Json& value) {
  if (!value.is_array()) expected("a list of strings", value);
  std::vector<std::string> out;
  for (const Json& item : value) out.push_back(word(item));
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

template <typename T>
T choice(const Json& value, std::initializer_list<std::pair<const char*, T>> choices) {
  const std::string found = word(value);
  std::vector<std::string> known;
  for (const auto& [name, meaning] : choices) {
    if (name == found) return meaning;
    known.emplace_back(name);
  }
  expected(join(known, " or "), value);
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

/// Every option, by its name; the same names as the program's, with underscores.
const std::map<std::string, Set, std::less<>>& setters() {
  static const std::map<std::string, Set, std::less<>> kSetters = {
      {"format", [](NamedOptions& o, const Json& v) { o.input.format = parse_format(word(v)); }},
      {"schema", [](NamedOptions& o, const Json& v) { o.input.schema = word(v); }},
      {"select", [](NamedOptions& o, const Json& v) { o.input.select = words(v); }},
      {"limit", [](NamedOptions& o, const Json& v) { o.input.limit = number<int64_t>(v); }},
      {"batch_rows",
       [](NamedOptions& o, const Json& v) { o.input.batch_rows = number<int64_t>(v, 1); }},
      {"table", [](NamedOptions& o, const Json& v) { o.input.table = number<uint32_t>(v); }},
      {"part", [](NamedOptions& o, const Json& v) { o.input.part = part(v); }},
      {"version", [](NamedOptions& o, const Json& v) { o.input.version = number<uint64_t>(v); }},
      {"table_index", [](NamedOptions& o, const Json& v) { o.input.table_index = flag(v); }},
      {"range_index", [](NamedOptions& o, const Json& v) { o.input.range_index = flag(v); }},
      {"row_index", [](NamedOptions& o, const Json& v) { o.input.row_index = flag(v); }},
      {"threads",
       [](NamedOptions& o, const Json& v) {
         o.pipeline.threads = o.input.threads = o.output.threads = number<int>(v);
       }},
      {"on_error",
       [](NamedOptions& o, const Json& v) {
         o.input.skip_bad_rows = o.pipeline.skip_bad_rows =
             choice<bool>(v, {{"fail", false}, {"skip", true}});
       }},
      {"max_rejects",
       [](NamedOptions& o, const Json& v) { o.pipeline.max_bad_rows = number<uint64_t>(v); }},
      {"end_of_stream",
       [](NamedOptions& o, const Json& v) {
         o.input.end_of_stream = o.output.end_of_stream = flag(v);
       }},
      {"int96_unit",
       [](NamedOptions& o, const Json& v) {
         o.input.int96_micros = choice<bool>(v, {{"ns", false}, {"us", true}});
       }},
      {"complex_type_mode",
       [](NamedOptions& o, const Json& v) {
         o.input.values.complex_type_mode = yt::parse_complex_type_mode(word(v));
       }},
      {"string_keyed_dict_mode",
       [](NamedOptions& o, const Json& v) {
         o.input.values.string_keyed_dict_mode = yt::parse_dict_mode(word(v));
       }},
      {"decimal_mode",
       [](NamedOptions& o, const Json& v) {
         o.input.values.decimal_mode = yt::parse_decimal_mode(word(v));
       }},
      {"time_mode", [](NamedOptions& o,
                       const Json& v) { o.input.values.time_mode = yt::parse_time_mode(word(v)); }},
      {"uuid_mode", [](NamedOptions& o,
                       const Json& v) { o.input.values.uuid_mode = yt::parse_uuid_mode(word(v)); }},
      {"uuid_order",
       [](NamedOptions& o, const Json& v) {
         o.input.values.uuid_order = yt::parse_uuid_order(word(v));
       }},
      {"decimal_special",
       [](NamedOptions& o, const Json& v) {
         o.input.values.decimal_special = yt::parse_decimal_special(word(v));
       }},
      {"yson_format", [](NamedOptions& o,
                         const Json& v) { o.input.values.format = yt::parse_row_format(word(v)); }},
      {"skip_null_values",
       [](NamedOptions& o, const Json& v) { o.input.values.skip_null_values = flag(v); }},
      {"to", [](NamedOptions& o, const Json& v) { o.output.format = parse_format(word(v)); }},
      {"compression", [](NamedOptions& o, const Json& v) { o.output.compression = word(v); }},
      {"row_group_rows",
       [](NamedOptions& o, const Json& v) { o.output.row_group_rows = number<int64_t>(v); }},
      {"durable", [](NamedOptions& o, const Json& v) { o.output.durable = flag(v); }},
      {"mode",
       [](NamedOptions& o, const Json& v) {
         o.output.mode = choice<OutputMode>(v, {{"create", OutputMode::Create},
                                                {"append", OutputMode::Append},
                                                {"overwrite", OutputMode::Overwrite}});
       }},
      {"annotations", [](NamedOptions& o, const Json& v) { o.plan.annotations = flag(v); }},
      {"round", [](NamedOptions& o, const Json& v) { o.plan.cast.round = flag(v); }},
      {"merge_nulls", [](NamedOptions& o, const Json& v) { o.plan.cast.merge_nulls = flag(v); }},
      {"drop_zone", [](NamedOptions& o, const Json& v) { o.plan.cast.drop_zone = flag(v); }},
      {"duplicate_keys",
       [](NamedOptions& o, const Json& v) {
         o.plan.cast.duplicate_keys =
             choice<hub::DuplicateKeys>(v, {{"error", hub::DuplicateKeys::Error},
                                            {"last", hub::DuplicateKeys::Last},
                                            {"keep", hub::DuplicateKeys::Keep}});
       }},
      {"allow",
       [](NamedOptions& o, const Json& v) {
         o.allow_lossy = choice<bool>(v, {{"lossy", true}});
       }},
  };
  return kSetters;
}

Json parse_object(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected options as JSON, found {}", xwalk::quoted(text)), {},
                error.what());
  }
  if (!json.is_object()) expected("options as a JSON object", json);
  return json;
}

}  // namespace

NamedOptions read_named_options(std::string_view json) {
  NamedOptions options;
  options.pipeline.threads = 0;
  const Json given = json.empty() ? Json::object() : parse_object(json);
  for (const auto& [name, value] : given.items()) {
    if (value.is_null()) continue;
    const auto found = setters().find(name);
    if (found == setters().end()) {
      std::vector<std::string> names;
      for (const auto& [known, set] : setters()) names.push_back(known);
      throw Error(ErrorCode::Usage, fmt::format("the option {} is not known", xwalk::quoted(name)),
                  {}, fmt::format("There are {}.", join(names, ", ")));
    }
    try {
      found->second(options, value);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", name, error.message()), error.place(),
                  error.hint());
    }
  }
  options.output.values = options.input.values;
  options.output.keep_repeated_keys = options.plan.cast.duplicate_keys == hub::DuplicateKeys::Keep;
  return options;
}

}  // namespace xwalk::io
