#include "xwalk/io/formats/iceberg_place.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/engines/idle_engine.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMetadataFolder = "metadata";
constexpr std::string_view kMetadataEnding = ".metadata.json";
constexpr std::string_view kVersionHint = "version-hint.text";
/// Bytes of metadata, which list every snapshot.
constexpr size_t kMetadataBytes = size_t{256} << 20;

[[noreturn]] void refuse_metadata(ErrorCode code, std::string message, const std::string& file,
                                  std::string hint = {}) {
  throw Error(code, std::move(message), {.file = file}, std::move(hint));
}

/// Lists the metadata files of a folder; none if it is not one of a table.
std::vector<std::string> metadata_files(const std::string& folder, std::error_code* failed) {
  std::vector<std::string> out;
  for (fs::directory_iterator entry(fs::path(folder) / kMetadataFolder, *failed), end;
       !*failed && entry != end; entry.increment(*failed)) {
    std::string name = entry->path().filename().string();
    if (name.ends_with(kMetadataEnding)) out.push_back(std::move(name));
  }
  return out;
}

/// Returns the number of a metadata file: of `v3.metadata.json` and `00003-UUID.metadata.json`.
std::optional<uint64_t> metadata_number(std::string_view name) {
  name.remove_suffix(kMetadataEnding.size());
  if (name.starts_with('v')) {
    name.remove_prefix(1);
  } else {
    name = name.substr(0, name.find('-'));
  }
  uint64_t number = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (name.empty() || failure != std::errc() || end != name.data() + name.size())
    return std::nullopt;
  return number;
}

std::string read_text(const Location& path, const StorageOptions& storage, size_t limit) {
  return std::string(
      *with_contents(open_source(path, storage), limits::kMemory, limit)->contents());
}

/// Asks the catalog for the metadata of a table.
nlohmann::json described(const Location& path, IdleEngine& engine) {
  // guard(connect): a project file names no catalog, and pyiceberg's own configuration has the
  // host.
  check_read(path);
  const std::string text = engine.ask(print_for_engine(describing(path.name())));
  nlohmann::json out = nlohmann::json::parse(text, nullptr, false);
  if (!out.is_object() || !out["metadata"].is_string() || !out["metadata_location"].is_string()) {
    refuse_metadata(ErrorCode::Io, "the engine returned no metadata of the table", path);
  }
  return out;
}

}  // namespace

bool is_iceberg_table(const Location& path, const StorageOptions&) {
  if (path.is_remote() || path.is_standard()) return false;
  std::error_code failed;
  return !metadata_files(path.name(), &failed).empty();
}

std::string iceberg_metadata_in(const std::string& folder) {
  std::error_code failed;
  const std::vector<std::string> names = metadata_files(folder, &failed);
  if (failed) refuse_metadata(ErrorCode::Io, "cannot read the folder: " + failed.message(), folder);
  if (names.empty())
    refuse_metadata(ErrorCode::Input, "expected the metadata of a table, found none", folder);
  const fs::path metadata = fs::path(folder) / kMetadataFolder;
  const auto has = [&](uint64_t number) {
    return std::ranges::find(names, fmt::format("v{}{}", number, kMetadataEnding)) != names.end();
  };
  if (fs::exists(metadata / kVersionHint, failed)) {
    std::string hint = read_text((metadata / kVersionHint).string(), {}, 64);
    while (!hint.empty() &&
           std::string_view(" \t\r\n").find(hint.back()) != std::string_view::npos) {
      hint.pop_back();
    }
    if (auto number = metadata_number("v" + hint + std::string(kMetadataEnding));
        number && has(*number)) {
      while (has(*number + 1)) ++*number;
      return (metadata / fmt::format("v{}{}", *number, kMetadataEnding)).string();
    }
  }
  const auto newest = std::ranges::max_element(
      names, {}, [](const std::string& name) { return metadata_number(name).value_or(0); });
  const auto is_newest = [&](const std::string& name) {
    return metadata_number(name) == metadata_number(*newest);
  };
  if (std::ranges::count_if(names, is_newest) > 1) {
    refuse_metadata(
        ErrorCode::Input,
        "several metadata files are the newest: which one the table is at is known to its catalog",
        folder, "Name the table by its catalog, or one of the files.");
  }
  return (metadata / *newest).string();
}

IcebergPlace iceberg_place(const Location& path, const std::optional<std::string>& version,
                           const StorageOptions& storage) {
  IcebergPlace out;
  out.engine = std::make_shared<IdleEngine>(kIcebergEngine, kIcebergPackage);
  std::string text;
  if (path.is_catalog()) {
    const nlohmann::json table = described(path, *out.engine);
    out.metadata = table["metadata_location"];
    text = table["metadata"];
  } else {
    const bool is_folder = !path.is_remote() && fs::is_directory(path.name());
    out.metadata = is_folder ? iceberg_metadata_in(path.name()) : path.name();
    if (!path.is_remote()) {
      out.metadata = fs::absolute(out.metadata).lexically_normal().string();
      out.folder = fs::path(out.metadata).parent_path().parent_path().string();
    }
    text = read_text(path.renamed(out.metadata), storage, kMetadataBytes);
  }
  try {
    out.table = iceberg::read_table(text, version);
  } catch (Error& error) {
    if (error.place().file.empty())
      error.place().file = path.is_catalog() ? path.name() : out.metadata;
    throw;
  }
  return out;
}

std::shared_ptr<const IcebergPlace> IcebergTables::find(const Location& path,
                                                        const std::optional<std::string>& version,
                                                        const StorageOptions& storage) {
  const std::lock_guard guard(mutex_);
  std::shared_ptr<const IcebergPlace>& place = found_[path.name()];
  if (place == nullptr) {
    place = std::make_shared<const IcebergPlace>(iceberg_place(path, version, storage));
  }
  return place;
}

}  // namespace xwalk::io
