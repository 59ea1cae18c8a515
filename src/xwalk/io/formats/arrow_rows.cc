#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "xwalk/arrow/batches.h"
#include "xwalk/arrow/file.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/storing.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/io/formats/arrow_streams.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/schema_file.h"
#include "xwalk/io/formats/table_rows.h"
#include "xwalk/io/formats/yt_arrow.h"
#include "xwalk/io/rows/bounded_reader.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/yt/forms.h"

namespace xwalk::io {
namespace {

constexpr std::array<std::string_view, 3> kFileExtensions = {".arrow", ".feather", ".ipc"};
constexpr std::array<std::string_view, 1> kStreamExtensions = {".arrows"};

EngineReadOptions engine_options(XwalkEngineFormat format, const InputOptions& options,
                                 const std::vector<Path>& selection) {
  EngineReadOptions engine;
  engine.format = format;
  engine.columns = columns_of(selection);
  engine.batch_rows = options.batch_rows;
  engine.batch_bytes = options.batch_bytes;
  engine.max_memory = options.max_memory;
  engine.threads = options.threads;
  return engine;
}

/// What YTsaurus has written is read by its table schema, and by these.
constexpr std::array kTakes = {hub::Option::Schema, hub::Option::UuidOrder,
                               hub::Option::DecimalSpecial};

/// Returns the conversion of rows that YTsaurus wrote to those of a table, if a table schema is
/// given or is next to them. Otherwise null.
ChangeReader adjacent_table(const Location& path, const Source* opened, const InputOptions& options,
                            const Input& input) {
  std::optional<yt::TableSchema> table;
  SchemaOrigin origin{};
  (void)find_side_schema(path, opened, options, &origin, [&](std::string_view text) {
    try {
      table = yt::parse_table_schema(text);
    } catch (const Error&) {
      // The given schema may be that of the output.
      if (origin != SchemaOrigin::Given) throw;
    }
  });
  if (!table) {
    check_taken_without_table(options.given);
    return nullptr;
  }
  const bool described = origin == SchemaOrigin::Given && !options.plan.schema_of_output;
  const bool whole = options.select.empty() && options.exclude.empty();
  return [table = *std::move(table), options = read_options(options, input), described,
          whole](std::unique_ptr<SplitReader> rows) {
    rows = as_table_rows(std::move(rows), table, options);
    if (described) check_described(rows->schema(), table, whole);
    return rows;
  };
}

OpenFile open_files(const Location& path, Source* opened, const InputOptions& options,
                    Input* input) {
  return [options, change = adjacent_table(path, opened, options, *input)](
             const Location&, std::unique_ptr<Source> source, const std::vector<Path>& selection) {
    const auto engine = engine_options(XWALK_ENGINE_ARROW_FILE, options, selection);
    const std::string name = source->name();
    source = with_window(std::move(source), engine.max_memory);
    need_schema(*source);
    hub::Schema schema;
    try {
      // Within its memory budget, which the engine does not have.
      const SchemaMemoryScope scope(engine.max_memory);
      schema = arrow::read_ipc_file_schema(*source->window());
    } catch (Error& error) {
      error.place().file = name;
      throw;
    }
    auto rows = check_values(
        split(divide_batches(open_arrow(std::move(source), engine, schema), engine.max_memory)),
        name);
    return change ? change(std::move(rows)) : std::move(rows);
  };
}

OpenFile open_streams(const Location& path, Source* opened, const InputOptions& options,
                      Input* input) {
  return [options, change = adjacent_table(path, opened, options, *input)](
             const Location&, std::unique_ptr<Source> source, const std::vector<Path>& selection) {
    return open_arrow_streams(
        std::move(source), engine_options(XWALK_ENGINE_ARROW_STREAM, options, selection), change);
  };
}

template <XwalkEngineFormat format>
std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                        const OutputOptions& options) {
  EngineWriteOptions engine;
  engine.format = format;
  engine.compression = options.compression;
  // Its columns share one codec.
  const auto& like = plan.like.compression;
  if (engine.compression.empty() && !like.empty()) {
    const std::string& first = like.begin()->second;
    const bool alike =
        std::ranges::all_of(like, [&](const auto& column) { return column.second == first; });
    if (alike && (first == "zstd" || first == "lz4")) engine.compression = first;
  }
  engine.compression_level = options.compression_level;
  engine.threads = options.threads;
  // Refuses the types that the format lacks, which a given schema may have.
  (void)arrow::write_ipc_schema(plan.hub);
  return open_engine_writer(std::move(sink), plan.hub, engine);
}

/// A stream of a store would be fetched whole.
hub::FileFacts facts(const Location&, Source* source, const InputOptions&) {
  need_schema(*source);
  const std::string_view contents = *source->window();
  if (!source->contents() && !arrow::is_ipc_file(contents)) return {};
  return arrow::facts_of(contents, [source](uint64_t offset, uint64_t size) {
    const ByteRange range{offset, size};
    source->need({&range, 1});
  });
}

hub::Storing storing(const Location& path, Source& source) {
  const hub::FileFacts known = facts(path, &source, {});
  hub::Storing out;
  // Uncompressed is the default, so it does not determine the compression of outputs.
  if (known.compression.size() == 1 && !known.compression.contains("none")) {
    for (const hub::ColumnFacts& column : known.columns) {
      out.compression.emplace(column.path.last().name, *known.compression.begin());
    }
  }
  return out;
}

constexpr std::array kTakesToWrite = {hub::Option::Compression, hub::Option::PartitionBy};

}  // namespace

std::unique_ptr<SplitReader> open_host_stream(hub::StreamHandle stream, const InputOptions& options,
                                              const Input& input) {
  const ChangeReader change = adjacent_table("-", nullptr, options, input);
  auto rows = check_values(split(hub::import_stream(std::move(stream))), "");
  crosswalk::check_schema({arrow::kModule, rows->schema()});
  return change ? change(std::move(rows)) : std::move(rows);
}

constinit const RowFormat kArrowFiles = {
    .word = "arrow",
    .name = "arrow",
    .system = arrow::kModule,
    .about = "IPC files and streams, by the plugin libxwalk_parquet.so",
    .extensions = kFileExtensions,
    .begins = [](std::string_view bytes) { return bytes.starts_with("ARROW1"); },
    .in_pipes = &kArrowStreams,
    .load_ahead = Engine::load_ahead,
    .open = open_files,
    .takes = kTakes,
    .takes_to_write = kTakesToWrite,
    .facts = facts,
    .storing = storing,
    .write = write<XWALK_ENGINE_ARROW_FILE>,
    .adding = Adding::ToFolder,
    .keeps_inputs = kInputsInName,
};

constinit const RowFormat kArrowStreams = {
    .word = "arrow-stream",
    .name = "arrow",
    .system = arrow::kModule,
    .extensions = kStreamExtensions,
    .begins =
        [](std::string_view bytes) {
          return bytes.starts_with("\xFF\xFF\xFF\xFF") || arrow::is_old_stream(bytes);
        },
    .load_ahead = Engine::load_ahead,
    .open = open_streams,
    .takes = kTakes,
    .takes_to_write = kTakesToWrite,
    .facts = facts,
    .storing = storing,
    .write = write<XWALK_ENGINE_ARROW_STREAM>,
    .adding = Adding::ToFolder,
    .keeps_inputs = kInputsInName,
};

}  // namespace xwalk::io
