#include "xwalk/skiff/table_plan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "xwalk/skiff/table_bytes_internal.h"

namespace xwalk::skiff {
namespace {

/// Most bytes of an item whose tag is read together with those of other items.
constexpr size_t kMostStride = 40;

/// Returns true for a list whose items come after a tag that only says that there is one.
bool is_list(const Codec& codec) {
  if (codec.form == Form::Dict) return true;
  return codec.form == Form::List && !codec.children[0].shares_tag;
}

/// Returns true for a tuple whose members are those of the Arrow struct.
bool is_plain_tuple(const Codec& codec) {
  return codec.absent.empty() && std::ranges::none_of(codec.members, [](int i) { return i < 0; });
}

}  // namespace

TablePlan::TablePlan(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
                     const ReadOptions& options)
    : table_(table),
      shown_(shown),
      table_index_(table_index),
      options_(options),
      batch_rows_(std::max<int64_t>(1, options.batch_rows)),
      has_index_(table.layout.row_index || table.layout.range_index) {
  builders_.reserve(shown_.fields.size());
  auto pool = std::make_shared<hub::BufferPool>();
  for (const hub::Field& field : shown_.fields) builders_.emplace_back(field, pool);
  segments_.emplace_back();
  size_t dense = 0;
  for (const Slot& slot : table_.layout.slots) add_slot(slot, &dense);
  add_sparse();
  for (Column& column : columns_) choose_method(&column);
  plan_frames();
}

void TablePlan::add_slot(const Slot& slot, size_t* dense) {
  auto current = [&]() -> Segment& { return segments_.back(); };
  auto close = [&](FieldEnd end) {
    current().end = end;
    segments_.emplace_back();
  };
  switch (slot.role) {
    case Role::Dense:
      add_dense((*dense)++);
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
      break;
  }
}

void TablePlan::add_sparse() {
  for (size_t i = table_.dense_columns; i < table_.columns.size(); ++i) {
    const BoundColumn& bound = table_.columns[i];
    Column column;
    column.presence = Presence::Sparse;
    column.sparse = static_cast<uint32_t>(i - table_.dense_columns);
    column.nullable = bound.nullable;
    column.required = !bound.nullable;
    column.codec =
        make_codec(bound.binding, yt::shape_of(bound.type, shown_.fields[i]), value_options());
    column.top = static_cast<uint32_t>(i);
    column.out = &builders_[i];
    sparse_codecs_.push_back(column.codec);
    columns_.push_back(std::move(column));
  }
}

void TablePlan::plan_frames() {
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
}

void TablePlan::add_dense(size_t index) {
  const BoundColumn& bound = table_.columns[index];
  Column column;
  column.codec =
      make_codec(bound.binding, yt::shape_of(bound.type, shown_.fields[index]), value_options());
  column.nullable = bound.nullable;
  column.top = static_cast<uint32_t>(index);
  column.out = &builders_[index];
  add_field(std::move(column));
}

void TablePlan::add_field(Column column) {
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
      if (is_plain_tuple(inner)) {
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

void TablePlan::add_child(const Column& parent, uint32_t frame, const Codec& codec,
                          hub::ColumnBuilder* out) {
  Column child;
  child.codec = codec;
  child.nullable = true;
  child.top = parent.top;
  child.frame = frame;
  child.out = out;
  add_field(std::move(child));
}

void TablePlan::add_members(const Column& column, const Codec& tuple) {
  for (size_t i = 0; i < tuple.children.size(); ++i) {
    const auto member = static_cast<size_t>(tuple.members[i]);
    add_child(column, column.frame, tuple.children[i], &column.out->child(member));
  }
  Closer closer;
  closer.frame = column.frame;
  closer.out = column.out;
  closers_.push_back(closer);
}

void TablePlan::add_list(const Column& column, const Codec& list, FieldEnd end) {
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

void TablePlan::choose_method(Column* column) {
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

void TablePlan::Frame::grow(size_t wanted, std::vector<Frame>& frames) {
  const size_t capacity = std::max(2 * wanted, size_t{2} * kBlockRows);
  places.resize(capacity * segments.size());
  for (uint32_t inner : lists) frames[inner].ends.resize(capacity);
}

void TablePlan::Frame::clear(std::vector<Frame>& frames) {
  entries = 0;
  if (places.size() / segments.size() <= 4 * kMostItems) return;
  places = {};
  for (uint32_t inner : lists) frames[inner].ends = {};
}

}  // namespace xwalk::skiff
