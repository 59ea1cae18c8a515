#include "xwalk/plugin/writer.h"

#include <cerrno>

#include <arrow/c/bridge.h>

namespace xwalk::plugin {
namespace {

struct WriterState {
  std::unique_ptr<Writer> writer;
  std::shared_ptr<arrow::Schema> schema;
  Failures failures;
};

WriterState* self_of(XwalkEngineWriter* writer) {
  return static_cast<WriterState*>(writer->private_data);
}

int write(XwalkEngineWriter* writer, ArrowArray* batch) {
  WriterState* self = self_of(writer);
  return self->failures.guard([&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(auto imported, arrow::ImportRecordBatch(batch, self->schema));
    return self->writer->write(std::move(imported));
  });
}

int finish(XwalkEngineWriter* writer) {
  WriterState* self = self_of(writer);
  return self->failures.guard([&] { return self->writer->finish(); });
}

void release(XwalkEngineWriter* writer) {
  WriterState* self = self_of(writer);
  // Closing an unfinished Parquet writer writes a footer, which may fail or throw.
  (void)self->failures.guard([&] {
    self->writer.reset();
    return arrow::Status::OK();
  });
  delete self;
  *writer = {};
}

}  // namespace

void make_writer(std::unique_ptr<Writer> writer, std::shared_ptr<arrow::Schema> schema,
                 Failures failures, XwalkEngineWriter* out) {
  out->private_data = new WriterState{std::move(writer), std::move(schema), std::move(failures)};
  out->write = write;
  out->finish = finish;
  out->release = release;
}

arrow::Result<arrow::Compression::type> codec_of(const std::string& name,
                                                 arrow::Compression::type otherwise) {
  if (name.empty()) return otherwise;
  if (name == "none") return arrow::Compression::UNCOMPRESSED;
  if (name == "snappy") return arrow::Compression::SNAPPY;
  if (name == "zstd") return arrow::Compression::ZSTD;
  if (name == "lz4") return arrow::Compression::LZ4;
  if (name == "gzip") return arrow::Compression::GZIP;
  if (name == "brotli") return arrow::Compression::BROTLI;
  return arrow::Status::Invalid(
      "expected a compression of none, snappy, zstd, lz4, gzip or brotli, found ", name);
}

}  // namespace xwalk::plugin
