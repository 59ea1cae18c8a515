#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "xwalk/base/text.h"
#include "xwalk/hub/finding.h"

namespace xwalk::hub {

/// A module's findings about a schema, in order. Validators derive from it.
class Judgement {
 protected:
  /// Records that the schema breaks a rule of the system or its specification.
  void violation(std::string_view rule, const Path& path, std::string lost, std::string hint = {}) {
    findings_.push_back({.rule = rule,
                         .path = path,
                         .effect = Effect::Forbidden,
                         .lost = std::move(lost),
                         .hint = std::move(hint)});
  }
  /// Adds a remark about a valid property.
  void note(std::string_view rule, const Path& path, std::string lost, std::string hint = {}) {
    findings_.push_back(
        {.rule = rule, .path = path, .lost = std::move(lost), .hint = std::move(hint)});
  }

  /// Judges the name of a field in a list whose other names are in `names`.
  void judge_name(const std::string& name, const Path& path,
                  std::unordered_set<std::string_view>* names) {
    if (!is_valid_utf8(name)) violation("name.invalid", path, "a name that is not UTF-8");
    if (name.empty()) {
      note("name.invalid", path, "an empty name: readers cannot select this column");
    }
    if (!names->insert(name).second) {
      violation("name.duplicate", path, "a second field of this name");
    }
  }

  Findings findings_;
};

}  // namespace xwalk::hub
