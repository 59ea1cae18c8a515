#pragma once

#include <string>
#include <vector>

#include "xwalk/cli/session.h"
#include "xwalk/io/open.h"

namespace xwalk::cli {

/// Opens rows and tells the person where their schema came from when it was inferred.
io::Input open_rows(const std::vector<std::string>& paths, const io::InputOptions& options,
                    Session& session);

/// Returns what the reader of an input decided or met that no schema tells.
hub::Findings notes_of(const io::SplitReader& reader);

/// Tells the person of findings, one a line, on standard error.
void print_notes(const hub::Findings& notes, Session& session);

}  // namespace xwalk::cli
