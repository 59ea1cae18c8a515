#include "xwalk/cli/row_options.h"

#include <algorithm>
#include <thread>

#include "xwalk/cli/arguments.h"
#include "xwalk/io/format_word.h"
#include "xwalk/io/schema_input.h"

namespace xwalk::cli {

void declare_storage(CLI::App& app, RowOptions* options) {
  app.add_option_function<std::vector<std::string>>(
         "--storage",
         [storage = &options->storage](const std::vector<std::string>& given) {
           for (const std::string& text : given) io::add_storage_option(text, storage);
         },
         "how the store of a URI is reached: endpoint, region, anonymous, account, timeout, "
         "connect-timeout, retries; never a secret")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Stores");
}

void declare_files(CLI::App& app, RowOptions* options) {
  add_flag(app, "--unify", &options->unify,
           "files of different schemas: columns by name, the wider type, nulls where one is absent")
      ->group("Input");
  add_flag(app, "--no-partitions", &options->no_partitions,
           "folders named day=2024-01-01 are no columns")
      ->group("Input");
  declare_storage(app, options);
}

void declare_input(CLI::App& app, RowOptions* options) {
  app.parse_complete_callback([&app, options] {
    for (const CLI::Option* option : app.get_options()) {
      const std::optional<hub::Option> known = hub::option_of_word(option->get_name());
      if (known && option->count() > 0) options->given.insert(*known);
    }
  });
  add_text(
      app, "--from", &options->from, "F",
      "format of the input, also as <decimal_mode=text>yson, <encode_utf8=%false>json; else by "
      "its first bytes and its name")
      ->group("Input");
  add_text(app, "--schema", &options->schema, "S",
           "schema of rows that have none (YSON, Skiff): a file or the text; else IN.schema")
      ->group("Input");
  add_number(app, "--version", &options->version, 1, "N",
             "version of a Lance dataset; the latest else")
      ->group("Input");
  add_bytes(app, "--max-memory", &options->max_memory, "N",
            "bytes that the input may ask for, such as 512MiB (8GiB); a row may have a 64th of "
            "them")
      ->group("Input");
  declare_files(app, options);
}

void declare_selection(CLI::App& app, RowOptions* options) {
  add_list(app, "--select", &options->select, "a,b.c", "only these columns, in this order")
      ->group("Input");
  add_number(app, "--limit", &options->limit, 0, "N", "at most N rows")->group("Input");
  add_number(app, "--table", &options->table, 0, "N", "rows of this table index only")
      ->group("Input");
  add_choice<bool>(app, "--int96-unit", &options->int96_micros, {{"ns", false}, {"us", true}},
                   "unit of Parquet's INT96; ns is the default and refuses years beyond 1677-2262")
      ->group("Input");
  add_number(app, "--threads", &options->threads, 1, "N", "threads that work; all cores else")
      ->group("Speed");
  add_number(app, "--batch-rows", &options->batch_rows, 1, "N", "rows moved at a time")
      ->group("Speed");
}

void declare_skiff(CLI::App& app, RowOptions* options) {
  const char* group = "Skiff and YSON rows";
  add_flag(app, "--table-index", &options->table_index, "the table's index as a column")
      ->group(group);
  add_flag(app, "--range-index", &options->range_index, "the index of the range as a column")
      ->group(group);
  add_flag(app, "--row-index", &options->row_index, "the number of the row as a column")
      ->group(group);
  add_flag(app, "--end-of-stream", &options->end_of_stream,
           "the stream must end, and is ended, with the tag 0xFFFF")
      ->group(group);
}

void declare_yson(CLI::App& app, RowOptions* options, bool writing) {
  const char* group = "YSON rows";
  yt::ValueOptions* values = &options->values;
  add_choice<yt::ComplexTypeMode>(
      app, "--complex-type-mode", &values->complex_type_mode,
      {{"named", yt::ComplexTypeMode::Named}, {"positional", yt::ComplexTypeMode::Positional}},
      "structs and variants by name or by position")
      ->group(group);
  add_choice<yt::DictMode>(
      app, "--string-keyed-dict-mode", &values->string_keyed_dict_mode,
      {{"positional", yt::DictMode::Positional}, {"named", yt::DictMode::Named}},
      "dicts with string keys as pairs or as maps")
      ->group(group);
  add_choice<yt::DecimalMode>(
      app, "--decimal-mode", &values->decimal_mode,
      {{"binary", yt::DecimalMode::Binary}, {"text", yt::DecimalMode::Text}}, "decimals")
      ->each([values](const std::string&) { values->chosen.decimal = true; })
      ->group(group);
  add_choice<yt::TimeMode>(app, "--time-mode", &values->time_mode,
                           {{"binary", yt::TimeMode::Binary}, {"text", yt::TimeMode::Text}},
                           "date, datetime, timestamp as numbers or as ISO 8601 text")
      ->each([values](const std::string&) { values->chosen.time = true; })
      ->group(group);
  add_choice<yt::UuidMode>(app, "--uuid-mode", &values->uuid_mode,
                           {{"binary", yt::UuidMode::Binary},
                            {"text_yt", yt::UuidMode::TextYt},
                            {"text_yql", yt::UuidMode::TextYql}},
                           "uuids as bytes or as text")
      ->each([values](const std::string&) { values->chosen.uuid = true; })
      ->group(group);
  add_choice<yt::UuidOrder>(app, "--uuid-order", &values->uuid_order,
                            {{"rfc", yt::UuidOrder::Rfc}, {"raw", yt::UuidOrder::Raw}},
                            "bytes of a uuid outside YTsaurus: as its YQL text shows, or as stored")
      ->group(group);
  add_choice<yt::TzForm>(app, "--tz-form", &values->tz_form,
                         {{"name", yt::TzForm::Name}, {"index", yt::TzForm::Index}},
                         "zones of tz_* values as names, or as the numbers of newer clusters")
      ->group(group);
  add_choice<yt::DecimalSpecial>(
      app, "--decimal-special", &values->decimal_special,
      {{"error", yt::DecimalSpecial::Error}, {"null", yt::DecimalSpecial::Null}},
      "what nan, inf and -inf of a decimal become")
      ->group(group);
  if (!writing) return;
  add_choice<yson::Format>(app, "--yson-format", &values->format,
                           {{"text", yson::Format::Text},
                            {"pretty", yson::Format::Pretty},
                            {"binary", yson::Format::Binary}},
                           "how rows are written; any is read")
      ->group(group);
  add_flag(app, "--skip-null-values", &values->skip_null_values, "leave out columns that are null")
      ->group(group);
}

uint64_t max_memory(const RowOptions& options) {
  return static_cast<uint64_t>(options.max_memory.value_or(static_cast<int64_t>(limits::kMemory)));
}

int thread_count(const RowOptions& options) {
  if (options.threads) return static_cast<int>(std::min<int64_t>(*options.threads, 256));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

io::InputOptions input_options(const RowOptions& options) {
  io::InputOptions input;
  input.given = options.given;
  input.values = options.values;
  input.storage = options.storage;
  if (options.schema) input.schema = io::schema_text(*options.schema, options.storage);
  if (options.from) io::set_format(*options.from, &input);
  input.select = options.select;
  input.partitions = !options.no_partitions;
  input.unify = options.unify;
  input.limit = options.limit;
  if (options.batch_rows) input.batch_rows = *options.batch_rows;
  input.max_memory = max_memory(options);
  input.threads = thread_count(options);
  if (options.table) input.table = static_cast<uint32_t>(*options.table);
  if (options.version) input.lance.version = static_cast<uint64_t>(*options.version);
  input.skiff.table_index = options.table_index;
  input.skiff.range_index = options.range_index;
  input.skiff.row_index = options.row_index;
  input.skiff.end_of_stream = options.end_of_stream;
  input.parquet.int96_micros = options.int96_micros;
  input.yson.last_of_repeated_keys = options.repeated_keys == yt::RepeatedKeys::Last;
  return input;
}

}  // namespace xwalk::cli
