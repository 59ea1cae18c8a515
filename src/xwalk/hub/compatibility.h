#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xwalk::hub {

/// Whether data of an old type can be read as a new one. Ordered from worst to best.
enum class Compatibility : uint8_t { Incompatible, RequireValidation, FullyCompatible };
std::string_view to_string(Compatibility compatibility);

/// Changes that systems refuse, or by which readers lose something, unless allowed here.
struct CompatibilityOptions {
  /// Members may change their names if something else identifies them: stable names of YTsaurus.
  /// Iceberg identifies them by id, without this option.
  bool allow_rename = false;
  /// Members may be removed: in YTsaurus those of a struct by its `removed_members`, alternatives
  /// of a named variant by leaving them out.
  bool allow_removal = false;
};

/// An answer and, unless it is FullyCompatible, a reason for it: the path in the system's syntax
/// (YTsaurus: `col.<list-element>.price`) and a sentence.
struct CompatibilityResult {
  Compatibility compatibility = Compatibility::FullyCompatible;
  std::string path;
  std::string reason;
};

}  // namespace xwalk::hub
