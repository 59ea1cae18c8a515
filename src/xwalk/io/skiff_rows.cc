#include "xwalk/io/skiff_rows.h"

#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/io/split_writer.h"
#include "xwalk/skiff/row_encoder.h"

namespace xwalk::io {
namespace {

/// Adds the name of the source to errors, also to those of rows that are kept.
class NamedReader final : public hub::BatchReader {
 public:
  NamedReader(std::string name, std::unique_ptr<hub::BatchReader> reader)
      : name_(std::move(name)), reader_(std::move(reader)) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::optional<hub::Batch> next() override {
    try {
      std::optional<hub::Batch> batch = reader_->next();
      if (batch) {
        for (hub::BadRow& bad : batch->bad) bad.error.place().file = name_;
      }
      return batch;
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = name_;
      throw;
    }
  }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }

 private:
  std::string name_;
  std::unique_ptr<hub::BatchReader> reader_;
};

class SkiffWriter final : public SplitWriter {
 public:
  SkiffWriter(std::unique_ptr<ByteSink> sink, const skiff::Schema& schema,
              const skiff::WriteOptions& options, SideSchema side)
      : sink_(std::move(sink)),
        options_(options),
        encoder_(schema, options),
        side_(std::move(side)) {}

  void encode(hub::Batch batch, yson::Buffer* out) const override {
    encoder_.encode(batch.array, 0, batch.rows(), batch.first_row, 0, out);
  }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  void finish() override {
    if (options_.end_of_stream) sink_->write(skiff::kEndOfStreamBytes);
    side_.prepare();
    sink_->finish();
    side_.commit();
  }
  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  skiff::WriteOptions options_;
  skiff::RowEncoder encoder_;
  SideSchema side_;
};

/// Rows that carry their number go through one thread, which counts them.
class NumberedWriter final : public hub::BatchWriter {
 public:
  NumberedWriter(std::unique_ptr<ByteSink> sink, const skiff::Schema& schema,
                 const skiff::WriteOptions& options, SideSchema side)
      : writer_(skiff::write_rows(std::move(sink), schema, options)), side_(std::move(side)) {}

  void write(hub::Batch batch) override { writer_->write(std::move(batch)); }
  void finish() override {
    side_.prepare();
    writer_->finish();
    side_.commit();
  }
  uint64_t bytes_written() const override { return writer_->bytes_written(); }

 private:
  std::unique_ptr<hub::BatchWriter> writer_;
  SideSchema side_;
};

}  // namespace

std::unique_ptr<SplitReader> read_skiff(std::unique_ptr<Source> source, const skiff::Schema& schema,
                                        const skiff::ReadOptions& options) {
  std::string name = source->name();
  return split(std::make_unique<NamedReader>(std::move(name),
                                             skiff::read_rows(std::move(source), schema, options)));
}

std::unique_ptr<hub::BatchWriter> write_skiff(std::unique_ptr<ByteSink> sink,
                                              const skiff::Schema& schema,
                                              const skiff::WriteOptions& options, SideSchema side) {
  if (skiff::RowEncoder(schema, options).has_row_index()) {
    return std::make_unique<NumberedWriter>(std::move(sink), schema, options, std::move(side));
  }
  return std::make_unique<SkiffWriter>(std::move(sink), schema, options, std::move(side));
}

}  // namespace xwalk::io
