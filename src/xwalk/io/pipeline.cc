#include "xwalk/io/pipeline.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/io/split_writer.h"
#include "xwalk/io/waiting.h"

namespace xwalk::io {
namespace {

using Clock = std::chrono::steady_clock;

/// Time between two calls of `on_progress`.
constexpr auto kProgressInterval = std::chrono::milliseconds(100);

/// Batches a thread may have finished ahead of the one whose turn it is: enough that an uneven
/// batch stops no thread, few enough that memory stays bounded.
constexpr size_t kAheadPerThread = 2;

/// Of a piece of more bytes there is only one at a time, whatever the threads: a batch of usual
/// rows has an eighth of that, and a single row may have gigabytes. Its bytes are not kept either,
/// where the writer can hand them on: it is encoded to see whether all rows have a form, and again
/// when its turn to be written has come.
constexpr int64_t kLargePiece = int64_t{256} << 20;

/// How far a reader is. It is asked between two pieces only, by the thread that takes them: it may
/// be at another file with the next one.
struct HowFar {
  uint64_t bytes_read = 0;
  std::optional<uint64_t> total_bytes;
  std::optional<int64_t> total_rows;
};

HowFar ask_how_far(const SplitReader& reader) {
  return {reader.bytes_read(), reader.total_bytes(), reader.total_rows()};
}

/// What was taken from the input at one turn. There is no piece where that failed.
struct Taken {
  std::unique_ptr<Piece> piece;
  uint64_t turn = 0;
  HowFar how_far;
};

/// What becomes of one piece.
struct Done {
  std::optional<hub::Batch> batch;  ///< for a writer that does not split, or to be encoded again
  std::unique_ptr<yson::Buffer> bytes;  ///< for one that does
  BatchEnds ends;                       ///< of the bytes
  uint64_t rows = 0;
  std::vector<hub::BadRow> bad;
  std::exception_ptr error;
  HowFar how_far;
};

/// Calls what this thread is to look at while it waits.
void ask() {
  if (waiting() != nullptr && waiting()->ask) waiting()->ask();
}

/// Waits under a lock, and looks up meanwhile.
template <typename Condition>
void wait_until(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                Condition condition) {
  if (waiting() == nullptr || !waiting()->ask) return changed.wait(lock, condition);
  while (!changed.wait_for(lock, kProgressInterval, condition)) {
    lock.unlock();
    ask();
    lock.lock();
  }
}

/// A lock whose waiters look up meanwhile. The thread sanitizer of g++ 12 sees it, which it does
/// not of a timed mutex.
class PatientLock {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    wait_until(lock, freed_, [&] { return !taken_; });
    taken_ = true;
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      taken_ = false;
    }
    freed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  bool taken_ = false;
};

class Pipeline {
 public:
  Pipeline(SplitReader& reader, const hub::CompiledCast* cast, hub::BatchWriter* writer,
           const PipelineOptions& options)
      : reader_(reader),
        writer_(writer),
        split_writer_(dynamic_cast<SplitWriter*>(writer)),
        own_cast_(cast_between(cast)),
        cast_(own_cast_ && !own_cast_->is_identity() ? &*own_cast_ : nullptr),
        schema_(cast_ != nullptr ? cast_->to() : reader.schema()),
        source_type_(hub::struct_(reader.schema().fields)),
        options_(options),
        threads_(static_cast<size_t>(
            options.threads > 0
                ? options.threads
                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())))) {}

  Progress run() {
    {
      std::vector<std::jthread> others;
      const Waiting meanwhile{options_.cancelled, {}};
      try {
        for (size_t i = 1; i < threads_; ++i) {
          others.emplace_back([this, &meanwhile] {
            const WaitScope scope(options_.cancelled != nullptr ? &meanwhile : nullptr);
            work();
          });
        }
      } catch (const std::system_error&) {
        // Where the system gives no more threads, those that there are do the work.
      }
      work();
      wait_for(others.size() + 1);
    }
    if (error_) std::rethrow_exception(error_);
    if (writer_ != nullptr) writer_->finish();
    report(ask_how_far(reader_), /*now=*/true);
    return progress_;
  }

 private:
  /// Returns the cast in which columns stay dictionaries where the writer takes them so: here it is
  /// decided in which layout rows are read and written. Their types are those of the plan.
  std::optional<hub::CompiledCast> cast_between(const hub::CompiledCast* cast) {
    if (cast == nullptr) return std::nullopt;
    const SplitWriter* writer = split_writer_;
    const auto takes = [writer](size_t column) { return writer->takes_dictionary(column); };
    const size_t columns = cast->to().fields.size();
    const auto all = std::views::iota(size_t{0}, columns);
    if (writer == nullptr || std::ranges::none_of(all, takes)) return *cast;
    reader_.keep_dictionaries();
    return hub::keep_dictionaries(*cast, reader_.schema(), takes);
  }

  void work() noexcept {
    try {
      Taken taken;
      std::unique_lock input(input_lock_, std::defer_lock);
      while (take(&input, &taken)) {
        const bool large = taken.piece != nullptr && taken.piece->bytes() > kLargePiece;
        if (!large) input.unlock();
        Done done =
            taken.piece == nullptr ? Done{.error = take_error_} : process(*taken.piece, large);
        taken.piece.reset();
        done.how_far = taken.how_far;
        deliver(taken.turn, std::move(done), large);
        if (large) input.unlock();
      }
    } catch (...) {
      stop(std::current_exception());
    }
    std::lock_guard lock(output_mutex_);
    ++ended_threads_;
    room_.notify_all();
  }

  /// Waits until so many threads have ended, this one among them.
  void wait_for(size_t threads) {
    std::unique_lock lock(output_mutex_);
    wait_until(lock, room_, [&] { return ended_threads_ == threads; });
  }

  /// Has all threads end, for the first failure.
  void stop(std::exception_ptr error) {
    const std::lock_guard lock(output_mutex_);
    if (!error_) error_ = std::move(error);
    stopped_ = true;
    room_.notify_all();
  }

  /// Takes the next piece and its turn, and keeps the input locked. A failure to take is a piece
  /// too, so that errors come in the order of the input.
  bool take(std::unique_lock<PatientLock>* lock, Taken* taken) {
    lock->lock();
    if (ended_ || stopped_) return false;
    try {
      if (options_.cancelled != nullptr && options_.cancelled->load()) {
        throw Error(ErrorCode::Interrupted, "interrupted");
      }
      taken->piece = reader_.take();
      if (taken->piece == nullptr) {
        ended_ = true;
        return false;
      }
      if (options_.on_progress) taken->how_far = ask_how_far(reader_);
    } catch (...) {
      taken->piece.reset();
      take_error_ = std::current_exception();
      ended_ = true;
    }
    taken->turn = next_taken_++;
    return true;
  }

  Done process(Piece& piece, bool large) {
    Done done;
    try {
      hub::Batch batch = piece.decode();
      // Rejected rows are kept as they were before the cast.
      std::optional<hub::Array> source;
      if (options_.skip_bad_rows && options_.on_bad_row) source = batch.array;
      if (cast_ != nullptr) batch = cast_->run(std::move(batch));
      if (source) keep_source(*source, &batch.bad);
      for (hub::BadRow& bad : batch.bad) {
        if (bad.error.place().file.empty()) bad.error.place().file = piece.file();
      }
      if (!batch.bad.empty()) {
        if (!options_.skip_bad_rows) {
          Error first = std::move(batch.bad.front().error);
          if (!first.place().row) {
            first.place().row = static_cast<uint64_t>(batch.first_row + batch.bad.front().index);
          }
          throw first;
        }
      }
      // Numbers of rows are those before any is dropped.
      BatchKeys keys;
      std::optional<hub::Batch> whole;
      if (split_writer_ != nullptr) keys = split_writer_->keys(batch, piece.file());
      if (keys.begin) whole = batch;
      if (!batch.bad.empty()) {
        batch = hub::drop_bad_rows(std::move(batch), schema_, &done.bad);
      }
      done.rows = static_cast<uint64_t>(batch.rows());
      if (split_writer_ != nullptr) {
        done.ends = ends_of(batch);
        done.ends.keys = std::move(keys);
        if (large && split_writer_->drains() && has_form(batch)) {
          done.batch = std::move(batch);
          return done;
        }
        done.bytes = take_buffer();
        std::vector<hub::BadRow> refused =
            split_writer_->encode(std::move(batch), done.bytes.get());
        if (!refused.empty()) take_refused(std::move(refused), source, piece, &done);
        if (whole && done.bad.size() > whole->bad.size()) {
          // A row that is not written has no place in the order either.
          whole->bad = done.bad;
          done.ends.keys = split_writer_->keys(*whole, piece.file());
        }
      } else {
        done.batch = std::move(batch);
      }
    } catch (...) {
      done.error = std::current_exception();
    }
    return done;
  }

  /// Says whether the output has a form for every row, and keeps none of the bytes.
  bool has_form(const hub::Batch& batch) const {
    const yson::Buffer::Drain dropped = [](std::string_view) {};
    yson::Buffer buffer(&dropped);
    return split_writer_->encode(batch, &buffer).empty();
  }

  /// Puts rows that the output has no form for among those that were bad before. They are numbered
  /// as if those had not been.
  void take_refused(std::vector<hub::BadRow> refused, const std::optional<hub::Array>& source,
                    const Piece& piece, Done* done) const {
    if (!options_.skip_bad_rows) throw std::move(refused.front().error);
    done->rows -= refused.size();
    size_t before = 0;
    std::vector<hub::BadRow> all;
    for (hub::BadRow& row : refused) {
      while (before < done->bad.size() &&
             done->bad[before].index <= row.index + static_cast<int64_t>(before)) {
        all.push_back(std::move(done->bad[before++]));
      }
      row.index += static_cast<int64_t>(before);
      *row.error.place().row += before;
      row.error.place().file = piece.file();
      all.push_back(std::move(row));
    }
    for (; before < done->bad.size(); ++before) all.push_back(std::move(done->bad[before]));
    done->bad = std::move(all);
    if (source) keep_source(*source, &done->bad);
  }

  /// Gives bad rows of inputs that have no bytes for a row the row as YSON.
  void keep_source(const hub::Array& rows, std::vector<hub::BadRow>* bad) const {
    yson::Buffer text;
    for (hub::BadRow& row : *bad) {
      if (!row.source_bytes.empty()) continue;
      text.clear();
      hub::append_yson(rows, source_type_, row.index, &text);
      row.source_bytes = text.view();
    }
  }

  /// Puts a finished piece in its place. The thread that brings the next one writes it, and all
  /// that follow it without a gap; the others go on, unless too much is waiting. A large one is
  /// waited for until it is written.
  void deliver(uint64_t turn, Done done, bool large) {
    std::unique_lock lock(output_mutex_);
    waiting_.emplace(turn, std::move(done));
    while (!writing_ && !waiting_.empty() && waiting_.begin()->first == next_written_ &&
           !stopped_) {
      Done ready = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      writing_ = true;
      lock.unlock();
      write(std::move(ready));
      lock.lock();
      writing_ = false;
      ++next_written_;
      room_.notify_all();
    }
    wait_until(lock, room_, [&] {
      return stopped_ ||
             (waiting_.size() <= kAheadPerThread * threads_ && (!large || next_written_ > turn));
    });
  }

  /// Writes one piece; only one thread at a time is here.
  void write(Done done) {
    try {
      if (done.error) std::rethrow_exception(done.error);
      for (const hub::BadRow& row : done.bad) {
        if (options_.max_bad_rows && progress_.bad_rows >= *options_.max_bad_rows) {
          Error over = row.error;
          throw Error(ErrorCode::Input,
                      fmt::format("more than {} bad rows, the last one: {}", *options_.max_bad_rows,
                                  over.message()),
                      over.place(), over.hint());
        }
        ++progress_.bad_rows;
        if (options_.on_bad_row) options_.on_bad_row(row);
      }
      if (split_writer_ != nullptr) {
        if (done.rows > 0 || done.ends.keys.begin) split_writer_->follow(done.ends);
        if (done.batch) {
          write_draining(std::move(*done.batch));
        } else {
          split_writer_->write_encoded(done.bytes->view());
          give_buffer(std::move(done.bytes));
        }
      } else if (writer_ != nullptr && done.rows > 0) {
        writer_->write(std::move(*done.batch));
      }
      progress_.rows += done.rows;
      report(done.how_far, /*now=*/false);
    } catch (...) {
      stop(std::current_exception());
    }
  }

  void write_draining(hub::Batch batch) {
    const yson::Buffer::Drain drain = [this](std::string_view bytes) {
      split_writer_->write_encoded(bytes);
    };
    yson::Buffer buffer(&drain);
    split_writer_->encode(std::move(batch), &buffer);
    buffer.drain_all();
  }

  void report(const HowFar& how_far, bool now) {
    if (!options_.on_progress && !now) return;
    Clock::time_point time = Clock::now();
    if (!now && time < next_report_) return;
    next_report_ = time + kProgressInterval;
    progress_.bytes_read = how_far.bytes_read;
    progress_.total_bytes = how_far.total_bytes;
    progress_.total_rows = how_far.total_rows;
    if (writer_ != nullptr) progress_.bytes_written = writer_->bytes_written();
    if (options_.on_progress) options_.on_progress(progress_);
  }

  // Buffers go round: a fresh one of some megabytes costs its page faults each time.
  std::unique_ptr<yson::Buffer> take_buffer() {
    std::lock_guard lock(buffers_mutex_);
    if (buffers_.empty()) return std::make_unique<yson::Buffer>();
    std::unique_ptr<yson::Buffer> buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
  }
  void give_buffer(std::unique_ptr<yson::Buffer> buffer) {
    buffer->clear();
    std::lock_guard lock(buffers_mutex_);
    if (buffers_.size() < threads_ + 1) buffers_.push_back(std::move(buffer));
  }

  SplitReader& reader_;
  hub::BatchWriter* writer_;
  SplitWriter* split_writer_;
  std::optional<hub::CompiledCast> own_cast_;
  const hub::CompiledCast* cast_;
  const hub::Schema& schema_;
  hub::Type source_type_;
  const PipelineOptions& options_;
  size_t threads_;

  PatientLock input_lock_;
  uint64_t next_taken_ = 0;
  bool ended_ = false;
  std::exception_ptr take_error_;

  std::mutex output_mutex_;
  std::condition_variable room_;
  std::map<uint64_t, Done> waiting_;
  uint64_t next_written_ = 0;
  bool writing_ = false;
  size_t ended_threads_ = 0;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr error_;
  Progress progress_;
  Clock::time_point next_report_ = Clock::now() + kProgressInterval;

  std::mutex buffers_mutex_;
  std::vector<std::unique_ptr<yson::Buffer>> buffers_;
};

}  // namespace

Progress run_pipeline(SplitReader& reader, const hub::CompiledCast* cast, hub::BatchWriter* writer,
                      const PipelineOptions& options) {
  return Pipeline(reader, cast, writer, options).run();
}

Progress run_pipeline(std::unique_ptr<hub::BatchReader> reader, const hub::CompiledCast* cast,
                      hub::BatchWriter* writer, const PipelineOptions& options) {
  std::unique_ptr<SplitReader> both = split(std::move(reader));
  return run_pipeline(*both, cast, writer, options);
}

}  // namespace xwalk::io
