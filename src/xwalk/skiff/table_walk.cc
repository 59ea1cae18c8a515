#include "xwalk/skiff/table_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "xwalk/skiff/field_sequence_internal.h"
#include "xwalk/skiff/table_bytes_internal.h"

namespace xwalk::skiff {
namespace {

/// How far ahead bytes are prefetched: processors do not do it automatically across pages.
constexpr size_t kPrefetchBytes = 2048;
constexpr size_t kLineBytes = 64;
/// An offset after all bytes.
constexpr size_t kBeyond = ~size_t{0} >> 1;
/// Bytes of a block that are decoded as they are walked over, so that a column of strings needs no
/// more room, and how many such columns there may be.
constexpr size_t kDirectBytes = size_t{64} << 10;
constexpr size_t kMostDirect = 64;
/// Blocks of fewer rows are not worth the memory.
constexpr size_t kFewRows = 16;

}  // namespace

TableWalk::TableWalk(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
                     const ReadOptions& options)
    : TablePlan(table, shown, table_index, options) {
  choose_direct();
  places_.resize(segments_.size() * kBlockRows);
  sparse_places_.resize(sparse_codecs_.size() * kBlockRows);
  row_ends_.resize(kBlockRows);
  row_indices_.resize(kBlockRows);
  range_indices_.resize(kBlockRows);
}

void TableWalk::choose_direct() {
  run_segments_.resize(segments_.size());
  for (size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    run_segments_[i] = {.end = segment.end, .fixed = segment.fixed, .width = segment.width};
  }
  size_t count = 0;
  for (Column& column : columns_) {
    if (column.frame != kRoot || column.presence == Presence::Sparse) continue;
    const bool is_text = column.method == Method::Bytes || column.method == Method::Utf8;
    const bool is_word = column.presence == Presence::Tagged && column.value->wire_width == 8 &&
                         column.value->scalar.width == 8 && !column.value->check_range &&
                         (column.method == Method::Integer || column.method == Method::Real);
    column.direct = is_text || is_word;
    count += column.direct ? 1 : 0;
  }
  has_direct_ = count > 0 && count <= kMostDirect;
  if (!has_direct_) {
    for (Column& column : columns_) column.direct = false;
    return;
  }
  direct_present_.resize(segments_.size() * kBlockRows);
  unread_values_.resize(kBlockRows);
  // Values of other kinds are skipped in the same way. Those recorded for them are not used.
  for (RunSegment& run : run_segments_) {
    if (run.end != FieldEnd::Fixed) continue;
    run.end = FieldEnd::DirectFixed;
    run.values = unread_values_.data();
  }
  for (const Column& column : columns_) {
    if (!column.direct) continue;
    RunSegment& run = run_segments_[column.segment];
    if (run.end == FieldEnd::String) run.end = FieldEnd::DirectString;
    if (run.end == FieldEnd::OptionalString) run.end = FieldEnd::DirectOptionalString;
  }
  plan_run();
}

void TableWalk::open_direct(size_t begin) {
  const auto rows = std::min(static_cast<int64_t>(kBlockRows), batch_rows_ - built_rows_);
  for (const Column& column : columns_) {
    if (!column.direct) continue;
    RunSegment& run = run_segments_[column.segment];
    if (run.end == FieldEnd::DirectFixed) {
      // Memory of malloc's alignment, a whole number of words into it.
      run.values = static_cast<uint64_t*>(static_cast<void*>(column.out->open_fixed(rows)));
      continue;
    }
    // A row that is taken back may go past the bytes by a step of each field.
    char* to = column.out->open_bytes(rows, kDirectBytes + kMostFields * kStep, &run.ends);
    run.origin = to - column.out->bytes().size();
  }
  direct_begin_ = begin;
  direct_open_ = true;
}

Walk TableWalk::walk(const char* block, const char* end, IndexTracker* tracker, uint64_t row_number,
                     const char** at) {
  const Walk walked = walk_row(block, end, tracker, row_number, at);
  if (walked != Walk::Ok) drop_items(rows_);
  return walked;
}

inline Walk TableWalk::walk_field(const Segment& segment, const char* block, const char* end,
                                  IndexTracker* tracker, bool* row_implied, const char** at) {
  const char* p = *at;
  const size_t row = rows_;
  const size_t left = bytes_left(p, end);
  switch (segment.end) {
    case FieldEnd::RowEnd:
      break;
    case FieldEnd::String: {
      size_t size = load<uint32_t>(p - 4);
      if (left < size) return Walk::Short;
      p += size;
      break;
    }
    case FieldEnd::Fixed: {
      auto tag = static_cast<unsigned char>(p[-1]);
      if (tag > 1) return Walk::Broken;
      size_t size = tag != 0 ? segment.width : 0;
      if (left < size) return Walk::Short;
      p += size;
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
      break;
    }
    case FieldEnd::Value: {
      bool short_of_bytes = false;
      const char* next = skip(columns_[segment.column].codec, p, end, &short_of_bytes);
      if (next == nullptr) return short_of_bytes ? Walk::Short : Walk::Broken;
      p = next;
      break;
    }
    case FieldEnd::OptionalList:
    case FieldEnd::List: {
      if (segment.end == FieldEnd::OptionalList) {
        auto tag = static_cast<unsigned char>(p[-1]);
        if (tag > 1) return Walk::Broken;
        if (tag == 0) {
          frames_[segment.column].ends[row] = frames_[segment.column].entries;
          break;
        }
      }
      bool short_of_bytes = false;
      const char* next = skip(frames_[segment.column].list, p, end, &short_of_bytes);
      if (next == nullptr) return short_of_bytes ? Walk::Short : Walk::Broken;
      walk_list<true>(segment.column, block, static_cast<size_t>(next - block), row,
                      static_cast<size_t>(p - block));
      p = next;
      break;
    }
    case FieldEnd::Index: {
      --p;
      Walk walked = walk_index(segment.column == 1, tracker, end, &p, row_implied);
      if (walked != Walk::Ok) return walked;
      break;
    }
    case FieldEnd::Sparse: {
      Walk walked = walk_sparse(block, end, row, &p);
      if (walked != Walk::Ok) return walked;
      break;
    }
    case FieldEnd::DirectString:
    case FieldEnd::DirectOptionalString:
    case FieldEnd::DirectFixed:
      break;
  }
  *at = p;
  return Walk::Ok;
}

Walk TableWalk::walk_row(const char* block, const char* end, IndexTracker* tracker,
                         uint64_t row_number, const char** at) {
  const char* p = *at;
  size_t row = rows_;
  uint32_t* places = places_.data() + row;
  bool row_implied = false;
  for (const Segment& segment : segments_) {
    if (bytes_left(p, end) < segment.fixed) return Walk::Short;
    *places = static_cast<uint32_t>(p - block);
    places += kBlockRows;
    p += segment.fixed;
    const Walk walked = walk_field(segment, block, end, tracker, &row_implied, &p);
    if (walked != Walk::Ok) return walked;
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

size_t TableWalk::walk_run(const char* block, const char* end, size_t most_bytes,
                           uint64_t row_number, const char** at) {
  if (has_index_ || bytes_left(*at, end) < probe_ + sizeof(uint16_t)) return 0;
  // Rows that the careful walk found are not decoded yet: those after them have to wait.
  const bool direct =
      has_direct_ && rows_ == direct_rows_ &&
      batch_rows_ - built_rows_ - static_cast<int64_t>(rows_) >= static_cast<int64_t>(kFewRows);
  return direct ? walk_run_of<true>(block, end, most_bytes, row_number, at)
                : walk_run_of<false>(block, end, most_bytes, row_number, at);
}

template <TableWalk::FieldEnd end>
inline bool TableWalk::RunSegment::pass(const RunRow& at, size_t index, size_t* offset) const {
  at.places[index * kBlockRows] = static_cast<uint32_t>(*offset);
  // The next field waits for as little as can be: a load, a mask and an addition. A branch would be
  // foreseen wrong for each absent value.
  const char* const value = after_fixed + *offset;
  const size_t after = *offset + fixed;
  if constexpr (end == FieldEnd::DirectString) {
    const size_t size = load<uint32_t>(value - sizeof(uint32_t));
    *offset = after + size;
    return take_bytes(at, value, size, *offset);
  } else {
    const auto tag = static_cast<unsigned char>(value[-1]);
    at.present[index * kBlockRows] = tag;
    const size_t mask = -size_t{tag};
    // A mask of another tag may lead past the bytes, so nothing after it is read.
    if constexpr (end == FieldEnd::DirectFixed) {
      values[at.row] = load<uint64_t>(value) & mask;
      *offset = after + (width & mask);
      return tag <= 1;
    } else {
      const size_t size = load<uint32_t>(value);
      *offset = after + ((size + sizeof(uint32_t)) & mask);
      const size_t held = size & mask;
      return tag <= 1 && take_bytes(at, value + sizeof(uint32_t), held, *offset);
    }
  }
}

inline bool TableWalk::RunSegment::take_bytes(const RunRow& at, const char* from, size_t size,
                                              size_t after) const {
  // The end of the string before, of this block or another, comes before this one's.
  int32_t* const its_end = ends + at.row;
  const int32_t begin = *(its_end - 1);
  if (size <= kStep) [[likely]] {
    std::memcpy(origin + begin, from, kStep);
  } else {
    if (after > at.limit) return false;
    std::memcpy(origin + begin, from, size);
  }
  *its_end = begin + static_cast<int32_t>(size);
  return true;
}

template <TableWalk::FieldEnd... ends>
size_t TableWalk::walk_fields(const RunSegment* run, const RunRow& at, size_t offset) {
  // Bytes are stored meanwhile, and may alias anything but a local variable: gcc keeps one in
  // registers, but not a parameter.
  const RunRow its = at;
  auto pass = [&]<size_t... i>(std::index_sequence<i...>) {
    return (run[i].template pass<ends>(its, i, &offset) && ...);
  };
  return pass(std::make_index_sequence<sizeof...(ends)>()) ? offset : kBeyond;
}

/// The functions of direct fields that follow each other.
struct TableWalk::FieldWalks {
  using Function = WalkFields;
  static constexpr std::array kKinds = {FieldEnd::DirectString, FieldEnd::DirectOptionalString,
                                        FieldEnd::DirectFixed};
  template <FieldEnd... ends>
  static constexpr Function kFunction = &walk_fields<ends...>;
};

void TableWalk::plan_run() {
  // The last segment ends with the row.
  const size_t segments = run_segments_.size() - 1;
  for (size_t i = 0; i < segments;) {
    FieldSequence<FieldWalks, kMostFields> fields;
    size_t bytes = 0;
    while (i + fields.count() < segments) {
      const RunSegment& run = run_segments_[i + fields.count()];
      if (!fields.add(run.end)) break;
      bytes += run.fixed + std::max(run.width, kFieldBytes);
    }
    run_steps_.push_back({fields.function(), i});
    // The end of the bytes is checked before each step, and after long strings.
    probe_ = std::max(probe_, bytes);
    i += std::max<size_t>(fields.count(), 1);
  }
}

inline size_t TableWalk::walk_segment(const Segment& segment, const char* block, const char* end,
                                      size_t row, size_t offset, size_t limit) {
  offset += segment.fixed;
  const char* p = block + offset;
  switch (segment.end) {
    case FieldEnd::RowEnd:
      break;
    case FieldEnd::String:
      offset += load<uint32_t>(p - sizeof(uint32_t));
      break;
    case FieldEnd::Fixed: {
      const auto tag = static_cast<unsigned char>(p[-1]);
      if (tag > 1) return kBeyond;
      if (tag != 0) [[likely]]
        offset += segment.width;
      break;
    }
    case FieldEnd::OptionalString: {
      const auto tag = static_cast<unsigned char>(p[-1]);
      if (tag > 1) return kBeyond;
      // An absent value has no bytes; multiplying saves a branch on what the data say.
      offset += tag * (size_t{load<uint32_t>(p)} + sizeof(uint32_t));
      break;
    }
    case FieldEnd::OptionalList: {
      const auto tag = static_cast<unsigned char>(p[-1]);
      if (tag > 1) return kBeyond;
      if (tag == 0) {
        frames_[segment.column].ends[row] = frames_[segment.column].entries;
        break;
      }
      [[fallthrough]];
    }
    case FieldEnd::List:
      return walk_list<false>(segment.column, block, limit, row, offset);
    case FieldEnd::Value:
    case FieldEnd::Sparse:
      return walk_varying(segment, block, end, row, offset);
    case FieldEnd::Index:
    case FieldEnd::DirectString:
    case FieldEnd::DirectOptionalString:
    case FieldEnd::DirectFixed:
      return kBeyond;
  }
  return offset;
}

template <bool direct>
size_t TableWalk::walk_run_of(const char* block, const char* end, size_t most_bytes,
                              uint64_t row_number, const char** at) {
  // Everything is an offset from the block: a length may point far after the bytes.
  auto begin = static_cast<size_t>(*at - block);
  const size_t whole = bytes_left(block, end) - probe_;
  size_t limit = whole;
  size_t stop = std::min(limit - sizeof(uint16_t), most_bytes);
  if (direct) {
    if (!direct_open_) open_direct(begin);
    limit = std::min(limit, direct_begin_ + kDirectBytes);
    stop = std::min(stop, limit);
  }
  auto most_rows = static_cast<size_t>(std::min<int64_t>(kBlockRows, batch_rows_ - built_rows_) -
                                       static_cast<int64_t>(rows_));
  size_t row = rows_;
  size_t end_row = rows_ + most_rows;
  size_t row_bytes = kLineBytes;
  RunSegment* const run = run_segments_.data();
  for (size_t i = 0; direct && i < segments_.size(); ++i) run[i].after_fixed = block + run[i].fixed;
  const size_t last_place = (segments_.size() - 1) * kBlockRows;
  const size_t last_fixed = segments_.back().fixed;
  bool cut = false;
  for (; row < end_row && begin <= stop && !items_full_; ++row) {
    if (load<uint16_t>(block + begin) != table_index_) break;
    size_t offset = begin + sizeof(uint16_t);
    // Two lines of every row: whether a short one has them is not foreseen.
    __builtin_prefetch(block + begin + kPrefetchBytes);
    __builtin_prefetch(block + begin + kPrefetchBytes + kLineBytes);
    for (size_t line = 2 * kLineBytes; line < row_bytes; line += kLineBytes) {
      __builtin_prefetch(block + begin + kPrefetchBytes + line);
    }
    uint32_t* const places = places_.data() + row;
    if (direct) {
      for (const RunStep& step : run_steps_) {
        const size_t first = step.first * kBlockRows + row;
        uint32_t* const place = places_.data() + first;
        if (step.walk != nullptr) {
          offset = step.walk(run + step.first, {limit, place, direct_present_.data() + first, row},
                             offset);
        } else {
          *place = static_cast<uint32_t>(offset);
          offset = walk_segment(segments_[step.first], block, end, row, offset, limit);
        }
        if (offset > limit) break;
      }
      places[last_place] = static_cast<uint32_t>(offset);
      offset += last_fixed;
    } else {
      uint32_t* place = places;
      for (const Segment& segment : segments_) {
        *place = static_cast<uint32_t>(offset);
        place += kBlockRows;
        offset = walk_segment(segment, block, end, row, offset, limit);
        if (offset > limit) break;
      }
    }
    // The careful walk finds the error, or that only the end is near.
    if (offset > limit) {
      drop_items(row);
      cut = true;
      break;
    }
    row_ends_[row] = static_cast<uint32_t>(offset);
    row_bytes = std::min(offset - begin, kPrefetchBytes);
    begin = offset;
  }
  size_t walked = row - rows_;
  if (direct) {
    direct_rows_ = row;
    direct_full_ = row > 0 && limit < whole && (cut || begin > stop);
  }
  if (walked == 0) return 0;
  note_row(row_number);
  rows_ = row;
  *at = block + begin;
  return walked;
}

inline size_t TableWalk::walk_strided(Frame& frame, const char* block, size_t limit,
                                      size_t* entries, size_t offset) {
  // The tags of some items at once: how many there are costs no branch that the data decide.
  while (true) {
    if (offset > limit) return kBeyond;
    frame.reserve(*entries + kItems, frames_);
    unsigned ended = 1u << kItems;
    for (size_t i = 0; i < kItems; ++i) {
      ended |= unsigned{block[offset + i * frame.stride] != 0} << i;
    }
    uint32_t* places = frame.places.data() + *entries;
    for (size_t i = 0; i < kItems; ++i) {
      places[i] = static_cast<uint32_t>(offset) + frame.steps[i];
    }
    auto count = static_cast<size_t>(std::countr_zero(ended));
    *entries += count;
    offset += count * frame.stride;
    if (count < kItems) break;
  }
  if (static_cast<unsigned char>(block[offset]) != frame.last_tag) return kBeyond;
  return offset + 1;
}

template <bool trusted>
inline size_t TableWalk::walk_item(const Frame& frame, const char* block, size_t limit,
                                   size_t entry, uint32_t* places, size_t offset) {
  unsigned tags = 0;
  for (const Segment& segment : frame.segments) {
    if (offset > limit) return kBeyond;
    *places++ = static_cast<uint32_t>(offset);
    offset += segment.fixed;
    const char* p = block + offset;
    switch (segment.end) {
      case FieldEnd::String:
        offset += load<uint32_t>(p - sizeof(uint32_t));
        break;
      case FieldEnd::Fixed: {
        auto present = static_cast<unsigned char>(p[-1]);
        tags |= present;
        offset += present != 0 ? segment.width : 0;
        break;
      }
      case FieldEnd::OptionalString: {
        auto present = static_cast<unsigned char>(p[-1]);
        tags |= present;
        if (!trusted || present != 0) {
          offset += present * (size_t{load<uint32_t>(p)} + sizeof(uint32_t));
        }
        break;
      }
      case FieldEnd::OptionalList: {
        auto present = static_cast<unsigned char>(p[-1]);
        tags |= present;
        if (present == 0) {
          frames_[segment.column].ends[entry] = frames_[segment.column].entries;
          break;
        }
        [[fallthrough]];
      }
      case FieldEnd::List:
        offset = walk_list<trusted>(segment.column, block, limit, entry, offset);
        break;
      case FieldEnd::Value: {
        bool ignored = false;
        const char* next = skip(columns_[segment.column].codec, p, block + limit, &ignored);
        if (next == nullptr) return kBeyond;
        offset = static_cast<size_t>(next - block);
        break;
      }
      case FieldEnd::RowEnd:
      case FieldEnd::Sparse:
      case FieldEnd::Index:
      case FieldEnd::DirectString:
      case FieldEnd::DirectOptionalString:
      case FieldEnd::DirectFixed:
        break;
    }
  }
  return tags > 1 ? kBeyond : offset;
}

template <bool trusted>
size_t TableWalk::walk_list(uint32_t index, const char* block, size_t limit, size_t entry,
                            size_t offset) {
  Frame& frame = frames_[index];
  size_t entries = frame.entries;
  if (!trusted && frame.stride != 0) {
    offset = walk_strided(frame, block, limit, &entries, offset);
    if (offset == kBeyond) return kBeyond;
  } else {
    const size_t count = frame.segments.size();
    while (true) {
      if (offset > limit) return kBeyond;
      const size_t tag = frame.tag_bytes == 1 ? size_t{load<uint8_t>(block + offset)}
                                              : size_t{load<uint16_t>(block + offset)};
      offset += frame.tag_bytes;
      if (tag != 0) {
        if (tag != frame.last_tag) return kBeyond;
        break;
      }
      frame.reserve(entries + 1, frames_);
      uint32_t* places = frame.places.data() + entries * count;
      offset = walk_item<trusted>(frame, block, limit, entries, places, offset);
      if (offset == kBeyond) return kBeyond;
      ++entries;
    }
  }
  items_full_ |= entries >= kMostItems;
  frame.entries = static_cast<uint32_t>(entries);
  frame.ends[entry] = frame.entries;
  return offset;
}

void TableWalk::drop_items(size_t row) {
  for (Frame& frame : frames_) {
    const size_t kept = frame.parent == kRoot ? row : frames_[frame.parent].entries;
    frame.entries = kept == 0 ? 0 : frame.ends[kept - 1];
  }
}

size_t TableWalk::row_of(uint32_t frame, size_t entry) const {
  while (frame != kRoot) {
    const Frame& list = frames_[frame];
    // The first list that ends after the item.
    const auto first = list.ends.begin();
    const auto last = first + static_cast<ptrdiff_t>(entries_of(list.parent));
    entry = static_cast<size_t>(std::upper_bound(first, last, entry) - first);
    frame = list.parent;
  }
  return entry;
}

size_t TableWalk::walk_varying(const Segment& segment, const char* block, const char* end,
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

void TableWalk::note_row(uint64_t row_number) {
  if (rows_ == 0) runs_.clear();
  bool follows = !runs_.empty() && runs_.back().number + (rows_ - runs_.back().row) == row_number;
  if (!follows) runs_.push_back({rows_, row_number});
}

uint64_t TableWalk::number_of(size_t row) const {
  const Run* run = &runs_.back();
  while (run->row > row) --run;
  return run->number + (row - run->row);
}

Walk TableWalk::walk_index(bool range, IndexTracker* tracker, const char* end, const char** at,
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

Walk TableWalk::walk_sparse(const char* block, const char* end, size_t row, const char** at) {
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

}  // namespace xwalk::skiff
