#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/convert/conversion.h"

namespace xwalk::io {

/// Converts every table of a stream of YSON or Skiff rows to a separate output, whose name is
/// `pattern` with the index of the table for `{table}`. The tables of Skiff rows are converted in
/// one pass; for each of those that YSON rows name, the rows are read once. Throws Error as
/// `convert`, and Usage for options that choose rows of one table.
std::vector<Converted> convert_tables(const Locations& inputs, const std::string& pattern,
                                      ConvertOptions options);

/// Returns the output of a table. Throws Error (Io) for one whose name, or a folder made for the
/// index in it, exists and is a link, a pipe or a device: the user chose the pattern, not these.
Location output_of_table(const std::string& pattern, size_t table);

/// Returns the tables of a stream that `convert_tables` writes. Throws Error as it does.
std::vector<uint32_t> tables_of(const Locations& inputs, const ConvertOptions& options);

}  // namespace xwalk::io
