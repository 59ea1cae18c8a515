#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xwalk::io {

/// The kind of place that a name leads to.
enum class LocationKind : uint8_t {
  Local,     ///< a path, `file://`, `delta://`
  Standard,  ///< standard input or output, `-`
  S3,
  Gcs,
  Azure,
  Http,
  Cluster,  ///< a table of YTsaurus, `//home/t` or `yt://cluster//home/t`
  Catalog,  ///< a table of Iceberg, `iceberg://catalog/namespace.table`
};

/// What the names of tables of Iceberg's catalogs begin with.
inline constexpr std::string_view kCatalogScheme = "iceberg://";

/// How stores are reached, in addition to their own variables and profiles: by name, `endpoint`,
/// `region`, `anonymous`, `account`, `timeout`, `connect-timeout`, `retries` and `max-download`.
/// Never a secret.
using StorageOptions = std::map<std::string, std::string>;

/// Adds an option given as KEY=VALUE. Throws Error (Usage) for a key that is not known, and for one
/// that holds a secret, with the way to give that.
void add_storage_option(std::string_view text, StorageOptions* out);
void add_storage_option(const std::string& key, const std::string& value, StorageOptions* out);

/// The name of an input or output, parsed once. A local file whose name looks like a URI is reached
/// by `./`.
class Location {
 public:
  Location() = default;
  // NOLINTBEGIN(google-explicit-constructor): a name stands for its location and the reverse.
  Location(std::string name);
  Location(std::string_view name) : Location(std::string(name)) {}
  Location(const char* name) : Location(std::string(name)) {}
  operator const std::string&() const { return name_; }
  operator std::string_view() const { return name_; }
  // NOLINTEND(google-explicit-constructor)

  /// Returns the name; of a `file://` or `delta://` URI its path.
  const std::string& name() const { return name_; }
  /// Throws Error (Usage) for an unknown scheme, with the list of the known ones, for a URI with a
  /// password in it or without a bucket, and for `file://` with a host.
  LocationKind kind() const { return kind_ ? *kind_ : kind_of(name_); }
  bool is_standard() const { return kind_ == LocationKind::Standard; }
  /// Returns true for a table on a cluster, which an engine reads and writes.
  bool is_cluster() const { return kind_ == LocationKind::Cluster; }
  /// Returns true for a table of a catalog, whose name leads to no bytes.
  bool is_catalog() const { return kind_ == LocationKind::Catalog; }
  /// Returns true for a table that only an engine finds.
  bool is_table() const { return is_cluster() || is_catalog(); }
  /// Returns true for a local folder whose name says that it is a table of Delta, `delta://PATH`.
  bool is_delta() const { return is_delta_; }
  /// Returns true if a store, a cluster or a catalog keeps the bytes. Throws as `kind`.
  bool is_remote() const { return kind() > LocationKind::Standard; }

  /// Returns the location of a name in this folder; in the current one if this is empty.
  Location in(std::string_view name) const;
  /// Returns the location of another name of the same kind.
  Location renamed(std::string name) const { return {std::move(name), kind_}; }
  /// Returns this location as one whose name xwalk made, except for the first bytes: an output is
  /// written to it only if no link is in the rest.
  Location made_after(size_t given) const;
  /// Returns how many bytes at the beginning of the name the user gave.
  size_t given() const { return given_; }

  bool operator==(const Location& other) const {
    return name_ == other.name_ && kind_ == other.kind_;
  }

 private:
  Location(std::string name, std::optional<LocationKind> kind)
      : name_(std::move(name)), kind_(kind) {}
  static LocationKind kind_of(std::string_view name);

  std::string name_;
  /// Nothing for a name that `kind` refuses.
  std::optional<LocationKind> kind_ = LocationKind::Local;
  bool is_delta_ = false;
  size_t given_ = std::string::npos;
};

/// What messages show of a location: fmt takes no implicit conversion from its release 10 on.
inline std::string_view format_as(const Location& location) { return location.name(); }

/// The locations of names.
class Locations : public std::vector<Location> {
 public:
  using std::vector<Location>::vector;
  // NOLINTNEXTLINE(google-explicit-constructor): names stand for their locations.
  Locations(const std::vector<std::string>& names) : vector(names.begin(), names.end()) {}
};

/// Returns whether a name is a URI, of a scheme that is known or not, or that of a table: it begins
/// with `//`, or a word and `://`, or has attributes before such, as no text of a schema does.
bool is_uri(std::string_view name);

/// Decodes percent-encoded characters, such as `%20`.
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
NameKind look_at(const Location& location, const StorageOptions& storage);

}  // namespace xwalk::io
