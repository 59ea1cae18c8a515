#include "xwalk/crosswalk/reader_choice.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/word_list.h"

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

constexpr std::string_view kPylance = "pylance";
constexpr std::string_view kVortexData = "vortex-data";

std::vector<std::string> parts_of(std::string_view release) {
  std::vector<std::string> out(1);
  for (const char c : release) {
    if (c == '.') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

/// Returns the numbers of a release; nothing for other text.
std::optional<std::vector<int>> numbers_of(std::string_view release) {
  std::vector<int> out;
  for (const std::string& part : parts_of(release)) {
    int number = 0;
    const char* end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, number);
    if (error != std::errc() || stop != end || number < 0) return std::nullopt;
    out.push_back(number);
  }
  return out;
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
  std::string out;
  for (const char c : reader.name) {
    if (c == '\'') continue;
    out += c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  // DuckDB's extensions: duckdbs-lance.
  if (out.starts_with("duckdbs-")) out.erase(6, 1);
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

std::vector<ChosenReader> parse_readers(const std::vector<std::string>& texts) {
  std::vector<ChosenReader> out;
  for (const std::string& text : texts) {
    for (const std::string& item : split_list(text)) {
      const std::string_view one = item;
      const size_t equals = one.find('=');
      const std::string_view word = one.substr(0, equals);
      const auto same = [&](const Reader& reader) {
        return word_of(reader) == word || (word == "vortex" && reader.name == kVortexData);
      };
      const auto found = std::ranges::find_if(known_readers(), same);
      if (found == known_readers().end()) {
        const std::span<const std::string_view> all = reader_names();
        const std::vector<std::string> known(all.begin(), all.end());
        throw Error(ErrorCode::Usage,
                    fmt::format("expected a reader, found {}", clipped(std::string(word))), {},
                    did_you_mean(std::string(word), known));
      }
      ChosenReader reader{found->name};
      if (equals != std::string_view::npos) reader.version = one.substr(equals + 1);
      if (reader.name == kPylance && equals != std::string_view::npos) {
        check_release(pylance(), kPylance, reader.version);
      } else if (reader.name == kVortexData && equals != std::string_view::npos) {
        check_release(vortex_data(), kVortexData, reader.version);
      } else if (equals != std::string_view::npos && reader.version != found->version) {
        throw Error(ErrorCode::Usage,
                    fmt::format("{} {} was tried, {} was not", found->name, found->version,
                                clipped(reader.version)),
                    {}, fmt::format("Give {} alone for the release that was tried.", word));
      }
      out.push_back(std::move(reader));
    }
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
