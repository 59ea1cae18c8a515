#include "xwalk/io/bytes/list_dir.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// More names than a folder of one table has. Listings of a store are kept in memory.
constexpr size_t kMaxNames = 10'000'000;

[[noreturn]] void fail(const std::string& path, std::string message) {
  throw Error(ErrorCode::Io, std::move(message), {.file = path});
}

std::string without_slash(std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  return std::string(folder);
}

/// Refuses an object such as `dir//x`: a path below its folder would name `dir/x`.
void expect_name(const std::string& folder, std::string_view name) {
  if (name.empty())
    fail(folder, "an object below it has an empty part in its name, which no path has");
}

std::vector<Entry> on_disk(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code failed;
  fs::directory_iterator at(folder.empty() ? "." : folder, failed);
  while (!failed && at != fs::directory_iterator()) {
    std::error_code unknown;
    // The folder has the kinds of its entries. Only links are checked one by one.
    entries.push_back({at->path().filename().string(),
                       at->is_directory(unknown)      ? NameKind::Folder
                       : at->is_regular_file(unknown) ? NameKind::File
                                                      : NameKind::Other,
                       at->is_symlink(unknown)});
    at.increment(failed);
  }
  if (failed) fail(folder, "cannot read the folder: " + failed.message());
  return entries;
}

}  // namespace

std::vector<Entry> Listing::in(const Location& folder) {
  // guard(follow): a folder of a project file is checked before it is listed.
  check_read(folder);
  std::vector<Entry> entries = folder.is_remote() ? in_store(folder) : on_disk(folder);
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

const std::vector<Entry>& Listing::in_store(const std::string& folder) {
  const std::string key = without_slash(folder);
  const auto [known, is_new] = known_.try_emplace(key);
  if (is_new) {
    for (std::string& name : list_objects(key, storage_)) {
      const bool inner = name.ends_with('/');
      if (inner) name.pop_back();
      expect_name(folder, name);
      known->second.push_back({std::move(name), inner ? NameKind::Folder : NameKind::File});
    }
  }
  return known->second;
}

void Listing::fetch_below(const Location& folder) {
  if (!folder.is_remote()) return;
  const std::string top = without_slash(folder);
  if (!known_.try_emplace(top).second) return;
  const std::vector<std::string> paths = list_objects(top, storage_, /*deep=*/true);
  if (paths.size() > kMaxNames) {
    fail(folder, fmt::format("more than {} objects are in the folder", kMaxNames));
  }
  for (const std::string& path : paths) {
    std::string above = top;
    size_t begin = 0;
    // A folder is known once the first of its objects is.
    for (size_t slash; (slash = path.find('/', begin)) != std::string::npos; begin = slash + 1) {
      std::string name = path.substr(begin, slash - begin);
      expect_name(folder, name);
      std::string next = fmt::format("{}/{}", above, name);
      if (known_.try_emplace(next).second) {
        known_[above].push_back({std::move(name), NameKind::Folder});
      }
      above = std::move(next);
    }
    if (begin < path.size()) known_[above].push_back({path.substr(begin), NameKind::File});
  }
}

std::string path_below(const Location& folder, const Location& path) {
  if (!path.is_remote()) return fs::path(path.name()).lexically_relative(folder.name()).string();
  return path.name().substr(without_slash(folder).size() + 1);
}

}  // namespace xwalk::io
