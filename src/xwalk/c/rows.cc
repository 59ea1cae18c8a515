#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/word_list.h"
#include "xwalk/c/error.h"
#include "xwalk/c/report.h"
#include "xwalk/c/schema.h"
#include "xwalk/convert/facade.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/stream_failure.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/rows/row_stream.h"

namespace hub = xwalk::hub;
namespace io = xwalk::io;
using xwalk::Error;
using xwalk::ErrorCode;
using xwalk::c::guard;
using xwalk::c::require;

namespace {

/// What hangs on a stream that xwalk_rows_open has made. Unlike a stream of the hub it can be taken
/// apart again, so that xwalk_rows_write decodes its pieces in all threads. It is shared with
/// watches.
struct OpenRows {
  explicit OpenRows(io::Dataset rows) : data(std::move(rows)) {}

  /// The rows; empty once they were written or the stream was released.
  std::optional<io::Dataset> data;
  /// The rows that were not read yet, once reading began.
  std::unique_ptr<io::SplitReader> reader;
  hub::StreamFailure failure;
  /// What the rows had said when they were given up.
  int64_t rejected = 0;
  std::string notes;
  /// Threads that share the stream take turns.
  std::mutex mutex;

  std::string current_notes() const {
    return data ? data->notes_json(hub::Interface::Json) : notes;
  }
  int64_t current_rejected() const { return data ? data->rejected() : rejected; }
  /// Gives the rows up, and keeps what they have said.
  std::optional<io::Dataset> give_up() {
    rejected = current_rejected();
    notes = current_notes();
    return std::exchange(data, std::nullopt);
  }
};
using SharedRows = std::shared_ptr<OpenRows>;

/// Runs what a callback of a stream does.
template <typename Work>
int attempt(const ArrowArrayStream* stream, const Work& work) noexcept {
  OpenRows* self = static_cast<SharedRows*>(stream->private_data)->get();
  const std::scoped_lock lock(self->mutex);
  try {
    return work(self);
  } catch (...) {
    return self->failure.keep();
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return attempt(stream, [&](OpenRows* self) {
    if (self->failure.code() == 0) *out = hub::export_schema(self->data->schema()).take();
    return self->failure.code();
  });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return attempt(stream, [&](OpenRows* self) {
    const std::optional<int> failed = self->failure.answer();
    if (failed.value_or(0) != 0) return *failed;
    *out = ArrowArray{};
    if (failed) return 0;
    if (self->reader == nullptr) self->reader = self->data->read();
    if (std::optional<hub::Batch> batch = self->reader->next()) {
      *out = hub::export_rows(self->reader->schema(), std::move(batch->array)).take();
    }
    return 0;
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  return (*static_cast<SharedRows*>(stream->private_data))->failure.text();
}

void release(ArrowArrayStream* stream) {
  const std::unique_ptr<SharedRows> rows(static_cast<SharedRows*>(stream->private_data));
  *stream = {};
  const std::scoped_lock lock((*rows)->mutex);
  try {
    (*rows)->give_up();
  } catch (...) {  // the notes are lost
    (*rows)->data.reset();
  }
  (*rows)->reader.reset();
}

/// Returns the state of a stream that xwalk made; null for other streams, and a released one.
SharedRows ours(const ArrowArrayStream* rows) {
  if (rows == nullptr || rows->release != release) return nullptr;
  return *static_cast<const SharedRows*>(rows->private_data);
}

int64_t rejected_of(OpenRows* open) {
  if (open == nullptr) return -1;
  const std::scoped_lock lock(open->mutex);
  return open->current_rejected();
}

char* notes_of(OpenRows* open) {
  if (open == nullptr) return nullptr;
  try {
    const std::scoped_lock lock(open->mutex);
    const std::string text = open->current_notes();
    auto copy = std::make_unique<char[]>(text.size() + 1);
    std::memcpy(copy.get(), text.c_str(), text.size() + 1);
    return copy.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

xwalk_error* error_of(OpenRows* open) {
  if (open == nullptr) return nullptr;
  const std::scoped_lock lock(open->mutex);
  return open->failure.error() ? xwalk::c::make_error(open->failure.error()) : nullptr;
}

io::ConvertOptions read_options(const char* json) {
  // As the program: engines run with the interpreter that the person names.
  [[maybe_unused]] static const bool named = (io::use_interpreter_of_environment(), true);
  return io::read_named_options(json == nullptr ? "" : json);
}

/// Moves rows to an output. Rows that the begun stream leaves out count too, before and now.
xwalk_report* write(OpenRows& rows, const std::string& path, const xwalk_schema* target,
                    io::ConvertOptions options) {
  if (target != nullptr) io::set_output_schema(target->schema.schema, &options);
  std::unique_lock lock(rows.mutex);
  std::unique_ptr<io::SplitReader> begun = std::move(rows.reader);
  io::Dataset given = *rows.give_up();
  lock.unlock();
  std::optional<io::Dataset> rest;
  if (begun != nullptr) {
    io::Input input;
    input.format = given.format();
    input.files = given.files();
    input.file_notes = given.notes();
    input.reader = std::move(begun);
    rest.emplace(std::move(input), given.options());
  }
  std::vector<io::Converted> all = io::convert(rest ? *rest : given, path, std::move(options));
  io::Converted& worst = all[io::worst_of(all)];
  worst.done = io::sum_of(all);
  worst.done.bad_rows += static_cast<uint64_t>(given.rejected());
  lock.lock();
  rows.rejected = static_cast<int64_t>(worst.done.bad_rows);
  lock.unlock();
  return xwalk::c::make_report(io::report_on(std::move(worst), path, hub::Interface::Json));
}

xwalk_report* check(const std::string& path, const io::Against& against, const char* options,
                    unsigned ask) {
  return xwalk::c::make_report(
      io::check({path}, std::nullopt, against,
                {.rows = (ask & XWALK_ASK_ROWS) != 0, .readers = (ask & XWALK_ASK_READERS) != 0},
                read_options(options)));
}

void check_flags(unsigned ask) {
  constexpr unsigned kAll = XWALK_ASK_ROWS | XWALK_ASK_READERS;
  if ((ask & ~kAll) == 0) return;
  throw Error(ErrorCode::Usage, fmt::format("expected flags up to {}, found {}", kAll, ask));
}

/// Takes over a stream of any producer.
SharedRows take(ArrowArrayStream* stream, const io::InputOptions& options) {
  if (SharedRows open = ours(stream)) {
    const std::scoped_lock lock(open->mutex);
    if (open->failure.error()) std::rethrow_exception(open->failure.error());
    delete static_cast<SharedRows*>(stream->private_data);
    *stream = {};
    return open;
  }
  return std::make_shared<OpenRows>(io::Dataset(hub::StreamHandle::adopt(stream), options));
}

}  // namespace

struct xwalk_watch {
  SharedRows rows;
};

extern "C" {

xwalk_code xwalk_rows_open(const char* path, const char* options, ArrowArrayStream* rows,
                           xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(rows, "a place for the stream");
    io::InputOptions reading = read_options(options).input;
    // The same options may be meant for xwalk_rows_write.
    std::erase_if(reading.given,
                  [](hub::Option option) { return !io::taken_by(option).written.empty(); });
    auto opened = std::make_unique<SharedRows>(
        std::make_shared<OpenRows>(io::Dataset({path}, std::move(reading))));
    (*opened)->data->open();
    *rows = {get_schema, get_next, get_last_error, release, opened.release()};
  });
}

int64_t xwalk_rows_rejected(const ArrowArrayStream* rows) { return rejected_of(ours(rows).get()); }

char* xwalk_rows_notes(const ArrowArrayStream* rows) { return notes_of(ours(rows).get()); }

xwalk_error* xwalk_rows_error(const ArrowArrayStream* rows) { return error_of(ours(rows).get()); }

xwalk_watch* xwalk_rows_watch(const ArrowArrayStream* rows) {
  SharedRows open = ours(rows);
  return open == nullptr ? nullptr : new (std::nothrow) xwalk_watch{std::move(open)};
}

int64_t xwalk_watch_rejected(const xwalk_watch* watch) {
  return rejected_of(watch == nullptr ? nullptr : watch->rows.get());
}

char* xwalk_watch_notes(const xwalk_watch* watch) {
  return notes_of(watch == nullptr ? nullptr : watch->rows.get());
}

xwalk_error* xwalk_watch_error(const xwalk_watch* watch) {
  return error_of(watch == nullptr ? nullptr : watch->rows.get());
}

void xwalk_watch_free(xwalk_watch* watch) { delete watch; }

xwalk_code xwalk_rows_write(ArrowArrayStream* rows, const char* path, const xwalk_schema* target,
                            const char* options, xwalk_report** report, xwalk_error** error) {
  return guard(error, [&] {
    require(rows, "rows");
    require(path, "a path");
    if (rows->release == nullptr) {
      throw Error(ErrorCode::Usage, "expected rows, found a stream that was taken or released", {},
                  "Open the input again.");
    }
    try {
      io::ConvertOptions writing = read_options(options);
      const SharedRows taken = take(rows, writing.input);
      xwalk_report* made = write(*taken, path, target, std::move(writing));
      if (report != nullptr) {
        *report = made;
      } else {
        xwalk_report_free(made);
      }
    } catch (...) {
      // Whatever fails, the rows are consumed.
      if (rows->release != nullptr) rows->release(rows);
      throw;
    }
  });
}

xwalk_code xwalk_rows_check(const char* path, const char* system, const xwalk_schema* target,
                            const char* options, unsigned ask, xwalk_report** report,
                            xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    if (target == nullptr && (ask & XWALK_ASK_READERS) == 0) {
      require(system, "a system or a schema");
    }
    check_flags(ask);
    require(static_cast<const void*>(report), "a place for the report");
    io::Against against;
    if (target != nullptr) {
      against = target->schema.schema;
    } else if (system != nullptr) {
      against = std::string(system);
    }
    *report = check(path, against, options, ask);
  });
}

xwalk_code xwalk_rows_check_append(const char* path, const char* output, const char* options,
                                   unsigned ask, xwalk_report** report, xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(output, "an output");
    check_flags(ask);
    require(static_cast<const void*>(report), "a place for the report");
    *report = check(path, io::Addition{output}, options, ask);
  });
}

xwalk_code xwalk_rows_verify(const char* path, const char* output, const xwalk_schema* target,
                             const char* key, const char* options, xwalk_report** report,
                             xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(output, "an output");
    require(static_cast<const void*>(report), "a place for the report");
    io::ConvertOptions given = read_options(options);
    if (target != nullptr) io::set_output_schema(target->schema.schema, &given);
    io::VerifyOptions how;
    if (key != nullptr) how.key = xwalk::split_list(key);
    *report = xwalk::c::make_report({io::verify({path}, output, std::move(given), how), {}});
  });
}

}  // extern "C"
