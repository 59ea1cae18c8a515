#include "xwalk/skiff/row_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/hub.h"

namespace xwalk::skiff {
namespace {

/// Returns true for a list of integers or doubles, as wide in Arrow as in Skiff.
bool is_plain_list(const Codec& codec) {
  if (codec.form != Form::List || codec.children[0].any) return false;
  const Codec& item = codec.children[0];
  if (item.form == Form::Double) return item.scalar.width == sizeof(double);
  const bool is_integer = item.form == Form::Signed || item.form == Form::Unsigned;
  return is_integer && item.wire_width == item.scalar.width;
}

/// Returns true for a tuple that has an Arrow child for each of its members.
bool is_flat(const Codec& codec) {
  return codec.form == Form::Tuple &&
         std::ranges::none_of(codec.members, [](int i) { return i < 0; });
}

/// Chooses how the values of a column are written.
void choose_method(RowColumn* column) {
  const Codec* value = column->codec;
  bool optional = false;
  if (value->form == Form::Optional && !value->wrapped) {
    optional = true;
    column->required = value->required;
    value = &value->children[0];
    // The optional around it has written the null of a yson32.
    if (value->form == Form::Present && !value->wrapped) value = &value->children[0];
  } else if (value->form == Form::Present && !value->wrapped && value->wire != WireType::Yson32) {
    value = &value->children[0];
  }
  column->value = value;
  bool plain_text = value->form == Form::String && !value->scalar.is_coded();
  if (value->form == Form::Nothing && !optional && !value->any) {
    column->method = Method::Nothing;
  } else if (value->any && value->form != Form::Yson) {
    column->method = Method::Scratch;
  } else if (value->form == Form::Signed || value->form == Form::Unsigned) {
    column->method = Method::Integer;
  } else if (value->form == Form::Double) {
    column->method = Method::Real;
  } else if (value->form == Form::Boolean) {
    column->method = Method::Boolean;
  } else if (plain_text || value->form == Form::Yson) {
    column->method = Method::Bytes;
  } else if (is_plain_list(*value)) {
    column->method = Method::List;
  }
  // Bytes of scratches begin with the tag.
  column->optional = optional && column->method != Method::Scratch;
}

}  // namespace

RowPlan::RowPlan(const Schema& schema, uint32_t table, yt::ValueOptions values)
    : table_index(static_cast<uint16_t>(table)) {
  if (table >= schema.format.tables.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a table below {}, found {}",
                                              schema.format.tables.size(), table));
  }
  bound = bind_table(schema.format.tables[table], schema.table_schema(table), Flow::Write);
  arrow = to_arrow(bound);
  for (size_t i = 0; i < bound.columns.size(); ++i) {
    const BoundColumn& column = bound.columns[i];
    codecs.push_back(
        make_codec(column.binding, yt::shape_of(column.type, arrow.fields[i]), values));
  }
  if (bound.layout.has_other_columns) {
    values.skip_null_values = true;
    others.emplace(bound.others, values);
  }
  size_t dense = 0;
  for (const Slot& slot : bound.layout.slots) add_slot(slot, &dense);
}

void RowPlan::add_slot(const Slot& slot, size_t* dense) {
  RowColumn column;
  column.role = slot.role;
  switch (slot.role) {
    case Role::Dense:
      column.field = (*dense)++;
      column.codec = &codecs[column.field];
      add_dense(column);
      return;
    case Role::KeySwitch:
      column.method = Method::KeySwitch;
      break;
    case Role::Other:
      column.field = bound.columns.size();
      break;
    case Role::Sparse:
    case Role::RowIndex:
    case Role::RangeIndex:
      break;
  }
  add(column);
}

/// Adds a column, or the columns of its members if it is a struct.
void RowPlan::add_dense(RowColumn column) {
  if (!is_flat(*column.codec)) {
    choose_method(&column);
    add(column);
    return;
  }
  outers.push_back({column.field, column.members});
  const Codec& tuple = *column.codec;
  for (size_t i = 0; i < tuple.children.size(); ++i) {
    RowColumn member;
    member.field = column.field;
    member.members = column.members;
    member.members.push_back(static_cast<size_t>(tuple.members[i]));
    member.codec = &tuple.children[i];
    add_dense(std::move(member));
  }
}

void RowPlan::add(RowColumn column) {
  if (column.optional) fixed_bytes += 1;
  if (column.method == Method::KeySwitch) fixed_bytes += 1;
  if (column.method == Method::Scratch) column.scratch = scratches++;
  const bool is_fixed = column.method == Method::Integer || column.method == Method::Real ||
                        column.method == Method::Boolean;
  if (is_fixed) fixed_bytes += column.value->wire_width;
  columns.push_back(std::move(column));
}

}  // namespace xwalk::skiff
