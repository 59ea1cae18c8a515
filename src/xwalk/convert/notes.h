#pragma once

#include <string>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Returns findings of opening and reading an input that are not in its schema, as a JSON list of
/// `path`, `rule` and `found`. For findings about files, `path` is a file and `rule` is empty.
std::string notes_json(const FileNotes& files, const hub::Findings& rows, hub::Interface interface);

}  // namespace xwalk::io
