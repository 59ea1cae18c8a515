#include "xwalk/io/bytes/own_mark.h"

#include <bit>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/io/bytes/folder_at.h"

namespace xwalk::io {
namespace {

using HashKey = std::array<uint64_t, 2>;

constexpr const char* kKeyFile = "key";

/// Returns true for a file or folder that no other user can change.
bool is_private(int descriptor, mode_t kind, mode_t others) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == kind &&
         status.st_uid == ::geteuid() && (status.st_mode & others) == 0;
}

/// Opens a folder in another one, and makes it if it is absent.
FileAt folder_in(const FileAt& above, const char* name) {
  ::mkdirat(above.descriptor(), name, 0700);
  return FileAt(above.descriptor(), name, O_RDONLY | O_DIRECTORY);
}

/// Opens the folder of xwalk's own state. The folder above it is the user's own.
FileAt state_folder() {
  const char* set = std::getenv("XDG_STATE_HOME");
  const bool is_set = set != nullptr && *set == '/';
  const char* top = is_set ? set : std::getenv("HOME");
  if (top == nullptr || *top != '/') return {};
  // The user names this folder, also by a link.
  FileAt folder = FileAt::followed(top, O_RDONLY | O_DIRECTORY);
  // With another user's HOME, as under `sudo`, files of root would be left there.
  if (!folder || !is_private(folder.descriptor(), S_IFDIR, S_IWOTH)) return {};
  if (!is_set) {
    folder = folder_in(folder, ".local");
    if (folder) folder = folder_in(folder, "state");
  }
  if (folder) folder = folder_in(folder, "xwalk");
  if (!folder || !is_private(folder.descriptor(), S_IFDIR, S_IWGRP | S_IWOTH)) return {};
  return folder;
}

std::optional<HashKey> read_key(const FileAt& folder) {
  const FileAt file(folder.descriptor(), kKeyFile, O_RDONLY | O_NONBLOCK);
  HashKey key{};
  if (!file || !is_private(file.descriptor(), S_IFREG, 0077) ||
      ::read(file.descriptor(), key.data(), sizeof key) != sizeof key) {
    return std::nullopt;
  }
  return HashKey{to_little_endian(key[0]), to_little_endian(key[1])};
}

/// Makes the secret. It gets its name when it is complete, by the first of several processes.
void make_key(const FileAt& folder) {
  HashKey key{};
  if (::getrandom(key.data(), sizeof key, 0) != sizeof key) return;
  const std::string name = fmt::format("{}.{:016x}", kKeyFile, key[0] ^ key[1]);
  // guard(write): a new file in the private folder of this user, under a random name.
  const FileAt file(folder.descriptor(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file) return;
  if (::write(file.descriptor(), key.data(), sizeof key) == sizeof key) {
    // guard(rename): in the private folder of this user, to a name that is not taken.
    (void)::linkat(folder.descriptor(), name.c_str(), folder.descriptor(), kKeyFile, 0);
  }
  // guard(delete): the file that this call has just made, in the folder of the state of xwalk.
  ::unlinkat(folder.descriptor(), name.c_str(), 0);
}

std::optional<HashKey> find_key() {
  const FileAt folder = state_folder();
  if (!folder) return std::nullopt;
  std::optional<HashKey> key = read_key(folder);
  if (!key) {
    make_key(folder);
    key = read_key(folder);
  }
  return key;
}

}  // namespace

uint64_t keyed_hash(const HashKey& key, std::string_view text) {
  uint64_t v0 = key[0] ^ 0x736f6d6570736575;
  uint64_t v1 = key[1] ^ 0x646f72616e646f6d;
  uint64_t v2 = key[0] ^ 0x6c7967656e657261;
  uint64_t v3 = key[1] ^ 0x7465646279746573;
  const auto mix = [&](int rounds) {
    for (; rounds > 0; --rounds) {
      v0 += v1;
      v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }
  };
  const auto add = [&](uint64_t word) {
    v3 ^= word;
    mix(2);
    v0 ^= word;
  };
  const uint64_t size = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) add(load_little_endian<uint64_t>(text.data()));
  uint64_t last = size << 56;
  for (size_t i = 0; i < text.size(); ++i) {
    last |= uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  }
  add(last);
  v2 ^= 0xff;
  mix(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

std::optional<std::string> own_mark(std::string_view text) {
  static const std::optional<HashKey> key = find_key();
  if (!key) return std::nullopt;
  return fmt::format("{:016x}", keyed_hash(*key, text));
}

}  // namespace xwalk::io
