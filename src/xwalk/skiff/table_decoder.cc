#include "xwalk/skiff/table_decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/base/exact_double.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/append.h"
#include "xwalk/skiff/fault.h"
#include "xwalk/skiff/table_bytes_internal.h"
#include "xwalk/yson/parse.h"

namespace xwalk::skiff {
namespace {

/// Bytes of a block from where on the strings of a column are measured before they are copied.
constexpr size_t kMeasuredBytes = size_t{256} << 10;
/// Bytes to load if a value is absent.
alignas(32) constexpr char kZeroes[2 * kStep] = {};

/// Returns false for a byte inside of a UTF-8 character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

bool is_ascii(std::string_view bytes) {
  char all = 0;
  for (const char byte : bytes) all = static_cast<char>(all | byte);
  return (all & 0x80) == 0;
}

}  // namespace

TableDecoder::TableDecoder(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
                           const ReadOptions& options)
    : TableWalk(table, shown, table_index, options) {
  if (table_.layout.has_other_columns) others_.emplace(table_.others, value_options());
}

const char* TableDecoder::place(const Column& column, const char* block, size_t row,
                                bool* present) const {
  if (column.presence == Presence::Sparse) {
    uint32_t at = sparse_places_[column.sparse * kBlockRows + row];
    *present = at != kNoPlace;
    return *present ? block + at : kZeroes;
  }
  const char* at = block + slice_.places[row * slice_.step] + column.offset;
  if (column.presence == Presence::Always) {
    *present = true;
    return at;
  }
  *present = *at != 0;
  return *present ? at + 1 : kZeroes;
}

template <typename Wire>
void TableDecoder::load_column(const Column& column, const char* block, Wire* out) {
  const uint32_t* places = slice_.places;
  const size_t step = slice_.step;
  const char* base = block + column.offset;
  uint8_t* present = present_.data();
  const size_t count = slice_.count;
  switch (column.presence) {
    case Presence::Always:
      for (size_t i = 0; i < count; ++i) out[i] = load<Wire>(base + places[i * step]);
      return;
    case Presence::Tagged:
      for (size_t i = 0; i < count; ++i) {
        const char* at = base + places[i * step];
        uint8_t tag = static_cast<uint8_t>(*at);
        present[i] = tag;
        // Selecting the address, not the value, keeps the load inside of the bytes.
        const char* from = tag != 0 ? at + 1 : kZeroes;
        out[i] = load<Wire>(from);
      }
      return;
    case Presence::Sparse: {
      const uint32_t* sparse = sparse_places_.data() + column.sparse * kBlockRows;
      for (size_t i = 0; i < count; ++i) {
        present[i] = sparse[i] != kNoPlace ? 1 : 0;
        out[i] = load<Wire>(present[i] != 0 ? block + sparse[i] : kZeroes);
      }
      return;
    }
  }
}

void TableDecoder::mark_presence(const Column& column, const uint8_t* present,
                                 hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  if (column.presence == Presence::Always) return;
  if (column.required || !column.nullable) {
    for (size_t i = 0; i < count; ++i) {
      if (present[i] == 0) note_bad(column, i);
    }
    return;
  }
  out->mark_nulls(present, static_cast<int64_t>(count));
}

void TableDecoder::note_bad(const Column& column, size_t entry) {
  const size_t row = row_of(column.frame, slice_.first + entry);
  bad_.push_back({static_cast<uint32_t>(row), column.top});
}

void TableDecoder::store_narrow(const int64_t* values, int width, hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  const auto rows = static_cast<int64_t>(count);
  uint8_t* to = out->extend_fixed(rows);
  auto store = [&](auto zero) {
    using Narrow = decltype(zero);
    for (size_t i = 0; i < count; ++i) {
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

void TableDecoder::decode_integers(const Column& column, const char* block,
                                   hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  const auto rows = static_cast<int64_t>(count);
  const Codec& value = *column.value;
  bool is_signed = value.form == Form::Signed;
  auto widen = [&](auto zero) {
    using Wire = decltype(zero);
    std::array<Wire, kBlockRows> wires;
    load_column(column, block, wires.data());
    for (size_t i = 0; i < count; ++i) integers_[i] = static_cast<int64_t>(wires[i]);
  };
  int64_t* integers = integers_.data();
  bool in_place = value.wire_width == 8 && value.scalar.width == 8;
  if (in_place) {
    // extend_fixed gives memory of malloc's alignment, a whole number of words into it.
    integers = static_cast<int64_t*>(static_cast<void*>(out->extend_fixed(rows)));
    load_column(column, block, integers);
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
        load_column(column, block, integers);
        break;
    }
  }
  if (value.check_range) {
    bool outside = false;
    if (is_signed) {
      int64_t low = value.scalar.range.min;
      auto high = static_cast<int64_t>(value.scalar.range.max);
      for (size_t i = 0; i < count; ++i) outside |= integers[i] < low || integers[i] > high;
    } else {
      uint64_t high = value.scalar.range.max;
      for (size_t i = 0; i < count; ++i) outside |= static_cast<uint64_t>(integers[i]) > high;
    }
    if (outside) {
      for (size_t i = 0; i < count; ++i) {
        bool good = is_signed ? value.scalar.range.contains(integers[i])
                              : value.scalar.range.contains(static_cast<uint64_t>(integers[i]));
        if (good) continue;
        note_bad(column, i);
        integers[i] = 0;
      }
    }
  }
  if (!in_place) store_narrow(integers, value.scalar.width, out);
  mark_presence(column, present_.data(), out);
}

void TableDecoder::decode_reals(const Column& column, const char* block, hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  const auto rows = static_cast<int64_t>(count);
  if (column.value->scalar.width == sizeof(double)) {
    auto* to = static_cast<double*>(static_cast<void*>(out->extend_fixed(rows)));
    load_column(column, block, to);
    mark_presence(column, present_.data(), out);
    return;
  }
  std::array<double, kBlockRows> values;
  load_column(column, block, values.data());
  auto* to = static_cast<float*>(static_cast<void*>(out->extend_fixed(rows)));
  for (size_t i = 0; i < count; ++i) {
    double value = values[i];
    if (!is_float_for(value)) {
      note_bad(column, i);
      value = 0;
    }
    to[i] = static_cast<float>(value);
  }
  mark_presence(column, present_.data(), out);
}

void TableDecoder::decode_booleans(const Column& column, const char* block,
                                   hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  const auto rows = static_cast<int64_t>(count);
  std::array<uint8_t, kBlockRows> values;
  load_column(column, block, values.data());
  uint8_t all = 0;
  for (size_t i = 0; i < count; ++i) all |= values[i];
  if (all > 1) {
    for (size_t i = 0; i < count; ++i) {
      if (values[i] <= 1) continue;
      note_bad(column, i);
      values[i] = 0;
    }
  }
  out->append_bits(values.data(), rows);
  mark_presence(column, present_.data(), out);
}

size_t TableDecoder::bytes_of(const Column& column, const char* block) {
  const size_t count = slice_.count;
  std::array<uint32_t, kBlockRows> sizes;
  load_column(column, block, sizes.data());
  size_t total = 0;
  for (size_t i = 0; i < count; ++i) total += sizes[i];
  return total;
}

void TableDecoder::decode_bytes(const Column& column, const char* block, const char* end,
                                hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  const auto rows = static_cast<int64_t>(count);
  size_t bound = row_ends_[rows_ - 1] - (column.frame == kRoot ? places_[0] : slice_.places[0]);
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
  const uint32_t* places = slice_.places;
  const size_t step = slice_.step;
  uint8_t* present = present_.data();
  switch (column.presence) {
    case Presence::Always: {
      const char* source = block + column.offset;
      for (size_t i = 0; i < count; ++i) {
        const char* at = source + places[i * step];
        copy(i, at + sizeof(uint32_t), load<uint32_t>(at));
      }
      break;
    }
    case Presence::Tagged: {
      const char* source = block + column.offset;
      for (size_t i = 0; i < count; ++i) {
        const char* at = source + places[i * step];
        auto tag = static_cast<uint8_t>(*at);
        present[i] = tag;
        at = tag != 0 ? at + 1 : kZeroes;
        copy(i, at + sizeof(uint32_t), load<uint32_t>(at));
      }
      break;
    }
    case Presence::Sparse: {
      const uint32_t* sparse = sparse_places_.data() + column.sparse * kBlockRows;
      for (size_t i = 0; i < count; ++i) {
        present[i] = sparse[i] != kNoPlace ? 1 : 0;
        const char* at = present[i] != 0 ? block + sparse[i] : kZeroes;
        copy(i, at + sizeof(uint32_t), load<uint32_t>(at));
      }
      break;
    }
  }
  auto total = static_cast<size_t>(to - first);
  out->close_bytes(rows, total);
  if (column.method == Method::Utf8 && (!boundaries || !is_valid_utf8({first, total}))) {
    check_text(column, first, base, ends);
  }
  mark_presence(column, present_.data(), out);
}

void TableDecoder::check_text(const Column& column, char* first, int32_t base,
                              const int32_t* ends) {
  int32_t from = base;
  for (size_t i = 0; i < slice_.count; ++i) {
    const auto size = static_cast<size_t>(ends[i] - from);
    char* text = first + (from - base);
    if (!is_valid_utf8({text, size})) {
      note_bad(column, i);
      // The row is rejected, but its column must still be UTF-8 as a whole.
      std::memset(text, ' ', size);
    }
    from = ends[i];
  }
}

void TableDecoder::close_direct(const Column& column) {
  slice_ = slice(kRoot, column.segment, 0);
  slice_.count = direct_rows_;
  const auto rows = static_cast<int64_t>(direct_rows_);
  const RunSegment& run = run_segments_[column.segment];
  if (run.ends == nullptr) {
    column.out->extend_fixed(rows);
  } else {
    const auto base = static_cast<int32_t>(column.out->bytes().size());
    char* first = run.origin + base;
    const auto total = static_cast<size_t>(run.ends[direct_rows_ - 1] - base);
    column.out->close_bytes(rows, total);
    if (column.method == Method::Utf8 && !is_ascii({first, total})) {
      // Strings that are UTF-8 together are so each where none begins inside of a character.
      bool boundaries = true;
      const char* text = first;
      for (size_t i = 0; i < direct_rows_; ++i) {
        boundaries &= begins_character(*text) | (text == first + total);
        text = run.origin + run.ends[i];
      }
      if (!boundaries || !is_valid_utf8({first, total})) {
        check_text(column, first, base, run.ends);
      }
    }
  }
  mark_presence(column, direct_present_.data() + column.segment * kBlockRows, column.out);
}

void TableDecoder::decode_each(const Column& column, const char* block, const char* end,
                               hub::ColumnBuilder* out) {
  const size_t count = slice_.count;
  for (size_t i = 0; i < count; ++i) {
    bool present = true;
    const char* at = place(column, block, i, &present);
    if (!present) {
      out->append_placeholder();
      if (!column.nullable) {
        note_bad(column, i);
      }
      continue;
    }
    int64_t before = out->length();
    if (append_value(column.codec, at, end, out, &scratch_) != nullptr) continue;
    out->truncate(before);
    out->append_placeholder();
    note_bad(column, i);
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
    for (size_t column = 0; column < count; ++column) {
      out[column].truncate(row);
      if (open && column + 1 == count) {
        out[column].append_bytes("{}");
      } else {
        out[column].append_placeholder();
      }
    }
    bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(table_.columns.size())});
  }
}

TableDecoder::Slice TableDecoder::slice(uint32_t frame, uint32_t segment, size_t first) const {
  Slice slice;
  slice.first = first;
  slice.count = std::min(kBlockRows, entries_of(frame) - first);
  if (frame == kRoot) {
    slice.places = places_.data() + segment * kBlockRows + first;
    return slice;
  }
  const Frame& list = frames_[frame];
  slice.step = list.segments.size();
  slice.places = list.places.data() + first * slice.step + segment;
  return slice;
}

void TableDecoder::decode_column(const Column& column, const char* block, const char* end) {
  hub::ColumnBuilder* out = column.out;
  switch (column.method) {
    case Method::Integer:
      decode_integers(column, block, out);
      break;
    case Method::Real:
      decode_reals(column, block, out);
      break;
    case Method::Boolean:
      decode_booleans(column, block, out);
      break;
    case Method::Bytes:
    case Method::Utf8:
      decode_bytes(column, block, end, out);
      break;
    case Method::Each:
      decode_each(column, block, end, out);
      break;
    case Method::Null:
      for (size_t i = 0; i < slice_.count; ++i) out->append_null();
      break;
  }
}

void TableDecoder::close_level(const Closer& closer, const char* block) {
  const size_t entries = entries_of(closer.frame);
  if (closer.list == kRoot) {
    closer.out->extend_structs(static_cast<int64_t>(entries));
    return;
  }
  const Frame& list = frames_[closer.list];
  const auto base =
      static_cast<int32_t>(closer.out->child(0).length()) - static_cast<int32_t>(list.entries);
  for (size_t first = 0; first < entries; first += kBlockRows) {
    slice_ = slice(closer.frame, closer.segment, first);
    const uint32_t* items = list.ends.data() + first;
    const auto count = static_cast<int64_t>(slice_.count);
    int32_t* ends = closer.out->extend_lists(count);
    for (size_t i = 0; i < slice_.count; ++i) ends[i] = base + static_cast<int32_t>(items[i]);
    if (!closer.tagged) continue;
    for (size_t i = 0; i < slice_.count; ++i) {
      present_[i] = static_cast<uint8_t>(block[slice_.places[i * slice_.step] + closer.offset]);
      if (present_[i] != 0 || !closer.required) continue;
      const size_t row = row_of(closer.frame, first + i);
      bad_.push_back({static_cast<uint32_t>(row), closer.top});
    }
    if (!closer.required) closer.out->mark_nulls(present_.data(), count);
  }
}

void TableDecoder::decode(const char* block, const char* end, uint64_t block_position) {
  items_full_ = direct_full_ = direct_open_ = false;
  if (rows_ == 0) return;
  bad_.clear();
  for (const Column& column : columns_) {
    const size_t entries = entries_of(column.frame);
    const size_t decoded = column.direct ? direct_rows_ : 0;
    if (decoded > 0) close_direct(column);
    for (size_t first = decoded; first < entries; first += kBlockRows) {
      slice_ = slice(column.frame, column.segment, first);
      decode_column(column, block, end);
    }
  }
  for (const Closer& closer : closers_) close_level(closer, block);
  for (Frame& frame : frames_) frame.clear(frames_);
  decode_specials(block, table_.columns.size());
  if (options_.controls && (has_index_ || table_.layout.has_key_switch)) add_controls(block);
  if (!bad_.empty()) report(block, block_position);
  if (options_.keep_bytes) {
    if (bytes_ == nullptr) bytes_ = std::make_shared<RowBytes>();
    for (size_t row = 0; row < rows_; ++row) {
      append_row(block, row, &bytes_->bytes());
      bytes_->end_row(block_position + places_[row]);
    }
  }
  built_rows_ += static_cast<int64_t>(rows_);
  rows_ = direct_rows_ = 0;
}

void TableDecoder::decode_specials(const char* block, size_t next) {
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
        bad_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(table_.columns.size())});
      if (options_.key_switch) builders_[next].append_bool(byte == 1);
    }
  }
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

Error TableDecoder::fault(const IndexTracker& before, std::string_view bytes) const {
  return find_fault(table_, shown_, value_options(), before, bytes);
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
    IndexTracker before;
    before.set_range(range_indices_[bad.row]);
    if (std::optional<int64_t> row = row_indices_[bad.row]) {
      before.set_row(static_cast<int64_t>(static_cast<uint64_t>(*row) - 1));
    }
    Error error = fault(before, bytes);
    error.place().table = table_index_;
    error.place().row = number_of(bad.row);
    error.place().byte = block_position + begin + error.place().byte.value_or(0);
    if (!options_.skip_bad_rows) throw Error(error);
    std::string own;
    append_row(block, bad.row, &own);
    bad_rows_.push_back({built_rows_ + bad.row, std::move(error), std::move(own)});
  }
}

void TableDecoder::append_row(const char* block, size_t row, std::string* out) const {
  // The row begins with its first segment.
  const char* at = block + places_[row];
  for (size_t i = 0; has_index_ && i < segments_.size(); ++i) {
    if (segments_[i].end != FieldEnd::Index) continue;
    const char* const tag = block + places_[i * kBlockRows + row] + segments_[i].fixed - 1;
    if (*tag != 0) continue;
    // The index follows from the row before.
    const int64_t index = *(segments_[i].column == 1 ? range_indices_ : row_indices_)[row];
    out->append(at, tag);
    out->push_back(1);
    out->append(reinterpret_cast<const char*>(&index), sizeof(index));
    at = tag + 1;
  }
  out->append(at, block + row_ends_[row]);
}

bool TableDecoder::batch_full() const {
  if (built_rows_ >= batch_rows_) return true;
  size_t memory = 0;
  for (const hub::ColumnBuilder& builder : builders_) memory += builder.memory();
  return memory >= options_.batch_bytes;
}

TableBatch TableDecoder::finish_batch() {
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
  return {table_index_, std::move(batch), std::exchange(bytes_, nullptr)};
}

}  // namespace xwalk::skiff
