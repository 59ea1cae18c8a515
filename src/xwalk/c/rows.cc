#include <atomic>
#include <cerrno>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/c/error.h"
#include "xwalk/c/report.h"
#include "xwalk/c/schema.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/io/named_options.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/row_stream.h"

namespace crosswalk = xwalk::crosswalk;
namespace hub = xwalk::hub;
namespace io = xwalk::io;
using crosswalk::System;
using xwalk::Error;
using xwalk::ErrorCode;
using xwalk::c::guard;
using xwalk::c::require;

namespace {

/// What hangs on a stream that xwalk_rows_open has made. Unlike a stream of the hub it can be taken
/// apart again, so that xwalk_rows_write decodes its pieces in all threads.
struct OpenRows {
  std::unique_ptr<io::SplitReader> reader;
  /// Where they come from.
  std::vector<std::string> files;
  System system;
  std::shared_ptr<std::atomic<int64_t>> rejected;
  /// What ended the stream, and its message.
  std::exception_ptr error;
  std::string message;
};

/// Runs what a callback of the stream does. One that failed once fails in the same way ever after.
template <typename Work>
int attempt(const ArrowArrayStream* stream, const Work& work) {
  auto* self = static_cast<OpenRows*>(stream->private_data);
  if (self->error) return EINVAL;
  try {
    work(self);
    return 0;
  } catch (const std::exception& error) {
    self->error = std::current_exception();
    self->message = error.what();
    return EINVAL;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return attempt(stream,
                 [&](OpenRows* self) { *out = hub::export_schema(self->reader->schema()).take(); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return attempt(stream, [&](OpenRows* self) {
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

/// Returns what hangs on a stream of ours; null for a stream of others, and a released one.
OpenRows* ours(const ArrowArrayStream* rows) {
  if (rows == nullptr || rows->release != release) return nullptr;
  return static_cast<OpenRows*>(rows->private_data);
}

io::NamedOptions read_options(const char* json) {
  return io::read_named_options(json == nullptr ? "" : json);
}

/// Moves rows to an output; rows that were left out before they came here count as well.
xwalk_report* write(OpenRows rows, const std::string& path, const xwalk_schema* target,
                    io::NamedOptions options) {
  const io::Format format = io::output_format(path, options.output);
  options.output.inputs = rows.files;
  const auto there =
      io::schema_to_add_to(path, options.output, rows.reader->schema(), target != nullptr);
  options.output.format = format;
  const crosswalk::AnySchema* given = target == nullptr ? nullptr : &target->value;
  const crosswalk::Plan plan = crosswalk::plan_with_consent(
      rows.system, rows.reader->schema(), io::system_of(format), there ? &*there : given,
      options.plan, options.allow_lossy, "Agree with \"allow\": \"lossy\".");
  auto writer = io::open_output(path, io::output_schema(plan), options.output);
  io::Progress moved = io::run_pipeline(*rows.reader, &plan.cast, writer.get(), options.pipeline);
  moved.bad_rows += static_cast<uint64_t>(rows.rejected->load());
  return xwalk::c::make_report(plan, path, moved);
}

/// Takes a stream of anybody.
OpenRows take(ArrowArrayStream* stream) {
  hub::StreamHandle taken = hub::StreamHandle::adopt(stream);
  if (OpenRows* open = ours(taken.get())) {
    if (open->error) std::rethrow_exception(open->error);
    return std::move(*open);
  }
  return {io::split(hub::import_stream(std::move(taken))), {},      System::Arrow,
          std::make_shared<std::atomic<int64_t>>(0),       nullptr, ""};
}

}  // namespace

extern "C" {

xwalk_code xwalk_rows_open(const char* path, const char* options, ArrowArrayStream* rows,
                           xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(rows, "a place for the stream");
    const io::InputOptions input_options = read_options(options).input;
    io::Input input = io::open_input({path}, input_options);
    auto open = std::make_unique<OpenRows>();
    open->files = io::files_read(input);
    open->system = io::system_of(input.format);
    open->rejected = std::make_shared<std::atomic<int64_t>>(0);
    open->reader = input_options.skip_bad_rows
                       ? io::leave_out_bad_rows(std::move(input.reader), open->rejected)
                       : io::refuse_bad_rows(std::move(input.reader));
    *rows = {get_schema, get_next, get_last_error, release, open.release()};
  });
}

int64_t xwalk_rows_rejected(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  return open == nullptr ? -1 : open->rejected->load();
}

xwalk_error* xwalk_rows_error(const ArrowArrayStream* rows) {
  const OpenRows* open = ours(rows);
  return open == nullptr || !open->error ? nullptr : xwalk::c::make_error(open->error);
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
    OpenRows taken = take(rows);
    xwalk_report* made = write(std::move(taken), path, target, read_options(options));
    if (report != nullptr) {
      *report = made;
    } else {
      xwalk_report_free(made);
    }
  });
}

}  // extern "C"
