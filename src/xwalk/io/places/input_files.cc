#include "xwalk/io/places/input_files.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fnmatch.h>
#include <iterator>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/delta_place.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/other_tables.h"

namespace xwalk::io {
namespace {

/// Folders within folders; links can make a circle.
constexpr int kMaxFolders = 64;

[[noreturn]] void fail(ErrorCode code, const std::string& path, std::string message,
                       std::string hint = {}) {
  throw Error(code, std::move(message), {.file = path}, std::move(hint));
}

/// Adds what the name of a folder says, if it says anything.
void add_partition(const std::string& name, std::vector<PartitionValue>* partition) {
  const size_t equals = name.find('=');
  if (equals == 0 || equals == std::string::npos) return;
  PartitionValue value{percent_decoded(name.substr(0, equals)), std::nullopt};
  const std::string text = name.substr(equals + 1);
  if (text != kNullPartition) value.value = percent_decoded(text);
  partition->push_back(std::move(value));
}

}  // namespace

std::vector<PartitionValue> partition_of(std::string_view path) {
  std::vector<PartitionValue> out;
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    add_partition(std::string(path.substr(0, slash)), &out);
    path.remove_prefix(slash + 1);
  }
  return out;
}

namespace {

/// Returns true for a schema next to rows, which is not one of the rows' files.
bool is_side_schema(std::string_view name) { return name.ends_with(".schema"); }

/// The folders of a disk that a search has entered.
class Entered {
 public:
  /// Returns false for a folder that was entered at the same step; true for one without an
  /// identity.
  bool add(size_t step, const Location& folder) {
    struct stat status {};
    if (folder.is_remote() ||
        ::stat(folder.name().empty() ? "." : folder.name().c_str(), &status) != 0) {
      return true;
    }
    return seen_.insert({step, status.st_dev, status.st_ino}).second;
  }

 private:
  std::set<std::tuple<size_t, dev_t, ino_t>> seen_;
};

/// Orders paths as a walk that enters folders by name does.
bool is_before(const InputFile& left, const InputFile& right) {
  return std::filesystem::path(left.path.name()) < std::filesystem::path(right.path.name());
}

/// Walks a folder and those below it.
class Walk {
 public:
  /// Which files are found: those of rows, or `.schema`.
  enum class Finds : uint8_t { Rows, Schemas };

  /// Reads tables of other systems if `data_files`.
  Walk(Location root, std::optional<Format> format, bool data_files, Listing* listing,
       Finds finds = Finds::Rows)
      : root_(std::move(root)),
        finds_(finds),
        given_(format.has_value()),
        format_(format),
        data_files_(data_files),
        listing_(listing) {
    listing_->fetch_below(root_);
    if (!data_files_) refuse_part_of_table(root_, listing_);
  }

  /// Walks all: folders first, then those that links lead to and that are not among them.
  void all(const Location& path, const std::vector<PartitionValue>& partition) {
    folder(path, partition, 0);
    const bool has_links = !links_.empty();
    while (!links_.empty()) {
      const std::vector<Link> links = std::exchange(links_, {});
      for (const Link& link : links) folder(link.path, link.partition, link.depth);
    }
    if (has_links) std::ranges::stable_sort(found_.files, is_before);
  }

 private:
  struct Link {
    Location path;
    std::vector<PartitionValue> partition;
    int depth;
  };

  void folder(const Location& path, const std::vector<PartitionValue>& partition, int depth) {
    if (!entered_.add(0, path)) {
      found_.left_aside.push_back(path);
      return;
    }
    if (depth > kMaxFolders) {
      fail(ErrorCode::Io, path, fmt::format("folders lie more than {} deep", kMaxFolders));
    }
    const std::vector<Entry> entries = listing_->in(path);
    if (!data_files_) refuse_table(path, entries, listing_);
    for (const Entry& entry : entries) {
      const Location inner = path.in(entry.name);
      if (is_hidden(entry.name)) {
        if (path.is_remote() && is_staged(entry.name)) saw_staged(inner);
        continue;
      }
      if (entry.kind != NameKind::Folder) {
        file(inner, entry.kind, format_of_name(inner), partition);
      } else if (const std::optional<Format> dataset = format_of_folder(*listing_, inner)) {
        file(inner, entry.kind, dataset, partition);
      } else {
        std::vector<PartitionValue> below = partition;
        add_partition(entry.name, &below);
        if (entry.is_link) {
          links_.push_back({inner, std::move(below), depth + 1});
        } else {
          folder(inner, below, depth + 1);
        }
      }
    }
  }

 public:
  /// Returns true if a file `.schema` was left out.
  bool saw_schemas() const { return saw_schemas_; }

  /// Returns true if rows were left out, because schemas are looked for.
  bool saw_rows() const { return saw_rows_; }

  InputFiles finish() {
    if (!found_.files.empty()) found_.format = format_;
    return std::move(found_);
  }

 private:
  void file(const Location& path, NameKind kind, std::optional<Format> its,
            const std::vector<PartitionValue>& partition) {
    if (finds_ == Finds::Schemas) {
      saw_rows_ = saw_rows_ || its.has_value();
      if (!is_side_schema(path) || kind != NameKind::File) return;
      found_.files.push_back({path, partition, path_below(root_, path)});
      return;
    }
    if (is_side_schema(path)) {
      saw_schemas_ = true;
      return;
    }
    if (!its || (given_ && *its != *format_) || (!(*its)->is_dataset && kind != NameKind::File)) {
      found_.left_aside.push_back(path);
      return;
    }
    if (!format_) format_ = its;
    if (*its != *format_) {
      fail(ErrorCode::Usage, root_,
           fmt::format("the folder contains files of several formats: {} and {}", (*format_)->name,
                       (*its)->name),
           "Name one with " + hub::mention(hub::Option::Format, "FORMAT") + ".");
    }
    found_.files.push_back({path, partition, path_below(root_, path)});
  }

  Location root_;
  Finds finds_;
  bool given_;
  std::optional<Format> format_;
  bool data_files_;
  Listing* listing_;
  Entered entered_;
  std::vector<Link> links_;
  bool saw_schemas_ = false;
  bool saw_rows_ = false;
  InputFiles found_;
};

/// Finds the files that the paths of an input stand for.
class Finder {
 public:
  explicit Finder(const InputOptions& options)
      : format_(options.format),
        data_files_(options.format && !options.partitions),
        listing_(options.storage) {}

  /// Adds the existing files that a path means. `partition` has the keys of the folders above it.
  void add(const Location& path, NameKind kind, std::vector<PartitionValue> partition) {
    const bool folder = kind == NameKind::Folder;
    const bool dataset = folder && (format_ ? (*format_)->is_dataset != nullptr
                                            : format_of_folder(listing_, path).has_value());
    if (path.is_delta() && !is_delta_table(path)) {
      fail(ErrorCode::Input, path, "expected a table of Delta, found no _delta_log");
    }
    if (!folder || dataset) {
      std::string_view name = without_query(path.name());
      while (name.ends_with('/')) name.remove_suffix(1);
      named_.push_back(path);
      out_.files.push_back(
          {path, std::move(partition), std::string(name.substr(name.rfind('/') + 1))});
      return;
    }
    out_.listed = true;
    Walk walk(path, format_, data_files_, &listing_);
    walk.all(path, partition);
    InputFiles found = walk.finish();
    if (found.files.empty()) {
      fail(ErrorCode::Usage, path,
           format_ ? fmt::format("the folder contains no rows of {}", (*format_)->name)
                   : "the folder contains no rows",
           walk.saw_schemas()
               ? "Its files .schema are tables for a check, not rows for a conversion."
               : "");
    }
    std::ranges::move(found.files, std::back_inserter(out_.files));
    std::ranges::move(found.left_aside, std::back_inserter(out_.left_aside));
  }

  void add_pattern(const Location& pattern);

  /// Adds the files that a name given by the user means.
  void add_given(const Location& path) {
    if (is_pattern(path, listing_.storage())) {
      const size_t before = out_.files.size();
      out_.listed = true;
      add_pattern(path);
      if (out_.files.size() == before) throw SystemError(ENOENT, "no file fits the pattern", path);
    } else if (!path.is_remote()) {
      const NameKind kind = path.is_standard() ? NameKind::File : listing_.look(path);
      has_pipe_ = has_pipe_ || path.is_standard() || kind == NameKind::Other;
      add(path, kind, {});
    } else {
      // A server may return rows under a name like this if the format is given.
      const bool page = path.kind() == LocationKind::Http && format_;
      const bool folder = path.name().ends_with('/') && !page && !path.is_table();
      add(path, folder ? NameKind::Folder : NameKind::File, {});
    }
  }

  /// Throws Error (Usage) if several files are of one table of another system. A single file may be
  /// looked at.
  InputFiles finish() {
    out_.listed = out_.listed && !has_pipe_;
    if (out_.files.size() > 1 && !data_files_) check_named();
    return std::move(out_);
  }

 private:
  friend class Pattern;

  void check_named() {
    std::set<std::string> seen;
    for (const Location& file : named_) {
      const std::string& name = file.name();
      const size_t slash = std::min(name.rfind('/'), name.size());
      if (seen.insert(name.substr(0, slash)).second) refuse_part_of_table(file, &listing_);
    }
  }

  std::optional<Format> format_;
  bool data_files_;
  Listing listing_;
  bool has_pipe_ = false;
  /// The files that were not found in a folder.
  Locations named_;
  InputFiles out_;
};

/// Finds what fits a pattern, folder by folder.
class Pattern {
 public:
  Pattern(const Location& pattern, Finder* finder) : finder_(finder), listing_(&finder->listing_) {
    const std::string& text = pattern.name();
    size_t begin = 0;
    if (pattern.is_remote()) {
      begin = std::min(text.find('/', text.find("://") + 3), text.size());
    } else {
      while (begin < text.size() && text[begin] == '/') ++begin;
    }
    root_ = pattern.renamed(text.substr(0, begin));
    for (size_t end; begin < text.size(); begin = end + 1) {
      end = std::min(text.find('/', begin), text.size());
      if (end > begin) steps_.push_back(text.substr(begin, end - begin));
    }
    wild_ = static_cast<size_t>(std::ranges::find_if(steps_, is_wild) - steps_.begin());
  }

  void find() {
    const size_t before = finder_->out_.files.size();
    step(0, root_, NameKind::Folder, {}, 0);
    Location fixed = root_;
    for (size_t i = 0; i < wild_; ++i) fixed = fixed.in(steps_[i]);
    for (size_t i = before; i < finder_->out_.files.size(); ++i) {
      InputFile& file = finder_->out_.files[i];
      file.below = fixed.name().empty() ? file.path.name() : path_below(fixed, file.path);
    }
  }

 private:
  static bool is_wild(const std::string& step) {
    return step.find_first_of("*?[") != std::string::npos;
  }

  void step(size_t at, const Location& folder, NameKind kind,
            const std::vector<PartitionValue>& partition, int depth) {
    if (depth > kMaxFolders) {
      fail(ErrorCode::Io, folder, fmt::format("folders lie more than {} deep", kMaxFolders));
    }
    if (at == steps_.size()) return finder_->add(folder, kind, partition);
    // Before the first step that the pattern leaves open there is one folder only.
    if (at >= wild_ && kind == NameKind::Folder && !entered_.add(at, folder)) {
      std::error_code ignored;
      if (std::filesystem::is_symlink(folder.name(), ignored)) {
        finder_->out_.left_aside.push_back(folder);
      }
      return;
    }
    const std::string& pattern = steps_[at];
    if (!is_wild(pattern)) {
      const Location path = folder.in(pattern);
      // In a store, only the part of the pattern with wildcards is listed.
      const bool named = root_.is_remote() && at < wild_;
      const NameKind inner = named ? NameKind::Folder : listing_->look(path);
      if (inner == NameKind::Nothing) return;
      return step(at + 1, path, inner, below(partition, pattern, at), depth + 1);
    }
    const bool any_folders = pattern == "**";
    if (any_folders) {
      try {
        listing_->fetch_below(folder);
      } catch (const NoSuchObject&) {
        return;
      }
      step(at + 1, folder, NameKind::Folder, partition, depth + 1);
    }
    if (any_folders && at + 1 == steps_.size()) return;  // that was all below the folder
    // Links come last, so that a folder is entered by its own name.
    std::vector<Entry> inside = entries(folder);
    std::stable_partition(inside.begin(), inside.end(),
                          [](const Entry& entry) { return !entry.is_link; });
    for (const Entry& entry : inside) {
      const Location path = folder.in(entry.name);
      const bool is_folder = entry.kind == NameKind::Folder;
      if (any_folders) {
        if (!is_hidden(entry.name) && is_folder && !format_of_folder(*listing_, path)) {
          step(at, path, entry.kind, below(partition, entry.name, at), depth + 1);
        }
        continue;
      }
      const bool meant = pattern.front() == entry.name.front() || !is_hidden(entry.name);
      if (!meant || fnmatch(pattern.c_str(), entry.name.c_str(), FNM_PERIOD) != 0) continue;
      const bool inner = at + 1 < steps_.size();
      if (is_folder) {
        step(at + 1, path, entry.kind, below(partition, entry.name, at), depth + 1);
      } else if (!inner && (!is_side_schema(entry.name) || is_side_schema(pattern))) {
        step(at + 1, path, entry.kind, partition, depth + 1);
      }
    }
  }

  /// Returns the entries of a folder; empty if the pattern names a missing folder of a store.
  std::vector<Entry> entries(const Location& folder) const {
    try {
      return listing_->in(folder);
    } catch (const NoSuchObject&) {
      return {};
    }
  }

  /// What the folders say from the first on that the pattern leaves open: those before were named.
  std::vector<PartitionValue> below(std::vector<PartitionValue> partition, const std::string& name,
                                    size_t at) const {
    if (at >= wild_) add_partition(name, &partition);
    return partition;
  }

  Finder* finder_;
  Listing* listing_;
  Location root_;
  std::vector<std::string> steps_;
  size_t wild_ = 0;
  Entered entered_;
};

void Finder::add_pattern(const Location& pattern) { Pattern(pattern, this).find(); }

}  // namespace

bool is_hidden(std::string_view name) { return name.starts_with('.') || name.starts_with('_'); }

std::string_view reason_of_leaving(const Location& path) {
  std::error_code ignored;
  const bool link = !path.is_remote() && std::filesystem::is_symlink(path.name(), ignored) &&
                    std::filesystem::is_directory(path.name(), ignored);
  return link ? "is not read: it leads to a folder that is read already"
              : "is not read: it is not a file of rows like the others";
}

InputFiles files_in(const Location& folder, std::optional<Format> format,
                    const StorageOptions& storage) {
  Listing listing(storage);
  try {
    Walk walk(folder, format, /*data_files=*/false, &listing);
    walk.all(folder, {});
    return walk.finish();
  } catch (const TableOfOther& found) {
    throw found.as_output();
  }
}

std::vector<InputFile> schema_files_in(const Location& folder, const StorageOptions& storage) {
  Listing listing(storage);
  Walk walk(folder, {}, /*data_files=*/false, &listing, Walk::Finds::Schemas);
  walk.all(folder, {});
  return walk.saw_rows() ? std::vector<InputFile>() : walk.finish().files;
}

bool is_pattern(const Location& path, const StorageOptions& storage) {
  return without_query(path).find_first_of("*?[") != std::string::npos &&
         look_at(path, storage) == NameKind::Nothing;
}

Locations with_folders_named(Locations paths, const StorageOptions& storage) {
  for (Location& path : paths) {
    const bool listed = path.is_remote() && path.kind() != LocationKind::Http;
    if (listed && !path.name().ends_with('/') && look_at(path, storage) == NameKind::Folder) {
      path = path.in("");
    }
  }
  return paths;
}

InputFiles input_files(const Locations& paths, const InputOptions& options) {
  Finder finder(options);
  for (const Location& given : paths) finder.add_given(given);
  InputFiles out = finder.finish();
  if (out.files.empty()) throw Error(ErrorCode::Usage, "expected an input, found none");
  return out;
}

}  // namespace xwalk::io
