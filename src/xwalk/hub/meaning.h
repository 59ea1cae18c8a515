#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

// The meaning of values, and whether values of one type may become values of another.

namespace xwalk::hub {

/// What values are, whatever type stores them.
enum class Meaning : uint8_t {
  Nothing,  ///< null alone
  TruthValue,
  Number,  ///< integers, floats and decimals
  Text,
  Bytes,
  Json,
  AnyValue,  ///< YSON of any type, VARIANT
  Document,  ///< bytes of another form, such as BSON
  Uuid,
  Date,
  TimeOfDay,
  LocalTime,
  Instant,
  ZonedTime,
  Duration,
  Interval,
  Geometry,
  Tensor,
  Extension,
  List,
  Struct,
  Map,
  Alternative,
};

/// How a meaning fits another, from best to worst.
enum class Fit : uint8_t {
  Same,     ///< one meaning: values go, some of them with a check
  Within,   ///< one holds the other: bytes text and WKB, text JSON, any value JSON
  Named,    ///< one type, but tags, labels or an epoch tell its values apart: only if requested
  ByValue,  ///< each value has a form there, such as the text of a number: only if requested
  Stored,   ///< one storage: only if the user wants stored values to mean something else
  None,
};

/// The word before a requested type that stored values are read as: `storage:timestamp[us]`.
inline constexpr std::string_view kStoredWord = "storage:";

/// A place where the meanings of two fields differ.
struct Disagreement {
  Fit fit = Fit::None;
  Path path;
  /// In a few words: "a number (int64) is not an instant (timestamp[us, tz=UTC])".
  std::string reason;
};
using Disagreements = std::vector<Disagreement>;

/// What systems and annotations add about both sides.
struct JudgeOptions {
  /// What the systems and the annotations of both say about fields. Null functions add nothing.
  Refine from;
  Refine to;
  /// Names of members on the other side, if they differ.
  const Renames* renames = nullptr;
};

/// Returns what the values of a field are. Layouts and encodings make no difference.
Meaning meaning_of(const Field& field, const Refinement& refinement = {});

/// Decides whether values of one field may become values of another, at every depth. Returns every
/// place where they have different meanings, in schema order; none if they have the same meaning.
/// Members and alternatives that only one side has are not compared. `path` is the place of `from`.
Disagreements judge(const Field& from, const Field& to, const Path& path,
                    const JudgeOptions& options = {});

/// Returns the first place whose fit is worse than `worst`; null if all fit.
const Disagreement* first_beyond(Fit worst, const Disagreements& found);

}  // namespace xwalk::hub
