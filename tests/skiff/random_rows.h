#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/skiff/oracle/rows.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/tz.h"

namespace xwalk::skiff::testing {

/// A table of random columns with a skiff schema that fits it, and random rows of it.
class RandomTable {
 public:
  explicit RandomTable(uint32_t seed) : random_(seed) {
    yt::TableSchema table;
    size_t columns = 1 + below(7);
    for (size_t i = 0; i < columns; ++i) {
      table.columns.emplace_back("c" + std::to_string(i), random_type(3, true));
    }
    table.strict = below(3) != 0;
    DeriveOptions options;
    options.narrow = below(2) == 0;
    schema_ = schema_of(table, options);
    if (below(3) == 0) move_to_sparse();
    if (below(4) == 0) {
      schema_.table_schemas.clear();
    } else if (below(3) == 0) {
      move_to_others();
    }
    bound_ = bind(schema_, Flow::Write);
  }

  const Schema& schema() const { return schema_; }

  std::string bytes(size_t rows) {
    std::string out;
    RowWriter writer(bound_, &out);
    ends_.clear();
    for (size_t i = 0; i < rows; ++i) {
      Row row;
      for (const BoundColumn& column : bound_[0].columns) {
        bool absent = column.nullable && below(4) == 0;
        if (!absent) row.columns.add(column.name, value(column.type, column.binding));
      }
      for (const yt::ColumnSchema& column : bound_[0].others.columns) {
        const bool absent = yt::is_nullable(column.type) && below(4) == 0;
        const Binding binding = bind_column(column.type, derive(column.type), Flow::Write, false);
        if (!absent) row.columns.add(column.name, value(column.type, binding));
      }
      if (!bound_[0].others.strict && below(2) == 0) {
        row.columns.add("extra", yson::Node::int64(static_cast<int64_t>(below(1000))));
      }
      writer.write(row);
      ends_.push_back(out.size());
    }
    return out;
  }
  /// Ends of the rows of the last `bytes`.
  const std::vector<size_t>& row_ends() const { return ends_; }

  /// Changes a byte, or cuts or repeats a piece.
  void damage(uint32_t seed, std::string* bytes) {
    random_.seed(seed * 7919 + 1);
    size_t at = below(bytes->size());
    switch (below(4)) {
      case 0:
        (*bytes)[at] = static_cast<char>(below(256));
        break;
      case 1:
        (*bytes)[at] = static_cast<char>(below(4));
        break;
      case 2:
        bytes->erase(at, 1 + below(4));
        break;
      default:
        bytes->insert(at, bytes->substr(at, 1 + below(4)));
    }
  }

 private:
  /// Takes the last columns out of the root, so that `$other_columns` holds them.
  void move_to_others() {
    Type& root = schema_.format.tables[0];
    std::vector<Type> children(root.children().begin(), root.children().end());
    const auto last = std::ranges::find_if(
        children, [](const Type& child) { return child.name().starts_with('$'); });
    if (last == children.begin()) return;
    children.erase(last - static_cast<ptrdiff_t>(1 + below(2 < last - children.begin() ? 2 : 1)),
                   last);
    if (children.empty() || children.back().name() != kOtherColumns) {
      children.emplace_back(WireType::Yson32, std::string(kOtherColumns));
    }
    root = Type(WireType::Tuple, std::move(children));
  }

  size_t below(size_t limit) { return random_() % limit; }

  yt::Type random_type(int depth, bool column) {
    using yt::TypeKind;
    constexpr TypeKind kSimple[] = {
        TypeKind::Int64,      TypeKind::Uint64,       TypeKind::Double,     TypeKind::Float,
        TypeKind::Bool,       TypeKind::String,       TypeKind::Json,       TypeKind::Int8,
        TypeKind::Uint8,      TypeKind::Int16,        TypeKind::Uint16,     TypeKind::Int32,
        TypeKind::Uint32,     TypeKind::Utf8,         TypeKind::Date,       TypeKind::Datetime,
        TypeKind::Timestamp,  TypeKind::Interval,     TypeKind::Uuid,       TypeKind::Date32,
        TypeKind::Datetime64, TypeKind::Timestamp64,  TypeKind::Interval64, TypeKind::TzDate,
        TypeKind::TzDatetime, TypeKind::TzTimestamp64};
    if (depth == 0 || below(3) != 0) {
      if (below(8) == 0) {
        int precision = static_cast<int>(1 + below(76));
        return yt::decimal(precision, static_cast<int>(below(static_cast<size_t>(precision))));
      }
      yt::Type simple = kSimple[below(std::size(kSimple))];
      if (column && below(3) == 0) return yt::optional(simple);
      if (column && below(8) == 0) return yt::optional(TypeKind::Yson);
      return simple;
    }
    auto inner = [&] { return random_type(depth - 1, false); };
    auto members = [&] {
      std::vector<yt::Member> list;
      size_t count = 1 + below(3);
      for (size_t i = 0; i < count; ++i) list.emplace_back("m" + std::to_string(i), inner());
      return list;
    };
    switch (below(7)) {
      case 0:
        return yt::optional(inner());
      case 1:
        return yt::list(inner());
      case 2:
        return yt::struct_(members());
      case 3:
        return yt::tuple({inner(), inner()});
      case 4:
        return yt::variant(members());
      case 5:
        return yt::dict(TypeKind::String, inner());
      default:
        return yt::variant_of({TypeKind::Null, inner()});
    }
  }

  /// Makes the last simple columns sparse.
  void move_to_sparse() {
    Type root = schema_.format.tables[0];
    std::vector<Type> dense;
    std::vector<Type> sparse;
    Type other;
    bool has_other = false;
    for (const Type& child : root.children()) {
      if (child.name() == kOtherColumns) {
        other = child;
        has_other = true;
      } else if (child.is_optional() && is_simple(child.child(1).wire()) &&
                 schema_.table_schemas[0].find(child.name())->type.is(yt::TypeKind::Optional) &&
                 child.child(1).wire() != WireType::Nothing && below(2) == 0) {
        sparse.push_back(child.child(1).named(child.name()));
      } else {
        dense.push_back(child);
      }
    }
    if (sparse.empty()) return;
    dense.emplace_back(WireType::RepeatedVariant16, std::move(sparse), std::string(kSparseColumns));
    if (has_other) dense.push_back(other);
    schema_.format.tables[0] = Type(WireType::Tuple, std::move(dense));
  }

  std::string text() {
    std::string out;
    size_t size = below(4) == 0 ? below(60) : below(12);
    for (size_t i = 0; i < size; ++i) out += below(9) == 0 ? "ж" : std::string(1, 'a' + below(26));
    return out;
  }

  yson::Node integer(const yt::IntegerRange& range, bool is_signed) {
    if (!is_signed) {
      uint64_t value = below(3) == 0 ? range.max : random_() % (range.max / 2 + 1);
      return yson::Node::uint64(value);
    }
    switch (below(4)) {
      case 0:
        return yson::Node::int64(range.min);
      case 1:
        return yson::Node::int64(static_cast<int64_t>(range.max));
      default:
        return yson::Node::int64(static_cast<int64_t>(random_() % (range.max / 2 + 1)));
    }
  }

  yson::Node value(const yt::Type& given, const Binding& binding) {
    using yson::Node;
    using yt::TypeKind;
    if (binding.form == Form::Wide) {
      return Node::string(std::string(*fixed_width(binding.wire.wire()), 'w'));
    }
    const yt::Type& type = yt::without_tags(given);
    // A sparse column's binding may lack the optional level.
    auto below_level = [&](size_t i) -> const Binding& {
      return i < binding.children.size() ? binding.children[i] : binding;
    };
    switch (type.kind()) {
      case TypeKind::Optional: {
        bool nullable = yt::is_nullable(type.item());
        if (binding.form == Form::Optional && below(3) == 0) return Node();
        Node inner = value(type.item(), below_level(0));
        if (!nullable) return inner;
        Node node = Node::list();
        node.add(std::move(inner));
        return node;
      }
      case TypeKind::List: {
        Node node = Node::list();
        size_t count = below(4);
        for (size_t i = 0; i < count; ++i) node.add(value(type.item(), below_level(0)));
        return node;
      }
      case TypeKind::Dict: {
        Node node = Node::list();
        size_t count = below(3);
        for (size_t i = 0; i < count; ++i) {
          Node entry = Node::list();
          entry.add(value(type.key(), below_level(0)));
          entry.add(value(type.value(), below_level(1)));
          node.add(std::move(entry));
        }
        return node;
      }
      case TypeKind::Struct:
      case TypeKind::Tuple: {
        Node node = Node::list();
        for (size_t i = 0; i < type.members().size(); ++i) {
          node.add(value(type.members()[i].type, below_level(i)));
        }
        return node;
      }
      case TypeKind::Variant: {
        size_t tag = below(type.members().size());
        Node node = Node::list();
        node.add(Node::int64(static_cast<int64_t>(tag)));
        node.add(value(type.members()[tag].type, below_level(tag)));
        return node;
      }
      case TypeKind::Decimal:
        return Node::string(
            yt::decimal_from_text(type.scale() == 0 ? "7" : "-.1", type.precision(), type.scale()));
      case TypeKind::Bool:
        return Node::boolean(below(2) == 0);
      case TypeKind::Double:
        return Node::real(static_cast<double>(below(1000)) / 8);
      case TypeKind::Float:
        return Node::real(static_cast<double>(below(1000)) / 8);
      case TypeKind::Json:
        return Node::string("{\"k\":" + std::to_string(below(100)) + "}");
      case TypeKind::Uuid:
        return Node::string(std::string("0123456789abcde") + char('a' + below(9)));
      case TypeKind::Yson: {
        Node node = Node::list();
        node.add(Node::string(text()));
        return node;
      }
      case TypeKind::Null:
      case TypeKind::Void:
        return Node();
      case TypeKind::String:
      case TypeKind::Utf8:
        return Node::string(text());
      default:
        break;
    }
    if (yt::is_tz(type.kind())) {
      return Node::string(yt::tz_to_bytes(type.kind(), {static_cast<int64_t>(below(40000)),
                                                        below(2) == 0 ? "Europe/Moscow" : "UTC"}));
    }
    return integer(yt::integer_range(type.kind()), !yt::is_unsigned(type.kind()));
  }

  std::mt19937_64 random_;
  Schema schema_;
  std::vector<BoundTable> bound_;
  std::vector<size_t> ends_;
};

}  // namespace xwalk::skiff::testing
