#include "xwalk/crosswalk/compat.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/room.h"

namespace xwalk::crosswalk {
namespace {

using yt::Compatibility;

/// Adds a reason; what is compatible needs none.
void add(CompatReason reason, Compat* out) {
  if (reason.answer == Compatibility::FullyCompatible) return;
  out->answer = std::min(out->answer, reason.answer);
  out->reasons.push_back(std::move(reason));
}

/// By the domains of values: what would a cast of the written data to what is read refuse?
void check_domains(const AnySchema& written, const AnySchema& read, std::string_view direction,
                   Compat* out) {
  hub::CastOptions options;
  options.source = written.system()->refine;
  options.target = read.system()->refine;
  hub::Findings findings;
  try {
    findings = hub::compile_cast(to_arrow(written), to_arrow(read), options).findings();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Unsupported) throw;
    add({Compatibility::Incompatible, direction, error.place().path.text(), error.message()}, out);
    return;
  }
  for (const hub::Finding& finding : findings) {
    Compatibility answer = Compatibility::FullyCompatible;
    if (finding.effect == hub::Effect::Refused) answer = Compatibility::RequireValidation;
    // A column that readers do not ask for hurts nobody.
    const bool left_out = finding.rule == "member.left-out";
    if (finding.effect > hub::Effect::Refused && !left_out) answer = Compatibility::Incompatible;
    add({answer, direction, finding.path.text(),
         fmt::format("{} ({})", finding.lost, finding.rule)},
        out);
  }
}

void check_direction(const AnySchema& written, const AnySchema& read, std::string_view direction,
                     const yt::CompatibilityOptions& options, Compat* out) {
  const auto* from = written.get_if<yt::TableSchema>();
  const auto* to = read.get_if<yt::TableSchema>();
  if (from == nullptr || to == nullptr) {
    check_domains(written, read, direction, out);
    return;
  }
  out->first_reason_only = true;
  yt::CompatibilityResult result = yt::check_table_compatibility(*from, *to, options);
  add({result.compatibility, direction, std::move(result.path), std::move(result.reason)}, out);
}

}  // namespace

std::string_view to_string(CompatMode mode) {
  switch (mode) {
    case CompatMode::Backward:
      return "backward";
    case CompatMode::Forward:
      return "forward";
    case CompatMode::Full:
      return "full";
  }
  return "";
}

CompatMode parse_compat_mode(std::string_view word) {
  for (const CompatMode mode : {CompatMode::Backward, CompatMode::Forward, CompatMode::Full}) {
    if (to_string(mode) == word) return mode;
  }
  throw Error(ErrorCode::Usage,
              fmt::format("expected backward, forward or full, found {}", quoted(word)));
}

Compat check_compat(const AnySchema& old_schema, const AnySchema& new_schema, CompatMode mode,
                    const yt::CompatibilityOptions& options) {
  Compat out;
  if (mode != CompatMode::Forward) {
    check_direction(old_schema, new_schema, "backward", options, &out);
  }
  if (mode != CompatMode::Backward) {
    check_direction(new_schema, old_schema, "forward", options, &out);
  }
  return out;
}

}  // namespace xwalk::crosswalk
