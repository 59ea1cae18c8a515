#include "xwalk/io/rows/row_order.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"

namespace xwalk::io {
namespace {

// What a row is compared with, for messages.
constexpr std::string_view kRowBefore = "the row before";
constexpr std::string_view kLastKept = "the last row that was accepted";
constexpr std::string_view kLastThere = "the last existing row";

/// Calls `take` with the index of each row that is not bad, until it returns false.
template <typename Take>
void for_good_rows(const hub::Batch& batch, const Take& take) {
  auto bad = batch.bad.begin();
  for (int64_t index = 0; index < batch.rows(); ++index) {
    while (bad != batch.bad.end() && bad->index < index) ++bad;
    if (bad != batch.bad.end() && bad->index == index) continue;
    if (!take(index)) return;
  }
}

}  // namespace

void add_bad_rows(std::vector<hub::BadRow> rows, std::vector<hub::BadRow>* others) {
  std::ranges::move(rows, std::back_inserter(*others));
  std::ranges::stable_sort(*others, {}, &hub::BadRow::index);
}

std::unique_ptr<hub::BatchWriter> in_promised_order(const hub::Schema& rows, yt::UuidOrder uuids,
                                                    std::string hint,
                                                    std::unique_ptr<hub::BatchWriter> writer) {
  yt::KeyOrder keys(rows, rows, uuids);
  if (keys.empty()) return writer;
  RowOrder order(std::move(keys));
  order.set_hint(std::move(hint));
  return std::make_unique<OrderedWriter>(std::move(writer), std::move(order));
}

void RowOrder::begin_after(const yt::KeyOrder& keys, const hub::Batch& there) {
  // The last row that can be read.
  int64_t last = there.rows() - 1;
  for (auto bad = there.bad.rbegin(); bad != there.bad.rend() && bad->index == last; ++bad) --last;
  if (last < 0) return;
  last_.emplace();
  keys.append(there.array, last, &*last_);
  last_text_ = keys.text(there.array, last);
  at_end_ = true;
}

BatchKeys RowOrder::keys_of(const hub::Batch& batch, const Piece& of) const {
  BatchKeys out;
  out.file = of.file();
  std::string key;
  int64_t last_row = -1;
  bool is_after_misplaced = false;
  for_good_rows(batch, [&](int64_t index) {
    key.clear();
    try {
      keys_.append(batch.array, index, &key);
    } catch (Error& error) {
      error.place().row = static_cast<uint64_t>(of.row_number(batch.first_row + index));
      error.place().file = of.file();
      out.misplaced.push_back({index, std::move(error), ""});
      return true;
    }
    if (!out.first_row) {
      out.first = key;
      out.first_row = index;
    } else if (const int before = out.last.compare(key); is_misplaced(before)) {
      out.misplaced.push_back(misplaced(batch, index, of, before, keys_.text(batch.array, last_row),
                                        is_after_misplaced ? kLastKept : kRowBefore));
      is_after_misplaced = leaves_out();
      if (leaves_out()) return true;
    }
    is_after_misplaced = false;
    out.last.swap(key);
    last_row = index;
    return true;
  });
  if (last_row >= 0) out.last_text = keys_.text(batch.array, last_row);
  return out;
}

std::vector<hub::BadRow> RowOrder::follow(const BatchKeys& keys, const hub::Batch& batch,
                                          const Piece& of) {
  std::vector<hub::BadRow> out;
  if (by_file_ && file_ != keys.file) {
    last_.reset();
    file_ = keys.file;
  }
  if (keys.empty()) return out;
  if (last_ && is_misplaced(last_->compare(keys.first))) {
    std::string_view there = at_end_ ? kLastThere : kRowBefore;
    std::string key;
    for_good_rows(batch, [&](int64_t index) {
      // A row before has no key.
      if (index < *keys.first_row) return true;
      key.clear();
      keys_.append(batch.array, index, &key);
      const int before = last_->compare(key);
      if (!is_misplaced(before)) return false;
      out.push_back(misplaced(batch, index, of, before, last_text_, there));
      if (!at_end_) there = kLastKept;
      return leaves_out();
    });
  }
  if (leaves_out() && last_ && is_misplaced(last_->compare(keys.last))) return out;
  last_ = keys.last;
  last_text_ = keys.last_text;
  at_end_ = false;
  return out;
}

hub::BadRow RowOrder::misplaced(const hub::Batch& batch, int64_t index, const Piece& of, int before,
                                const std::string& last_text, std::string_view last) const {
  const std::string text = keys_.text(batch.array, index);
  Place place;
  place.file = of.file();
  place.row = static_cast<uint64_t>(of.row_number(batch.first_row + index));
  std::string message = before == 0
                            ? fmt::format("expected each key {} once, found that of {} again: {}",
                                          keys_.names(), last, text)
                            : fmt::format("expected rows sorted by {}, found {} after {} of {}",
                                          keys_.names(), text, last_text, last);
  return {index, Error(ErrorCode::Input, std::move(message), std::move(place), hint_), ""};
}

hub::Batch OrderedWriter::leave_out(hub::Batch batch, const hub::Schema& schema,
                                    std::vector<hub::BadRow>* dropped) {
  const std::unique_ptr<Piece> piece = decoded({});
  BatchKeys keys = order_.keys_of(batch, *piece);
  add_bad_rows(std::move(keys.misplaced), &batch.bad);
  add_bad_rows(order_.follow(keys, batch, *piece), &batch.bad);
  return hub::drop_bad_rows(std::move(batch), schema, dropped);
}

void OrderedWriter::write(hub::Batch batch) {
  const std::unique_ptr<Piece> piece = decoded({});
  BatchKeys keys = order_.keys_of(batch, *piece);
  const std::vector<hub::BadRow> first = order_.follow(keys, batch, *piece);
  if (!first.empty()) throw Error(first.front().error);
  if (!keys.misplaced.empty()) throw Error(keys.misplaced.front().error);
  if (writer_ != nullptr) writer_->write(std::move(batch));
}

void OrderedWriter::finish() {
  if (writer_ != nullptr) writer_->finish();
}

uint64_t OrderedWriter::bytes_written() const {
  return writer_ == nullptr ? 0 : writer_->bytes_written();
}

}  // namespace xwalk::io
