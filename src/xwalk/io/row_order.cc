#include "xwalk/io/row_order.h"

#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

// What a row is held against, for messages.
constexpr std::string_view kRowBefore = "the row before";
constexpr std::string_view kLastThere = "the last row that is there";

/// Rows that any thread encodes.
class OrderedSplitWriter final : public SplitWriter {
 public:
  OrderedSplitWriter(std::unique_ptr<hub::BatchWriter> writer, RowOrder order)
      : writer_(std::move(writer)),
        split_writer_(dynamic_cast<SplitWriter*>(writer_.get())),
        order_(std::move(order)) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    if (split_writer_ == nullptr) return {};
    return split_writer_->encode(std::move(batch), out);
  }
  void write_encoded(std::string_view bytes) override {
    if (split_writer_ != nullptr) split_writer_->write_encoded(bytes);
  }
  bool drains() const override { return split_writer_ != nullptr && split_writer_->drains(); }
  bool takes_dictionary(size_t column) const override {
    return split_writer_ != nullptr && split_writer_->takes_dictionary(column) &&
           !order_.is_key(column);
  }
  BatchKeys keys(const hub::Batch& batch, std::string_view file) const override {
    return order_.keys_of(batch, file);
  }
  void follow(const BatchEnds& ends) override {
    order_.follow(ends.keys);
    // Of a batch without a good row nothing is written.
    if (split_writer_ != nullptr && !ends.keys.empty()) split_writer_->follow(ends);
  }
  void finish() override {
    if (writer_ != nullptr) writer_->finish();
  }
  uint64_t bytes_written() const override {
    return writer_ == nullptr ? 0 : writer_->bytes_written();
  }

 private:
  std::unique_ptr<hub::BatchWriter> writer_;
  SplitWriter* split_writer_;
  RowOrder order_;
};

/// Rows that one thread writes.
class OrderedWriter final : public hub::BatchWriter {
 public:
  OrderedWriter(std::unique_ptr<hub::BatchWriter> writer, RowOrder order)
      : writer_(std::move(writer)), order_(std::move(order)) {}

  void write(hub::Batch batch) override {
    order_.follow(order_.keys_of(batch, {}));
    writer_->write(std::move(batch));
  }
  void finish() override { writer_->finish(); }
  uint64_t bytes_written() const override { return writer_->bytes_written(); }

 private:
  std::unique_ptr<hub::BatchWriter> writer_;
  RowOrder order_;
};

}  // namespace

void RowOrder::begin_behind(const yt::KeyOrder& keys, const hub::Batch& there) {
  // The last row that can be read.
  int64_t last = there.rows() - 1;
  for (auto bad = there.bad.rbegin(); bad != there.bad.rend() && bad->index == last; ++bad) --last;
  if (last < 0) return;
  last_.emplace();
  keys.append(there.array, last, &*last_);
  behind_ = true;
}

BatchKeys RowOrder::keys_of(const hub::Batch& batch, std::string_view file) const {
  BatchKeys out;
  out.file = file;
  out.begin = batch.first_row;
  std::string key;
  auto bad = batch.bad.begin();
  for (int64_t index = 0; index < batch.rows(); ++index) {
    while (bad != batch.bad.end() && bad->index < index) ++bad;
    if (bad != batch.bad.end() && bad->index == index) continue;
    const int64_t row = batch.first_row + index;
    key.clear();
    try {
      keys_.append(batch.array, index, &key);
    } catch (Error& error) {
      error.place().row = static_cast<uint64_t>(row);
      error.place().file = file;
      out.misplaced.push_back({index, std::move(error), ""});
      continue;
    }
    if (out.empty()) {
      out.first = key;
      out.first_row = row;
      out.first_text = keys_.text(batch.array, index);
    } else if (const int before = out.last.compare(key); is_misplaced(before)) {
      const std::string text = keys_.text(batch.array, index);
      out.misplaced.push_back({index, error_of(row, file, before, kRowBefore, text), ""});
    }
    out.last.swap(key);
  }
  return out;
}

void RowOrder::follow(const BatchKeys& next) {
  if (by_file_ && (next.file != file_ || !file_begin_)) {
    last_.reset();
    file_ = next.file;
    file_begin_ = next.begin;
  }
  if (!next.empty() && last_) {
    const int before = last_->compare(next.first);
    if (is_misplaced(before)) {
      const std::string_view there = behind_ ? kLastThere : kRowBefore;
      tell({*next.first_row - *next.begin,
            error_of(*next.first_row, next.file, before, there, next.first_text), ""});
    }
  }
  for (const hub::BadRow& row : next.misplaced) tell(row);
  if (next.empty()) return;
  last_ = next.last;
  behind_ = false;
}

void RowOrder::tell(hub::BadRow row) const {
  // As other errors of one of several files.
  if (file_begin_) *row.error.place().row -= static_cast<uint64_t>(*file_begin_);
  misplaced_(row);
}

Error RowOrder::error_of(int64_t row, std::string_view file, int before, std::string_view there,
                         const std::string& text) const {
  Place place;
  place.file = file;
  place.row = static_cast<uint64_t>(row);
  return {ErrorCode::Input,
          before == 0
              ? fmt::format("expected each key {} once, found that of {} again: {}", keys_.names(),
                            there, text)
              : fmt::format("expected rows sorted by {}, found one that belongs ahead of {}: {}",
                            keys_.names(), there, text),
          std::move(place)};
}

std::unique_ptr<hub::BatchWriter> in_order(std::unique_ptr<hub::BatchWriter> writer,
                                           RowOrder order) {
  const bool splits = writer == nullptr || dynamic_cast<SplitWriter*>(writer.get()) != nullptr;
  if (splits) return std::make_unique<OrderedSplitWriter>(std::move(writer), std::move(order));
  return std::make_unique<OrderedWriter>(std::move(writer), std::move(order));
}

}  // namespace xwalk::io
