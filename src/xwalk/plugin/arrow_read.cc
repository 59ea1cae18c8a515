#include "xwalk/plugin/arrow_read.h"

#include <set>

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include "xwalk/plugin/memory.h"

namespace xwalk::plugin {
namespace {

/// Depth of a schema that is read; the same as the host's.
constexpr int kSchemaDepth = 256;

arrow::ipc::IpcReadOptions ipc_options(const ReadOptions& options, arrow::MemoryPool* pool) {
  auto out = arrow::ipc::IpcReadOptions::Defaults();
  out.memory_pool = pool;
  out.max_recursion_depth = kSchemaDepth;
  out.use_threads = options.threads > 1;
  // Consumers load values of their own width; a file mapped at an odd offset must not fault them.
  out.ensure_alignment = arrow::ipc::Alignment::kDataTypeSpecificAlignment;
  return out;
}

std::shared_ptr<arrow::DataType> without_rules(const std::shared_ptr<arrow::DataType>& type);

std::shared_ptr<arrow::Field> without_rules(const std::shared_ptr<arrow::Field>& field) {
  return field->WithType(without_rules(field->type()));
}

/// Returns the type of the same layout whose values may be any: the host looks at values, row by
/// row.
std::shared_ptr<arrow::DataType> without_rules(const std::shared_ptr<arrow::DataType>& type) {
  using Id = arrow::Type;
  const Id::type id = type->id();
  const auto child = [&] { return without_rules(type->field(0)); };
  if (id == Id::STRING) return arrow::binary();
  if (id == Id::LARGE_STRING) return arrow::large_binary();
  if (id == Id::STRING_VIEW) return arrow::binary_view();
  if (id == Id::TIME32) return arrow::int32();
  if (id == Id::TIME64 || id == Id::DATE64) return arrow::int64();
  if (arrow::is_decimal(id)) return arrow::fixed_size_binary(type->byte_width());
  if (id == Id::LIST) return arrow::list(child());
  if (id == Id::LARGE_LIST) return arrow::large_list(child());
  if (id == Id::LIST_VIEW) return arrow::list_view(child());
  if (id == Id::LARGE_LIST_VIEW) return arrow::large_list_view(child());
  if (id == Id::FIXED_SIZE_LIST) {
    const auto& list = static_cast<const arrow::FixedSizeListType&>(*type);
    return arrow::fixed_size_list(child(), list.list_size());
  }
  if (id == Id::MAP) {
    const auto& map = static_cast<const arrow::MapType&>(*type);
    return std::make_shared<arrow::MapType>(child(), map.keys_sorted());
  }
  if (id == Id::STRUCT || arrow::is_union(id)) {
    arrow::FieldVector fields;
    for (const auto& field : type->fields()) fields.push_back(without_rules(field));
    if (id == Id::STRUCT) return arrow::struct_(fields);
    const auto& codes = static_cast<const arrow::UnionType&>(*type).type_codes();
    return id == Id::DENSE_UNION ? arrow::dense_union(fields, codes)
                                 : arrow::sparse_union(fields, codes);
  }
  if (id == Id::RUN_END_ENCODED) {
    const auto& runs = static_cast<const arrow::RunEndEncodedType&>(*type);
    return arrow::run_end_encoded(runs.run_end_type(), without_rules(runs.value_type()));
  }
  if (id == Id::DICTIONARY) {
    const auto& dictionary = static_cast<const arrow::DictionaryType&>(*type);
    return arrow::dictionary(dictionary.index_type(), without_rules(dictionary.value_type()),
                             dictionary.ordered());
  }
  if (id == Id::EXTENSION) {
    return without_rules(static_cast<const arrow::ExtensionType&>(*type).storage_type());
  }
  return type;
}

std::shared_ptr<arrow::ArrayData> without_rules(const std::shared_ptr<arrow::ArrayData>& data,
                                                std::shared_ptr<arrow::DataType> type) {
  auto out = std::make_shared<arrow::ArrayData>(*data);
  if (out->dictionary != nullptr) {
    out->dictionary = without_rules(out->dictionary,
                                    static_cast<const arrow::DictionaryType&>(*type).value_type());
  } else {
    for (size_t i = 0; i < out->child_data.size(); ++i) {
      out->child_data[i] =
          without_rules(out->child_data[i], type->field(static_cast<int>(i))->type());
    }
  }
  out->type = std::move(type);
  return out;
}

/// Checks a batch that came from outside: offsets, indices and codes. Consumers trust them.
arrow::Status check(const arrow::RecordBatch& batch, int64_t number) {
  for (int i = 0; i < batch.num_columns(); ++i) {
    const auto& data = batch.column_data(i);
    const auto column = arrow::MakeArray(without_rules(data, without_rules(data->type)));
    arrow::Status status = column->ValidateFull();
    if (status.ok() && column->length() != batch.num_rows()) {
      status = arrow::Status::Invalid("expected ", batch.num_rows(), " values, found ",
                                      column->length());
    }
    if (status.ok()) continue;
    return status.WithMessage(batch.column_name(i), ": batch ", number, ": ", status.message());
  }
  return arrow::Status::OK();
}

/// Names and zones reach the host as texts that end at a zero byte.
arrow::Status check_texts(const arrow::FieldVector& fields) {
  for (const auto& field : fields) {
    const arrow::DataType* type = field->type().get();
    if (type->id() == arrow::Type::DICTIONARY) {
      type = static_cast<const arrow::DictionaryType&>(*type).value_type().get();
    }
    const bool zoned = type->id() == arrow::Type::TIMESTAMP;
    const std::string zone =
        zoned ? static_cast<const arrow::TimestampType&>(*type).timezone() : std::string();
    for (const std::string& text : {field->name(), zone}) {
      if (text.find('\0') == std::string::npos) continue;
      return arrow::Status::NotImplemented(
          "expected names and zones without zero bytes, found one after \"", text.c_str(), "\"");
    }
    ARROW_RETURN_NOT_OK(check_texts(type->fields()));
  }
  return arrow::Status::OK();
}

/// Names the batch that could not be read.
arrow::Result<std::shared_ptr<arrow::RecordBatch>> in_batch(
    int64_t number, arrow::Result<std::shared_ptr<arrow::RecordBatch>> read) {
  if (read.ok()) return read;
  const arrow::Status& status = read.status();
  const bool is_input = status.IsInvalid() || status.IsIOError() || status.IsIndexError();
  return status.WithMessage(
      "batch ", number,
      is_input ? ": expected rows of the schema, found bytes that Arrow refuses: " : ": ",
      status.message());
}

/// Returns the places of the columns of these names, ascending; none for all columns.
std::vector<int> fields_of(const arrow::Schema& schema, const std::vector<std::string>& names) {
  std::set<int> fields;
  for (const std::string& name : names) {
    for (const int place : schema.GetAllFieldIndices(name)) fields.insert(place);
  }
  return {fields.begin(), fields.end()};
}

class ArrowFileReader final : public Reader {
 public:
  static arrow::Result<std::unique_ptr<Reader>> open(const ReadOptions& options,
                                                     std::shared_ptr<SourceOwner> source) {
    auto self = std::make_unique<ArrowFileReader>(options, std::move(source));
    auto file = open_copies(self->source_);
    arrow::ipc::IpcReadOptions ipc = ipc_options(options, self->pool_.get());
    ARROW_ASSIGN_OR_RAISE(self->reader_, arrow::ipc::RecordBatchFileReader::Open(file, ipc));
    ARROW_RETURN_NOT_OK(check_texts(self->reader_->schema()->fields()));
    ipc.included_fields = fields_of(*self->reader_->schema(), options.columns);
    if (!ipc.included_fields.empty()) {
      ARROW_ASSIGN_OR_RAISE(self->reader_, arrow::ipc::RecordBatchFileReader::Open(file, ipc));
    }
    // Counting decodes every batch's header, but no body. Each would be a separate request.
    if (self->source_->in_memory()) {
      if (const auto rows = self->reader_->CountRows(); rows.ok()) self->rows_ = *rows;
    }
    return self;
  }

  ArrowFileReader(const ReadOptions& options, std::shared_ptr<SourceOwner> source)
      : pool_(make_limited_pool(options.max_memory)),
        source_(std::move(source)),
        cutter_(options.batch_rows) {}

  // With a selection, the reader's own schema is the selected one.
  std::shared_ptr<arrow::Schema> schema() const override { return reader_->schema(); }
  std::optional<int64_t> rows() const override { return rows_; }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() override {
    if (cutter_.empty()) {
      int total = reader_->num_record_batches();
      if (next_ == total) return nullptr;
      ARROW_ASSIGN_OR_RAISE(auto batch, in_batch(next_, reader_->ReadRecordBatch(next_)));
      ARROW_RETURN_NOT_OK(check(*batch, next_++));
      // The footer's offsets are not public: progress goes by the number of batches.
      auto size = static_cast<int64_t>(source_->get().size);
      int64_t until = size / total * next_;
      source_->consumed(reported_, until - reported_);
      reported_ = until;
      cutter_.put(std::move(batch));
    }
    return cutter_.take();
  }

 private:
  std::shared_ptr<arrow::MemoryPool> pool_;
  std::shared_ptr<SourceOwner> source_;
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
  BatchCutter cutter_;
  std::optional<int64_t> rows_;
  int next_ = 0;
  int64_t reported_ = 0;
};

class ArrowStreamReader final : public Reader {
 public:
  static arrow::Result<std::unique_ptr<Reader>> open(const ReadOptions& options,
                                                     std::shared_ptr<SourceOwner> source) {
    auto self = std::make_unique<ArrowStreamReader>(options, std::move(source));
    self->bytes_ = open_sequence(self->source_);
    arrow::ipc::IpcReadOptions ipc = ipc_options(options, self->pool_.get());
    ARROW_ASSIGN_OR_RAISE(self->reader_,
                          arrow::ipc::RecordBatchStreamReader::Open(self->bytes_, ipc));
    self->schema_ = self->reader_->schema();
    ARROW_RETURN_NOT_OK(check_texts(self->schema_->fields()));
    // The bytes have passed: columns that are not wanted are dropped from each batch.
    self->fields_ = fields_of(*self->schema_, options.columns);
    if (!self->fields_.empty()) {
      ARROW_ASSIGN_OR_RAISE(self->schema_, project(*self->schema_, self->fields_));
    }
    return self;
  }

  ArrowStreamReader(const ReadOptions& options, std::shared_ptr<SourceOwner> source)
      : pool_(make_limited_pool(options.max_memory)),
        source_(std::move(source)),
        cutter_(options.batch_rows) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  std::optional<int64_t> rows() const override { return std::nullopt; }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() override {
    if (cutter_.empty()) {
      ARROW_ASSIGN_OR_RAISE(auto batch, in_batch(next_, reader_->Next()));
      ARROW_ASSIGN_OR_RAISE(int64_t until, bytes_->Tell());
      if (source_->in_memory()) source_->consumed(reported_, until - reported_);
      reported_ = until;
      if (batch == nullptr) return nullptr;
      if (!fields_.empty()) {
        ARROW_ASSIGN_OR_RAISE(batch, batch->SelectColumns(fields_));
      }
      ARROW_RETURN_NOT_OK(check(*batch, next_++));
      cutter_.put(std::move(batch));
    }
    return cutter_.take();
  }

 private:
  static arrow::Result<std::shared_ptr<arrow::Schema>> project(const arrow::Schema& schema,
                                                               const std::vector<int>& indices) {
    arrow::FieldVector fields;
    for (int i : indices) fields.push_back(schema.field(i));
    return arrow::schema(std::move(fields), schema.metadata());
  }

  std::shared_ptr<arrow::MemoryPool> pool_;
  std::shared_ptr<SourceOwner> source_;
  std::shared_ptr<arrow::io::InputStream> bytes_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
  /// None for all.
  std::vector<int> fields_;
  BatchCutter cutter_;
  int64_t next_ = 0;
  int64_t reported_ = 0;
};

}  // namespace

arrow::Result<std::unique_ptr<Reader>> open_arrow(const ReadOptions& options,
                                                  std::shared_ptr<SourceOwner> source) {
  if (options.format == XWALK_ENGINE_ARROW_STREAM) {
    return ArrowStreamReader::open(options, std::move(source));
  }
  if (!source->reads_anywhere()) {
    return arrow::Status::Invalid(
        "an Arrow file is read from its end and needs the whole contents");
  }
  return ArrowFileReader::open(options, std::move(source));
}

}  // namespace xwalk::plugin
