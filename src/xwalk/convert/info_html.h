#pragma once

#include <string>
#include <string_view>

#include "xwalk/convert/info.h"

namespace xwalk::io {

/// Prints the facts of a table as the part of a page that shows them. `scan` is the option that
/// reads rows. See table_infos.h for the page.
std::string html_table(const Info& info, std::string_view scan);

}  // namespace xwalk::io
