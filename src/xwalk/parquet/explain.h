#pragma once

#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// How one part of a schema got its meaning.
struct Explanation {
  Path path;
  /// Nesting depth of the part: 0 for a column.
  int depth = 0;
  /// The node as it is written, without what is below: `optional group tags (LIST)`.
  std::string node;
  /// Its type in Arrow notation: `list<element: string>`, `int32 not null`.
  std::string meaning;
  Rule rule = Rule::Leaf;
  /// Why, in one sentence: what the rule says, and for an annotation which of its forms decides.
  std::string reason;
};

/// Returns the decisions that give a schema its meaning, depth first: what `xwalk schema --explain`
/// prints. Throws as `resolve`.
std::vector<Explanation> explain(const Schema& schema, const ToArrowOptions& options = {});

/// Returns explanations as text: a line for the node and its meaning, and below it the rule's slug
/// and the reason.
std::string to_string(const std::vector<Explanation>& explanations);

}  // namespace xwalk::parquet
