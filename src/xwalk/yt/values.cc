#include "xwalk/yt/values.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/row_run_internal.h"

namespace xwalk::yt {
namespace {

/// Bytes read from the source at a time: large enough that decoding a row cut at the end of the
/// buffer again costs nothing, small enough to stay in the cache of one core.
constexpr size_t kReadBytes = size_t{1} << 20;

/// The bytes at hand: a part of the source's memory, or a buffer that is filled from it.
class Window {
 public:
  explicit Window(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), contents_(source_->contents()) {
    if (contents_) last_ = true;
  }

  std::string_view bytes() const {
    return contents_ ? contents_->substr(begin_)
                     : std::string_view(buffer_.get() + begin_, size_ - begin_);
  }
  bool last() const { return last_; }
  void consume(size_t count) {
    begin_ += count;
    consumed_ += count;
  }

  /// Reads more bytes after the available ones.
  void fill() {
    if (last_) return;
    const size_t kept = size_ - begin_;
    // A row longer than the buffer doubles it, so that decoding it again and again stays linear.
    if (capacity_ - kept < kReadBytes / 2) {
      const size_t capacity = std::max(kReadBytes, capacity_ * 2);
      // Not initialised: only bytes that were read are accessed.
      // guard(allocate): Bytes that are read grow with those that have come, up to the limit of a
      // row.
      auto larger = std::make_unique_for_overwrite<char[]>(capacity);
      std::copy_n(buffer_.get() + begin_, kept, larger.get());
      buffer_ = std::move(larger);
      capacity_ = capacity;
    } else if (begin_ > 0) {
      std::copy_n(buffer_.get() + begin_, kept, buffer_.get());
    }
    begin_ = 0;
    size_ = kept;
    size_t count = source_->read(buffer_.get() + size_, capacity_ - size_);
    size_ += count;
    last_ = count == 0;
  }

  const ByteSource& source() const { return *source_; }
  uint64_t consumed() const { return consumed_; }
  bool in_memory() const { return contents_.has_value(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::optional<std::string_view> contents_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t size_ = 0;
  uint64_t consumed_ = 0;
  bool last_ = false;
};

class RowsReader final : public hub::BatchReader {
 public:
  RowsReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const RowProgram> program,
             const ReadOptions& options)
      : program_(std::move(program)),
        window_(std::move(source)),
        run_(program_, options),
        batch_rows_(batch_rows(*program_, options)),
        batch_bytes_(options.batch_bytes) {
    RowsPlace place;
    place.file = window_.source().name();
    run_.set_place(place);
  }

  const hub::Schema& schema() const override { return run_.schema(); }

  std::optional<hub::Batch> next() override {
    if (done_) return std::nullopt;
    if (run_.has_error()) fail();
    size_t taken = 0;
    for (;;) {
      size_t consumed = 0;
      RowRun::Stop stop = run_.run(window_.bytes(), &consumed, window_.last(), batch_rows_,
                                   batch_bytes_ - std::min(taken, batch_bytes_ - 1));
      window_.consume(consumed);
      taken += consumed;
      if (stop == RowRun::Stop::Full) break;
      if (stop == RowRun::Stop::Error) {
        // The rows in front of the error are given first.
        if (run_.rows() == 0) fail();
        break;
      }
      if (window_.last()) {
        done_ = true;
        if (run_.rows() == 0) return std::nullopt;
        break;
      }
      window_.fill();
    }
    return run_.finish();
  }

  uint64_t bytes_read() const override {
    return window_.in_memory() ? window_.consumed() : window_.source().position();
  }
  std::optional<uint64_t> total_bytes() const override { return window_.source().size(); }

 private:
  [[noreturn]] void fail() {
    done_ = true;
    throw run_.error();
  }

  std::shared_ptr<const RowProgram> program_;
  Window window_;
  RowRun run_;
  int64_t batch_rows_;
  size_t batch_bytes_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            std::shared_ptr<const RowProgram> program,
                                            const ReadOptions& options) {
  return std::make_unique<RowsReader>(std::move(source), std::move(program), options);
}

std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const TableSchema& schema, const ReadOptions& options) {
  return read_rows(std::move(source),
                   std::make_shared<const RowProgram>(
                       compile_row(schema, options.values, options.columns, options.variants)),
                   options);
}

namespace {

/// Bytes gathered before they go to the sink.
constexpr size_t kWriteBytes = size_t{1} << 20;
/// Rows encoded between looks at how many bytes there are.
constexpr int64_t kStepRows = 256;

class RowsWriter final : public hub::BatchWriter {
 public:
  RowsWriter(std::unique_ptr<ByteSink> sink, const TableSchema& schema, const ValueOptions& options)
      : sink_(std::move(sink)), encoder_(schema, options) {}

  void write(hub::Batch batch) override {
    if (!batch.bad.empty()) throw batch.bad.front().error;
    int64_t rows = batch.rows();
    if (rows > 0) {
      const auto& row_controls = batch.controls;
      check_follows(last_, row_controls.empty() ? hub::RowControl() : row_controls.front(), rows_);
      last_ = row_controls.empty() ? hub::RowControl() : row_controls.back();
    }
    for (int64_t begin = 0; begin < rows; begin += kStepRows) {
      encoder_.encode(batch.array, begin, std::min(rows, begin + kStepRows), rows_, &buffer_,
                      batch.controls);
      if (buffer_.size() >= kWriteBytes) flush();
    }
    rows_ += rows;
  }

  void finish() override {
    flush();
    sink_->finish();
  }

  uint64_t bytes_written() const override { return written_; }

 private:
  void flush() {
    sink_->write(buffer_.view());
    written_ += buffer_.size();
    buffer_.clear();
  }

  std::unique_ptr<ByteSink> sink_;
  RowEncoder encoder_;
  yson::Buffer buffer_;
  uint64_t written_ = 0;
  hub::RowControl last_;  ///< control attributes of the last row
  int64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink,
                                             const TableSchema& schema,
                                             const ValueOptions& options) {
  return std::make_unique<RowsWriter>(std::move(sink), schema, options);
}

}  // namespace xwalk::yt
