#pragma once

#include <random>
#include <string>
#include <vector>

#include "xwalk/yt/schema.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt::testing {

/// Makes valid types and schemas for property tests, the same ones for the same seed.
class RandomTypes {
 public:
  explicit RandomTypes(uint64_t seed) : random_(seed) {}

  int below(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }

  std::string name() {
    static const std::vector<std::string> kNames = {"a",   "b c", "имя", "quo'te\\", "x\ny",
                                                    "\"q", "$d",  "0",   "item",     "value"};
    return kNames[static_cast<size_t>(below(static_cast<int>(kNames.size())))];
  }

  /// `in_key` leaves out what keys of a dict may not hold.
  Type type(int depth, bool in_key = false) {
    if (depth == 0 || below(3) == 0) return simple(in_key);
    switch (below(9)) {
      case 0:
        return optional(below_optional(depth, in_key));
      case 1:
        return list(type(depth - 1, in_key));
      case 2: {
        // Arguments of a call are evaluated in any order.
        std::vector<std::string> gone = removed();
        return struct_(members(depth, in_key), std::move(gone));
      }
      case 3:
        return tuple(elements(depth, in_key));
      case 4:
        return variant(members(depth, in_key, 1));
      case 5: {
        std::vector<Type> types = elements(depth, in_key);
        types.push_back(simple(in_key));
        return variant_of(std::move(types));
      }
      case 6: {
        Type key = type(depth - 1, true);
        if (below(4) == 0) key = optional(std::move(key));
        return dict(std::move(key), type(depth - 1, in_key));
      }
      case 7: {
        Type tagged_type = type(depth - 1, in_key);
        return tagged(name(), std::move(tagged_type));
      }
      default: {
        int precision = 1 + below(kMaxDecimalPrecision);
        return decimal(precision, below(precision + 1));
      }
    }
  }

  TableSchema table() {
    TableSchema schema;
    schema.strict = below(3) != 0;
    int count = below(6);
    int keys = below(3);
    for (int i = 0; i < count; ++i) {
      Type of_column = type(4);
      ColumnSchema column("c" + std::to_string(i) + (below(3) == 0 ? " '\"\xff" : ""),
                          std::move(of_column));
      if (i < keys && can_be_key_column(column.type)) {
        column.sort_order = below(2) == 0 ? SortOrder::Ascending : SortOrder::Descending;
      } else {
        keys = 0;
        if (below(4) == 0) column.lock = "lock } {";
        if (below(4) == 0) column.aggregate = "sum";
        if (below(4) == 0 && !column.required()) column.expression = "\"a}\" + b";
      }
      if (below(4) == 0) column.group = "g";
      if (below(4) == 0) column.materialized = below(2) == 0;
      if (below(4) == 0) column.constraint = "BETWEEN 1 AND 2";
      if (schema.strict && below(4) == 0) column.stable_name = "s" + std::to_string(i);
      schema.columns.push_back(std::move(column));
    }
    schema.unique_keys = schema.key_column_count() > 0 && below(2) == 0;
    if (schema.strict && below(3) == 0) schema.deleted_columns = {"gone"};
    return schema;
  }

 private:
  /// Often what an optional's nulls in Arrow cannot stand for.
  Type below_optional(int depth, bool in_key) {
    if (!in_key && below(4) == 0) return TypeKind::Yson;
    if (below(4) != 0) return type(depth - 1, in_key);
    Type choice = variant(members(depth, in_key, 1));
    return depth > 1 && below(2) == 0 ? tagged(name(), std::move(choice)) : choice;
  }

  Type simple(bool in_key) {
    while (true) {
      auto kind = static_cast<TypeKind>(below(kSimpleTypeCount));
      if (kind == TypeKind::Yson || (in_key && kind == TypeKind::Json)) continue;
      return kind;
    }
  }

  std::vector<Member> members(int depth, bool in_key, int least = 0) {
    std::vector<Member> out;
    int count = least + below(4);
    for (int i = 0; i < count; ++i) {
      Type of_member = type(depth - 1, in_key);
      Member member(name() + std::to_string(i), std::move(of_member));
      if (below(4) == 0) member.stable_name = "stable" + std::to_string(i);
      out.push_back(std::move(member));
    }
    return out;
  }

  std::vector<std::string> removed() {
    return below(4) == 0 ? std::vector<std::string>{"gone", "lost"} : std::vector<std::string>{};
  }

  std::vector<Type> elements(int depth, bool in_key) {
    std::vector<Type> out;
    for (int i = below(4); i > 0; --i) out.push_back(type(depth - 1, in_key));
    return out;
  }

  std::mt19937_64 random_;
};

}  // namespace xwalk::yt::testing
