#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/yt/schema.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Whether data of an old type can be read as a new one. Ordered from worst to best.
enum class Compatibility : uint8_t { Incompatible, RequireValidation, FullyCompatible };
std::string_view to_string(Compatibility compatibility);

/// Changes that the system refuses unless they are asked for.
struct CompatibilityOptions {
  /// Members may change their names and keep their stable names.
  bool allow_rename = false;
  /// Members may be removed: those of a struct by its `removed_members`, alternatives of a named
  /// variant by leaving them out.
  bool allow_removal = false;
};

/// An answer and, unless it is FullyCompatible, the first reason for it: the path in the system's
/// words (`col.<list-element>.price`) and a sentence.
struct CompatibilityResult {
  Compatibility compatibility = Compatibility::FullyCompatible;
  std::string path;
  std::string reason;
};

/// Asks whether values of `old_type` are values of `new_type`, by the system's rules. Tags do not
/// matter. `name` begins the path.
CompatibilityResult check_type_compatibility(const Type& old_type, const Type& new_type,
                                             const CompatibilityOptions& options = {},
                                             std::string_view name = "value");

/// Returns every reason why rows of a table with schema `input` may not, or not without a look at
/// their values, be written to, or read as, a table with schema `output`. Empty if they may.
std::vector<CompatibilityResult> table_incompatibilities(const TableSchema& input,
                                                         const TableSchema& output,
                                                         const CompatibilityOptions& options = {});

/// Returns the first of the worst of those reasons.
CompatibilityResult check_table_compatibility(const TableSchema& input, const TableSchema& output,
                                              const CompatibilityOptions& options = {});

}  // namespace xwalk::yt
