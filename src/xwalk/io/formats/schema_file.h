#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Parses the schema of rows that have none: that of the options, else that of the side file.
/// Returns false where there is neither. `opened` are the rows, null where they are not open; the
/// schema is read after them, so that one of later rows is noticed. Throws as `parse` does, with
/// the place.
bool find_side_schema(const std::string& path, const Source* opened, const InputOptions& options,
                      SchemaOrigin* origin, const std::function<void(std::string_view)>& parse);

/// Parses the schema file of rows to which others are added. Throws Error (Io) if it is missing.
void need_side_schema(const std::string& path, const std::function<void(std::string_view)>& parse);

}  // namespace xwalk::io
