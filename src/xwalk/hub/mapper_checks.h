#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Throws Error (Unsupported) for a part of a schema that a system cannot hold.
[[noreturn]] void refuse(const Path& path, std::string message, std::string hint = {});

/// Throws Error (Unsupported): the system, by its display name, has no type for the field's type.
[[noreturn]] void refuse_type(std::string_view system, const Field& field, const Path& path);

/// Throws Error (Unsupported) if a type has more types around it than a system allows.
void check_nesting(int depth, int most, const Path& path);

/// Returns the finding about an annotation that does not describe its column.
Finding stale_annotation(const Path& path, std::string_view annotation);

/// Maps the columns of a schema one by one. `map` returns what a system has for a field at a path.
/// If it throws Error (Unsupported) with a path, `refused` gets the error. Throws it if `refused`
/// is null.
template <typename Map>
auto map_columns(std::span<const Field> columns, Refused* refused, Map map) {
  std::vector<decltype(map(columns[0], Path()))> out;
  out.reserve(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    try {
      out.push_back(map(columns[i], Path::column(columns[i].name)));
    } catch (Error& error) {
      const bool is_about_it =
          error.code() == ErrorCode::Unsupported && !error.place().path.empty();
      if (refused == nullptr || !is_about_it) throw;
      Refused::add(refused, i, std::move(error));
    }
  }
  return out;
}

}  // namespace xwalk::hub
