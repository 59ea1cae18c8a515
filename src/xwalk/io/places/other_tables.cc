#include "xwalk/io/places/other_tables.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// A system whose tables are folders with other files than the valid ones.
struct TableSystem {
  std::string_view name;
  /// Where the list of valid files is.
  std::string_view list;
  /// Names in the folder of a table, or in one of its parts; all of them are needed.
  std::array<std::string_view, 2> names;
  /// How a name in the folder `names[0]` ends, if one must.
  std::string_view within;
  /// A program that reads the valid rows.
  std::string_view reader;
};

constexpr std::string_view kDelta = "xwalk.convert(FOLDER, OUTPUT), with the FOLDER of the table";
constexpr std::string_view kIceberg =
    "xwalk.convert(TABLE.scan().to_arrow_batch_reader(), OUTPUT), with a TABLE of pyiceberg";
constexpr std::string_view kHudi =
    "xwalk.convert(pyarrow.Table.from_batches(TABLE.read()), OUTPUT), with a TABLE of hudi";
constexpr std::string_view kPaimon =
    "xwalk.convert(READ.to_arrow(SPLITS), OUTPUT), with a READ of pypaimon";

constexpr auto kSystems = std::to_array<TableSystem>({
    {"Delta Lake", "_delta_log", {"_delta_log", ""}, "", kDelta},
    {"Iceberg", "metadata", {"metadata", ""}, ".metadata.json", kIceberg},
    {"Iceberg", "metadata", {"metadata", ""}, ".metadata.json.gz", kIceberg},
    {"Hudi", ".hoodie", {".hoodie", ""}, "", kHudi},
    {"Hudi", ".hoodie", {".hoodie_partition_metadata", ""}, "", kHudi},
    {"Paimon", "snapshot", {"snapshot", "manifest"}, "", kPaimon},
});

[[noreturn]] void refuse(const Location& path, const Location& table, const TableSystem& system) {
  const bool is_whole = path == table;
  Error error(
      ErrorCode::Usage,
      fmt::format("{} a table of {}: some of its files may hold rows that were deleted or "
                  "replaced, and only its {} says which",
                  is_whole ? "the folder is" : fmt::format("it belongs to {},", shown_name(table)),
                  system.name, system.list),
      {.file = shown_name(path)},
      fmt::format("Read the table in Python: {}. To read the files as they are, deleted rows "
                  "included, give {} and {}.",
                  system.reader, hub::mention(hub::Option::Format, "parquet"),
                  hub::mention(hub::Option::Partitions)));
  throw TableOfOther(std::move(error), system.name, system.list);
}

/// Returns the entries of a folder, sorted by name; none if it cannot be read: then nothing shows
/// that it is a table.
std::vector<Entry> entries_of(const Location& folder, Listing* listing) {
  try {
    return listing->in(folder);
  } catch (const Error&) {
    return {};
  }
}

bool contains(const std::vector<Entry>& entries, std::string_view name) {
  return std::ranges::binary_search(entries, name, {}, &Entry::name);
}

/// Returns the system whose table a folder is. `has` finds a name in the folder.
template <typename Has>
const TableSystem* system_of(const Location& folder, const Has& has, Listing* listing) {
  const auto* found = std::ranges::find_if(kSystems, [&](const TableSystem& system) {
    const auto has_name = [&](std::string_view name) { return name.empty() || has(name); };
    return std::ranges::all_of(system.names, has_name) &&
           (system.within.empty() ||
            std::ranges::any_of(
                entries_of(folder.in(system.names.front()), listing),
                [&](const Entry& entry) { return entry.name.ends_with(system.within); }));
  });
  return found == kSystems.end() ? nullptr : found;
}

/// Returns true for the name of a folder that is a part of tables: of rows with one value, of one
/// bucket, of data files, or of those whose names begin alike.
bool is_part(std::string_view name) {
  const auto is_hash = [](char c) { return is_ascii_alnum(c); };
  constexpr size_t kLongestHash = 8;
  return name.find('=') != name.npos || name.starts_with("bucket-") || name == "data" ||
         (name.size() <= kLongestHash && std::ranges::all_of(name, is_hash) &&
          std::ranges::any_of(name, is_ascii_digit));
}

/// Returns the folder above, and the name in it; nothing for the topmost.
std::optional<std::pair<Location, std::string>> above(const Location& path) {
  if (!path.is_remote()) {
    const fs::path whole = path.name();
    if (!whole.has_relative_path()) return std::nullopt;
    const std::string parent = whole.parent_path().string();
    return std::pair(Location(parent.empty() ? "." : parent), whole.filename().string());
  }
  std::string_view name = path.name();
  while (name.ends_with('/')) name.remove_suffix(1);
  const size_t slash = name.rfind('/');
  const size_t scheme = name.find("://");
  if (slash == name.npos || scheme == name.npos || slash < scheme + 3) return std::nullopt;
  return std::pair(path.renamed(std::string(name.substr(0, slash))),
                   std::string(name.substr(slash + 1)));
}

/// Refuses a path, which is at a place, if a folder above the place is a table.
void refuse_below_table(const Location& path, Location at, Listing* listing) {
  for (bool is_first = true;; is_first = false) {
    auto next = above(at);
    if (!next) return;
    const auto& [folder, name] = *next;
    if (path.is_remote() && !is_first && !is_part(name)) return;
    if (!path.is_remote() && !may_read(folder)) return;
    const std::vector<Entry> entries =
        path.is_remote() ? entries_of(folder, listing) : std::vector<Entry>{};
    const auto has = [&, &table = folder](std::string_view entry) {
      return path.is_remote() ? contains(entries, entry)
                              : listing->look(table.in(entry)) != NameKind::Nothing;
    };
    const TableSystem* system = system_of(folder, has, listing);
    if (system != nullptr) refuse(path, folder, *system);
    at = folder;
  }
}

}  // namespace

TableOfOther::TableOfOther(Error error, std::string_view system, std::string_view list)
    : Error(std::move(error)), system_(system), list_(list) {}

Error TableOfOther::as_output() const {
  return Error(
      code(),
      fmt::format("the folder is in a table of {}: files that are not in its {} are no "
                  "part of the table",
                  system_, list_),
      place(),
      fmt::format("Choose another folder, or add the rows with the package of {}.", system_));
}

void refuse_table(const Location& folder, const std::vector<Entry>& entries, Listing* listing) {
  const auto has = [&](std::string_view name) { return contains(entries, name); };
  const TableSystem* system = system_of(folder, has, listing);
  if (system != nullptr) refuse(folder, folder, *system);
}

void refuse_part_of_table(const Location& path, Listing* listing) {
  const bool has_folders =
      !path.is_table() && !path.is_standard() && path.kind() != LocationKind::Http;
  if (!has_folders) return;
  if (path.is_remote()) return refuse_below_table(path, path, listing);
  std::error_code failed;
  const fs::path given = fs::absolute(path.name(), failed).lexically_normal();
  if (failed) return;
  const fs::path whole = given.has_filename() ? given : given.parent_path();
  refuse_below_table(path, Location(whole.string()), listing);
  // A link may lead into a table.
  const fs::path target = fs::canonical(whole, failed);
  if (!failed && target != whole) {
    refuse_below_table(path, Location(target.string()), listing);
  }
}

}  // namespace xwalk::io
