#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/lance/kinds.h"
#include "xwalk/vortex/kinds.h"

namespace xwalk::crosswalk {

/// A reader that an output is for.
struct ChosenReader {
  /// As in the table of readers.
  std::string_view name;
  /// "" for the version that was tried.
  std::string version{};
};

/// Returns the word that chooses a reader: `duckdb`, `duckdb-lance`.
std::string word_of(const Reader& reader);
/// Returns the names that choose readers, and `vortex` for vortex-data.
std::span<const std::string_view> reader_names();
/// Reads names such as `duckdb` and `pylance=2.0`. Throws Error (Usage) for a reader that is not
/// known, and for a version that was not tried.
std::vector<ChosenReader> parse_readers(const std::vector<std::string>& texts);

/// Returns the newest version of data files that the chosen releases of pylance read; nothing if
/// that is the default.
std::optional<lance::DataVersion> data_version_for(const std::vector<ChosenReader>& readers);
/// Returns the newest edition that the chosen releases of vortex-data read; nothing for the newest.
std::optional<vortex::Edition> edition_for(const std::vector<ChosenReader>& readers);

}  // namespace xwalk::crosswalk
