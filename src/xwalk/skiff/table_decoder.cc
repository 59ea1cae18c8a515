#include "xwalk/skiff/table_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/fault.h"
#include "xwalk/skiff/field_sequence_internal.h"
#include "xwalk/skiff/wire_value.h"
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
/// What is looked at behind the tag or the fixed bytes of a field: a length and a step of a string.
constexpr size_t kFieldBytes = sizeof(uint32_t) + kStep;
/// Bytes of a block from where on the strings of a column are measured before they are copied.
constexpr size_t kMeasuredBytes = size_t{256} << 10;
/// An offset behind all bytes.
constexpr size_t kBeyond = ~size_t{0} >> 1;
/// Items of lists from where on a block is cut, however few its rows are.
constexpr size_t kMostItems = size_t{64} << 10;
/// Items of lists whose tags are looked at a time have at most so many bytes.
constexpr size_t kMostStride = 40;
/// Bytes of a block that are decoded as they are walked over, so that a column of strings needs no
/// more room, and how many such columns there may be.
constexpr size_t kDirectBytes = size_t{64} << 10;
constexpr size_t kMostDirect = 64;
/// Blocks of fewer rows are not worth the room.
constexpr size_t kFewRows = 16;
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

bool is_ascii(std::string_view bytes) {
  char all = 0;
  for (const char byte : bytes) all = static_cast<char>(all | byte);
  return (all & 0x80) == 0;
}

size_t bytes_left(const char* at, const char* end) { return static_cast<size_t>(end - at); }

/// Returns true for a list whose items stand behind a tag that only says that there is one.
bool is_list(const Codec& codec) {
  if (codec.form == Form::Dict) return true;
  return codec.form == Form::List && !codec.children[0].shares_tag;
}

/// Returns true for a tuple whose members are those of the Arrow struct.
bool is_flat(const Codec& codec) {
  return codec.absent.empty() && std::ranges::none_of(codec.members, [](int i) { return i < 0; });
}

}  // namespace

TableDecoder::TableDecoder(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
                           const ReadOptions& options)
    : table_(table),
      shown_(shown),
      table_index_(table_index),
      options_(options),
      batch_rows_(std::max<int64_t>(1, options.batch_rows)) {
  builders_.reserve(shown_.fields.size());
  auto pool = std::make_shared<hub::BufferPool>();
  for (const hub::Field& shown_field : shown_.fields) builders_.emplace_back(shown_field, pool);
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
        add_dense(dense++, shown_.fields[field++]);
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
        others_.emplace(table_.others, value_options());
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
    column.codec = make_codec(bound.binding, yt::shape_of(bound.type, shown_.fields[field++]),
                              value_options());
    column.top = static_cast<uint32_t>(i);
    column.out = &builders_[i];
    sparse_codecs_.push_back(column.codec);
    columns_.push_back(std::move(column));
  }
  for (Column& column : columns_) choose_method(&column);
  choose_direct();
  places_.resize(segments_.size() * kBlockRows);
  sparse_places_.resize(sparse_codecs_.size() * kBlockRows);
  row_ends_.resize(kBlockRows);
  has_index_ = table_.layout.row_index || table_.layout.range_index;
  for (const Segment& segment : segments_) {
    probe_ = std::max<size_t>(probe_, segment.fixed + kFieldBytes);
  }
  for (Frame& frame : frames_) {
    for (const Segment& segment : frame.segments) {
      probe_ = std::max<size_t>(probe_, segment.fixed + 2 * sizeof(uint32_t));
    }
    size_t stride = frame.tag_bytes + frame.segments[0].fixed;
    if (frame.segments.size() == 1 && frame.tag_bytes == 1 && stride <= kMostStride) {
      frame.stride = stride;
      for (size_t i = 0; i < kItems; ++i) frame.steps[i] = static_cast<uint32_t>(1 + i * stride);
      probe_ = std::max(probe_, kItems * stride + sizeof(uint32_t));
    }
    if (frame.parent == kRoot) frame.ends.resize(kBlockRows);
  }
  row_indices_.resize(kBlockRows);
  range_indices_.resize(kBlockRows);
}

void TableDecoder::add_dense(size_t index, const hub::Field& field) {
  const BoundColumn& bound = table_.columns[index];
  Column column;
  column.codec = make_codec(bound.binding, yt::shape_of(bound.type, field), value_options());
  column.nullable = bound.nullable;
  column.top = static_cast<uint32_t>(index);
  column.out = &builders_[index];
  add_field(std::move(column));
}

void TableDecoder::add_field(Column column) {
  const uint32_t frame = column.frame;
  Segment& segment = segments_of(frame).back();
  column.segment = static_cast<uint32_t>(segments_of(frame).size() - 1);
  column.offset = segment.fixed;
  const Codec& codec = column.codec;
  const Codec& inner = codec.form == Form::Present && !codec.wrapped ? codec.children[0] : codec;
  auto close = [&](FieldEnd end) {
    segment.end = end;
    segments_of(frame).emplace_back();
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
      if (!inner.wrapped && is_list(value) && tag_width(inner.wire) == 1) {
        segment.fixed += 1;
        add_list(column, value, FieldEnd::OptionalList);
        return;
      }
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
    case Form::List:
    case Form::Dict:
      if (is_list(inner)) {
        add_list(column, inner, FieldEnd::List);
        return;
      }
      segment.column = static_cast<uint32_t>(columns_.size());
      close(FieldEnd::Value);
      break;
    case Form::Tuple:
      if (is_flat(inner)) {
        add_members(column, inner);
        return;
      }
      [[fallthrough]];
    case Form::Present:
    case Form::Variant:
      segment.column = static_cast<uint32_t>(columns_.size());
      close(FieldEnd::Value);
      break;
  }
  columns_.push_back(std::move(column));
}

void TableDecoder::add_child(const Column& parent, uint32_t frame, const Codec& codec,
                             hub::ColumnBuilder* out) {
  Column child;
  child.codec = codec;
  child.nullable = true;
  child.top = parent.top;
  child.frame = frame;
  child.out = out;
  add_field(std::move(child));
}

void TableDecoder::add_members(const Column& column, const Codec& tuple) {
  for (size_t i = 0; i < tuple.children.size(); ++i) {
    const auto member = static_cast<size_t>(tuple.members[i]);
    add_child(column, column.frame, tuple.children[i], &column.out->child(member));
  }
  Closer closer;
  closer.frame = column.frame;
  closer.out = column.out;
  closers_.push_back(closer);
}

void TableDecoder::add_list(const Column& column, const Codec& list, FieldEnd end) {
  const auto index = static_cast<uint32_t>(frames_.size());
  {
    Frame& frame = frames_.emplace_back();
    frame.parent = column.frame;
    frame.list = list;
    frame.tag_bytes = tag_width(list.wire);
    frame.last_tag = max_children(list.wire);
    frame.segments.emplace_back();
  }
  hub::ColumnBuilder* items = &column.out->child(0);
  if (list.form == Form::Dict) {
    for (size_t part = 0; part < 2; ++part) {
      add_child(column, index, list.children[part], &items->child(part));
    }
    Closer entries;
    entries.frame = index;
    entries.out = items;
    closers_.push_back(entries);
  } else {
    add_child(column, index, list.children[0], items);
  }
  if (column.frame != kRoot) frames_[column.frame].lists.push_back(index);
  Closer closer;
  closer.frame = column.frame;
  closer.out = column.out;
  closer.list = index;
  closer.segment = column.segment;
  closer.top = column.top;
  if (end == FieldEnd::OptionalList) {
    closer.tagged = true;
    closer.offset = column.offset;
    const Codec& codec = column.codec;
    closer.required =
        (codec.form == Form::Present ? codec.children[0] : codec).required || !column.nullable;
  }
  closers_.push_back(closer);
  Segment& segment = segments_of(column.frame).back();
  segment.end = end;
  segment.column = index;
  segments_of(column.frame).emplace_back();
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

void TableDecoder::choose_direct() {
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
  // Values of other kinds are passed in the same way, and what is taken of them is not read.
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

void TableDecoder::open_direct(size_t begin) {
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

Walk TableDecoder::walk(const char* block, const char* end, IndexTracker* tracker,
                        uint64_t row_number, const char** at) {
  const Walk walked = walk_row(block, end, tracker, row_number, at);
  if (walked != Walk::Ok) drop_items(rows_);
  return walked;
}

Walk TableDecoder::walk_row(const char* block, const char* end, IndexTracker* tracker,
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
      case FieldEnd::DirectString:
      case FieldEnd::DirectOptionalString:
      case FieldEnd::DirectFixed:
        break;
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
  // Rows that the careful walk found are not decoded yet: those behind them have to wait.
  const bool direct =
      has_direct_ && rows_ == direct_rows_ &&
      batch_rows_ - built_rows_ - static_cast<int64_t>(rows_) >= static_cast<int64_t>(kFewRows);
  return direct ? walk_run_of<true>(block, end, most_bytes, row_number, at)
                : walk_run_of<false>(block, end, most_bytes, row_number, at);
}

template <TableDecoder::FieldEnd end>
inline bool TableDecoder::RunSegment::pass(const RunRow& at, size_t index, size_t* offset) const {
  at.places[index * kBlockRows] = static_cast<uint32_t>(*offset);
  // The next field waits for as little as can be: a load, a mask and an addition. A branch would be
  // foreseen wrong for each absent value.
  const char* const value = behind_fixed + *offset;
  const size_t behind = *offset + fixed;
  if constexpr (end == FieldEnd::DirectString) {
    const size_t size = load<uint32_t>(value - sizeof(uint32_t));
    *offset = behind + size;
    return take_bytes(at, value, size, *offset);
  } else {
    const auto tag = static_cast<unsigned char>(value[-1]);
    at.present[index * kBlockRows] = tag;
    const size_t mask = -size_t{tag};
    // A mask of another tag may lead past the bytes: nothing behind it is looked at.
    if constexpr (end == FieldEnd::DirectFixed) {
      values[at.row] = load<uint64_t>(value) & mask;
      *offset = behind + (width & mask);
      return tag <= 1;
    } else {
      const size_t size = load<uint32_t>(value);
      *offset = behind + ((size + sizeof(uint32_t)) & mask);
      const size_t held = size & mask;
      return tag <= 1 && take_bytes(at, value + sizeof(uint32_t), held, *offset);
    }
  }
}

inline bool TableDecoder::RunSegment::take_bytes(const RunRow& at, const char* from, size_t size,
                                                 size_t behind) const {
  // The end of the string before, of this block or another, stands before this one's.
  int32_t* const its_end = ends + at.row;
  const int32_t begin = *(its_end - 1);
  if (size <= kStep) [[likely]] {
    std::memcpy(origin + begin, from, kStep);
  } else {
    if (behind > at.limit) return false;
    std::memcpy(origin + begin, from, size);
  }
  *its_end = begin + static_cast<int32_t>(size);
  return true;
}

template <TableDecoder::FieldEnd... ends>
size_t TableDecoder::walk_fields(const RunSegment* run, const RunRow& at, size_t offset) {
  // Bytes are stored meanwhile, which may be anything but a variable of its own: gcc keeps one in
  // registers, and a parameter it does not.
  const RunRow its = at;
  auto pass = [&]<size_t... i>(std::index_sequence<i...>) {
    return (run[i].template pass<ends>(its, i, &offset) && ...);
  };
  return pass(std::make_index_sequence<sizeof...(ends)>()) ? offset : kBeyond;
}

/// The functions of direct fields that follow each other.
struct TableDecoder::FieldWalks {
  using Function = WalkFields;
  static constexpr std::array kKinds = {FieldEnd::DirectString, FieldEnd::DirectOptionalString,
                                        FieldEnd::DirectFixed};
  template <FieldEnd... ends>
  static constexpr Function kFunction = &walk_fields<ends...>;
};

void TableDecoder::plan_run() {
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
    // The end of the bytes is looked at before each step, and after long strings.
    probe_ = std::max(probe_, bytes);
    i += std::max<size_t>(fields.count(), 1);
  }
}

inline size_t TableDecoder::walk_segment(const Segment& segment, const char* block, const char* end,
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
size_t TableDecoder::walk_run_of(const char* block, const char* end, size_t most_bytes,
                                 uint64_t row_number, const char** at) {
  // Everything is an offset from the block: a length may point far behind the bytes.
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
  for (size_t i = 0; direct && i < segments_.size(); ++i)
    run[i].behind_fixed = block + run[i].fixed;
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
    // The careful walk finds out what is wrong, or that only the end is near.
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

template <bool trusted>
size_t TableDecoder::walk_list(uint32_t index, const char* block, size_t limit, size_t entry,
                               size_t offset) {
  Frame& frame = frames_[index];
  size_t entries = frame.entries;
  if (!trusted && frame.stride != 0) {
    // The tags of some items at once: how many there are costs no branch that the data decide.
    while (true) {
      if (offset > limit) return kBeyond;
      frame.reserve(entries + kItems, frames_);
      unsigned ended = 1u << kItems;
      for (size_t i = 0; i < kItems; ++i) {
        ended |= unsigned{block[offset + i * frame.stride] != 0} << i;
      }
      uint32_t* places = frame.places.data() + entries;
      for (size_t i = 0; i < kItems; ++i) {
        places[i] = static_cast<uint32_t>(offset) + frame.steps[i];
      }
      auto count = static_cast<size_t>(std::countr_zero(ended));
      entries += count;
      offset += count * frame.stride;
      if (count < kItems) break;
    }
    if (static_cast<unsigned char>(block[offset]) != frame.last_tag) return kBeyond;
    ++offset;
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
              frames_[segment.column].ends[entries] = frames_[segment.column].entries;
              break;
            }
            [[fallthrough]];
          }
          case FieldEnd::List:
            offset = walk_list<trusted>(segment.column, block, limit, entries, offset);
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
      if (tags > 1) return kBeyond;
      ++entries;
    }
  }
  items_full_ |= entries >= kMostItems;
  frame.entries = static_cast<uint32_t>(entries);
  frame.ends[entry] = frame.entries;
  return offset;
}

void TableDecoder::Frame::reserve(size_t wanted, std::vector<Frame>& frames) {
  if (wanted * segments.size() <= places.size()) [[likely]]
    return;
  const size_t room = std::max(2 * wanted, size_t{2} * kBlockRows);
  places.resize(room * segments.size());
  for (uint32_t inner : lists) frames[inner].ends.resize(room);
}

void TableDecoder::Frame::clear(std::vector<Frame>& frames) {
  entries = 0;
  if (places.size() / segments.size() <= 4 * kMostItems) return;
  places = {};
  for (uint32_t inner : lists) frames[inner].ends = {};
}

void TableDecoder::drop_items(size_t row) {
  for (Frame& frame : frames_) {
    const size_t kept = frame.parent == kRoot ? row : frames_[frame.parent].entries;
    frame.entries = kept == 0 ? 0 : frame.ends[kept - 1];
  }
}

size_t TableDecoder::row_of(uint32_t frame, size_t entry) const {
  while (frame != kRoot) {
    const Frame& list = frames_[frame];
    // The first list that ends behind the item.
    const auto first = list.ends.begin();
    const auto last = first + static_cast<ptrdiff_t>(entries_of(list.parent));
    entry = static_cast<size_t>(std::upper_bound(first, last, entry) - first);
    frame = list.parent;
  }
  return entry;
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
    for (size_t i = 0; i < count; ++i) words_[i] = static_cast<int64_t>(wires[i]);
  };
  int64_t* words = words_.data();
  bool in_place = value.wire_width == 8 && value.scalar.width == 8;
  if (in_place) {
    // extend_fixed gives memory of malloc's alignment, a whole number of words into it.
    words = static_cast<int64_t*>(static_cast<void*>(out->extend_fixed(rows)));
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
      for (size_t i = 0; i < count; ++i) outside |= words[i] < low || words[i] > high;
    } else {
      uint64_t high = value.scalar.range.max;
      for (size_t i = 0; i < count; ++i) outside |= static_cast<uint64_t>(words[i]) > high;
    }
    if (outside) {
      for (size_t i = 0; i < count; ++i) {
        bool good = is_signed ? value.scalar.range.contains(words[i])
                              : value.scalar.range.contains(static_cast<uint64_t>(words[i]));
        if (good) continue;
        note_bad(column, i);
        words[i] = 0;
      }
    }
  }
  if (!in_place) store_narrow(words, value.scalar.width, out);
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
    if (!yt::fits_float(value)) {
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
      // The row is refused, but its column must still be UTF-8 as a whole.
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

void TableDecoder::decode_each(const Column& column, const char* block, hub::ColumnBuilder* out) {
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
    if (append_value(column.codec, at, out) != nullptr) continue;
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
      decode_each(column, block, out);
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
  size_t next = table_.columns.size();
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
  std::optional<Error> found = find_fault(table_, shown_, value_options(), before, bytes);
  if (found) return std::move(*found);
  return {ErrorCode::Internal, "a row was refused without a fault"};
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
