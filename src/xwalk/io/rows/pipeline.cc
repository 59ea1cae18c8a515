#include "xwalk/io/rows/pipeline.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/batch_memory.h"
#include "xwalk/base/condition.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/hub/variant.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/rows/patient_lock.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/io/rows/refusing_writer.h"
#include "xwalk/io/rows/row_choice.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/io/rows/row_stream.h"

namespace xwalk::io {
namespace {

using Clock = std::chrono::steady_clock;

/// Time between two calls of `on_progress`.
constexpr auto kProgressInterval = std::chrono::milliseconds(100);

/// Batches a thread may have finished ahead of the one whose turn it is: enough that an uneven
/// batch stops no thread, few enough that memory stays bounded.
constexpr size_t kAheadPerThread = 2;

/// Returns how many finished batches may wait for their turn. Batches of wide rows end by their
/// bytes, so fewer of them may wait.
size_t ahead_of(const hub::Schema& schema, size_t threads) {
  const size_t row_bytes = schema.fields.size() * sizeof(int64_t);
  const bool is_wide = row_bytes * limits::kBatchRows > 4 * limits::kBatchBytes;
  return is_wide ? threads / 2 : threads * kAheadPerThread;
}

/// Only one piece with more bytes exists at a time, regardless of the threads: a batch of usual
/// rows has an eighth of that, but a single row may have gigabytes. If the writer can flush, its
/// bytes are not kept either: it is encoded once to check that all rows can be encoded, and again
/// when it is its turn to be written.
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

/// The result of one turn of reading the input. The piece is null if that failed.
struct Taken {
  std::unique_ptr<Piece> piece;
  uint64_t turn = 0;
  HowFar how_far;
};

/// The result of processing one piece.
struct Done {
  std::optional<hub::Batch> batch;  ///< for a writer that does not split, or to be encoded again
  std::unique_ptr<yson::Buffer> bytes;  ///< for one that does
  BatchEnds ends;                       ///< of the bytes
  uint64_t rows = 0;
  std::vector<hub::BadRow> bad;
  std::exception_ptr error;
  HowFar how_far;
  /// If rows need an order: their keys, and the state to drop rows once those before are known.
  BatchKeys keys;
  std::optional<hub::Batch> whole;     ///< with all bad rows
  std::vector<hub::BadRow> misplaced;  ///< that are only counted
  /// The row of the error, if it is one of a row.
  std::optional<int64_t> error_row;
  std::optional<hub::Array> source;
  std::unique_ptr<Piece> piece;
  /// The batch as it was decoded, if it needs too much memory to be converted at once, and the
  /// memory limit of its input.
  std::optional<hub::Batch> undivided;
  uint64_t memory = 0;
};

std::string yson_of_row(const hub::Array& rows, const hub::Type& type, int64_t index) {
  yson::Buffer text;
  hub::append_yson(rows, type, index, &text);
  return std::string(text.view());
}

/// Returns the columns of `cast.from()` that the cast turns from bytes into VARIANT.
std::vector<size_t> columns_to_variant(const hub::CompiledCast& cast) {
  const auto& to = cast.to().fields;
  if (std::ranges::none_of(to, hub::is_variant)) return {};
  const auto& from = cast.from().fields;
  const hub::CastOptions& options = cast.options();
  const auto pairs =
      hub::pair_members(hub::struct_(from), hub::struct_(to), Path(), options.renames);
  std::vector<size_t> out;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i] || !hub::is_binary(from[i].type.kind()) || !hub::is_variant(to[*pairs[i]]))
      continue;
    const Path path = Path::column(from[i].name);
    if (options.meanings == nullptr || !options.meanings->at.contains(path)) out.push_back(i);
  }
  return out;
}

class Pipeline {
 public:
  Pipeline(SplitReader& reader, const hub::CompiledCast* cast, hub::BatchWriter* writer,
           const PipelineOptions& options)
      : reader_(reader),
        ordered_(dynamic_cast<OrderedWriter*>(writer)),
        writer_(ordered_ != nullptr ? ordered_->writer() : writer),
        split_writer_(dynamic_cast<SplitWriter*>(writer_)),
        refusing_writer_(dynamic_cast<RefusingWriter*>(writer_)),
        own_cast_(cast_between(cast, options)),
        cast_(own_cast_ && !own_cast_->is_identity() ? &*own_cast_ : nullptr),
        schema_(cast_ != nullptr ? cast_->to() : reader.schema()),
        source_type_(hub::struct_(plain_ ? plain_->to().fields : reader.schema().fields)),
        options_(options),
        threads_(static_cast<size_t>(
            options.threads > 0
                ? options.threads
                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())))),
        most_waiting_(split_writer_ == nullptr ? ahead_of(schema_, threads_)
                                               : threads_ * kAheadPerThread) {}

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
        // If the system starts no more threads, the existing ones do the work.
      }
      work();
      wait_for(others.size() + 1);
    }
    if (error_) std::rethrow_exception(error_);
    if (options_.before_finish) options_.before_finish(progress_);
    if (writer_ != nullptr) writer_->finish();
    report(ask_how_far(reader_), /*now=*/true);
    return progress_;
  }

 private:
  /// Returns the cast in which columns stay dictionaries where the writer takes them so, and `any`
  /// is read as the VARIANT that is written: here it is decided in which layout rows are read and
  /// written. Their types are those of the plan.
  std::optional<hub::CompiledCast> cast_between(const hub::CompiledCast* cast,
                                                const PipelineOptions& options) {
    if (cast == nullptr) return std::nullopt;
    const SplitWriter* writer = split_writer_;
    const auto takes = [this, writer](size_t column) {
      return writer != nullptr && writer->takes_dictionary(column) &&
             (ordered_ == nullptr || !ordered_->order().is_key(column));
    };
    const size_t columns = cast->to().fields.size();
    size_t column = 0;
    while (column < columns && !takes(column)) ++column;
    const bool keeps_rejects = options.skip_bad_rows && options.on_bad_row;
    RowLayout accepted{.dictionaries = column < columns, .variants = {}};
    // A rejected row is kept with the value that VARIANT lacks.
    if (writer_ != nullptr && !keeps_rejects) accepted.variants = columns_to_variant(*cast);
    if (!accepted.dictionaries && accepted.variants.empty()) return *cast;
    const hub::Schema plain = reader_.schema();
    reader_.lay_out(accepted);
    // The text of a rejected row is made from the plain layout.
    if (keeps_rejects) {
      hub::CompiledCast decode = hub::compile_cast(reader_.schema(), plain);
      if (!decode.is_identity()) plain_ = std::move(decode);
    }
    return hub::keep_dictionaries(*cast, reader_.schema(), takes);
  }

  void work() noexcept {
    try {
      Taken taken;
      std::unique_lock input(input_lock_, std::defer_lock);
      while (take(&input, &taken)) {
        const bool large = taken.piece != nullptr && taken.piece->bytes() > kLargePiece;
        if (!large) input.unlock();
        Done done = taken.piece == nullptr ? Done{.error = take_error_}
                                           : process(std::move(taken.piece), large);
        done.how_far = taken.how_far;
        deliver(taken.turn, std::move(done), large);
        if (large) input.unlock();
      }
    } catch (...) {
      stop(std::current_exception());
    }
    std::lock_guard lock(output_mutex_);
    ++ended_threads_;
    has_space_.notify_all();
  }

  /// Waits until so many threads have ended, this one among them.
  void wait_for(size_t threads) {
    std::unique_lock lock(output_mutex_);
    wait_until(lock, has_space_, [&] { return ended_threads_ == threads; });
  }

  /// Has all threads end, for the first failure.
  void stop(std::exception_ptr error) {
    const std::lock_guard lock(output_mutex_);
    if (!error_) error_ = std::move(error);
    stopped_ = true;
    has_space_.notify_all();
  }

  /// Takes the next piece and its turn, and keeps the input locked. A failure to take is a piece
  /// too, so that errors come in the order of the input.
  bool take(std::unique_lock<PatientLock>* lock, Taken* taken) {
    ask_meanwhile();
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

  Done process(std::unique_ptr<Piece> piece, bool large) {
    Done done;
    done.piece = std::move(piece);
    try {
      hub::Batch batch = decode(*done.piece);
      done.memory = batch_memory_limit();
      const uint64_t divided = divided_bytes(done.memory, threads_);
      if (may_be_divided(batch, divided)) {
        done.undivided = batch;
        const BatchMemoryScope scope(divided, WhenFull::Split);
        convert(std::move(batch), large, &done);
        done.undivided.reset();
      } else {
        const BatchMemoryScope scope(decoded_bytes(done.memory), WhenFull::Fail);
        convert(std::move(batch), large, &done);
      }
    } catch (const BatchTooLarge&) {
      Done whole;
      whole.piece = std::move(done.piece);
      whole.undivided = std::move(done.undivided);
      whole.memory = done.memory;
      return whole;
    } catch (...) {
      done.error = std::current_exception();
    }
    done.undivided.reset();
    if (!done.whole && (refusing_writer_ == nullptr || done.error)) {
      done.piece.reset();
      done.source.reset();
    }
    return done;
  }

  static hub::Batch decode(Piece& piece) {
    const BatchMemoryScope scope(decoded_bytes(batch_memory_limit()), WhenFull::Fail);
    return piece.decode();
  }

  /// Returns true if a batch can be converted in parts. A copy of thousands of columns takes time:
  /// it is made only if usual batches may need more than the limit.
  static bool may_be_divided(const hub::Batch& batch, uint64_t divided) {
    constexpr uint64_t kAmple = uint64_t{64} * limits::kBatchBytes;
    constexpr size_t kManyColumns = 1000;
    return batch.rows() > 1 && (divided < kAmple || batch.array.children.size() < kManyColumns);
  }

  /// Casts and encodes a batch of the piece in `done`.
  void convert(hub::Batch batch, bool large, Done* done) const {
    // Rejected rows are kept as they were before the cast.
    if (options_.skip_bad_rows && options_.on_bad_row) done->source = batch.array;
    if (cast_ != nullptr) batch = cast_of_piece(*cast_, std::move(batch), *done->piece);
    name_rows(*done->piece, batch.first_row, &batch.bad);
    prepare(std::move(batch), *done->piece, large, done);
    add_sources(*done->piece, done);
  }

  /// Leaves out the rows of a batch that are bad, that are misplaced among its own, and that the
  /// output has no form for, and encodes the others.
  void prepare(hub::Batch batch, const Piece& piece, bool large, Done* done) const {
    const int64_t first_row = batch.first_row;
    while (true) {
      hub::Batch whole = ordered_ != nullptr ? batch : std::move(batch);
      if (ordered_ != nullptr) {
        // Without an order this round is the only one.
        // NOLINTNEXTLINE(bugprone-use-after-move)
        done->keys = ordered_->order().keys_of(batch, piece);
        done->misplaced = std::exchange(done->keys.misplaced, {});
        if (ordered_->order().leaves_out()) add_bad_rows(std::move(done->misplaced), &whole.bad);
      }
      if (!options_.skip_bad_rows && !whole.bad.empty()) end_at(whole.bad, whole.rows(), done);
      if (done->error) {
        // Whether an earlier row is misplaced is known once those before are.
        done->whole = std::move(whole);
        return;
      }
      if (ordered_ != nullptr) done->whole = whole;
      std::vector<hub::BadRow> refused = encode(std::move(whole), large, done);
      if (refused.empty()) return;
      for (hub::BadRow& row : refused) {
        row.error.place().file.clear();
        row.error.place().row.reset();
      }
      name_rows(piece, first_row, &refused);
      if (!options_.skip_bad_rows) throw Error(std::move(refused.front().error));
      if (ordered_ == nullptr) {
        add_bad_rows(std::move(refused), &done->bad);
        return;
      }
      // A row that is not written has no place in the order either.
      add_bad_rows(std::move(refused), &batch.bad);
    }
  }

  /// Ends the pipeline with the error of the first bad row of a batch, in its turn. The message
  /// counts the rows of the batch that are bad for the same reason.
  static void end_at(const std::vector<hub::BadRow>& bad, int64_t rows, Done* done) {
    const Error& first = bad.front().error;
    const auto same = std::ranges::count_if(bad, [&](const hub::BadRow& row) {
      return row.error.message() == first.message() && row.error.place().path == first.place().path;
    });
    std::string message = first.message();
    if (same > 1) {
      message += fmt::format(" ({} of {} rows read together)", same, rows);
    }
    done->error = std::make_exception_ptr(
        Error(first.code(), std::move(message), first.place(), first.hint()));
    done->error_row = bad.front().index;
  }

  /// Encodes the good rows of a batch. Returns the rows that the output cannot represent, by their
  /// indices in the whole batch, and omits them.
  std::vector<hub::BadRow> encode(hub::Batch whole, bool large, Done* done) const {
    done->bad.clear();
    hub::Batch good = whole.bad.empty() ? std::move(whole)
                                        : hub::drop_bad_rows(std::move(whole), schema_, &done->bad);
    done->rows = static_cast<uint64_t>(good.rows());
    if (split_writer_ == nullptr) {
      done->batch = std::move(good);
      return {};
    }
    done->ends = ends_of(good);
    if (large && split_writer_->drains() && has_form(good)) {
      done->batch = std::move(good);
      return {};
    }
    if (done->bytes == nullptr) done->bytes = take_buffer();
    done->bytes->clear();
    std::vector<hub::BadRow> refused = split_writer_->encode(std::move(good), done->bytes.get());
    done->rows -= refused.size();
    hub::count_dropped(done->bad, &refused);
    return refused;
  }

  /// Writes the rows that the output accepts. The others become bad.
  void write_good(Done* done) const {
    const int64_t first_row = done->batch->first_row;
    std::vector<hub::BadRow> refused = refusing_writer_->write_good(*std::move(done->batch));
    done->batch.reset();
    if (refused.empty()) return;
    done->rows -= refused.size();
    hub::count_dropped(done->bad, &refused);
    for (hub::BadRow& row : refused) row.error.place().row.reset();
    name_rows(*done->piece, first_row, &refused);
    add_bad_rows(std::move(refused), &done->bad);
    add_sources(*done->piece, done);
  }

  /// Leaves out the rows that are misplaced after those of earlier pieces, which are known now.
  void leave_out_misplaced(Done* done) const {
    if (!done->whole) return;
    hub::Batch& whole = *done->whole;
    std::vector<hub::BadRow> rows = ordered_->order().follow(done->keys, whole, *done->piece);
    if (rows.empty()) return;
    if (!options_.skip_bad_rows) {
      if (!done->error_row || rows.front().index < *done->error_row) {
        end_at(rows, whole.rows(), done);
      }
      return;
    }
    if (!ordered_->order().leaves_out()) {
      done->misplaced.insert(done->misplaced.begin(), rows.begin(), rows.end());
      return;
    }
    add_bad_rows(std::move(rows), &whole.bad);
    done->batch.reset();
    (void)encode(std::move(whole), /*large=*/false, done);
    add_sources(*done->piece, done);
  }

  /// Says which file bad rows are of, and which rows of it they are.
  static void name_rows(const Piece& piece, int64_t first_row, std::vector<hub::BadRow>* bad) {
    for (hub::BadRow& row : *bad) {
      Place& place = row.error.place();
      if (place.file.empty()) place.file = piece.file();
      if (!place.row) place.row = static_cast<uint64_t>(piece.row_number(first_row + row.index));
    }
  }

  /// Returns true if the output has a form for every row; keeps none of the bytes.
  bool has_form(const hub::Batch& batch) const {
    const yson::Buffer::Drain dropped = [](std::string_view) {};
    yson::Buffer buffer(&dropped);
    return split_writer_->encode(batch, &buffer).empty();
  }

  /// Gives bad rows their bytes in the input; or the row as YSON if the input has none.
  void add_sources(const Piece& piece, Done* done) const {
    if (!done->source || done->bad.empty()) return;
    piece.locate(done->bad);
    std::vector<hub::BadRow*> without;
    std::vector<int64_t> indices;
    for (hub::BadRow& row : done->bad) {
      if (!row.source_bytes.empty()) continue;
      without.push_back(&row);
      indices.push_back(row.index);
    }
    if (without.empty()) return;
    if (plain_) {
      // For dictionaries, only the values of these rows are decoded.
      hub::Batch stored;
      stored.array = *done->source;
      const hub::Batch rows = plain_->run(hub::take_rows(stored, plain_->from(), indices));
      for (size_t i = 0; i < without.size(); ++i) {
        without[i]->source_bytes = yson_of_row(rows.array, source_type_, static_cast<int64_t>(i));
      }
      return;
    }
    for (hub::BadRow* row : without) {
      row->source_bytes = yson_of_row(*done->source, source_type_, row->index);
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
      has_space_.notify_all();
    }
    wait_until(lock, has_space_, [&] {
      return stopped_ || (waiting_.size() <= most_waiting_ && (!large || next_written_ > turn));
    });
  }

  /// Writes one piece; only one thread at a time is here.
  void write(Done done) {
    try {
      if (done.undivided) {
        write_divided(&done);
      } else {
        write_converted(&done);
      }
    } catch (...) {
      stop(std::current_exception());
    }
  }

  /// Writes a batch that needs too much memory: in the largest parts that do not, one at a time.
  void write_divided(Done* done) {
    const hub::Batch whole = *std::move(done->undivided);
    int64_t rows = std::max<int64_t>(1, whole.rows() / 2);
    for (int64_t at = 0; at < whole.rows() && !stopped_;) {
      const int64_t count = std::min(rows, whole.rows() - at);
      Done part;
      part.piece = std::move(done->piece);
      part.how_far = done->how_far;
      try {
        const bool one = count == 1;
        const BatchMemoryScope scope(
            one ? decoded_bytes(done->memory) : divided_bytes(done->memory, threads_),
            one ? WhenFull::Fail : WhenFull::Split);
        convert(hub::slice(whole, at, count), /*large=*/one, &part);
      } catch (const BatchTooLarge&) {
        done->piece = std::move(part.piece);
        rows = std::max<int64_t>(1, count / 2);
        continue;
      }
      write_converted(&part);
      done->piece = std::move(part.piece);
      at += count;
    }
  }

  void write_converted(Done* done) {
    if (ordered_ != nullptr) leave_out_misplaced(done);
    if (done->error) std::rethrow_exception(done->error);
    if (refusing_writer_ != nullptr && done->rows > 0) {
      refusing_writer_->begin_piece(*done->piece);
      if (options_.skip_bad_rows) write_good(done);
    }
    for (const hub::BadRow& row : done->bad) count_bad_row(row, options_, &progress_);
    for (const hub::BadRow& row : done->misplaced) count_bad_row(row, options_, &progress_);
    done->rows -= done->misplaced.size();
    if (split_writer_ != nullptr) {
      if (done->rows > 0) split_writer_->follow(done->ends);
      if (done->batch) {
        write_draining(std::move(*done->batch));
      } else {
        split_writer_->write_encoded(done->bytes->view());
        give_buffer(std::move(done->bytes));
      }
    } else if (writer_ != nullptr && done->batch && done->rows > 0) {
      writer_->write(std::move(*done->batch));
    }
    progress_.rows += done->rows;
    report(done->how_far, /*now=*/false);
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
  std::unique_ptr<yson::Buffer> take_buffer() const {
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
  OrderedWriter* ordered_;
  /// The writer of the rows, whose order is checked here.
  hub::BatchWriter* writer_;
  SplitWriter* split_writer_;
  /// Null for other writers.
  RefusingWriter* refusing_writer_;
  /// What decodes the dictionaries of rows before the cast; nothing if they have none.
  std::optional<hub::CompiledCast> plain_;
  std::optional<hub::CompiledCast> own_cast_;
  const hub::CompiledCast* cast_;
  const hub::Schema& schema_;
  hub::Type source_type_;
  const PipelineOptions& options_;
  size_t threads_;
  /// Finished pieces that may wait for their turn.
  size_t most_waiting_;

  PatientLock input_lock_;
  uint64_t next_taken_ = 0;
  bool ended_ = false;
  std::exception_ptr take_error_;

  std::mutex output_mutex_;
  Condition has_space_;
  std::map<uint64_t, Done> waiting_;
  uint64_t next_written_ = 0;
  bool writing_ = false;
  size_t ended_threads_ = 0;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr error_;
  Progress progress_;
  Clock::time_point next_report_ = Clock::now() + kProgressInterval;

  mutable std::mutex buffers_mutex_;
  mutable std::vector<std::unique_ptr<yson::Buffer>> buffers_;
};

}  // namespace

void set_max_rejects(std::string_view text, PipelineOptions* options) {
  const Sample most = parse_sample(text);
  if (most.rows) {
    options->max_bad_rows = static_cast<uint64_t>(*most.rows);
  } else {
    options->max_bad_share = most.share;
  }
}

void count_bad_row(const hub::BadRow& row, const PipelineOptions& options, Progress* progress) {
  if (options.max_bad_rows && progress->bad_rows >= *options.max_bad_rows) {
    throw Error(ErrorCode::Input,
                fmt::format("more than {} bad rows, the last one: {}", *options.max_bad_rows,
                            row.error.message()),
                row.error.place(), row.error.hint());
  }
  if (progress->bad_rows++ == 0) progress->first_bad = std::make_shared<const Error>(row.error);
  if (options.on_bad_row) options.on_bad_row(row);
}

void check_rejects(const Progress& done, const PipelineOptions& options) {
  if (done.bad_rows == 0) return;
  const uint64_t all = done.rows + done.bad_rows;
  const auto share = static_cast<double>(done.bad_rows) / static_cast<double>(all);
  const bool is_over = options.max_bad_share && share > *options.max_bad_share;
  const bool may_reject_all = options.max_bad_share && *options.max_bad_share >= 1;
  if (may_reject_all || (done.rows > 0 && !is_over)) return;
  const std::string what = done.rows == 0
                               ? fmt::format("no row was accepted, {} rejected", done.bad_rows)
                               : fmt::format("more than {:g}% bad rows: {} of {} rejected",
                                             *options.max_bad_share * 100, done.bad_rows, all);
  const Error& first = *done.first_bad;
  throw Error(ErrorCode::Input, fmt::format("{}, the first: {}", what, first.message()),
              first.place(), first.hint());
}

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
