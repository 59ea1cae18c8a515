#include "xwalk/python/options.h"

#include <map>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Set = void (*)(Options&, nb::handle);

template <typename T>
T as(nb::handle value) {
  return nb::cast<T>(value);
}

std::string word(nb::handle value) { return nb::cast<std::string>(value); }

template <typename T>
T choice(nb::handle value, std::initializer_list<std::pair<const char*, T>> choices) {
  const std::string found = word(value);
  std::vector<std::string> words;
  for (const auto& [name, meaning] : choices) {
    if (name == found) return meaning;
    words.emplace_back(name);
  }
  throw Error(ErrorCode::Usage,
              fmt::format("expected {}, found {}", join(words, " or "), quoted(found)));
}

/// Every option, by its name; the same names as the program's, with underscores.
const std::map<std::string, Set, std::less<>>& setters() {
  static const std::map<std::string, Set, std::less<>> kSetters = {
      {"format", [](Options& o, nb::handle v) { o.input.format = io::parse_format(word(v)); }},
      {"schema", [](Options& o, nb::handle v) { o.input.schema = word(v); }},
      {"select",
       [](Options& o, nb::handle v) { o.input.select = as<std::vector<std::string>>(v); }},
      {"limit", [](Options& o, nb::handle v) { o.input.limit = as<int64_t>(v); }},
      {"batch_rows", [](Options& o, nb::handle v) { o.input.batch_rows = as<int64_t>(v); }},
      {"table", [](Options& o, nb::handle v) { o.input.table = as<uint32_t>(v); }},
      {"version", [](Options& o, nb::handle v) { o.input.version = as<uint64_t>(v); }},
      {"table_index", [](Options& o, nb::handle v) { o.input.table_index = as<bool>(v); }},
      {"range_index", [](Options& o, nb::handle v) { o.input.range_index = as<bool>(v); }},
      {"row_index", [](Options& o, nb::handle v) { o.input.row_index = as<bool>(v); }},
      {"threads",
       [](Options& o, nb::handle v) {
         o.pipeline.threads = o.input.threads = o.output.threads = as<int>(v);
       }},
      {"on_error",
       [](Options& o, nb::handle v) {
         o.input.skip_bad_rows = o.pipeline.skip_bad_rows =
             choice<bool>(v, {{"fail", false}, {"skip", true}});
       }},
      {"max_rejects", [](Options& o, nb::handle v) { o.pipeline.max_bad_rows = as<uint64_t>(v); }},
      {"end_of_stream",
       [](Options& o, nb::handle v) {
         o.input.end_of_stream = o.output.end_of_stream = as<bool>(v);
       }},
      {"int96_unit",
       [](Options& o, nb::handle v) {
         o.input.int96_micros = choice<bool>(v, {{"ns", false}, {"us", true}});
       }},
      {"complex_type_mode",
       [](Options& o, nb::handle v) {
         o.input.values.complex_type_mode = yt::parse_complex_type_mode(word(v));
       }},
      {"string_keyed_dict_mode",
       [](Options& o, nb::handle v) {
         o.input.values.string_keyed_dict_mode = yt::parse_dict_mode(word(v));
       }},
      {"decimal_mode",
       [](Options& o, nb::handle v) {
         o.input.values.decimal_mode = yt::parse_decimal_mode(word(v));
       }},
      {"time_mode",
       [](Options& o, nb::handle v) { o.input.values.time_mode = yt::parse_time_mode(word(v)); }},
      {"uuid_mode",
       [](Options& o, nb::handle v) { o.input.values.uuid_mode = yt::parse_uuid_mode(word(v)); }},
      {"uuid_order",
       [](Options& o, nb::handle v) { o.input.values.uuid_order = yt::parse_uuid_order(word(v)); }},
      {"decimal_special",
       [](Options& o, nb::handle v) {
         o.input.values.decimal_special = yt::parse_decimal_special(word(v));
       }},
      {"yson_format",
       [](Options& o, nb::handle v) { o.input.values.format = yt::parse_row_format(word(v)); }},
      {"skip_null_values",
       [](Options& o, nb::handle v) { o.input.values.skip_null_values = as<bool>(v); }},
      {"to", [](Options& o, nb::handle v) { o.output.format = io::parse_format(word(v)); }},
      {"compression", [](Options& o, nb::handle v) { o.output.compression = word(v); }},
      {"row_group_rows",
       [](Options& o, nb::handle v) { o.output.row_group_rows = as<int64_t>(v); }},
      {"durable", [](Options& o, nb::handle v) { o.output.durable = as<bool>(v); }},
      {"mode",
       [](Options& o, nb::handle v) {
         o.output.lance_mode =
             choice<io::LanceMode>(v, {{"create", io::LanceMode::Create},
                                       {"append", io::LanceMode::Append},
                                       {"overwrite", io::LanceMode::Overwrite}});
       }},
      {"annotations", [](Options& o, nb::handle v) { o.plan.annotations = as<bool>(v); }},
      {"round", [](Options& o, nb::handle v) { o.plan.cast.round = as<bool>(v); }},
      {"merge_nulls", [](Options& o, nb::handle v) { o.plan.cast.merge_nulls = as<bool>(v); }},
      {"drop_zone", [](Options& o, nb::handle v) { o.plan.cast.drop_zone = as<bool>(v); }},
      {"duplicate_keys",
       [](Options& o, nb::handle v) {
         o.plan.cast.duplicate_keys =
             choice<hub::DuplicateKeys>(v, {{"error", hub::DuplicateKeys::Error},
                                            {"last", hub::DuplicateKeys::Last},
                                            {"keep", hub::DuplicateKeys::Keep}});
       }},
      {"allow",
       [](Options& o, nb::handle v) { o.allow_lossy = choice<bool>(v, {{"lossy", true}}); }},
  };
  return kSetters;
}

}  // namespace

Options read_options(const nb::dict& given) {
  Options options;
  options.pipeline.threads = 0;
  for (auto [key, value] : given) {
    if (value.is_none()) continue;
    const std::string name = word(key);
    const auto found = setters().find(name);
    if (found == setters().end()) {
      std::vector<std::string> names;
      for (const auto& [known, set] : setters()) names.push_back(known);
      throw Error(ErrorCode::Usage, fmt::format("the option {} is not known", quoted(name)), {},
                  fmt::format("There are {}.", join(names, ", ")));
    }
    try {
      found->second(options, value);
    } catch (const nb::cast_error&) {
      throw Error(ErrorCode::Usage, fmt::format("expected another type of {}, found {}", name,
                                                nb::type_name(value.type()).c_str()));
    }
  }
  options.output.values = options.input.values;
  options.output.keep_repeated_keys = options.plan.cast.duplicate_keys == hub::DuplicateKeys::Keep;
  return options;
}

}  // namespace xwalk::python
