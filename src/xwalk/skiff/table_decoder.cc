#include "xwalk/skiff/table_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"

namespace xwalk::skiff {
namespace {

/// A place of a value that is not there.
constexpr uint32_t kNoPlace = 0xFFFFFFFF;
/// How far ahead bytes are asked for: processors do not do it by themselves across pages.
constexpr size_t kPrefetchBytes = 2048;
constexpr size_t kLineBytes = 64;
/// Strings up to here are copied in one step.
constexpr size_t kStep = 32;
/// Bytes of a block from where on the strings of a column are measured before they are copied.
constexpr size_t kMeasuredBytes = size_t{256} << 10;
/// An offset behind all bytes.
constexpr size_t kBeyond = ~size_t{0} >> 1;
/// Bytes to load from where a value is absent.
alignas(32) constexpr char kZeroes[2 * kStep] = {};

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof(T));
  return value;
}

/// Returns false for a byte inside of a UTF-8 character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

size_t bytes_left(const char* at, const char* end) { return static_cast<size_t>(end - at); }

}  // namespace

TableDecoder::TableDecoder(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
                           const ReadOptions& options)
    : table_(table),
      shown_(shown),
      table_index_(table_index),
      options_(options),
      batch_rows_(std::max<int64_t>(1, options.batch_rows)) {
  segments_.emplace_back();
  size_t field = 0;
  size_t dense = 0;
  auto current = [&]() -> Segment& { return segments_.back(); };
  auto close = [&](FieldEnd end) {
    current().end = end;
    segments_.emplace_back();
  };
  for (const Slot& slot : table_.layout.slots) {
    switch (slot.role) {
      case Role::Dense:
        add_dense(table_.columns[dense++], shown_.fields[field++]);
        break;
      case Role::KeySwitch:
        key_switch_segment_ = static_cast<uint32_t>(segments_.size() - 1);
        key_switch_offset_ = current().fixed;
        current().fixed += 1;
        break;
      case Role::RowIndex:
      case Role::RangeIndex:
        current().column = slot.role == Role::RangeIndex ? 1 : 0;
        current().fixed += 1;
        close(FieldEnd::Index);
        break;
      case Role::Sparse:
        close(FieldEnd::Sparse);
        break;
      case Role::Other:
        other_segment_ = static_cast<uint32_t>(segments_.size() - 1);
        other_offset_ = current().fixed;
        current().fixed += 4;
        close(FieldEnd::String);
        others_.emplace(table_.others,
                        codec_options(options_.uuid_order, options_.specials_as_stored,
                                      options_.decimal_special));
        break;
    }
  }
  for (size_t i = table_.dense_columns; i < table_.columns.size(); ++i) {
    const BoundColumn& bound = table_.columns[i];
    Column column;
    column.presence = Presence::Sparse;
    column.sparse = static_cast<uint32_t>(i - table_.dense_columns);
    column.nullable = bound.nullable;
    column.required = !bound.nullable;
    column.codec = make_codec(
        bound.binding, yt::shape_of(bound.type, shown_.fields[field++]),
        codec_options(options_.uuid_order, options_.specials_as_stored, options_.decimal_special));
    sparse_codecs_.push_back(column.codec);
    columns_.push_back(std::move(column));
  }
  for (Column& column : columns_) choose_method(&column);
  places_.resize(segments_.size() * kBlockRows);
  sparse_places_.resize(sparse_codecs_.size() * kBlockRows);
  row_ends_.resize(kBlockRows);
  has_index_ = table_.layout.row_index || table_.layout.range_index;
  for (const Segment& segment : segments_) {
    probe_ = std::max<size_t>(probe_, segment.fixed + sizeof(uint32_t));
  }
  row_indices_.resize(kBlockRows);
  range_indices_.resize(kBlockRows);
  builders_.reserve(shown_.fields.size());
  auto pool = std::make_shared<hub::BufferPool>();
  for (const hub::Field& shown_field : shown_.fields) builders_.emplace_back(shown_field, pool);
}

void TableDecoder::add_dense(const BoundColumn& bound, const hub::Field& field) {
  Column column;
  column.codec = make_codec(
      bound.binding, yt::shape_of(bound.type, field),
      codec_options(options_.uuid_order, options_.specials_as_stored, options_.decimal_special));
  column.nullable = bound.nullable;
  column.segment = static_cast<uint32_t>(segments_.size() - 1);
  column.offset = segments_.back().fixed;
  const Codec& codec = column.codec;
  const Codec& inner = codec.form == Form::Present && !codec.wrapped ? codec.children[0] : codec;
  Segment& segment = segments_.back();
  auto close = [&](FieldEnd end) {
    segment.end = end;
    segments_.emplace_back();
  };
  switch (inner.form) {
    case Form::Nothing:
      break;
    case Form::Boolean:
    case Form::Signed:
    case Form::Unsigned:
    case Form::Double:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
      segment.fixed += inner.wire_width;
      break;
    case Form::String:
    case Form::Yson:
    case Form::YsonOf:
      segment.fixed += 4;
      close(FieldEnd::String);
      break;
    case Form::Optional: {
      const Codec& value = inner.children[0];
      bool is_text =
          value.form == Form::String || value.form == Form::Yson || value.form == Form::YsonOf;
      if (!inner.wrapped && (is_text || value.wire_width > 0)) {
        segment.fixed += 1;
        segment.width = value.wire_width;
        close(is_text ? FieldEnd::OptionalString : FieldEnd::Fixed);
      } else {
        segment.column = static_cast<uint32_t>(columns_.size());
        close(FieldEnd::Value);
      }
      break;
    }
    case Form::Present:
    case Form::List:
    case Form::Dict:
    case Form::Tuple:
    case Form::Variant:
      segment.column = static_cast<uint32_t>(columns_.size());
      close(FieldEnd::Value);
      break;
  }
  columns_.push_back(std::move(column));
}

void TableDecoder::choose_method(Column* column) {
  const Codec* value = &column->codec;
  Presence presence = column->presence;
  bool required = column->required;
  if (value->form == Form::Present && !value->wrapped && value->wire != WireType::Yson32) {
    value = &value->children[0];
  }
  if (value->form == Form::Optional && !value->wrapped && presence == Presence::Always) {
    presence = Presence::Tagged;
    required = value->required;
    value = &value->children[0];
  }
  Method method = Method::Each;
  if (!value->any || value->form == Form::Nothing) {
    if (value->form == Form::Signed || value->form == Form::Unsigned) method = Method::Integer;
    if (value->form == Form::Double) method = Method::Real;
    if (value->form == Form::Boolean) method = Method::Boolean;
    if (value->form == Form::Nothing && presence == Presence::Always) method = Method::Null;
    if (value->form == Form::String && value->scalar.kind == yt::TypeKind::String)
      method = Method::Bytes;
    if (value->form == Form::String && value->scalar.kind == yt::TypeKind::Utf8)
      method = Method::Utf8;
  }
  column->method = method;
  column->value = value;
  if (method == Method::Each) {
    // The appender reads the tag itself.
    column->value = &column->codec;
    return;
  }
  column->presence = presence;
  column->required = required;
}

Walk TableDecoder::walk(const char* block, const char* end, IndexTracker* tracker,
                        uint64_t row_number, const char** at) {
  const char* p = *at;
  size_t row = rows_;
  size_t left = bytes_left(p, end);
  uint32_t* places = places_.data() + row;
  bool row_implied = false;
  for (const Segment& segment : segments_) {
    if (left < segment.fixed) return Walk::Short;
    *places = static_cast<uint32_t>(p - block);
    places += kBlockRows;
    p += segment.fixed;
    left -= segment.fixed;
    switch (segment.end) {
      case FieldEnd::RowEnd:
        break;
      case FieldEnd::String: {
        size_t size = load<uint32_t>(p - 4);
        if (left < size) return Walk::Short;
        p += size;
        left -= size;
        break;
      }
      case FieldEnd::Fixed: {
        auto tag = static_cast<unsigned char>(p[-1]);
        if (tag > 1) return Walk::Broken;
        size_t size = tag != 0 ? segment.width : 0;
        if (left < size) return Walk::Short;
        p += size;
        left -= size;
        break;
      }
      case FieldEnd::OptionalString: {
        auto tag = static_cast<unsigned char>(p[-1]);
        if (tag > 1) return Walk::Broken;
        if (tag == 0) break;
        if (left < 4) return Walk::Short;
        size_t size = size_t{load<uint32_t>(p)} + 4;
        if (left < size) return Walk::Short;
        p += size;
        left -= size;
        break;
      }
      case FieldEnd::Value: {
        bool short_of_bytes = false;
        const char* next = skip(columns_[segment.column].codec, p, end, &short_of_bytes);
        if (next == nullptr) return short_of_bytes ? Walk::Short : Walk::Broken;
        p = next;
        left = bytes_left(p, end);
        break;
      }
      case FieldEnd::Index: {
        --p;
        Walk walked = walk_index(segment.column == 1, tracker, end, &p, &row_implied);
        if (walked != Walk::Ok) return walked;
        left = bytes_left(p, end);
        break;
      }
      case FieldEnd::Sparse: {
        Walk walked = walk_sparse(block, end, row, &p);
        if (walked != Walk::Ok) return walked;
        left = bytes_left(p, end);
        break;
      }
    }
  }
  if (table_.layout.range_index) {
    if (row_implied && range_indices_[row] != tracker->range_index()) return Walk::Broken;
    tracker->set_range(range_indices_[row]);
  }
  if (table_.layout.row_index) tracker->set_row(row_indices_[row]);
  row_ends_[row] = static_cast<uint32_t>(p - block);
  note_row(row_number);
  ++rows_;
  *at = p;
  return Walk::Ok;
}

size_t TableDecoder::walk_run(const char* block, const char* end, size_t most_bytes,
                              uint64_t row_number, const char** at) {
  if (has_index_ || bytes_left(*at, end) < probe_ + sizeof(uint16_t)) return 0;
  // Everything is an offset from the block: a length may point far behind the bytes.
  auto begin = static_cast<size_t>(*at - block);
  size_t limit = bytes_left(block, end) - probe_;
  size_t stop = std::min(limit - sizeof(uint16_t), most_bytes);
  auto most_rows = static_cast<size_t>(std::min<int64_t>(kBlockRows, batch_rows_ - built_rows_) -
                                       static_cast<int64_t>(rows_));
  size_t row = rows_;
  size_t end_row = rows_ + most_rows;
  size_t row_bytes = kLineBytes;
  const Segment* first = segments_.data();
  const Segment* last = first + segments_.size();
  for (; row < end_row && begin <= stop; ++row) {
    if (load<uint16_t>(block + begin) != table_index_) break;
    size_t offset = begin + sizeof(uint16_t);
    for (size_t line = 0; line < row_bytes; line += kLineBytes) {
      __builtin_prefetch(block + begin + kPrefetchBytes + line);
    }
    uint32_t* places = places_.data() + row;
    unsigned tags = 0;
    for (const Segment* segment = first; segment != last; ++segment) {
      if (offset > limit) {
        tags = 2;
        break;
      }
      *places = static_cast<uint32_t>(offset);
      places += kBlockRows;
      offset += segment->fixed;
      const char* p = block + offset;
      switch (segment->end) {
        case FieldEnd::RowEnd:
          break;
        case FieldEnd::String:
          offset += load<uint32_t>(p - sizeof(uint32_t));
          break;
        case FieldEnd::Fixed: {
          auto tag = static_cast<unsigned char>(p[-1]);
          tags |= tag;
          // A predicted branch does not wait for the tag, as arithmetic would.
          if (tag != 0) [[likely]]
            offset += segment->width;
          break;
        }
        case FieldEnd::OptionalString: {
          auto tag = static_cast<unsigned char>(p[-1]);
          tags |= tag;
          // An absent value has no bytes; multiplying saves a branch on what the data say.
          offset += tag * (size_t{load<uint32_t>(p)} + sizeof(uint32_t));
          break;
        }
        case FieldEnd::Value:
        case FieldEnd::Sparse:
          offset = walk_varying(*segment, block, end, row, offset);
          break;
        case FieldEnd::Index:
          tags = 2;
          break;
      }
    }
    // The careful walk finds out what is wrong, or that only the end is near.
    if (tags > 1 || offset > limit) break;
    row_ends_[row] = static_cast<uint32_t>(offset);
    row_bytes = std::min(offset - begin, kPrefetchBytes);
    begin = offset;
  }
  size_t walked = row - rows_;
  if (walked == 0) return 0;
  note_row(row_number);
  rows_ = row;
  *at = block + begin;
  return walked;
}

size_t TableDecoder::walk_varying(const Segment& segment, const char* block, const char* end,
                                  size_t row, size_t offset) {
  const char* p = block + offset;
  if (segment.end == FieldEnd::Sparse) {
    if (walk_sparse(block, end, row, &p) != Walk::Ok) return kBeyond;
  } else {
    bool ignored = false;
    p = skip(columns_[segment.column].codec, p, end, &ignored);
    if (p == nullptr) return kBeyond;
  }
  return static_cast<size_t>(p - block);
}

void TableDecoder::note_row(uint64_t row_number) {
  if (rows_ == 0) runs_.clear();
  bool follows = !runs_.empty() && runs_.back().number + (rows_ - runs_.back().row) == row_number;
  if (!follows) runs_.push_back({rows_, row_number});
}

uint64_t TableDecoder::number_of(size_t row) const {
  const Run* run = &runs_.back();
  while (run->row > row) --run;
  return run->number + (row - run->row);
}

Walk TableDecoder::walk_index(bool range, IndexTracker* tracker, const char* end, const char** at,
                              bool* row_implied) {
  const char* p = *at;
  auto tag = static_cast<unsigned char>(*p++);
  IndexShape shape = range ? *table_.layout.range_index : *table_.layout.row_index;
  std::optional<int64_t> value;
  if (tag == 1) {
    if (bytes_left(p, end) < 8) return Walk::Short;
    value = load<int64_t>(p);
    p += 8;
  } else if (tag == 0) {
    value = range ? tracker->range_index() : tracker->row_index();
    if (!value) return Walk::Broken;
    if (!range) {
      value = static_cast<int64_t>(static_cast<uint64_t>(*value) + 1);
      *row_implied = true;
    }
  } else if (tag > 2 || shape == IndexShape::TwoWay) {
    return Walk::Broken;
  }
  (range ? range_indices_ : row_indices_)[rows_] = value;
  *at = p;
  return Walk::Ok;
}

Walk TableDecoder::walk_sparse(const char* block, const char* end, size_t row, const char** at) {
  const char* p = *at;
  for (size_t i = 0; i < sparse_codecs_.size(); ++i) {
    sparse_places_[i * kBlockRows + row] = kNoPlace;
  }
  while (true) {
    if (bytes_left(p, end) < 2) return Walk::Short;
    auto tag = load<uint16_t>(p);
    p += 2;
    if (tag == kEndTag16) break;
    if (tag >= sparse_codecs_.size()) return Walk::Broken;
    uint32_t& place = sparse_places_[tag * kBlockRows + row];
    if (place != kNoPlace) return Walk::Broken;
    place = static_cast<uint32_t>(p - block);
    bool short_of_bytes = false;
    const char* next = skip(sparse_codecs_[tag], p, end, &short_of_bytes);
    if (next == nullptr) return short_of_bytes ? Walk::Short : Walk::Broken;
    p = next;
  }
  *at = p;
  return Walk::Ok;
}

const char* TableDecoder::place(const Column& column, const char* block, size_t row,
                                bool* present) const {
  if (column.presence == Presence::Sparse) {
    uint32_t at = sparse_places_[column.sparse * kBlockRows + row];
    *present = at != kNoPlace;
    return *present ? block + at : kZeroes;
  }
  const char* at = block + places_[column.segment * kBlockRows + row] + column.offset;
  if (column.presence == Presence::Always) {
    *present = true;
    return at;
  }
  *present = *at != 0;
  return *present ? at + 1 : kZeroes;
}

template <typename Wire>
void TableDecoder::load_column(const Column& column, const char* block, Wire* out) {
  const uint32_t* places = places_.data() + column.segment * kBlockRows;
  const char* base = block + column.offset;
  size_t rows = rows_;
  switch (column.presence) {
    case Presence::Always:
      for (size_t i = 0; i < rows; ++i) out[i] = load<Wire>(base + places[i]);
      return;
    case Presence::Tagged:
      for (size_t i = 0; i < rows; ++i) {
        const char* at = base + places[i];
        uint8_t tag = static_cast<uint8_t>(*at);
        present_[i] = tag;
        // Selecting the address, not the value, keeps the load inside of the bytes.
        const char* from = tag != 0 ? at + 1 : kZeroes;
        out[i] = load<Wire>(from);
      }
      return;
    case Presence::Sparse: {
      const uint32_t* sparse = sparse_places_.data() + column.sparse * kBlockRows;
      for (size_t i = 0; i < rows; ++i) {
        present_[i] = sparse[i] != kNoPlace ? 1 : 0;
        out[i] = load<Wire>(present_[i] != 0 ? block + sparse[i] : kZeroes);
      }
      return;
    }
  }
}

void TableDecoder::mark_presence(size_t index, hub::ColumnBuilder* out) {
  const Column& column = columns_[index];
  if (column.presence == Presence::Always) return;
  if (column.required || !column.nullable) {
    for (size_t i = 0; i < rows_; ++i) {
      if (present_[i] == 0)
        bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
    }
    return;
  }
  out->mark_nulls(present_.data(), static_cast<int64_t>(rows_));
}

void TableDecoder::store_narrow(const int64_t* values, int width, hub::ColumnBuilder* out) {
  uint8_t* to = out->extend_fixed(static_cast<int64_t>(rows_));
  auto store = [&](auto zero) {
    using Narrow = decltype(zero);
    for (size_t i = 0; i < rows_; ++i) {
      auto value = static_cast<Narrow>(values[i]);
      std::memcpy(to + i * sizeof(Narrow), &value, sizeof(Narrow));
    }
  };
  switch (width) {
    case 1:
      store(int8_t{});
      return;
    case 2:
      store(int16_t{});
      return;
    case 4:
      store(int32_t{});
      return;
    default:
      store(int64_t{});
      return;
  }
}

void TableDecoder::decode_integers(size_t index, const char* block, hub::ColumnBuilder* out) {
  const Column& column = columns_[index];
  const Codec& value = *column.value;
  bool is_signed = value.form == Form::Signed;
  auto widen = [&](auto zero) {
    using Wire = decltype(zero);
    std::array<Wire, kBlockRows> wires;
    load_column(column, block, wires.data());
    for (size_t i = 0; i < rows_; ++i) words_[i] = static_cast<int64_t>(wires[i]);
  };
  int64_t* words = words_.data();
  bool in_place = value.wire_width == 8 && value.scalar.width == 8;
  if (in_place) {
    // extend_fixed gives memory of malloc's alignment, a whole number of words into it.
    words =
        static_cast<int64_t*>(static_cast<void*>(out->extend_fixed(static_cast<int64_t>(rows_))));
    load_column(column, block, words);
  } else {
    switch (value.wire_width) {
      case 1:
        is_signed ? widen(int8_t{}) : widen(uint8_t{});
        break;
      case 2:
        is_signed ? widen(int16_t{}) : widen(uint16_t{});
        break;
      case 4:
        is_signed ? widen(int32_t{}) : widen(uint32_t{});
        break;
      default:
        load_column(column, block, words);
        break;
    }
  }
  if (value.check_range) {
    bool outside = false;
    if (is_signed) {
      int64_t low = value.scalar.range.min;
      auto high = static_cast<int64_t>(value.scalar.range.max);
      for (size_t i = 0; i < rows_; ++i) outside |= words[i] < low || words[i] > high;
    } else {
      uint64_t high = value.scalar.range.max;
      for (size_t i = 0; i < rows_; ++i) outside |= static_cast<uint64_t>(words[i]) > high;
    }
    if (outside) {
      for (size_t i = 0; i < rows_; ++i) {
        bool good = is_signed ? value.scalar.range.contains(words[i])
                              : value.scalar.range.contains(static_cast<uint64_t>(words[i]));
        if (good) continue;
        bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
        words[i] = 0;
      }
    }
  }
  if (!in_place) store_narrow(words, value.scalar.width, out);
  mark_presence(index, out);
}

void TableDecoder::decode_reals(size_t index, const char* block, hub::ColumnBuilder* out) {
  const Column& column = columns_[index];
  if (column.value->scalar.width == sizeof(double)) {
    auto* to =
        static_cast<double*>(static_cast<void*>(out->extend_fixed(static_cast<int64_t>(rows_))));
    load_column(column, block, to);
    mark_presence(index, out);
    return;
  }
  std::array<double, kBlockRows> values;
  load_column(column, block, values.data());
  auto* to =
      static_cast<float*>(static_cast<void*>(out->extend_fixed(static_cast<int64_t>(rows_))));
  for (size_t i = 0; i < rows_; ++i) {
    double value = values[i];
    if (!yt::fits_float(value)) {
      bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
      value = 0;
    }
    to[i] = static_cast<float>(value);
  }
  mark_presence(index, out);
}

void TableDecoder::decode_booleans(size_t index, const char* block, hub::ColumnBuilder* out) {
  std::array<uint8_t, kBlockRows> values;
  load_column(columns_[index], block, values.data());
  uint8_t all = 0;
  for (size_t i = 0; i < rows_; ++i) all |= values[i];
  if (all > 1) {
    for (size_t i = 0; i < rows_; ++i) {
      if (values[i] <= 1) continue;
      bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
      values[i] = 0;
    }
  }
  out->append_bits(values.data(), static_cast<int64_t>(rows_));
  mark_presence(index, out);
}

size_t TableDecoder::bytes_of(const Column& column, const char* block) {
  std::array<uint32_t, kBlockRows> sizes;
  load_column(column, block, sizes.data());
  size_t total = 0;
  for (size_t i = 0; i < rows_; ++i) total += sizes[i];
  return total;
}

void TableDecoder::decode_bytes(size_t index, const char* block, const char* end,
                                hub::ColumnBuilder* out) {
  const Column& column = columns_[index];
  auto rows = static_cast<int64_t>(rows_);
  size_t bound = row_ends_[rows_ - 1] - places_[0];
  // Large rows are measured, so that a column does not ask for the memory of another one.
  if (bound > kMeasuredBytes) bound = bytes_of(column, block);
  int32_t* ends = nullptr;
  char* first = out->open_bytes(rows, bound, &ends);
  auto base = static_cast<int32_t>(out->bytes().size());
  char* to = first;
  bool boundaries = true;
  // Short strings are copied in whole steps, which may read and write past them.
  const char* step_end = bytes_left(block, end) < kStep ? block : end - kStep;
  auto copy = [&](size_t i, const char* from, size_t size) {
    if (size <= kStep && from < step_end) [[likely]] {
      std::memcpy(to, from, kStep);
      boundaries &= begins_character(*from) | (size == 0);
    } else if (size > 0) {
      std::memcpy(to, from, size);
      boundaries &= begins_character(*from);
    }
    to += size;
    ends[i] = base + static_cast<int32_t>(to - first);
  };
  switch (column.presence) {
    case Presence::Always: {
      const uint32_t* places = places_.data() + column.segment * kBlockRows;
      const char* source = block + column.offset;
      for (size_t i = 0; i < rows_; ++i) {
        const char* at = source + places[i];
        copy(i, at + sizeof(uint32_t), load<uint32_t>(at));
      }
      break;
    }
    case Presence::Tagged: {
      const uint32_t* places = places_.data() + column.segment * kBlockRows;
      const char* source = block + column.offset;
      for (size_t i = 0; i < rows_; ++i) {
        const char* at = source + places[i];
        auto tag = static_cast<uint8_t>(*at);
        present_[i] = tag;
        at = tag != 0 ? at + 1 : kZeroes;
        copy(i, at + sizeof(uint32_t), load<uint32_t>(at));
      }
      break;
    }
    case Presence::Sparse: {
      const uint32_t* sparse = sparse_places_.data() + column.sparse * kBlockRows;
      for (size_t i = 0; i < rows_; ++i) {
        present_[i] = sparse[i] != kNoPlace ? 1 : 0;
        const char* at = present_[i] != 0 ? block + sparse[i] : kZeroes;
        copy(i, at + sizeof(uint32_t), load<uint32_t>(at));
      }
      break;
    }
  }
  auto total = static_cast<size_t>(to - first);
  out->close_bytes(rows, total);
  if (column.method == Method::Utf8 && (!boundaries || !is_valid_utf8({first, total}))) {
    int32_t from = base;
    for (size_t i = 0; i < rows_; ++i) {
      auto size = static_cast<size_t>(ends[i] - from);
      const char* text = out->bytes().data() + from;
      if (!is_valid_utf8({text, size})) {
        bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
        // The row is refused, but its column must still be UTF-8 as a whole.
        std::memset(first + (from - base), ' ', size);
      }
      from = ends[i];
    }
  }
  mark_presence(index, out);
}

void TableDecoder::decode_each(size_t index, const char* block, hub::ColumnBuilder* out) {
  const Column& column = columns_[index];
  for (size_t i = 0; i < rows_; ++i) {
    bool present = true;
    const char* at = place(column, block, i, &present);
    if (!present) {
      out->append_placeholder();
      if (!column.nullable) {
        bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
      }
      continue;
    }
    int64_t before = out->length();
    if (append_value(column.codec, at, out) != nullptr) continue;
    out->truncate(before);
    out->append_placeholder();
    bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(index)});
  }
}

bool TableDecoder::names_are_free(std::string_view map) const {
  const yson::Node node = yson::parse(map);
  std::vector<std::string_view> names;
  for (const auto& [name, value] : node.as_map()) {
    names.push_back(name);
    if (std::ranges::find(table_.columns, name, &BoundColumn::name) != table_.columns.end()) {
      return false;
    }
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

void TableDecoder::decode_others(const char* block, hub::ColumnBuilder* out, size_t count) {
  const bool open = !table_.others.strict;
  for (size_t i = 0; i < rows_; ++i) {
    const char* at = block + places_[other_segment_ * kBlockRows + i] + other_offset_;
    const int64_t row = built_rows_ + static_cast<int64_t>(i);
    bool good = others_->decode({at + 4, load<uint32_t>(at)}, out, row);
    if (good && open) {
      const hub::ColumnBuilder& rest = out[count - 1];
      const auto begin = static_cast<size_t>(rest.offsets()[row]);
      const std::string_view map = rest.bytes().substr(begin);
      good = map == "{}" || names_are_free(map);
    }
    if (good) continue;
    // The checked path finds the same fault and says more of it.
    for (size_t column = 0; column < count; ++column) {
      out[column].truncate(row);
      if (open && column + 1 == count) {
        out[column].append_bytes("{}");
      } else {
        out[column].append_placeholder();
      }
    }
    bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(columns_.size())});
  }
}

void TableDecoder::decode(const char* block, const char* end, uint64_t block_position) {
  if (rows_ == 0) return;
  bad_.clear();
  for (size_t i = 0; i < columns_.size(); ++i) {
    hub::ColumnBuilder* out = &builders_[i];
    switch (columns_[i].method) {
      case Method::Integer:
        decode_integers(i, block, out);
        break;
      case Method::Real:
        decode_reals(i, block, out);
        break;
      case Method::Boolean:
        decode_booleans(i, block, out);
        break;
      case Method::Bytes:
      case Method::Utf8:
        decode_bytes(i, block, end, out);
        break;
      case Method::Each:
        decode_each(i, block, out);
        break;
      case Method::Null:
        for (size_t row = 0; row < rows_; ++row) out->append_null();
        break;
    }
  }
  size_t next = columns_.size();
  if (others_) {
    const size_t count = table_.others.columns.size() + (table_.others.strict ? 0 : 1);
    decode_others(block, builders_.data() + next, count);
    next += count;
  }
  auto show_index = [&](const std::vector<std::optional<int64_t>>& values) {
    hub::ColumnBuilder& out = builders_[next++];
    for (size_t i = 0; i < rows_; ++i) {
      if (values[i]) {
        out.append(*values[i]);
      } else {
        out.append_null();
      }
    }
  };
  if (options_.table_index) {
    for (size_t i = 0; i < rows_; ++i) builders_[next].append(table_index_);
    ++next;
  }
  if (options_.range_index) show_index(range_indices_);
  if (options_.row_index) show_index(row_indices_);
  if (table_.layout.has_key_switch) {
    for (size_t i = 0; i < rows_; ++i) {
      const char* at = block + places_[key_switch_segment_ * kBlockRows + i] + key_switch_offset_;
      auto byte = static_cast<unsigned char>(*at);
      if (byte > 1)
        bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(columns_.size())});
      if (options_.key_switch) builders_[next].append_bool(byte == 1);
    }
  }
  if (options_.controls && (has_index_ || table_.layout.has_key_switch)) add_controls(block);
  if (!bad_.empty()) report(block, block_position);
  built_rows_ += static_cast<int64_t>(rows_);
  rows_ = 0;
}

void TableDecoder::add_controls(const char* block) {
  for (size_t i = 0; i < rows_; ++i) {
    hub::RowControl& control = controls_.emplace_back();
    if (table_.layout.range_index) control.range_index = range_indices_[i];
    if (table_.layout.row_index) control.row_index = row_indices_[i];
    if (!table_.layout.has_key_switch) continue;
    const uint32_t place = places_[key_switch_segment_ * kBlockRows + i];
    control.key_switch = block[place + key_switch_offset_] != 0;
  }
}

void TableDecoder::report(const char* block, uint64_t block_position) {
  std::ranges::sort(bad_, [](const Bad& a, const Bad& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  int64_t last = -1;
  for (const Bad& bad : bad_) {
    if (bad.row == last) continue;
    last = bad.row;
    // The row begins with its first segment.
    uint32_t begin = places_[bad.row];
    std::string_view bytes(block + begin, row_ends_[bad.row] - begin);
    // The checked path says what is wrong; what it lets pass is a value that Arrow does not hold.
    Place place;
    if (bad.column < columns_.size()) {
      place.path = Path::column(table_.columns[bad.column].name);
    }
    place.byte = 0;
    Error error(ErrorCode::Input, "expected a finite decimal, found nan or an infinity",
                std::move(place), "Arrow decimals have no nan and no infinities");
    try {
      Input input(bytes);
      RowReader reader({table_}, input);
      IndexTracker before;
      before.set_range(range_indices_[bad.row]);
      if (std::optional<int64_t> row = row_indices_[bad.row]) {
        before.set_row(static_cast<int64_t>(static_cast<uint64_t>(*row) - 1));
      }
      reader.read_behind_tag(before);
    } catch (const Error& found) {
      error = found;
    }
    error.place().table = table_index_;
    error.place().row = number_of(bad.row);
    error.place().byte = block_position + begin + error.place().byte.value_or(0);
    if (!options_.skip_bad_rows) throw Error(error);
    bad_rows_.push_back({built_rows_ + bad.row, std::move(error), std::string(bytes)});
  }
}

bool TableDecoder::batch_full() const {
  if (built_rows_ >= batch_rows_) return true;
  size_t memory = 0;
  for (const hub::ColumnBuilder& builder : builders_) memory += builder.memory();
  return memory >= options_.batch_bytes;
}

hub::Batch TableDecoder::finish_batch() {
  std::vector<hub::Array> arrays;
  arrays.reserve(builders_.size());
  for (hub::ColumnBuilder& builder : builders_) arrays.push_back(builder.finish());
  hub::Batch batch;
  batch.array = hub::struct_of(std::move(arrays), built_rows_);
  batch.first_row = first_row_;
  batch.bad = std::move(bad_rows_);
  bad_rows_.clear();
  batch.controls = std::move(controls_);
  controls_.clear();
  first_row_ += built_rows_;
  built_rows_ = 0;
  return batch;
}

}  // namespace xwalk::skiff
