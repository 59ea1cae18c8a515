#include "xwalk/io/yson_rows.h"

#include <mutex>
#include <utility>
#include <vector>

#include "xwalk/yson/row_splitter.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"

namespace xwalk::io {
namespace {

/// What pieces share with their reader: the bytes, and decoders that go round among the threads.
struct Shared {
  Shared(std::unique_ptr<Source> from, const yt::TableSchema& schema,
         const yt::ReadOptions& options)
      : source(std::move(from)), decoder(schema, options) {}

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

  std::unique_ptr<Source> source;
  yt::RowDecoder decoder;
  std::mutex mutex;
  std::vector<std::unique_ptr<yt::RowDecoder>> idle;
};

class YsonPiece final : public Piece {
 public:
  YsonPiece(std::shared_ptr<Shared> shared, yson::RowChunk chunk)
      : shared_(std::move(shared)), chunk_(std::move(chunk)) {}

  hub::Batch decode() override {
    yt::RowsPlace place;
    place.file = shared_->source->name();
    place.byte = chunk_.offset;
    if (!chunk_.binary) {
      place.line = chunk_.line;
      place.column = chunk_.column;
    } else if (chunk_.offset > 0) {
      place.line.reset();
    }
    std::unique_ptr<yt::RowDecoder> decoder = shared_->take_decoder();
    hub::Batch batch =
        decoder->decode(chunk_.bytes, static_cast<int64_t>(chunk_.first_item), place);
    shared_->give_decoder(std::move(decoder));
    if (chunk_.owner == nullptr) shared_->source->consumed(chunk_.offset, chunk_.bytes.size());
    return batch;
  }

 private:
  std::shared_ptr<Shared> shared_;
  yson::RowChunk chunk_;
};

class YsonReader final : public SplitReader {
 public:
  YsonReader(std::unique_ptr<Source> source, const yt::TableSchema& schema,
             const yt::ReadOptions& options, const yson::RowSplitterOptions& splitting = {})
      : shared_(std::make_shared<Shared>(std::move(source), schema, options)),
        splitter_(shared_->source.get(), splitting) {}

  const hub::Schema& schema() const override { return shared_->decoder.schema(); }

  std::unique_ptr<Piece> take() override {
    yson::RowChunk chunk;
    if (!splitter_.next(&chunk)) return nullptr;
    rows_ = static_cast<int64_t>(chunk.first_item + chunk.items);
    return std::make_unique<YsonPiece>(shared_, std::move(chunk));
  }
  int64_t rows_taken() const override { return rows_; }
  uint64_t bytes_read() const override { return shared_->source->position(); }
  std::optional<uint64_t> total_bytes() const override { return shared_->source->size(); }

 private:
  std::shared_ptr<Shared> shared_;
  yson::RowSplitter splitter_;
  int64_t rows_ = 0;
};

class YsonWriter final : public SplitWriter {
 public:
  YsonWriter(std::unique_ptr<ByteSink> sink, const yt::TableSchema& schema,
             const yt::ValueOptions& options, SideSchema side)
      : sink_(std::move(sink)), encoder_(schema, options), side_(std::move(side)) {}

  void encode(hub::Batch batch, yson::Buffer* out) const override {
    encoder_.encode(batch.array, 0, batch.rows(), batch.first_row, out);
  }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  void finish() override {
    side_.prepare();
    sink_->finish();
    side_.commit();
  }
  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  yt::RowEncoder encoder_;
  SideSchema side_;
};

/// Returns true if the first item is an entity or a row with attributes.
bool begins_with_attributes(Source& source) {
  std::string_view first = source.peek(4096);
  size_t start = first.find_first_not_of(" \t\r\n;");
  return start != std::string_view::npos && first[start] == '<';
}

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
                                        yson::RowSplitterOptions{.start = start});
  }
  if (options.table || begins_with_attributes(*source)) {
    return split(yt::read_rows(std::move(source), schema, options));
  }
  return std::make_unique<YsonReader>(std::move(source), schema, options);
}

std::unique_ptr<SplitWriter> write_yson(std::unique_ptr<ByteSink> sink,
                                        const yt::TableSchema& schema,
                                        const yt::ValueOptions& options, SideSchema side) {
  return std::make_unique<YsonWriter>(std::move(sink), schema, options, std::move(side));
}

}  // namespace xwalk::io
