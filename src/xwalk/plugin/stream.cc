#include "xwalk/plugin/stream.h"

#include <cerrno>

#include <arrow/c/bridge.h>
#include <arrow/type.h>

namespace xwalk::plugin {
namespace {

struct Stream {
  std::unique_ptr<Reader> reader;
  Failures failures;
};

Stream* self_of(ArrowArrayStream* stream) { return static_cast<Stream*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  Stream* self = self_of(stream);
  return self->failures.guard([&] { return arrow::ExportSchema(*self->reader->schema(), out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  Stream* self = self_of(stream);
  return self->failures.guard([&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(auto batch, self->reader->next());
    if (batch == nullptr) {
      out->release = nullptr;
      return arrow::Status::OK();
    }
    return arrow::ExportRecordBatch(*batch, out);
  });
}

const char* get_last_error(ArrowArrayStream* stream) { return self_of(stream)->failures.text(); }

void release(ArrowArrayStream* stream) {
  delete self_of(stream);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

}  // namespace

void make_stream(std::unique_ptr<Reader> reader, Failures failures, ArrowArrayStream* out) {
  out->private_data = new Stream{std::move(reader), std::move(failures)};
  out->get_schema = get_schema;
  out->get_next = get_next;
  out->get_last_error = get_last_error;
  out->release = release;
}

void BatchCutter::put(std::shared_ptr<arrow::RecordBatch> batch) {
  batch_ = std::move(batch);
  offset_ = 0;
}

void BatchCutter::put_back(const arrow::RecordBatch& last, int64_t rows) {
  if (batch_ == nullptr) return put(last.Slice(rows));
  offset_ -= last.num_rows() - rows;
}

std::shared_ptr<arrow::RecordBatch> BatchCutter::take() {
  if (offset_ == 0 && batch_->num_rows() <= rows_) return std::move(batch_);
  auto slice = batch_->Slice(offset_, rows_);
  offset_ += rows_;
  if (offset_ >= batch_->num_rows()) batch_ = nullptr;
  return slice;
}

}  // namespace xwalk::plugin
