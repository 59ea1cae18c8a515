#include "xwalk/plugin/arrow_write.h"

#include <arrow/ipc/writer.h>
#include <arrow/type.h>

#include "xwalk/plugin/dictionary_growth.h"

namespace xwalk::plugin {
namespace {

class ArrowWriter final : public Writer {
 public:
  ArrowWriter(std::shared_ptr<arrow::ipc::RecordBatchWriter> writer, bool dictionaries_grow)
      : writer_(std::move(writer)), dictionaries_grow_(dictionaries_grow) {}

  arrow::Status write(std::shared_ptr<arrow::RecordBatch> batch) override {
    if (dictionaries_grow_) {
      ARROW_ASSIGN_OR_RAISE(batch, growth_.apply(batch));
    }
    return writer_->WriteRecordBatch(*batch);
  }
  arrow::Status finish() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
  bool dictionaries_grow_;
  DictionaryGrowth growth_;
};

}  // namespace

arrow::Result<std::unique_ptr<Writer>> create_arrow(const WriteOptions& options,
                                                    const std::shared_ptr<arrow::Schema>& schema,
                                                    std::shared_ptr<arrow::io::OutputStream> sink) {
  auto ipc = arrow::ipc::IpcWriteOptions::Defaults();
  ipc.max_recursion_depth = 256;
  ipc.use_threads = options.threads > 1;
  // A dictionary that only grows can be written to a file, which allows no replacement.
  ipc.emit_dictionary_deltas = true;
  ARROW_ASSIGN_OR_RAISE(auto codec,
                        codec_of(options.compression, arrow::Compression::UNCOMPRESSED));
  if (codec == arrow::Compression::LZ4) codec = arrow::Compression::LZ4_FRAME;
  if (codec != arrow::Compression::UNCOMPRESSED) {
    if (codec != arrow::Compression::ZSTD && codec != arrow::Compression::LZ4_FRAME) {
      return arrow::Status::Invalid("Arrow IPC can be compressed with zstd or lz4, not with ",
                                    options.compression);
    }
    int level = options.compression_level.value_or(arrow::util::kUseDefaultCompressionLevel);
    ARROW_ASSIGN_OR_RAISE(ipc.codec, arrow::util::Codec::Create(codec, level));
  }
  ARROW_ASSIGN_OR_RAISE(auto writer,
                        options.format == Format::ArrowFile
                            ? arrow::ipc::MakeFileWriter(std::move(sink), schema, ipc)
                            : arrow::ipc::MakeStreamWriter(std::move(sink), schema, ipc));
  return std::make_unique<ArrowWriter>(std::move(writer), options.format == Format::ArrowFile);
}

}  // namespace xwalk::plugin
