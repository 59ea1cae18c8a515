#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Units of time, one bit each: `kAllUnits`, `one_unit(TimeUnit::Micro)`.
using Units = uint8_t;
constexpr Units one_unit(TimeUnit unit) {
  return static_cast<Units>(1U << static_cast<unsigned>(unit));
}
inline constexpr Units kAllUnits = 0b1111;

/// Which fixed-size binary a system has in addition to `arrow.uuid` of 16 bytes; None: not even
/// that.
enum class FixedBinary : uint8_t { Any, NotEmpty, UuidOnly, None };
/// What a name belongs to.
enum class NameOf : uint8_t { Column, LastColumn, Member };

/// The name that replaces one that a system cannot hold.
struct LegalName {
  std::string name;
  /// Why the name as it was is not allowed; "" if it is.
  std::string why;
};

/// For `Capabilities::has_zone`: true for no zone and UTC.
bool is_utc_or_local(std::string_view zone);

/// The Arrow types that the exact mapping of a system accepts, one row per system. `lower` rewrites
/// the rest as the nearest type that is here; the row of a system that takes everything is `{}`.
struct Capabilities {
  /// The system's name in annotation keys.
  std::string_view system;

  /// Whether it has a type for values of any type; others see the bytes of such values.
  bool any_values = false;
  /// Without: a struct with one nullable field per alternative.
  bool unions = true;
  /// Without: a list of pairs.
  bool nullable_keys = true;
  bool sorted_keys = true;
  bool fixed_lists = true;
  bool list_views = true;
  bool run_ends = true;
  /// Whether an encoded type may have a canonical extension type of Arrow. Arrow's own readers then
  /// look for its storage and refuse the encoding.
  bool encoded_extensions = true;
  /// Without: booleans.
  bool bool8 = true;
  /// Without: float.
  bool half_floats = true;
  /// Without: date32, of whole days.
  bool date64 = true;
  /// Without: numbers.
  bool time_of_day = true;
  Units timestamps = kAllUnits;
  /// None at all: numbers.
  Units durations = kAllUnits;
  FixedBinary fixed_binary = FixedBinary::Any;
  /// Instead of fixed-size binary: a fixed-size list of bytes, not binary.
  bool bytes_as_list = false;
  /// Without: numbers of months, structs of parts.
  bool intervals = true;
  /// The annotation that marks month_day_nano intervals as the system's own; "" if it has no
  /// intervals.
  std::string_view interval_annotation;
  /// Decimals of 32 and 64 bits.
  bool narrow_decimals = true;
  /// Scales from the least to the precision; beyond, digits are added, and text stands for a
  /// decimal of more than 76 digits.
  int least_scale = INT32_MIN;
  bool scale_beyond_precision = true;
  /// The metadata key that remembers `arrow.json` if the system would rewrite JSON text; else "".
  std::string_view json_note;

  /// Whether names of columns may be any bytes; without, they are UTF-8, as names below them are.
  bool names_of_bytes = false;
  /// Whether names may hold zero bytes. Arrow's interface between libraries ends them there.
  bool zero_bytes = false;
  /// The metadata key whose values must be distinct, as ids are; "" if the system has no such key.
  std::string_view distinct_metadata;
  /// Whether columns, and whether members of a struct, have distinct names.
  bool distinct_columns = false;
  bool distinct_members = false;
  /// Whether names that differ only in case are not distinct.
  bool distinct_folded = false;
  /// Whether files keep structs without fields that are null or in a list. Nothing stands for them.
  bool empty_structs = true;
  size_t longest_name = SIZE_MAX;
  /// Whether files of the system are read by engines that fold the case of names and cannot request
  /// an empty one (DuckDB, Spark). Such names are kept, with a finding.
  bool folds_case = false;
  /// Returns the nearest legal name; null: every name is legal.
  LegalName (*legal_name)(const Field& field, NameOf of) = nullptr;

  /// Returns whether timestamps may have a zone, ("" for no zone). Null if any zone is allowed.
  /// Other zones are replaced by UTC.
  bool (*has_zone)(std::string_view zone) = nullptr;
  /// Whether the system's own annotation makes the layer exact as it is.
  bool (*holds)(const Field& field) = nullptr;
  /// Whether a fixed-size list may have such items; a dictionary such values.
  bool (*fixed_list_of)(const Type& list) = nullptr;
  bool (*dictionary_of)(const Type& dictionary) = nullptr;
  /// Removes from a map's key what it may not have, and returns a description of that; "" for
  /// nothing.
  std::string (*legal_key)(Field& key) = nullptr;
};

/// Returns the former type of a rewritten layer as the text of an annotation, or nothing if it has
/// no text form.
using NoteText = std::optional<std::string> (*)(const Field& was);

/// A schema that the exact mapping of a system takes.
struct Lowered {
  Schema schema;
  /// One for each rewritten layer, at the paths of the schema as it was.
  Findings findings;
  /// The original paths below rewritten layers, by the text of their new paths.
  std::map<std::string, Path, std::less<>> moved;

  /// New names, by the paths of the schema as it was.
  Renames renames;

  /// Returns the path that a path of the lowered schema was.
  const Path& as_it_was(const Path& path) const;
};

/// Rewrites what a system lacks. A rewritten layer keeps its former type as an annotation
/// (`xwalk:arrow`), and its other annotations describe that type. If `note` returns nothing, they
/// are dropped. Members to be renamed (`asked`) and names that the system cannot hold get new
/// names.
Lowered lower(const Schema& schema, const Capabilities& capabilities, NoteText note = nullptr,
              const Renames& requested = {});

/// Removes the annotations that described a field's former layer, except the system's own.
void drop_notes_of_others(const Capabilities& capabilities, Field* field);

/// Maps a lowered schema, or the part `seen` of it, exactly. All findings, those of lowering first,
/// and errors name the paths of the original schema. `refused` gets what the system cannot hold;
/// throws the first if it is null.
template <typename Mapped>
FromArrow<Mapped> map_lowered(const Lowered& lowered, const Schema& seen,
                              FromArrow<Mapped> (*from_arrow)(const Schema&, Refused*),
                              Refused* refused = nullptr) {
  Refused here;
  FromArrow<Mapped> out = from_arrow(seen, &here);
  for (auto& [column, why] : here.columns) {
    why.place().path = lowered.as_it_was(why.place().path);
    Refused::add(refused, column, std::move(why));
  }
  if (here.whole) {
    here.whole->place().path = lowered.as_it_was(here.whole->place().path);
    if (refused == nullptr) throw Error(*std::move(here.whole));
    refused->whole = std::move(here.whole);
  }
  for (Finding& finding : out.findings) finding.path = lowered.as_it_was(finding.path);
  out.findings.insert(out.findings.begin(), lowered.findings.begin(), lowered.findings.end());
  return out;
}

/// Lowers a schema and maps the result exactly, as `map_lowered` does.
template <typename Mapped>
FromArrow<Mapped> lower_and_map(const Schema& schema, const Capabilities& capabilities,
                                FromArrow<Mapped> (*from_arrow)(const Schema&, Refused*),
                                Refused* refused = nullptr) {
  const Lowered lowered = lower(schema, capabilities);
  return map_lowered(lowered, lowered.schema, from_arrow, refused);
}

}  // namespace xwalk::hub
