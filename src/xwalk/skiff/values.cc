#include "xwalk/skiff/values.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/input.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/table_decoder.h"
#include "xwalk/yt/read_options.h"

namespace xwalk::skiff {
namespace {

/// A block ends after this many bytes even if its rows are few, because fields are found by 32-bit
/// offsets.
constexpr size_t kMostBlockBytes = size_t{4} << 20;
/// Bytes after which a source in memory is told that they are done with.
constexpr uint64_t kReleaseBytes = uint64_t{4} << 20;

hub::Schema shown_schema(hub::Schema schema, const BoundTable& table, const ReadOptions& options) {
  auto need = [](bool there, std::string_view name) {
    if (there) return;
    throw Error(ErrorCode::Usage,
                fmt::format("expected a skiff schema with {}, found one without", name),
                {.path = Path::column(name)});
  };
  auto add = [&](std::string_view name, hub::Kind kind, bool nullable) {
    schema.fields.emplace_back(std::string(name), kind, nullable);
  };
  if (options.table_index) add("$table_index", hub::Kind::Uint32, false);
  if (options.range_index) {
    need(table.layout.range_index.has_value(), kRangeIndex);
    add(kRangeIndex, hub::Kind::Int64, true);
  }
  if (options.row_index) {
    need(table.layout.row_index.has_value(), kRowIndex);
    add(kRowIndex, hub::Kind::Int64, true);
  }
  if (options.key_switch) {
    need(table.layout.has_key_switch, kKeySwitch);
    add(kKeySwitch, hub::Kind::Bool, false);
  }
  return schema;
}

}  // namespace

hub::Schema rows_schema(const Schema& schema, const ReadOptions& options) {
  if (options.table >= schema.format.tables.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a table below {}, found {}",
                                              schema.format.tables.size(), options.table));
  }
  return shown_schema(to_arrow(schema, options.table),
                      bind_table(schema.format.tables[options.table],
                                 schema.table_schema(options.table), Flow::Read),
                      options);
}

struct CompiledTables::Parts {
  Parts(const Schema& schema, const ReadOptions& read) : options(read) {
    uint32_t index = 0;
    tables = bind(schema, Flow::Read);
    for (const BoundTable& table : tables) {
      shown.push_back(shown_schema(to_arrow(schema, index), table, options));
      ++index;
    }
  }

  ReadOptions options;
  std::vector<BoundTable> tables;
  std::vector<hub::Schema> shown;
};

CompiledTables::CompiledTables(const Schema& schema, const ReadOptions& options)
    : parts_(std::make_shared<const Parts>(schema, options)) {}

class TablesReader::Impl {
 public:
  Impl(std::unique_ptr<ByteSource> source, const CompiledTables::Parts& parts)
      : source_(std::move(source)),
        in_memory_(source_->contents().has_value() && !source_->may_change()),
        input_(*source_),
        options_(parts.options) {
    for (size_t i = 0; i < parts.tables.size(); ++i) {
      decoders_.emplace_back(parts.tables[i], parts.shown[i], static_cast<uint32_t>(i), options_);
    }
  }

  size_t table_count() const { return decoders_.size(); }
  const hub::Schema& schema(size_t table) const { return decoders_[table].shown(); }
  uint64_t bytes_read() const { return source_->position(); }
  std::optional<uint64_t> size() const { return source_->size(); }

  std::optional<TableBatch> next() {
    while (true) {
      for (size_t i = 0; i < decoders_.size(); ++i) {
        TableDecoder& decoder = decoders_[i];
        if (ended_ ? decoder.built_rows() > 0 : decoder.batch_full()) {
          runs_.clear();
          return decoder.finish_batch();
        }
      }
      if (ended_) return std::nullopt;
      decode_block();
    }
  }

  std::optional<TablesBlock> next_block() {
    const auto is_full = [](const TableDecoder& decoder) { return decoder.batch_full(); };
    const auto has_rows = [](const TableDecoder& decoder) { return decoder.built_rows() > 0; };
    try {
      while (!ended_ && std::ranges::none_of(decoders_, is_full)) {
        if (options_.prompt && short_ && std::ranges::any_of(decoders_, has_rows)) break;
        decode_block();
      }
    } catch (const Error&) {
      ended_ = true;
      throw;
    }
    TablesBlock block;
    for (size_t i = 0; i < decoders_.size(); ++i) {
      if (decoders_[i].built_rows() == 0) continue;
      block.batches.push_back(decoders_[i].finish_batch());
    }
    block.runs.swap(runs_);
    if (block.batches.empty()) return std::nullopt;
    return block;
  }

 private:
  enum class Stop : uint8_t { Full, Short, Broken, UnknownTable, End };

  void decode_block() {
    const char* block = input_.data();
    // No row may be longer, and places are 32 bits wide.
    const char* end = block + std::min(input_.available(), kMostBlockBytes + options_.row_bytes);
    const char* at = block;
    Stop stop = walk_rows(block, end, &at);
    short_ = stop == Stop::Short;
    bool any = at != block;
    decode_rows(block, end);
    input_.advance(static_cast<size_t>(at - block));
    if (stop == Stop::End || input_.position() - released_ >= kReleaseBytes) release();
    switch (stop) {
      case Stop::Full:
        return;
      case Stop::Short:
        if (!any) read_more();
        return;
      case Stop::Broken:
        fail_in_row();
      case Stop::UnknownTable:
        fail_unknown_table();
      case Stop::End:
        input_.advance(sizeof(kEndOfStream));
        if (input_.ensure(1)) fail("expected the end after the tag 65535, found more bytes");
        ended_ = true;
        return;
    }
  }

  /// Decodes the rows of a block, table by table. Throws the error of the first bad row of all.
  void decode_rows(const char* block, const char* end) {
    std::optional<Error> first;
    for (TableDecoder& decoder : decoders_) {
      try {
        decoder.decode(block, end, input_.position());
      } catch (const Error& error) {
        if (!first || error.place().row < first->place().row) first = error;
      }
    }
    if (first) throw Error(*first);
  }

  /// Tells the source how far its contents are done with.
  void release() {
    if (!in_memory_) return;
    source_->consumed(released_, input_.position() - released_);
    released_ = input_.position();
  }

  Stop walk_rows(const char* block, const char* end, const char** position) {
    const char* at = *position;
    Stop stop = Stop::Full;
    while (true) {
      if (end - at < 2) {
        stop = Stop::Short;
        break;
      }
      uint16_t tag;
      std::memcpy(&tag, at, sizeof(tag));
      if (tag >= decoders_.size()) [[unlikely]] {
        const bool ends = tag == kEndOfStream && options_.require_end_of_stream;
        stop = ends ? Stop::End : Stop::UnknownTable;
        break;
      }
      TableDecoder& decoder = decoders_[tag];
      tracker_.begin_row(tag);
      size_t run = decoder.walk_run(block, end, kMostBlockBytes, row_, &at);
      if (run > 0) {
        row_ += run;
        note_run(tag, run);
        if (decoder.block_full() || static_cast<size_t>(at - block) >= kMostBlockBytes) break;
        continue;
      }
      const char* next = at + sizeof(tag);
      Walk walked = decoder.walk(block, end, &tracker_, row_, &next);
      if (walked != Walk::Ok) [[unlikely]] {
        stop = walked == Walk::Short ? Stop::Short : Stop::Broken;
        break;
      }
      at = next;
      ++row_;
      note_run(tag, 1);
      if (decoder.block_full() || static_cast<size_t>(at - block) >= kMostBlockBytes) break;
    }
    *position = at;
    return stop;
  }

  void note_run(uint32_t table, size_t rows) {
    if (decoders_.size() == 1) return;
    if (runs_.empty() || runs_.back().table != table) runs_.push_back({table, 0});
    runs_.back().rows += static_cast<int64_t>(rows);
  }

  void read_more() {
    size_t before = input_.available();
    if (before > options_.row_bytes) {
      fail(fmt::format("expected a row of at most {} bytes, found more", options_.row_bytes),
           fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
    }
    input_.ensure(std::max<size_t>(2 * before, 1));
    if (input_.available() > before) return;
    if (before == 0) {
      if (options_.require_end_of_stream) {
        fail("expected the tag 65535 at the end of the stream, found the end");
      }
      release();
      ended_ = true;
      return;
    }
    if (before < 2) {
      fail("expected 2 more bytes of variant16, found the end after 1", kFetchAgain);
    }
    fail_in_row();
  }

  [[noreturn]] void fail(std::string message, std::string hint = {}) {
    Place place;
    place.row = row_;
    place.byte = input_.position();
    throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
  }

  [[noreturn]] void fail_unknown_table() {
    uint16_t tag;
    std::memcpy(&tag, input_.data(), sizeof(tag));
    fail(unknown_table(decoders_.size(), tag), end_of_stream_hint(tag));
  }

  /// Throws the error of the row that begins here.
  [[noreturn]] void fail_in_row() {
    uint16_t tag;
    std::memcpy(&tag, input_.data(), sizeof(tag));
    std::string_view bytes(input_.data() + sizeof(tag), input_.available() - sizeof(tag));
    Error error = decoders_[tag].fault(tracker_, bytes);
    error.place().table = tag;
    error.place().row = row_;
    error.place().byte = input_.position() + sizeof(tag) + error.place().byte.value_or(0);
    throw Error(std::move(error));
  }

  std::unique_ptr<ByteSource> source_;
  bool in_memory_;
  Input input_;
  uint64_t released_ = 0;
  ReadOptions options_;
  std::vector<TableDecoder> decoders_;
  /// Of rows that are not given out yet, if there are several tables.
  std::vector<TablesBlock::Run> runs_;
  IndexTracker tracker_;
  uint64_t row_ = 0;
  /// The bytes at hand end before the end of the next row.
  bool short_ = false;
  bool ended_ = false;
};

TablesReader::TablesReader(std::unique_ptr<ByteSource> source, const Schema& schema,
                           const ReadOptions& options)
    : TablesReader(std::move(source), CompiledTables(schema, options)) {}
TablesReader::TablesReader(std::unique_ptr<ByteSource> source, const CompiledTables& compiled)
    : impl_(std::make_unique<Impl>(std::move(source), *compiled.parts_)) {}
TablesReader::~TablesReader() = default;
size_t TablesReader::table_count() const { return impl_->table_count(); }
const hub::Schema& TablesReader::schema(size_t table) const { return impl_->schema(table); }
std::optional<TableBatch> TablesReader::next() { return impl_->next(); }
std::optional<TablesBlock> TablesReader::next_block() { return impl_->next_block(); }
uint64_t TablesReader::bytes_read() const { return impl_->bytes_read(); }
std::optional<uint64_t> TablesReader::total_bytes() const { return impl_->size(); }

namespace {

class OneTableReader : public hub::BatchReader {
 public:
  OneTableReader(std::unique_ptr<ByteSource> source, const Schema& schema,
                 const ReadOptions& options)
      : table_(options.table),
        schema_(rows_schema(schema, options)),
        reader_(std::move(source), schema, options) {}

  const hub::Schema& schema() const override { return schema_; }
  std::optional<hub::Batch> next() override {
    while (std::optional<TableBatch> found = reader_.next()) {
      if (found->table == table_) return std::move(found->batch);
    }
    return std::nullopt;
  }
  uint64_t bytes_read() const override { return reader_.bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_.total_bytes(); }

 private:
  uint32_t table_;
  hub::Schema schema_;
  TablesReader reader_;
};

}  // namespace

std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const Schema& schema, const ReadOptions& options) {
  return std::make_unique<OneTableReader>(std::move(source), schema, options);
}

namespace {

/// Rows encoded between writes: some hundred kilobytes, which stay in the cache.
constexpr int64_t kStepRows = 4096;

/// The origin of an index that every row must have: the source has it for all rows, or rows are
/// counted. A stream of both would have positions that no table has.
class IndexOrigin {
 public:
  void continue_after(bool present) { present_ = present; }
  void follow(std::optional<IndexShape> shape, std::string_view name, const hub::Batch& batch,
              std::optional<int64_t> hub::RowControl::*index) {
    if (shape != IndexShape::TwoWay) return;
    for (int64_t row = 0; row < batch.rows(); ++row) {
      const bool present =
          !batch.controls.empty() && (batch.controls[static_cast<size_t>(row)].*index).has_value();
      if (present_.value_or(present) != present) refuse(name, batch.first_row + row, present);
      present_ = present;
      if (batch.controls.empty()) return;
    }
  }

 private:
  [[noreturn]] static void refuse(std::string_view name, int64_t row, bool present) {
    throw Error(ErrorCode::Input,
                fmt::format("expected {} of every row or of none, found {} after rows {}", name,
                            present ? "one" : "none", present ? "without" : "with one"),
                {.row = static_cast<uint64_t>(row)}, "Write such rows to an output of their own.");
  }

  std::optional<bool> present_;
};

class RowsWriter final : public hub::BatchWriter {
 public:
  RowsWriter(std::unique_ptr<ByteSink> sink, const Schema& schema, const WriteOptions& options)
      : sink_(std::move(sink)), options_(options), encoder_(schema, options) {
    if (!options.after_row) return;
    range_.continue_after(options.after_row->range_index.has_value());
    row_.continue_after(options.after_row->row_index.has_value());
  }

  void write(hub::Batch batch) override {
    if (!batch.bad.empty()) {
      throw Error(ErrorCode::Internal, "expected a batch without bad rows, found some");
    }
    const TableLayout& layout = encoder_.layout();
    range_.follow(layout.range_index, kRangeIndex, batch, &hub::RowControl::range_index);
    row_.follow(layout.row_index, kRowIndex, batch, &hub::RowControl::row_index);
    int64_t rows = batch.rows();
    for (int64_t begin = 0; begin < rows; begin += kStepRows) {
      encoder_.encode(batch.array, begin, std::min(rows, begin + kStepRows), batch.first_row,
                      written_rows_, &buffer_, batch.controls);
      sink_->write(buffer_.view());
      buffer_.clear();
    }
    written_rows_ += rows;
  }

  void finish() override {
    if (options_.end_of_stream) sink_->write(kEndOfStreamBytes);
    sink_->finish();
  }

  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  WriteOptions options_;
  RowEncoder encoder_;
  yson::Buffer buffer_;
  int64_t written_rows_ = 0;
  IndexOrigin range_;
  IndexOrigin row_;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink, const Schema& schema,
                                             const WriteOptions& options) {
  return std::make_unique<RowsWriter>(std::move(sink), schema, options);
}

}  // namespace xwalk::skiff
