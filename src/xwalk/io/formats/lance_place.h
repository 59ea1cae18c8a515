#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/io/bytes/location.h"
#include "xwalk/lance/file.h"

namespace xwalk::io {

/// The folder of a dataset that holds its versions.
inline constexpr std::string_view kLanceVersions = "_versions";

/// Where a version of a dataset is.
struct LancePlace {
  /// The folder of the dataset, or of a branch below it.
  Location folder;
  /// The latest if it is not given.
  std::optional<uint64_t> version;
};

/// Returns true for a folder, also of a store, that holds a dataset.
bool is_lance_dataset(const Location& path, const StorageOptions& storage = {});

/// Refuses links in a local dataset, or in one folder of it, `below`, which may lead anywhere. A
/// link into one of the folders `followed` is allowed, and what it leads to is examined as well.
/// The dataset itself may be a link. Throws Error (Unsupported); Error (Io) for a pipe or a device,
/// which the package would wait for.
void refuse_links(const Location& dataset, std::string_view below, const Locations& followed);

/// Lists the versions of a dataset, oldest first. Throws Error (Io) for a folder that
/// cannot be read, Error (Input) for one that is not a dataset.
std::vector<lance::Version> lance_versions(const Location& folder,
                                           const StorageOptions& storage = {});

/// Finds the version of a dataset that a text names: a number, a tag, a branch, or
/// `BRANCH:NUMBER`. Without a text it is the latest. Throws Error: Usage for an unknown name and
/// for one that is both a tag and a branch, Input for the file of a tag that cannot be read.
LancePlace lance_place(const Location& folder, const std::optional<std::string>& version,
                       const StorageOptions& storage = {});

/// Returns the manifest file of a version, the latest if none is given. Throws Error: Usage with
/// the first and last version for another number, Unsupported as `refuse_links` for the versions.
std::string lance_manifest_path(const Location& folder, std::optional<uint64_t> version,
                                const StorageOptions& storage = {}, const Locations& followed = {});

}  // namespace xwalk::io
