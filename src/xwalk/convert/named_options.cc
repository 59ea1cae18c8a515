#include "xwalk/convert/named_options.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/byte_count.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/compress.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/lance/data_version.h"
#include "xwalk/vortex/edition.h"

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

/// Reads new types, by path.
std::vector<crosswalk::CastOption> casts(const Json& value) {
  if (!value.is_object()) expected("new types by path", value);
  std::vector<crosswalk::CastOption> out;
  for (const auto& [path, type] : value.items()) out.push_back(cast_to(path, word(type)));
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
  wrong_word(join(known, " or "), found, known);
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

void set_format_later(ConvertOptions&, const Json&) {}

/// An option with how it is set. Formats are set when all others are.
struct Row {
  NamedOption named;
  Set set;
};

/// All options, by what they are about.
constexpr std::array kRows = {
    Row{{Option::Format, OptionGroup::Source, OptionValue::Word, "",
         "The format (default: detected from content and file name)."},
        set_format_later},
    Row{{Option::Schema, OptionGroup::Source, OptionValue::Schema, "",
         "The schema of rows that don't carry one, as a file or as text."},
        [](ConvertOptions& o, const Json& v) { o.input.schema = word(v); }},
    Row{{Option::RequireSchema, OptionGroup::Source, OptionValue::Flag, "false",
         "Refuse rows without a schema instead of inferring one."},
        [](ConvertOptions& o, const Json& v) { o.input.require_schema = flag(v); }},
    Row{{Option::SaveSchema, OptionGroup::Source, OptionValue::Path, "",
         "YSON and JSON: write the table schema that the rows are read by, also an inferred one, "
         "to this file."},
        [](ConvertOptions& o, const Json& v) { o.input.save_schema = word(v); }},
    Row{{Option::Partitions, OptionGroup::Source, OptionValue::Flag, "true",
         "Whether folder names such as `day=2024-01-01` become columns."},
        [](ConvertOptions& o, const Json& v) { o.input.partitions = flag(v); }},
    Row{{Option::Unify, OptionGroup::Source, OptionValue::Flag, "false",
         "Accept files with different schemas: columns are matched by name, types widened, missing "
         "columns filled with nulls."},
        [](ConvertOptions& o, const Json& v) { o.input.unify = flag(v); }},
    Row{{Option::Select, OptionGroup::Rows, OptionValue::Words, "",
         "Columns to read, in this order; * and ? stand for characters."},
        [](ConvertOptions& o, const Json& v) { o.input.select = words(v); }},
    Row{{Option::Exclude, OptionGroup::Rows, OptionValue::Words, "",
         "Columns, and fields of structs, to leave out."},
        [](ConvertOptions& o, const Json& v) { o.input.exclude = words(v); }},
    Row{{Option::Limit, OptionGroup::Rows, OptionValue::Number, "", "Stop after this many rows."},
        [](ConvertOptions& o, const Json& v) { o.input.limit = number<int64_t>(v); }},
    Row{{Option::Sample, OptionGroup::Rows, OptionValue::Word, "",
         "Read a sample of the rows, in their order: a number such as `1000`, or a share such as "
         "`2.5%`."},
        [](ConvertOptions& o, const Json& v) {
          o.input.sample = parse_sample(v.is_number_integer() ? v.dump() : word(v));
        }},
    Row{{Option::Seed, OptionGroup::Rows, OptionValue::Number, "0",
         "Which sample is drawn: the same seed gives the same rows."},
        [](ConvertOptions& o, const Json& v) { o.input.seed = number<uint64_t>(v); }},
    Row{{Option::Tail, OptionGroup::Rows, OptionValue::Number, "",
         "Only the last rows, this many."},
        [](ConvertOptions& o, const Json& v) { o.input.tail = number<int64_t>(v); }},
    Row{{Option::BatchRows, OptionGroup::Rows, OptionValue::Number, "65536",
         "Rows per batch, at most."},
        [](ConvertOptions& o, const Json& v) { o.input.batch_rows = number<int64_t>(v, 1); }},
    Row{{Option::MaxMemory, OptionGroup::Rows, OptionValue::Bytes, "\"8GiB\"",
         "Memory limit for reading; one row may take 1/64 of it."},
        [](ConvertOptions& o, const Json& v) { o.input.max_memory = byte_count(v); }},
    Row{{Option::Table, OptionGroup::Rows, OptionValue::Number, "",
         "YSON and Skiff: only the rows of this table."},
        [](ConvertOptions& o, const Json& v) { o.input.table = number<uint32_t>(v); }},
    Row{{Option::Part, OptionGroup::Rows, OptionValue::Object, "",
         "YSON, JSON and Parquet: read one of the parts that a file was split into."},
        [](ConvertOptions& o, const Json& v) { o.input.part = part(v); }},
    Row{{Option::Version, OptionGroup::Rows, OptionValue::NumberOrWord, "",
         "Lance: version of the dataset: a number, a tag, a branch, or `BRANCH:NUMBER` (default: "
         "the "
         "latest)."},
        [](ConvertOptions& o, const Json& v) {
          o.input.lance.version = v.is_string() ? word(v) : std::to_string(number<uint64_t>(v));
        }},
    Row{{Option::Follow, OptionGroup::Rows, OptionValue::Words, "",
         "Lance: read data outside of the dataset that it refers to (external blobs, base paths) "
         "below these paths or URIs; other references are not followed."},
        [](ConvertOptions& o, const Json& v) { o.input.lance.follow = words(v); }},
    Row{{Option::TableIndex, OptionGroup::Rows, OptionValue::Flag, "false",
         "Skiff: add the column $table_index as the last."},
        [](ConvertOptions& o, const Json& v) { o.input.skiff.table_index = flag(v); }},
    Row{{Option::RangeIndex, OptionGroup::Rows, OptionValue::Flag, "false",
         "Skiff: add the column $range_index as the last."},
        [](ConvertOptions& o, const Json& v) { o.input.skiff.range_index = flag(v); }},
    Row{{Option::RowIndex, OptionGroup::Rows, OptionValue::Flag, "false",
         "Skiff: add the column $row_index as the last."},
        [](ConvertOptions& o, const Json& v) { o.input.skiff.row_index = flag(v); }},
    Row{{Option::Int96Unit, OptionGroup::Rows, OptionValue::Choice, "ns us",
         "Parquet: unit for INT96 timestamps."},
        [](ConvertOptions& o, const Json& v) {
          o.input.parquet.int96_micros = choice<bool>(v, {{"ns", false}, {"us", true}});
        }},
    Row{{Option::Threads, OptionGroup::Work, OptionValue::Number, "",
         "Worker threads (default: all cores)."},
        [](ConvertOptions& o, const Json& v) {
          o.pipeline.threads = o.input.threads = o.output.threads = number<int>(v);
        }},
    Row{{Option::OnError, OptionGroup::Work, OptionValue::Choice, " fail skip",
         "What to do with a bad row: fail, or skip it and count it (default: fail, unless rejects "
         "or "
         "max_rejects are given)."},
        [](ConvertOptions& o, const Json& v) {
          o.input.skip_bad_rows = o.pipeline.skip_bad_rows =
              choice<bool>(v, {{"fail", false}, {"skip", true}});
        }},
    Row{{Option::Storage, OptionGroup::Work, OptionValue::Object, "",
         "How to reach the store of a URI: endpoint, region, anonymous, account, timeout, "
         "connect-timeout, retries, max-download. Secrets come from the store's environment "
         "variables and "
         "profiles."},
        [](ConvertOptions& o, const Json& v) {
          if (!v.is_object()) expected("options of stores by name", v);
          for (const auto& [key, value] : v.items()) {
            const std::string text =
                value.is_boolean() || value.is_number() ? value.dump() : word(value);
            add_storage_option(key, text, &o.input.storage);
          }
          o.output.storage = o.input.storage;
        }},
    Row{{Option::YsonFormat, OptionGroup::Values, OptionValue::Choice, "text pretty binary",
         "YSON: how it is written."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.format = yt::parse_row_format(word(v));
        }},
    Row{{Option::ComplexTypeMode, OptionGroup::Values, OptionValue::Choice, "named positional",
         "YSON: structs and variants by name or by position."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.complex_type_mode = yt::parse_complex_type_mode(word(v));
        }},
    Row{{Option::StringKeyedDictMode, OptionGroup::Values, OptionValue::Choice, "positional named",
         "YSON: dicts with string keys as lists of pairs or as maps."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.string_keyed_dict_mode = yt::parse_dict_mode(word(v));
        }},
    Row{{Option::DecimalMode, OptionGroup::Values, OptionValue::Choice, " binary text",
         "Decimals as bytes or numbers, or as text (default: binary in YSON, text in JSON lines)."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.decimal_mode = yt::parse_decimal_mode(word(v));
          o.input.values.chosen.decimal = true;
        }},
    Row{{Option::TimeMode, OptionGroup::Values, OptionValue::Choice, " binary text",
         "Dates and times as bytes or numbers, or as text (default: binary in YSON, text in JSON "
         "lines)."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.time_mode = yt::parse_time_mode(word(v));
          o.input.values.chosen.time = true;
        }},
    Row{{Option::UuidMode, OptionGroup::Values, OptionValue::Choice, " binary text_yql text_yt",
         "Uuids as bytes or numbers, or as text (default: binary in YSON, text in JSON lines)."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.uuid_mode = yt::parse_uuid_mode(word(v));
          o.input.values.chosen.uuid = true;
        }},
    Row{{Option::UuidOrder, OptionGroup::Values, OptionValue::Choice, "rfc raw",
         "Byte order of uuids outside YTsaurus: as their YQL text reads, or as stored."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.uuid_order = yt::parse_uuid_order(word(v));
        }},
    Row{{Option::TzForm, OptionGroup::Values, OptionValue::Choice, "name index",
         "Time zones of tz_* values as names, or as numbers, as newer clusters store them."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.tz_form = yt::parse_tz_form(word(v));
        }},
    Row{{Option::DecimalSpecial, OptionGroup::Values, OptionValue::Choice, "error null",
         "What to do with NaN and ±Inf in decimals."},
        [](ConvertOptions& o, const Json& v) {
          o.input.values.decimal_special = yt::parse_decimal_special(word(v));
        }},
    Row{{Option::SkipNullValues, OptionGroup::Values, OptionValue::Flag, "false",
         "YSON: omit columns that are null."},
        [](ConvertOptions& o, const Json& v) { o.input.values.skip_null_values = flag(v); }},
    Row{{Option::EndOfStream, OptionGroup::Values, OptionValue::Flag, "false",
         "Skiff: expect or write the tag 0xFFFF at the end of the stream."},
        [](ConvertOptions& o, const Json& v) {
          o.input.skiff.end_of_stream = o.output.skiff.end_of_stream = flag(v);
        }},
    Row{{Option::Rename, OptionGroup::Changes, OptionValue::Object, "",
         "New names of columns and fields, by path."},
        [](ConvertOptions& o, const Json& v) { o.plan.rename = renames(v); }},
    Row{{Option::Cast, OptionGroup::Changes, OptionValue::Object, "",
         "New types of columns and fields, by path, in the words of any system; * and ? stand for "
         "characters."},
        [](ConvertOptions& o, const Json& v) { o.plan.casts = casts(v); }},
    Row{{Option::Annotations, OptionGroup::Changes, OptionValue::Flag, "true",
         "Whether to write and trust xwalk annotations."},
        [](ConvertOptions& o, const Json& v) { o.plan.annotations = flag(v); }},
    Row{{Option::Round, OptionGroup::Changes, OptionValue::Flag, "false",
         "Round values that need more precision than the target has."},
        [](ConvertOptions& o, const Json& v) { o.plan.cast.round = flag(v); }},
    Row{{Option::MergeNulls, OptionGroup::Changes, OptionValue::Flag, "false",
         "Merge several levels of null into one."},
        [](ConvertOptions& o, const Json& v) { o.plan.cast.merge_nulls = flag(v); }},
    Row{{Option::DropZone, OptionGroup::Changes, OptionValue::Flag, "false",
         "Drop the time zone of each value; instants are kept."},
        [](ConvertOptions& o, const Json& v) { o.plan.cast.drop_zone = flag(v); }},
    Row{{Option::DuplicateKeys, OptionGroup::Changes, OptionValue::Choice, "error last keep",
         "What to do with a key that occurs twice in one map."},
        [](ConvertOptions& o, const Json& v) {
          o.plan.cast.duplicate_keys =
              choice<hub::DuplicateKeys>(v, {{"error", hub::DuplicateKeys::Error},
                                             {"last", hub::DuplicateKeys::Last},
                                             {"keep", hub::DuplicateKeys::Keep}});
        }},
    Row{{Option::Any, OptionGroup::Changes, OptionValue::Choice, "yson json ytjson",
         "What values of type any become where the target has no such type: binary YSON, or JSON "
         "text."},
        [](ConvertOptions& o, const Json& v) {
          o.plan.cast.any = choice<hub::AnyValues>(v, {{"yson", hub::AnyValues::Yson},
                                                       {"json", hub::AnyValues::Json},
                                                       {"ytjson", hub::AnyValues::YtJson}});
        }},
    Row{{Option::ClusterVersion, OptionGroup::Changes, OptionValue::Word, "",
         "The YTsaurus release to check against; what it lacks is unsupported (default: the "
         "newest)."},
        [](ConvertOptions& o, const Json& v) {
          o.plan.cluster = yt::parse_cluster_version(word(v));
        }},
    Row{{Option::LanceVersion, OptionGroup::Changes, OptionValue::Word, "",
         "Lance: version of the data files, 2.0, 2.1, 2.2, 2.3 or stable; what they do not hold is "
         "unsupported (default: that of the dataset, or stable)."},
        [](ConvertOptions& o, const Json& v) {
          o.plan.lance_version = lance::parse_data_version(word(v));
        }},
    Row{{Option::VortexEdition, OptionGroup::Changes, OptionValue::Word, "",
         "Vortex: edition of the file, such as core2025.10.0; what it does not have is unsupported "
         "(default: the newest)."},
        [](ConvertOptions& o, const Json& v) {
          o.plan.vortex_edition = vortex::parse_edition(word(v));
        }},
    Row{{Option::CsvFormulas, OptionGroup::Changes, OptionValue::Choice, "keep escape refuse",
         "CSV: what to do with text that a spreadsheet runs as a formula: write it as it is, put "
         "an "
         "apostrophe before it, or reject the row."},
        [](ConvertOptions& o, const Json& v) {
          o.output.csv_formulas =
              choice<hub::CsvFormulas>(v, {{"keep", hub::CsvFormulas::Keep},
                                           {"escape", hub::CsvFormulas::Escape},
                                           {"refuse", hub::CsvFormulas::Refuse}});
        }},
    Row{{Option::Allow, OptionGroup::Consent, OptionValue::Choice, " lossy",
         "Accept values that are changed."},
        [](ConvertOptions& o, const Json& v) {
          o.allow_lossy = choice<bool>(v, {{"lossy", true}});
        }},
    Row{{Option::MaxRejects, OptionGroup::Consent, OptionValue::Word, "",
         "Skip bad rows, but fail if there are more than a number such as `1000`, or a share of "
         "all "
         "rows such as `5%`."},
        [](ConvertOptions& o, const Json& v) {
          set_max_rejects(v.is_number_integer() ? v.dump() : word(v), &o.pipeline);
        }},
    Row{{Option::Rejects, OptionGroup::Consent, OptionValue::Path, "",
         "Skip bad rows, and write them and their reasons to this file, as YSON rows."},
        [](ConvertOptions& o, const Json& v) { o.rejects = word(v); }},
    Row{{Option::To, OptionGroup::Writing, OptionValue::Word, "",
         "The format of the output (default: from its name)."},
        set_format_later},
    Row{{Option::Compression, OptionGroup::Writing, OptionValue::Word, "",
         "Parquet: none, snappy, zstd, lz4, gzip, brotli; Arrow: none, zstd, lz4; a level behind a "
         "colon: `zstd:9` (default: as the input, else snappy in Parquet, none in Arrow). Rows are "
         "compressed by their name: .gz, .zst."},
        [](ConvertOptions& o, const Json& v) {
          const Codec codec = parse_codec(word(v));
          o.output.compression = codec.name;
          o.output.compression_level = codec.level;
        }},
    Row{{Option::RowGroupRows, OptionGroup::Writing, OptionValue::Number, "",
         "Parquet: rows per row group (default: as the input)."},
        [](ConvertOptions& o, const Json& v) { o.output.row_group_rows = number<int64_t>(v); }},
    Row{{Option::PartitionBy, OptionGroup::Writing, OptionValue::Words, "",
         "Parquet and Arrow: write a folder of files, split by the values of these columns."},
        [](ConvertOptions& o, const Json& v) {
          o.output.partition_by.clear();
          for (const std::string& text : words(v)) {
            o.output.partition_by.push_back(parse_column(text));
          }
        }},
    Row{{Option::Mode, OptionGroup::Writing, OptionValue::Choice, " create append overwrite",
         "What to do if the dataset exists (default: refuse)."},
        [](ConvertOptions& o, const Json& v) {
          o.output.mode = choice<OutputMode>(v, {{"create", OutputMode::Create},
                                                 {"append", OutputMode::Append},
                                                 {"overwrite", OutputMode::Overwrite}});
          o.output.mode_given = true;
        }},
    Row{{Option::Durable, OptionGroup::Writing, OptionValue::Flag, "false",
         "fsync before returning."},
        [](ConvertOptions& o, const Json& v) { o.output.durable = flag(v); }},
    Row{{Option::YtAttribute, OptionGroup::Writing, OptionValue::Object, "",
         "Attributes of the new table on a cluster, by name; text is parsed as YSON."},
        [](ConvertOptions& o, const Json& v) {
          if (!v.is_object()) expected("attributes by name", v);
          for (const auto& [name, value] : v.items()) {
            const std::string text = value.is_string()    ? value.get<std::string>()
                                     : value.is_boolean() ? (value.get<bool>() ? "%true" : "%false")
                                                          : value.dump();
            add_table_attribute(name, text, &o.output.table_attributes);
          }
        }},
    Row{{Option::YtWriters, OptionGroup::Writing, OptionValue::Number, "1",
         "Parallel writers of a table on a cluster; several don't keep the order of rows."},
        [](ConvertOptions& o, const Json& v) { o.output.table_writers = number<int>(v, 1); }},
};

consteval bool names_each_once() {
  std::array<bool, hub::kOptions> named{};
  for (const Row& row : kRows) {
    bool& there = named[static_cast<size_t>(row.named.option)];
    if (there) return false;
    there = true;
  }
  return true;
}
static_assert(names_each_once());

Json parse_object(std::string_view text) {
  check_json_document(text, ErrorCode::Usage);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected options as JSON, found {}", xwalk::quoted(text)), {},
                error.what());
  }
  if (!json.is_object()) expected("options as a JSON object", json);
  return json;
}

[[noreturn]] void unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(hub::to_string(row.named.option));
  throw Error(ErrorCode::Usage, fmt::format("the option {} is not known", xwalk::quoted(name)), {},
              did_you_mean(name, names));
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

std::vector<NamedOption> named_options() {
  std::vector<NamedOption> out;
  for (const Row& row : kRows) out.push_back(row.named);
  return out;
}

ConvertOptions read_named_options(std::string_view json) {
  ConvertOptions options;
  options.pipeline.threads = 0;
  const Json given = json.empty() ? Json::object() : parse_object(json);
  Json format;
  Json to;
  for (const auto& [name, value] : given.items()) {
    if (value.is_null()) continue;
    const std::optional<Option> option = hub::option_of_id(name);
    if (option) options.given.insert(*option);
    if (option == Option::Format || option == Option::To) {
      (option == Option::To ? to : format) = value;
      continue;
    }
    const auto row =
        std::ranges::find_if(kRows, [&](const Row& known) { return known.named.option == option; });
    if (row == kRows.end()) unknown(name);
    named(name, [&, &its = value] { row->set(options, its); });
  }
  options.input.given = options.given;
  options.input.annotations = options.plan.annotations;
  options.output.values = options.input.values;
  options.output.parquet.keep_repeated_keys =
      options.plan.cast.duplicate_keys == hub::DuplicateKeys::Keep;
  if (!format.is_null()) named("format", [&] { set_format(word(format), &options.input); });
  if (!to.is_null()) {
    named("to", [&] {
      if (auto schema = set_format(word(to), options.given, &options.output)) {
        set_output_schema(SchemaArgument{std::move(*schema)}, &options);
      }
    });
  }
  set_tolerance(&options);
  return options;
}

}  // namespace xwalk::io
