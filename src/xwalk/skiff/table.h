#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "xwalk/skiff/type.h"

namespace xwalk::skiff {

inline constexpr std::string_view kOtherColumns = "$other_columns";
inline constexpr std::string_view kSparseColumns = "$sparse_columns";
inline constexpr std::string_view kKeySwitch = "$key_switch";
inline constexpr std::string_view kRowIndex = "$row_index";
inline constexpr std::string_view kRangeIndex = "$range_index";
inline constexpr std::string_view kRemainingRowBytes = "$remaining_row_bytes";

/// The shapes of `$row_index` and `$range_index`.
enum class IndexShape : uint8_t {
  TwoWay,    ///< variant8<nothing;int64>: follows from the row before, or given
  ThreeWay,  ///< variant8<nothing;int64;nothing>: the same, or not known
};

/// What a child of a table's root is for.
enum class Role : uint8_t { Dense, KeySwitch, RowIndex, RangeIndex, Sparse, Other };

/// A child of the root in its place.
struct Slot {
  Role role = Role::Dense;
  /// The child of the root.
  Type type;
};

/// A table's skiff schema taken apart ("Skiff schema of a table" in the specification).
struct TableLayout {
  Type root;
  /// One entry a child of the root, in order.
  std::vector<Slot> slots;
  /// Children of `$sparse_columns`, by tag.
  std::vector<Type> sparse;
  bool has_other_columns = false;
  bool has_key_switch = false;
  std::optional<IndexShape> row_index;
  std::optional<IndexShape> range_index;
};

/// Checks the rules of a table's skiff schema and takes it apart. Throws Error (Input) that names
/// the rule and the child, and Error (Unsupported) for `$remaining_row_bytes`.
TableLayout table_layout(const Type& root);

}  // namespace xwalk::skiff
