#include "xwalk/python/interrupt.h"

#include <mutex>
#include <string_view>
#include <utility>

#include "xwalk/hub/stream_lock.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

class InterruptibleReader final : public hub::BatchReader {
 public:
  InterruptibleReader(std::unique_ptr<hub::BatchReader> reader, std::shared_ptr<Failure> failure)
      : reader_(std::move(reader)), failure_(std::move(failure)) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::optional<hub::Batch> next() override {
    Interrupts interrupts;
    try {
      // A caller that only takes rows does not look for signals.
      io::ask_meanwhile();
      if (interrupts.stop()) throw Error(ErrorCode::Interrupted, "interrupted");
      return reader_->next();
    } catch (const Error& error) {
      if (failure_) failure_->keep(std::current_exception());
      if (interrupts.raised() || is_keyboard_interrupt(error)) {
        const nb::gil_scoped_acquire held;
        interrupts.raised().reset();
        PyErr_SetInterrupt();
      }
      throw;
    }
  }
  std::optional<int64_t> total_rows() const override { return reader_->total_rows(); }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }

 private:
  std::unique_ptr<hub::BatchReader> reader_;
  std::shared_ptr<Failure> failure_;
};

// Whether this thread holds the interpreter's lock. The stable ABI can tell by the thread's state
// alone, which is the thread's own from CPython 3.12 on: the oldest that has this ABI.
bool holds_gil() {
#ifdef Py_LIMITED_API
  return PyThreadState_GetDict() != nullptr;
#else
  return PyGILState_Check() != 0;
#endif
}

}  // namespace

bool is_keyboard_interrupt(const Error& error) {
  std::string_view text = error.message();
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.ends_with("\nKeyboardInterrupt");
}

void Interrupts::ask() {
  const nb::gil_scoped_acquire held;
  if (stop_ || PyErr_CheckSignals() == 0) return;
  raised_.emplace();  // takes it: what Python does until it is thrown again is not to see it
  stop_ = true;
}

void release_gil_for_streams() {
  hub::lock_stream = [](std::mutex& mutex) {
    if (mutex.try_lock()) return;
    // The thread that reads may need the interpreter's lock to go on.
    if (!holds_gil()) return mutex.lock();
    const nb::gil_scoped_release released;
    mutex.lock();
  };
}

void Failure::keep(std::exception_ptr thrown) {
  const std::lock_guard guard(mutex_);
  thrown_ = std::move(thrown);
}

void Failure::rethrow() const {
  std::exception_ptr thrown;
  {
    const std::lock_guard guard(mutex_);
    thrown = thrown_;
  }
  if (thrown) std::rethrow_exception(thrown);
}

std::unique_ptr<hub::BatchReader> interruptible_reader(std::unique_ptr<hub::BatchReader> reader,
                                                       std::shared_ptr<Failure> failure) {
  return std::make_unique<InterruptibleReader>(std::move(reader), std::move(failure));
}

}  // namespace xwalk::python
