#include <algorithm>
#include <array>
#include <string_view>

#include "xwalk/yson/scan.h"
#include "xwalk/yson/varint_size.h"
#include "xwalk/yt/row_outline_internal.h"

namespace xwalk::yt {
namespace {

using yson::Status;

constexpr size_t kOutlineRows = 64;
/// Values of all columns in a block of rows.
constexpr size_t kMostSpans = 2048;

/// How long a binary token is, by its first byte: the number of bytes in the low eight bits, plus a
/// varint and the short length of a string if the masks above them are set. 0 means an unsupported
/// token.
constexpr uint32_t kVarint = 0xFF00;
constexpr uint32_t kText = 0xFF0000;
constexpr std::array<uint32_t, 256> kTokenSizes = [] {
  std::array<uint32_t, 256> sizes{};
  sizes[yson::marker::kString] = kText | 2;
  sizes[yson::marker::kInt64] = kVarint | 1;
  sizes[yson::marker::kUint64] = kVarint | 1;
  sizes[yson::marker::kDouble] = 9;
  sizes[yson::marker::kFalse] = 1;
  sizes[yson::marker::kTrue] = 1;
  sizes[static_cast<size_t>('#')] = 1;
  return sizes;
}();

/// Moves past a binary token, with kFieldWindow readable bytes from the key on; null for any other.
/// No branch depends on the kind of token.
[[gnu::always_inline]] inline const char* skip_token(const char* p, const char* end) {
  const uint32_t size = kTokenSizes[static_cast<unsigned char>(*p)];
  const uint32_t length = static_cast<unsigned char>(p[1]);
  if ((length & (size >> 16) & 0x80) != 0) [[unlikely]] {
    std::string_view bytes;
    ++p;
    return yson::read_binary_string(p, end, bytes) == Status::Ok ? p : nullptr;
  }
  const uint32_t whole = (size & 0xFF) + (yson::varint_size(p + 1) & (size >> 8 & 0xFF)) +
                         ((length >> 1) & (size >> 16));
  return whole != 0 ? p + whole : nullptr;
}

}  // namespace

RowOutline::RowOutline(const Step& row) : row_(&row) {
  const size_t columns = row.children.size();
  suits_ = columns > 0 && columns <= kMostSpans / 4 &&
           std::all_of(row.children.begin(), row.children.end(), [](const Step& step) {
             return step.op != Op::Nested && step.op != Op::Yson;
           });
  if (!suits_) return;
  most_rows_ = std::min(kOutlineRows, kMostSpans / columns);
  spans_.resize(columns * most_rows_);
  given_.resize(columns);
  next_.resize(columns + 1);
  for (size_t i = 0; i < columns; ++i) next_[i] = static_cast<uint32_t>(i + 1);
  next_[columns] = 0;
  begins_.resize(most_rows_);
}

bool RowOutline::fill_missing(size_t row) {
  for (size_t i = 0; i < given_.size(); ++i) {
    if (given_[i] == row + 1) continue;
    if (!row_->children[i].nullable) return false;
    spans_[row * given_.size() + i] = {};
  }
  return true;
}

std::vector<uint32_t> RowOutline::order(size_t rows) const {
  const size_t columns = given_.size();
  const Span* const row = &spans_[(rows - 1) * columns];
  std::vector<uint32_t> order;
  for (size_t i = 0; i < columns; ++i) {
    if (row[i].begin != nullptr) order.push_back(static_cast<uint32_t>(i));
  }
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return row[a].begin < row[b].begin; });
  for (uint32_t i = 0; i < columns; ++i) {
    if (row[i].begin != nullptr) continue;
    order.insert(i == 0 ? order.begin() : std::ranges::find(order, i - 1) + 1, i);
  }
  return order;
}

template <bool kInText>
[[gnu::always_inline]] inline RowOutline::Result RowOutline::find_row(size_t row, const char*& p,
                                                                      const char* end,
                                                                      ValueMarks* marks) {
  const KeyTable& keys = row_->keys;
  const KeyForm* const forms = kInText ? keys.text() : keys.binary();
  const size_t columns = given_.size();
  const char* at = p + 1;
  size_t previous = columns;
  size_t fields = 0;
  const uint16_t* mark = kInText ? marks->next() : nullptr;
  const uint16_t* const last_mark = kInText ? marks->end() : nullptr;
  const char* const base = kInText ? marks->base() : nullptr;
  uint32_t* const next = next_.data();
  uint8_t* const given = given_.data();
  Span* const spans = spans_.data() + row * columns;
  const auto stamp = static_cast<uint8_t>(row + 1);
  size_t surprises = 0;
  for (;; ++fields) {
    if (end - at < kFieldWindow) [[unlikely]]
      return Result::Cut;
    if (*at == '}') {
      // After a `;`, or in an empty row.
      if (kInText) {
        if (mark >= last_mark) return Result::Cut;
        if (at != base + *mark++) return Result::Unusual;
      }
      break;
    }
    const uint32_t index = keys.find_form(at);
    if (index == KeyTable::kMissing) [[unlikely]]
      return Result::Unusual;
    surprises += next[previous] != index ? 1 : 0;
    next[previous] = index;
    if (given[index] == stamp) [[unlikely]]
      return Result::Unusual;
    given[index] = stamp;
    const char* value;
    const char* stop;
    if constexpr (kInText) {
      value = at + forms[index].bytes.size();
      if (mark >= last_mark) [[unlikely]]
        return Result::Cut;
      stop = base + *mark++;
      if (stop <= value) [[unlikely]]
        return Result::Unusual;
    } else {
      // By the length in the key itself nothing waits for which key it is.
      value = at + 3 + static_cast<unsigned char>(at[1]) / 2;
      stop = skip_token(value, end);
      if (stop == nullptr || end - stop < 1) [[unlikely]]
        return Result::Unusual;
    }
    spans[index] = {value, stop};
    previous = index;
    at = stop + 1;
    if (*stop != ';') {
      if (*stop != '}') return Result::Unusual;
      --at;
      ++fields;
      break;
    }
  }
  if (fields != columns && !fill_missing(row)) [[unlikely]]
    return Result::Unusual;
  p = at + 1;
  surprises_ += surprises;
  if (kInText) marks->set_next(mark);
  return Result::Found;
}

template <bool kInText>
size_t RowOutline::find(int64_t most, const char* enough, const char*& p, const char* end,
                        ValueMarks* marks) {
  const size_t rows = std::min(most_rows_, static_cast<size_t>(most));
  std::fill(given_.begin(), given_.end(), uint8_t{0});
  surprises_ = 0;
  size_t row = 0;
  const char* at = p;
  while (row < rows) {
    if constexpr (kInText) marks->skip_to(at);
    const char* const begin = at;
    const Result result = find_row<kInText>(row, at, end, marks);
    if (result != Result::Found) {
      if (kInText && result == Result::Cut) marks->forget();
      break;
    }
    begins_[row++] = begin;
    p = at;
    if (at >= end || *at != ';') break;
    ++at;
    yson::skip_space(at, end);
    if (end - at < kFieldWindow || *at != '{' || at >= enough) break;
  }
  if (row > 0) ordered_ = surprises_ <= row;
  return row;
}

size_t RowOutline::find_binary(int64_t most, const char* enough, const char*& p, const char* end) {
  return find<false>(most, enough, p, end, nullptr);
}

size_t RowOutline::find_text(int64_t most, const char* enough, const char*& p, const char* end,
                             ValueMarks& marks) {
  return find<true>(most, enough, p, end, &marks);
}

}  // namespace xwalk::yt
