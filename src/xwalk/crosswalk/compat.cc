#include "xwalk/crosswalk/compat.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/crosswalk/schema_work.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/find_cast.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/option.h"

namespace xwalk::crosswalk {
namespace {

using yt::Compatibility;

/// Adds a reason; what is compatible needs none.
void add(CompatReason reason, Compat* out) {
  if (reason.answer == Compatibility::FullyCompatible) return;
  out->answer = std::min(out->answer, reason.answer);
  out->reasons.push_back(std::move(reason));
}

/// Checks data of one schema against another by the domains of values: would a cast from the
/// written to the read schema refuse any?
class DomainCheck {
 public:
  DomainCheck(const AnySchema& written, const AnySchema& read, std::string_view direction,
              bool allow_removal, Compat* out)
      : direction_(direction), allow_removal_(allow_removal), out_(out) {
    options_.source = written.system()->refine;
    options_.target = read.system()->refine;
    meaning_ = {judged_refinement(written.system(), true), judged_refinement(read.system(), true)};
    // Readers of one system treat repeated keys of both schemas alike.
    if (written.system() == read.system()) options_.duplicate_keys = hub::DuplicateKeys::Keep;
  }

  void judge(const hub::Schema& written, const hub::Schema& read) {
    members(hub::struct_(written.fields), hub::struct_(read.fields), Path());
  }

 private:
  bool is_backward() const { return direction_ == "backward"; }
  std::string_view writers() const { return is_backward() ? "old" : "new"; }
  std::string_view readers() const { return is_backward() ? "new" : "old"; }

  void find(Compatibility answer, const Path& path, std::string reason) {
    add({answer, direction_, path.text(), std::move(reason)}, out_);
  }

  /// Checks each member separately, so that a member that cannot be converted does not hide others.
  void members(const hub::Type& from, const hub::Type& to, const Path& path) {
    const auto pairs = hub::pair_members(from, to, path);
    std::vector<bool> paired(to.children().size(), false);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const hub::Field& member = from.child(i);
      const Path below = hub::path_of_member(from, path, member.name);
      if (pairs[i]) {
        paired[*pairs[i]] = true;
        field(member, to.child(*pairs[i]), below);
      } else {
        left_out(below);
      }
    }
    for (size_t i = 0; i < paired.size(); ++i) {
      const hub::Field& member = to.child(i);
      if (paired[i] || member.nullable) continue;
      find(Compatibility::Incompatible, hub::path_of_member(to, path, member.name),
           fmt::format("is required in the {} schema and not in the {} one (member.added)",
                       readers(), writers()));
    }
  }

  void field(const hub::Field& from, const hub::Field& to, const Path& path) {
    const hub::Disagreements other = hub::judge(from, to, path, meaning_);
    if (hub::first_beyond(hub::Fit::Within, other) != nullptr) {
      if (from.type.kind() == hub::Kind::Struct && to.type.kind() == hub::Kind::Struct &&
          from.extension_name().empty() && to.extension_name().empty()) {
        return members(from.type, to.type, path);
      }
      for (const hub::Disagreement& one : other) {
        if (one.fit > hub::Fit::Within) {
          find(Compatibility::Incompatible, one.path,
               fmt::format("{} (meaning.differs)", one.reason));
        }
      }
      return;
    }
    hub::NoCast none;
    const auto cast = hub::find_cast({{from}, {}}, {{named(to, from.name)}, {}}, options_, &none);
    if (!cast) {
      if (from.type.kind() == hub::Kind::Struct && to.type.kind() == hub::Kind::Struct) {
        if (from.nullable && !to.nullable) {
          find(Compatibility::RequireValidation, path,
               fmt::format("the {} schema does not allow null (null.refused)", readers()));
        }
        return members(from.type, to.type, path);
      }
      return find(Compatibility::Incompatible, within(path, none.first->place().path),
                  with_schema_names(none.first->message()));
    }
    for (const hub::Finding& finding : cast->findings()) {
      const Path place = within(path, finding.path);
      if (subject_of(finding.rule) == hub::RuleSubject::Omission) {
        left_out(place);
      } else if (finding.effect != hub::Effect::None) {
        find(finding.effect == hub::Effect::Refused ? Compatibility::RequireValidation
                                                    : Compatibility::Incompatible,
             place, fmt::format("{} ({})", with_schema_names(finding.lost), finding.rule));
      }
    }
  }

  void left_out(const Path& path) {
    if (allow_removal_) return;
    find(Compatibility::Incompatible, path,
         fmt::format("is not in the {} schema (member.left-out)", readers()));
  }

  static hub::Field named(hub::Field field, const std::string& name) {
    field.name = name;
    return field;
  }

  /// Returns the path of a place whose first step is the field itself.
  static Path within(Path path, const Path& place) {
    const auto steps = place.steps();
    for (size_t i = 1; i < steps.size(); ++i) path = path.below(*steps[i]);
    return path;
  }

  /// Says whose schema is meant where a cast knows a source and a target.
  std::string with_schema_names(std::string text) const {
    for (const auto& [word, schema] :
         {std::pair{"the target's", readers()}, {"the source's", writers()}}) {
      replace(text, word, fmt::format("the {} schema's", schema));
    }
    for (const auto& [word, schema] :
         {std::pair{"the target", readers()}, {"the source", writers()}}) {
      replace(text, word, fmt::format("the {} schema", schema));
    }
    return text;
  }

  static void replace(std::string& text, std::string_view word, const std::string& by) {
    for (size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + by.size())) {
      text.replace(at, word.size(), by);
    }
  }

  hub::CastOptions options_;
  hub::JudgeOptions meaning_;
  std::string_view direction_;
  bool allow_removal_;
  Compat* out_;
};

/// A schema, and the hub schema of its rows.
struct Side {
  const AnySchema& schema;
  const hub::Schema& rows;
};

void check_direction(const Side& written, const Side& read, std::string_view direction,
                     const yt::CompatibilityOptions& options, Compat* out) {
  const System system = written.schema.system();
  if (system != read.schema.system() || system->incompatibilities == nullptr) {
    DomainCheck(written.schema, read.schema, direction, options.allow_removal, out)
        .judge(meant({system, written.rows}), meant({read.schema.system(), read.rows}));
    return;
  }
  static constexpr std::string_view kReaders = "the new schema";
  for (auto& result : system->incompatibilities(written.schema, read.schema, options)) {
    // The system knows the schema of the readers as the new one.
    const size_t at = direction == "forward" ? result.reason.find(kReaders) : std::string::npos;
    if (at != std::string::npos) result.reason.replace(at, kReaders.size(), "the old schema");
    add({result.compatibility, direction, std::move(result.path), std::move(result.reason)}, out);
  }
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
              fmt::format("{}: expected backward, forward or full, found {}",
                          mention(hub::Option::Mode), xwalk::quoted(word)),
              {}, did_you_mean(word, {"backward", "forward", "full"}));
}

Compat check_compat(const AnySchema& old_schema, const AnySchema& new_schema, CompatMode mode,
                    const yt::CompatibilityOptions& options) {
  return check_compat(old_schema, to_arrow(old_schema), new_schema, to_arrow(new_schema), mode,
                      options);
}

Compat check_compat(const AnySchema& old_schema, const hub::Schema& old_rows,
                    const AnySchema& new_schema, const hub::Schema& new_rows, CompatMode mode,
                    const yt::CompatibilityOptions& options) {
  check_schema_work(old_rows, &new_rows);
  const Side older{old_schema, old_rows};
  const Side newer{new_schema, new_rows};
  Compat out;
  if (mode != CompatMode::Forward) check_direction(older, newer, "backward", options, &out);
  if (mode != CompatMode::Backward) check_direction(newer, older, "forward", options, &out);
  return out;
}

}  // namespace xwalk::crosswalk
