#include "xwalk/io/formats/detect.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/yt/json_rows.h"

namespace xwalk::io {
namespace {

std::string known_formats() {
  std::vector<std::string> names;
  for (const Format format : formats()) names.emplace_back(format->word);
  return join(names, ", ");
}

}  // namespace

Format parse_format(std::string_view word) {
  std::vector<std::string> names;
  for (const Format format : formats()) {
    if (format->word == word || format->system->name == word) return format;
    names.emplace_back(format->word);
  }
  if (crosswalk::parse_system(word)) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} is supported for schemas only, not for rows", word), {},
                fmt::format("xwalk schema IN --to {} prints the schema.", word));
  }
  throw Error(ErrorCode::Usage,
              fmt::format("unknown format {}: expected {}", xwalk::quoted(word), known_formats()),
              {}, did_you_mean(word, names));
}

std::optional<Format> format_of_output_name(std::string_view path) {
  if (path.starts_with(kCatalogScheme)) return kIcebergRows;
  path = without_compression(without_query(path));
  while (path.ends_with('/')) path.remove_suffix(1);
  std::optional<Format> out;
  size_t longest = 0;
  for (const Format format : formats()) {
    for (const std::string_view extension : format->extensions) {
      if (extension.size() <= longest || !path.ends_with(extension)) continue;
      longest = extension.size();
      out = format;
    }
  }
  return out;
}

std::optional<Format> format_of_name(std::string_view path) {
  const std::optional<Format> format = format_of_output_name(path);
  return format && (*format)->open != nullptr ? format : std::nullopt;
}

void check_readable(Format format) {
  if (format->open != nullptr) return;
  throw Error(
      ErrorCode::Usage, fmt::format("{} is supported as output only", format->name), {},
      "It has no types. Load it with DuckDB, Polars or pyarrow, save Parquet, and convert that.");
}

std::optional<Format> format_of_magic(std::string_view bytes) {
  for (const Format format : formats()) {
    if (format->begins != nullptr && format->begins(bytes)) return format;
  }
  return std::nullopt;
}

std::optional<Format> format_of_folder(const Location& path) {
  for (const Format format : formats()) {
    if (format->is_dataset != nullptr && format->is_dataset(path, {})) return format;
  }
  return std::nullopt;
}

std::optional<Format> format_of_folder(Listing& listing, const Location& folder) {
  if (!folder.is_remote()) return format_of_folder(folder);
  const std::vector<Entry> entries = listing.in(folder);
  for (const Format format : formats()) {
    if (format->is_dataset == nullptr) continue;
    const bool marked = std::ranges::any_of(entries, [&](const Entry& entry) {
      return entry.name == format->dataset_mark && entry.kind == NameKind::Folder;
    });
    if (marked) return format;
  }
  return std::nullopt;
}

namespace {

/// Text whose rows are maps.
enum class Maps : uint8_t { Json, Yson };

/// Returns the notation of the first map in bytes, by the sign that follows its first key:
/// `{"key":` or `{"key"=`. Nothing if the bytes begin otherwise.
std::optional<Maps> notation_of(std::string_view bytes) {
  static constexpr std::string_view kBlank = " \t\r\n";
  if (bytes.starts_with(yt::kByteOrderMark)) bytes.remove_prefix(yt::kByteOrderMark.size());
  const auto skip_blank = [&] {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(kBlank), bytes.size()));
  };
  const auto skip = [&](char expected) {
    skip_blank();
    if (!bytes.starts_with(expected)) return false;
    bytes.remove_prefix(1);
    return true;
  };
  if (!skip('{')) return std::nullopt;
  if (skip('"')) {
    size_t end = 0;
    while (end < bytes.size() && bytes[end] != '"') end += bytes[end] == '\\' ? 2 : 1;
    bytes.remove_prefix(std::min(end, bytes.size()));
    if (!skip('"')) return std::nullopt;
    if (skip(':')) return Maps::Json;
  } else {
    const size_t end = bytes.find_first_of("=:{}[]\"\n");
    if (end == 0 || end == std::string_view::npos) return std::nullopt;
    bytes.remove_prefix(end);
  }
  return skip('=') ? std::optional(Maps::Yson) : std::nullopt;
}

/// How rows of text are checked against their format.
enum class Given : uint8_t {
  ByName,    ///< the name of the input has it; a binary format in its bytes counts more
  ByCaller,  ///< the caller named it
  Skipping,  ///< the same, and bad rows are left out: a row in another notation is one
};

bool is_text(Format format) { return format == kYsonRows || format == Format(kJsonRows); }

/// Returns what messages call the rows of a format.
std::string_view rows_of(Format format) {
  if (format == kYsonRows) return "YSON rows";
  return format == Format(kJsonRows) ? "JSON lines" : format->name;
}

/// Refuses bytes that look like another format: JSON lines, YSON rows, or a binary one. Throws
/// Error (Input) that names it.
void check_begin(Format format, std::string_view begin, const std::string& name, Given given) {
  const Format json = kJsonRows;
  if (format->begins != nullptr && !is_text(format) && format->begins(begin)) return;
  const bool by_name = given == Given::ByName;
  std::optional<Format> found = by_name ? std::nullopt : format_of_magic(begin);
  if (!found || *found == kYsonRows) {
    const std::optional<Maps> maps = given == Given::Skipping ? std::nullopt : notation_of(begin);
    if (!maps) return;
    found = *maps == Maps::Json ? json : Format(kYsonRows);
  }
  if ((*found)->name == format->name) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected {}{}, found what looks like {}", rows_of(format),
                          by_name ? ", as the name says" : "", rows_of(*found)),
              {.file = name},
              "Read them with " + hub::mention(hub::Option::Format, (*found)->word) + ".");
}

}  // namespace

Format detect_input(const Location& path, Source* opened) {
  std::optional<Format> by_name = format_of_name(path);
  if (opened == nullptr && !path.is_standard() && std::filesystem::is_directory(path.name())) {
    if (const std::optional<Format> dataset = format_of_folder(path)) return *dataset;
    throw Error(
        ErrorCode::Usage,
        xwalk::quoted(path) + " is a folder, but not a Lance dataset, an Iceberg or a Delta table");
  }
  // A dataset in a store was recognized by its name.
  if (opened == nullptr && by_name && path.is_remote()) return *by_name;
  std::unique_ptr<Source> own;
  if (opened == nullptr) {
    own = open_source(path);
    opened = own.get();
  }
  // Metadata of a table looks like a row of JSON.
  if (by_name == Format(kIcebergRows)) return *by_name;
  const std::string_view begin = opened->peek(64);
  if (by_name && is_text(*by_name)) check_begin(*by_name, begin, opened->name(), Given::ByName);
  std::optional<Format> by_magic = format_of_magic(begin);
  // Skiff rows may begin with any byte, so for them the name counts more.
  const bool any_bytes = by_name && (*by_name)->begins == nullptr && !(*by_name)->has_own_schema();
  if (any_bytes) return *by_name;
  if (by_magic) return *by_magic;
  if (by_name) return *by_name;
  if (const std::optional<Format> written = format_of_output_name(path)) check_readable(*written);
  throw Error(ErrorCode::Usage, fmt::format("cannot tell the format of {}", opened->name()), {},
              "Name it with " + hub::mention(hub::Option::Format, "FORMAT") + ".");
}

Format input_format(const Location& path, Source* opened, const InputOptions& options) {
  if (!options.format) return detect_input(path, opened);
  if (path.is_catalog() && *options.format != Format(kIcebergRows)) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} is a table of Iceberg, found {}", xwalk::quoted(path),
                            hub::mention(hub::Option::Format, (*options.format)->word)));
  }
  if (opened != nullptr) check_text(*options.format, *opened, options);
  return *options.format;
}

void check_text(Format format, Source& source, const InputOptions& options) {
  // A pipe has no size, and may give its first bytes long before the next ones.
  if (!is_text(format) || !source.size()) return;
  check_begin(format, source.peek(64), source.name(),
              options.skip_bad_rows ? Given::Skipping : Given::ByCaller);
}

void refuse_other_format(Format format, const Location& path, const InputOptions& options) {
  if (path.is_standard() || path.is_table() || is_text(format)) return;
  // The bytes of a pipe are gone.
  std::error_code unknown;
  if (!path.is_remote() && !std::filesystem::is_regular_file(path.name(), unknown)) return;
  std::string begin;
  try {
    begin = open_source(path, options.storage)->peek(64);
  } catch (const Error&) {
    return;  // what it is opened for failed already
  }
  check_begin(format, begin, shown_name(path), Given::ByCaller);
}

Format detect_output(const Location& path) {
  if (path.is_delta()) return kDeltaRows;
  if (std::optional<Format> format = format_of_output_name(path)) return *format;
  // The name of a system that has no rows is not an ending like any other.
  // A query is not part of it, and may be a credential.
  const std::string name(without_query(path));
  std::string ending = std::filesystem::path(name).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const std::optional<crosswalk::System> system = crosswalk::parse_system(ending);
  if (system && formats_of(*system).empty()) return parse_format(ending);
  throw Error(ErrorCode::Usage,
              path.is_standard() ? "standard output needs a format"
              : ending.empty()
                  ? fmt::format("{} has no file extension that names a format", xwalk::quoted(path))
                  : fmt::format("unknown file extension .{}", ending),
              {},
              "Name the format with " + hub::mention(hub::Option::To, "FORMAT") + ", one of " +
                  known_formats() + ".");
}

}  // namespace xwalk::io
