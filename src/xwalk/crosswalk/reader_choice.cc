#include "xwalk/crosswalk/reader_choice.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/word_list.h"
#include "xwalk/crosswalk/reader_terms.h"

namespace xwalk::crosswalk {
namespace {

/// The first release of a reader that reads files of a version.
template <typename Version>
struct FirstRelease {
  std::string_view release;
  Version version;
  /// Whether it reads the default too.
  bool is_default = false;
};

// Measured on 2026-11-29 with 16 releases of pylance and 10 of vortex-data: numbers, text, lists
// and structs. docs/formats/lance.md and vortex.md show the last release that did not read them.
constexpr FirstRelease<lance::DataVersion> kPylanceReads[] = {
    {"0.20", lance::DataVersion::V2_0},
    {"0.38.3", lance::DataVersion::V2_1},
    {"3.0", lance::DataVersion::V2_2, true},
};
constexpr FirstRelease<vortex::Edition> kVortexReads[] = {
    {"0.60", vortex::Edition::Core2025_10_0},
    {"0.82", vortex::Edition::Core2026_08_3, true},
};

/// Returns the numbers of a release; nothing for other text.
std::optional<std::vector<int>> numbers_of(std::string_view release) {
  std::vector<int> out;
  const char* at = release.data();
  const char* const end = at + release.size();
  while (true) {
    int number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0) return std::nullopt;
    out.push_back(number);
    if (stop == end) return out;
    if (*stop != '.') return std::nullopt;
    at = stop + 1;
  }
}

template <typename Version>
const FirstRelease<Version>* reads(std::span<const FirstRelease<Version>> table,
                                   std::string_view release) {
  const auto given = numbers_of(release);
  const FirstRelease<Version>* best = nullptr;
  for (const FirstRelease<Version>& row : table) {
    if (given && *numbers_of(row.release) <= *given) best = &row;
  }
  return best;
}

template <typename Version>
void check_release(std::span<const FirstRelease<Version>> table, std::string_view name,
                   const std::string& release) {
  if (reads(table, release) != nullptr) return;
  throw Error(ErrorCode::Usage,
              fmt::format("expected a release of {} from {} on, found {}", name,
                          table.front().release, clipped(release)),
              {}, "Older releases read no file that is written here.");
}

template <typename Version>
std::optional<Version> version_for(std::span<const FirstRelease<Version>> table,
                                   std::string_view name,
                                   const std::vector<ChosenReader>& readers) {
  std::optional<Version> out;
  for (const ChosenReader& reader : readers) {
    if (reader.name != name || reader.version.empty()) continue;
    const FirstRelease<Version>* row = reads(table, reader.version);
    if (row == nullptr || row->is_default) continue;
    out = out ? std::min(*out, row->version) : row->version;
  }
  return out;
}

std::span<const FirstRelease<lance::DataVersion>> pylance() { return kPylanceReads; }
std::span<const FirstRelease<vortex::Edition>> vortex_data() { return kVortexReads; }

}  // namespace

std::string word_of(const Reader& reader) {
  // DuckDB's lance is duckdb-lance.
  std::string out = ascii_lower(reader.name);
  if (const size_t at = out.find("'s "); at != std::string::npos) out.replace(at, 3, "-");
  return out;
}

std::span<const std::string_view> reader_names() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> out = {"vortex"};
    for (const Reader& reader : known_readers()) out.push_back(word_of(reader));
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    return out;
  }();
  static const std::vector<std::string_view> kNames(kTexts.begin(), kTexts.end());
  return kNames;
}

namespace {

/// Refuses a release of a reader that is not known to read what is written.
void check_release(const Reader& reader, std::string_view word, const std::string& release) {
  if (reader.name == kPylance) return check_release(pylance(), kPylance, release);
  if (reader.name == kVortexData) return check_release(vortex_data(), kVortexData, release);
  if (release == reader.version) return;
  throw Error(
      ErrorCode::Usage,
      fmt::format("{} {} was tried, {} was not", reader.name, reader.version, clipped(release)), {},
      fmt::format("Give {} alone for the release that was tried.", word));
}

/// Reads one name, with or without a release.
ChosenReader parse_reader(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string word(text.substr(0, equals));
  const auto found = std::ranges::find_if(known_readers(), [&](const Reader& reader) {
    return word_of(reader) == word || (word == "vortex" && reader.name == kVortexData);
  });
  if (found == known_readers().end()) {
    const std::span<const std::string_view> known = reader_names();
    throw Error(ErrorCode::Usage, fmt::format("expected a reader, found {}", clipped(word)), {},
                did_you_mean(word, {known.begin(), known.end()}));
  }
  ChosenReader out{found->name};
  if (equals != std::string_view::npos) {
    out.version = text.substr(equals + 1);
    check_release(*found, word, out.version);
  }
  return out;
}

}  // namespace

std::vector<ChosenReader> parse_readers(const std::vector<std::string>& texts) {
  std::vector<ChosenReader> out;
  for (const std::string& text : texts) {
    for (const std::string& one : split_list(text)) out.push_back(parse_reader(one));
  }
  return out;
}

std::optional<lance::DataVersion> data_version_for(const std::vector<ChosenReader>& readers) {
  return version_for(pylance(), kPylance, readers);
}

std::optional<vortex::Edition> edition_for(const std::vector<ChosenReader>& readers) {
  return version_for(vortex_data(), kVortexData, readers);
}

}  // namespace xwalk::crosswalk
