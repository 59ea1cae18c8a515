#include "xwalk/io/detect.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "xwalk/arrow/room.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/lance/room.h"
#include "xwalk/parquet/room.h"
#include "xwalk/skiff/room.h"
#include "xwalk/vortex/room.h"
#include "xwalk/yt/room.h"

namespace xwalk::io {
namespace {

struct Extension {
  std::string_view text;
  Format format;
};

constexpr std::array kExtensions = {
    Extension{".yson", Format::Yson},          Extension{".skiff", Format::Skiff},
    Extension{".parquet", Format::Parquet},    Extension{".parq", Format::Parquet},
    Extension{".pq", Format::Parquet},         Extension{".arrow", Format::ArrowFile},
    Extension{".feather", Format::ArrowFile},  Extension{".ipc", Format::ArrowFile},
    Extension{".arrows", Format::ArrowStream}, Extension{".lance", Format::Lance},
    Extension{".vortex", Format::Vortex},      Extension{".vtx", Format::Vortex},
};

bool is_lance_dataset(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder / "_versions", ignored) ||
         std::filesystem::exists(folder / "_latest.manifest", ignored);
}

std::string known_extensions() {
  std::vector<std::string> words;
  words.reserve(std::size(kExtensions));
  for (const Extension& extension : kExtensions) words.emplace_back(extension.text);
  return join(words, " ");
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::Yson:
      return "yson";
    case Format::Skiff:
      return "skiff";
    case Format::Parquet:
      return "parquet";
    case Format::ArrowFile:
    case Format::ArrowStream:
      return "arrow";
    case Format::Lance:
      return "lance";
    case Format::Vortex:
      return "vortex";
  }
  return "";
}

crosswalk::System system_of(Format format) {
  switch (format) {
    case Format::Yson:
      return yt::kRoom;
    case Format::Skiff:
      return skiff::kRoom;
    case Format::Parquet:
      return parquet::kRoom;
    case Format::Lance:
      return lance::kRoom;
    case Format::Vortex:
      return vortex::kRoom;
    case Format::ArrowFile:
    case Format::ArrowStream:
      break;
  }
  return arrow::kRoom;
}

Format parse_format(std::string_view word) {
  if (word == "yson" || word == "yt") return Format::Yson;
  if (word == "skiff") return Format::Skiff;
  if (word == "parquet") return Format::Parquet;
  if (word == "arrow") return Format::ArrowFile;
  if (word == "arrow-stream") return Format::ArrowStream;
  if (word == "lance") return Format::Lance;
  if (word == "vortex") return Format::Vortex;
  std::vector<std::string> words = {"yson",         "skiff", "parquet", "arrow",
                                    "arrow-stream", "lance", "vortex"};
  std::string close = closest_word(word, words);
  throw Error(
      ErrorCode::Usage,
      fmt::format("expected a format of {}, found {}", join(words, ", "), xwalk::quoted(word)), {},
      close.empty() ? "" : fmt::format("Did you mean {}?", close));
}

std::optional<Format> format_of_name(std::string_view path) {
  path = without_compression(path);
  while (path.ends_with('/')) path.remove_suffix(1);
  for (const Extension& extension : kExtensions) {
    if (path.ends_with(extension.text)) return extension.format;
  }
  return std::nullopt;
}

std::optional<Format> format_of_magic(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("PAR1"sv) || bytes.starts_with("PARE"sv)) return Format::Parquet;
  if (bytes.starts_with("ARROW1"sv)) return Format::ArrowFile;
  if (bytes.starts_with("\xFF\xFF\xFF\xFF"sv)) return Format::ArrowStream;
  if (bytes.starts_with("VTXF"sv)) return Format::Vortex;
  size_t start = bytes.find_first_not_of(" \t\r\n;");
  if (start != std::string_view::npos && (bytes[start] == '{' || bytes[start] == '<')) {
    return Format::Yson;
  }
  return std::nullopt;
}

Format detect_input(const std::string& path, Source* opened) {
  std::error_code ignored;
  std::optional<Format> by_name = format_of_name(path);
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    if (is_lance_dataset(path)) return Format::Lance;
    throw Error(ErrorCode::Usage, xwalk::quoted(path) + " is a folder, but no Lance dataset");
  }
  std::unique_ptr<Source> own;
  if (opened == nullptr) {
    own = open_source(path);
    opened = own.get();
  }
  std::optional<Format> by_magic = format_of_magic(opened->peek(64));
  // A Skiff row may begin with any byte, so for it the name counts more.
  if (by_name == Format::Skiff) return *by_name;
  if (by_magic) return *by_magic;
  if (by_name) return *by_name;
  throw Error(ErrorCode::Usage, fmt::format("cannot tell the format of {}", opened->name()), {},
              "Name it with " + hub::mention(hub::Option::Format, "FORMAT") + ".");
}

Format detect_output(const std::string& path) {
  if (std::optional<Format> format = format_of_name(path)) return *format;
  throw Error(ErrorCode::Usage,
              path == "-" ? "standard output needs a format"
                          : fmt::format("cannot tell a format by the name {}", xwalk::quoted(path)),
              {},
              "Name it with " + hub::mention(hub::Option::To, "FORMAT") +
                  ", or end the name in one of " + known_extensions());
}

std::vector<std::string_view> extensions_of(Format format) {
  std::vector<std::string_view> out;
  for (const Extension& extension : kExtensions) {
    if (extension.format == format) out.push_back(extension.text);
  }
  return out;
}

}  // namespace xwalk::io
