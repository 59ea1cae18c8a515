#pragma once

#include "xwalk/plugin/store.h"

namespace xwalk::plugin {

/// Returns the read-only store of `http://` and `https://`. It reads ranges if the server supports
/// them, else whole files. Its library, libcurl, is loaded on first use.
Store& http_store();

}  // namespace xwalk::plugin
