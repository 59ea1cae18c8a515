#include "xwalk/io/places/part_names.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::io {
namespace {

/// Digits of the key of an input.
constexpr size_t kKeySize = 16;
constexpr const char* kHint = "`mode=append-again` adds them once more.";

std::string_view key_of(std::string_view identity) { return identity.substr(0, kKeySize); }
std::string_view input_of(std::string_view identity) { return identity.substr(kKeySize + 1); }

/// Calls a function with each part of a file's name that may be a key.
template <typename Call>
void each_key(std::string_view path, Call call) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.find('.'));
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('-'));
    if (part.size() == kKeySize &&
        std::ranges::all_of(part, [](char c) { return hex_digit(c) >= 0; })) {
      call(part);
    }
    name.remove_prefix(std::min(name.size(), part.size() + 1));
  }
}

}  // namespace

std::string name_of_part(uint64_t number, Format format, const OutputOptions& options) {
  std::string name = fmt::format("part-{:05}", number);
  for (const std::string& identity : options.identities) {
    name += fmt::format("-{}", key_of(identity));
  }
  if (options.identities.empty() || options.again) {
    std::random_device random;
    name += fmt::format("-{:08x}", random());
  }
  return name + std::string(format->extensions.front());
}

void refuse_repeated_inputs(const Location& folder, const std::vector<InputFile>& there,
                            const OutputOptions& options) {
  if (options.again || options.identities.empty()) return;
  std::unordered_map<std::string_view, std::string_view> given;
  for (const std::string& identity : options.identities) {
    if (given.emplace(key_of(identity), input_of(identity)).second) continue;
    throw Error(ErrorCode::Io, fmt::format("the rows of {} are given twice", input_of(identity)),
                {.file = shown_name(folder)}, kHint);
  }
  for (const InputFile& file : there) {
    each_key(file.path.name(), [&](std::string_view key) {
      const auto found = given.find(key);
      if (found == given.end()) return;
      throw SystemError(EEXIST,
                        fmt::format("the rows of {} were added before, in {}", found->second,
                                    shown_name(file.path)),
                        shown_name(folder), kHint);
    });
  }
}

void refuse_repeated_at_commit(const Location& folder, const OutputOptions& options) {
  const bool looks = options.mode == OutputMode::Append && !options.again &&
                     !options.identities.empty() && options.set != nullptr &&
                     (*options.format)->adding == Adding::ToFolder;
  // A new folder gets its name as one.
  if (!looks || (!folder.is_remote() && !std::filesystem::is_directory(folder.name()))) return;
  options.set->before_naming(folder.in("part").name(), [folder, options](OutputSet* /*first*/) {
    try {
      refuse_repeated_inputs(folder, files_in(folder, {}, options.storage).files, options);
    } catch (const NoSuchObject&) {
      // Nothing has been added to it.
    }
  });
}

}  // namespace xwalk::io
