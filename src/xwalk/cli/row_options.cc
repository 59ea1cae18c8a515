#include "xwalk/cli/row_options.h"

#include <algorithm>
#include <thread>

#include "xwalk/cli/arguments.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/places/schema_input.h"

namespace xwalk::cli {

void declare_storage(CLI::App& app, RowOptions* options) {
  app.add_option_function<std::vector<std::string>>(
         "--storage",
         [storage = &options->storage](const std::vector<std::string>& given) {
           for (const std::string& text : given) io::add_storage_option(text, storage);
         },
         "how to reach the store of a URI: endpoint, region, anonymous, account, timeout, "
         "connect-timeout, retries, max-download (secrets come from the environment)")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Object stores");
}

void declare_files(CLI::App& app, RowOptions* options) {
  add_flag(app, "--unify", &options->unify,
           "accept files with different schemas: match columns by name, take the wider type, fill "
           "missing ones with nulls")
      ->group("Files and folders");
  add_flag(app, "--no-partitions", &options->no_partitions,
           "don't turn folder names such as day=2024-01-01 into columns")
      ->group("Files and folders");
  declare_storage(app, options);
}

void declare_input(CLI::App& app, RowOptions* options) {
  app.parse_complete_callback([&app, options] {
    for (const CLI::Option* option : app.get_options()) {
      const std::optional<hub::Option> known = hub::option_of_word(option->get_name());
      if (known && option->count() > 0) options->given.insert(*known);
    }
  });
  add_text(app, "--from", &options->from, "F",
           "format of the input (default: detected from content and file name)")
      ->group("Input");
  add_text(app, "--schema", &options->schema, "S",
           "schema of YSON or Skiff rows, as a file or as text (default: IN.schema)")
      ->group("Input");
  add_flag(app, "--require-schema", &options->require_schema,
           "refuse YSON and JSON rows without a schema")
      ->group("YSON rows");
  add_text(app, "--save-schema", &options->save_schema, "FILE",
           "save the schema of YSON and JSON rows, also an inferred one")
      ->group("YSON rows");
  add_text(app, "--version", &options->version, "V",
           "version of a Lance dataset: a number, a tag, a branch, or BRANCH:NUMBER (default: the "
           "latest)")
      ->group("Lance");
  app.add_option("--follow", options->follow,
                 "read data outside of a Lance dataset that it refers to (external blobs, base "
                 "paths) below this path or URI")
      ->type_name("PREFIX")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Lance");
  add_bytes(app, "--max-memory", &options->max_memory, "N",
            "memory limit for reading, such as 512MiB (default: 8GiB); one row may take 1/64 of it")
      ->group("Speed and memory");
  declare_files(app, options);
}

void declare_selection(CLI::App& app, RowOptions* options) {
  add_list(app, "--select", &options->select, "a,b.c",
           "these columns, in this order; * and ? match")
      ->group("Input");
  add_list(app, "--exclude", &options->exclude, "a,b.c", "all columns but these")->group("Input");
  add_number(app, "--limit", &options->limit, 0, "N", "stop after N rows")->group("Which rows");
  add_text(app, "--sample", &options->sample, "N|P%", "a sample of N rows, or of P% of them")
      ->group("Which rows");
  add_number(app, "--seed", &options->seed, 0, "N", "which sample is drawn (default: 0)")
      ->group("Which rows");
  add_number(app, "--tail", &options->tail, 0, "N", "only the last N rows")->group("Which rows");
  add_number(app, "--table", &options->table, 0, "N", "only the rows of table N")
      ->group("Skiff rows");
  add_choice<bool>(app, "--int96-unit", &options->int96_micros, {{"ns", false}, {"us", true}},
                   "unit for INT96 timestamps (default: ns, which refuses years beyond 1677-2262)")
      ->group("Parquet");
  add_number(app, "--threads", &options->threads, 1, "N", "worker threads (default: all cores)")
      ->group("Speed and memory");
  add_number(app, "--batch-rows", &options->batch_rows, 1, "N", "rows per batch (default: 65536)")
      ->group("Speed and memory");
}

void declare_skiff(CLI::App& app, RowOptions* options) {
  const char* group = "Skiff rows";
  add_flag(app, "--table-index", &options->table_index, "add the table index as a column")
      ->group(group);
  add_flag(app, "--range-index", &options->range_index, "add the range index as a column")
      ->group(group);
  add_flag(app, "--row-index", &options->row_index, "add the row number as a column")->group(group);
  add_flag(app, "--end-of-stream", &options->end_of_stream,
           "expect and write the tag 0xFFFF at the end of the stream")
      ->group(group);
}

void declare_yson(CLI::App& app, RowOptions* options, bool writing) {
  const char* group = "YSON rows";
  yt::ValueOptions* values = &options->values;
  add_choice<yt::ComplexTypeMode>(
      app, "--complex-type-mode", &values->complex_type_mode,
      {{"named", yt::ComplexTypeMode::Named}, {"positional", yt::ComplexTypeMode::Positional}},
      "structs and variants by name or by position (default: named)")
      ->group(group);
  add_choice<yt::DictMode>(
      app, "--string-keyed-dict-mode", &values->string_keyed_dict_mode,
      {{"positional", yt::DictMode::Positional}, {"named", yt::DictMode::Named}},
      "dicts with string keys as lists of pairs or as maps (default: positional, pairs)")
      ->group(group);
  add_choice<yt::DecimalMode>(
      app, "--decimal-mode", &values->decimal_mode,
      {{"binary", yt::DecimalMode::Binary}, {"text", yt::DecimalMode::Text}},
      "decimals as bytes or as text such as \"1.50\" (default: binary)")
      ->each([values](const std::string&) { values->chosen.decimal = true; })
      ->group(group);
  add_choice<yt::TimeMode>(
      app, "--time-mode", &values->time_mode,
      {{"binary", yt::TimeMode::Binary}, {"text", yt::TimeMode::Text}},
      "dates and times as numbers or as ISO 8601 text (default: binary, numbers)")
      ->each([values](const std::string&) { values->chosen.time = true; })
      ->group(group);
  add_choice<yt::UuidMode>(app, "--uuid-mode", &values->uuid_mode,
                           {{"binary", yt::UuidMode::Binary},
                            {"text_yt", yt::UuidMode::TextYt},
                            {"text_yql", yt::UuidMode::TextYql}},
                           "uuids as bytes or as text (default: binary)")
      ->each([values](const std::string&) { values->chosen.uuid = true; })
      ->group(group);
  add_choice<yt::UuidOrder>(
      app, "--uuid-order", &values->uuid_order,
      {{"rfc", yt::UuidOrder::Rfc}, {"raw", yt::UuidOrder::Raw}},
      "byte order of uuids outside YTsaurus: as their YQL text reads, or as stored (default: rfc)")
      ->group(group);
  add_choice<yt::TzForm>(app, "--tz-form", &values->tz_form,
                         {{"name", yt::TzForm::Name}, {"index", yt::TzForm::Index}},
                         "time zones of tz_* values as names, or as numbers, as newer clusters "
                         "store them (default: name)")
      ->group(group);
  add_choice<yt::DecimalSpecial>(
      app, "--decimal-special", &values->decimal_special,
      {{"error", yt::DecimalSpecial::Error}, {"null", yt::DecimalSpecial::Null}},
      "what to do with NaN and ±Inf in decimals (default: error)")
      ->group(group);
  if (!writing) return;
  add_choice<yson::Format>(app, "--yson-format", &values->format,
                           {{"text", yson::Format::Text},
                            {"pretty", yson::Format::Pretty},
                            {"binary", yson::Format::Binary}},
                           "how rows are written (default: text); all three are read")
      ->group(group);
  add_flag(app, "--skip-null-values", &values->skip_null_values, "omit columns that are null")
      ->group(group);
}

uint64_t max_memory(const RowOptions& options) {
  return static_cast<uint64_t>(options.max_memory.value_or(static_cast<int64_t>(limits::kMemory)));
}

int thread_count(const RowOptions& options) {
  if (options.threads) return static_cast<int>(std::min<int64_t>(*options.threads, 256));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

io::InputOptions options_of_rows(const RowOptions& options) {
  if (options.from) (void)io::parse_format_word(*options.from);
  return input_options(options);
}

io::InputOptions input_options(const RowOptions& options) {
  io::InputOptions input;
  input.given = options.given;
  input.values = options.values;
  input.storage = options.storage;
  if (options.schema) {
    input.schema = io::schema_text(*options.schema, options.storage);
    if (io::is_uri(*options.schema)) input.given.erase(hub::Option::Storage);
  }
  input.require_schema = options.require_schema;
  input.save_schema = options.save_schema;
  // A system without rows is for schemas to say.
  if (options.from && !io::names_schemas(*options.from)) io::set_format(*options.from, &input);
  input.select = options.select;
  input.exclude = options.exclude;
  input.partitions = !options.no_partitions;
  input.unify = options.unify;
  input.limit = options.limit;
  if (options.sample) input.sample = io::parse_sample(*options.sample);
  input.seed = static_cast<uint64_t>(options.seed.value_or(0));
  input.tail = options.tail;
  if (options.batch_rows) input.batch_rows = *options.batch_rows;
  input.max_memory = max_memory(options);
  input.threads = thread_count(options);
  if (options.table) input.table = static_cast<uint32_t>(*options.table);
  input.lance.version = options.version;
  input.lance.follow = options.follow;
  input.skiff.table_index = options.table_index;
  input.skiff.range_index = options.range_index;
  input.skiff.row_index = options.row_index;
  input.skiff.end_of_stream = options.end_of_stream;
  input.parquet.int96_micros = options.int96_micros;
  input.yson.last_of_repeated_keys = options.repeated_keys == yt::RepeatedKeys::Last;
  return input;
}

}  // namespace xwalk::cli
