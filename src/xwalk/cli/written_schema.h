#pragma once

#include <string>

#include "xwalk/crosswalk/schema.h"

namespace xwalk::cli {

/// Returns a schema in a written form, "" for its system's first. As JSON it is in an object with
/// its system's name and a summary, if any: as text, or in base64 if the form is binary.
std::string written_schema(const crosswalk::AnySchema& schema, const std::string& form,
                           bool as_json, const std::string& summary = "");

}  // namespace xwalk::cli
