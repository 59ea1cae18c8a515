#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xwalk/yt/json_shape_internal.h"
#include "xwalk/yt/row_program_internal.h"
#include "xwalk/yt/validate.h"

// What an inference has seen of the values of rows.
namespace xwalk::yt {

/// A map with more fields is treated as a dictionary, whose keys no schema should list.
inline constexpr size_t kMaxFields = 1024;
/// Nesting of inferred types; what is deeper becomes yson.
inline constexpr size_t kMaxDepth = kMaxTypeDepth / 2;

struct Fields;

/// What was seen in one place.
struct Seen {
  bool boolean = false;
  bool signed_integer = false;
  bool unsigned_integer = false;
  bool negative = false;
  /// An integer that no double equals.
  bool beyond_double = false;
  /// An integer that no number type holds.
  bool beyond_all = false;
  bool real = false;
  bool text = false;
  /// Attributes, or nesting too deep to look at.
  bool opaque = false;
  bool utf8 = true;
  std::unique_ptr<Seen> items;
  std::unique_ptr<Fields> fields;
};

struct Fields {
  struct Field {
    std::string name;
    /// The name as a key in plain JSON.
    KeyForm form;
    Seen seen;
  };

  /// Fields that a type may list.
  size_t most = kMaxFields;
  /// There are more fields than that.
  bool overflow = false;
  /// A field has a name that no schema may have.
  bool unnamed = false;
  std::vector<Field> list;
  std::unordered_map<std::string, size_t> index;

  /// Finds or adds a field; `expected` is its index if the order is that of the last map. Null for
  /// a name that no schema may have, and if there are too many fields: more than `most` in this
  /// map, or more than `left` in all maps.
  Field* find(std::string_view name, size_t* expected, size_t* left) {
    if (*expected < list.size() && list[*expected].name == name) return &list[(*expected)++];
    if (name.empty() || name.size() > kMaxNameLength) {
      unnamed = true;
      return nullptr;
    }
    std::string key(name);
    auto known = index.find(key);
    if (known == index.end()) {
      if (overflow) return nullptr;
      if (list.size() == most || *left == 0) {
        // It becomes a value of any type: what it has taken is free for others.
        overflow = true;
        *left += list.size();
        list.clear();
        index.clear();
        return nullptr;
      }
      --*left;
      known = index.emplace(key, list.size()).first;
      list.push_back({});
      list.back().name = key;
      list.back().form = json_key(key, JsonForm());
    }
    *expected = known->second + 1;
    return &list[known->second];
  }
};

}  // namespace xwalk::yt
