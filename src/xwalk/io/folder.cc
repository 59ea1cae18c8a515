#include "xwalk/io/folder.h"

#include <algorithm>
#include <filesystem>
#include <fnmatch.h>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/detect.h"
#include "xwalk/io/location.h"
#include "xwalk/io/row_format.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// Folders within folders; links can make a circle.
constexpr int kMaxFolders = 64;

[[noreturn]] void fail(ErrorCode code, const std::string& path, std::string message,
                       std::string hint = {}) {
  Place place;
  place.file = path;
  throw Error(code, std::move(message), std::move(place), std::move(hint));
}

bool is_folder(const std::string& path) { return path != "-" && fs::is_directory(path); }

/// Adds what the name of a folder says, if it says anything.
void add_partition(const std::string& name, std::vector<PartitionValue>* partition) {
  const size_t equals = name.find('=');
  if (equals == 0 || equals == std::string::npos) return;
  PartitionValue value{percent_decoded(name.substr(0, equals)), std::nullopt};
  const std::string text = name.substr(equals + 1);
  if (text != kNullPartition) value.value = percent_decoded(text);
  partition->push_back(std::move(value));
}

/// Tells of a schema beside rows, which is none of the rows' files.
bool is_side_schema(std::string_view name) { return name.ends_with(".schema"); }

bool is_hidden(std::string_view name) { return name.starts_with('.') || name.starts_with('_'); }

/// Returns the names in a folder, sorted.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  fs::directory_iterator at(folder, failed);
  while (!failed && at != fs::directory_iterator()) {
    names.push_back(at->path().filename().string());
    at.increment(failed);
  }
  if (failed) fail(ErrorCode::Io, folder, "cannot read the folder: " + failed.message());
  std::ranges::sort(names);
  return names;
}

/// Walks a folder and those below it.
class Walk {
 public:
  Walk(std::string root, std::optional<Format> format)
      : root_(std::move(root)), given_(format.has_value()), format_(format) {}

  void folder(const std::string& path, const std::vector<PartitionValue>& partition, int depth) {
    if (depth > kMaxFolders) {
      fail(ErrorCode::Io, path, fmt::format("folders lie more than {} deep", kMaxFolders));
    }
    for (const std::string& name : names_in(path)) {
      if (is_hidden(name)) continue;
      const std::string entry = (fs::path(path) / name).string();
      if (!is_folder(entry)) {
        file(entry, format_of_name(name), partition);
      } else if (const std::optional<Format> dataset = format_of_folder(entry)) {
        file(entry, dataset, partition);
      } else {
        std::vector<PartitionValue> below = partition;
        add_partition(name, &below);
        folder(entry, below, depth + 1);
      }
    }
  }

  InputFiles finish() {
    if (!found_.files.empty()) found_.format = format_;
    return std::move(found_);
  }

 private:
  void file(const std::string& path, std::optional<Format> its,
            const std::vector<PartitionValue>& partition) {
    if (is_side_schema(path)) return;
    if (!its || (given_ && *its != *format_) ||
        (!(*its)->is_dataset && !fs::is_regular_file(path))) {
      found_.left_aside.push_back(path);
      return;
    }
    if (!format_) format_ = its;
    if (*its != *format_) {
      fail(ErrorCode::Usage, root_,
           fmt::format("the folder holds files of several formats: {} and {}", (*format_)->name,
                       (*its)->name),
           "Name one with " + hub::mention(hub::Option::Format, "FORMAT") + ".");
    }
    found_.files.push_back({path, partition, fs::path(path).lexically_relative(root_).string()});
  }

  std::string root_;
  bool given_;
  std::optional<Format> format_;
  InputFiles found_;
};

void append(InputFiles found, InputFiles* out) {
  std::ranges::move(found.files, std::back_inserter(out->files));
  std::ranges::move(found.left_aside, std::back_inserter(out->left_aside));
}

/// Adds what an existing path stands for; `partition` is what the folders above it say.
void add_path(const std::string& path, std::vector<PartitionValue> partition,
              std::optional<Format> format, InputFiles* out) {
  const bool folder = is_folder(path);
  const bool dataset =
      folder && ((format && (*format)->is_dataset != nullptr) || format_of_folder(path));
  if (!folder || dataset) {
    const fs::path name = path.ends_with('/') ? fs::path(path).parent_path() : fs::path(path);
    out->files.push_back({path, std::move(partition), name.filename().string()});
    return;
  }
  Walk walk(path, format);
  walk.folder(path, partition, 0);
  InputFiles found = walk.finish();
  if (found.files.empty()) {
    fail(ErrorCode::Usage, path,
         format ? fmt::format("the folder holds no rows of {}", (*format)->name)
                : "the folder holds no rows");
  }
  append(std::move(found), out);
}

/// Finds what fits a pattern, folder by folder.
class Pattern {
 public:
  Pattern(const std::string& text, std::optional<Format> format, InputFiles* out)
      : format_(format), out_(out) {
    const fs::path path(text);
    root_ = path.root_path().string();
    for (const fs::path& step : path.relative_path()) {
      if (!step.empty()) steps_.push_back(step.string());
    }
  }

  void find() {
    const size_t before = out_->files.size();
    step(0, root_, {}, 0);
    fs::path fixed = root_;
    for (size_t i = 0; i < wild_; ++i) fixed /= steps_[i];
    for (size_t i = before; i < out_->files.size(); ++i) {
      InputFile& file = out_->files[i];
      file.below =
          fixed.empty() ? file.path : fs::path(file.path).lexically_relative(fixed).string();
    }
  }

 private:
  void step(size_t at, const std::string& folder, const std::vector<PartitionValue>& partition,
            int depth) {
    if (depth > kMaxFolders) {
      fail(ErrorCode::Io, folder, fmt::format("folders lie more than {} deep", kMaxFolders));
    }
    if (at == steps_.size()) return add_path(folder, partition, format_, out_);
    const std::string& pattern = steps_[at];
    const bool fixed = pattern.find_first_of("*?[") == std::string::npos;
    if (fixed) {
      const std::string path = (fs::path(folder) / pattern).string();
      if (fs::exists(path)) step(at + 1, path, below(partition, pattern, at), depth + 1);
      return;
    }
    wild_ = std::min(wild_, at);
    const bool any_folders = pattern == "**";
    if (any_folders) step(at + 1, folder, partition, depth + 1);
    if (any_folders && at + 1 == steps_.size()) return;  // that was all below the folder
    for (const std::string& name : names_in(folder.empty() ? "." : folder)) {
      const std::string path = (fs::path(folder) / name).string();
      if (any_folders) {
        if (!is_hidden(name) && is_folder(path) && !format_of_folder(path)) {
          step(at, path, below(partition, name, at), depth + 1);
        }
        continue;
      }
      const bool meant = pattern.front() == name.front() || !is_hidden(name);
      if (!meant || fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
      const bool inner = at + 1 < steps_.size();
      if (is_folder(path)) {
        step(at + 1, path, below(partition, name, at), depth + 1);
      } else if (!inner && (!is_side_schema(name) || is_side_schema(pattern))) {
        step(at + 1, path, partition, depth + 1);
      }
    }
  }

  /// What the folders say from the first on that the pattern leaves open: those before were named.
  std::vector<PartitionValue> below(std::vector<PartitionValue> partition, const std::string& name,
                                    size_t at) const {
    if (at >= wild_) add_partition(name, &partition);
    return partition;
  }

  std::optional<Format> format_;
  InputFiles* out_;
  std::string root_;
  std::vector<std::string> steps_;
  size_t wild_ = SIZE_MAX;
};

}  // namespace

InputFiles files_in(const std::string& folder, std::optional<Format> format) {
  Walk walk(folder, format);
  walk.folder(folder, {}, 0);
  return walk.finish();
}

bool is_pattern(const std::string& path) {
  return !is_remote(path) && path.find_first_of("*?[") != std::string::npos && !fs::exists(path);
}

InputFiles input_files(const std::vector<std::string>& paths, std::optional<Format> format) {
  InputFiles out;
  for (const std::string& given : paths) {
    if (is_remote(given)) {
      out.files.push_back({given, {}, given.substr(given.rfind('/') + 1)});
      continue;
    }
    const std::string path = local_path(given);
    if (!is_pattern(path)) {
      add_path(path, {}, format, &out);
      continue;
    }
    const size_t before = out.files.size();
    Pattern(path, format, &out).find();
    if (out.files.size() == before) fail(ErrorCode::Io, path, "no file fits the pattern");
  }
  if (out.files.empty()) throw Error(ErrorCode::Usage, "expected an input, found none");
  return out;
}

}  // namespace xwalk::io
