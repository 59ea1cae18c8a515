#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/lance/field_path.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// How a field differs between two versions of a schema.
enum class ChangeKind : uint8_t {
  Added,
  Dropped,
  Renamed,
  Moved,
  Retyped,
  Nullability,
  Keys,
  Metadata
};
std::string_view to_string(ChangeKind kind);

struct Change {
  ChangeKind kind = ChangeKind::Added;
  /// The field's id; where a cast gave a new one, the older and the newer.
  int32_t id = -1;
  int32_t newer_id = -1;
  /// Its place in each version, empty if the version does not have it.
  FieldPath older;
  FieldPath newer;
  /// The change as text, for each version: a type, "null", a key.
  std::string from;
  std::string to;
};

/// Compares two versions of one dataset's schema: fields with equal ids are the same. A dropped and
/// an added field at the same place are one field that was cast. In order of the newer schema,
/// dropped fields last. Nothing below an added or dropped field is listed.
std::vector<Change> diff(const Schema& older, const Schema& newer);

}  // namespace xwalk::lance
