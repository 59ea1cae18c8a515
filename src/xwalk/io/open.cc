#include "xwalk/io/open.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/room.h"
#include "xwalk/io/arrow_streams.h"
#include "xwalk/io/engine.h"
#include "xwalk/io/lance_rows.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/parquet_input.h"
#include "xwalk/io/parquet_output.h"
#include "xwalk/io/row_stream.h"
#include "xwalk/io/selection.h"
#include "xwalk/io/sink.h"
#include "xwalk/io/skiff_rows.h"
#include "xwalk/io/skiff_tables.h"
#include "xwalk/io/source.h"
#include "xwalk/io/vortex_rows.h"
#include "xwalk/io/yson_rows.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/values.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void usage(std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

/// Returns the files of one format in a folder, by name.
std::vector<std::string> files_in(const std::string& folder, std::optional<Format> format) {
  std::vector<std::string> out;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.starts_with('_')) continue;
    std::optional<Format> its = format_of_name(name);
    if (!its || !entry.is_regular_file()) continue;
    if (!format) format = its;
    if (*its != *format) {
      usage(fmt::format("the folder {} holds files of several formats: {} and {}",
                        xwalk::quoted(folder), to_string(*format), to_string(*its)),
            "Name one with " + hub::mention(hub::Option::Format, "FORMAT") + ".");
    }
    out.push_back(entry.path().string());
  }
  if (failed) {
    Place place;
    place.file = folder;
    throw Error(ErrorCode::Io, "cannot read the folder: " + failed.message(), place);
  }
  if (out.empty()) usage(fmt::format("the folder {} holds no rows", xwalk::quoted(folder)));
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns the files that paths stand for: a folder's files, except where the folder itself is the
/// input, as with Lance.
std::vector<std::string> expand(const std::vector<std::string>& paths,
                                const InputOptions& options) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::error_code ignored;
    bool folder = path != "-" && fs::is_directory(path, ignored);
    bool lance =
        folder && (options.format == Format::Lance || fs::exists(fs::path(path) / "_versions"));
    if (!folder || lance) {
      out.push_back(path);
      continue;
    }
    std::vector<std::string> files = files_in(path, options.format);
    out.insert(out.end(), files.begin(), files.end());
  }
  if (out.empty()) usage("expected an input, found none");
  return out;
}

/// Opens the files of one input, which share options, selection and schema.
class InputOpener {
 public:
  InputOpener(Format format, const InputOptions& options) : format_(format), options_(options) {
    for (const std::string& path : options.select) selection_.push_back(parse_selection(path));
  }

  void set_table_schema(yt::TableSchema schema) { table_schema_ = std::move(schema); }
  void set_skiff_schema(skiff::Schema schema) { skiff_schema_ = std::move(schema); }

  /// `source` is the opened file; null where it is a folder or not opened yet.
  std::unique_ptr<SplitReader> open(const std::string& path,
                                    std::unique_ptr<Source> source = nullptr) const {
    bool by_engine = format_ == Format::Lance || format_ == Format::Vortex;
    if (by_engine && path == "-") {
      usage(fmt::format("{} rows are read from a path, not from a pipe", to_string(format_)));
    }
    if (source == nullptr && !by_engine) source = open_source(path);
    std::unique_ptr<SplitReader> reader;
    switch (format_) {
      case Format::Yson:
        reader = read_yson(std::move(source), *table_schema_, read_options(), options_.part);
        break;
      case Format::Parquet:
        reader = open_parquet(with_contents(std::move(source)), parquet_options());
        break;
      case Format::ArrowFile:
      case Format::ArrowStream:
        reader = open_arrow(std::move(source));
        break;
      case Format::Skiff:
        reader = read_skiff(std::move(source), *skiff_schema_, skiff_read_options(options_));
        break;
      case Format::Lance:
        reader = split(open_lance(program_options(path)));
        break;
      case Format::Vortex:
        reader = split(open_vortex(program_options(path)));
        break;
    }
    if (!selection_.empty()) {
      hub::Schema wanted = select(reader->schema(), selection_);
      hub::CompiledCast cast = hub::compile_cast(reader->schema(), wanted);
      reader = cast_pieces(std::move(reader), std::move(cast));
    }
    return options_.skip_bad_rows ? std::move(reader) : refuse_bad_rows(std::move(reader));
  }

 private:
  std::unique_ptr<SplitReader> open_arrow(std::unique_ptr<Source> source) const {
    EngineReadOptions engine;
    engine.format = format_;
    if (!selection_.empty()) engine.columns_json = engine_columns(selection_);
    engine.batch_rows = options_.batch_rows;
    engine.batch_bytes = options_.batch_bytes;
    engine.threads = options_.threads;
    if (format_ == Format::ArrowStream) return open_arrow_streams(std::move(source), engine);
    return split(Engine::parquet().open(with_contents(std::move(source)), engine));
  }

  ProgramReadOptions program_options(const std::string& path) const {
    ProgramReadOptions out;
    out.path = path;
    if (!selection_.empty()) out.columns = selected_columns();
    out.batch_rows = options_.batch_rows;
    out.limit = options_.limit;
    out.version = options_.version;
    return out;
  }

  ParquetInputOptions parquet_options() const {
    ParquetInputOptions out;
    if (!selection_.empty()) out.columns = selected_columns();
    out.batch_rows = options_.batch_rows;
    out.batch_bytes = options_.batch_bytes;
    out.threads = options_.threads;
    out.int96_micros = options_.int96_micros;
    out.part = options_.part;
    return out;
  }

  /// Returns the top-level columns of the selection, each once.
  std::vector<std::string> selected_columns() const {
    std::vector<std::string> out;
    for (const Path& path : selection_) {
      const std::string& name = path.steps().front()->name;
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
    return out;
  }

  yt::ReadOptions read_options() const {
    yt::ReadOptions out;
    out.values = options_.values;
    out.columns = selected_columns();
    out.batch_rows = options_.batch_rows;
    out.batch_bytes = static_cast<size_t>(options_.batch_bytes);
    out.skip_bad_rows = options_.skip_bad_rows;
    out.repeated_keys =
        options_.last_of_repeated_keys ? yt::RepeatedKeys::Last : yt::RepeatedKeys::Error;
    out.table = options_.table;
    return out;
  }

  Format format_;
  const InputOptions options_;
  std::vector<Path> selection_;
  std::optional<yt::TableSchema> table_schema_;
  std::optional<skiff::Schema> skiff_schema_;
};

/// Parses the schema of YSON rows: a table schema, or what stands beside Skiff rows, of which it is
/// the schema of the chosen table.
yt::TableSchema parse_rows_schema(std::string_view text, const InputOptions& options) {
  try {
    return yt::parse_table_schema(text);
  } catch (const Error&) {
    skiff::Schema streams;
    try {
      streams = skiff::parse_schema(text);
    } catch (const Error&) {
      // What is wrong with it as a table schema is what the person wants to know.
    }
    if (const yt::TableSchema* table = streams.table_schema(options.table.value_or(0))) {
      return *table;
    }
    throw;
  }
}

/// Finds the table schema of YSON rows: given, beside the file, or inferred from bytes that can be
/// read twice.
void find_table_schema(const std::string& path, Source* opened, const InputOptions& options,
                       Input* input) {
  std::string side = path == "-" ? "" : side_schema_path(path);
  std::error_code ignored;
  try {
    if (options.schema) {
      input->table_schema = parse_rows_schema(*options.schema, options);
      input->schema_origin = SchemaOrigin::Given;
      return;
    }
    if (!side.empty() && fs::exists(side, ignored)) {
      auto source = open_source(side);
      input->table_schema = parse_rows_schema(read_all(*source, limits::kSchemaBytes), options);
      input->schema_origin = SchemaOrigin::SideFile;
      return;
    }
  } catch (Error& error) {
    if (error.place().file.empty())
      error.place().file = options.schema ? hub::mention(hub::Option::Schema) : side;
    throw;
  }
  const std::optional<std::string_view> contents = path == "-" ? opened->contents() : std::nullopt;
  if (path == "-" && !contents) {
    usage(fmt::format("YSON rows from {} need a schema",
                      opened->name() == "<stdin>" ? "standard input" : opened->name()),
          "Give one with " + hub::mention(hub::Option::Schema, "FILE") + ".");
  }
  auto source = contents ? memory_source(std::string(*contents)) : open_source(path);
  input->table_schema = yt::infer_schema(*source);
  input->schema_origin = SchemaOrigin::Inferred;
}

/// Returns the skiff schema of an output.
skiff::Schema skiff_schema_of(const OutputSchema& schema) {
  if (schema.skiff_schema) return *schema.skiff_schema;
  if (schema.table_schema) return skiff::schema_of(*schema.table_schema);
  return skiff::from_arrow(schema.hub).schema;
}

/// Finds the schema of Skiff rows, and the table whose rows they are.
void find_skiff_table(const std::string& path, const InputOptions& options, Input* input) {
  input->skiff_schema = find_skiff_schema(path, options, &input->schema_origin);
  size_t count = input->skiff_schema->format.tables.size();
  if (!options.table && count != 1) {
    usage(fmt::format("expected the rows of one table, found a stream of {}", count),
          "Choose one with " + hub::mention(hub::Option::Table, "N") +
              ", or name one output a table: rows-{table}.parquet.");
  }
  if (const yt::TableSchema* table = input->skiff_schema->table_schema(options.table.value_or(0))) {
    input->table_schema = *table;
  }
}

/// One input without a limit, and what opens further files like it.
struct FirstInput {
  Input input;
  std::shared_ptr<InputOpener> opener;
};

/// `path` is "-" for what has no name; `source` is null for what only an engine opens.
FirstInput open_first(const std::string& path, std::unique_ptr<Source> source,
                      const InputOptions& options) {
  FirstInput first;
  Input& input = first.input;
  input.files = {path};
  input.format = options.format ? *options.format : detect_input(path, source.get());
  // Both forms of Arrow have one name, and their first bytes tell them apart.
  if (input.format == Format::ArrowFile && source != nullptr &&
      !source->peek(6).starts_with("ARROW1") && source->peek(4) == "\xFF\xFF\xFF\xFF") {
    input.format = Format::ArrowStream;
  }
  if (options.part && input.format != Format::Yson && input.format != Format::Parquet) {
    usage(fmt::format("expected YSON or Parquet of which to read a part, found {}",
                      to_string(input.format)));
  }
  first.opener = std::make_shared<InputOpener>(input.format, options);
  if (input.format == Format::Yson) {
    find_table_schema(path, source.get(), options, &input);
    first.opener->set_table_schema(*input.table_schema);
  } else if (input.format == Format::Skiff) {
    find_skiff_table(path, options, &input);
    first.opener->set_skiff_schema(*input.skiff_schema);
  }
  input.reader = first.opener->open(path, std::move(source));
  return first;
}

/// Returns the table schema of an output.
yt::TableSchema table_schema_of(const OutputSchema& schema) {
  return schema.table_schema ? *schema.table_schema : yt::from_arrow(schema.hub).schema;
}

/// Returns the schema that stands beside an output; none for a format that needs none.
SideSchema side_schema(const std::string& path, Format format, const OutputSchema& schema,
                       const OutputOptions& options) {
  if (!options.side_schema || path == "-") return {};
  const SinkOptions sink = {.mode = options.mode, .durable = options.durable};
  if (format == Format::Yson) {
    return SideSchema(
        side_schema_path(path), yt::print(table_schema_of(schema), yt::SchemaForm::Yson) + "\n",
        [](std::string_view text) {
          return yt::print(yt::parse_table_schema(text), yt::SchemaForm::Yson) + "\n";
        },
        sink, options.inputs);
  }
  if (format == Format::Skiff) {
    return SideSchema(
        side_schema_path(path),
        skiff::print(skiff_schema_of(schema), skiff::SchemaForm::File) + "\n",
        [](std::string_view text) {
          return skiff::print(skiff::parse_schema(text), skiff::SchemaForm::File) + "\n";
        },
        sink, options.inputs);
  }
  return {};
}

/// Opens the writer of a format that consists of bytes in order.
std::unique_ptr<hub::BatchWriter> open_writer(Format format, std::unique_ptr<ByteSink> sink,
                                              SideSchema side, const OutputSchema& schema,
                                              const OutputOptions& options) {
  switch (format) {
    case Format::Yson:
      return write_yson(std::move(sink), table_schema_of(schema), options.values, std::move(side));
    case Format::Parquet: {
      ParquetOutputOptions parquet;
      parquet.schema = schema.parquet_schema;
      parquet.store_schema = options.store_schema;
      parquet.keep_repeated_keys = options.keep_repeated_keys;
      parquet.compression = options.compression;
      parquet.compression_level = options.compression_level;
      parquet.row_group_rows = options.row_group_rows;
      parquet.threads = options.threads;
      return open_parquet_writer(std::move(sink), schema.hub, parquet);
    }
    case Format::ArrowFile:
    case Format::ArrowStream: {
      EngineWriteOptions engine;
      engine.format = format;
      engine.compression = options.compression;
      engine.compression_level = options.compression_level;
      engine.row_group_rows = options.row_group_rows;
      engine.store_schema = options.store_schema;
      engine.threads = options.threads;
      return Engine::parquet().open_writer(std::move(sink), schema.hub, engine);
    }
    case Format::Skiff: {
      skiff::WriteOptions write;
      write.table = options.table;
      write.end_of_stream = options.end_of_stream;
      write.uuid_order = options.values.uuid_order;
      return write_skiff(std::move(sink), skiff_schema_of(schema), write, std::move(side));
    }
    case Format::Lance:
    case Format::Vortex:
      break;
  }
  usage(fmt::format("{} rows are written to a path, not to a pipe",
                    format == Format::Lance ? "Lance" : "Vortex"));
}

/// Refuses rows of other columns than those they are added to.
void check_same_columns(const hub::Schema& there, const hub::Schema& rows,
                        const std::string& path) {
  const bool same =
      std::ranges::equal(there.fields, rows.fields, [](const hub::Field& a, const hub::Field& b) {
        return a.name == b.name && a.type == b.type;
      });
  if (same) return;
  Place place;
  place.file = path;
  throw Error(ErrorCode::Usage, "the rows are not of the schema that the rows there have", place,
              "Convert them to it, or write another output.");
}

/// Looks whether rows may stand behind those of a file, and returns the bytes that belong between.
std::string separator_behind(const std::string& path, Format format, const OutputSchema& schema) {
  Place place;
  place.file = path;
  if (format == Format::Skiff) {
    // Rows have no mark between them: one that is cut off would swallow the next.
    const auto read_through = [&](bool needs_end) {
      skiff::ReadOptions read;
      read.require_end_of_stream = needs_end;
      auto rows = read_skiff(open_source(path), skiff_schema_of(schema), read);
      while (rows->next()) continue;
    };
    read_through(false);
    try {
      read_through(true);
    } catch (const Error&) {
      return "";
    }
    throw Error(ErrorCode::Io, "the rows that are there end with the tag 0xFFFF", place,
                "Nothing may follow it: write another file.");
  }
  auto source = open_source(path);
  char last = ';';
  for (std::string_view bytes = source->peek(1); !bytes.empty(); bytes = source->peek(1)) {
    std::string block(size_t{64} << 10, '\0');
    block.resize(source->read(block.data(), block.size()));
    const size_t end = block.find_last_not_of(" \t\r\n");
    if (end != std::string::npos) last = block[end];
  }
  if (last == ';') return "";
  if (last == '}' || last == '#') return ";\n";
  throw Error(ErrorCode::Input, "the file does not end with a whole row", place);
}

/// Gives rows in the number and the batches that were asked for.
void settle_rows(const InputOptions& options, Input* input) {
  // These are read in runs of bytes; engines know of batches themselves.
  const bool by_bytes = input->format == Format::Yson || input->format == Format::Skiff;
  if (by_bytes && options.batch_rows < limits::kBatchRows) {
    input->reader = limit_batches(std::move(input->reader), options.batch_rows);
  }
  if (options.limit) input->reader = limit_rows(std::move(input->reader), *options.limit);
}

}  // namespace

Input open_input(const std::vector<std::string>& paths, const InputOptions& options) {
  std::vector<std::string> files = expand(paths, options);
  if (options.part && files.size() > 1) usage("expected one file of which to read a part");
  std::error_code ignored;
  bool folder = files.front() != "-" && fs::is_directory(files.front(), ignored);
  auto [input, opener] =
      open_first(files.front(), folder ? nullptr : open_source(files.front()), options);
  std::vector<std::string> others(files.begin() + 1, files.end());
  input.files = std::move(files);
  input.reader = chain(std::move(input.reader), std::move(others),
                       [opener = opener](const std::string& file) { return opener->open(file); });
  settle_rows(options, &input);
  return std::move(input);
}

Input open_input(std::unique_ptr<Source> source, const InputOptions& options) {
  const std::string name = source->name();
  Input input = open_first("-", std::move(source), options).input;
  input.files = {name};
  settle_rows(options, &input);
  return input;
}

Input open_input(hub::StreamHandle stream) {
  Input input;
  input.format = Format::ArrowStream;
  input.reader = split(hub::import_stream(std::move(stream)));
  return input;
}

Format output_format(const std::string& path, const OutputOptions& options) {
  std::error_code ignored;
  Format format = Format::Parquet;
  if (options.format) {
    format = *options.format;
  } else if (options.mode == OutputMode::Append && fs::is_directory(path, ignored) &&
             !is_lance_dataset(path)) {
    format = *format_of_name(files_in(path, {}).front());
  } else {
    format = detect_output(path);
  }
  // A file's footer makes no sense in a pipe that is read as it comes.
  bool stream = path == "-" || format_of_name(path) == Format::ArrowStream;
  return format == Format::ArrowFile && stream ? Format::ArrowStream : format;
}

std::vector<std::string> files_read(const Input& input) {
  std::vector<std::string> files = input.files;
  if (input.schema_origin == SchemaOrigin::SideFile) {
    files.push_back(side_schema_path(input.files.front()));
  }
  return files;
}

OutputSchema output_schema(const crosswalk::Plan& plan) {
  OutputSchema schema;
  schema.hub = plan.target_hub;
  if (const auto* table = plan.target.get_if<yt::TableSchema>()) schema.table_schema = *table;
  if (const auto* streams = plan.target.get_if<skiff::Schema>()) {
    schema.skiff_schema = *streams;
  }
  if (const auto* message = plan.target.get_if<parquet::Schema>()) {
    schema.parquet_schema = *message;
  }
  return schema;
}

std::unique_ptr<hub::BatchWriter> open_output(const std::string& path, const OutputSchema& schema,
                                              const OutputOptions& options) {
  const Format format = output_format(path, options);
  const OutputPlace place = output_place(path, options);
  if (place.schema && format != Format::Lance)
    check_same_columns(crosswalk::to_arrow(*place.schema), schema.hub, path);
  if (format == Format::Lance && path != "-") {
    LanceWriteOptions lance;
    lance.mode = place.mode;
    lance.data_version = options.lance_data_version;
    lance.durable = options.durable;
    return write_lance(place.path, schema.hub, lance);
  }
  if (format == Format::Vortex && path != "-") {
    hub::Schema labels;
    if (options.store_schema) labels = schema.labels ? *schema.labels : schema.hub;
    return write_vortex(place.path, schema.hub, labels, options.durable, place.mode);
  }
  SideSchema side = side_schema(path, format, schema, options);
  auto sink = open_sink(place.path, {.mode = place.mode, .durable = options.durable});
  if (place.mode == OutputMode::Append) {
    sink->write(separator_behind(path, format, schema));
  }
  return open_writer(format, std::move(sink), std::move(side), schema, options);
}

std::unique_ptr<hub::BatchWriter> open_output(std::unique_ptr<ByteSink> sink,
                                              const OutputSchema& schema,
                                              const OutputOptions& options) {
  if (!options.format) usage("expected the format of an output without a name");
  return open_writer(*options.format, std::move(sink), {}, schema, options);
}

std::string side_schema_path(std::string_view path) {
  return std::string(without_compression(path)) + ".schema";
}

}  // namespace xwalk::io
