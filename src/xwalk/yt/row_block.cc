#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "xwalk/yson/scan.h"
#include "xwalk/yt/decode_token_internal.h"
#include "xwalk/yt/decode_value_internal.h"
#include "xwalk/yt/known_value_internal.h"
#include "xwalk/yt/row_block_internal.h"

namespace xwalk::yt {
namespace {

using hub::ColumnBuilder;
using yson::Status;

/// Rows, and bytes of binary rows, that are decoded in order at once.
constexpr size_t kMostRows = 512;
constexpr size_t kBlockBytes = 16384;
/// The least that a field takes.
constexpr size_t kLeastField = 4;

/// Binary tokens say themselves where they end.
struct BinaryReaders {
  [[gnu::always_inline]] static bool matches(const KeyForm& key, const char* p) {
    return key.matches(p);
  }
};

template <typename Readers>
constexpr bool kIsText = !std::is_same_v<Readers, BinaryReaders>;

template <typename T>
[[gnu::always_inline]] inline void put(uint8_t* values, size_t row, T value) {
  std::memcpy(values + row * sizeof(T), &value, sizeof(T));
}

/// Reads the varint after the marker at `p`, and moves past it; false for one that is too long.
[[gnu::always_inline]] inline bool take_varint(const char*& p, uint64_t& out) {
  const uint64_t word = load_little_endian<uint64_t>(p + 1);
  const uint64_t stops = ~word & 0x8080808080808080;
  if (stops != 0) [[likely]] {
    out = yson::detail::squeeze(word & (stops ^ (stops - 1)));
    p += 2 + std::countr_zero(stops) / 8;
    return true;
  }
  const auto ninth = static_cast<uint64_t>(static_cast<unsigned char>(p[9]));
  const auto tenth = static_cast<uint64_t>(static_cast<unsigned char>(p[10]));
  const uint64_t more = ninth >> 7;
  out = yson::detail::squeeze(word) | (ninth & 0x7F) << 56 | (tenth & more) << 63;
  p += 10 + more;
  return (tenth & more << 7) == 0;
}

/// Takes an integer. Returns false for any other value, and for one out of range.
template <typename Readers, typename Field>
[[gnu::always_inline]] inline bool take_signed(const Field& field, size_t row, const char*& p,
                                               const char* end) {
  int64_t value = 0;
  if constexpr (kIsText<Readers>) {
    if (!read_known_int64<Readers>(p, end, value)) return false;
  } else {
    uint64_t raw = 0;
    if (*p != yson::marker::kInt64 || !take_varint(p, raw)) return false;
    value = yson::zigzag_decode(raw);
  }
  if (static_cast<uint64_t>(value) - field.min > field.span) return false;
  ColumnBuilder::put_integer(field.values, row, field.width, static_cast<uint64_t>(value));
  return true;
}

template <typename Readers, typename Field>
[[gnu::always_inline]] inline bool take_unsigned(const Field& field, size_t row, const char*& p,
                                                 const char* end) {
  uint64_t value = 0;
  if constexpr (kIsText<Readers>) {
    if (!read_known_uint64<Readers>(p, end, value)) return false;
  } else {
    if (*p != yson::marker::kUint64 || !take_varint(p, value)) return false;
  }
  if (value > field.span) return false;
  ColumnBuilder::put_integer(field.values, row, field.width, value);
  return true;
}

template <typename Readers, typename Field>
[[gnu::always_inline]] inline bool take_double(const Field& field, size_t row, const char*& p,
                                               const char* end) {
  if constexpr (kIsText<Readers>) {
    double value = 0;
    if (!Readers::real(p, end, value)) return false;
    put(field.values, row, value);
  } else {
    if (*p != yson::marker::kDouble) return false;
    put(field.values, row, load_little_endian<uint64_t>(p + 1));
    p += 9;
  }
  return true;
}

template <typename Readers, typename Field>
[[gnu::always_inline]] inline bool take_bool(const Field& field, size_t row, const char*& p,
                                             const char* end, DecodeContext& context) {
  bool value = false;
  if constexpr (kIsText<Readers>) {
    if (*p != '%' || !read_bool(p, context, value) || p != end) return false;
  } else {
    value = *p == yson::marker::kTrue;
    if (!value && *p != yson::marker::kFalse) return false;
    ++p;
  }
  field.values[row] = value ? 1 : 0;
  return true;
}

template <typename Readers, typename Field>
[[gnu::always_inline]] inline bool take_string(Field& field, size_t row, const char* stop,
                                               const char*& p, const char* end) {
  if constexpr (kIsText<Readers>) {
    const ptrdiff_t size = Readers::copy(field.bytes, p, end);
    if (size >= 0) [[likely]] {
      field.bytes += size;
    } else {
      if (*p != '"' || yson::unescape_quoted(p + 1, end, field.bytes) != end) return false;
    }
  } else {
    if (*p != yson::marker::kString) return false;
    const auto first = static_cast<unsigned char>(p[1]);
    const char* from = p + 2;
    size_t size = first / 2;
    if ((first & 0x81) != 0) [[unlikely]] {
      from = ++p;
      uint32_t length = 0;
      if (yson::read_binary_length(from, stop, length) != Status::Ok) return false;
      size = length;
    }
    if (size <= 32) [[likely]] {
      std::memcpy(field.bytes, from, 32);
    } else {
      if (stop - from < static_cast<ptrdiff_t>(size)) return false;
      std::memcpy(field.bytes, from, size);
    }
    field.bytes += size;
    p = from + size;
  }
  field.ends[row] = static_cast<int32_t>(field.bytes - field.base);
  return true;
}

}  // namespace

RowBlock::RowBlock(const RowProgram& program) : row_(&program.row), outline_(program.row) {
  if (!suits()) return;
  order_.resize(row_->children.size());
  std::iota(order_.begin(), order_.end(), 0u);
}

void RowBlock::learn(const std::vector<uint32_t>& order) {
  if (order == order_) return;
  order_ = order;
  stale_ = true;
}

void RowBlock::make_fields() {
  const size_t columns = order_.size();
  fields_.clear();
  fields_.resize(columns);
  ptrdiff_t rest = kFieldWindow;
  for (size_t i = columns; i-- > 0;) {
    Field& field = fields_[i];
    field.column = order_[i];
    const Step& step = row_->children[field.column];
    field.keys[0] = row_->keys.binary()[field.column];
    field.keys[1] = row_->keys.text()[field.column];
    field.op = step.op;
    field.nullable = step.nullable;
    field.min = step.min;
    field.span = step.span;
    if (is_integer(step.op) || step.op == Op::Double) field.store = Store::Numbers;
    if (step.op == Op::Bool) field.store = Store::Bools;
    if (step.op == Op::String || step.op == Op::Utf8) field.store = Store::Bytes;
    constexpr ptrdiff_t kMostToken = 12;
    rest += static_cast<ptrdiff_t>(field.keys[0].bytes.size()) + kMostToken;
    field.rest = rest;
  }
  block_bytes_ = std::max(kBlockBytes, 4 * static_cast<size_t>(rest));
  block_rows_ = std::min(kMostRows, block_bytes_ / (kLeastField * columns) + 1);
  bools_.resize(block_rows_ * columns);
  present_.resize(block_rows_ * columns);
  begins_.resize(block_rows_);
  stale_ = false;
}

void RowBlock::mark(const char* p, const char* end) {
  if (marks_.covers(p)) marks_.skip_to(p);
  // A row may continue past the marked bytes.
  const bool few = marks_.end() - marks_.next() < most_marks();
  if (!marks_.covers(p) || (few && p != marks_.base())) marks_.mark(p, end);
}

/// Opens a column for `rows` values, strings of `bytes` bytes in all.
void RowBlock::open(Field& field, const Target& target, size_t rows, size_t bytes) {
  ColumnBuilder& builder = *target.columns[field.column];
  const auto count = static_cast<int64_t>(rows);
  const size_t first = block_rows_ * static_cast<size_t>(&field - fields_.data());
  switch (field.store) {
    case Store::Numbers:
      field.values = builder.open_fixed(count);
      field.width = static_cast<size_t>(builder.width());
      break;
    case Store::Bools:
      field.values = &bools_[first];
      break;
    case Store::Bytes:
      field.bytes = builder.open_bytes(count, bytes, &field.ends);
      field.base = builder.bytes().data();
      break;
    case Store::Others:
      return;
  }
  if (!field.nullable) return;
  field.has_nulls = false;
  field.present = &present_[first];
  std::memset(field.present, 1, rows);
}

void RowBlock::close(Field& field, const Target& target, size_t rows) {
  const auto count = static_cast<int64_t>(rows);
  ColumnBuilder& builder = *target.columns[field.column];
  switch (field.store) {
    case Store::Numbers:
      builder.extend_fixed(count);
      break;
    case Store::Bools:
      builder.append_bits(field.values, count);
      break;
    case Store::Bytes: {
      const size_t size = builder.bytes().size();
      builder.close_bytes(count, rows == 0 ? 0 : static_cast<size_t>(field.ends[rows - 1]) - size);
      break;
    }
    case Store::Others:
      if (field.op != Op::Skip) builder.truncate(target.row + count);
      return;
  }
  if (field.nullable && field.has_nulls) builder.mark_nulls(field.present, count);
}

[[gnu::noinline]] void RowBlock::put_null(Field& field, size_t row, const Target& target) {
  switch (field.store) {
    case Store::Numbers:
      ColumnBuilder::put_integer(field.values, row, field.width, 0);
      break;
    case Store::Bools:
      field.values[row] = 0;
      break;
    case Store::Bytes:
      field.ends[row] = static_cast<int32_t>(field.bytes - field.base);
      break;
    case Store::Others:
      if (field.op != Op::Skip) target.columns[field.column]->append_null();
      return;
  }
  field.present[row] = 0;
  field.has_nulls = true;
}

/// Reads rare forms of values with the readers of `decode_row`: an exponent, a `+`, a literal, text
/// in binary. The arguments are those of `take_value`.
[[gnu::noinline]] bool RowBlock::take_rare(Field& field, size_t row, const char* stop,
                                           const char*& p, const char* end, const Target& target) {
  DecodeContext& context = target.context;
  const auto ends = [&] { return end != nullptr ? p == end : stop - p >= field.rest; };
  switch (field.store) {
    case Store::Numbers: {
      if (field.op == Op::Double) {
        double value = 0;
        if (!read_real(p, context, value)) return false;
        put(field.values, row, value);
        break;
      }
      uint64_t bits = 0;
      if (field.op == Op::Signed) {
        int64_t value = 0;
        if (!read_signed(p, context, value)) return false;
        bits = static_cast<uint64_t>(value);
      } else if (!read_unsigned(p, context, bits)) {
        return false;
      }
      if (bits - field.min > field.span) return false;
      ColumnBuilder::put_integer(field.values, row, field.width, bits);
      break;
    }
    case Store::Bools: {
      bool value = false;
      if (!read_bool(p, context, value)) return false;
      field.values[row] = value ? 1 : 0;
      break;
    }
    case Store::Bytes: {
      RawString value;
      // The output has space only for the bytes before the end.
      if (!read_string(p, context, value) || !ends()) return false;
      field.bytes += copy_string(field.bytes, value, context.end);
      field.ends[row] = static_cast<int32_t>(field.bytes - field.base);
      break;
    }
    case Store::Others:
      return false;
  }
  return ends();
}

/// Takes the value at `p` by `op`, that of the field. It must end at `end` if that is known (in
/// binary, the caller checks it), and otherwise so far before `stop` that the rest of the row is
/// readable.
template <typename Readers>
[[gnu::always_inline]] inline bool RowBlock::take_value(Op op, Field& field, size_t row,
                                                        const char* stop, const char*& p,
                                                        const char* end, const Target& target) {
  const char* const begin = p;
  const bool ends = kIsText<Readers> || end != nullptr;
  switch (op) {
    case Op::Signed:
      if (take_signed<Readers>(field, row, p, end)) return true;
      break;
    case Op::Unsigned:
      if (take_unsigned<Readers>(field, row, p, end)) return true;
      break;
    case Op::Double:
      if (take_double<Readers>(field, row, p, end)) return true;
      break;
    case Op::Bool:
      if (take_bool<Readers>(field, row, p, end, target.context)) return true;
      break;
    case Op::String:
    case Op::Utf8:
      if (!take_string<Readers>(field, row, stop, p, end)) break;
      return ends || stop - p >= field.rest;
    case Op::Float:
    case Op::Null:
    case Op::Yson:
    case Op::Json:
    case Op::Coded:
    case Op::Nested:
    case Op::Skip:
      if (field.op == Op::Skip) {
        if (yson::skip_value(p, target.context.end, kFreeDepth) != Status::Ok) return false;
      } else if (!decode_value(row_->children[field.column], *target.columns[field.column], p,
                               target.context)) {
        return false;
      }
      return ends ? p == end : stop - p >= field.rest;
  }
  // A null, or a form that is rare.
  p = begin;
  if (field.nullable && *p == '#') {
    put_null(field, row, target);
    ++p;
    return !ends || p == end;
  }
  return take_rare(field, row, stop, p, end, target);
}

template <typename Readers>
[[gnu::always_inline]] inline bool RowBlock::walk_row(size_t row, const char* stop, const char*& p,
                                                      const uint16_t*& mark, const Target& target) {
  constexpr bool kText = kIsText<Readers>;
  const char* at = p + 1;
  const char* const base = marks_.base();
  Field* field = fields_.data();
  Field* const last = field + fields_.size();
  for (; field < last; ++field) {
    if (!Readers::matches(field->keys[kText ? 1 : 0], at)) [[unlikely]] {
      if (!field->nullable) return false;
      put_null(*field, row, target);
      continue;
    }
    at += field->keys[kText ? 1 : 0].bytes.size();
    const char* const end = kText ? base + *mark++ : nullptr;
    if (!take_value<Readers>(field->op, *field, row, stop, at, end, target)) [[unlikely]]
      return false;
    if (kText) at = end;
    if (*at != ';') [[unlikely]] {
      for (++field; field < last; ++field) {
        if (!field->nullable) return false;
        put_null(*field, row, target);
      }
      if (*at != '}') return false;
      p = at + 1;
      return true;
    }
    ++at;
  }
  if (*at != '}') return false;
  if (kText) ++mark;
  p = at + 1;
  return true;
}

template <typename Readers>
inline size_t RowBlock::walk(size_t rows, const char* enough, const char* stop, const char*& p,
                             const Target& target) {
  constexpr bool kText = kIsText<Readers>;
  const uint16_t* mark = marks_.next();
  const uint16_t* const marks_end = marks_.end();
  const ptrdiff_t need = fields_.front().rest;
  const char* at = p;
  size_t row = 0;
  while (row < rows) {
    if (kText) {
      if (marks_end - mark < most_marks()) break;
      marks_.set_next(mark);
    } else if (stop - at < need) {
      break;
    }
    const char* const begin = at;
    const uint64_t integers = target.context.integers_met;
    if (!walk_row<Readers>(row, stop, at, mark, target)) [[unlikely]] {
      target.context.integers_met = integers;
      break;
    }
    begins_[row++] = begin;
    p = at;
    if (*at != ';') break;
    if (kText) ++mark;
    ++at;
    yson::skip_space(at, target.context.end);
    if (at >= enough || *at != '{') break;
  }
  return row;
}

/// Reads the values of a column. `kOp` is its operation, or Op::Null for all in Store::Others.
template <typename Readers, Op kOp>
[[gnu::always_inline]] inline size_t RowBlock::read_values(Field& field, size_t rows,
                                                           const Target& target) {
  const char* const stop = target.context.end;
  const RowOutline::Span* span = outline_.values(field.column);
  const size_t stride = outline_.stride();
  for (size_t row = 0; row < rows; ++row, span += stride) {
    const char* p = span->begin;
    if (p == nullptr) [[unlikely]] {
      put_null(field, row, target);
      continue;
    }
    if (!take_value<Readers>(kOp, field, row, stop, p, span->end, target)) [[unlikely]]
      return row;
    if (!kIsText<Readers> && p != span->end) [[unlikely]]
      return row;
  }
  return rows;
}

template <typename Readers>
[[gnu::always_inline]] inline bool RowBlock::read_column(Field& field, size_t rows,
                                                         const Target& target) {
  size_t bytes = 0;
  const RowOutline::Span* span = outline_.values(field.column);
  for (size_t i = 0; field.store == Store::Bytes && i < rows; ++i, span += outline_.stride()) {
    bytes += static_cast<size_t>(span->end - span->begin);
  }
  open(field, target, rows, bytes);
  size_t done = 0;
  switch (field.store) {
    case Store::Numbers:
      if (field.op == Op::Double) {
        done = read_values<Readers, Op::Double>(field, rows, target);
      } else if (field.op == Op::Signed) {
        done = read_values<Readers, Op::Signed>(field, rows, target);
      } else {
        done = read_values<Readers, Op::Unsigned>(field, rows, target);
      }
      break;
    case Store::Bools:
      done = read_values<Readers, Op::Bool>(field, rows, target);
      break;
    case Store::Bytes:
      done = read_values<Readers, Op::String>(field, rows, target);
      break;
    case Store::Others:
      done = read_values<Readers, Op::Null>(field, rows, target);
      break;
  }
  close(field, target, done);
  return done == rows;
}

#if defined(XWALK_FOR_AVX512)

XWALK_FOR_AVX512 [[gnu::flatten]] size_t RowBlock::walk_wide(size_t rows, const char* enough,
                                                             const char*& p, const Target& target) {
  return walk<WideReaders>(rows, enough, target.context.end, p, target);
}

XWALK_FOR_AVX512 [[gnu::flatten]] bool RowBlock::read_wide_column(Field& field, size_t rows,
                                                                  const Target& target) {
  return read_column<WideReaders>(field, rows, target);
}

#endif

size_t RowBlock::walk_text(size_t rows, const char* enough, const char*& p, const Target& target) {
#if defined(XWALK_FOR_AVX512)
  if (processor_at_hand() == Processor::Avx512) return walk_wide(rows, enough, p, target);
#endif
  return walk<PlainReaders>(rows, enough, target.context.end, p, target);
}

bool RowBlock::read_text_column(Field& field, size_t rows, const Target& target) {
#if defined(XWALK_FOR_AVX512)
  if (processor_at_hand() == Processor::Avx512) return read_wide_column(field, rows, target);
#endif
  return read_column<PlainReaders>(field, rows, target);
}

size_t RowBlock::decode_ordered(size_t rows, const char* enough, bool text, const char*& p,
                                const Target& target) {
  const char* const begin = p;
  const char* const end = target.context.end;
  const size_t bytes =
      std::min(text ? ValueMarks::kMarkedBytes : block_bytes_, static_cast<size_t>(end - p));
  for (Field& field : fields_) open(field, target, rows, bytes);
  const size_t taken = text ? walk_text(rows, enough, p, target)
                            : walk<BinaryReaders>(rows, enough, p + bytes, p, target);
  for (Field& field : fields_) close(field, target, taken);
  if (taken > 0) {
    ordered_.succeed();
  } else if (begin + bytes != end) {
    // If the bytes end here, the row may continue in the next ones.
    ordered_.fail();
  }
  return taken;
}

size_t RowBlock::decode_any_order(int64_t most, const char* enough, bool text, const char*& p,
                                  const Target& target) {
  const char* at = p;
  const char* const end = target.context.end;
  const uint64_t integers = target.context.integers_met;
  const size_t rows = text ? outline_.find_text(most, enough, at, end, marks_)
                           : outline_.find_binary(most, enough, at, end);
  const bool taken = rows > 0 && std::ranges::all_of(fields_, [&](Field& field) {
                       return text ? read_text_column(field, rows, target)
                                   : read_column<BinaryReaders>(field, rows, target);
                     });
  if (!taken) {
    for (const Field& field : fields_) {
      if (field.op != Op::Skip) target.columns[field.column]->truncate(target.row);
    }
    target.context.integers_met = integers;
    any_order_.fail();
    return 0;
  }
  any_order_.succeed();
  p = at;
  return rows;
}

int64_t RowBlock::decode(ColumnBuilder* const* columns, int64_t row, int64_t most,
                         const char* enough, const char*& p, DecodeContext& context,
                         std::vector<const char*>* begins) {
  if (!suits() || context.end - p < 2 * kFieldWindow) return 0;
  const bool ordered = ordered_.is_due();
  if (!ordered && !any_order_.is_due()) return 0;
  if (stale_) make_fields();
  const Target target = {columns, row, context};
  const bool text = p[1] == '"';
  if (text) mark(p, context.end);
  const size_t rows = std::min(block_rows_, static_cast<size_t>(most));
  const char* const* found = begins_.data();
  size_t taken = ordered ? decode_ordered(rows, enough, text, p, target) : 0;
  if (taken == 0 && (!ordered || any_order_.is_due())) {
    taken = decode_any_order(most, enough, text, p, target);
    found = outline_.begins();
    if (taken > 0 && outline_.is_ordered()) learn(outline_.order(taken));
  }
  // Discards the error of a declined row. The next decoder reports it again.
  context.path.clear();
  context.hint.clear();
  context.incomplete = false;
  if (begins != nullptr) begins->insert(begins->end(), found, found + taken);
  return static_cast<int64_t>(taken);
}

}  // namespace xwalk::yt
