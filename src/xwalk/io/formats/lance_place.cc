#include "xwalk/io/formats/lance_place.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTags = "_refs/tags";
constexpr std::string_view kBranches = "_refs/branches";
/// The folder of branches.
constexpr std::string_view kTree = "tree";
constexpr std::string_view kSuffix = ".json";
/// The dataset itself, as a branch.
constexpr std::string_view kMain = "main";
/// Size of a tag's file: a name and a few numbers.
constexpr size_t kTagBytes = 64 << 10;

[[noreturn]] void fail(ErrorCode code, const std::string& message, const std::string& file,
                       std::string hint = {}) {
  throw Error(code, message, {.file = file}, std::move(hint));
}

std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns true for the names that Lance gives to tags, and to the parts of a branch's name.
bool is_name(std::string_view text) {
  const auto belongs = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text != "." && text != ".." && std::ranges::all_of(text, belongs);
}

bool is_branch_name(std::string_view text) {
  for (size_t slash; (slash = text.find('/')) != std::string_view::npos;
       text.remove_prefix(slash + 1)) {
    if (!is_name(text.substr(0, slash))) return false;
  }
  return is_name(text);
}

Location branch_folder(const Location& folder, std::string_view branch) {
  return branch == kMain ? folder : folder.in(kTree).in(branch);
}

bool has_branch(const Location& folder, std::string_view branch, const StorageOptions& storage) {
  return is_branch_name(branch) && is_lance_dataset(branch_folder(folder, branch), storage);
}

/// Lists the names in a local folder.
std::vector<std::string> names_on_disk(const Location& folder) {
  std::error_code failed;
  std::vector<std::string> out;
  for (fs::directory_iterator entry(folder.name(), failed), end; !failed && entry != end;
       entry.increment(failed)) {
    out.push_back(entry->path().filename().string());
  }
  if (failed) fail(ErrorCode::Io, "cannot read the folder: " + failed.message(), folder);
  return out;
}

/// Returns what a call found out about a file. Throws Error (Io) if that cannot be known; a missing
/// file is known.
template <typename Look>
fs::file_status known_status(const fs::path& path, Look look) {
  std::error_code failed;
  const fs::file_status out = look(failed);
  if (out.type() == fs::file_type::none) {
    fail(ErrorCode::Io, "cannot read what it is: " + failed.message(), path.string());
  }
  return out;
}

/// Throws Error (Io) for a pipe, a socket or a device in a dataset. It may never have an end, and
/// the package opens all files of a dataset alike.
void refuse_special(const fs::path& path, fs::file_status status) {
  const fs::file_type type = status.type();
  if (type == fs::file_type::regular || type == fs::file_type::directory ||
      type == fs::file_type::not_found) {
    return;
  }
  fail(ErrorCode::Io, "expected a file, found a pipe or a device", path.string());
}

/// Returns true for a folder. Throws Error (Io) for what is neither a file nor a folder.
bool is_folder(const fs::path& path) {
  const fs::file_status status =
      known_status(path, [&](std::error_code& failed) { return fs::status(path, failed); });
  refuse_special(path, status);
  return fs::is_directory(status);
}

/// Lists tags or branches; none if there is no such folder.
std::vector<std::string> names_in(const Location& folder, std::string_view kind,
                                  const StorageOptions& storage) {
  const Location path = folder.in(kind);
  if (look_at(path, storage) != NameKind::Folder) return {};
  std::vector<std::string> files;
  if (folder.is_remote()) {
    files = list_objects(path, storage);
  } else {
    files = names_on_disk(path);
  }
  std::vector<std::string> out;
  for (const std::string& file : files) {
    if (!file.ends_with(kSuffix)) continue;
    std::string name = file.substr(0, file.size() - kSuffix.size());
    for (size_t at; (at = name.find("%2F")) != std::string::npos;) name.replace(at, 3, "/");
    if (is_branch_name(name)) out.push_back(std::move(name));
  }
  std::ranges::sort(out);
  return out;
}

[[noreturn]] void unknown(const Location& folder, const std::string& text,
                          const StorageOptions& storage) {
  std::vector<std::string> known = names_in(folder, kTags, storage);
  const std::vector<std::string> branches = names_in(folder, kBranches, storage);
  known.insert(known.end(), branches.begin(), branches.end());
  constexpr size_t kMost = 20;
  std::string hint = "The dataset has no tags and no branches.";
  if (!known.empty()) {
    const size_t more = known.size() > kMost ? known.size() - kMost : 0;
    known.resize(known.size() - more);
    hint = fmt::format("The tags and branches are {}{}.", join(known, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }
  fail(ErrorCode::Usage,
       fmt::format("expected a number, a tag or a branch as the version, found {}",
                   xwalk::quoted(text)),
       folder, std::move(hint));
}

/// Reads the file of a tag.
LancePlace tagged(const Location& folder, const Location& file, const StorageOptions& storage) {
  const auto source = with_contents(open_listed(file, storage), limits::kMemory, kTagBytes);
  const auto json = nlohmann::json::parse(*source->contents(), nullptr, false);
  const auto version = json.is_object() ? json.find("version") : json.end();
  if (!json.is_object() || version == json.end() || !version->is_number_unsigned()) {
    fail(ErrorCode::Input, "expected the version of a tag, found none", file);
  }
  std::string branch(kMain);
  if (const auto named = json.find("branch"); named != json.end() && named->is_string()) {
    branch = named->get<std::string>();
  }
  // guard(follow): the name of a branch has plain steps, none of them dots.
  if (branch != kMain && !has_branch(folder, branch, storage)) {
    fail(ErrorCode::Input,
         fmt::format("expected the branch of a tag, found {}, which is not a branch of the dataset",
                     xwalk::quoted(branch)),
         file);
  }
  return {branch_folder(folder, branch), version->get<uint64_t>()};
}

/// Returns true for a path, without links, that is in one of some folders.
bool is_in(const fs::path& path, const Locations& folders) {
  return std::ranges::any_of(folders, [&](const Location& folder) {
    if (folder.is_remote()) return false;
    std::error_code failed;
    const fs::path top = fs::canonical(folder.name(), failed);
    return !failed && std::ranges::mismatch(top, path).in1 == top.end();
  });
}

}  // namespace

void refuse_links(const Location& dataset, std::string_view below, const Locations& followed) {
  if (dataset.is_remote()) return;
  std::error_code failed;
  std::vector<fs::path> folders;
  std::set<fs::path> seen;
  // guard(follow): a link in a dataset leads into a folder that the user follows, or is refused.
  const auto examine = [&](const fs::path& path) {
    fs::path real = fs::weakly_canonical(path, failed);
    if (failed || !is_in(real, followed)) {
      fail(ErrorCode::Unsupported,
           fmt::format("expected files and folders in the dataset, found the link {}, which leads "
                       "to {}",
                       xwalk::quoted(path.lexically_relative(dataset.name()).string()),
                       xwalk::quoted(fs::read_symlink(path, failed).string())),
           dataset,
           fmt::format("Put what it leads to in its place. To read it, name what may be read: {}.",
                       hub::mention(hub::Option::Follow, "PREFIX")));
    }
    if (is_folder(real) && seen.insert(real).second) folders.push_back(std::move(real));
  };
  fs::path top = dataset.name();
  if (!below.empty()) {
    top /= below;
    const auto look = [&](std::error_code& unknown) { return fs::symlink_status(top, unknown); };
    if (fs::is_symlink(known_status(top, look))) {
      examine(top);
      top.clear();
    }
  }
  if (!top.empty() && is_folder(top)) folders.push_back(std::move(top));
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      const fs::file_status status = known_status(
          entry->path(), [&](std::error_code& unknown) { return entry->symlink_status(unknown); });
      if (fs::is_symlink(status)) {
        examine(entry->path());
      } else {
        refuse_special(entry->path(), status);
      }
    }
    if (failed) fail(ErrorCode::Io, "cannot read the folder: " + failed.message(), folder.string());
  }
}

bool is_lance_dataset(const Location& path, const StorageOptions& storage) {
  return look_at(path.in(kLanceVersions), storage) == NameKind::Folder;
}

std::vector<lance::Version> lance_versions(const Location& folder, const StorageOptions& storage) {
  const Location versions = folder.in(kLanceVersions);
  try {
    if (folder.is_remote()) return lance::list_versions(list_objects(versions, storage));
    return lance::list_versions(names_on_disk(versions));
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = folder;
    throw;
  }
}

LancePlace lance_place(const Location& folder, const std::optional<std::string>& version,
                       const StorageOptions& storage) {
  if (!version) return {folder, std::nullopt};
  if (const auto number = number_of(*version)) return {folder, number};
  refuse_links(folder, "_refs", {});
  refuse_links(folder, kTree, {});
  if (const size_t colon = version->rfind(':'); colon != std::string::npos) {
    const std::string branch = version->substr(0, colon);
    const auto number = number_of(std::string_view(*version).substr(colon + 1));
    if (!number || !has_branch(folder, branch, storage)) unknown(folder, *version, storage);
    return {branch_folder(folder, branch), number};
  }
  const Location tag = folder.in(kTags).in(*version + std::string(kSuffix));
  const bool is_tag = is_name(*version) && look_at(tag, storage) == NameKind::File;
  const bool is_branch = has_branch(folder, *version, storage);
  if (is_tag && is_branch) {
    fail(
        ErrorCode::Usage,
        fmt::format("the version {} is a tag and a branch of the dataset", xwalk::quoted(*version)),
        folder, fmt::format("Name a version of the branch: {}:NUMBER.", *version));
  }
  if (is_tag) return tagged(folder, tag, storage);
  if (!is_branch) unknown(folder, *version, storage);
  return {branch_folder(folder, *version), std::nullopt};
}

std::string lance_manifest_path(const Location& folder, std::optional<uint64_t> version,
                                const StorageOptions& storage, const Locations& followed) {
  refuse_links(folder, kLanceVersions, followed);
  const std::vector<lance::Version> versions = lance_versions(folder, storage);
  if (versions.empty()) {
    fail(ErrorCode::Input, "expected a version of the dataset, found none", folder);
  }
  const lance::Version* chosen = &versions.back();
  if (version) {
    const auto found = std::ranges::find(versions, *version, &lance::Version::number);
    if (found == versions.end()) {
      fail(ErrorCode::Usage,
           fmt::format("expected a version from {} to {}, found {}", versions.front().number,
                       versions.back().number, *version),
           folder);
    }
    chosen = &*found;
  }
  return folder.in(kLanceVersions).in(chosen->file_name);
}

}  // namespace xwalk::io
