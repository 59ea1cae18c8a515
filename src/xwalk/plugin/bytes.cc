#include "xwalk/plugin/bytes.h"

#include <algorithm>
#include <iterator>

namespace xwalk::plugin {
namespace {

/// A buffer over the entire source. Slices keep it alive, and it keeps the source alive.
class ContentsBuffer final : public arrow::Buffer {
 public:
  explicit ContentsBuffer(std::shared_ptr<SourceOwner> source)
      : arrow::Buffer(static_cast<const uint8_t*>(source->get().data),
                      static_cast<int64_t>(source->get().size)),
        source_(std::move(source)) {}

 private:
  std::shared_ptr<SourceOwner> source_;
};

/// An Arrow file that reads through the host's callbacks.
class FetchedFile final : public arrow::io::RandomAccessFile {
 public:
  explicit FetchedFile(std::shared_ptr<SourceOwner> source) : source_(std::move(source)) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Seek(int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> GetSize() override { return static_cast<int64_t>(source_->get().size); }

  arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t whole, GetSize());
    if (position < 0 || position > whole || size < 0) {
      return arrow::Status::IOError("expected a place in a file of ", whole, " bytes, found ",
                                    position);
    }
    size = std::min(size, whole - position);
    if (size > 0 && !source_->read_at(position, size, out)) {
      return arrow::Status::IOError("the input could not be read");
    }
    return size;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t size) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t whole, GetSize());
    // A length claimed by the input allocates no more than there is.
    const int64_t there = std::clamp<int64_t>(size, 0, std::max<int64_t>(0, whole - position));
    // guard(allocate): A read has at most the bytes that the input has.
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(there));
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position, there, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(got, false));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }
  arrow::Result<int64_t> Read(int64_t size, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position_, size, out));
    position_ += got;
    return got;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, size));
    position_ += buffer->size();
    return buffer;
  }

 private:
  std::shared_ptr<SourceOwner> source_;
  int64_t position_ = 0;
  bool closed_ = false;
};

/// Returns copies, because another process may modify the mapped file.
class Copies final : public arrow::io::RandomAccessFile {
 public:
  explicit Copies(std::shared_ptr<arrow::io::RandomAccessFile> file) : file_(std::move(file)) {}

  arrow::Status Close() override { return file_->Close(); }
  bool closed() const override { return file_->closed(); }
  arrow::Result<int64_t> Tell() const override { return file_->Tell(); }
  arrow::Status Seek(int64_t position) override { return file_->Seek(position); }
  arrow::Result<int64_t> GetSize() override { return file_->GetSize(); }

  arrow::Result<int64_t> Read(int64_t size, void* out) override { return file_->Read(size, out); }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override {
    return copied(file_->Read(size));
  }
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, void* out) override {
    return file_->ReadAt(position, size, out);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t size) override {
    return copied(file_->ReadAt(position, size));
  }

 private:
  static arrow::Result<std::shared_ptr<arrow::Buffer>> copied(
      const arrow::Result<std::shared_ptr<arrow::Buffer>>& read) {
    if (!read.ok()) return read;
    return (*read)->CopySlice(0, (*read)->size());
  }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
};

class SequenceStream final : public arrow::io::InputStream {
 public:
  explicit SequenceStream(std::shared_ptr<SourceOwner> source) : source_(std::move(source)) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }

  arrow::Result<int64_t> Read(int64_t size, void* out) override {
    int64_t total = 0;
    // Arrow treats a short read as end of file, but pipes return short reads, so loop.
    while (total < size) {
      int64_t got = source_->read(static_cast<char*>(out) + total, size - total);
      if (got < 0) return arrow::Status::IOError("the input could not be read");
      if (got == 0) break;
      total += got;
    }
    position_ += total;
    return total;
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override {
    // Grown with the bytes that come, so that a length claimed by the input allocates nothing.
    int64_t step = int64_t{16} << 20;
    // guard(allocate): Bytes that are read grow with those that have come.
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(std::min(size, step)));
    int64_t filled = 0;
    while (filled < size) {
      int64_t want = std::min(size - filled, step);
      ARROW_RETURN_NOT_OK(buffer->Resize(filled + want, false));
      ARROW_ASSIGN_OR_RAISE(int64_t got, Read(want, buffer->mutable_data() + filled));
      filled += got;
      if (got < want) break;
      step = std::max(step, filled);
    }
    ARROW_RETURN_NOT_OK(buffer->Resize(filled, false));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

 private:
  std::shared_ptr<SourceOwner> source_;
  int64_t position_ = 0;
  bool closed_ = false;
};

class SinkStream final : public arrow::io::OutputStream {
 public:
  explicit SinkStream(XwalkEngineSink* sink) : sink_(*sink) { *sink = {}; }
  ~SinkStream() override {
    if (sink_.release != nullptr) sink_.release(&sink_);
  }

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }

  arrow::Status Write(const void* data, int64_t size) override {
    if (sink_.write(&sink_, data, static_cast<uint64_t>(size)) != 0) {
      return arrow::Status::IOError("the output could not be written");
    }
    position_ += size;
    return arrow::Status::OK();
  }
  using arrow::io::OutputStream::Write;

 private:
  XwalkEngineSink sink_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace

bool SourceOwner::read_at(int64_t offset, int64_t size, void* out) {
  const auto after = ranges_.upper_bound(offset);
  const bool within = after != ranges_.begin() && offset < std::prev(after)->second;
  if (const int64_t next = offset + size; within) {
    const auto [begin, end] = *std::prev(after);
    // To the end of the window after the one that is read: one request for each.
    const int64_t windows = (next - begin) / window_ + 2;
    const int64_t until = windows < (end - begin) / window_ ? begin + windows * window_ : end;
    if (next < until) want({static_cast<uint64_t>(next), static_cast<uint64_t>(until - next)});
  }
  const bool done = source_.read_at(&source_, static_cast<uint64_t>(offset),
                                    static_cast<uint64_t>(size), out) == 0;
  if (done && within) consumed(offset, size);
  return done;
}

void SourceOwner::fetch_ahead(std::vector<std::pair<int64_t, int64_t>> ranges, int64_t window) {
  window_ = window;
  ranges_.clear();
  std::vector<uint64_t> first;
  for (const auto& [begin, size] : ranges) {
    ranges_[begin] = begin + size;
    first.push_back(static_cast<uint64_t>(begin));
    first.push_back(static_cast<uint64_t>(std::min(window, size)));
  }
  want(first);
}

std::shared_ptr<arrow::io::RandomAccessFile> open_contents(
    const std::shared_ptr<SourceOwner>& source) {
  if (!source->in_memory()) return std::make_shared<FetchedFile>(source);
  return std::make_shared<arrow::io::BufferReader>(std::make_shared<ContentsBuffer>(source));
}

std::shared_ptr<arrow::io::RandomAccessFile> open_copies(
    const std::shared_ptr<SourceOwner>& source) {
  if (!source->in_memory()) return open_contents(source);
  return std::make_shared<Copies>(open_contents(source));
}

std::shared_ptr<arrow::io::InputStream> open_sequence(const std::shared_ptr<SourceOwner>& source) {
  if (source->in_memory()) return open_copies(source);
  return std::make_shared<SequenceStream>(source);
}

std::shared_ptr<arrow::io::OutputStream> open_sink(XwalkEngineSink* sink) {
  return std::make_shared<SinkStream>(sink);
}

}  // namespace xwalk::plugin
