#include "xwalk/plugin/dictionary_growth.h"

#include <cstring>

#include <arrow/array.h>
#include <arrow/array/util.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>

namespace xwalk::plugin {

arrow::Result<std::shared_ptr<arrow::RecordBatch>> DictionaryGrowth::apply(
    const std::shared_ptr<arrow::RecordBatch>& batch) {
  next_slot_ = 0;
  bool changed = false;
  std::vector<std::shared_ptr<arrow::ArrayData>> columns = batch->column_data();
  for (std::shared_ptr<arrow::ArrayData>& column : columns) {
    ARROW_ASSIGN_OR_RAISE(auto grown, visit(column));
    changed = changed || grown != column;
    column = std::move(grown);
  }
  if (!changed) return batch;
  return arrow::RecordBatch::Make(batch->schema(), batch->num_rows(), std::move(columns));
}

arrow::Result<std::shared_ptr<arrow::ArrayData>> DictionaryGrowth::visit(
    const std::shared_ptr<arrow::ArrayData>& data) {
  if (data->dictionary != nullptr) {
    if (next_slot_ == slots_.size()) slots_.emplace_back();
    return grow(data, &slots_[next_slot_++]);
  }
  std::shared_ptr<arrow::ArrayData> out = data;
  for (size_t i = 0; i < data->child_data.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto child, visit(data->child_data[i]));
    if (child == data->child_data[i]) continue;
    if (out == data) out = data->Copy();
    out->child_data[i] = std::move(child);
  }
  return out;
}

namespace {

/// Returns the indices of an array with zeros under its nulls, where there may be anything:
/// Transpose looks each of them up.
arrow::Result<std::shared_ptr<arrow::Buffer>> indices_within(const arrow::ArrayData& data,
                                                             int width, int64_t count) {
  const int64_t end = data.offset + data.length;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> out,
                        data.buffers[1]->CopySlice(0, end * width));
  uint8_t* bytes = out->mutable_data();
  for (int64_t i = 0; i < data.length; ++i) {
    uint8_t* at = bytes + (data.offset + i) * width;
    if (data.IsNull(i)) {
      std::memset(at, 0, static_cast<size_t>(width));
      continue;
    }
    uint64_t index = 0;
    std::memcpy(&index, at, static_cast<size_t>(width));
    if (index >= static_cast<uint64_t>(count)) {
      return arrow::Status::IndexError("expected an index below ", count,
                                       " in a dictionary, found ", index);
    }
  }
  return out;
}

}  // namespace

arrow::Result<std::shared_ptr<arrow::ArrayData>> DictionaryGrowth::grow(
    const std::shared_ptr<arrow::ArrayData>& data, Slot* slot) {
  std::shared_ptr<arrow::Array> dictionary = arrow::MakeArray(data->dictionary);
  if (slot->dictionary == nullptr) {
    slot->dictionary = dictionary;
    return data;
  }
  if (slot->dictionary->data() == data->dictionary || slot->dictionary->Equals(*dictionary)) {
    return data;
  }
  // The common batch repeats its dictionary, so that the table of values is made only here.
  if (slot->unifier == nullptr) {
    ARROW_ASSIGN_OR_RAISE(slot->unifier, arrow::DictionaryUnifier::Make(dictionary->type()));
    ARROW_RETURN_NOT_OK(slot->unifier->Unify(*slot->dictionary));
  }
  std::shared_ptr<arrow::Buffer> transposition;
  ARROW_RETURN_NOT_OK(slot->unifier->Unify(*dictionary, &transposition));
  // An extension over a dictionary keeps its name; its storage is what is rewritten.
  std::shared_ptr<arrow::DataType> type = data->type;
  if (type->id() == arrow::Type::EXTENSION) {
    type = static_cast<const arrow::ExtensionType&>(*type).storage_type();
  }
  const auto& encoded = static_cast<const arrow::DictionaryType&>(*type);
  ARROW_RETURN_NOT_OK(
      slot->unifier->GetResultWithIndexType(encoded.index_type(), &slot->dictionary));
  std::shared_ptr<arrow::ArrayData> plain = data->Copy();
  plain->type = type;
  ARROW_ASSIGN_OR_RAISE(plain->buffers[1],
                        indices_within(*data, encoded.bit_width() / 8, dictionary->length()));
  arrow::DictionaryArray array(plain);
  ARROW_ASSIGN_OR_RAISE(auto transposed,
                        array.Transpose(type, slot->dictionary,
                                        reinterpret_cast<const int32_t*>(transposition->data())));
  std::shared_ptr<arrow::ArrayData> out = transposed->data()->Copy();
  out->type = data->type;
  return out;
}

}  // namespace xwalk::plugin
