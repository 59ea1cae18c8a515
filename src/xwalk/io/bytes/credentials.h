#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/io/bytes/location.h"

// Which hosts get credentials. The user's own command line and environment may name any host. A
// process that works for a file which the user did not write limits itself to named hosts.

namespace xwalk::io {

/// Limits this process: from now on it sends credentials only to `hosts`, to hosts that the
/// environment names, and to the stores' own hosts. A host is NAME or NAME:PORT; without a port it
/// stands for each port. Call it before other threads open anything.
void limit_credentials(std::vector<std::string> hosts);

/// Returns the host that a URI or its storage options name; "" for a local name and for the host
/// that belongs to the store itself, such as that of s3://.
std::string named_host(const Location& uri, const StorageOptions& storage);

/// Returns true if a named host, "" for the scheme's own, may get credentials.
bool may_get_credentials(LocationKind scheme, const std::string& host);

/// Returns the options by which a URI is reached: those given, and `anonymous` if its host may not
/// get credentials. Throws Error (Usage) for a bucket or region that would change the host.
StorageOptions reached_with(const Location& uri, StorageOptions storage);

/// Returns the hosts that got no credentials because of the limit, each once.
std::vector<std::string> hosts_without_credentials();

}  // namespace xwalk::io
