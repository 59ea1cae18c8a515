#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns true for names that no system changes, or gives a meaning to.
bool is_plain_word(std::string_view name);

/// Returns true if all names are different.
bool are_distinct(std::span<const Field> members);

/// The paths of the columns of a table, or of the children of a struct or union. All are different:
/// those with equal names differ in the index of their step. Paths are built on demand.
class MemberPaths {
 public:
  /// Columns. They must live as long as this.
  explicit MemberPaths(std::span<const Field> columns);
  /// Children of a type, which must live as long as this.
  MemberPaths(const Type& type, Path path);

  Path operator[](size_t member) const;

 private:
  std::span<const Field> members_;
  Path path_;
  Path::Step::Kind step_ = Path::Step::Kind::Field;
  /// Empty if all are 0.
  std::vector<size_t> index_;
};

/// Two places with equal types: findings about one apply to the other.
struct MovedPlace {
  Path reported;
  Path meant;

  /// Returns a path at or below the first place as the same of the second.
  Path of(const Path& path) const;
};

}  // namespace xwalk::hub
