#pragma once

#include <string_view>
#include <vector>

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel that rejects values that are invalid for the field's type and returns its input: text
/// that is not UTF-8, times beyond a day, parts of days, decimals of more digits. Invalid values of
/// dictionaries, runs and alternatives that no row shows are dropped. Null if every value of the
/// layout is valid.
KernelPtr checks_kernel(const Field& field, const Path& path);

/// The same for the promises of the system or of an annotation: invalid documents, numbers out of
/// range, unknown time zones. Paths in `kept` are skipped. `field` is the struct of whole rows.
KernelPtr promises_kernel(const Field& field, const Refine& refine, const std::vector<Path>& kept);

/// Returns the bytes of an element in any layout; none for a null.
std::string_view bytes_of(const Array& array, const Type& type, int64_t index);

/// Returns the paths at which `promises_kernel` would check values.
std::vector<Path> promised_paths(const Field& field, const Refine& refine);

}  // namespace xwalk::hub::cast
