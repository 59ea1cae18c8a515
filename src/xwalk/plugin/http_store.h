#pragma once

#include "xwalk/plugin/store.h"

namespace xwalk::plugin {

/// Returns the store of `http://` and `https://`, which is only read: by ranges where the server
/// gives them, else whole. Its library, libcurl, is loaded on first use.
Store& http_store();

}  // namespace xwalk::plugin
