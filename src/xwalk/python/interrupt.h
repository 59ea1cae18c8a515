#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <nanobind/nanobind.h>
#include <optional>
#include <type_traits>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/bytes/interruptible_wait.h"

namespace xwalk::python {

/// Looks for signals that Python has to handle while this thread works for it without its lock.
/// Python handles signals in its main thread only; in others nothing comes.
class Interrupts {
 public:
  Interrupts() : waiting_{&stop_, [this] { ask(); }}, scope_(&waiting_) {}

  /// Takes the lock and runs the handlers that wait to be run.
  void ask();
  /// Takes the lock and calls what is Python's; what that raises stops the work and is thrown at
  /// its end.
  template <typename Call>
  void tell(const Call& call) {
    const nanobind::gil_scoped_acquire held;
    if (stop_) return;
    try {
      call();
    } catch (nanobind::python_error& raised) {
      raised_.emplace(std::move(raised));
      stop_ = true;
    }
  }
  /// True once a handler raised.
  const std::atomic<bool>& stop() const { return stop_; }
  /// Returns what a handler raised.
  std::optional<nanobind::python_error>& raised() { return raised_; }

 private:
  std::atomic<bool> stop_ = false;
  std::optional<nanobind::python_error> raised_;
  io::Waiting waiting_;
  io::WaitScope scope_;
};

/// Returns true if a stream of Python's ended with KeyboardInterrupt. Arrow's streams pass on a
/// text only.
bool is_keyboard_interrupt(const Error& error);

/// Does work without Python's lock, and throws what a signal's handler raised meanwhile.
template <typename Work>
auto interruptible(const Work& work) {
  Interrupts interrupts;
  std::optional<std::invoke_result_t<const Work&, Interrupts&>> done;
  try {
    const nanobind::gil_scoped_release free;
    done.emplace(work(interrupts));
  } catch (const Error& error) {
    // An interrupt may end what then raises another error, such as an engine. And a method that was
    // called may have put the signal back.
    interrupts.ask();
    if (!interrupts.raised()) {
      if (is_keyboard_interrupt(error)) throw Error(ErrorCode::Interrupted, "interrupted");
      throw;
    }
  }
  if (interrupts.raised()) throw nanobind::python_error(*interrupts.raised());
  return std::move(*done);
}

/// What ended a stream. Arrow's streams pass on a text only.
class Failure {
 public:
  void keep(std::exception_ptr thrown);
  /// Throws what ended the last stream; returns if nothing did.
  void rethrow() const;

 private:
  mutable std::mutex mutex_;
  std::exception_ptr thrown_;
};

/// Returns a reader whose waiting a signal ends. The caller gets Error (Interrupted), and Python
/// handles the signal. `failure` keeps the error that ends the stream.
std::unique_ptr<hub::BatchReader> interruptible_reader(std::unique_ptr<hub::BatchReader> reader,
                                                       std::shared_ptr<Failure> failure = nullptr);

/// Has threads that wait for their turn at a stream release Python's lock, which the thread that
/// reads may need.
void release_gil_for_streams();

}  // namespace xwalk::python
