#pragma once

#include <vector>

#include "xwalk/hub/type.h"

namespace xwalk::io {

/// Returns `field` with the nullability and metadata that `labels` has for it and for what is below
/// it, as far as its layers describe the same types.
hub::Field with_labels(hub::Field field, const hub::Field& labels);
/// Returns columns with the labels of the columns of the same names.
std::vector<hub::Field> with_labels(std::vector<hub::Field> fields, const hub::Schema& labels);

}  // namespace xwalk::io
