#include "xwalk/io/plugins/engine_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/io/plugins/engine_folder.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";

/// Returns the program or library that this code is linked into, "" if the system does not report
/// it. The name by which it was started or loaded may mean another file by now, or one in the
/// current folder. The list of mappings has the file itself.
fs::path find_own_file() {
  static const char anchor = 0;
  const auto address = reinterpret_cast<uintptr_t>(&anchor);
  std::ifstream mappings("/proc/self/maps");
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream fields(line);
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    fields >> std::hex >> begin >> dash >> end;
    if (address < begin || address >= end) continue;
    const size_t path = line.find('/');
    return path == std::string::npos ? fs::path() : fs::path(line.substr(path));
  }
  return {};
}

const fs::path& own_file() {
  static const fs::path path = find_own_file();
  return path;
}

/// Returns true if no other user may have written the file, the folder or its contents.
bool is_trusted(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) != 0) return false;
  if (status.st_uid == 0 || status.st_uid == ::geteuid()) return true;
  struct stat own {};
  return ::stat(own_file().c_str(), &own) == 0 && status.st_uid == own.st_uid;
}

/// Returns the real path of a file that can be trusted, else "".
std::string trusted_file(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  const bool good = !failed && fs::is_regular_file(real, failed) && is_trusted(real) &&
                    is_trusted(real.parent_path()) && is_trusted(path.parent_path());
  return good ? real.string() : "";
}

std::vector<fs::path> trusted_folders() {
  const char* variable = std::getenv("PATH");
  std::vector<fs::path> folders;
  std::istringstream fields(variable != nullptr ? variable : std::string(kUsualPath));
  for (std::string word; std::getline(fields, word, ':');) {
    const fs::path folder = word;
    if (folder.is_absolute() && is_trusted(folder)) folders.push_back(folder);
  }
  return folders;
}

/// Returns the trusted folders as PATH of a program to start.
std::string trusted_path() {
  std::string out;
  for (const fs::path& folder : trusted_folders()) {
    if (!out.empty()) out += ':';
    out += folder.string();
  }
  // An empty PATH would mean the current folder.
  return out.empty() ? std::string(kUsualPath) : out;
}

/// Variables that say where Python and the dynamic loader look for code, one place or several. An
/// empty or relative place is in the current folder.
constexpr std::array<std::string_view, 5> kPlacesOfCode = {
    "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX", "LD_LIBRARY_PATH"};

/// Returns the absolute places of a list. The loader also takes semicolons between places.
std::string absolute_places(std::string list, bool of_loader) {
  std::vector<std::string> kept;
  if (of_loader) std::ranges::replace(list, ';', ':');
  std::istringstream places{list};
  for (std::string place; std::getline(places, place, ':');) {
    if (place.starts_with('/')) kept.push_back(place);
  }
  return join(kept, ":");
}

}  // namespace

std::string find_engine_file(std::string_view file) {
  if (const fs::path given = engine_folder(); !given.empty()) {
    if (std::string found = trusted_file(given / file); !found.empty()) return found;
  }
  if (own_file().empty()) return "";
  const fs::path own = own_file().parent_path();
  std::vector<fs::path> folders = {own, own / "xwalk"};
  if (own.filename() == "bin") {
    for (const char* library : {XWALK_LIBRARY_FOLDER, "lib"}) {
      folders.push_back(own.parent_path() / library / "xwalk");
    }
  }
  if (own.filename() == "xwalk") folders.push_back(own.parent_path() / "xwalk_parquet");
  for (const fs::path& folder : folders) {
    if (std::string found = trusted_file(folder / file); !found.empty()) return found;
  }
  return "";
}

std::string find_program(std::string_view name) {
  for (const fs::path& folder : trusted_folders()) {
    const fs::path path = folder / name;
    // Under its own name: an interpreter of a virtual environment is a link, and finds its packages
    // by where the link lies.
    if (!trusted_file(path).empty() && ::access(path.c_str(), X_OK) == 0) return path.string();
  }
  return "";
}

std::vector<std::string> engine_environment() {
  std::vector<std::string> out;
  bool has_home = false;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view all = *entry;
    const size_t equals = all.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = all.substr(0, equals);
    const std::string_view value = all.substr(equals + 1);
    if (name == "PATH" || name == "PYTHONSAFEPATH") continue;
    if (name == "HOME") has_home = value.starts_with('/');
    if (std::ranges::find(kPlacesOfCode, name) == kPlacesOfCode.end()) {
      out.emplace_back(all);
    } else if (std::string places = absolute_places(std::string(value), name.starts_with("LD_"));
               !places.empty()) {
      out.push_back(fmt::format("{}={}", name, places));
    }
  }
  out.push_back("PATH=" + trusted_path());
  // Before Python 3.11 nothing reads it; the folder of the script is one that is trusted anyway.
  out.emplace_back("PYTHONSAFEPATH=1");
  if (!has_home) out.emplace_back("PYTHONNOUSERSITE=1");
  return out;
}

}  // namespace xwalk::io
