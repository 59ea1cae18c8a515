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

#include "xwalk/base/word_list.h"
#include "xwalk/c/error.h"
#include "xwalk/c/report.h"
#include "xwalk/c/schema.h"
#include "xwalk/convert/check_inputs.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/convert/notes.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/verify.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
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
  explicit OpenRows(io::Dataset rows) : data(std::move(rows)) {}

  io::Dataset data;
  /// The rows that were not read yet, once reading began.
  std::unique_ptr<io::SplitReader> reader;
  /// What ended the stream, and its message.
  std::exception_ptr error;
  std::string message;
  /// Threads that share the stream take turns.
  mutable std::mutex mutex;
};

/// Runs what a callback of the stream does. One that failed once fails in the same way ever after.
template <typename Work>
int attempt(const ArrowArrayStream* stream, const Work& work) noexcept {
  auto* self = static_cast<OpenRows*>(stream->private_data);
  const std::scoped_lock lock(self->mutex);
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
  return attempt(stream,
                 [&](OpenRows* self) { *out = hub::export_schema(self->data.schema()).take(); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return attempt(stream, [&](OpenRows* self) {
    if (self->reader == nullptr) self->reader = self->data.read();
    std::optional<hub::Batch> batch = self->reader->next();
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

/// Returns the state of a stream that xwalk made; null for other streams, and a released one.
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

/// Moves rows to an output; rows that were left out before they came here count as well.
xwalk_report* write(std::unique_ptr<OpenRows> rows, const std::string& path,
                    const xwalk_schema* target, io::ConvertOptions options) {
  if (target != nullptr) io::set_output_schema(target->value, &options);
  const auto left_out = static_cast<uint64_t>(rows->data.rejected());
  if (rows->reader != nullptr) {
    io::Input rest;
    rest.format = rows->data.format();
    rest.files = rows->data.files();
    rest.file_notes = rows->data.notes();
    rest.reader = std::move(rows->reader);
    rows->data = io::Dataset(std::move(rest), rows->data.options());
  }
  std::vector<io::Converted> all = io::convert(rows->data, path, std::move(options));
  io::Converted& worst = all[io::worst_of(all)];
  worst.done = io::sum_of(all);
  worst.done.bad_rows += left_out;
  return xwalk::c::make_report(worst, path);
}

/// What the rows of a file are checked against: an output to append to, a schema, or a system.
/// Empty if only readers are checked.
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
  if (wanted) io::set_reading(*wanted, &options);
  io::InputsQuestion question;
  question.names = {path};
  question.target = wanted;
  if (append != nullptr) question.append = append;
  question.rows = (ask & XWALK_ASK_ROWS) != 0;
  question.readers = (ask & XWALK_ASK_READERS) != 0;
  question.interface = hub::Interface::Json;
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
std::unique_ptr<OpenRows> take(ArrowArrayStream* stream, const io::InputOptions& options) {
  if (OpenRows* open = ours(stream)) {
    if (open->error) std::rethrow_exception(open->error);
    *stream = {};
    return std::unique_ptr<OpenRows>(open);
  }
  return std::make_unique<OpenRows>(io::Dataset(hub::StreamHandle::adopt(stream), options));
}

}  // namespace

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
    auto opened = std::make_unique<OpenRows>(io::Dataset({path}, std::move(reading)));
    opened->data.open();
    *rows = {get_schema, get_next, get_last_error, release, opened.release()};
  });
}

int64_t xwalk_rows_rejected(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  return open == nullptr ? -1 : open->data.rejected();
}

char* xwalk_rows_notes(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  if (open == nullptr) return nullptr;
  try {
    const std::scoped_lock lock(open->mutex);
    const io::SplitReader::Notes notes =
        open->reader ? open->reader->notes() : open->data.row_notes();
    const std::string text =
        io::notes_json(open->data.notes(), notes ? notes() : hub::Findings{}, hub::Interface::Json);
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
  const std::scoped_lock lock(open->mutex);
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
    std::unique_ptr<OpenRows> taken = take(rows, writing.input);
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

xwalk_code xwalk_rows_verify(const char* path, const char* output, const xwalk_schema* target,
                             const char* key, const char* options, xwalk_report** report,
                             xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(output, "an output");
    require(static_cast<const void*>(report), "a place for the report");
    io::ConvertOptions given = read_options(options);
    if (target != nullptr) io::set_output_schema(target->value, &given);
    io::VerifyOptions how;
    how.interface = xwalk::hub::Interface::Json;
    if (key != nullptr) how.key = xwalk::split_list(key);
    *report = xwalk::c::make_report(io::verify({path}, output, std::move(given), how));
  });
}

}  // extern "C"
