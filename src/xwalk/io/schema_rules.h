#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/open.h"

namespace xwalk::io {

/// What one rule of a system says of one place of a schema.
struct RuleRemark {
  /// Whether the rule is broken; else it is worth knowing.
  bool broken = false;
  std::string path;
  /// The rule's slug; "" where it has none.
  std::string rule;
  std::string text;
};

/// Holds a schema against every rule of its system.
std::vector<RuleRemark> check_rules(const crosswalk::AnySchema& schema);

/// The same for the schema that `read_schema` reads, or one that breaks rules so that it would not
/// be read. Throws Error.
std::vector<RuleRemark> check_rules(const std::string& path,
                                    std::optional<crosswalk::System> system,
                                    const InputOptions& options = {});

}  // namespace xwalk::io
