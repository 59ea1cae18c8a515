#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace xwalk::io {

/// Where the bytes of a name live.
enum class Scheme : uint8_t {
  Local,  ///< a path, `-`, `file://`
  S3,
  Gcs,
  Azure,
  Http,
  Cluster,  ///< a table of YTsaurus, `//home/t` or `yt://cluster//home/t`
};

/// How stores are reached, besides what their own variables and profiles say: by name, `endpoint`,
/// `region`, `anonymous`, `account`, `timeout`, `connect-timeout`, `retries` and `max-download`.
/// Never a secret.
using StorageOptions = std::map<std::string, std::string>;

/// Adds an option given as KEY=VALUE. Throws Error (Usage) for a key that is not known, and for one
/// that holds a secret, with the way to give that.
void add_storage_option(std::string_view text, StorageOptions* out);
void add_storage_option(const std::string& key, const std::string& value, StorageOptions* out);

/// Returns where a name leads. A local file whose name looks like a URI is reached by `./`. Throws
/// Error (Usage) for a scheme that is not known, with the list of those that are, and for a URI
/// with a password in it.
Scheme scheme_of(std::string_view name);

/// Returns whether a name is a URI, of a scheme that is known or not, or that of a table: it begins
/// with `//`, or a word and `://`, or has attributes before such, as no text of a schema does.
bool is_uri(std::string_view name);

/// Returns whether a store or a cluster keeps the bytes. Throws as `scheme_of`.
inline bool is_remote(std::string_view name) { return scheme_of(name) != Scheme::Local; }

/// Returns whether a name is one of a table on a cluster, which an engine reads and writes.
bool is_cluster(std::string_view name);

/// Returns the path of a local name: that of a `file://` URI, any other as it is.
std::string local_path(const std::string& name);

/// Undoes `%20`, by which names are written that may not have a character.
std::string percent_decoded(std::string_view text);

/// Returns a name as messages show it: without the query of an http URI, which may hold
/// credentials.
std::string shown_name(std::string_view name);

/// Returns a name up to its extension, without the query of an http URI.
std::string_view without_query(std::string_view name);

/// The kind of object under a name.
enum class NameKind : uint8_t { Nothing, File, Folder, Other };

/// Returns the kind of object under a name. Other is a pipe or a device. Throws Error (Io) if a
/// store does not report it.
NameKind look_at(const std::string& name, const StorageOptions& storage);

}  // namespace xwalk::io
