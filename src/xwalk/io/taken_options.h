#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "xwalk/hub/any_schema.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/convert.h"
#include "xwalk/io/format.h"
#include "xwalk/io/location.h"

// Options that only some formats take, as their rows say (`RowFormat::takes`).

namespace xwalk::io {

/// The formats that take an option when they are read, and when they are written; none of either
/// for an option that is no format's own.
struct TakenBy {
  std::vector<Format> read;
  std::vector<Format> written;
};
TakenBy taken_by(hub::Option option);

/// Refuses options given for an input, which is of one of these formats, where it takes them not.
/// Throws Error (Usage).
void check_taken(const std::set<hub::Option>& given, std::span<const Format> input);

/// Refuses those that rows of Arrow take only by a table schema beside them, where there is none.
/// Throws Error (Usage).
void check_taken_without_table(const std::set<hub::Option>& given);

/// Refuses options given for a conversion which only outputs take, and its output, of one of these
/// formats, takes not; leaves to the input those that are for it. Throws Error (Usage).
void settle_taken(std::span<const Format> output, ConvertOptions* options);

/// Settles the same for rows of a format that are open: options that say how rows are opened are
/// refused as well, unless they were opened with them. Throws Error (Usage).
void settle_open(Format input, const std::set<hub::Option>& opened_with, Format output,
                 ConvertOptions* options);

/// Sets the schema that an output must have. Throws Error (Usage) if it has one already.
void set_output_schema(ConvertOptions::Target schema, ConvertOptions* options);

/// Refuses options of stores where none of the names is that of a store. Throws Error (Usage).
void check_storage(const StorageOptions& storage, std::span<const std::string> names);

/// Returns the formats of a system, those of tables on a cluster among them.
std::vector<Format> formats_of(hub::System system);

}  // namespace xwalk::io
