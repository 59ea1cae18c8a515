#include "xwalk/python/streams.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/decompress.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

/// Bytes read from an object at a time: each call takes the interpreter's lock.
constexpr size_t kBlock = size_t{1} << 20;

/// Throws what Python raised as an Error: threads without an interpreter's frame may see it.
[[noreturn]] void fail(const nb::python_error& raised, const std::string& name,
                       const char* method) {
  const bool interrupted = raised.matches(PyExc_KeyboardInterrupt);
  if (interrupted) PyErr_SetInterrupt();  // Python raises it again when it can
  throw Error(interrupted ? ErrorCode::Interrupted : ErrorCode::Io,
              fmt::format("its method {} failed: {}: {}", method,
                          nb::type_name(raised.type()).c_str(), str_of(raised.value())),
              {.file = name});
}

/// The name for messages: the file's own, or its type's.
std::string name_of(nb::handle object) {
  if (nb::hasattr(object, "name") && nb::isinstance<nb::str>(object.attr("name"))) {
    return nb::cast<std::string>(object.attr("name"));
  }
  return fmt::format("<{}>", nb::type_name(object.type()).c_str());
}

/// A Python object that is released with the lock held, in any thread.
class Held {
 public:
  explicit Held(nb::object object) : object_(std::move(object)) {}
  ~Held() {
    const nb::gil_scoped_acquire held;
    object_.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  const nb::object& get() const { return object_; }

 private:
  nb::object object_;
};

/// Bytes that an object has in memory, without a copy.
std::unique_ptr<io::Source> buffer_source(nb::handle object) {
  const std::shared_ptr<Py_buffer> buffer(new Py_buffer{}, [](Py_buffer* taken) {
    const nb::gil_scoped_acquire held;
    PyBuffer_Release(taken);
    delete taken;
  });
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), PyBUF_SIMPLE) != 0) nb::raise_python_error();
  return io::view_source({static_cast<const char*>(buffer->buf), static_cast<size_t>(buffer->len)},
                         buffer, name_of(object));
}

class ObjectSource final : public io::Source {
 public:
  explicit ObjectSource(nb::object object) : name_(name_of(object)), object_(std::move(object)) {}
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return position_; }

  std::string_view peek(size_t size) override {
    while (block_.size() - at_ < size && fill()) {
    }
    return std::string_view(block_).substr(at_, size);
  }

  size_t read(char* out, size_t size) override {
    if (at_ == block_.size() && !fill()) return 0;
    const size_t taken = block_.copy(out, size, at_);
    at_ += taken;
    position_ += taken;
    return taken;
  }

 private:
  /// Appends what the object gives next; false at its end.
  bool fill() {
    block_.erase(0, std::exchange(at_, 0));
    const nb::gil_scoped_acquire held;
    try {
      const nb::object read = object_.get().attr("read")(kBlock);
      Py_buffer buffer;
      if (PyObject_GetBuffer(read.ptr(), &buffer, PyBUF_SIMPLE) != 0) nb::raise_python_error();
      block_.append(static_cast<const char*>(buffer.buf), static_cast<size_t>(buffer.len));
      PyBuffer_Release(&buffer);
      return buffer.len > 0;
    } catch (const nb::python_error& raised) {
      fail(raised, name_, "read");
    }
  }

  std::string name_;
  Held object_;
  std::string block_;
  size_t at_ = 0;
  std::atomic<uint64_t> position_ = 0;
};

class ObjectSink final : public ByteSink {
 public:
  explicit ObjectSink(nb::object object) : name_(name_of(object)), object_(std::move(object)) {}

  void write(std::string_view bytes) override {
    // Small writes are gathered: each call takes the interpreter's lock.
    position_ += bytes.size();
    gathered_ += bytes;
    if (gathered_.size() >= kBlock) send();
  }

  void finish() override {
    send();
    const nb::gil_scoped_acquire held;
    try {
      if (nb::hasattr(object_.get(), "flush")) object_.get().attr("flush")();
    } catch (const nb::python_error& raised) {
      fail(raised, name_, "flush");
    }
  }

  uint64_t position() const override { return position_; }

 private:
  void send() {
    if (gathered_.empty()) return;
    const nb::gil_scoped_acquire held;
    try {
      // A raw file may take only a part, and says how much.
      for (size_t done = 0; done < gathered_.size();) {
        const std::string_view rest = std::string_view(gathered_).substr(done);
        const nb::object taken = object_.get().attr("write")(nb::bytes(rest.data(), rest.size()));
        done += PyLong_Check(taken.ptr()) ? nb::cast<size_t>(taken) : rest.size();
      }
    } catch (const nb::python_error& raised) {
      fail(raised, name_, "write");
    }
    gathered_.clear();
  }

  std::string name_;
  Held object_;
  std::string gathered_;
  std::atomic<uint64_t> position_ = 0;
};

}  // namespace

bool is_buffer(nb::handle object) { return PyObject_CheckBuffer(object.ptr()) != 0; }

std::unique_ptr<io::Source> open_object(nb::object object) {
  std::unique_ptr<io::Source> stored;
  if (is_buffer(object)) {
    stored = buffer_source(object);
  } else if (nb::hasattr(object, "read")) {
    stored = std::make_unique<ObjectSource>(std::move(object));
  } else {
    throw Error(ErrorCode::Usage,
                fmt::format("expected paths, bytes, an object with read or Arrow data, found {}",
                            nb::type_name(object.type()).c_str()));
  }
  const io::Compression compression = io::compression_of_magic(stored->peek(4));
  return io::decompress(std::move(stored), compression);
}

std::unique_ptr<ByteSink> sink_of_object(nb::object object) {
  return std::make_unique<ObjectSink>(std::move(object));
}

}  // namespace xwalk::python
