#include "xwalk/io/engine_file.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "xwalk/io/engine_folder.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";

/// Returns the program or library that this code is linked into, "" where the system does not tell.
/// What it was started or loaded as may be a name that means another file by now, or in the current
/// folder; the list of mappings has the file itself.
fs::path find_own_file() {
  static const char anchor = 0;
  const auto address = reinterpret_cast<uintptr_t>(&anchor);
  std::ifstream mappings("/proc/self/maps");
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream words(line);
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    words >> std::hex >> begin >> dash >> end;
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

/// Whether nobody else may have put a file or a folder there, or what is in it.
bool is_trusted(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) != 0) return false;
  if (status.st_uid == 0 || status.st_uid == ::geteuid()) return true;
  struct stat own {};
  return ::stat(own_file().c_str(), &own) == 0 && status.st_uid == own.st_uid;
}

/// Returns the real path of a file that can be trusted, "" where there is none.
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
  std::istringstream words(variable != nullptr ? variable : std::string(kUsualPath));
  for (std::string word; std::getline(words, word, ':');) {
    const fs::path folder = word;
    if (folder.is_absolute() && is_trusted(folder)) folders.push_back(folder);
  }
  return folders;
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

std::string trusted_path() {
  std::string out;
  for (const fs::path& folder : trusted_folders()) {
    if (!out.empty()) out += ':';
    out += folder.string();
  }
  // An empty PATH would mean the current folder.
  return out.empty() ? std::string(kUsualPath) : out;
}

}  // namespace xwalk::io
