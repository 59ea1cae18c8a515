#pragma once

#include <string>
#include <string_view>

#include "xwalk/io/info.h"

namespace xwalk::io {

/// Prints what is known of an input as a page without scripts, or as the part of one that shows it.
/// `scan` is how a door has rows read.
std::string print_html(const Info& info, std::string_view scan);
std::string html_table(const Info& info, std::string_view scan);

}  // namespace xwalk::io
