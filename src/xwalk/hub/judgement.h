#pragma once

#include <string>
#include <string_view>
#include <utility>

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

  Findings findings_;
};

}  // namespace xwalk::hub
