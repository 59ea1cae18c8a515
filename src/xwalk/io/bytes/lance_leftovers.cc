#include "xwalk/io/bytes/lance_leftovers.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "xwalk/io/bytes/folder_at.h"

namespace xwalk::io {
namespace {

constexpr const char* kMoved = "moved";
constexpr std::string_view kManifest = ".manifest";
/// A version that was written, and not named yet.
constexpr std::string_view kUnnamedManifest = ".manifest#";
constexpr std::chrono::milliseconds kPause{10};
/// A manifest or a list of moved files. A longer one is not believed: nothing is removed.
constexpr size_t kMostBytes = size_t{256} << 20;

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

using Names = std::set<std::string, std::less<>>;

/// Returns the bytes of a plain file; nothing if they cannot be read.
std::optional<std::string> bytes_at(int folder, const char* name) {
  const FileAt file(folder, name, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (!file || ::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  std::string out;
  std::array<char, 1 << 16> part;
  ssize_t count = 0;
  while ((count = ::read(file.descriptor(), part.data(), part.size())) > 0) {
    out.append(part.data(), static_cast<size_t>(count));
    if (out.size() > kMostBytes) return std::nullopt;
  }
  return count < 0 ? std::nullopt : std::optional(std::move(out));
}

bool lock_within(int descriptor, std::chrono::milliseconds patience) {
  for (; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; patience -= kPause) {
    if (patience <= kPause) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

/// Returns true for a name that Lance gives to a data file, its folder of blobs or a transaction.
bool is_lance_name(std::string_view text) {
  const auto belongs = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  };
  constexpr std::string_view kDataFile = ".lance";
  if (text.ends_with(kDataFile)) text.remove_suffix(kDataFile.size());
  return !text.empty() && std::ranges::all_of(text, belongs);
}

/// Parses a list of moved files. A line without an end was not moved yet.
Names names_of(std::string_view list) {
  Names out;
  for (size_t end = 0; (end = list.find('\n')) != std::string_view::npos;
       list.remove_prefix(end + 1)) {
    if (is_lance_name(list.substr(0, end))) out.emplace(list.substr(0, end));
  }
  return out;
}

/// Removes the names that a version has. Removes all if any version cannot be read, and if the
/// dataset has no version.
void keep_unnamed(const FileAt& versions, Names* names) {
  bool is_dataset = false;
  for (const std::string& name : names_at(versions.descriptor())) {
    if (!name.ends_with(kManifest)) continue;
    is_dataset = true;
    const std::optional<std::string> bytes = bytes_at(versions.descriptor(), name.c_str());
    if (!bytes || bytes->empty()) return names->clear();
    std::erase_if(*names, [&](const std::string& word) { return holds(*bytes, word); });
  }
  if (!is_dataset) names->clear();
}

/// Removes a file if it is plain, this user's, and not older than the list that names it.
void remove_plain(const FileAt& folder, const std::string& name, const timespec& since) {
  struct stat status {};
  if (::fstatat(folder.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  const bool is_older = std::tie(status.st_ctim.tv_sec, status.st_ctim.tv_nsec) <
                        std::tie(since.tv_sec, since.tv_nsec);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || is_older) return;
  // guard(delete): a plain file of this user, newer than the marked list, named by no version.
  ::unlinkat(folder.descriptor(), name.c_str(), 0);
}

/// Removes what a list names in a dataset, and no version of it does.
void remove_unnamed(const FileAt& dataset, Names names, const timespec& since) {
  const auto open_folder = [](const FileAt& above, const char* name) {
    return FileAt(above.descriptor(), name, O_RDONLY | O_DIRECTORY);
  };
  const FileAt versions = open_folder(dataset, "_versions");
  const FileAt data = open_folder(dataset, "data");
  if (!versions || !data) return;
  keep_unnamed(versions, &names);
  for (const std::string& word : names) {
    remove_plain(data, word, since);
    const FileAt blobs = open_folder(data, word.c_str());
    if (!blobs) continue;
    for (const std::string& name : names_at(blobs.descriptor())) {
      if (name.ends_with(".blob")) remove_plain(blobs, name, since);
    }
    // guard(delete): an empty folder of blobs, named as the files above.
    ::unlinkat(data.descriptor(), word.c_str(), AT_REMOVEDIR);
  }
  if (const FileAt transactions = open_folder(dataset, "_transactions")) {
    for (const std::string& name : names_at(transactions.descriptor())) {
      const bool is_ours = std::ranges::any_of(
          names, [&](const std::string& word) { return name.ends_with("-" + word + ".txn"); });
      if (is_ours) remove_plain(transactions, name, since);
    }
  }
  for (const std::string& name : names_at(versions.descriptor())) {
    if (!holds(name, kUnnamedManifest)) continue;
    const std::optional<std::string> bytes = bytes_at(versions.descriptor(), name.c_str());
    const bool is_ours = bytes && std::ranges::any_of(names, [&](const std::string& word) {
                           return holds(*bytes, word);
                         });
    if (is_ours) remove_plain(versions, name, since);
  }
}

}  // namespace

bool clear_unversioned(int scratch, std::string_view mark, std::chrono::milliseconds patience) {
  for (const std::string& name : names_at(scratch)) {
    const FileAt staging(scratch, name.c_str(), O_RDONLY | O_DIRECTORY);
    if (!staging) continue;
    const FileAt record(staging.descriptor(), kMoved, O_RDONLY | O_NONBLOCK);
    struct stat made {};
    if (!record || ::fstat(record.descriptor(), &made) != 0 || !S_ISREG(made.st_mode)) continue;
    if (!lock_within(record.descriptor(), patience)) return false;
    const std::string list = bytes_at(staging.descriptor(), kMoved).value_or("");
    const size_t first = list.find('\n');
    if (first == std::string::npos || list.substr(0, first) != mark) continue;
    const FileAt folder(scratch, "..", O_RDONLY | O_DIRECTORY);
    const FileAt dataset(folder.descriptor(), name.c_str(), O_RDONLY | O_DIRECTORY);
    struct stat there {};
    const bool is_next = folder && dataset && ::fstat(dataset.descriptor(), &there) == 0 &&
                         there.st_dev == made.st_dev;
    if (is_next) {
      remove_unnamed(dataset, names_of(std::string_view(list).substr(first + 1)), made.st_mtim);
    }
  }
  return true;
}

}  // namespace xwalk::io
