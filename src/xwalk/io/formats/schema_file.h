#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Parses the schema of rows that do not contain one: from the options, else from the side file.
/// Returns false if there is neither. `opened` are the rows, null if they are not open. The schema
/// is read after them, so that the schema of newer rows is noticed. Throws the errors of `parse`,
/// with the place.
bool find_side_schema(const Location& path, const Source* opened, const InputOptions& options,
                      SchemaOrigin* origin, const std::function<void(std::string_view)>& parse);

/// Parses the schema file of rows to which others are added. Throws Error (Io) if it is missing.
void need_side_schema(const Location& path, const std::function<void(std::string_view)>& parse);

}  // namespace xwalk::io
