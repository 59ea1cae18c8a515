#include "xwalk/io/formats/group_order.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {
namespace {

using hub::Array;
using hub::Kind;
using parquet::LogicalKind;
using parquet::Node;
using parquet::SortingColumn;

/// Bytes of a value that messages show.
constexpr size_t kShown = 40;

/// Returns the nodes from a column to a leaf of a number; none if there is no such leaf.
std::vector<const Node*> path_to_leaf(std::span<const Node> nodes, int32_t wanted, int32_t* next) {
  for (const Node& node : nodes) {
    if (!node.is_group()) {
      if ((*next)++ == wanted) return {&node};
      continue;
    }
    std::vector<const Node*> below = path_to_leaf(node.children(), wanted, next);
    if (below.empty()) continue;
    below.insert(below.begin(), &node);
    return below;
  }
  return {};
}

/// Returns whether the format defines an order of a leaf's values.
bool has_order(const Node& leaf) {
  const parquet::LogicalType& meaning = leaf.logical();
  return leaf.physical() != parquet::PhysicalType::Int96 && !meaning.is(LogicalKind::Interval) &&
         !meaning.is(LogicalKind::Unknown) && !meaning.is(LogicalKind::Geometry) &&
         !meaning.is(LogicalKind::Geography) && !meaning.is(LogicalKind::Variant) &&
         !meaning.is(LogicalKind::File) && !meaning.is(LogicalKind::Future);
}

/// Returns whether values of a type can be compared here.
bool is_comparable(const hub::Type& type) {
  const Kind kind = type.kind();
  return type.children().empty() && kind != Kind::Null && kind != Kind::IntervalMonths &&
         kind != Kind::IntervalDayTime && kind != Kind::IntervalMonthDayNano;
}

/// A leaf of a batch.
struct Leaf {
  const Array* array;
  int64_t index;
  bool is_null;
};

Leaf leaf_of(const Array& rows, const std::vector<size_t>& places, int64_t row) {
  const Array* array = &rows;
  int64_t index = row;
  bool is_null = false;
  for (const size_t place : places) {
    index = array->slot(index);
    array = &array->children[place];
    is_null = is_null || array->is_null(index);
  }
  return {array, index, is_null};
}

/// Compares two values; nothing if one of them is nan.
std::partial_ordering compare_values(const Leaf& a, const Leaf& b, const hub::Type& type) {
  const Kind kind = type.kind();
  if (kind == Kind::Bool) return a.array->bit(a.index) <=> b.array->bit(b.index);
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return hub::real_at(*a.array, kind, a.index) <=> hub::real_at(*b.array, kind, b.index);
  }
  if (hub::is_decimal(kind)) {
    const Int256 left = hub::decimal_at(*a.array, kind, a.index);
    const Int256 right = hub::decimal_at(*b.array, kind, b.index);
    if (left == right) return std::partial_ordering::equivalent;
    return left < right ? std::partial_ordering::less : std::partial_ordering::greater;
  }
  if (hub::is_utf8(kind) || hub::is_binary(kind) || kind == Kind::FixedSizeBinary) {
    return hub::bytes_at(*a.array, type, a.index) <=> hub::bytes_at(*b.array, type, b.index);
  }
  const int64_t left = hub::integer_at(*a.array, kind, a.index);
  const int64_t right = hub::integer_at(*b.array, kind, b.index);
  if (kind == Kind::Uint64) return static_cast<uint64_t>(left) <=> static_cast<uint64_t>(right);
  return left <=> right;
}

/// Compares the values of a key in the order of a row group.
std::partial_ordering compare(const Leaf& a, const Leaf& b, const hub::Type& type,
                              const SortingColumn& order) {
  if (a.is_null || b.is_null) {
    return order.nulls_first ? b.is_null <=> a.is_null : a.is_null <=> b.is_null;
  }
  return order.descending ? compare_values(b, a, type) : compare_values(a, b, type);
}

std::string text_of(const Leaf& leaf, const hub::Type& type) {
  if (leaf.is_null) return "null";
  yson::Buffer text;
  hub::append_yson(*leaf.array, type, leaf.index, &text);
  const std::string cut = cut_utf8(std::string(text.view()), kShown);
  return cut.size() < text.size() ? cut + "…" : cut;
}

}  // namespace

GroupOrderCheck::GroupOrderCheck(std::string_view footer, const parquet::Schema& schema,
                                 hub::Schema rows)
    : rows_(std::move(rows)) {
  int64_t end = 0;
  for (const parquet::GroupOrder& group : parquet::group_orders(footer)) {
    end += group.rows;
    groups_.push_back({end, {}});
    for (const SortingColumn& column : group.sorted_by) {
      const Key* const key = key_of(schema, column.leaf);
      // Rows are sorted by a key among equal values of the keys before it.
      if (key == nullptr) break;
      groups_.back().keys.emplace_back(static_cast<size_t>(key - keys_.data()), column);
    }
  }
}

const GroupOrderCheck::Key* GroupOrderCheck::key_of(const parquet::Schema& schema, int32_t leaf) {
  const auto known = std::ranges::find(keys_, leaf, &Key::leaf);
  if (known != keys_.end()) return &*known;
  int32_t next = 0;
  const std::vector<const Node*> nodes = path_to_leaf(schema.columns(), leaf, &next);
  if (nodes.empty() || !has_order(*nodes.back())) return nullptr;
  Key key;
  key.leaf = leaf;
  std::span<const hub::Field> fields = rows_.fields;
  const hub::Field* field = nullptr;
  for (const Node* node : nodes) {
    if (node->is(parquet::Repetition::Repeated)) return nullptr;
    if (field != nullptr && field->type.kind() != Kind::Struct) return nullptr;
    const auto found = std::ranges::find(fields, node->name(), &hub::Field::name);
    if (found == fields.end()) return nullptr;
    field = &*found;
    key.places.push_back(static_cast<size_t>(found - fields.begin()));
    key.path = key.path.empty() ? Path::column(node->name()) : key.path.field(node->name());
    fields = field->type.children();
  }
  key.type = field->type;
  if (!is_comparable(key.type)) return nullptr;
  keys_.push_back(std::move(key));
  return &keys_.back();
}

std::vector<hub::BadRow> GroupOrderCheck::check(const hub::Batch& batch) {
  std::vector<hub::BadRow> out;
  for (int64_t index = 0; index < batch.rows(); ++index) {
    bool is_first = before_.length == 0 && index == 0;
    while (group_ < groups_.size() && batch.first_row + index >= groups_[group_].end) {
      ++group_;
      is_first = true;
    }
    if (group_ == groups_.size()) break;
    if (is_first) continue;
    const Array& before = index == 0 ? before_ : batch.array;
    const int64_t before_index = index == 0 ? before_.length - 1 : index - 1;
    for (const auto& [place, order] : groups_[group_].keys) {
      const Key& key = keys_[place];
      const std::partial_ordering compared =
          compare(leaf_of(before, key.places, before_index),
                  leaf_of(batch.array, key.places, index), key.type, order);
      if (compared > 0) {
        out.push_back(misplaced(batch, index, key, order, before, before_index));
      }
      if (compared != 0) break;
    }
  }
  if (batch.rows() > 0) before_ = batch.array;
  return out;
}

hub::BadRow GroupOrderCheck::misplaced(const hub::Batch& batch, int64_t index, const Key& key,
                                       const SortingColumn& order, const Array& before,
                                       int64_t before_index) const {
  Place place;
  place.row = static_cast<uint64_t>(batch.first_row + index);
  place.path = key.path;
  return {index,
          Error(ErrorCode::Input,
                fmt::format("expected the rows of row group {} sorted by this column in {} order, "
                            "nulls {}, as its sorting_columns say, found {} after {}",
                            group_, order.descending ? "descending" : "ascending",
                            order.nulls_first ? "first" : "last",
                            text_of(leaf_of(batch.array, key.places, index), key.type),
                            text_of(leaf_of(before, key.places, before_index), key.type)),
                std::move(place)),
          ""};
}

namespace {

class GroupOrderReader final : public WrappedReader {
 public:
  GroupOrderReader(std::unique_ptr<SplitReader> inner, GroupOrderCheck order)
      : WrappedReader(std::move(inner)), order_(std::move(order)) {}

  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    hub::Batch batch = piece->decode();
    std::vector<hub::BadRow> rows = order_.check(batch);
    // A row is bad once.
    std::erase_if(rows, [&](const hub::BadRow& row) {
      return std::ranges::binary_search(batch.bad, row.index, {}, &hub::BadRow::index);
    });
    add_bad_rows(std::move(rows), &batch.bad);
    return decoded(std::move(batch), std::move(piece));
  }

 private:
  GroupOrderCheck order_;
};

}  // namespace

std::unique_ptr<SplitReader> check_group_order(std::unique_ptr<SplitReader> reader,
                                               GroupOrderCheck order) {
  if (order.empty()) return reader;
  return std::make_unique<GroupOrderReader>(std::move(reader), std::move(order));
}

}  // namespace xwalk::io
