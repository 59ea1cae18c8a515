#include "xwalk/skiff/table_nodes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/append.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/skiff/fit.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/scalar_codec.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/value_path.h"

namespace xwalk::skiff {
namespace {

using hub::Array;
using hub::ColumnBuilder;
using yson::Node;
using yt::Content;
using yt::Nesting;
using yt::TypeKind;

[[noreturn]] void fail(const Path& path, std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Input, std::move(message), {.path = path}, std::move(hint));
}

/// Adds the path to an error.
template <typename Check>
void located(const Path& path, const Check& check) {
  try {
    check();
  } catch (Error& error) {
    error.place().path = path;
    throw;
  }
}

void expect_kind(const Node& node, Node::Kind kind, std::string_view word, const Path& path) {
  if (node.is(kind)) return;
  fail(path, fmt::format("expected {}, found {}", word, yson::kind_name(node.kind())));
}

const Node::List& expect_list(const Node& node, const Path& path) {
  expect_kind(node, Node::Kind::List, yson::kind_name(Node::list().kind()), path);
  return node.as_list();
}

bool is_null(const Node& node) { return node.is(Node::Kind::Entity) && !node.has_attributes(); }

template <typename Signed>
int64_t load_integer(const Array& array, int64_t row) {
  return static_cast<int64_t>(array.value<Signed>(row));
}

int64_t load_integer(int width, bool is_signed, const Array& array, int64_t row) {
  switch (width) {
    case 1:
      return is_signed ? load_integer<int8_t>(array, row) : load_integer<uint8_t>(array, row);
    case 2:
      return is_signed ? load_integer<int16_t>(array, row) : load_integer<uint16_t>(array, row);
    case 4:
      return is_signed ? load_integer<int32_t>(array, row) : load_integer<uint32_t>(array, row);
    default:
      return load_integer<int64_t>(array, row);
  }
}

/// Returns true if a binding holds YSON that no logical type describes.
bool holds_any(const Binding& binding) {
  return (binding.form == Form::Yson && binding.any) ||
         std::ranges::any_of(binding.children, holds_any);
}

}  // namespace

yt::ValueOptions node_options() { return codec_options(yt::UuidOrder::Raw, true); }

/// One value and its parts, between YSON and Arrow.
class TableNodes::Value {
 public:
  Value(const yt::Shape& shape, bool any) : shape_(shape), any_(any) {
    if (shape.nesting == Nesting::Scalar) {
      scalar_ = yt::scalar_codec(shape, node_options());
      is_wide_ = shape.type.content() == Content::Bytes && shape.width > 0;
    }
    for (const yt::Shape& child : shape_.children) children_.emplace_back(child, any);
    shape_.children.clear();
  }

  void read(const Array& array, int64_t row, Node* out) const {
    if (shape_.nullable && array.is_null(row)) return out->set_entity();
    if (shape_.nesting == Nesting::Scalar) return read_scalar(array, row, out);
    *out = read_nested(array, row);
  }

  void append(const Node& node, const Path& path, ColumnBuilder* out) const {
    if (shape_.nullable && is_null(node)) return out->append_null();
    if (node.has_attributes() && shape_.type.content() != Content::Yson) {
      fail(path, "expected a value without attributes, found attributes");
    }
    switch (shape_.nesting) {
      case Nesting::Scalar:
        return append_scalar(node, path, out);
      case Nesting::Box:
        children_[0].append(unwrapped(node, path), path.field(yt::kBoxMember), &out->child(0));
        return out->append_struct();
      case Nesting::List: {
        size_t index = 0;
        for (const Node& item : expect_list(node, path)) {
          children_[0].append(item, path.item(index++), &out->child(0));
        }
        return out->append_list();
      }
      case Nesting::Dict:
        return append_dict(node, path, out);
      case Nesting::Struct:
      case Nesting::Tuple:
        return append_members(node, path, out);
      case Nesting::Variant:
        return append_variant(node, path, out);
    }
  }

 private:
  void read_scalar(const Array& array, int64_t row, Node* out) const {
    switch (shape_.type.content()) {
      case Content::Null:
        return out->set_entity();
      case Content::Boolean:
        return out->set_boolean(array.bit(row));
      case Content::Signed:
        return out->set_int64(load_integer(scalar_.width, true, array, row));
      case Content::Unsigned:
        return out->set_uint64(
            static_cast<uint64_t>(load_integer(scalar_.width, false, array, row)));
      case Content::Real:
        return out->set_real(scalar_.width == sizeof(float)
                                 ? static_cast<double>(array.value<float>(row))
                                 : array.value<double>(row));
      case Content::Bytes:
      case Content::Utf8:
      case Content::Json:
        if (!is_wide_) return out->set_string(array.text(row));
        return out->set_string({array.fixed(row, shape_.width), static_cast<size_t>(shape_.width)});
      case Content::Yson:
        *out = yson::parse(array.text(row));
        return;
      case Content::Uuid:
      case Content::Decimal:
      case Content::Zoned:
        return read_coded(array, row, out);
      case Content::Compound:
        break;
    }
    throw Error(ErrorCode::Internal, "expected a scalar type, found a compound one");
  }

  void read_coded(const Array& array, int64_t row, Node* out) const {
    std::array<char, yt::kMaxScalarBytes> stored;
    const bool is_zoned = scalar_.form == yt::ScalarForm::Tz;
    const int64_t slot = is_zoned ? array.slot(row) : row;
    const char* value = (is_zoned ? array.children[0] : array).fixed(slot, scalar_.width);
    const std::string_view zone = is_zoned ? array.children[1].text(slot) : std::string_view();
    const char* end = yt::write_scalar(scalar_, value, zone, stored.data());
    if (end == nullptr) throw Error(ErrorCode::Internal, "a value was read that is not stored");
    out->set_string({stored.data(), end});
  }

  Node read_child(size_t child, const Array& array, int64_t row) const {
    Node node;
    children_[child].read(array, row, &node);
    return node;
  }

  Node read_nested(const Array& array, int64_t row) const {
    Node list = Node::list();
    switch (shape_.nesting) {
      case Nesting::Box:
        if (!shape_.brackets) return read_child(0, array.children[0], array.slot(row));
        list.add(read_child(0, array.children[0], array.slot(row)));
        break;
      case Nesting::List:
        for (int64_t i = array.first_item(row); i < array.end_item(row); ++i) {
          list.add(read_child(0, array.children[0], i));
        }
        break;
      case Nesting::Dict: {
        const Array& entries = array.children[0];
        for (int64_t i = array.first_item(row); i < array.end_item(row); ++i) {
          Node entry = Node::list();
          entry.add(read_child(0, entries.children[0], entries.slot(i)));
          entry.add(read_child(1, entries.children[1], entries.slot(i)));
          list.add(std::move(entry));
        }
        break;
      }
      case Nesting::Struct:
      case Nesting::Tuple:
        for (size_t i = 0; i < children_.size(); ++i) {
          list.add(read_child(i, array.children[i], array.slot(row)));
        }
        break;
      case Nesting::Variant: {
        const size_t tag = chosen(array, row);
        const int64_t slot = shape_.is_union ? array.union_slot(row) : array.slot(row);
        list.add(Node::int64(static_cast<int64_t>(tag)));
        list.add(read_child(tag, array.children[tag], slot));
        break;
      }
      case Nesting::Scalar:
        break;
    }
    return list;
  }

  /// Returns the alternative of a variant that is set.
  size_t chosen(const Array& array, int64_t row) const {
    if (shape_.is_union) return static_cast<size_t>(array.type_code(row));
    const auto is_set = [&](const Array& child) { return !child.is_null(array.slot(row)); };
    return static_cast<size_t>(std::ranges::find_if(array.children, is_set) -
                               array.children.begin());
  }

  void append_scalar(const Node& node, const Path& path, ColumnBuilder* out) const {
    if (!is_wide_) {
      return located(path, [&] { append_yson(scalar_, any_, node, out); });
    }
    expect_kind(node, Node::Kind::String, "a string", path);
    const std::string& bytes = node.as_string();
    if (bytes.size() == static_cast<size_t>(shape_.width)) return out->append_fixed(bytes.data());
    fail(path, fmt::format("expected {} bytes, found {}", shape_.width, bytes.size()));
  }

  const Node& unwrapped(const Node& node, const Path& path) const {
    if (!shape_.brackets) return node;
    const Node::List& items = expect_list(node, path);
    if (items.size() == 1) return items[0];
    fail(path, fmt::format("expected [value] of an optional of a nullable type, found {} items",
                           items.size()));
  }

  void append_dict(const Node& node, const Path& path, ColumnBuilder* out) const {
    ColumnBuilder& entries = out->child(0);
    size_t index = 0;
    for (const Node& entry : expect_list(node, path)) {
      const Node::List& parts = expect_list(entry, path);
      if (parts.size() != 2) {
        fail(path, fmt::format("expected [key; value] of a dict, found {} items", parts.size()));
      }
      for (size_t i = 0; i < 2; ++i) {
        children_[i].append(parts[i], yt::entry_path(shape_.type, i == 0, index, path),
                            &entries.child(i));
      }
      entries.append_struct();
      ++index;
    }
    out->append_list();
  }

  void append_members(const Node& node, const Path& path, ColumnBuilder* out) const {
    static const Node kAbsent;
    const Node::List& items = expect_list(node, path);
    const std::span<const yt::Member> members = shape_.type.members();
    if (items.size() > members.size()) {
      fail(path, fmt::format("expected at most {} items, found {}", members.size(), items.size()));
    }
    const bool is_struct = shape_.nesting == Nesting::Struct;
    for (size_t i = 0; i < members.size(); ++i) {
      const Path member = path.field(is_struct ? members[i].name : std::to_string(i));
      if (i >= items.size() && !(is_struct && members[i].type.is(TypeKind::Optional))) {
        fail(member, "expected a value, found the end of the list");
      }
      children_[i].append(i < items.size() ? items[i] : kAbsent, member, &out->child(i));
    }
    out->append_struct();
  }

  void append_variant(const Node& node, const Path& path, ColumnBuilder* out) const {
    const Node::List& pair = expect_list(node, path);
    if (pair.size() != 2 || !pair[0].is(Node::Kind::Int64)) {
      fail(path, "expected [index; value] of a variant, found another list");
    }
    const int64_t index = pair[0].as_int64();
    if (index < 0 || static_cast<size_t>(index) >= children_.size()) {
      fail(path,
           fmt::format("expected an alternative below {}, found {}", children_.size(), index));
    }
    const auto tag = static_cast<size_t>(index);
    const Path alternative = yt::alternative_path(shape_.type, tag, path);
    if (shape_.is_union) {
      out->append_union(tag);
      return children_[tag].append(pair[1], alternative, &out->child(tag));
    }
    for (size_t i = 0; i < children_.size(); ++i) {
      if (i != tag) out->child(i).append_null();
    }
    children_[tag].append(pair[1], alternative, &out->child(tag));
    out->append_struct();
  }

  /// Without its children.
  yt::Shape shape_;
  bool any_;
  /// A string of 128 or 256 bits.
  bool is_wide_ = false;
  yt::ScalarCodec scalar_;
  std::vector<Value> children_;
};

TableNodes::TableNodes(const BoundTable& table) : table_(table) {
  const hub::Schema arrow = to_arrow(table_);
  const auto add = [&](const std::string& name, const yt::Type& type, bool any) {
    values_.emplace_back(yt::shape_of(type, arrow.fields[names_.size()]), any);
    places_.emplace(name, names_.size());
    names_.push_back(name);
  };
  for (const BoundColumn& column : table_.columns) {
    add(column.name, column.type, holds_any(column.binding));
  }
  for (const yt::ColumnSchema& column : table_.others.columns) {
    add(column.name, column.type, false);
  }
  has_rest_ = names_.size() < arrow.fields.size();
  for (const hub::Field& field : arrow.fields) builders_.emplace_back(field);
}

TableNodes::~TableNodes() = default;
TableNodes::TableNodes(TableNodes&&) noexcept = default;

void TableNodes::read(const Array& batch, int64_t row, Node* columns) const {
  if (!columns->is(Node::Kind::Map) || columns->has_attributes()) *columns = Node::map();
  Node::Map& entries = columns->as_map();
  const int64_t slot = batch.slot(row);
  // Entries of the row before are written over.
  size_t filled = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (filled == entries.size()) entries.emplace_back(names_[i], Node());
    auto& [name, value] = entries[filled];
    values_[i].read(batch.children[i], slot, &value);
    if (is_null(value)) continue;
    if (name != names_[i]) name = names_[i];
    ++filled;
  }
  entries.erase(entries.begin() + static_cast<ptrdiff_t>(filled), entries.end());
  if (!has_rest_) return;
  const Array& rest = batch.children[names_.size()];
  if (rest.is_null(slot) || rest.text(slot) == "{}") return;
  const Node others = yson::parse(rest.text(slot));
  for (const auto& [name, value] : others.as_map()) {
    if (!is_null(value)) columns->add(name, value);
  }
}

size_t TableNodes::place_of(const std::string& name) const {
  const auto found = places_.find(name);
  if (found != places_.end()) return found->second;
  if (has_rest_) return names_.size();
  fail(Path::column(name), "expected a column that the skiff schema has, found another",
       "Add it to the schema, or add $other_columns of yson32.");
}

void TableNodes::append(const Node& columns) {
  try {
    append_columns(columns);
    ++rows_;
  } catch (const Error&) {
    for (ColumnBuilder& builder : builders_) {
      if (builder.length() > rows_) builder.truncate(rows_);
    }
    throw;
  }
}

void TableNodes::append_columns(const Node& columns) {
  static const Node kNull;
  std::vector<const Node*> nodes(names_.size(), &kNull);
  Node rest = Node::map();
  for (const auto& [name, value] : columns.as_map()) {
    if (is_null(value)) continue;
    const size_t place = place_of(name);
    const bool is_rest = place == names_.size();
    if (is_rest ? rest.find(name) != nullptr : nodes[place] != &kNull) {
      fail(Path::column(name), "expected each column once in a row, found it twice");
    }
    if (is_rest) {
      rest.add(name, value);
    } else {
      nodes[place] = &value;
    }
  }
  for (size_t i = 0; i < names_.size(); ++i) {
    const bool required = i < table_.columns.size() && !table_.columns[i].nullable;
    if (required && nodes[i] == &kNull) {
      fail(Path::column(names_[i]), "expected a value of a required column, found null");
    }
    values_[i].append(*nodes[i], Path::column(names_[i]), &builders_[i]);
  }
  if (has_rest_) builders_.back().append_bytes(yson::print(rest, yson::Format::Binary));
}

size_t TableNodes::memory() const {
  size_t total = 0;
  for (const ColumnBuilder& builder : builders_) total += builder.memory();
  return total;
}

hub::Array TableNodes::finish() {
  std::vector<Array> arrays;
  for (ColumnBuilder& builder : builders_) arrays.push_back(builder.finish());
  return hub::struct_of(std::move(arrays), std::exchange(rows_, 0));
}

namespace {

bool carries(const Binding& binding) {
  if (binding.any && binding.form != Form::Yson) return false;
  if (binding.required || binding.form == Form::Zone) return false;
  if (binding.form == Form::Present && binding.wire.wire() != WireType::Yson32) return false;
  if (is_narrowed(binding)) return false;
  return std::ranges::all_of(binding.children, carries);
}

}  // namespace

bool carries_every_value(const BoundTable& table) {
  return std::ranges::all_of(table.columns,
                             [](const BoundColumn& column) { return carries(column.binding); });
}

}  // namespace xwalk::skiff
