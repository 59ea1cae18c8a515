#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/cli/project_file.h"
#include "xwalk/convert/convert.h"

// The outputs of a conversion in a project's file. Here, and nowhere else, is decided which options
// a table has: `check` and `convert` both ask here.

namespace xwalk::cli {

/// An output, and the conversion as it is for its table: the options of `[[convert.table]]` have
/// replaced those of the conversion. Tables with the same options share it.
struct SectionOutput {
  io::OutputOf of;
  std::shared_ptr<const ProjectSection> section;
};

/// Returns the options of a conversion.
using OptionsOf = std::function<io::ConvertOptions(const ProjectSection& section)>;

/// Returns the outputs of a `[[convert]]` of a project's file. Throws Error (Usage) for options of
/// tables that the section does not have, and as `io::resumable_outputs`.
std::vector<SectionOutput> outputs_of(const std::string& file, const ProjectSection& section,
                                      const OptionsOf& options_of);

/// Returns an error about a section with the file, its line and its output.
Error naming_section(const std::string& file, const ProjectSection& section, const Error& error);

}  // namespace xwalk::cli
