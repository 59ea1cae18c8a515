#pragma once

#include <string>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Returns what opening and reading an input met that no schema tells, as a list in JSON of
/// `path`, `rule` and `found`; `path` is a file, and `rule` empty, for what is said of files.
std::string notes_json(const FileNotes& files, const hub::Findings& rows, hub::Interface interface);

}  // namespace xwalk::io
