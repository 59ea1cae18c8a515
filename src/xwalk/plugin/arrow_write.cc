#include "xwalk/plugin/arrow_write.h"

#include <algorithm>
#include <cstring>

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/extension_type.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include "xwalk/plugin/dictionary_growth.h"

namespace xwalk::plugin {
namespace {

using ArrayPtr = std::shared_ptr<arrow::ArrayData>;

/// Returns whether Arrow's writer takes more of an array's buffers than it has. Of a sliced union
/// it writes the type codes, of a sliced list view the offsets and sizes, up to the next multiple
/// of 64 bytes, past the end of the buffer.
bool is_overread(const arrow::DataType& type) {
  return arrow::is_union(type.id()) || type.id() == arrow::Type::LIST_VIEW ||
         type.id() == arrow::Type::LARGE_LIST_VIEW;
}

bool holds_overread(const arrow::DataType& type) {
  if (type.id() == arrow::Type::DICTIONARY) {
    return holds_overread(*static_cast<const arrow::DictionaryType&>(type).value_type());
  }
  if (type.id() == arrow::Type::EXTENSION) {
    return holds_overread(*static_cast<const arrow::ExtensionType&>(type).storage_type());
  }
  return is_overread(type) || std::ranges::any_of(type.fields(), [](const auto& field) {
           return holds_overread(*field->type());
         });
}

/// Copies a buffer and adds the zeros that may be read past its end.
arrow::Result<std::shared_ptr<arrow::Buffer>> padded(const arrow::Buffer& buffer) {
  constexpr int64_t kReadPastEnd = 64;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> out,
                        arrow::AllocateBuffer(buffer.size() + kReadPastEnd));
  std::memcpy(out->mutable_data(), buffer.data(), static_cast<size_t>(buffer.size()));
  std::memset(out->mutable_data() + buffer.size(), 0, kReadPastEnd);
  return out;
}

/// Pads the buffers that are read too far, at every depth; arrays without any stay themselves.
/// `sliced`: a slice of an array above may leave out elements of this one.
arrow::Result<ArrayPtr> padded(const ArrayPtr& array, bool sliced) {
  if (array == nullptr || !holds_overread(*array->type)) return array;
  const bool is_sliced = sliced || array->offset != 0;
  ArrayPtr out = array;
  const auto change = [&] {
    if (out == array) out = array->Copy();
    return out.get();
  };
  for (size_t i = 1; is_sliced && is_overread(*array->type) && i < array->buffers.size(); ++i) {
    if (array->buffers[i] == nullptr) continue;
    ARROW_ASSIGN_OR_RAISE(change()->buffers[i], padded(*array->buffers[i]));
  }
  const bool below = is_sliced || array->type->id() != arrow::Type::STRUCT;
  for (size_t i = 0; i < array->child_data.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto child, padded(array->child_data[i], below));
    if (child != array->child_data[i]) change()->child_data[i] = std::move(child);
  }
  ARROW_ASSIGN_OR_RAISE(auto dictionary, padded(array->dictionary, false));
  if (dictionary != array->dictionary) change()->dictionary = std::move(dictionary);
  return out;
}

class ArrowWriter final : public Writer {
 public:
  ArrowWriter(std::shared_ptr<arrow::ipc::RecordBatchWriter> writer, const arrow::Schema& schema,
              bool dictionaries_grow)
      : writer_(std::move(writer)),
        pads_(std::ranges::any_of(
            schema.fields(), [](const auto& field) { return holds_overread(*field->type()); })),
        dictionaries_grow_(dictionaries_grow) {}

  arrow::Status write(std::shared_ptr<arrow::RecordBatch> batch) override {
    if (pads_) {
      std::vector<ArrayPtr> columns = batch->column_data();
      for (ArrayPtr& column : columns) {
        ARROW_ASSIGN_OR_RAISE(column, padded(column, false));
      }
      batch = arrow::RecordBatch::Make(batch->schema(), batch->num_rows(), std::move(columns));
    }
    if (dictionaries_grow_) {
      ARROW_ASSIGN_OR_RAISE(batch, growth_.apply(batch));
    }
    return writer_->WriteRecordBatch(*batch);
  }
  arrow::Status finish() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
  bool pads_;
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
                        options.format == XWALK_ENGINE_ARROW_FILE
                            ? arrow::ipc::MakeFileWriter(std::move(sink), schema, ipc)
                            : arrow::ipc::MakeStreamWriter(std::move(sink), schema, ipc));
  return std::make_unique<ArrowWriter>(std::move(writer), *schema,
                                       options.format == XWALK_ENGINE_ARROW_FILE);
}

}  // namespace xwalk::plugin
