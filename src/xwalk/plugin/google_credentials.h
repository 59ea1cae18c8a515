#pragma once

namespace xwalk::plugin {

/// Throws StoreFailure (io) if Google's library would find no credentials: no key file, none of
/// gcloud, and no metadata server, to which it takes up to 3 seconds to connect. The library itself
/// would ask that server for minutes.
void require_google_credentials();

}  // namespace xwalk::plugin
