#include "xwalk/io/bytes/lance_leftovers.h"

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMoved = "moved";
constexpr std::chrono::milliseconds kPause{10};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the paths of all entries of a folder; none if it cannot be read.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    out.push_back(entry->path());
  }
  return out;
}

bool lock_within(int descriptor, std::chrono::milliseconds patience) {
  for (; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; patience -= kPause) {
    if (patience <= kPause) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

/// Returns true if a version names it, or if a version cannot be read.
bool is_named(const fs::path& dataset, const std::string& word) {
  for (const fs::path& version : entries_of(dataset / "_versions")) {
    if (version.extension() != ".manifest") continue;
    const std::string bytes = bytes_of(version);
    if (bytes.empty() || bytes.find(word) != std::string::npos) return true;
  }
  return false;
}

/// Removes a data file, or the record of a transaction, by the word that a version names it by.
void remove_unnamed(const fs::path& dataset, const std::string& word) {
  if (is_named(dataset, word)) return;
  std::error_code ignored;
  fs::remove_all(dataset / "data" / word, ignored);
  for (const fs::path& record : entries_of(dataset / "_transactions")) {
    if (record.filename().string().ends_with("-" + word + ".txn")) fs::remove(record, ignored);
  }
  // A version that was written, and not named yet.
  for (const fs::path& version : entries_of(dataset / "_versions")) {
    if (version.extension().string().starts_with(".manifest#") &&
        bytes_of(version).find(word) != std::string::npos) {
      fs::remove(version, ignored);
    }
  }
}

}  // namespace

bool clear_unversioned(const fs::path& scratch, std::chrono::milliseconds patience) {
  for (const fs::path& staging : entries_of(scratch)) {
    const int descriptor =
        ::open((staging / kMoved).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    const bool is_locked = lock_within(descriptor, patience);
    if (is_locked) {
      const std::string list = bytes_of(staging / kMoved);
      // A line without an end was not moved yet.
      for (size_t at = 0, end = 0; (end = list.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::string word = list.substr(at, end - at);
        const bool is_name =
            !word.empty() && word != "." && word != ".." && word.find('/') == std::string::npos;
        if (is_name) remove_unnamed(scratch.parent_path() / staging.filename(), word);
      }
    }
    ::close(descriptor);
    if (!is_locked) return false;
  }
  return true;
}

}  // namespace xwalk::io
