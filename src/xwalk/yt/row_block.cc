#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "xwalk/yson/scan.h"
#include "xwalk/yson/varint_size.h"
#include "xwalk/yt/decode_token_internal.h"
#include "xwalk/yt/decode_value_internal.h"
#include "xwalk/yt/known_value_internal.h"
#include "xwalk/yt/row_block_internal.h"

namespace xwalk::yt {
namespace {

using hub::ColumnBuilder;
using Span = RowBlock::Span;
using yson::Status;

/// Values of all columns in a block of rows.
constexpr size_t kMostSpans = 2048;
constexpr int64_t kMostPenalty = 1024;
/// Rows of text after which is looked again whether their keys come in order.
constexpr int64_t kOrderedRows = 4096;

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
/// `kOrdered` predicts the next token. Otherwise no branch depends on the kind of token.
template <bool kOrdered>
[[gnu::always_inline]] inline const char* skip_token(const char* p, const char* end) {
  const uint32_t size = kTokenSizes[static_cast<unsigned char>(*p)];
  const uint32_t length = static_cast<unsigned char>(p[1]);
  if ((length & (size >> 16) & 0x80) != 0) [[unlikely]] {
    std::string_view bytes;
    ++p;
    return yson::read_binary_string(p, end, bytes) == Status::Ok ? p : nullptr;
  }
  if constexpr (kOrdered) {
    if (*p == yson::marker::kInt64 || *p == yson::marker::kUint64) {
      return p + 1 + yson::varint_size(p + 1);
    }
    if (*p == yson::marker::kString) return p + 2 + length / 2;
    if (*p == yson::marker::kDouble) return p + 9;
    return size == 1 ? p + 1 : nullptr;
  } else {
    const uint32_t whole = (size & 0xFF) + (yson::varint_size(p + 1) & (size >> 8 & 0xFF)) +
                           ((length >> 1) & (size >> 16));
    return whole != 0 ? p + whole : nullptr;
  }
}

/// Reads the values of a column of numbers. `known` reads one whose end is known. `read` reads any,
/// and moves past it.
template <typename T, typename Known, typename Read>
[[gnu::always_inline]] inline bool decode_numbers(const Step& step, ColumnBuilder& builder,
                                                  const Span* spans, size_t stride, size_t rows,
                                                  const Known& known, const Read& read) {
  uint8_t* out = builder.extend_fixed(static_cast<int64_t>(rows));
  std::array<uint8_t, RowBlock::kMostRows> present{};
  const bool nullable = step.nullable;
  for (size_t i = 0; i < rows; ++i) {
    const Span span = spans[i * stride];
    T value = 0;
    const bool null = nullable && *span.begin == '#';
    present[i] = null ? 0 : 1;
    if (null) {
      if (span.end != span.begin + 1) return false;
    } else if (!known(span, value)) [[unlikely]] {
      const char* at = span.begin;
      if (!read(at, value) || at != span.end) return false;
    }
    std::memcpy(out + i * sizeof(T), &value, sizeof(T));
  }
  if (nullable) builder.mark_nulls(present.data(), static_cast<int64_t>(rows));
  return true;
}

template <typename T, bool kInText>
bool decode_signed(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                   size_t rows, DecodeContext& context) {
  const uint64_t min = step.min;
  const uint64_t span_of_range = step.span;
  const auto known = [=](const Span& span, T& out) {
    int64_t value = 0;
    if constexpr (kInText) {
      if (!read_known_int64<PlainReaders>(span.begin, span.end, value)) return false;
    } else {
      uint64_t raw = 0;
      if (!read_known_varint(span.begin, span.end, yson::marker::kInt64, raw)) return false;
      value = yson::zigzag_decode(raw);
    }
    out = static_cast<T>(value);
    return static_cast<uint64_t>(value) - min <= span_of_range;
  };
  return decode_numbers<T>(step, builder, spans, stride, rows, known, [&](const char*& p, T& out) {
    int64_t value = 0;
    if (!read_signed(p, context, value) || !step.in_range(value)) return false;
    out = static_cast<T>(value);
    return true;
  });
}

template <typename T, bool kInText>
bool decode_unsigned(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                     size_t rows, DecodeContext& context) {
  const uint64_t most = step.span;
  const auto known = [=](const Span& span, T& out) {
    uint64_t value = 0;
    if constexpr (kInText) {
      if (!read_known_uint64<PlainReaders>(span.begin, span.end, value)) return false;
    } else {
      if (!read_known_varint(span.begin, span.end, yson::marker::kUint64, value)) return false;
    }
    out = static_cast<T>(value);
    return value <= most;
  };
  return decode_numbers<T>(step, builder, spans, stride, rows, known, [&](const char*& p, T& out) {
    uint64_t value = 0;
    if (!read_unsigned(p, context, value) || !step.in_range(value)) return false;
    out = static_cast<T>(value);
    return true;
  });
}

template <bool kInText>
bool decode_doubles(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                    size_t rows, DecodeContext& context) {
  const auto known = [](const Span& span, double& out) {
    if constexpr (kInText) return PlainReaders::real(span.begin, span.end, out);
    if (*span.begin != yson::marker::kDouble) return false;
    out = std::bit_cast<double>(load_little_endian<uint64_t>(span.begin + 1));
    return true;
  };
  return decode_numbers<double>(
      step, builder, spans, stride, rows, known,
      [&](const char*& p, double& out) { return read_real(p, context, out); });
}

bool decode_bools(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                  size_t rows, DecodeContext& context) {
  std::array<uint8_t, RowBlock::kMostRows> values{};
  std::array<uint8_t, RowBlock::kMostRows> present{};
  bool right = true;
  for (size_t i = 0; i < rows; ++i) {
    const char* at = spans[i * stride].begin;
    bool value = false;
    const bool null = step.nullable && *at == '#';
    present[i] = null ? 0 : 1;
    if (null) {
      ++at;
    } else if (!read_bool(at, context, value)) [[unlikely]] {
      return false;
    }
    right &= at == spans[i * stride].end;
    values[i] = value ? 1 : 0;
  }
  builder.append_bits(values.data(), static_cast<int64_t>(rows));
  if (step.nullable) builder.mark_nulls(present.data(), static_cast<int64_t>(rows));
  return right;
}

template <bool kInText>
bool decode_strings(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                    size_t rows, DecodeContext& context) {
  size_t most = 0;
  for (size_t i = 0; i < rows; ++i) {
    most += static_cast<size_t>(spans[i * stride].end - spans[i * stride].begin);
  }
  const size_t before = builder.bytes().size();
  int32_t* ends = nullptr;
  char* const begin = builder.open_bytes(static_cast<int64_t>(rows), most, &ends);
  char* out = begin;
  const char* const end = context.end;
  const bool nullable = step.nullable;
  std::array<uint8_t, RowBlock::kMostRows> present{};
  for (size_t i = 0; i < rows; ++i) {
    const Span span = spans[i * stride];
    const bool null = nullable && *span.begin == '#';
    present[i] = null ? 0 : 1;
    if (null) {
      if (span.end != span.begin + 1) return false;
    } else if (ptrdiff_t size = kInText ? PlainReaders::copy(out, span.begin, span.end) : -1;
               size >= 0) {
      out += size;
    } else if (kInText && *span.begin == '"') {
      if (yson::unescape_quoted(span.begin + 1, span.end, out) != span.end) return false;
    } else {
      const char* at = span.begin;
      RawString value;
      // Room was made for what the first pass said, and no more.
      if (!read_string(at, context, value) || at != span.end) [[unlikely]]
        return false;
      out += copy_string(out, value, end);
    }
    ends[i] = static_cast<int32_t>(before + static_cast<size_t>(out - begin));
  }
  builder.close_bytes(static_cast<int64_t>(rows), static_cast<size_t>(out - begin));
  if (nullable) builder.mark_nulls(present.data(), static_cast<int64_t>(rows));
  return true;
}

bool decode_others(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                   size_t rows, DecodeContext& context) {
  for (size_t i = 0; i < rows; ++i) {
    const char* at = spans[i * stride].begin;
    if (step.op == Op::Skip) {
      if (yson::skip_value(at, context.end, kFreeDepth) != Status::Ok) return false;
    } else if (!decode_value(step, builder, at, context)) {
      return false;
    }
    if (at != spans[i * stride].end) return false;
  }
  return true;
}

template <bool kInText>
bool decode_column(const Step& step, ColumnBuilder& builder, const Span* spans, size_t stride,
                   size_t rows, DecodeContext& context) {
  switch (step.op) {
    case Op::Signed8:
      return decode_signed<int8_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Signed16:
      return decode_signed<int16_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Signed32:
      return decode_signed<int32_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Signed64:
      return decode_signed<int64_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Unsigned8:
      return decode_unsigned<uint8_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Unsigned16:
      return decode_unsigned<uint16_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Unsigned32:
      return decode_unsigned<uint32_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Unsigned64:
      return decode_unsigned<uint64_t, kInText>(step, builder, spans, stride, rows, context);
    case Op::Double:
      return decode_doubles<kInText>(step, builder, spans, stride, rows, context);
    case Op::Bool:
      return decode_bools(step, builder, spans, stride, rows, context);
    case Op::String:
    case Op::Utf8:
      return decode_strings<kInText>(step, builder, spans, stride, rows, context);
    case Op::Float:
    case Op::Null:
    case Op::Json:
    case Op::Yson:
    case Op::Coded:
    case Op::List:
    case Op::Struct:
    case Op::PositionalStruct:
    case Op::Tuple:
    case Op::Variant:
    case Op::NamedVariant:
    case Op::WideVariant:
    case Op::NamedWideVariant:
    case Op::Dict:
    case Op::NamedDict:
    case Op::Boxed:
    case Op::Skip:
      break;
  }
  return decode_others(step, builder, spans, stride, rows, context);
}

constexpr const char* kNull = "#";

}  // namespace

RowBlock::RowBlock(const RowProgram& program) : row_(&program.row) {
  const size_t columns = program.row.children.size();
  suits_ = columns > 0 && columns <= kMostSpans / 4 &&
           std::all_of(program.row.children.begin(), program.row.children.end(),
                       [](const Step& step) { return is_token(step.op) && step.op != Op::Yson; });
  if (!suits_) return;
  block_rows_ = std::min(kMostRows, kMostSpans / columns);
  spans_.resize(columns * block_rows_);
  given_.resize(columns);
  next_.resize(columns + 1);
  for (size_t i = 0; i < columns; ++i) next_[i] = static_cast<uint32_t>(i + 1);
  next_[columns] = 0;
  begins_.resize(block_rows_);
}

bool RowBlock::fill_missing(size_t row) {
  for (size_t i = 0; i < given_.size(); ++i) {
    if (given_[i] == row + 1) continue;
    if (!row_->children[i].nullable) return false;
    spans_[row * given_.size() + i] = {kNull, kNull + 1};
  }
  return true;
}

std::vector<uint32_t> RowBlock::order(int64_t rows) const {
  const size_t columns = given_.size();
  const Span* const row = &spans_[static_cast<size_t>(rows - 1) * columns];
  std::vector<uint32_t> order;
  for (size_t i = 0; i < columns; ++i) {
    if (row[i].begin != kNull) order.push_back(static_cast<uint32_t>(i));
  }
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return row[a].begin < row[b].begin; });
  for (uint32_t i = 0; i < columns; ++i) {
    if (row[i].begin != kNull) continue;
    order.insert(i == 0 ? order.begin() : std::ranges::find(order, i - 1) + 1, i);
  }
  return order;
}

template <bool kInText, bool kOrdered>
[[gnu::always_inline]] inline RowBlock::Outline RowBlock::outline_row(size_t row, const char*& p,
                                                                      const char* end) {
  const KeyTable& keys = row_->keys;
  const KeyForm* const forms = kInText ? keys.text() : keys.binary();
  const size_t columns = given_.size();
  const char* at = p + 1;
  size_t previous = columns;
  size_t fields = 0;
  const uint16_t* mark = marks_.next();
  const uint16_t* const last_mark = marks_.end();
  const char* const base = marks_.base();
  uint32_t* const next = next_.data();
  uint8_t* const given = given_.data();
  Span* const spans = spans_.data() + row * columns;
  const auto stamp = static_cast<uint8_t>(row + 1);
  size_t surprises = 0;
  for (;; ++fields) {
    if (end - at < kFieldWindow) [[unlikely]]
      return Outline::Cut;
    if (*at == '}') {
      // After a `;`, or in an empty row.
      if (kInText) {
        if (mark >= last_mark) return Outline::Cut;
        if (at != base + *mark++) return Outline::Unusual;
      }
      break;
    }
    size_t index = next[previous];
    if (!kOrdered || !forms[index].matches(at)) {
      const uint32_t found = keys.find_form(at);
      if (found == KeyTable::kMissing) [[unlikely]]
        return Outline::Unusual;
      surprises += index != found ? 1 : 0;
      index = found;
      next[previous] = found;
    }
    if (given[index] == stamp) [[unlikely]]
      return Outline::Unusual;
    given[index] = stamp;
    const char* value = at + forms[index].bytes.size();
    // By the length in the key itself nothing waits for which key it is.
    if (!kOrdered && !kInText) value = at + 3 + static_cast<unsigned char>(at[1]) / 2;
    const char* stop;
    if constexpr (kInText) {
      if (mark >= last_mark) [[unlikely]]
        return Outline::Cut;
      stop = base + *mark++;
      if (stop <= value) [[unlikely]]
        return Outline::Unusual;
    } else {
      stop = skip_token<kOrdered>(value, end);
      if (stop == nullptr || end - stop < 1) [[unlikely]]
        return Outline::Unusual;
    }
    spans[index] = {value, stop};
    previous = index;
    at = stop + 1;
    if (*stop != ';') {
      if (*stop != '}') return Outline::Unusual;
      --at;
      ++fields;
      break;
    }
  }
  if (fields != columns && !fill_missing(row)) [[unlikely]]
    return Outline::Unusual;
  p = at + 1;
  surprises_ += surprises;
  if (kInText) marks_.set_next(mark);
  return Outline::Found;
}

template <bool kInText, bool kOrdered>
int64_t RowBlock::outline(int64_t most, const char* enough, const char*& p, const char* end) {
  const size_t rows = std::min(block_rows_, static_cast<size_t>(most));
  std::fill(given_.begin(), given_.end(), uint8_t{0});
  surprises_ = 0;
  size_t row = 0;
  const char* done = p;
  const char* at = p;
  while (row < rows) {
    if constexpr (kInText) marks_.skip_to(at);
    const char* const begin = at;
    Outline outline = outline_row<kInText, kOrdered>(row, at, end);
    if (outline != Outline::Found) {
      // Of a row that is not taken nothing stays.
      for (uint8_t& given : given_) given = given == row + 1 ? 0 : given;
      if (kInText && outline == Outline::Cut) forget();
      break;
    }
    begins_[row++] = begin;
    done = at;
    if (at >= end || *at != ';') break;
    ++at;
    yson::skip_space(at, end);
    if (end - at < kFieldWindow || *at != '{' || at >= enough) break;
  }
  p = done;
  if (row > 0) ordered_ = surprises_ <= row;
  return static_cast<int64_t>(row);
}

int64_t RowBlock::decode(ColumnBuilder* const* columns, int64_t row, int64_t most,
                         const char* enough, const char*& p, DecodeContext& context,
                         std::vector<const char*>* begins) {
  if (!suits_) return 0;
  if (wait_ > 0) {
    --wait_;
    return 0;
  }
  const char* const end = context.end;
  if (end - p < 2 * kFieldWindow) return 0;
  const char* at = p;
  const bool text = p[1] == '"';
  if (text && !marks_.covers(p)) marks_.mark(p, end);
  const bool fresh = p == marks_.base();
  auto find = [&] {
    if (text)
      return ordered_ ? outline<true, true>(most, enough, at, end)
                      : outline<true, false>(most, enough, at, end);
    return ordered_ ? outline<false, true>(most, enough, at, end)
                    : outline<false, false>(most, enough, at, end);
  };
  int64_t rows = find();
  if (rows == 0 && text && !fresh && marks_.forgotten()) {
    // The row continued past the marked bytes.
    marks_.mark(p, end);
    rows = find();
  }
  bool decoded = rows > 0;
  const size_t count = static_cast<size_t>(rows);
  for (size_t i = 0; decoded && i < given_.size(); ++i) {
    decoded = text ? decode_column<true>(row_->children[i], *columns[i], &spans_[i], given_.size(),
                                         count, context)
                   : decode_column<false>(row_->children[i], *columns[i], &spans_[i], given_.size(),
                                          count, context);
  }
  if (!decoded) {
    for (size_t i = 0; rows > 0 && i < given_.size(); ++i) {
      if (row_->children[i].op != Op::Skip) columns[i]->truncate(row);
    }
    context.path.clear();
    context.hint.clear();
    context.incomplete = false;
    penalty_ = std::min(penalty_ * 2 + 1, kMostPenalty);
    wait_ = penalty_;
    return 0;
  }
  penalty_ /= 2;
  // Text whose keys come in order has no branches to save, and marking it costs more than it wins.
  if (text && ordered_) wait_ = kOrderedRows;
  if (begins != nullptr) begins->insert(begins->end(), begins_.begin(), begins_.begin() + rows);
  p = at;
  return rows;
}

}  // namespace xwalk::yt
