#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// How a part of a schema got its meaning: one of the format's rules. `xwalk schema --explain`
/// prints them.
enum class Rule : uint8_t {
  Leaf,              ///< a required or optional primitive
  Struct,            ///< a group without LIST or MAP
  ListPrimitive,     ///< list rule 1: the repeated field is a primitive, and the element
  ListManyFields,    ///< list rule 2: a repeated group of several fields is the element
  ListOneRepeated,   ///< list rule 3: a repeated group whose one field is repeated is the element
  ListArrayOrTuple,  ///< list rule 4: a repeated group `array` or `<list>_tuple` is the element
  ListThreeLevel,    ///< list rule 5: the repeated group's one field is the element
  Map,               ///< MAP with its standard names
  MapByPosition,     ///< MAP with other names: the first field is the key, the second the value
  MapKeyValueAsMap,  ///< MAP_KEY_VALUE outside a MAP stands for MAP
  MapWithoutValue,   ///< MAP without values: a set of keys
  Repeated,          ///< repeated without LIST or MAP: a required list of required elements
};

/// Returns the rule's slug, `list.rule-3`, and what it says in one sentence.
std::string_view slug(Rule rule);
std::string_view explain(Rule rule);

/// A problem of one node.
struct Problem {
  std::string_view rule;  ///< of `Module::rules`
  std::string message;
  std::string hint;
};

/// Returns what is wrong with a node's annotation alone: it is not allowed on this physical type or
/// on a group, or its parameters are out of range. The shapes of LIST and MAP are not checked here.
std::optional<Problem> annotation_problem(const Node& node);

/// The element of a LIST group and the rule that determined it; or a problem, if its shape is
/// invalid.
struct ListShape {
  Rule rule = Rule::ListThreeLevel;
  /// The repeated field.
  const Node* repeated = nullptr;
  /// The element: the repeated field itself, or its one child.
  const Node* element = nullptr;
  std::optional<Problem> problem;

  bool three_level() const { return rule == Rule::ListThreeLevel; }
};
ListShape list_shape(const Node& node);

/// The key and value of a MAP or MAP_KEY_VALUE group.
struct MapShape {
  Rule rule = Rule::Map;
  const Node* repeated = nullptr;
  const Node* key = nullptr;
  /// Null if values are omitted.
  const Node* value = nullptr;
  std::optional<Problem> problem;
};
MapShape map_shape(const Node& node);

/// Returns true for a group that LIST rules or MAP rules give its meaning.
bool is_list(const Node& node);
bool is_map(const Node& node);
/// Returns true for INTERVAL or MAP_KEY_VALUE with LogicalType UNKNOWN, as parquet-java writes
/// them.
bool is_next_to_unknown(const Node& node);

}  // namespace xwalk::parquet
