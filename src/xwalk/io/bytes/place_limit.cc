#include "xwalk/io/bytes/place_limit.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>
#include <utility>

#include <climits>
#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::io {
namespace {

/// Links in one path, as many as the system follows.
constexpr int kMostLinks = 40;
/// Bytes of a file of git that names a folder, as many as git reads.
constexpr size_t kLargestGitFile = size_t{1} << 20;

/// A limit with its names resolved.
struct Places {
  PlaceLimit limit;
  std::vector<std::string> top;
  std::vector<std::vector<std::string>> named;
};

std::unique_ptr<const Places>& places() {
  static auto* const instance = new std::unique_ptr<const Places>;
  return *instance;
}

std::vector<std::string> steps_of(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    if (end > 0) out.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

bool begins_with(const std::vector<std::string>& steps, const std::vector<std::string>& first) {
  return steps.size() >= first.size() && std::equal(first.begin(), first.end(), steps.begin());
}

/// Returns a name as file systems compare names that differ in case or in ignored code points.
std::string folded(std::string_view name) {
  constexpr auto kFolding = static_cast<utf8proc_option_t>(
      UTF8PROC_IGNORE | UTF8PROC_CASEFOLD | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &made, kFolding);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  if (size >= 0) return {reinterpret_cast<const char*>(made), static_cast<size_t>(size)};
  std::string out;  // not UTF-8
  for (const char c : name) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_git_step(std::string_view given) {
  std::string name = folded(given);
  // A stream of NTFS.
  name.resize(std::min(name.find(':'), name.size()));
  while (name.ends_with('.') || name.ends_with(' ')) name.pop_back();
  if (name == ".git") return true;
  constexpr std::string_view kShort = "git~";
  return name.size() > kShort.size() && name.starts_with(kShort) &&
         std::ranges::all_of(name.substr(kShort.size()), is_ascii_digit);
}

class StepDescriptor {
 public:
  explicit StepDescriptor(int value) : value_(value) {}
  ~StepDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  StepDescriptor(StepDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  StepDescriptor& operator=(StepDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  int get() const { return value_; }

 private:
  int value_;
};

bool is_same(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/// Returns the name that a folder lists for a file, which differs from a short name of NTFS.
std::string listed_name(int folder, const std::string& name, const struct stat& file) {
  if (name.find('~') == std::string::npos) return name;
  const int opened = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = opened < 0 ? nullptr : ::fdopendir(opened);
  if (entries == nullptr) {
    if (opened >= 0) ::close(opened);
    return name;
  }
  std::string out = name;
  while (const dirent* entry = ::readdir(entries)) {
    if (name == entry->d_name) {
      out = name;
      break;
    }
    if (entry->d_ino == file.st_ino) out = entry->d_name;
  }
  ::closedir(entries);
  return out;
}

/// Returns the text of a file by which git names a folder; "" if it is not a plain file.
std::string git_text(int folder, const char* name) {
  // guard(follow): only the name in it is used, and what it names is refused.
  const StepDescriptor file(::openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const auto size = static_cast<uint64_t>(status.st_size);
  // guard(allocate): A file of git has at most as many bytes as git reads.
  std::string out(std::min<uint64_t>(size, kLargestGitFile), '\0');
  size_t done = 0;
  for (ssize_t got; (got = ::read(file.get(), &out[done], out.size() - done)) > 0;) {
    done += static_cast<size_t>(got);
  }
  out.resize(done);
  while (out.ends_with('\n') || out.ends_with('\r')) out.pop_back();
  return out;
}

bool exists_at(int folder, const char* name) {
  struct stat file {};
  return ::fstatat(folder, name, &file, 0) == 0;
}

/// Returns true for a folder that git uses as `.git` wherever it is: a bare repository, or what a
/// file or a link `.git` leads to.
bool has_git_files(int folder) {
  return exists_at(folder, "HEAD") && (exists_at(folder, "commondir") ||
                                       (exists_at(folder, "objects") && exists_at(folder, "refs")));
}

/// Follows a path step by step, each from the descriptor of the folder before it.
class Way {
 public:
  /// Whether folders of git are found on the way.
  enum class Git : uint8_t { Unknown, Found };

  Way(const std::string& path, std::vector<std::string> top, Git git = Git::Unknown)
      : top_(std::move(top)), finds_git_(git == Git::Found) {
    start(path);
    while (!left_.empty()) {
      const std::string step = std::move(left_.front());
      left_.pop_front();
      if (step == "..") {
        go_up();
      } else if (step != ".") {
        go_down(step);
      }
    }
  }

  /// The steps from the root without links, as far as they exist.
  const std::vector<std::string>& steps() const { return steps_; }
  std::string path() const {
    std::string out;
    for (const std::string& step : steps_) out.append("/").append(step);
    return out.empty() ? "/" : out;
  }
  bool enters_git() const { return enters_git_; }
  /// Returns true if a step outside of those to the top begins with a dot.
  bool has_dot() const { return has_dot_; }
  /// Returns true if it goes up from a folder that does not exist, so that it may lead elsewhere
  /// later, or follows too many links.
  bool is_unclear() const { return is_unclear_; }
  /// Returns true if the last step of the path is a link.
  bool ends_with_link() const { return ends_with_link_; }

 private:
  void start(const std::string& path) {
    for (std::string& step : steps_of(path)) left_.push_back(std::move(step));
    if (path.starts_with('/')) {
      to_root();
    } else {
      std::error_code failed;
      steps_ = steps_of(std::filesystem::current_path(failed).string());
      is_unclear_ = is_unclear_ || failed;
      folder_ = StepDescriptor(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
      std::string above;
      for (size_t i = 0; finds_git_ && i < steps_.size(); ++i) {
        const StepDescriptor one(
            ::open(above.empty() ? "/" : above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        find_git(one.get(), above);
        above.append("/").append(steps_[i]);
      }
    }
  }

  /// Adds the folders that `.git` in a folder leads to, if it does.
  void find_git(int folder, const std::string& path) {
    struct stat file {};
    if (!finds_git_ || folder < 0 || ::fstatat(folder, ".git", &file, 0) != 0) return;
    std::string place = path + "/.git";
    if (S_ISREG(file.st_mode)) {
      constexpr std::string_view kLeads = "gitdir: ";
      const std::string text = git_text(folder, ".git");
      if (!text.starts_with(kLeads)) return;
      place = add_git(path, text.substr(kLeads.size()));
    } else {
      git_.push_back({Way(place, {}).steps(), file});
    }
    const StepDescriptor git(::open(place.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    const std::string common = git.get() < 0 ? "" : git_text(git.get(), "commondir");
    if (!common.empty()) add_git(place, common);
  }

  /// Adds a folder of git by its name in another one. Returns its path.
  std::string add_git(const std::string& folder, const std::string& name) {
    const Way way(name.starts_with('/') ? name : folder + "/" + name, {});
    struct stat file {};
    if (::stat(way.path().c_str(), &file) != 0) file = {};
    git_.push_back({way.steps(), file});
    return way.path();
  }

  void to_root() {
    steps_.clear();
    folder_ = StepDescriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }

  void go_up() {
    if (folder_.get() < 0) is_unclear_ = true;
    if (!steps_.empty()) steps_.pop_back();
    folder_ = StepDescriptor(::openat(folder_.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }

  void go_down(const std::string& step) {
    struct stat file {};
    const bool exists = folder_.get() >= 0 &&
                        ::fstatat(folder_.get(), step.c_str(), &file, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists && S_ISLNK(file.st_mode)) {
      ends_with_link_ =
          std::ranges::all_of(left_, [](const std::string& one) { return one == "."; });
      look_at(step, nullptr);
      return follow(step);
    }
    look_at(step, exists ? &file : nullptr);
    folder_ = StepDescriptor(
        exists && S_ISDIR(file.st_mode)
            ? ::openat(folder_.get(), step.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            : -1);
    if (!finds_git_ || folder_.get() < 0 || begins_with(top_, steps_)) return;
    enters_git_ = enters_git_ || has_git_files(folder_.get());
  }

  /// Adds a step; `file` is null unless it exists. A link is added only for its name.
  void look_at(const std::string& step, const struct stat* file) {
    const std::string name = file == nullptr ? step : listed_name(folder_.get(), step, *file);
    find_git(folder_.get(), path());
    steps_.push_back(name);
    if (begins_with(top_, steps_)) return;
    has_dot_ = has_dot_ || folded(name).starts_with('.');
    const auto is_git = [&](const GitFolder& git) {
      return steps_ == git.steps || (file != nullptr && is_same(git.file, *file));
    };
    enters_git_ = enters_git_ || is_git_folder(step) || is_git_folder(name) ||
                  std::ranges::any_of(git_, is_git);
  }

  void follow(const std::string& step) {
    steps_.pop_back();
    std::string target(PATH_MAX, '\0');
    // guard(follow): a link is only read here; each step that it leads to is checked as a name is.
    const ssize_t size = ::readlinkat(folder_.get(), step.c_str(), target.data(), target.size());
    if (size <= 0 || ++links_ > kMostLinks) {
      is_unclear_ = true;
      folder_ = StepDescriptor(-1);
      return;
    }
    // guard(allocate): A link is as long as the system has read, at most PATH_MAX.
    target.resize(static_cast<size_t>(size));
    std::vector<std::string> inner = steps_of(target);
    left_.insert(left_.begin(), inner.begin(), inner.end());
    if (target.starts_with('/')) to_root();
  }

  /// A folder that a `.git` on the way leads to, whether or not it exists.
  struct GitFolder {
    std::vector<std::string> steps;
    struct stat file;
  };

  std::vector<std::string> top_;
  bool finds_git_;
  std::vector<GitFolder> git_;
  std::deque<std::string> left_;
  std::vector<std::string> steps_;
  /// The folder of the last step; -1 after one that does not exist or is not a folder.
  StepDescriptor folder_{-1};
  int links_ = 0;
  bool enters_git_ = false;
  bool has_dot_ = false;
  bool is_unclear_ = false;
  bool ends_with_link_ = false;
};

[[noreturn]] void refuse_place(const std::string& name, std::string_view what,
                               std::string_view hint) {
  throw Error(ErrorCode::Usage, fmt::format("{} {}", xwalk::quoted(name), what), {},
              std::string(hint));
}

[[noreturn]] void refuse_outside(const std::string& name, std::string_view what, bool is_output) {
  refuse_place(name, what,
               is_output
                   ? "A project file that is found writes only in its own repository: name it "
                     "with --config FILE."
                   : "With --untrusted, a project file names only files of its own repository.");
}

bool is_named(const Places& now, const std::vector<std::string>& steps) {
  return std::ranges::any_of(
      now.named, [&](const std::vector<std::string>& one) { return begins_with(steps, one); });
}

void check_local(const Places& now, const std::string& path, bool is_output, bool may_have_dot) {
  // guard(follow): links in names of a project file are followed by descriptors to where they lead.
  const Way way(path, now.top, Way::Git::Found);
  if (is_named(now, way.steps())) return;
  if (way.enters_git()) {
    refuse_place(path, "leads into the folder of git", "A project file names no files of git.");
  }
  if (!may_have_dot && way.has_dot()) {
    refuse_place(path, "has a dot in front of a step", "Name this output on the command line.");
  }
  if (is_output ? now.limit.writes_outside : now.limit.reads_outside) return;
  if (is_output && way.ends_with_link()) refuse_outside(path, "is a link", is_output);
  if (!begins_with(way.steps(), now.top)) {
    refuse_outside(path, "is outside the repository", is_output);
  }
  if (way.is_unclear()) {
    refuse_outside(path, "goes up from a folder that does not exist, or follows too many links",
                   is_output);
  }
}

void check_place(const Location& place, bool is_output, bool may_have_dot) {
  const Places* now = places().get();
  if (now == nullptr || place.is_standard()) return;
  if (place.is_remote()) {
    const bool is_free = is_output ? now->limit.writes_outside : now->limit.reads_outside;
    if (!is_free && std::ranges::find(now->limit.named, place.name()) == now->limit.named.end()) {
      refuse_outside(place, "is a URI", is_output);
    }
    return;
  }
  check_local(*now, place.name(), is_output, may_have_dot);
}

}  // namespace

bool is_git_folder(std::string_view name) {
  // Windows has another mark between steps.
  for (size_t end; (end = name.find('\\')) != std::string_view::npos; name.remove_prefix(end + 1)) {
    if (is_git_step(name.substr(0, end))) return true;
  }
  return is_git_step(name);
}

std::string without_links(const std::string& path) { return Way(path, {}).path(); }

void limit_places(PlaceLimit limit) {
  auto now = std::make_unique<Places>();
  now->top = Way(limit.top, {}).steps();
  for (const std::string& name : limit.named) {
    const Location place(name);
    if (place.kind() == LocationKind::Local) now->named.push_back(Way(place.name(), {}).steps());
  }
  now->limit = std::move(limit);
  places() = std::move(now);
}

bool may_name_hosts() { return places() == nullptr || places()->limit.reads_outside; }

void check_read(const Location& place) {
  check_place(place, /*is_output=*/false, /*may_have_dot=*/true);
}

bool may_read(const Location& place) {
  try {
    check_read(place);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void check_read_all(const Location& folder) {
  check_read(folder);
  std::error_code failed;
  if (places() == nullptr || folder.is_remote() ||
      !std::filesystem::is_directory(folder.name(), failed)) {
    return;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.name())) {
    if (entry.is_symlink()) check_read(folder.renamed(entry.path().string()));
  }
}

void check_write(const Location& place, NameOf made) {
  check_place(place, /*is_output=*/true, made == NameOf::Xwalk);
}

}  // namespace xwalk::io
