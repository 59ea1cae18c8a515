#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/pairing.h"
#include "xwalk/crosswalk/schema.h"

namespace xwalk::crosswalk {

/// How a column, or what lies within it, differs from what it was.
enum class Change : uint8_t {
  Added,
  Removed,
  Renamed,
  Moved,        ///< to another parent, or to another place among its siblings
  Retyped,      ///< other values, another layout, another extension
  Nullability,  ///< null is allowed on one side only
  Annotation,   ///< tags and xwalk's annotations, which change no value
  Id,
  Keys,      ///< sort order, primary key, unique keys
  Metadata,  ///< docs, container flags, entries of the metadata
};
std::string_view to_string(Change change);

struct Difference {
  Change change = Change::Added;
  /// The old and the new text, "" if that side has no text: types in their own system's notation,
  /// names, ids.
  std::string from;
  std::string to;
  /// A few words on what that means, or "".
  std::string detail;
};

/// The place of a line in one of the schemas. Empty if that side does not have it, and for the
/// table.
struct DiffSide {
  Path path;
  /// The last step of the path.
  std::string label;
  /// The type in its own system's notation, and its own layer (`layer_text`).
  std::string type;
  std::string layer;
};

/// One line of two schemas laid side by side, the same or not.
struct DiffLine {
  DiffSide left;
  DiffSide right;
  PairedBy by = PairedBy::Name;
  int depth = 0;
  /// Empty if nothing differs, and below a column that was added or removed.
  std::vector<Difference> differences;

  bool in_left() const { return by != PairedBy::None || !left.path.empty(); }
  bool in_right() const { return by != PairedBy::None || !right.path.empty(); }
};

/// The differences of two schemas. Lines are in the order of the right schema, the table first.
/// Columns that only the left has keep their place.
struct Diff {
  System left_system = arrow::kModule;
  System right_system = arrow::kModule;
  size_t left_columns = 0;
  size_t right_columns = 0;
  std::vector<DiffLine> lines;

  /// Returns true if no line differs.
  bool same() const;
};

struct DiffOptions {
  /// Pairs a removed column with an added one if both are the only ones of their type. The line is
  /// marked as a guess (`by` Guess).
  bool guess_renames = true;
};

/// Compares two schemas of any two systems. Nodes are paired by field id where both schemas have
/// ids, then by name under paired parents. Within one system types are the same if the system
/// itself tells them apart in nothing; across systems, if they hold the same values. Ids are
/// compared where both schemas have any.
Diff diff(System left_system, const hub::Schema& left, System right_system,
          const hub::Schema& right, const DiffOptions& options = {});
Diff diff(const AnySchema& left, const AnySchema& right, const DiffOptions& options = {});

}  // namespace xwalk::crosswalk
