#include "xwalk/io/bytes/sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <climits>

#include "xwalk/base/error.h"
#include "xwalk/base/visible.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/cluster_name.h"
#include "xwalk/io/bytes/compress.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

/// Small writes are gathered up to this many bytes.
constexpr size_t kBuffer = size_t{256} << 10;

/// Writes to a descriptor, gathering small writes.
class DescriptorSink : public ByteSink {
 public:
  DescriptorSink(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}

  void write(std::string_view bytes) override {
    position_ += bytes.size();
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() >= kBuffer) {
      put(bytes);
    } else {
      buffer_ += bytes;
    }
  }
  void finish() override { flush(); }
  uint64_t position() const override { return position_; }

 protected:
  void flush() {
    put(buffer_);
    buffer_.clear();
  }
  /// Restarts the count of written bytes.
  void forget_position() { position_ = 0; }

  [[noreturn]] void fail(const std::string& what, int code) const {
    if (code != EPIPE) io_error(name_, what, code);
    throw Error(ErrorCode::ClosedPipe, what + ": " + std::strerror(code), {.file = name_});
  }

  int descriptor_;
  std::string name_;

 private:
  void put(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t put = ::write(descriptor_, bytes.data(), ready(bytes.size()));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("cannot write", errno);
      bytes.remove_prefix(static_cast<size_t>(put));
    }
  }

  /// Returns how many of the bytes can be written without blocking uninterruptibly: a writable pipe
  /// takes at least this many.
  size_t ready(size_t size) {
    if (waiting() == nullptr) return size;
    if (!is_pipe_) {
      struct stat status {};
      is_pipe_ = ::fstat(descriptor_, &status) == 0 && S_ISFIFO(status.st_mode);
    }
    if (!*is_pipe_) return size;
    wait_for(descriptor_, POLLOUT);
    return std::min<size_t>(size, PIPE_BUF);
  }

  std::string buffer_;
  uint64_t position_ = 0;
  std::optional<bool> is_pipe_;
};

/// Writes to a terminal, which would obey some bytes: those are made visible, line by line.
class TerminalSink final : public ByteSink {
 public:
  explicit TerminalSink(std::unique_ptr<ByteSink> terminal) : terminal_(std::move(terminal)) {}

  void write(std::string_view bytes) override {
    position_ += bytes.size();
    pending_ += bytes;
    const size_t end = pending_.rfind('\n');
    const bool is_long = end == std::string::npos && pending_.size() > kBuffer;
    show(is_long ? pending_.size() : end + 1);
  }
  void finish() override {
    show(pending_.size());
    terminal_->finish();
  }
  uint64_t position() const override { return position_; }

 private:
  /// Shows the first bytes that are pending.
  void show(size_t size) {
    std::string text;
    for (size_t begin = 0; begin < size;) {
      const size_t end = std::min(pending_.find_first_of("\n\t", begin), size);
      text += visible(std::string_view(pending_).substr(begin, end - begin));
      if (end < size) text += pending_[end];
      begin = end + 1;
    }
    pending_.erase(0, size);
    terminal_->write(text);
  }

  std::unique_ptr<ByteSink> terminal_;
  std::string pending_;
  uint64_t position_ = 0;
};

std::unique_ptr<ByteSink> made_visible(int descriptor, std::unique_ptr<ByteSink> sink) {
  if (::isatty(descriptor) == 0) return sink;
  return std::make_unique<TerminalSink>(std::move(sink));
}

/// Names what is complete: together with others, or at once.
template <typename Add>
void name_outputs(OutputSet* others, Add add) {
  OutputSet own;
  add(others != nullptr ? others : &own);
  own.commit();
}

/// Owns its descriptor; for a pipe or a device that is opened by name.
class InPlaceSink final : public DescriptorSink {
 public:
  InPlaceSink(const std::string& path, const SinkOptions& options)
      // guard(write): a pipe or a device that the user names; never a name that xwalk makes.
      : DescriptorSink(open_waiting(path, O_WRONLY), path), set_(options.set), side_(options.side) {
    if (descriptor_ < 0) fail("cannot open for writing", errno);
  }
  ~InPlaceSink() override { ::close(descriptor_); }
  int descriptor() const { return descriptor_; }

  void finish() override {
    flush();
    if (side_) name_outputs(set_, [&](OutputSet* set) { side_->finish(nullptr, set); });
  }

 private:
  OutputSet* set_;
  std::shared_ptr<SideSchema> side_;
};

/// Returns true if a file is still the one that was examined before.
bool same_state(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

class FileSink final : public DescriptorSink {
 public:
  FileSink(const Location& path, const SinkOptions& options, bool exists)
      : DescriptorSink(-1, path.name()),
        path_(std::make_unique<AtomicPath>(path, options.mode == OutputMode::Overwrite || exists,
                                           AtomicPath::Kind::File)),
        durable_(options.durable),
        set_(options.set),
        side_(options.side) {
    descriptor_ = path_->descriptor();
    if (exists && options.mode == OutputMode::Append) copy_old();
  }

  void finish() override {
    flush();
    // Some file systems report a failed write only when a descriptor is closed.
    const int last = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (last < 0 || ::close(last) != 0) fail("cannot write", errno);
    name_outputs(set_, [&](OutputSet* set) {
      if (old_) {
        set->before_naming(path_->path(),
                           [path = path_->path(), name = name_, status = old_status_](OutputSet*) {
                             struct stat now {};
                             if (::stat(path.c_str(), &now) != 0 || !same_state(now, status)) {
                               refuse(name, "the file was changed while rows were added to it",
                                      "Nothing was added: run it again.");
                             }
                           });
      }
      if (side_) {
        side_->finish(
            [descriptor = descriptor_, name = name_] { return mark_of(descriptor, name); }, set);
      }
      set->add(std::move(path_), durable_);
    });
  }

 private:
  [[noreturn]] static void refuse(const std::string& name, const std::string& what,
                                  std::string hint) {
    throw Error(ErrorCode::Io, what, {.file = name}, std::move(hint));
  }

  static RowsMark mark_of(int descriptor, const std::string& name) {
    try {
      return RowsMark::of(descriptor);
    } catch (Error& error) {
      error.place().file = name;
      throw;
    }
  }

  /// Copies the existing bytes. Other processes that append wait in vain until this one is done.
  void copy_old() {
    old_ = path_->open_existing();
    if (!old_) fail("cannot read the existing file", errno);
    if (::flock(old_.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      refuse(name_, "another process is adding rows to it",
             "Nothing was added: run it again later.");
    }
    if (::fstat(old_.descriptor(), &old_status_) != 0) fail("cannot read the existing file", errno);
    std::string piece(kBuffer, '\0');
    for (off_t done = 0; done < old_status_.st_size;) {
      const ssize_t copied = ::copy_file_range(old_.descriptor(), nullptr, descriptor_, nullptr,
                                               static_cast<size_t>(old_status_.st_size - done), 0);
      if (copied > 0) {
        done += copied;
        continue;
      }
      // Two file systems, or one that cannot: by way of memory.
      const ssize_t got = ::read(old_.descriptor(), piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read the existing file", errno);
      if (got == 0) refuse(name_, "the file was changed while rows were added to it", "");
      write(std::string_view(piece).substr(0, static_cast<size_t>(got)));
      flush();
      done += got;
    }
    forget_position();
  }

  std::unique_ptr<AtomicPath> path_;
  bool durable_;
  OutputSet* set_;
  std::shared_ptr<SideSchema> side_;
  FileAt old_;
  struct stat old_status_ {};
};

/// Sends bytes to a store. The object exists once its set is committed.
class ObjectSink final : public ByteSink {
 public:
  ObjectSink(const Location& uri, const SinkOptions& options, bool exists)
      : upload_(std::make_unique<StoreUpload>(uri, options.storage, exists, options.staged)),
        set_(options.set),
        side_(options.side) {}

  void write(std::string_view bytes) override {
    position_ += bytes.size();
    if (side_) keep_ends(bytes);
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() >= kBuffer) {
      upload_->write(bytes);
    } else {
      buffer_ += bytes;
    }
  }
  void finish() override {
    flush();
    name_outputs(set_, [&](OutputSet* set) {
      if (side_) {
        if (last_.size() > kMarkedBytes) last_.erase(0, last_.size() - kMarkedBytes);
        side_->finish([&] { return RowsMark::of(position_, first_, last_); }, set);
      }
      upload_->close();
      set->add(std::move(upload_));
    });
  }
  uint64_t position() const override { return position_; }

 private:
  void flush() {
    if (!buffer_.empty()) upload_->write(buffer_);
    buffer_.clear();
  }

  /// Keeps the bytes that a mark covers, so that sent bytes need not be read again.
  void keep_ends(std::string_view bytes) {
    const size_t taken = std::min<size_t>(kMarkedBytes - first_.size(), bytes.size());
    first_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (bytes.size() >= kMarkedBytes) last_.clear();
    last_ += bytes.substr(bytes.size() - std::min<size_t>(bytes.size(), kMarkedBytes));
    // Cut now and then, not at each small write.
    if (last_.size() > 2 * kMarkedBytes) last_.erase(0, last_.size() - kMarkedBytes);
  }

  std::unique_ptr<StoreUpload> upload_;
  OutputSet* set_;
  std::shared_ptr<SideSchema> side_;
  std::string buffer_;
  std::string first_;
  std::string last_;
  uint64_t position_ = 0;
};

std::unique_ptr<ByteSink> open_object_sink(const Location& uri, const SinkOptions& options) {
  if (uri.kind() == LocationKind::Http) {
    throw Error(ErrorCode::Unsupported, "http and https are read, and not written", {},
                "Name a file, or an object of a store.");
  }
  // A name with objects below it is not an object itself, but may become one.
  const bool exists = options.staged ? options.mode == OutputMode::Overwrite
                                     : look_at(uri, options.storage) == NameKind::File;
  if (exists && options.mode != OutputMode::Overwrite) {
    throw SystemError(EEXIST, "the object already exists", shown_name(uri),
                      "Replace it with `mode=overwrite`, or choose another name.");
  }
  return std::make_unique<ObjectSink>(uri, options, exists);
}

class MemorySink final : public ByteSink {
 public:
  explicit MemorySink(std::string* out) : out_(out) {}
  void write(std::string_view bytes) override { *out_ += bytes; }
  void finish() override {}
  uint64_t position() const override { return out_->size(); }

 private:
  std::string* out_;
};

std::unique_ptr<ByteSink> open_stored(const Location& name, const SinkOptions& options) {
  if (name.is_table()) refuse_cluster(name);
  if (name.is_remote()) return open_object_sink(name, options);
  if (name.is_standard()) {
    return made_visible(STDOUT_FILENO, std::make_unique<DescriptorSink>(STDOUT_FILENO, "<stdout>"));
  }
  if (std::filesystem::is_directory(name.name())) {
    io_error(name, "cannot open for writing", EISDIR);
  }
  // A name that xwalk made is never a pipe or a device.
  const bool is_made = name.given() < name.name().size();
  if (!is_made && is_written_in_place(name)) {
    auto sink = std::make_unique<InPlaceSink>(name.name(), options);
    const int descriptor = sink->descriptor();
    return made_visible(descriptor, std::move(sink));
  }
  const bool exists = std::filesystem::exists(name.name());
  if (exists && options.mode == OutputMode::Create) {
    throw SystemError(EEXIST, "the file already exists", name,
                      "Replace it with `mode=overwrite`, or choose another name.");
  }
  return std::make_unique<FileSink>(name, options, exists);
}

}  // namespace

bool is_written_in_place(const Location& path) {
  if (path.is_standard()) return true;
  const std::filesystem::file_status status = std::filesystem::status(path.name());
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

std::unique_ptr<ByteSink> open_sink(const Location& path, const SinkOptions& options) {
  Compression compression = options.compression.value_or(compression_of_name(path.name()));
  return compress(open_stored(path, options), compression, options.level);
}

std::unique_ptr<ByteSink> memory_sink(std::string* out) {
  return std::make_unique<MemorySink>(out);
}

void write_file(const Location& path, std::string_view bytes, const SinkOptions& options) {
  auto sink = open_sink(path, options);
  sink->write(bytes);
  sink->finish();
}

}  // namespace xwalk::io
