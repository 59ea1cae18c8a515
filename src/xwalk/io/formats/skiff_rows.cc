#include "xwalk/io/formats/skiff_rows.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/schema_file.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/io/rows/wrapped_reader.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/module.h"
#include "xwalk/skiff/row_encoder.h"

namespace xwalk::io {
namespace {

/// The rows of one table. Adds the name of the source to errors, also to those of rows that are
/// kept.
class TableReader final : public hub::BatchReader {
 public:
  TableReader(std::unique_ptr<Source> source, const skiff::Schema& schema,
              const skiff::ReadOptions& options)
      : name_(source->name()),
        table_(options.table),
        schema_(skiff::rows_schema(schema, options)),
        reader_(std::move(source), schema, options) {}

  const hub::Schema& schema() const override { return schema_; }
  std::optional<hub::Batch> next() override {
    try {
      while (std::optional<skiff::TableBatch> found = reader_.next()) {
        if (found->table != table_) continue;
        for (hub::BadRow& bad : found->batch.bad) bad.error.place().file = name_;
        bytes_ = std::move(found->bytes);
        return std::move(found->batch);
      }
      return std::nullopt;
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = name_;
      throw;
    }
  }
  uint64_t bytes_read() const override { return reader_.bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_.total_bytes(); }
  /// Returns the bytes of the rows that came last; null unless they are kept.
  std::shared_ptr<const skiff::RowBytes> bytes() const { return bytes_; }

 private:
  std::string name_;
  uint32_t table_;
  hub::Schema schema_;
  skiff::TablesReader reader_;
  std::shared_ptr<const skiff::RowBytes> bytes_;
};

class SkiffPiece final : public PieceOver {
 public:
  SkiffPiece(std::unique_ptr<Piece> inner, std::shared_ptr<const skiff::RowBytes> bytes,
             int64_t first_row)
      : PieceOver(std::move(inner)),
        bytes_(std::move(bytes)),
        first_row_(static_cast<uint64_t>(first_row)) {}

  hub::Batch decode() override { return inner_->decode(); }
  void locate(std::vector<hub::BadRow>& rows) const override {
    for (hub::BadRow& row : rows) {
      // Rows that the reader rejects have their bytes, and the number that they have in the stream.
      const uint64_t number = *row.error.place().row;
      const bool is_here = number >= first_row_ && number - first_row_ < bytes_->rows();
      if (is_here && row.source_bytes.empty()) locate_row(*bytes_, number - first_row_, &row);
    }
  }

 private:
  std::shared_ptr<const skiff::RowBytes> bytes_;
  uint64_t first_row_;
};

class SkiffReader final : public WrappedReader {
 public:
  explicit SkiffReader(std::unique_ptr<TableReader> table)
      : SkiffReader{*table, split(std::move(table))} {}

  std::unique_ptr<Piece> take() override {
    const int64_t first_row = inner_->rows_taken();
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr || table_.bytes() == nullptr) return piece;
    return std::make_unique<SkiffPiece>(std::move(piece), table_.bytes(), first_row);
  }

 private:
  SkiffReader(TableReader& table, std::unique_ptr<SplitReader> inner)
      : WrappedReader(std::move(inner)), table_(table) {}

  TableReader& table_;
};

class SkiffWriter final : public SplitWriter {
 public:
  SkiffWriter(std::unique_ptr<ByteSink> sink, const skiff::Schema& schema,
              const skiff::WriteOptions& options)
      : sink_(std::move(sink)), options_(options), encoder_(schema, options) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    return encode_rows(batch, out, [&](const hub::Batch& rows, yson::Buffer* to) {
      encoder_.encode(rows.array, 0, rows.rows(), rows.first_row, 0, to, rows.controls);
      return std::vector<hub::BadRow>();
    });
  }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  void finish() override {
    if (options_.end_of_stream) sink_->write(skiff::kEndOfStreamBytes);
    sink_->finish();
  }
  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  skiff::WriteOptions options_;
  skiff::RowEncoder encoder_;
};

}  // namespace

std::unique_ptr<SplitReader> read_skiff(std::unique_ptr<Source> source, const skiff::Schema& schema,
                                        const skiff::ReadOptions& options) {
  return std::make_unique<SkiffReader>(
      std::make_unique<TableReader>(std::move(source), schema, options));
}

std::unique_ptr<SplitWriter> write_skiff_rows(std::unique_ptr<ByteSink> sink,
                                              const skiff::Schema& schema,
                                              const skiff::WriteOptions& options) {
  return std::make_unique<SkiffWriter>(std::move(sink), schema, options);
}

std::unique_ptr<hub::BatchWriter> write_skiff(std::unique_ptr<ByteSink> sink,
                                              const skiff::Schema& schema,
                                              const skiff::WriteOptions& options) {
  // Rows that carry an index go through one thread, which counts them.
  const skiff::RowEncoder encoder(schema, options);
  if (encoder.layout().row_index || encoder.layout().range_index) {
    return skiff::write_rows(std::move(sink), schema, options);
  }
  return write_skiff_rows(std::move(sink), schema, options);
}

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".skiff"};

OpenFile open(const Location& path, Source* opened, const InputOptions& options, Input* input) {
  skiff::Schema schema = find_skiff_schema(path, opened, options, &input->schema_origin);
  const size_t count = schema.format.tables.size();
  if (!options.table && count != 1) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected the rows of one table, found a stream of {}", count), {},
                "Choose one with " + hub::mention(hub::Option::Table, "N") +
                    ", or name one output a table: rows-{table}.parquet.");
  }
  if (options.plan.others && schema.table_schemas.empty()) {
    skiff::describe_others(&schema, options.table.value_or(0), *options.plan.others);
  }
  if (const yt::TableSchema* table = schema.table_schema(options.table.value_or(0))) {
    input->table_schema = *table;
  }
  input->skiff_schema = schema;
  return [schema, read = skiff_read_options(options)](
             const Location&, std::unique_ptr<Source> source, const std::vector<Path>&) {
    return read_skiff(std::move(source), schema, read);
  };
}

skiff::Schema schema_of(const WritePlan& plan) {
  if (!plan.written) return skiff::from_arrow(plan.hub).schema;
  if (const auto* table = plan.written->get_if<yt::TableSchema>()) {
    return skiff::schema_of(*table);
  }
  return plan.written->as<skiff::Schema>();
}

std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                        const OutputOptions& options) {
  skiff::WriteOptions write;
  write.table = options.skiff.table;
  write.end_of_stream = options.skiff.end_of_stream;
  write.uuid_order = options.values.uuid_order;
  write.tz_form = options.values.tz_form;
  write.specials_as_stored = plan.special_decimals;
  write.after_row = plan.after_row;
  return write_skiff(std::move(sink), schema_of(plan), write);
}

crosswalk::AnySchema schema_there(const Location& path, const StorageOptions&) {
  skiff::Schema schema;
  need_side_schema(path, [&](std::string_view text) { schema = skiff::parse_schema(text); });
  if (schema.format.tables.size() != 1) {
    throw Error(ErrorCode::Io,
                fmt::format("expected rows of one table to add to, found a stream of {}",
                            schema.format.tables.size()),
                {.file = path});
  }
  return {skiff::kModule, std::move(schema)};
}

/// Rows have no mark between them: one that is cut off would swallow the next.
std::string between(const Location& path, WritePlan* plan) {
  const auto read_through = [&](bool needs_end) {
    skiff::ReadOptions read;
    read.require_end_of_stream = needs_end;
    read.specials_as_stored = true;
    read.controls = true;
    auto rows = read_skiff(open_source(path), schema_of(*plan), read);
    while (const std::optional<hub::Batch> batch = rows->next()) {
      if (batch->rows() > 0) plan->after_row = ends_of(*batch).last;
    }
  };
  try {
    read_through(true);
  } catch (const Error&) {
    read_through(false);
    return "";
  }
  throw Error(ErrorCode::Io, "the existing rows end with the tag 0xFFFF", {.file = path},
              "Nothing may follow it: write another file.");
}

std::string side_text(const skiff::Schema& schema) {
  return skiff::print(schema, skiff::SchemaForm::File) + "\n";
}

constexpr std::array kTakes = {hub::Option::Schema,     hub::Option::Table,
                               hub::Option::TableIndex, hub::Option::RangeIndex,
                               hub::Option::RowIndex,   hub::Option::EndOfStream,
                               hub::Option::UuidOrder,  hub::Option::DecimalSpecial};
constexpr std::array kTakesToWrite = {hub::Option::Schema,    hub::Option::RangeIndex,
                                      hub::Option::RowIndex,  hub::Option::EndOfStream,
                                      hub::Option::UuidOrder, hub::Option::DecimalSpecial,
                                      hub::Option::TzForm,    hub::Option::ClusterVersion};

}  // namespace

constinit const RowFormat kSkiffRows = {
    .word = "skiff",
    .name = "skiff",
    .system = skiff::kModule,
    .about = "Skiff rows",
    .extensions = kExtensions,
    .take_attributes =
        [](const yson::Node& node, const std::string& text, FormatWord* out) {
          (void)skiff::parse_format(node);
          out->skiff_schema = text;
        },
    .on_cluster = &kClusterTables,
    .open = open,
    .takes = kTakes,
    .takes_to_write = kTakesToWrite,
    .compressed_by_name = true,
    .by_bytes = true,
    .write = write,
    .adding = Adding::ToFile,
    .schema_there = schema_there,
    .between = between,
    .side_text = [](const WritePlan& plan) { return side_text(schema_of(plan)); },
    .side_canonical = [](std::string_view text) { return side_text(skiff::parse_schema(text)); },
};

}  // namespace xwalk::io
