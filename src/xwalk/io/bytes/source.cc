#include "xwalk/io/bytes/source.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/cluster_name.h"
#include "xwalk/io/bytes/decompress.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/remote_source.h"
#include "xwalk/io/bytes/temporary_file.h"

namespace xwalk::io {
namespace {

/// The most that `peek` gives, and bytes read from a pipe at a time.
constexpr size_t kReadBlock = size_t{64} << 10;

class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

/// Bytes in memory: a mapping, or a string.
class ContentsSource : public Source {
 public:
  std::optional<std::string_view> contents() override { return bytes_; }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return done_; }
  std::optional<uint64_t> size() const override { return bytes_.size(); }
  std::string_view peek(size_t size) override { return bytes_.substr(at_, size); }
  size_t read(char* out, size_t size) override {
    size_t taken = bytes_.copy(out, size, at_);
    consumed(at_, taken);
    at_ += taken;
    return taken;
  }
  void consumed(uint64_t, uint64_t size) override { done_ += size; }

 protected:
  explicit ContentsSource(std::string name) : name_(std::move(name)) {}

  std::string name_;
  // Never null: copying nothing from null is undefined.
  std::string_view bytes_ = "";  // NOLINT(readability-redundant-string-init)
  size_t at_ = 0;
  std::atomic<uint64_t> done_ = 0;
};

class ViewSource final : public ContentsSource {
 public:
  ViewSource(std::string_view bytes, std::shared_ptr<const void> owner, std::string name)
      : ContentsSource(std::move(name)), owner_(std::move(owner)) {
    if (!bytes.empty()) bytes_ = bytes;
  }

 private:
  std::shared_ptr<const void> owner_;
};

class MappedSource final : public ContentsSource {
 public:
  /// Takes the descriptor.
  MappedSource(int descriptor, size_t size, const std::string& name)
      : ContentsSource(name), mapping_(std::make_shared<Mapping>(descriptor, size, name)) {
    bytes_ = mapping_->bytes();
  }

  void consumed(uint64_t offset, uint64_t size) override {
    done_ += size;
    mapping_->give_back(offset, size);
  }
  std::shared_ptr<const Original> original() const override { return mapping_; }
  bool may_change() const override { return true; }

 private:
  std::shared_ptr<const Mapping> mapping_;
};

/// A pipe, a terminal, a device: bytes in order.
class PipeSource final : public Source {
 public:
  PipeSource(FileDescriptor owned, int descriptor, std::string name)
      : owned_(std::move(owned)), descriptor_(descriptor), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  uint64_t position() const override { return position_; }

  std::string_view peek(size_t size) override {
    size = std::min(size, kReadBlock);
    if (ahead_from_ > 0) {
      ahead_.erase(0, ahead_from_);
      ahead_from_ = 0;
    }
    while (ahead_.size() < size) {
      size_t had = ahead_.size();
      // guard(allocate): Bytes that are looked at have the size of a block at most.
      ahead_.resize(kReadBlock);
      size_t got = fill(ahead_.data() + had, kReadBlock - had);
      ahead_.resize(had + got);
      if (got == 0) break;
    }
    return std::string_view(ahead_).substr(0, size);
  }

  size_t read(char* out, size_t size) override {
    size_t taken;
    if (ahead_from_ < ahead_.size()) {
      taken = ahead_.copy(out, size, ahead_from_);
      ahead_from_ += taken;
    } else {
      taken = fill(out, size);
    }
    position_ += taken;
    return taken;
  }

 private:
  size_t fill(char* out, size_t size) {
    while (true) {
      wait_for(descriptor_, POLLIN);
      ssize_t got = ::read(descriptor_, out, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) io_error(name_, "cannot read", errno);
    }
  }

  FileDescriptor owned_;
  int descriptor_;
  std::string name_;
  std::string ahead_;
  size_t ahead_from_ = 0;
  std::atomic<uint64_t> position_ = 0;
};

std::unique_ptr<Source> open_stored(const Location& given, const StorageOptions& storage,
                                    bool listed) {
  // guard(follow): a name of a project file is checked before anything opens it.
  check_read(given);
  if (given.is_table()) refuse_cluster(given);
  if (given.is_remote()) return open_object(given, storage);
  const std::string& path = given.name();
  const bool standard = given.is_standard();
  std::string name = standard ? "<stdin>" : path;
  // A file that was listed may have been exchanged for a pipe without a writer.
  const int opened = standard ? -1
                     : listed ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                              : open_waiting(path, O_RDONLY);
  FileDescriptor owned(opened);
  if (!standard && owned.get() < 0) io_error(name, "cannot open", errno);
  int descriptor = standard ? STDIN_FILENO : owned.get();
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) io_error(name, "cannot open", errno);
  if (S_ISDIR(status.st_mode)) io_error(name, "cannot read", EISDIR);
  if (listed && !S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::Io, "expected a file, found a pipe or a device", {.file = name},
                "It was exchanged after the folder was listed.");
  }
  // Standard input may be a file that was read in part already: it stays a pipe then.
  if (S_ISREG(status.st_mode) && (!standard || ::lseek(descriptor, 0, SEEK_CUR) == 0)) {
    if (standard) owned = FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (owned.get() < 0) io_error(name, "cannot open", errno);
    return std::make_unique<MappedSource>(owned.release(), static_cast<size_t>(status.st_size),
                                          name);
  }
  return std::make_unique<PipeSource>(std::move(owned), descriptor, std::move(name));
}

/// Decompresses stored bytes.
std::unique_ptr<Source> opened(std::unique_ptr<Source> stored, FirstFetch fetch) {
  const uint64_t size = stored->size().value_or(0);
  if (fetch == FirstFetch::End && size > 2 * kEndBytes) {
    const ByteRange end{size - kEndBytes, kEndBytes};
    stored->want({&end, 1});
  }
  const Compression compression = compression_of_magic(stored->peek(4));
  return decompress(std::move(stored), compression);
}

}  // namespace

std::unique_ptr<Source> open_source(const Location& path, const StorageOptions& storage,
                                    FirstFetch fetch) {
  return opened(open_stored(path, storage, /*listed=*/false), fetch);
}

std::unique_ptr<Source> open_listed(const Location& path, const StorageOptions& storage,
                                    FirstFetch fetch) {
  return opened(open_stored(path, storage, /*listed=*/true), fetch);
}

std::unique_ptr<Source> view_source(std::string_view bytes, std::shared_ptr<const void> owner,
                                    std::string name) {
  return std::make_unique<ViewSource>(bytes, std::move(owner), std::move(name));
}

std::unique_ptr<Source> memory_source(std::string bytes, std::string name) {
  auto owned = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view view = *owned;
  return view_source(view, std::move(owned), std::move(name));
}

std::unique_ptr<Source> with_contents(std::unique_ptr<Source> source, uint64_t memory,
                                      uint64_t most) {
  if (source->contents()) return source;
  TemporaryFile file;
  std::string block(kReadBlock * 4, '\0');
  while (size_t got = source->read(block.data(), block.size())) {
    const uint64_t total = file.size() + got;
    const uint64_t expected =
        std::max(limits::unpacked_bytes(memory), source->position() * limits::kMostExpansion);
    if (total > most || total > expected) {
      throw Error(ErrorCode::Input,
                  "expected fewer bytes, found " + std::to_string(total) + " that were " +
                      std::to_string(source->position()) + " compressed ones",
                  {.file = source->name()},
                  fmt::format("Decompress it first, if you trust it{}.",
                              total > most ? ""
                                           : ", or allow more with " +
                                                 hub::mention(hub::Option::MaxMemory, "N")));
    }
    file.write(block.data(), got);
  }
  const size_t total = file.size();
  return std::make_unique<MappedSource>(file.release(), total, source->name());
}

std::unique_ptr<Source> with_window(std::unique_ptr<Source> source, uint64_t memory) {
  return source->window() ? std::move(source) : with_contents(std::move(source), memory);
}

std::string read_all(ByteSource& source, size_t limit) {
  std::string out;
  while (out.size() <= limit) {
    size_t had = out.size();
    // guard(allocate): Bytes that are read grow with those that have come, up to a limit.
    out.resize(had + std::max(kReadBlock, had));
    size_t got = source.read(out.data() + had, out.size() - had);
    out.resize(had + got);
    if (got == 0) return out;
  }
  throw Error(ErrorCode::Input, "expected at most " + std::to_string(limit) + " bytes, found more",
              {.file = source.name()});
}

Compression compression_of_magic(std::string_view first_bytes) {
  if (first_bytes.starts_with(std::string_view("\x1F\x8B", 2))) return Compression::Gzip;
  if (first_bytes.starts_with(std::string_view("\x28\xB5\x2F\xFD", 4))) return Compression::Zstd;
  return Compression::None;
}

Compression compression_of_name(std::string_view path) {
  path = without_query(path);
  if (path.ends_with(".gz")) return Compression::Gzip;
  if (path.ends_with(".zst")) return Compression::Zstd;
  return Compression::None;
}

std::string_view without_compression(std::string_view path) {
  switch (compression_of_name(path)) {
    case Compression::None:
      return path;
    case Compression::Gzip:
      return path.substr(0, path.size() - 3);
    case Compression::Zstd:
      return path.substr(0, path.size() - 4);
  }
  return path;
}

}  // namespace xwalk::io
