#include "xwalk/python/interrupt.h"

#include <mutex>
#include <utility>

#include "xwalk/hub/stream_lock.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

class InterruptibleReader final : public hub::BatchReader {
 public:
  explicit InterruptibleReader(std::unique_ptr<hub::BatchReader> reader)
      : reader_(std::move(reader)) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::optional<hub::Batch> next() override {
    Interrupts interrupts;
    try {
      return reader_->next();
    } catch (const Error&) {
      if (interrupts.raised()) {
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
};

}  // namespace

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
    if (PyGILState_Check() == 0) return mutex.lock();
    const nb::gil_scoped_release released;
    mutex.lock();
  };
}

std::unique_ptr<hub::BatchReader> interruptible_reader(std::unique_ptr<hub::BatchReader> reader) {
  return std::make_unique<InterruptibleReader>(std::move(reader));
}

}  // namespace xwalk::python
