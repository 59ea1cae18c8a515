#include "xwalk/io/bytes/atomic_path.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/fork.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/folder_at.h"
#include "xwalk/io/bytes/lance_leftovers.h"
#include "xwalk/io/bytes/own_mark.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// Between the final name and the random part of a temporary name.
constexpr std::string_view kMark = ".xwalk-";
constexpr size_t kRandomDigits = 16;
/// Bytes of a file name on every usual file system.
constexpr size_t kLongestName = 255;
/// How often a folder is created again that another process removed as a leftover before it was
/// locked, and how much longer the wait is each time.
constexpr int kAttempts = 64;
constexpr std::chrono::microseconds kAttemptWait{50};
/// How long an engine may take to make or give up a version once it has moved the data.
constexpr std::chrono::seconds kEngineEnds{2};
/// Objects of a store that are named at a time.
constexpr size_t kAtOnce = 16;
/// The folders of this many outputs, or fewer, stay open until all of them have their names.
constexpr size_t kMostKeptFolders = 64;

/// Temporary outputs of this process, removed if the program has to end.
struct Live {
  Live() { free_in_forks(&mutex); }
  std::mutex mutex;
  std::set<AtomicPath*> paths;
  bool abandoned = false;
  /// An output that has its name, and one that an engine may be giving its rows.
  std::string named;
  std::string in_doubt;
  HasLanded has_landed;
};

Live& live() {
  static auto* const instance = new Live;  // outlives every output, static ones too
  return *instance;
}

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

std::string random_digits(const std::string& path) {
  uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) {
    io_error(path, "cannot make a temporary name", errno);
  }
  return fmt::format("{:016x}", number);
}

/// Returns the mark of a temporary name. A name that came from elsewhere, as with a repository, has
/// no such mark: it depends on a secret and on the folder. Numbers of devices change when a machine
/// starts, those of folders do not.
std::optional<std::string> mark_of_name(const struct stat& folder, std::string_view unmarked) {
  return own_mark(fmt::format("name {} {}", folder.st_ino, unmarked));
}

/// Returns the mark for inside a scratch folder: of a list of moved files, and of the folder
/// itself. The mark of a name says nothing about the folder that has it: another user may see the
/// name, and rename any folder to it.
std::optional<std::string> mark_of_record(const struct stat& scratch, std::string_view name) {
  return own_mark(fmt::format("moved {} {}", scratch.st_ino, name));
}

/// Returns an unpredictable name in the folder of an output, with the mark of this user.
std::string sibling(const struct stat& folder, std::string name) {
  const size_t longest = kLongestName - 1 - kMark.size() - kRandomDigits - kMarkDigits;
  if (name.size() > longest) {
    size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
    // guard(allocate): A name is shortened.
    name.resize(end);
  }
  const std::string unmarked = fmt::format(".{}{}{}", name, kMark, random_digits(name));
  const std::optional<std::string> mark = mark_of_name(folder, unmarked);
  return unmarked + (mark ? *mark : random_digits(name));
}

/// Returns the name of the empty folder by which a scratch folder is known as this user's.
std::string name_of_mark(const std::string& mark) { return ".xwalk-" + mark; }

bool is_temporary_name(std::string_view name) {
  constexpr size_t kDigits = kRandomDigits + kMarkDigits;
  if (name.size() < kMark.size() + kDigits + 1 || name.front() != '.') return false;
  const std::string_view digits = name.substr(name.size() - kDigits);
  name.remove_suffix(kDigits);
  return name.ends_with(kMark) &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Returns true for a name that a process of this user has made in a folder.
bool is_own_name(const struct stat& folder, std::string_view name) {
  if (!is_temporary_name(name)) return false;
  const std::string_view mark = name.substr(name.size() - kMarkDigits);
  name.remove_suffix(kMarkDigits);
  return mark_of_name(folder, name) == mark;
}

/// Returns true where the descriptor's file is locked by it now and still has its name.
bool lock(int descriptor) {
  // Without locks, `clear_leftovers` removes nothing, so the file is safe.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  // If the link count is unknown, assumes that no other process has taken it.
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

/// Removes a file or folder that a killed process of this user left in a folder: it has this user's
/// mark, and its lock is free.
void clear_leftover(int folder, const std::string& name) {
  const FileAt left(folder, name.c_str(), O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (!left || ::fstat(left.descriptor(), &status) != 0 || status.st_uid != ::geteuid()) return;
  if (::flock(left.descriptor(), LOCK_EX | LOCK_NB) != 0) return;
  if (S_ISDIR(status.st_mode)) {
    const std::optional<std::string> mark = mark_of_record(status, name);
    struct stat inner {};
    if (mark && ::fstatat(left.descriptor(), name_of_mark(*mark).c_str(), &inner,
                          AT_SYMLINK_NOFOLLOW) == 0) {
      if (!clear_unversioned(left.descriptor(), *mark, {})) return;
      remove_contents(left.descriptor());
    }
  } else if (!S_ISREG(status.st_mode)) {
    return;
  }
  // guard(delete): the name has this user's mark for this folder, the file is unlocked and theirs,
  // and a folder is empty or had a mark in it.
  if (is_still_at(folder, name.c_str(), status)) {
    ::unlinkat(folder, name.c_str(), S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
  }
}

void clear_leftovers(int folder, const struct stat& status) {
  for (const std::string& name : names_at(folder)) {
    if (is_own_name(status, name)) clear_leftover(folder, name);
  }
}

void sync(int descriptor, const std::string& path) {
  // Some file systems cannot sync a folder, and need not.
  if (::fsync(descriptor) != 0 && errno != EINVAL) io_error(path, "cannot sync", errno);
}

void sync_path(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // if it cannot be opened, it cannot be synced either
  try {
    sync(descriptor, path.string());
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

/// Puts the name of an output on the disk. The output exists even if this fails.
void sync_name(const std::string& path) {
  try {
    sync_path(folder_of(path));
  } catch (const Error& error) {
    throw Error(ErrorCode::Io,
                fmt::format("the output is complete and has its name, but its folder could not be "
                            "put on the disk: {}",
                            error.what()),
                {.file = path}, "The name may be gone after a power failure: run `sync`.");
  }
}

// guard(rename): from a temporary name that this process made, to the output that the user named.
/// Returns 0 or errno. Both names are in an open folder.
int rename_over(int folder, const std::string& from, const std::string& to) {
  return ::renameat(folder, from.c_str(), folder, to.c_str()) == 0 ? 0 : errno;
}

// guard(rename): a temporary name of this process, and the output that it may replace.
int swap_names(int folder, const std::string& from, const std::string& to) {
  return ::renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
}

/// Like `rename_over`, but fails with EEXIST if the name is taken.
int rename_again(int folder, const std::string& from, const std::string& to) {
  // guard(rename): from a temporary name of this process, to an output that does not exist.
  if (::renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that knows no such renaming: a second name for a file, then away with the first.
  struct stat file {};
  const auto exists = [&](const std::string& name) {
    return ::fstatat(folder, name.c_str(), &file, AT_SYMLINK_NOFOLLOW) == 0;
  };
  if (exists(from) && S_ISDIR(file.st_mode)) {
    return exists(to) ? EEXIST : rename_over(folder, from, to);
  }
  if (::linkat(folder, from.c_str(), folder, to.c_str(), 0) == 0) {
    // guard(delete): the temporary name of this process, after the output has its name.
    ::unlinkat(folder, from.c_str(), 0);
    return 0;
  }
  if (errno == EEXIST || exists(to)) return EEXIST;
  return rename_over(folder, from, to);  // nor links
}

/// Folders that this process alone renames in, as far as others ask.
class FolderLocks {
 public:
  explicit FolderLocks(const std::set<fs::path>& folders) {
    // Every process takes them in the same order, regardless of names.
    std::map<std::pair<dev_t, ino_t>, int> descriptors;
    for (const fs::path& folder : folders) {
      const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (descriptor < 0) continue;
      struct stat status {};
      if (::fstat(descriptor, &status) != 0 ||
          !descriptors.emplace(std::pair(status.st_dev, status.st_ino), descriptor).second) {
        ::close(descriptor);
      }
    }
    for (const auto& [identity, descriptor] : descriptors) {
      while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) continue;
      descriptors_.push_back(descriptor);
    }
  }
  ~FolderLocks() {
    for (const int descriptor : descriptors_) {
      // A child that was forked meanwhile has the descriptor, too, and would keep the lock.
      ::flock(descriptor, LOCK_UN);
      ::close(descriptor);
    }
  }
  FolderLocks(const FolderLocks&) = delete;
  FolderLocks& operator=(const FolderLocks&) = delete;

 private:
  std::vector<int> descriptors_;
};

/// Refuses a name that xwalk made and that is neither free nor a file or a folder.
void refuse_made(const std::string& path, mode_t mode) {
  if (S_ISREG(mode) || S_ISDIR(mode)) return;
  throw Error(ErrorCode::Io,
              fmt::format("expected a file or nothing under this name, found a {}",
                          S_ISLNK(mode)    ? "link"
                          : S_ISFIFO(mode) ? "pipe"
                                           : "special file"),
              {.file = path}, "Remove it, or choose another name.");
}

[[noreturn]] void fail_to_create(const std::string& name, int code) {
  std::error_code unknown;
  io_error(name, "cannot create", code,
           fs::exists(folder_of(name), unknown) ? "" : "Make its folder first.");
}

/// Takes a step for each number below a count, several at a time. Throws what the first that fails
/// does.
template <typename Step>
void for_each(size_t count, size_t at_once, Step step) {
  std::atomic<size_t> next = 0;
  std::exception_ptr failed;
  std::mutex mutex;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        step(i);
      } catch (...) {
        next = count;
        const std::lock_guard guard(mutex);
        if (!failed) failed = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(at_once, count); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace

void refuse_missing_folder(const Location& path) {
  if (path.is_remote() || path.is_standard()) return;
  std::string name = path.name();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  std::error_code unknown;
  if (!fs::exists(folder_of(name), unknown)) fail_to_create(path, ENOENT);
}

void refuse_planted(const Location& path) {
  if (path.is_remote()) return;
  struct stat file {};
  if (::lstat(path.name().c_str(), &file) == 0) refuse_made(path, file.st_mode);
}

void sync_tree(const std::string& path) {
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(path, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    sync_path(entry->path());
  }
  sync_path(path);
}

FileAt AtomicPath::open_same_folder() const {
  FileAt folder = open_folder(folder_of(path_).string(), given_);
  if (!folder) io_error(path_, "cannot open the folder of the output", errno);
  struct stat now {};
  if (::fstat(folder.descriptor(), &now) != 0 || now.st_dev != folder_.st_dev ||
      now.st_ino != folder_.st_ino) {
    throw Error(ErrorCode::Io, "the folder of the output was replaced while it was written",
                {.file = path_}, "Nothing was written: run it again.");
  }
  return folder;
}

FileAt AtomicPath::open_existing() const {
  return FileAt(open_same_folder().descriptor(), name_.c_str(), O_RDONLY);
}

AtomicPath::AtomicPath(const Location& place, bool replaces, Kind kind)
    : path_(place.name()),
      given_(place.given()),
      replaces_(replaces),
      kind_(kind),
      owner_(::getpid()) {
  const std::string given = path_;
  check_write(Location().renamed(given), NameOf::Xwalk);
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  // guard(follow): only an output whose name the user gave may be a link: its target is written,
  // whether or not it exists.
  if (given_ >= path_.size() && fs::is_symlink(path_)) {
    path_ = without_links(path_);
    given_ = std::string::npos;
  }
  name_ = fs::path(path_).filename().string();
  const FileAt folder = open_folder(folder_of(path_).string(), given_);
  if (!folder || ::fstat(folder.descriptor(), &folder_) != 0) fail_to_create(given, errno);
  struct stat there {};
  if (given_ < path_.size() &&
      ::fstatat(folder.descriptor(), name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0) {
    refuse_made(path_, there.st_mode);
  }
  clear_leftovers(folder.descriptor(), folder_);
  make_temporary(folder.descriptor(), given);
  try {
    if (kind != Kind::File) {
      temporary_ += "/" + name_;
      temporary_name_ += "/" + name_;
      struct stat made {};
      if (::fstat(descriptor_, &made) != 0) io_error(given, "cannot examine a new folder", errno);
      record_mark_ = mark_of_record(made, fs::path(scratch_).filename().string())
                         .value_or(random_digits(given));
      // Without it, what a killed run leaves stays.
      (void)::mkdirat(descriptor_, name_of_mark(record_mark_).c_str(), 0700);
    }
    const std::lock_guard guard(live().mutex);
    live().paths.insert(this);
  } catch (...) {
    remove();
    ::close(descriptor_);
    throw;
  }
}

/// Makes the temporary file or the scratch folder, and locks it.
void AtomicPath::make_temporary(int folder, const std::string& given) {
  // Until it has the permissions of the file it replaces, only this user can read it.
  struct stat old {};
  const bool is_over = replaces_ && ::fstatat(folder, name_.c_str(), &old, 0) == 0;
  const mode_t mode = is_over ? 0600 : 0666;
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(attempt * kAttemptWait);
    const std::string name = sibling(folder_, name_);
    int flags = O_CLOEXEC | O_NOFOLLOW;
    if (kind_ == Kind::File) {
      // guard(write): a new file under a random name, in the folder that was opened.
      flags |= O_RDWR | O_CREAT | O_EXCL;
    } else {
      flags |= O_RDONLY | O_DIRECTORY;
      if (::mkdirat(folder, name.c_str(), 0700) != 0) fail_to_create(given, errno);
    }
    descriptor_ = ::openat(folder, name.c_str(), flags, mode);
    if (descriptor_ < 0) {
      const int code = errno;
      // A folder has its name before it can be locked.
      if (kind_ != Kind::File && code == ENOENT && attempt < kAttempts) continue;
      // guard(delete): the empty folder that this call has just made.
      if (kind_ != Kind::File) ::unlinkat(folder, name.c_str(), AT_REMOVEDIR);
      fail_to_create(given, code);
    }
    temporary_name_ = name;
    scratch_ = temporary_ = (fs::path(path_).parent_path() / name).string();
    if (!lock(descriptor_) && attempt < kAttempts) {
      ::close(std::exchange(descriptor_, -1));
    }
  }
}

AtomicPath::~AtomicPath() {
  const std::lock_guard guard(live().mutex);
  live().paths.erase(this);
  remove();
  ::close(descriptor_);
}

void AtomicPath::remove() const noexcept try {
  // A process forked from this one has no outputs here.
  if (owner_ != ::getpid()) return;
  if (kind_ != Kind::File) {
    // Else the next one that writes here removes it.
    if (!clear_unversioned(descriptor_, record_mark_, kEngineEnds)) return;
    // What can go without a descriptor goes first: there may be too few.
    // guard(delete): names in the scratch folder that this object has made and keeps open.
    ::unlinkat(descriptor_, fs::path(temporary_).filename().c_str(), 0);
    ::unlinkat(descriptor_, name_of_mark(record_mark_).c_str(), AT_REMOVEDIR);
    if (::rmdir(scratch_.c_str()) == 0) return;
    remove_contents(descriptor_);
    ::rmdir(scratch_.c_str());
  } else if (state_ != State::Renamed && state_ != State::Replaced) {
    ::unlink(scratch_.c_str());
  }
} catch (const std::bad_alloc&) {
  // The next one that writes here removes it.
}

/// Gives the new file the permissions of the one that it replaces.
void AtomicPath::take_permissions(int folder, const struct stat& old) const {
  const FileAt inner =
      kind_ == Kind::File ? FileAt() : FileAt(folder, temporary_name_.c_str(), O_RDONLY);
  const int file = kind_ == Kind::File ? descriptor_ : inner.descriptor();
  struct stat made {};
  if (::fstat(file, &made) != 0 || !S_ISREG(made.st_mode)) return;
  if (::fchown(file, old.st_uid, old.st_gid) != 0) {
    // Only root may change the owner. The group may still be one of this user's.
    (void)::fchown(file, static_cast<uid_t>(-1), old.st_gid);
  }
  (void)::fchmod(file, old.st_mode & 07777);
}

void AtomicPath::publish(bool may_be_taken_back, bool keeps_folder) {
  FileAt opened = open_same_folder();
  const int folder = opened.descriptor();
  if (keeps_folder) kept_folder_ = std::move(opened);
  struct stat old {};
  const bool over = replaces_ && ::fstatat(folder, name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (replaces_ && !over && errno != ENOENT) io_error(path_, "cannot replace", errno);
  const bool over_file = over && S_ISREG(old.st_mode);
  if (over_file) take_permissions(folder, old);
  // guard(rename): from a random name that this object made; an existing file only if it replaces.
  int code = over_file ? EEXIST : rename_again(folder, temporary_name_, name_);
  if (code == 0) {
    state_ = State::Renamed;
    return;
  }
  if (code == EEXIST && replaces_) {
    // Also an output that appeared since it was checked. No folder is renamed over another that is
    // not empty.
    const bool over_folder = over && kind_ == Kind::Folder && S_ISDIR(old.st_mode);
    if ((may_be_taken_back || over_folder) && swap_names(folder, temporary_name_, name_) == 0) {
      state_ = State::Exchanged;
      return;
    }
    code = rename_over(folder, temporary_name_, name_);
    if (code == 0) {
      state_ = State::Replaced;
      return;
    }
  }
  if (code == EEXIST || code == ENOTEMPTY) {
    throw SystemError(EEXIST, "the name was taken while the output was written", path_,
                      "Nothing was replaced and the new output was removed: choose another name.");
  }
  io_error(path_, "cannot rename the finished output", code);
}

void AtomicPath::take_back() noexcept try {
  if (state_ != State::Exchanged && state_ != State::Renamed) return;
  if (!kept_folder_) kept_folder_ = open_same_folder();
  const int folder = kept_folder_.descriptor();
  const int code = state_ == State::Exchanged ? swap_names(folder, temporary_name_, name_)
                                              : rename_over(folder, name_, temporary_name_);
  if (code == 0) state_ = State::Open;
} catch (const std::exception&) {
  // The output keeps its name.
}

void AtomicPath::commit(bool durable) {
  if (durable) sync_tree(temporary_);
  {
    const std::lock_guard guard(live().mutex);
    publish(/*may_be_taken_back=*/false);
    live().named = path_;
  }
  if (durable) sync_name(path_);
}

void OutputSet::add(std::unique_ptr<AtomicPath> output, bool durable) {
  outputs_.push_back({std::move(output), durable});
}

OutputSet::OutputSet() = default;
OutputSet::~OutputSet() = default;
OutputSet::OutputSet(OutputSet&&) noexcept = default;
OutputSet& OutputSet::operator=(OutputSet&&) noexcept = default;

void OutputSet::before_naming(std::string path, std::function<void(OutputSet*)> decide) {
  decisions_.push_back({std::move(path), std::move(decide)});
}

bool OutputSet::is_empty() const {
  return outputs_.empty() && decisions_.empty() && uploads_.empty() && last_upload_ == nullptr;
}

void OutputSet::add(std::unique_ptr<Pending> upload) { uploads_.push_back(std::move(upload)); }

void OutputSet::add_last(std::unique_ptr<Pending> upload) { last_upload_ = std::move(upload); }

void OutputSet::remove_after(std::vector<std::string> uris, StorageOptions storage) {
  replaced_ = std::move(uris);
  storage_ = std::move(storage);
}

void OutputSet::add(OutputSet others) {
  std::ranges::move(others.outputs_, std::back_inserter(outputs_));
  std::ranges::move(others.decisions_, std::back_inserter(decisions_));
  std::ranges::move(others.uploads_, std::back_inserter(uploads_));
}

void OutputSet::for_each_upload(const std::function<void(Pending&)>& step) {
  // The two of a pair keep their order: rows come after the schema next to them.
  const size_t threads = uploads_.size() > 2 ? kAtOnce : 1;
  for_each(uploads_.size(), threads, [&](size_t i) { step(*uploads_[i]); });
}

void OutputSet::sync() const {
  for (const Output& output : outputs_) {
    if (output.durable) sync_tree(output.path->temporary());
  }
}

void OutputSet::decide() {
  OutputSet first;
  for (const Decision& decision : std::exchange(decisions_, {})) decision.decide(&first);
  first.sync();
  std::ranges::move(outputs_, std::back_inserter(first.outputs_));
  outputs_ = std::move(first.outputs_);
}

void OutputSet::publish_all() {
  // The last that can be taken back need not be.
  const bool files_only = uploads_.empty() && !last_upload_;
  const AtomicPath* const last =
      files_only && !outputs_.empty() ? outputs_.back().path.get() : nullptr;
  try {
    const bool keeps_folders = outputs_.size() <= kMostKeptFolders;
    for (const Output& output : outputs_) {
      output.path->publish(output.path.get() != last, keeps_folders);
    }
    for_each_upload([](Pending& upload) { upload.complete(); });
    if (last_upload_) last_upload_->complete();
  } catch (...) {
    if (last_upload_) last_upload_->take_back();
    for_each_upload([](Pending& upload) { upload.take_back(); });
    for (auto output = outputs_.rbegin(); output != outputs_.rend(); ++output) {
      output->path->take_back();
    }
    throw;
  }
}

void OutputSet::commit() {
  if (outputs_.empty() && decisions_.empty() && uploads_.empty() && !last_upload_) return;
  sync();
  {
    // Two that replace the same pair take turns, so that no pair is made of both.
    std::set<fs::path> folders;
    for (const Decision& decision : decisions_) folders.insert(folder_of(decision.path));
    if (outputs_.size() > 1 || !folders.empty()) {
      for (const Output& output : outputs_) folders.insert(folder_of(output.path->path()));
    }
    const FolderLocks turn(folders);
    decide();
    const std::lock_guard guard(live().mutex);
    if (live().abandoned) throw Error(ErrorCode::Interrupted, "interrupted");
    publish_all();
    live().named = outputs_.empty() ? "the objects" : outputs_.back().path->path();
  }
  std::set<std::string> durable;
  for (const Output& output : outputs_) {
    if (output.durable) durable.insert(output.path->path());
  }
  outputs_.clear();
  // What waited under hidden names goes.
  for_each_upload([](Pending& upload) { upload.release(); });
  uploads_.clear();
  last_upload_ = nullptr;
  // guard(delete): objects that were listed below the folder which the user overwrites.
  for_each(replaced_.size(), kAtOnce, [&](size_t i) { remove_object(replaced_[i], storage_); });
  replaced_.clear();
  for (const std::string& path : durable) sync_name(path);
}

void begin_in_doubt(const std::string& path, HasLanded has_landed) {
  const std::lock_guard guard(live().mutex);
  live().in_doubt = path;
  live().has_landed = std::move(has_landed);
}

void end_in_doubt(bool has_rows) {
  const std::lock_guard guard(live().mutex);
  if (has_rows) live().named = live().in_doubt;
  live().in_doubt.clear();
  live().has_landed = nullptr;
}

std::string fate_of_outputs() {
  const std::lock_guard guard(live().mutex);
  const std::string& path = live().in_doubt;
  if (!path.empty()) {
    try {
      const std::optional<bool> landed = live().has_landed ? live().has_landed() : std::nullopt;
      if (landed) return fmt::format("{} {}", path, *landed ? "has the new rows" : "is unchanged");
    } catch (const std::exception&) {
      // Then it stays unknown.
    }
    return fmt::format("it is not known whether {} has the new rows", path);
  }
  return live().named.empty() ? "" : fmt::format("{} was complete before that", live().named);
}

void abandon_outputs() {
  const std::lock_guard guard(live().mutex);
  live().abandoned = true;
  for (const AtomicPath* path : live().paths) path->remove();
  abandon_folders();
  abandon_uploads();
}

}  // namespace xwalk::io
