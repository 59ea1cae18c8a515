#include "xwalk/io/formats/yson_rows.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/reject_rows.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_rows.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"

namespace xwalk::io {
namespace {

/// What pieces share with their reader: the bytes, and decoders that go round among the threads.
struct Shared {
  Shared(std::unique_ptr<Source> from, const yt::TableSchema& schema, const yt::ReadOptions& read)
      : source(std::move(from)), options(read), decoder(schema, options) {}

  std::unique_ptr<yt::RowDecoder> take_decoder() {
    std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<yt::RowDecoder>(decoder);
    std::unique_ptr<yt::RowDecoder> out = std::move(idle.back());
    idle.pop_back();
    return out;
  }
  void give_decoder(std::unique_ptr<yt::RowDecoder> used) {
    std::lock_guard lock(mutex);
    idle.push_back(std::move(used));
  }

  void count_integers(uint64_t integers) {
    if (integers == 0) return;
    const std::lock_guard lock(met->mutex);
    met->integers += integers;
  }

  std::unique_ptr<Source> source;
  yt::ReadOptions options;
  /// The master copy of all decoders, also used for rows after control entities.
  yt::RowDecoder decoder;
  std::mutex mutex;
  std::vector<std::unique_ptr<yt::RowDecoder>> idle;
  std::shared_ptr<RowsMet> met = std::make_shared<RowsMet>();
};

yt::RowsPlace place_of(const Shared& shared, const yson::RowChunk& chunk) {
  yt::RowsPlace place;
  place.file = shared.source->name();
  place.byte = chunk.offset;
  if (!chunk.binary) {
    place.line = chunk.line;
    place.column = chunk.column;
  } else if (chunk.offset > 0) {
    place.line.reset();
  }
  return place;
}

/// Fills in the bytes of rows of a chunk, whose rows have numbers from `first_row` on and belong to
/// `table` until a control entity names another one.
void locate_in(const Shared& shared, const yson::RowChunk& chunk, uint64_t first_row,
               uint32_t table, std::vector<hub::BadRow>* rows) {
  const auto all = yt::rows_in(chunk.bytes, shared.options.table, &table);
  for (hub::BadRow& row : *rows) {
    Place& place = row.error.place();
    if (*place.row < first_row || *place.row - first_row >= all.size()) continue;
    const std::string_view bytes = all[*place.row - first_row];
    if (row.source_bytes.empty()) row.source_bytes = bytes;
    const auto offset = static_cast<size_t>(bytes.data() - chunk.bytes.data());
    if (!place.byte) place.byte = chunk.offset + offset;
    if (!place.line) place.line = yson::place_in_chunk(chunk, offset).line;
  }
}

class YsonPiece final : public Piece {
 public:
  YsonPiece(std::shared_ptr<Shared> shared, yson::RowChunk chunk)
      : shared_(std::move(shared)), chunk_(std::move(chunk)) {}

  hub::Batch decode() override {
    const yt::RowsPlace place = place_of(*shared_, chunk_);
    std::unique_ptr<yt::RowDecoder> decoder = shared_->take_decoder();
    const uint64_t integers = decoder->met().integers;
    hub::Batch batch =
        decoder->decode(chunk_.bytes, static_cast<int64_t>(chunk_.first_item), place);
    shared_->count_integers(decoder->met().integers - integers);
    shared_->give_decoder(std::move(decoder));
    if (chunk_.owner == nullptr) shared_->source->consumed(chunk_.offset, chunk_.bytes.size());
    return batch;
  }
  int64_t bytes() const override { return static_cast<int64_t>(chunk_.bytes.size()); }
  void locate(std::vector<hub::BadRow>& rows) const override {
    locate_in(*shared_, chunk_, chunk_.first_item, 0, &rows);
  }

 private:
  std::shared_ptr<Shared> shared_;
  yson::RowChunk chunk_;
};

/// Rows of a chunk that were decoded when it was taken, since they depend on the control entities
/// before them.
class ControlledPiece final : public Piece {
 public:
  ControlledPiece(std::shared_ptr<Shared> shared, yson::RowChunk chunk, hub::Batch batch,
                  uint32_t table)
      : shared_(std::move(shared)),
        chunk_(std::move(chunk)),
        first_row_(static_cast<uint64_t>(batch.first_row)),
        batch_(std::move(batch)),
        table_(table) {}

  hub::Batch decode() override { return std::move(batch_); }
  void locate(std::vector<hub::BadRow>& rows) const override {
    locate_in(*shared_, chunk_, first_row_, table_, &rows);
  }

 private:
  std::shared_ptr<Shared> shared_;
  yson::RowChunk chunk_;
  uint64_t first_row_;
  hub::Batch batch_;
  /// The table of the first rows.
  uint32_t table_;
};

/// Returns how many rows a chunk may have: any number unless rows are wide or few are wanted. A
/// chunk of several batches has few batches that are not full, but all of its rows are decoded
/// before the first is written. So for wide rows a chunk is one batch.
uint64_t chunk_items(int64_t batch_rows, int64_t requested) {
  if (batch_rows >= limits::kBatchRows) return UINT64_MAX;
  const uint64_t batches = batch_rows < requested ? 1 : 4;
  return batches * static_cast<uint64_t>(batch_rows);
}

class YsonReader final : public SplitReader {
 public:
  YsonReader(std::unique_ptr<Source> source, const yt::TableSchema& schema,
             const yt::ReadOptions& options, const yson::RowChunkStart& start = {})
      : table_schema_(schema),
        shared_(std::make_shared<Shared>(std::move(source), schema, options)),
        splitter_(shared_->source.get(),
                  yson::RowSplitterOptions{
                      .chunk_bytes = piece_bytes(schema, options),
                      .chunk_items = chunk_items(shared_->decoder.batch_rows(), options.batch_rows),
                      .max_item_bytes = options.row_bytes,
                      .start = start}),
        rows_(static_cast<int64_t>(start.item)) {}

  const hub::Schema& schema() const override { return shared_->decoder.schema(); }

  std::unique_ptr<Piece> take() override {
    yson::RowChunk chunk;
    if (!next_chunk(&chunk)) {
      if (splitter_.zero_byte()) refuse_zero_byte();
      return nullptr;
    }
    // How many rows are of one table is known once they are decoded.
    if (splitter_.attributes() || shared_->options.table) return decode_here(std::move(chunk));
    rows_ = static_cast<int64_t>(chunk.first_item + chunk.items);
    return std::make_unique<YsonPiece>(shared_, std::move(chunk));
  }
  void lay_out(const RowLayout& accepted) override {
    if (accepted.variants.empty()) return;
    yt::ReadOptions options = shared_->options;
    for (const size_t column : accepted.variants) {
      options.variants.push_back(schema().fields[column].name);
    }
    shared_ = std::make_shared<Shared>(std::move(shared_->source), table_schema_, options);
  }
  int64_t rows_taken() const override { return rows_; }
  uint64_t bytes_read() const override { return shared_->source->position(); }
  std::optional<uint64_t> total_bytes() const override { return shared_->source->size(); }
  /// What control entities said and no column has.
  Notes notes() const override {
    return [met = shared_->met, options = shared_->options] {
      const std::lock_guard lock(met->mutex);
      hub::Findings notes = control_notes(met->controls, options);
      std::ranges::move(integer_notes(met->integers), std::back_inserter(notes));
      return notes;
    };
  }

 private:
  bool next_chunk(yson::RowChunk* chunk) {
    try {
      return splitter_.next(chunk);
    } catch (Error& error) {
      // The one error that names a row is of its size.
      if (error.place().row) {
        error.with_hint(
            fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
      }
      throw;
    }
  }

  /// Decodes rows after a control entity, which depend on the entities before.
  std::unique_ptr<Piece> decode_here(yson::RowChunk chunk) {
    yt::RowsPlace place = place_of(*shared_, chunk);
    const yt::RowsPlace& before = shared_->decoder.end();
    place.table = before.table;
    place.control = before.control;
    const uint64_t integers = shared_->decoder.met().integers;
    hub::Batch batch = shared_->decoder.decode(chunk.bytes, rows_, place);
    shared_->count_integers(shared_->decoder.met().integers - integers);
    {
      const std::lock_guard lock(shared_->met->mutex);
      shared_->met->controls = shared_->decoder.met();
    }
    if (chunk.owner == nullptr) shared_->source->consumed(chunk.offset, chunk.bytes.size());
    rows_ += batch.rows();
    return std::make_unique<ControlledPiece>(shared_, std::move(chunk), std::move(batch),
                                             place.table);
  }

  /// YSON text would end there, but rows after it would be lost.
  [[noreturn]] void refuse_zero_byte() const {
    throw Error(ErrorCode::Input, "expected a row or the end, found a zero byte",
                {.file = shared_->source->name(), .byte = splitter_.zero_byte()});
  }

  yt::TableSchema table_schema_;
  std::shared_ptr<Shared> shared_;
  yson::RowSplitter splitter_;
  int64_t rows_ = 0;
};

class YsonWriter final : public SplitWriter {
 public:
  YsonWriter(std::unique_ptr<ByteSink> sink, const yt::TableSchema& schema,
             const yt::ValueOptions& options, const hub::RowControl& after_row)
      : sink_(std::move(sink)), encoder_(schema, options), last_(after_row) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    return encode_rows(batch, out, [&](const hub::Batch& rows, yson::Buffer* to) {
      encoder_.encode(rows.array, 0, rows.rows(), rows.first_row, to, rows.controls);
      return std::vector<hub::BadRow>();
    });
  }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  bool drains() const override { return true; }
  bool takes_dictionary(size_t column) const override { return encoder_.takes_dictionary(column); }
  void follow(const BatchEnds& ends) override {
    yt::check_follows(last_, ends.first, ends.row);
    last_ = ends.last;
  }
  void finish() override { sink_->finish(); }
  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  yt::RowEncoder encoder_;
  hub::RowControl last_;  ///< control attributes of the last row
};

}  // namespace

std::unique_ptr<SplitReader> read_yson(std::unique_ptr<Source> source,
                                       const yt::TableSchema& schema,
                                       const yt::ReadOptions& options,
                                       const std::optional<Part>& part) {
  if (part) {
    const yson::RowChunkStart start{.offset = part->first,
                                    .line = part->line,
                                    .column = part->column,
                                    .item = part->first_row,
                                    .binary = part->binary};
    return std::make_unique<YsonReader>(part_source(std::move(source), *part), schema, options,
                                        start);
  }
  return std::make_unique<YsonReader>(std::move(source), schema, options);
}

std::vector<uint32_t> yson_tables(std::unique_ptr<Source> source) {
  yt::TableSchema anything;
  anything.strict = false;
  yt::ReadOptions read;
  read.table_index = true;
  read.skip_bad_rows = true;
  const auto rows = read_yson(std::move(source), anything, read);
  std::set<uint32_t> tables;
  while (const std::optional<hub::Batch> batch = rows->next()) {
    const hub::Array& column = batch->array.children.back();
    for (int64_t row = 0; row < batch->rows(); ++row) {
      tables.insert(column.value<uint32_t>(batch->array.slot(row)));
    }
  }
  if (tables.empty()) tables.insert(0);
  return {tables.begin(), tables.end()};
}

std::unique_ptr<SplitWriter> write_yson(std::unique_ptr<ByteSink> sink,
                                        const yt::TableSchema& schema,
                                        const yt::ValueOptions& options,
                                        const hub::RowControl& after_row) {
  return std::make_unique<YsonWriter>(std::move(sink), schema, options, after_row);
}

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".yson"};

bool begins(std::string_view bytes) {
  const size_t start = bytes.find_first_not_of(" \t\r\n;");
  return start != std::string_view::npos && (bytes[start] == '{' || bytes[start] == '<');
}

OpenFile open(const Location& path, Source* opened, const InputOptions& options, Input* input) {
  std::optional<std::vector<RejectForm>> rejects;
  find_table_schema(kYsonRows, path, opened, options, input, &rejects);
  if (rejects) return open_rejected(path, *rejects, options, input);
  return [schema = *input->table_schema, read = read_options(options, *input), part = options.part](
             const Location&, std::unique_ptr<Source> source,
             const std::vector<Path>& selection) -> std::unique_ptr<SplitReader> {
    return read_yson(std::move(source), schema, of_columns(read, selection), part);
  };
}

std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                        const OutputOptions& options) {
  yt::ValueOptions values = options.values;
  values.specials_as_stored = plan.special_decimals;
  return write_yson(std::move(sink), table_schema_of(plan), values,
                    plan.after_row.value_or(hub::RowControl()));
}

/// Returns the control attributes of the last row of a file.
hub::RowControl last_controls(const Location& path, const WritePlan& plan) {
  yt::ReadOptions read;
  read.controls = true;
  read.values.specials_as_stored = true;
  const auto rows = read_yson(open_source(path), table_schema_of(plan), read);
  hub::RowControl last;
  while (const std::optional<hub::Batch> batch = rows->next()) {
    if (batch->rows() > 0) last = ends_of(*batch).last;
  }
  return last;
}

std::string between(const Location& path, WritePlan* plan) {
  constexpr std::string_view kIndex = "_index";
  auto source = open_source(path);
  char last = ';';
  std::string end_before;
  bool may_tell = false;
  for (std::string_view bytes = source->peek(1); !bytes.empty(); bytes = source->peek(1)) {
    std::string block(size_t{64} << 10, '\0');
    block.resize(source->read(block.data(), block.size()));
    may_tell = may_tell || (end_before + block).find(kIndex) != std::string::npos;
    end_before = block.substr(block.size() - std::min(block.size(), kIndex.size() - 1));
    const size_t end = block.find_last_not_of(" \t\r\n");
    if (end != std::string::npos) last = block[end];
  }
  if (may_tell) plan->after_row = last_controls(path, *plan);
  if (last == ';') return "";
  if (last == '}' || last == '#') return ";\n";
  throw Error(ErrorCode::Input, "the file does not end with a whole row", {.file = path});
}

/// What such rows take, and the form of YSON.
constexpr auto kTakesToWrite = [] {
  std::array<hub::Option, kTableRowsTakeToWrite.size() + 1> out = {};
  std::ranges::copy(kTableRowsTakeToWrite, out.begin());
  out.back() = hub::Option::YsonFormat;
  return out;
}();

}  // namespace

constinit const RowFormat kYsonRows = {
    .word = "yson",
    .name = "yson",
    .system = yt::kModule,
    .about = "YSON rows, text and binary",
    .extensions = kExtensions,
    .begins = begins,
    .take_attributes = [](const yson::Node& node, const std::string&,
                          FormatWord* out) { out->values = yt::parse_format(node); },
    .on_cluster = &kClusterYsonTables,
    .open = open,
    .infer = [](Source& source, const InputOptions&,
                yt::SchemaInference* inference) { inference->add(source); },
    .marks_unsigned = true,
    .takes = kTableRowsTake,
    .takes_to_write = kTakesToWrite,
    .compressed_by_name = true,
    .by_bytes = true,
    .parts = yson_parts,
    .write = write,
    .adding = Adding::ToFile,
    .schema_there = table_schema_there,
    .between = between,
    .side_text = table_schema_text,
    .side_canonical = canonical_table_schema,
};

}  // namespace xwalk::io
