#include "xwalk/io/places/folder_output.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/folder_at.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/version.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& folder, std::string message) {
  throw Error(ErrorCode::Io, std::move(message), {.file = folder});
}

/// Returns true for a path with a hidden name in it, which is not one of the rows' files.
bool is_hidden_path(std::string_view path) {
  for (size_t slash; (slash = path.find('/')) != std::string_view::npos;) {
    if (is_hidden(path.substr(0, slash))) return true;
    path.remove_prefix(slash + 1);
  }
  return is_hidden(path);
}

/// Returns where the manifests of a folder lie: beside it, since some readers take all that is in a
/// folder for its rows; within a bucket that is the folder itself.
Location manifests_of(const Location& location) {
  std::string_view folder = location.name();
  while (folder.ends_with('/')) folder.remove_suffix(1);
  const size_t slash = folder.rfind('/');
  if (folder[slash - 1] == '/') return location.in("_manifests");
  return location.renamed(
      fmt::format("{}/_{}.manifests", folder.substr(0, slash), folder.substr(slash + 1)));
}

}  // namespace

FolderOutput::FolderOutput(Location folder, const InputFiles& there, const OutputOptions& options)
    : folder_(std::move(folder)),
      mode_(options.mode),
      durable_(options.durable),
      storage_(options.storage),
      set_(options.set != nullptr ? options.set : &own_) {
  const bool adds =
      mode_ == OutputMode::Append && (folder_.is_remote() || fs::exists(folder_.name()));
  shares_names_ = adds || (folder_.is_remote() && mode_ == OutputMode::Overwrite);
  root_ = folder_;
  if (folder_.is_remote()) {
    if (there.files.empty()) return;
    for (std::string& path : list_objects(folder_, storage_, /*deep=*/true)) {
      if (!is_hidden_path(path)) before_.insert(std::move(path));
    }
  } else if (!adds) {
    staged_ = std::make_unique<AtomicPath>(folder_, mode_ == OutputMode::Overwrite,
                                           AtomicPath::Kind::Folder);
    root_ = staged_->temporary();
    fs::create_directory(root_.name());
  }
}

FolderOutput::~FolderOutput() = default;

Location FolderOutput::begin(const std::string& below, OutputOptions* options) {
  options->inputs.clear();
  options->partition_by.clear();
  options->mode = OutputMode::Create;
  // Files of a folder that is renamed as one have their names at once.
  options->set = staged_ != nullptr ? nullptr : set_;
  const Location path = root_.in(below);
  if (folder_.is_remote()) {
    options->staged = true;
    if (mode_ == OutputMode::Overwrite && before_.contains(below)) {
      options->mode = OutputMode::Overwrite;
    }
    return path;
  }
  make_folders(root_, below);
  return path.made_after(root_.name().size());
}

void make_folders(const Location& root, const std::string& below) {
  const std::string named = root.name().substr(0, root.given());
  std::error_code failed;
  if (!named.empty()) fs::create_directories(named, failed);
  if (failed) fail(root, "cannot create a folder: " + failed.message());
  const fs::path folder = root.name() / fs::path(below).parent_path();
  std::vector<std::string> made;
  if (open_folder(folder.string(), named.size(), &made)) return;
  const int code = errno;
  // A link may have been planted: the rows would go elsewhere.
  if (code == ENOTDIR) fail(folder.string(), "expected folders, found a link or another file");
  io_error(folder.string(), "cannot create a folder", code);
}

void FolderOutput::wrote(const std::string& below, uint64_t rows, uint64_t bytes) {
  if (folder_.is_remote()) files_.push_back({below, rows, bytes});
}

void FolderOutput::finish() {
  if (folder_.is_remote()) {
    write_manifest();
    if (mode_ == OutputMode::Overwrite) replace();
  }
  if (staged_ != nullptr) set_->add(std::move(staged_), durable_);
  own_.commit();
}

void FolderOutput::write_manifest() {
  std::random_device random;
  const std::string name = fmt::format("{:08x}{:08x}.json", random(), random());
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const File& file : files_) {
    files.push_back({{"path", file.below}, {"rows", file.rows}, {"bytes", file.bytes}});
  }
  const nlohmann::ordered_json manifest = {
      {"writer", "xwalk " XWALK_VERSION}, {"folder", folder_.name()}, {"files", std::move(files)}};
  auto upload = std::make_unique<StoreUpload>(manifests_of(folder_).in(name), storage_, false,
                                              /*staged=*/true);
  upload->write(manifest.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  upload->close();
  set_->add_last(std::move(upload));
}

void FolderOutput::replace() {
  for (const File& file : files_) {
    before_.erase(file.below);
    before_.erase(side_schema_path(folder_.renamed(file.below)).name());
  }
  std::vector<std::string> old(before_.begin(), before_.end());
  std::ranges::sort(old);
  for (std::string& path : old) path = folder_.in(path).name();
  const Location manifests = manifests_of(folder_);
  try {
    for (const std::string& name : list_objects(manifests, storage_)) {
      if (!is_hidden(name)) old.push_back(manifests.in(name));
    }
  } catch (const NoSuchObject&) {
    // Another program has written what is replaced.
  }
  // guard(delete): paths that the listing of this folder had; none has a step that is hidden.
  set_->remove_after(std::move(old), storage_);
}

}  // namespace xwalk::io
