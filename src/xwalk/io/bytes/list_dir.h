#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

/// A name in a folder.
struct Entry {
  std::string name;
  NameKind kind = NameKind::File;
  bool is_link = false;
};

/// Lists folders on a disk and in a store.
class Listing {
 public:
  explicit Listing(StorageOptions storage) : storage_(std::move(storage)) {}

  const StorageOptions& storage() const { return storage_; }
  /// Returns the kind of object under a name.
  NameKind look(const Location& path) const { return look_at(path, storage_); }
  /// Returns the entries of a folder, sorted by name. Throws Error (Io).
  std::vector<Entry> in(const Location& folder);
  /// Announces that the folders below one will be listed too, so that a store lists all at once.
  void fetch_below(const Location& folder);

 private:
  const std::vector<Entry>& in_store(const std::string& folder);

  StorageOptions storage_;
  /// Folders of stores that are known, without a slash at their end.
  std::map<std::string, std::vector<Entry>, std::less<>> known_;
};

/// Returns a path below a folder that holds it.
std::string path_below(const Location& folder, const Location& path);

}  // namespace xwalk::io
