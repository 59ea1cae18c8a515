#pragma once

#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"
#include "xwalk/parquet/rules.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Name of this system in annotation keys. A field's annotation is message text of one layer: a
/// field named `_` in which every child is `required int32 name (UNKNOWN)`.
inline constexpr std::string_view kSystem = "parquet";
/// Field metadata key of a field id, as Arrow C++ has it.
inline constexpr std::string_view kFieldId = "PARQUET:field_id";

struct ToArrowOptions {
  /// INT96 becomes a timestamp of this unit, without zone. Nanoseconds hold 1677 to 2262 only.
  hub::TimeUnit int96_unit = hub::TimeUnit::Nano;
  /// INTERVAL, INT96 and a TIMESTAMP of 12 bytes are read as their stored bytes, for a target that
  /// uses the same form; otherwise as Arrow's nearest type, which rejects values that it cannot
  /// hold.
  bool storage = false;
};

/// What one node of a schema means: its hub field, which rule says so, and the same of what is
/// below: a struct's fields, a list's element, a map's key and value.
struct Resolved {
  hub::Field field;
  Rule rule = Rule::Leaf;
  /// The node itself; of an unannotated repeated node, the node of both list and element.
  Node node;
  Path path;
  std::vector<Resolved> children;
  /// False if the annotation was misplaced: the order that its writer compared values by is
  /// unknown.
  bool has_known_order = true;
};

/// The interpretation of a whole schema by the format's rules, and findings about it.
struct Resolution {
  std::vector<Resolved> columns;
  /// Annotations that are ignored, being misplaced or newer than this version, keys that may be
  /// null…
  hub::Findings findings;
};

/// Applies the rules of annotations, LIST, MAP and repeated fields. Throws Error (Input) with the
/// path if the parameters of an annotation are not allowed or a group cannot be interpreted.
Resolution resolve(const Schema& schema, const ToArrowOptions& options = {});

/// Returns how many leaves a node has. A leaf counts as one.
int count_leaves(const Node& node);

}  // namespace xwalk::parquet
