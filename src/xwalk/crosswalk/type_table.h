#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// One cell of the table of all types: a type of one system in another, or in its own.
struct TypeCell {
  System from;
  System to;
  /// Each type in its own system's notation, or the reason why there is no mapping.
  std::string source;
  std::string target;
  hub::Verdict verdict = hub::Verdict::Unsupported;
  /// The rules that the verdict has, each once.
  std::vector<std::string> rules;
};

/// Returns one type of every kind of a system, by default of all systems, mapped to one other
/// system or all.
std::vector<TypeCell> type_table(std::optional<System> from, std::optional<System> to);

}  // namespace xwalk::crosswalk
