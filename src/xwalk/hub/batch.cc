#include "xwalk/hub/batch.h"

#include <mutex>

#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/stream_failure.h"
#include "xwalk/hub/stream_lock.h"

namespace xwalk::hub {
namespace {

/// The private_data of a stream made by export_stream. Threads that share the stream take turns.
struct ExportedStream {
  std::unique_ptr<BatchReader> reader;
  StreamFailure failure;
  std::mutex mutex;
};

/// Runs a callback of a stream that has not failed.
template <typename Work>
int attempt(ArrowArrayStream* stream, const Work& work) noexcept {
  auto* self = static_cast<ExportedStream*>(stream->private_data);
  lock_stream.load()(self->mutex);
  const std::scoped_lock lock(std::adopt_lock, self->mutex);
  try {
    return work(self);
  } catch (...) {
    return self->failure.keep();
  }
}

int stream_get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return attempt(stream, [&](ExportedStream* self) {
    if (self->failure.code() == 0) *out = export_schema(self->reader->schema()).take();
    return self->failure.code();
  });
}

int stream_get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return attempt(stream, [&](ExportedStream* self) {
    const std::optional<int> failed = self->failure.answer();
    if (failed.value_or(0) != 0) return *failed;
    *out = ArrowArray{};
    if (failed) return 0;
    std::optional<Batch> batch = self->reader->next();
    if (batch && !batch->bad.empty()) throw batch->bad.front().error;
    if (batch) *out = export_rows(self->reader->schema(), std::move(batch->array)).take();
    return 0;
  });
}

const char* stream_get_last_error(ArrowArrayStream* stream) {
  return static_cast<ExportedStream*>(stream->private_data)->failure.text();
}

void stream_release(ArrowArrayStream* stream) {
  delete static_cast<ExportedStream*>(stream->private_data);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

class ImportedStream final : public BatchReader {
 public:
  explicit ImportedStream(StreamHandle stream) : stream_(std::move(stream)) {
    SchemaHandle schema;
    check(stream_->get_schema(stream_.get(), schema.get()));
    schema_ = import_schema(*schema);
    type_ = struct_(schema_.fields);
  }

  const Schema& schema() const override { return schema_; }

  std::optional<Batch> next() override {
    ArrayHandle array;
    check(stream_->get_next(stream_.get(), array.get()));
    if (!array) return std::nullopt;
    Batch batch;
    batch.array = import_array(std::move(array), type_);
    batch.first_row = rows_;
    rows_ += batch.rows();
    return batch;
  }

 private:
  void check(int code) {
    if (code == 0) return;
    rethrow_stream_error(*stream_);
    const char* text = stream_->get_last_error(stream_.get());
    throw Error(ErrorCode::Input,
                text != nullptr && *text != '\0'
                    ? text
                    : "the Arrow stream failed with errno " + std::to_string(code));
  }

  StreamHandle stream_;
  Schema schema_;
  Type type_;
  int64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<BatchReader> import_stream(StreamHandle stream) {
  return std::make_unique<ImportedStream>(std::move(stream));
}

StreamHandle export_stream(std::unique_ptr<BatchReader> reader) {
  StreamHandle handle;
  handle->get_schema = stream_get_schema;
  handle->get_next = stream_get_next;
  handle->get_last_error = stream_get_last_error;
  auto exported = std::make_unique<ExportedStream>();
  exported->reader = std::move(reader);
  handle->private_data = exported.release();
  handle->release = stream_release;
  return handle;
}

void rethrow_stream_error(const ArrowArrayStream& stream) {
  if (stream.release != stream_release) return;
  const auto* self = static_cast<const ExportedStream*>(stream.private_data);
  if (self->failure.error()) std::rethrow_exception(self->failure.error());
}

Batch::Batch() = default;
Batch::Batch(const Batch&) = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(const Batch&) = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

}  // namespace xwalk::hub
