#pragma once

#include <string>
#include <vector>

#include "xwalk/cli/session.h"
#include "xwalk/io/open.h"

namespace xwalk::cli {

/// Opens rows and tells the person where their schema came from when it was inferred.
io::Input open_rows(const std::vector<std::string>& paths, const io::InputOptions& options,
                    Session& session);

}  // namespace xwalk::cli
