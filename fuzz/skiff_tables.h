#pragma once

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/harness.h"
#include "tests/skiff/oracle/rows.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/tz.h"

// Tables of any columns, wire types that carry them, and rows of them, made of the choices of an
// input: what a mutator of bytes does not find by itself.

namespace xwalk::fuzz {

/// Makes tables and skiff schemas that fit them.
class SchemaMaker {
 public:
  explicit SchemaMaker(Choices* choices) : choices_(*choices) {}

  yt::TableSchema table() {
    yt::TableSchema made;
    const size_t columns = 1 + choices_.below(6);
    for (size_t i = 0; i < columns; ++i) {
      yt::Type type = logical(3);
      // A value that may be anything may be null, too.
      if (type.is(yt::TypeKind::Yson) || choices_.below(3) == 0) type = yt::optional(type);
      made.columns.emplace_back("c" + std::to_string(i), std::move(type));
    }
    made.strict = choices_.below(3) != 0;
    return made;
  }

  /// How the columns of a table are placed: `d`, `s` and `o` for dense, sparse and other ones.
  std::string places(const yt::TableSchema& table) {
    const bool sparse = choices_.below(3) == 0;
    const bool others = choices_.below(3) == 0;
    std::string out;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const size_t place = choices_.below(3);
      out += place == 1 && sparse ? 's' : place == 2 && others ? 'o' : 'd';
    }
    return out;
  }

  /// Special columns of a root: the alternatives of each index, 0 if it has none.
  struct Specials {
    bool key_switch = false;
    size_t row_index = 0;
    size_t range_index = 0;
  };
  Specials specials() {
    Specials made;
    made.key_switch = choices_.below(4) == 0;
    if (choices_.below(4) == 0) made.row_index = 2 + choices_.below(2);
    if (choices_.below(5) == 0) made.range_index = 2 + choices_.below(2);
    return made;
  }

  /// Returns the root of a table: wire types that carry its columns in their places.
  skiff::Type root(const yt::TableSchema& table, std::string_view places, const Specials& specials,
                   skiff::Flow flow) {
    std::vector<skiff::Type> dense;
    std::vector<skiff::Type> sparse;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const yt::ColumnSchema& column = table.columns[i];
      if (places[i] == 'o') continue;
      const bool is_sparse = places[i] == 's';
      (is_sparse ? sparse : dense).push_back(column_wire(column, is_sparse, flow));
    }
    const bool others = !table.strict || places.find('o') != std::string_view::npos;
    return rooted(std::move(dense), std::move(sparse), specials, others);
  }

  /// Returns the root of a table without a table schema.
  skiff::Type natural_root() {
    std::vector<skiff::Type> dense;
    std::vector<skiff::Type> sparse;
    const size_t columns = 1 + choices_.below(5);
    const bool has_sparse = choices_.below(3) == 0;
    for (size_t i = 0; i < columns; ++i) {
      const bool is_sparse = has_sparse && choices_.below(2) == 0;
      (is_sparse ? sparse : dense).push_back(any_wire(3).named("c" + std::to_string(i)));
    }
    const Specials chosen = specials();
    return rooted(std::move(dense), std::move(sparse), chosen, choices_.below(4) == 0);
  }

  /// Returns a type, and a wire type that was made for it, for another type, or for no type.
  std::pair<yt::Type, skiff::Type> pair() {
    yt::Type type = logical(3);
    switch (choices_.below(5)) {
      case 0:
        return {std::move(type), any_wire(3)};
      case 1:
        return {std::move(type), wire(logical(3), skiff::Flow::Write)};
      case 2:
        return {std::move(type), wire(type, skiff::Flow::Write)};
      case 3:
        // Members under other names, in another order, or twice.
        return {std::move(type), shuffled(wire(type, skiff::Flow::Read))};
      default:
        return {std::move(type), wire(type, skiff::Flow::Read)};
    }
  }

 private:
  skiff::Type shuffled(const skiff::Type& wire) {
    std::vector<skiff::Type> children;
    for (const skiff::Type& child : wire.children()) children.push_back(shuffled(child));
    if (children.empty()) return wire;
    if (wire.wire() == skiff::WireType::Tuple || skiff::tag_width(wire.wire()) != 0) {
      const size_t at = choices_.below(2 * children.size());
      const auto chosen = children.begin() + static_cast<ptrdiff_t>(at % children.size());
      switch (choices_.below(6)) {
        case 0:
          *chosen = chosen->named("other");
          break;
        case 1:
          *chosen = chosen->named("");
          break;
        case 2:
          children.push_back(*chosen);
          break;
        case 3:
          std::swap(*chosen, children.front());
          break;
        case 4:
          if (children.size() > 1) children.erase(chosen);
          break;
        default:
          break;
      }
    }
    return skiff::Type(wire.wire(), std::move(children), wire.name());
  }

  yt::Type logical(int depth) {
    using yt::TypeKind;
    constexpr TypeKind kSimple[] = {
        TypeKind::Int64,        TypeKind::Int8,          TypeKind::Int16,
        TypeKind::Int32,        TypeKind::Uint64,        TypeKind::Uint8,
        TypeKind::Uint16,       TypeKind::Uint32,        TypeKind::Double,
        TypeKind::Float,        TypeKind::Bool,          TypeKind::String,
        TypeKind::Utf8,         TypeKind::Json,          TypeKind::Uuid,
        TypeKind::Date,         TypeKind::Datetime,      TypeKind::Timestamp,
        TypeKind::Interval,     TypeKind::Date32,        TypeKind::Datetime64,
        TypeKind::Timestamp64,  TypeKind::Interval64,    TypeKind::TzDate,
        TypeKind::TzDatetime,   TypeKind::TzTimestamp,   TypeKind::TzDate32,
        TypeKind::TzDatetime64, TypeKind::TzTimestamp64, TypeKind::Yson,
        TypeKind::Null,         TypeKind::Void};
    if (depth == 0 || choices_.below(2) == 0) {
      if (choices_.below(8) == 0) {
        const auto precision = static_cast<int>(1 + choices_.below(76));
        return yt::decimal(precision, static_cast<int>(choices_.below(4)) % precision);
      }
      return kSimple[choices_.below(std::size(kSimple))];
    }
    const auto inner = [&] { return logical(depth - 1); };
    const auto members = [&] {
      std::vector<yt::Member> made;
      const size_t count = 1 + choices_.below(3);
      for (size_t i = 0; i < count; ++i) made.emplace_back("m" + std::to_string(i), inner());
      return made;
    };
    switch (choices_.below(9)) {
      case 0:
        return yt::optional(inner());
      case 1:
      case 2:
        return yt::list(inner());
      case 3:
      case 4:
        return yt::struct_(members());
      case 5: {
        yt::Type first = inner();
        return yt::tuple({std::move(first), inner()});
      }
      case 6:
        return yt::variant(members());
      case 7: {
        yt::Type key = inner();
        return yt::dict(std::move(key), inner());
      }
      default:
        return yt::variant_of({yt::TypeKind::Null, inner()});
    }
  }

  skiff::WireType integer(bool is_signed) {
    using skiff::WireType;
    constexpr WireType kSigned[] = {WireType::Int64, WireType::Int8, WireType::Int16,
                                    WireType::Int32};
    constexpr WireType kUnsigned[] = {WireType::Uint64, WireType::Uint8, WireType::Uint16,
                                      WireType::Uint32};
    const size_t chosen = choices_.below(6);
    return is_signed ? kSigned[chosen % 4] : kUnsigned[chosen % 4];
  }

  /// Returns a wire type of a simple type or a decimal.
  skiff::Type simple_wire(const yt::Type& type, bool column) {
    using skiff::WireType;
    using yt::Content;
    if (column && choices_.below(8) == 0) return skiff::Type(WireType::Yson32);
    switch (type.content()) {
      case Content::Signed:
        return skiff::Type(integer(true));
      case Content::Unsigned:
        return skiff::Type(integer(false));
      case Content::Uuid:
        return skiff::Type(choices_.below(2) == 0 ? WireType::Uint128 : WireType::String32);
      case Content::Zoned:
        if (choices_.below(2) == 0) return skiff::numbered_zone(type);
        return skiff::Type(choices_.below(3) == 0 ? WireType::Yson32 : WireType::String32);
      case Content::Decimal:
        if (choices_.below(4) == 0) return skiff::Type(WireType::Yson32);
        return skiff::derive(type);
      case Content::Yson: {
        constexpr WireType kOfAny[] = {WireType::Int64,  WireType::Uint8,    WireType::Boolean,
                                       WireType::Double, WireType::String32, WireType::Nothing};
        if (column && choices_.below(2) == 0) return skiff::Type(kOfAny[choices_.below(6)]);
        return skiff::Type(WireType::Yson32);
      }
      default:
        return skiff::derive(type);
    }
  }

  skiff::Type wire(const yt::Type& type, skiff::Flow flow) {
    using skiff::WireType;
    switch (type.composition()) {
      case yt::Composition::Optional:
        return skiff::optional_of(wire(type.item(), flow));
      case yt::Composition::List:
        return skiff::Type(WireType::RepeatedVariant8, {wire(type.item(), flow)});
      case yt::Composition::Dict: {
        skiff::Type key = wire(type.key(), flow);
        return skiff::Type(WireType::RepeatedVariant8,
                           {skiff::Type(WireType::Tuple, {key, wire(type.value(), flow)})});
      }
      case yt::Composition::Struct: {
        std::vector<skiff::Type> children;
        for (const yt::Member& member : type.members()) {
          const bool may_miss =
              flow == skiff::Flow::Write || member.type.is(yt::TypeKind::Optional);
          if (may_miss && choices_.below(8) == 0) continue;
          children.push_back(wire(member.type, flow).named(member.name));
        }
        if (flow == skiff::Flow::Write && choices_.below(8) == 0) {
          children.push_back(skiff::optional_of(skiff::Type(WireType::Int8)).named("unknown"));
        }
        return skiff::Type(WireType::Tuple, std::move(children));
      }
      case yt::Composition::Tuple: {
        std::vector<skiff::Type> children;
        for (const yt::Member& member : type.members()) {
          const bool empty = flow == skiff::Flow::Write && choices_.below(8) == 0;
          children.push_back(empty ? skiff::Type(WireType::Nothing) : wire(member.type, flow));
        }
        return skiff::Type(WireType::Tuple, std::move(children));
      }
      case yt::Composition::Variant: {
        std::vector<skiff::Type> children;
        for (const yt::Member& member : type.members()) {
          children.push_back(wire(member.type, flow).named(type.is_named() ? member.name : ""));
        }
        const bool wide = choices_.below(3) == 0;
        return skiff::Type(wide ? WireType::Variant16 : WireType::Variant8, std::move(children));
      }
      case yt::Composition::None:
      case yt::Composition::Tagged:
        break;
    }
    return simple_wire(type, false);
  }

  skiff::Type column_wire(const yt::ColumnSchema& column, bool sparse, skiff::Flow flow) {
    const bool optional = column.type.is(yt::TypeKind::Optional);
    const yt::Type& inner = optional ? column.type.item() : column.type;
    const bool simple = inner.composition() == yt::Composition::None;
    const size_t other_level = choices_.below(6);
    skiff::Type made = simple ? simple_wire(inner, true) : wire(inner, flow);
    const bool level = (optional && !sparse) != (other_level == 0 && simple);
    if (level) made = skiff::optional_of(made);
    made = made.named(column.name);
    try {
      skiff::bind_column(column.type, made, flow, sparse);
      return made;
    } catch (const Error&) {
      return skiff::derive(column.type).named(column.name);
    }
  }

  skiff::Type rooted(std::vector<skiff::Type> children, std::vector<skiff::Type> sparse,
                     const Specials& specials, bool others) {
    using skiff::Type;
    using skiff::WireType;
    const auto put = [&](const Type& special, std::string_view name) {
      const auto at = static_cast<ptrdiff_t>(choices_.below(children.size() + 1));
      children.insert(children.begin() + at, special.named(std::string(name)));
    };
    const auto index = [](size_t count) {
      std::vector<Type> ways = {Type(WireType::Nothing), Type(WireType::Int64)};
      if (count > ways.size()) ways.emplace_back(WireType::Nothing);
      return Type(WireType::Variant8, std::move(ways));
    };
    if (specials.key_switch) put(Type(WireType::Boolean), skiff::kKeySwitch);
    if (specials.row_index != 0) put(index(specials.row_index), skiff::kRowIndex);
    if (specials.range_index != 0) put(index(specials.range_index), skiff::kRangeIndex);
    if (!sparse.empty()) {
      children.emplace_back(WireType::RepeatedVariant16, std::move(sparse),
                            std::string(skiff::kSparseColumns));
    }
    if (others) children.emplace_back(WireType::Yson32, std::string(skiff::kOtherColumns));
    return Type(WireType::Tuple, std::move(children));
  }

  skiff::Type any_wire(int depth) {
    using skiff::Type;
    using skiff::WireType;
    constexpr WireType kSimple[] = {WireType::Nothing,  WireType::Boolean, WireType::Int8,
                                    WireType::Int16,    WireType::Int32,   WireType::Int64,
                                    WireType::Int128,   WireType::Int256,  WireType::Uint8,
                                    WireType::Uint16,   WireType::Uint32,  WireType::Uint64,
                                    WireType::Uint128,  WireType::Uint256, WireType::Double,
                                    WireType::String32, WireType::Yson32};
    if (depth == 0 || choices_.below(2) == 0) {
      return Type(kSimple[choices_.below(std::size(kSimple))]);
    }
    constexpr WireType kCompound[] = {WireType::Tuple, WireType::Variant8, WireType::Variant16,
                                      WireType::RepeatedVariant8, WireType::RepeatedVariant16};
    const size_t chosen = choices_.below(8);
    if (chosen >= std::size(kCompound)) return skiff::optional_of(any_wire(depth - 1));
    std::vector<Type> children;
    const size_t count = 1 + choices_.below(3);
    const bool named = choices_.below(2) == 0;
    for (size_t i = 0; i < count; ++i) {
      children.push_back(any_wire(depth - 1).named(named ? "m" + std::to_string(i) : ""));
    }
    return Type(kCompound[chosen], std::move(children));
  }

  Choices& choices_;
};

/// Makes the bytes of rows. They are valid except for a few values beyond the range of their type.
class RowMaker {
 public:
  explicit RowMaker(Choices* choices) : choices_(*choices) {}

  /// Appends a row of one of the tables.
  void append_row(const std::vector<skiff::BoundTable>& tables, std::string* out) {
    const size_t index = choices_.below(tables.size());
    const skiff::BoundTable& table = tables[index];
    put(index, 2, out);
    // An index follows from the row before if that has the same table.
    const bool known = last_ == index;
    last_ = index;
    has_many_ = false;
    size_t dense = 0;
    for (const skiff::Slot& slot : table.layout.slots) {
      switch (slot.role) {
        case skiff::Role::Dense:
          append(table.columns[dense++].binding, out);
          break;
        case skiff::Role::KeySwitch:
          put(choices_.below(2), 1, out);
          break;
        case skiff::Role::RowIndex:
        case skiff::Role::RangeIndex: {
          const size_t ways = known ? slot.type.children().size() : 1;
          const size_t tag = known ? choices_.below(ways) : 1;
          put(tag, 1, out);
          if (tag == 1) put(choices_.byte(), 8, out);
          break;
        }
        case skiff::Role::Sparse:
          append_sparse(table, out);
          break;
        case skiff::Role::Other:
          append_others(table, out);
          break;
      }
    }
  }

  /// Appends a value.
  void append(const skiff::Binding& binding, std::string* out) {
    using skiff::Form;
    const skiff::WireType wire = binding.wire.wire();
    const size_t width = skiff::fixed_width(wire).value_or(0);
    switch (binding.form) {
      case Form::Nothing:
        return;
      case Form::Boolean:
        return put(choices_.below(2), 1, out);
      case Form::Signed:
      case Form::Unsigned:
        return put(integer(binding.type, width, binding.any), width, out);
      case Form::Double: {
        const auto value = static_cast<double>(choices_.byte()) / 8;
        out->append(static_cast<const char*>(static_cast<const void*>(&value)), sizeof(value));
        return;
      }
      case Form::String:
        return put_string(binding.any ? text() : stored(binding.type), out);
      case Form::Yson:
        return put_string(yson::print(any(), yson::Format::Binary), out);
      case Form::YsonOf:
        return put_string(yson::print(node(binding.type), yson::Format::Binary), out);
      case Form::Uuid:
      case Form::Wide:
        out->append(width - 1, 'w').push_back(static_cast<char>(choices_.byte()));
        return;
      case Form::Decimal:
        return put_decimal(width, out);
      case Form::Zone: {
        const size_t size = *skiff::fixed_width(binding.wire.child(0).wire());
        put(choices_.byte(), size, out);
        return put(choices_.byte(), 2, out);
      }
      case Form::Optional: {
        const size_t there = binding.required ? 1 : choices_.below(4) == 0 ? 0 : 1;
        put(there, skiff::tag_width(wire), out);
        if (there == 1) append(binding.children[0], out);
        return;
      }
      case Form::Present:
        return append(binding.children[0], out);
      case Form::List: {
        const size_t chosen = choices_.byte();
        // At most one long list per row: lists of lists would be long.
        const bool many = chosen > 250 && !std::exchange(has_many_, true);
        const size_t count = many ? chosen : chosen % 6;
        for (size_t i = 0; i < count; ++i) {
          if (!binding.children[0].shares_tag) put(0, skiff::tag_width(wire), out);
          append(binding.children[0], out);
        }
        return put(skiff::max_children(wire), skiff::tag_width(wire), out);
      }
      case Form::Dict: {
        const size_t count = choices_.below(3);
        for (size_t i = 0; i < count; ++i) {
          put(0, 1, out);
          append(binding.children[0], out);
          append(binding.children[1], out);
        }
        return put(skiff::max_children(wire), 1, out);
      }
      case Form::Tuple:
        for (size_t i = 0; i < binding.children.size(); ++i) {
          if (binding.members[i] < 0) {
            put(0, 1, out);
          } else {
            append(binding.children[i], out);
          }
        }
        return;
      case Form::Variant: {
        const size_t tag = choices_.below(binding.children.size());
        put(tag, skiff::tag_width(wire), out);
        return append(binding.children[tag], out);
      }
    }
  }

 private:
  static void put(uint64_t value, size_t width, std::string* out) {
    for (size_t i = 0; i < width; ++i, value >>= 8) out->push_back(static_cast<char>(value));
  }
  static void put_string(std::string_view text, std::string* out) {
    put(text.size(), 4, out);
    out->append(text);
  }

  void put_decimal(size_t width, std::string* out) {
    const size_t choice = choices_.byte();
    // Most and least of all are an infinity and nan.
    if (choice > 252)
      return out->append(width - 1, choice == 253 ? '\0' : '\xff')
          .push_back(choice == 255 ? '\x7f' : '\x80');
    const bool negative = choice % 2 == 1;
    out->push_back(static_cast<char>(negative ? -static_cast<int>(choice % 10) : choice % 10));
    out->append(width - 1, negative ? '\xff' : '\0');
  }

  /// Returns an integer of a type in this many bytes.
  uint64_t integer(const yt::Type& type, size_t width, bool any) {
    const bool is_signed = type.content() == yt::Content::Signed;
    const auto small = static_cast<uint64_t>(choices_.byte());
    if (any || small < 240) return small % 128;
    const yt::IntegerRange range = yt::integer_range(type.kind());
    uint64_t most = range.max;
    auto least = static_cast<uint64_t>(range.min);
    if (width < 8) {
      const uint64_t wire_most = (uint64_t{1} << (8 * width - (is_signed ? 1 : 0))) - 1;
      if (most > wire_most) most = wire_most;
      if (is_signed && range.min < -static_cast<int64_t>(wire_most) - 1) least = ~wire_most;
    }
    constexpr uint64_t kBeyond = 1;
    const size_t way = small % 8;
    return way < 3 ? most : way < 6 ? least : way == 6 ? most + kBeyond : least - kBeyond;
  }

  std::string text() {
    const size_t size = choices_.byte();
    std::string out;
    for (size_t i = 0; i < size % 48; ++i) {
      const uint8_t byte = choices_.byte();
      out += byte < 0xC0 ? std::string(1, static_cast<char>('a' + byte % 26)) : "\xd0\xb6";
    }
    if (size < 250) return out;
    // Longer than what is copied at a time, or is left to be copied at the end of a block.
    std::string whole;
    for (size_t i = 0; i < 40 * (size - 249); ++i) whole += out;
    return whole;
  }

  std::string stored(const yt::Type& type) {
    switch (type.content()) {
      case yt::Content::Json:
        return "{\"k\":" + std::to_string(choices_.byte()) + "}";
      case yt::Content::Uuid:
        return "0123456789abcde" + std::string(1, static_cast<char>(choices_.byte()));
      case yt::Content::Zoned:
        return yt::tz_to_bytes(type.kind(), {static_cast<int64_t>(choices_.byte()),
                                             choices_.below(2) == 0 ? "Europe/Moscow" : "UTC"});
      case yt::Content::Decimal:
        return yt::decimal_from_text(type.scale() == 0 ? "7" : "-.1", type.precision(),
                                     type.scale());
      default:
        return text();
    }
  }

  /// A value of a simple type or a decimal.
  yson::Node node(const yt::Type& type) {
    switch (type.content()) {
      case yt::Content::Null:
        return {};
      case yt::Content::Boolean:
        return yson::Node::boolean(choices_.below(2) == 1);
      case yt::Content::Signed:
        return yson::Node::int64(static_cast<int64_t>(integer(type, 8, false)));
      case yt::Content::Unsigned:
        return yson::Node::uint64(integer(type, 8, false));
      case yt::Content::Real:
        return yson::Node::real(static_cast<double>(choices_.byte()) / 4);
      case yt::Content::Yson:
        return any();
      default:
        return yson::Node::string(stored(type));
    }
  }

  yson::Node any() {
    switch (choices_.below(4)) {
      case 0:
        return yson::Node::int64(choices_.byte());
      case 1:
        return yson::Node::string(text());
      case 2: {
        yson::Node map = yson::Node::map();
        map.add("k", yson::Node::boolean(true));
        return map;
      }
      default: {
        yson::Node list = yson::Node::list();
        list.add(yson::Node::real(1));
        list.add(yson::Node());
        return list;
      }
    }
  }

  void append_sparse(const skiff::BoundTable& table, std::string* out) {
    for (size_t i = table.dense_columns; i < table.columns.size(); ++i) {
      const skiff::BoundColumn& column = table.columns[i];
      if (column.nullable && choices_.below(3) == 0) continue;
      put(column.tag, 2, out);
      append(column.binding, out);
    }
    put(skiff::kEndTag16, 2, out);
  }

  void append_others(const skiff::BoundTable& table, std::string* out) {
    yson::Node map = yson::Node::map();
    for (const yt::ColumnSchema& column : table.others.columns) {
      const bool optional = column.type.is(yt::TypeKind::Optional);
      const yt::Type& type = optional ? column.type.item() : column.type;
      if (yt::is_nullable(type) || (optional && choices_.below(3) == 0)) continue;
      map.add(column.name, positional(type));
    }
    if (!table.others.strict && choices_.below(2) == 0) {
      map.add("extra", yson::Node::int64(choices_.byte()));
    }
    put_string(yson::print(map, yson::Format::Binary), out);
  }

  yson::Node positional(const yt::Type& type) {
    yson::Node list = yson::Node::list();
    switch (type.composition()) {
      case yt::Composition::Optional:
        if (choices_.below(2) == 0) return {};
        if (!yt::is_nullable(type.item())) return positional(type.item());
        list.add(positional(type.item()));
        return list;
      case yt::Composition::List:
        if (choices_.below(2) == 0) list.add(positional(type.item()));
        return list;
      case yt::Composition::Dict: {
        yson::Node entry = yson::Node::list();
        entry.add(positional(type.key()));
        entry.add(positional(type.value()));
        list.add(std::move(entry));
        return list;
      }
      case yt::Composition::Struct:
      case yt::Composition::Tuple:
        for (const yt::Member& member : type.members()) list.add(positional(member.type));
        return list;
      case yt::Composition::Variant: {
        const size_t tag = choices_.below(type.members().size());
        list.add(yson::Node::int64(static_cast<int64_t>(tag)));
        list.add(positional(type.members()[tag].type));
        return list;
      }
      case yt::Composition::None:
      case yt::Composition::Tagged:
        break;
    }
    return node(type);
  }

  Choices& choices_;
  std::optional<size_t> last_;
  bool has_many_ = false;
};

}  // namespace xwalk::fuzz
