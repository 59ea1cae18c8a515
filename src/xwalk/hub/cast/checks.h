#pragma once

#include <string_view>
#include <vector>

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel that refuses values which are none of the field's type, and gives back what it is
/// given: text that is not UTF-8, times beyond a day, parts of days, decimals of more digits. Such
/// values of dictionaries, runs and alternatives that no row shows are left out. No
/// kernel where every value of the layout is one of the type.
KernelPtr checks_kernel(const Field& field, const Path& path);

/// The same for values which are none of those that the system or a note promises: documents that
/// are none, numbers outside a range, names of no time zone. Paths in `kept` are passed over. The
/// field is that of whole rows.
KernelPtr promises_kernel(const Field& field, const Refine& refine, const std::vector<Path>& kept);

/// Returns the bytes of an element in any layout; none for a null.
std::string_view bytes_of(const Array& array, const Type& type, int64_t index);

/// Returns the paths at which `promises_kernel` would look at values.
std::vector<Path> promised_paths(const Field& field, const Refine& refine);

}  // namespace xwalk::hub::cast
