#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"

namespace xwalk::hub {

/// What a translation does to the values of one path: g(f(v)) = v for every v (Kept), where f is
/// defined (Checked; other values are rejected at run time), not for some accepted v (Altered), or
/// there is no map at all (None). Ordered from best to worst.
enum class Values : uint8_t { Kept, Checked, Altered, None };

/// Whether the target gives the source's type back: by its own schema (Self), with xwalk's
/// annotation, which the target keeps (Noted), or not (Changed). Inferred: the source has no
/// schema, and xwalk inferred the type from the values. Ordered from best to worst.
enum class TypeKept : uint8_t { Self, Noted, Changed, Inferred };

/// The headline of a path or a schema, worst last.
enum class Verdict : uint8_t { Exact, Annotated, Widened, Inferred, Checked, Lossy, Unsupported };

/// Combines the axes: altered → lossy, none → unsupported, checked → checked, type inferred →
/// inferred, type changed or a label lost → widened, noted → annotated, else exact.
Verdict verdict_of(Values values, TypeKept type, bool label_lost);

std::string_view to_string(Values values);
std::string_view to_string(TypeKept type);
std::string_view to_string(Verdict verdict);

/// The effect on values like a finding's witness, from best to worst.
enum class Effect : uint8_t {
  None,       ///< nothing: the finding is about a type, a name, a label
  Refused,    ///< they are rejected at run time
  Altered,    ///< they come back as other values
  Forbidden,  ///< forbidden by the system or its specification
};

/// Returns what an effect means for values.
Values values_after(Effect effect);

/// One fact that a module or a cast has found at one path. The plan decides what it means for
/// values, types and labels. The library never prints findings. `rule` is a stable slug
/// `family.what` that `common_rules()` or `Module::rules` lists.
struct Finding {
  std::string_view rule;
  Path path;
  Effect effect = Effect::None;
  /// What is lost or added, as a short text.
  std::string lost;
  /// A value that would be rejected or altered, in the source's text form; "" if no value would be.
  std::string witness;
  /// The option or the other type that avoids it.
  std::string hint;
};

using Findings = std::vector<Finding>;

/// Returns true for a finding that breaks a rule of the system or its specification.
inline bool is_violation(const Finding& finding) { return finding.effect == Effect::Forbidden; }

/// What a rule is about.
enum class RuleSubject : uint8_t {
  Type,           ///< a type or its values
  Extension,      ///< the name of an extension type
  Annotation,     ///< an annotation of a type
  Name,           ///< a name that a system does not allow
  Rename,         ///< another name in the target
  Omission,       ///< a column or field that the target lacks
  Crs,            ///< a coordinate reference system
  Specification,  ///< a rule of a system's schemas
  Release,        ///< the release of a system
  Readers,        ///< readers of the output
};

/// What a finding means: the rule's slug, and texts for people.
struct Rule {
  std::string_view slug;
  /// What a conversion or a schema has met, in one line. This and the advice mention options as
  /// `mention` does.
  std::string_view meaning;
  /// What readers of the target will see, and what can be done.
  std::string_view advice;
  RuleSubject about = RuleSubject::Type;
};

/// Returns the rules that are not of one system.
std::span<const Rule> common_rules();

}  // namespace xwalk::hub
