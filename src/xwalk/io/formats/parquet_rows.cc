#include <array>

#include "xwalk/base/random_access.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/formats/parquet_output.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/statistics.h"

namespace xwalk::io {
namespace {

constexpr std::array<std::string_view, 3> kExtensions = {".parquet", ".parq", ".pq"};

OpenFile open(const Location&, Source*, const InputOptions& options, Input*) {
  ParquetInputOptions parquet;
  parquet.batch_rows = options.batch_rows;
  parquet.batch_bytes = options.batch_bytes;
  parquet.max_memory = options.max_memory;
  parquet.threads = options.threads;
  parquet.int96_micros = options.parquet.int96_micros;
  parquet.storage = options.plan.stored_values;
  parquet.part = options.part;
  return [parquet](const Location&, std::unique_ptr<Source> source,
                   const std::vector<Path>& selection) {
    ParquetInputOptions chosen = parquet;
    if (!selection.empty()) chosen.columns = columns_of(selection);
    return open_parquet(with_window(std::move(source), chosen.max_memory), chosen);
  };
}

std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                        const OutputOptions& options) {
  ParquetOutputOptions parquet;
  if (plan.written) parquet.schema = plan.written->as<parquet::Schema>();
  parquet.store_schema = options.store_schema;
  parquet.keep_repeated_keys = options.parquet.keep_repeated_keys;
  parquet.geoparquet = options.parquet.geoparquet;
  parquet.sampled = options.sampled;
  parquet.compression = options.compression;
  parquet.compression_level = options.compression_level;
  parquet.row_group_rows = options.row_group_rows;
  parquet.like = plan.like;
  parquet.threads = options.threads;
  return open_parquet_writer(std::move(sink), plan.hub, parquet);
}

hub::FileFacts facts(const Location& path, Source* source, const InputOptions&) {
  need_schema(*source);
  const auto file = memory_access(*source->window(), path);
  const parquet::Footer footer = parquet::read_footer(*file);
  hub::Schema rows;
  try {
    rows = parquet_arrow_schema(footer);
  } catch (const Error& error) {
    // A group without fields has no rows that could be read.
    if (error.code() != ErrorCode::Unsupported) throw;
  }
  hub::FileFacts facts = parquet::facts_of(parquet::read_footer_bytes(*file), footer, rows);
  if (!rows.fields.empty()) facts.schema = std::move(rows);
  return facts;
}

hub::Schema own_schema(const Location& path, Source* source, const InputOptions& options) {
  need_schema(*source);
  const auto file = memory_access(*source->window(), path);
  return parquet_arrow_schema(
      parquet::read_footer(*file),
      {.int96_micros = options.parquet.int96_micros, .storage = options.plan.stored_values});
}

hub::Storing storing(const Location& path, Source& source) {
  need_schema(source);
  const auto file = memory_access(*source.window(), path);
  return parquet::storing_of(parquet::read_footer_bytes(*file), parquet::read_footer(*file).schema);
}

constexpr std::array kTakes = {hub::Option::Int96Unit};
constexpr std::array kTakesToWrite = {hub::Option::Compression, hub::Option::RowGroupRows,
                                      hub::Option::Message,     hub::Option::PartitionBy,
                                      hub::Option::Geoparquet,  hub::Option::Shred};

}  // namespace

constinit const RowFormat kParquetRows = {
    .word = "parquet",
    .name = "parquet",
    .system = parquet::kModule,
    .about = "by the plugin libxwalk_parquet.so",
    .extensions = kExtensions,
    .begins = parquet::is_parquet,
    .load_ahead = Engine::load_ahead,
    .open = open,
    .own_schema = own_schema,
    .takes = kTakes,
    .takes_to_write = kTakesToWrite,
    .facts = facts,
    .storing = storing,
    .parts = parquet_parts,
    .write = write,
    .adding = Adding::ToFolder,
    .keeps_inputs = kInputsInName,
};

}  // namespace xwalk::io
