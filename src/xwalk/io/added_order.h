#pragma once

#include <optional>

#include "xwalk/io/format.h"
#include "xwalk/io/open.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/row_order.h"

// The order of rows that are added to existing rows.

namespace xwalk::io {

/// Returns true if added rows come after existing ones, which promise an order for both. Files of a
/// folder are sorted one by one, and a cluster compares the rows that it is given.
bool follows_rows(const OutputPlace& place, Format format);

/// Reads the keys of the existing rows, and returns the order that begins after the last of them;
/// nothing if they promise none. `rows` is the schema of the added rows. Throws Error.
std::optional<RowOrder> order_after(const OutputPlace& place, Format format,
                                    const hub::Schema& rows, const OutputOptions& options);

}  // namespace xwalk::io
