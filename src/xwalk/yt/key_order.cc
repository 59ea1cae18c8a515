#include "xwalk/yt/key_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/ordered_bytes.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::yt {
namespace {

using hub::Array;
using hub::Kind;
using yson::Node;

/// Tag bytes before a value. The end of a list sorts before any item, a null before any value.
constexpr char kEnd = '\0';
constexpr char kItem = '\1';
constexpr char kNull = '\0';
constexpr char kValue = '\1';

/// Bytes of a value that messages show.
constexpr size_t kShown = 40;

void append_real(double value, std::string* out) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  if (value == 0) value = 0;  // of either sign
  const auto bits = std::bit_cast<uint64_t>(std::isnan(value) ? std::nan("") : value);
  append_ordered((bits & kSign) != 0 ? ~bits : bits | kSign, out);
}

/// The kinds of values in the order of YTsaurus's EValueType.
char rank_of(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::Entity:
      break;
    case Node::Kind::Int64:
      return '\1';
    case Node::Kind::Uint64:
      return '\2';
    case Node::Kind::Double:
      return '\3';
    case Node::Kind::Boolean:
      return '\4';
    case Node::Kind::String:
      return '\5';
    case Node::Kind::List:
    case Node::Kind::Map:
      return '\6';
  }
  return '\0';
}

void append_node(const Node& node, std::string* out) {
  if (node.has_attributes() || node.is(Node::Kind::Map)) {
    throw Error(ErrorCode::Input, fmt::format("expected a value that has an order, found {}",
                                              node.has_attributes() ? "attributes" : "a map"));
  }
  if (node.is(Node::Kind::Entity)) return out->push_back(kNull);
  out->push_back(kValue);
  out->push_back(rank_of(node.kind()));
  switch (node.kind()) {
    case Node::Kind::Int64:
      return append_ordered_signed(static_cast<uint64_t>(node.as_int64()), out);
    case Node::Kind::Uint64:
      return append_ordered(node.as_uint64(), out);
    case Node::Kind::Double:
      return append_real(node.as_double(), out);
    case Node::Kind::Boolean:
      return out->push_back(node.as_boolean() ? '\1' : '\0');
    case Node::Kind::String:
      return append_ordered(node.as_string(), out);
    case Node::Kind::List:
      for (const Node& item : node.as_list()) {
        out->push_back(kItem);
        append_node(item, out);
      }
      return out->push_back(kEnd);
    case Node::Kind::Entity:
    case Node::Kind::Map:
      return;
  }
}

void append_value(const Array& array, const hub::Type& arrow, const Type& type, int64_t index,
                  UuidOrder order, std::string* out);

/// A value of a type without optional and tags, not null.
void append_bare(const Array& array, const hub::Type& arrow, const Type& type, int64_t index,
                 UuidOrder order, std::string* out) {
  const Kind kind = arrow.kind();
  if (type.is(TypeKind::Yson)) {
    // What is `#` there is null, too.
    out->pop_back();
    return append_node(yson::parse(hub::bytes_at(array, arrow, index)), out);
  }
  if (type.content() == Content::Uuid && order == UuidOrder::Rfc) {
    std::array<char, kUuidSize> stored;
    exchange_uuid_order(hub::bytes_at(array, arrow, index).data(), stored.data());
    out->append(stored.data(), stored.size());
    return;
  }
  switch (type.composition()) {
    case Composition::List: {
      const auto [first, count] = hub::items_at(array, arrow, index);
      for (int64_t i = 0; i < count; ++i) {
        out->push_back(kItem);
        append_value(array.children[0], arrow.child().type, type.item(), first + i, order, out);
      }
      return out->push_back(kEnd);
    }
    case Composition::Struct:
    case Composition::Tuple:
      for (size_t i = 0; i < type.members().size(); ++i) {
        append_value(array.children[i], arrow.child(i).type, type.members()[i].type,
                     array.offset + index, order, out);
      }
      return;
    case Composition::Variant: {
      size_t chosen = 0;
      int64_t at = array.offset + index;
      if (is_union_variant(type)) {
        std::tie(chosen, at) = hub::alternative_at(array, arrow, index);
      } else {
        while (chosen + 1 < array.children.size() && array.children[chosen].is_null(at)) ++chosen;
      }
      append_ordered(chosen, out);
      Type alternative = type.members()[chosen].type;
      if (!is_union_variant(type)) alternative = optional(std::move(alternative));
      return append_value(array.children[chosen], arrow.child(chosen).type, alternative, at, order,
                          out);
    }
    case Composition::None:
    case Composition::Optional:
    case Composition::Tagged:
    case Composition::Dict:
      break;
  }
  if (kind == Kind::Struct) {
    // An instant and its zone.
    append_ordered_signed(static_cast<uint64_t>(hub::integer_at(
                              array.children[0], arrow.child(0).type.kind(), array.offset + index)),
                          out);
    return append_ordered(
        hub::bytes_at(array.children[1], arrow.child(1).type, array.offset + index), out);
  }
  if (kind == Kind::Bool) return out->push_back(array.bit(index) ? '\1' : '\0');
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return append_real(hub::real_at(array, kind, index), out);
  }
  if (hub::is_decimal(kind)) {
    return append_ordered(hub::decimal_at(array, kind, index), out);
  }
  if (hub::is_utf8(kind) || hub::is_binary(kind) || kind == Kind::FixedSizeBinary) {
    return append_ordered(hub::bytes_at(array, arrow, index), out);
  }
  const auto bits = static_cast<uint64_t>(hub::integer_at(array, kind, index));
  if (kind == Kind::Uint64) return append_ordered(bits, out);
  append_ordered_signed(bits, out);
}

void append_value(const Array& array, const hub::Type& arrow, const Type& type, int64_t index,
                  UuidOrder order, std::string* out) {
  if (type.is(TypeKind::Tagged)) {
    return append_value(array, arrow, type.item(), index, order, out);
  }
  if (arrow.kind() == Kind::Null || array.is_null(index)) return out->push_back(kNull);
  if (arrow.kind() == Kind::Dictionary) {
    return append_value(*array.dictionary, arrow.child().type, type,
                        hub::integer_at(array, arrow.index_kind(), index), order, out);
  }
  if (arrow.kind() == Kind::RunEndEncoded) {
    return append_value(array.children[1], arrow.child(1).type, type,
                        hub::run_at(array, arrow, index), order, out);
  }
  if (type.is(TypeKind::Optional)) {
    if (!is_boxed(type)) return append_value(array, arrow, type.item(), index, order, out);
    out->push_back(kValue);
    return append_value(array.children[0], arrow.child(0).type, type.item(), array.offset + index,
                        order, out);
  }
  out->push_back(kValue);
  append_bare(array, arrow, type, index, order, out);
}

std::string text_of(const Array& array, const hub::Type& arrow, const Type& type, int64_t index) {
  const bool any = type.is(TypeKind::Optional) && type.item().is(TypeKind::Yson);
  if (any && !array.is_null(index)) {
    return yson::print(yson::parse(hub::bytes_at(array, arrow, index)));
  }
  yson::Buffer text;
  hub::append_yson(array, arrow, index, &text);
  return std::string(text.view());
}

/// Returns the column of a table by which rows are sorted, and whether keys are unique. One of a
/// type that no table has is compared as its Arrow values are, if these are numbers, text or bytes;
/// nothing for others.
std::optional<ColumnSchema> key_column(const hub::Schema& one, bool* is_unique) {
  hub::Schema plain = one;
  hub::Field& field = plain.fields.front();
  field.type = hub::Type(hub::without_encoding(field.type));
  try {
    const TableSchema table = from_arrow(plain).schema;
    *is_unique = table.unique_keys;
    return table.columns.front();
  } catch (const Error&) {
    if (!field.type.children().empty()) return std::nullopt;
    field.type = hub::Type(Kind::Int64);
    const TableSchema table = from_arrow(plain).schema;
    *is_unique = table.unique_keys;
    return table.columns.front();
  }
}

/// Returns whether a column says that rows are sorted by it.
bool is_key(const hub::Field& column) {
  const std::optional<std::string_view> text = column.metadata.find(kColumnAnnotation);
  return text && yson::parse(*text).find("sort_order") != nullptr;
}

}  // namespace

KeyOrder::KeyOrder(const hub::Schema& ordered, const hub::Schema& rows, UuidOrder order)
    : uuid_order_(order) {
  // The others need not be columns that a table may have.
  hub::Schema key = ordered;
  std::erase_if(key.fields, [](const hub::Field& column) { return !is_key(column); });
  bool is_unique = false;
  for (const hub::Field& field : key.fields) {
    hub::Schema one;
    one.fields = {field};
    one.metadata = key.metadata;
    const std::optional<ColumnSchema> column = key_column(one, &is_unique);
    const auto found = std::ranges::find(rows.fields, field.name, &hub::Field::name);
    // The columns before it are still sorted, even without this one.
    if (!column || found == rows.fields.end()) return;
    if (!column->sort_order) continue;
    columns_.push_back({static_cast<size_t>(found - rows.fields.begin()), *found, column->type,
                        *column->sort_order == SortOrder::Descending});
  }
  unique_ = is_unique && !columns_.empty();
}

bool KeyOrder::holds(size_t column) const {
  return std::ranges::find(columns_, column, &Column::place) != columns_.end();
}

std::vector<std::string> KeyOrder::columns() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.field.name);
  return names;
}

std::string KeyOrder::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) {
    names.push_back(xwalk::quoted(column.field.name) + (column.descending ? " descending" : ""));
  }
  return join(names, ", ");
}

void KeyOrder::append(const Array& rows, int64_t row, std::string* out) const {
  for (const Column& column : columns_) {
    const size_t begin = out->size();
    try {
      append_value(rows.children[column.place], column.field.type, column.type, rows.slot(row),
                   uuid_order_, out);
    } catch (Error& error) {
      if (error.place().path.empty()) error.place().path = Path::column(column.field.name);
      throw;
    }
    if (!column.descending) continue;
    for (size_t i = begin; i < out->size(); ++i) (*out)[i] = static_cast<char>(~(*out)[i]);
  }
}

std::string KeyOrder::text(const Array& rows, int64_t row) const {
  std::vector<std::string> values;
  for (const Column& column : columns_) {
    const std::string whole =
        text_of(rows.children[column.place], column.field.type, column.type, rows.slot(row));
    const std::string cut = cut_utf8(whole, kShown);
    values.push_back(cut.size() < whole.size() ? cut + "…" : cut);
  }
  return "(" + join(values, ", ") + ")";
}

}  // namespace xwalk::yt
