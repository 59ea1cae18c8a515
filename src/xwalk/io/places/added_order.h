#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "xwalk/io/formats/format.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/row_order.h"

// The order of rows that are added to existing rows.

namespace xwalk::io {

/// Returns true if added rows come after existing ones, which promise an order for both. Files of a
/// folder are sorted one by one, unless their keys are unique. A cluster compares the rows that it
/// is given.
bool follows_rows(const OutputPlace& place, Format format);

/// The label of the order of the rows of a folder.
inline constexpr std::string_view kOrderOfFolder = "sort_order of the folder";

/// Adds to the plan of rows that are added to a folder that its readers see no order of all rows.
void add_order_of_folder(const OutputPlace& place, Format format, crosswalk::Plan* plan);
/// Does so for a folder of several files of a schema.
void add_order_of_folder(hub::Schema file, crosswalk::Plan* plan);

/// Returns the number by which the name of one more file sorts after those of the existing files.
uint64_t next_number(const std::vector<Location>& files);

/// Returns the order of rows that are added to files of a folder: it begins after the last row of
/// the last file that has one. `meaning` is the schema of the existing rows, `rows` that of the
/// added ones, `folder` is named in errors. Returns nothing if the existing rows promise no order.
/// Throws Error.
std::optional<RowOrder> order_after(const std::vector<Location>& files, const hub::Schema& meaning,
                                    const hub::Schema& rows, const OutputOptions& options,
                                    const Location& folder);

/// Has the rows that a writer adds checked against an order that begins after the last existing
/// row, whose keys are read; returns the writer itself if the existing rows promise none. `rows` is
/// the schema of the added rows. Throws Error.
std::unique_ptr<hub::BatchWriter> after_rows(const OutputPlace& place, Format format,
                                             const hub::Schema& rows, const OutputOptions& options,
                                             std::unique_ptr<hub::BatchWriter> writer);

/// Has the values of ordered dictionaries that a writer adds to a folder compared with the orders
/// that they have in its files, which are read; returns the writer itself for other rows. `rows` is
/// the schema of the added rows. Throws Error.
std::unique_ptr<hub::BatchWriter> after_categories(const OutputPlace& place, Format format,
                                                   const hub::Schema& rows,
                                                   const OutputOptions& options,
                                                   std::unique_ptr<hub::BatchWriter> writer);

}  // namespace xwalk::io
