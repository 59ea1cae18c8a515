#include "xwalk/io/named_options.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/byte_count.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/format_word.h"
#include "xwalk/io/selection.h"

namespace xwalk::io {
namespace {

using Json = nlohmann::json;
using Set = void (*)(ConvertOptions&, const Json&);
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

std::vector<std::string> words(const Json& value) {
  if (!value.is_array()) expected("a list of strings", value);
  std::vector<std::string> out;
  for (const Json& item : value) out.push_back(word(item));
  return out;
}

/// Reads new names, by path.
std::vector<crosswalk::RenameOption> renames(const Json& value) {
  if (!value.is_object()) expected("new names by path", value);
  std::vector<crosswalk::RenameOption> out;
  for (const auto& [path, name] : value.items()) {
    out.push_back({parse_selection(path), word(name)});
    if (!out.back().path.last().is_named()) expected("the path of a name", path);
  }
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

/// How each option is set; a format comes last, since its attributes go before other options.
const std::map<Option, Set>& setters() {
  static const std::map<Option, Set> kSetters = {
      {Option::Schema, [](ConvertOptions& o, const Json& v) { o.input.schema = word(v); }},
      {Option::Select, [](ConvertOptions& o, const Json& v) { o.input.select = words(v); }},
      {Option::Rename, [](ConvertOptions& o, const Json& v) { o.plan.rename = renames(v); }},
      {Option::Partitions, [](ConvertOptions& o, const Json& v) { o.input.partitions = flag(v); }},
      {Option::Unify, [](ConvertOptions& o, const Json& v) { o.input.unify = flag(v); }},
      {Option::Limit, [](ConvertOptions& o, const Json& v) { o.input.limit = number<int64_t>(v); }},
      {Option::BatchRows,
       [](ConvertOptions& o, const Json& v) { o.input.batch_rows = number<int64_t>(v, 1); }},
      {Option::MaxMemory,
       [](ConvertOptions& o, const Json& v) { o.input.max_memory = byte_count(v); }},
      {Option::Table,
       [](ConvertOptions& o, const Json& v) { o.input.table = number<uint32_t>(v); }},
      {Option::Part, [](ConvertOptions& o, const Json& v) { o.input.part = part(v); }},
      {Option::Version,
       [](ConvertOptions& o, const Json& v) { o.input.lance.version = number<uint64_t>(v); }},
      {Option::TableIndex,
       [](ConvertOptions& o, const Json& v) { o.input.skiff.table_index = flag(v); }},
      {Option::RangeIndex,
       [](ConvertOptions& o, const Json& v) { o.input.skiff.range_index = flag(v); }},
      {Option::RowIndex,
       [](ConvertOptions& o, const Json& v) { o.input.skiff.row_index = flag(v); }},
      {Option::Threads,
       [](ConvertOptions& o, const Json& v) {
         o.pipeline.threads = o.input.threads = o.output.threads = number<int>(v);
       }},
      {Option::OnError,
       [](ConvertOptions& o, const Json& v) {
         o.input.skip_bad_rows = o.pipeline.skip_bad_rows =
             choice<bool>(v, {{"fail", false}, {"skip", true}});
       }},
      {Option::MaxRejects,
       [](ConvertOptions& o, const Json& v) { o.pipeline.max_bad_rows = number<uint64_t>(v); }},
      {Option::EndOfStream,
       [](ConvertOptions& o, const Json& v) {
         o.input.skiff.end_of_stream = o.output.skiff.end_of_stream = flag(v);
       }},
      {Option::Int96Unit,
       [](ConvertOptions& o, const Json& v) {
         o.input.parquet.int96_micros = choice<bool>(v, {{"ns", false}, {"us", true}});
       }},
      {Option::ComplexTypeMode,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.complex_type_mode = yt::parse_complex_type_mode(word(v));
       }},
      {Option::StringKeyedDictMode,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.string_keyed_dict_mode = yt::parse_dict_mode(word(v));
       }},
      {Option::DecimalMode,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.decimal_mode = yt::parse_decimal_mode(word(v));
       }},
      {Option::TimeMode,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.time_mode = yt::parse_time_mode(word(v));
       }},
      {Option::UuidMode,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.uuid_mode = yt::parse_uuid_mode(word(v));
       }},
      {Option::UuidOrder,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.uuid_order = yt::parse_uuid_order(word(v));
       }},
      {Option::TzForm, [](ConvertOptions& o,
                          const Json& v) { o.input.values.tz_form = yt::parse_tz_form(word(v)); }},
      {Option::DecimalSpecial,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.decimal_special = yt::parse_decimal_special(word(v));
       }},
      {Option::YsonFormat,
       [](ConvertOptions& o, const Json& v) {
         o.input.values.format = yt::parse_row_format(word(v));
       }},
      {Option::SkipNullValues,
       [](ConvertOptions& o, const Json& v) { o.input.values.skip_null_values = flag(v); }},
      {Option::Compression,
       [](ConvertOptions& o, const Json& v) { o.output.compression = word(v); }},
      {Option::RowGroupRows,
       [](ConvertOptions& o, const Json& v) { o.output.row_group_rows = number<int64_t>(v); }},
      {Option::PartitionBy,
       [](ConvertOptions& o, const Json& v) { o.output.partition_by = words(v); }},
      {Option::Durable, [](ConvertOptions& o, const Json& v) { o.output.durable = flag(v); }},
      {Option::Mode,
       [](ConvertOptions& o, const Json& v) {
         o.output.mode = choice<OutputMode>(v, {{"create", OutputMode::Create},
                                                {"append", OutputMode::Append},
                                                {"overwrite", OutputMode::Overwrite}});
       }},
      {Option::Annotations, [](ConvertOptions& o, const Json& v) { o.plan.annotations = flag(v); }},
      {Option::Round, [](ConvertOptions& o, const Json& v) { o.plan.cast.round = flag(v); }},
      {Option::MergeNulls,
       [](ConvertOptions& o, const Json& v) { o.plan.cast.merge_nulls = flag(v); }},
      {Option::DropZone, [](ConvertOptions& o, const Json& v) { o.plan.cast.drop_zone = flag(v); }},
      {Option::DuplicateKeys,
       [](ConvertOptions& o, const Json& v) {
         o.plan.cast.duplicate_keys =
             choice<hub::DuplicateKeys>(v, {{"error", hub::DuplicateKeys::Error},
                                            {"last", hub::DuplicateKeys::Last},
                                            {"keep", hub::DuplicateKeys::Keep}});
       }},
      {Option::Any,
       [](ConvertOptions& o, const Json& v) {
         o.plan.cast.any = choice<hub::AnyValues>(v, {{"yson", hub::AnyValues::Yson},
                                                      {"json", hub::AnyValues::Json},
                                                      {"ytjson", hub::AnyValues::YtJson}});
       }},
      {Option::ClusterVersion,
       [](ConvertOptions& o, const Json& v) {
         o.plan.cluster = yt::parse_cluster_version(word(v));
       }},
      {Option::Rejects, [](ConvertOptions& o, const Json& v) { o.rejects = word(v); }},
      {Option::Storage,
       [](ConvertOptions& o, const Json& v) {
         if (!v.is_object()) expected("options of stores by name", v);
         for (const auto& [key, value] : v.items()) {
           const std::string text =
               value.is_boolean() || value.is_number() ? value.dump() : word(value);
           add_storage_option(key, text, &o.input.storage);
         }
         o.output.storage = o.input.storage;
       }},
      {Option::YtAttribute,
       [](ConvertOptions& o, const Json& v) {
         if (!v.is_object()) expected("attributes by name", v);
         for (const auto& [name, value] : v.items()) {
           const std::string text = value.is_string()    ? value.get<std::string>()
                                    : value.is_boolean() ? (value.get<bool>() ? "%true" : "%false")
                                                         : value.dump();
           add_table_attribute(name, text, &o.output.table_attributes);
         }
       }},
      {Option::Allow,
       [](ConvertOptions& o, const Json& v) {
         o.allow_lossy = choice<bool>(v, {{"lossy", true}});
       }},
  };
  return kSetters;
}

Json parse_object(std::string_view text) {
  check_json_depth(text, ErrorCode::Usage);
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

[[noreturn]] void unknown(const std::string& name) {
  std::vector<std::string> names = {"format", "to"};
  for (const auto& [known, set] : setters()) names.emplace_back(hub::to_string(known));
  std::ranges::sort(names);
  throw Error(ErrorCode::Usage, fmt::format("the option {} is not known", xwalk::quoted(name)), {},
              fmt::format("There are {}.", join(names, ", ")));
}

/// Reads one option; what is wrong with it is told with its name.
template <typename Read>
void named(const std::string& name, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", name, error.message()), error.place(),
                error.hint());
  }
}

}  // namespace

ConvertOptions read_named_options(std::string_view json) {
  ConvertOptions options;
  options.pipeline.threads = 0;
  const Json given = json.empty() ? Json::object() : parse_object(json);
  Json format;
  Json to;
  for (const auto& [name, value] : given.items()) {
    if (value.is_null()) continue;
    const std::optional<Option> option = hub::option_of_id(name);
    if (option == Option::Format || option == Option::To) {
      (option == Option::To ? to : format) = value;
      continue;
    }
    const auto found = option ? setters().find(*option) : setters().end();
    if (found == setters().end()) unknown(name);
    named(name, [&, &its = value] { found->second(options, its); });
  }
  options.output.values = options.input.values;
  options.output.parquet.keep_repeated_keys =
      options.plan.cast.duplicate_keys == hub::DuplicateKeys::Keep;
  if (!format.is_null()) named("format", [&] { set_format(word(format), &options.input); });
  if (!to.is_null()) {
    named("to", [&] {
      if (auto schema = set_format(word(to), &options.output)) {
        options.target = SchemaArgument{std::move(*schema)};
      }
    });
  }
  return options;
}

}  // namespace xwalk::io
