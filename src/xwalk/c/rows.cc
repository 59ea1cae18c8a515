#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/c/error.h"
#include "xwalk/c/report.h"
#include "xwalk/c/schema.h"
#include "xwalk/convert/check_inputs.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/convert/notes.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/row_stream.h"

namespace crosswalk = xwalk::crosswalk;
namespace hub = xwalk::hub;
namespace io = xwalk::io;
using xwalk::Error;
using xwalk::ErrorCode;
using xwalk::c::guard;
using xwalk::c::require;

namespace {

/// What hangs on a stream that xwalk_rows_open has made. Unlike a stream of the hub it can be taken
/// apart again, so that xwalk_rows_write decodes its pieces in all threads.
struct OpenRows {
  io::Input input;
  /// The file, and how it was asked to be read; "" for a stream of others.
  std::string path;
  io::InputOptions reading;
  std::set<hub::Option> given;
  bool is_begun = false;
  std::shared_ptr<std::atomic<int64_t>> rejected = std::make_shared<std::atomic<int64_t>>(0);
  /// What ended the stream, and its message.
  std::exception_ptr error;
  std::string message;
  /// Threads that share the stream take turns.
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
};

/// Runs what a callback of the stream does. One that failed once fails in the same way ever after.
template <typename Work>
int attempt(const ArrowArrayStream* stream, const Work& work) noexcept {
  auto* self = static_cast<OpenRows*>(stream->private_data);
  const std::scoped_lock lock(*self->mutex);
  if (self->error) return EINVAL;
  try {
    work(self);
    return 0;
  } catch (const std::exception& error) {
    self->error = std::current_exception();
    try {
      self->message = error.what();
    } catch (const std::bad_alloc&) {
      self->message.clear();
    }
    return EINVAL;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return attempt(stream, [&](OpenRows* self) {
    *out = hub::export_schema(self->input.reader->schema()).take();
  });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return attempt(stream, [&](OpenRows* self) {
    self->is_begun = true;
    std::optional<hub::Batch> batch = self->input.reader->next();
    *out = batch ? hub::export_array(batch->array).take() : ArrowArray{};
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  return static_cast<OpenRows*>(stream->private_data)->message.c_str();
}

void release(ArrowArrayStream* stream) {
  delete static_cast<OpenRows*>(stream->private_data);
  *stream = {};
}

/// Returns what hangs on a stream of ours; null for a stream of others, and a released one.
OpenRows* ours(const ArrowArrayStream* rows) {
  if (rows == nullptr || rows->release != release) return nullptr;
  return static_cast<OpenRows*>(rows->private_data);
}

io::ConvertOptions read_options(const char* json) {
  // As the program: engines run with the interpreter that the person names.
  [[maybe_unused]] static const bool named = [] {
    const char* python = std::getenv("XWALK_PYTHON");
    if (python != nullptr) io::set_engine_interpreter(python);
    return python != nullptr;
  }();
  return io::read_named_options(json == nullptr ? "" : json);
}

void open(const io::InputOptions& reading, OpenRows* rows) {
  rows->input = io::open_input({rows->path}, reading);
  std::unique_ptr<io::SplitReader>& reader = rows->input.reader;
  reader = reading.skip_bad_rows ? io::leave_out_bad_rows(std::move(reader), rows->rejected)
                                 : io::refuse_bad_rows(std::move(reader));
}

/// Opens a file again as a conversion to an output reads it, which may hold more of it than Arrow.
void open_for(const std::string& output, io::ConvertOptions* options, OpenRows* rows) {
  options->output.format = io::output_format(output, options->output);
  io::settle_open(rows->input.format, rows->given, *options->output.format, options);
  if (rows->path.empty() || rows->path == "-" || rows->is_begun) return;
  options->input = rows->reading;
  io::settle_reading((*options->output.format)->system, options);
  if (!io::reads_as_settled(rows->reading, options->input)) open(options->input, rows);
}

/// Moves rows to an output; rows that were left out before they came here count as well.
xwalk_report* write(OpenRows rows, const std::string& path, const xwalk_schema* target,
                    io::ConvertOptions options) {
  if (target != nullptr) io::set_output_schema(target->value, &options);
  const bool by_path = !rows.path.empty() && rows.path != "-" && !rows.is_begun;
  if (path.ends_with('/') && by_path) {
    io::settle_open(rows.input.format, rows.given, io::output_format(path, options.output),
                    &options);
    options.input = rows.reading;
    std::vector<io::Converted> all = io::convert({rows.path}, path, std::move(options));
    io::Converted& worst = all[io::worst_of(all)];
    worst.done = io::sum_of(all);
    return xwalk::c::make_report(worst, path);
  }
  open_for(path, &options, &rows);
  io::Converted converted = io::convert(std::move(rows.input), path, std::move(options));
  converted.done.bad_rows += static_cast<uint64_t>(rows.rejected->load());
  return xwalk::c::make_report(converted, path);
}

/// What the rows of a file are checked against: an output that they would be added to, a schema, or
/// a system; nothing where readers alone are asked.
struct Against {
  const char* append = nullptr;
  const xwalk_schema* target = nullptr;
  const char* system = nullptr;
};

xwalk_report* check(const std::string& path, const Against& against, io::ConvertOptions options,
                    unsigned ask) {
  const auto& [append, target, system] = against;
  std::optional<crosswalk::System> wanted;
  if (append != nullptr) {
    wanted = io::set_addition(append, &options);
  } else if (target != nullptr) {
    io::set_output_schema(target->value, &options);
    wanted = target->system;
  } else if (system != nullptr) {
    wanted = io::set_target(system, &options);
  }
  if (wanted) io::settle_reading(*wanted, &options);
  io::InputsQuestion question;
  question.names = {path};
  question.target = wanted;
  if (append != nullptr) question.append = append;
  question.rows = (ask & XWALK_ASK_ROWS) != 0;
  question.readers = (ask & XWALK_ASK_READERS) != 0;
  question.door = hub::Door::Json;
  const io::CheckedInputs found = io::check_inputs(question, options);
  return found.is_one() ? xwalk::c::make_report(found.tables.front().check)
                        : xwalk::c::make_report(found.set());
}

void check_flags(unsigned ask) {
  constexpr unsigned kAll = XWALK_ASK_ROWS | XWALK_ASK_READERS;
  if ((ask & ~kAll) == 0) return;
  throw Error(ErrorCode::Usage, fmt::format("expected flags up to {}, found {}", kAll, ask));
}

/// Takes over a stream of any producer.
OpenRows take(ArrowArrayStream* stream, bool annotations) {
  hub::StreamHandle taken = hub::StreamHandle::adopt(stream);
  if (OpenRows* open = ours(taken.get())) {
    if (open->error) std::rethrow_exception(open->error);
    return std::move(*open);
  }
  OpenRows foreign;
  foreign.input = io::open_input(std::move(taken), annotations);
  return foreign;
}

}  // namespace

extern "C" {

xwalk_code xwalk_rows_open(const char* path, const char* options, ArrowArrayStream* rows,
                           xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(rows, "a place for the stream");
    auto opened = std::make_unique<OpenRows>();
    opened->path = path;
    opened->reading = read_options(options).input;
    opened->given = opened->reading.given;
    // The same options may be meant for xwalk_rows_write.
    std::erase_if(opened->reading.given,
                  [](hub::Option option) { return !io::taken_by(option).written.empty(); });
    open(opened->reading, opened.get());
    *rows = {get_schema, get_next, get_last_error, release, opened.release()};
  });
}

int64_t xwalk_rows_rejected(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  return open == nullptr ? -1 : open->rejected->load();
}

char* xwalk_rows_notes(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  if (open == nullptr) return nullptr;
  try {
    const std::scoped_lock lock(*open->mutex);
    const std::string text =
        io::notes_json(open->input.file_notes, io::notes_of(*open->input.reader), hub::Door::Json);
    auto copy = std::make_unique<char[]>(text.size() + 1);
    std::memcpy(copy.get(), text.c_str(), text.size() + 1);
    return copy.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

xwalk_error* xwalk_rows_error(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  if (open == nullptr) return nullptr;
  const std::scoped_lock lock(*open->mutex);
  return open->error ? xwalk::c::make_error(open->error) : nullptr;
}

xwalk_code xwalk_rows_write(ArrowArrayStream* rows, const char* path, const xwalk_schema* target,
                            const char* options, xwalk_report** report, xwalk_error** error) {
  return guard(error, [&] {
    require(rows, "rows");
    require(path, "a path");
    if (rows->release == nullptr) {
      throw Error(ErrorCode::Usage, "expected rows, found a stream that was taken or released", {},
                  "Open the input again.");
    }
    io::ConvertOptions writing = read_options(options);
    OpenRows taken = take(rows, writing.plan.annotations);
    xwalk_report* made = write(std::move(taken), path, target, std::move(writing));
    if (report != nullptr) {
      *report = made;
    } else {
      xwalk_report_free(made);
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
    *report = check(path, {.target = target, .system = system}, read_options(options), ask);
  });
}

xwalk_code xwalk_rows_check_append(const char* path, const char* output, const char* options,
                                   unsigned ask, xwalk_report** report, xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(output, "an output");
    check_flags(ask);
    require(static_cast<const void*>(report), "a place for the report");
    *report = check(path, {.append = output}, read_options(options), ask);
  });
}

}  // extern "C"
