#include "xwalk/plugin/dictionary_growth.h"

#include <cstring>
#include <limits>

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>
#include <arrow/buffer_builder.h>
#include <arrow/builder.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

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
    // No value of an empty dictionary is meant: a member of a struct that is null.
    if (data.IsNull(i) || count == 0) {
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

/// Returns how many values the indices of a type can tell apart.
int64_t index_limit(const arrow::DataType& index) {
  const int bits = index.byte_width() * 8 - (arrow::is_signed_integer(index.id()) ? 1 : 0);
  return bits > 31 ? std::numeric_limits<int32_t>::max() : int64_t{1} << bits;
}

}  // namespace

arrow::Result<std::shared_ptr<arrow::Buffer>> DictionaryGrowth::unify(const arrow::Array& more,
                                                                      Slot* slot) {
  if (more.null_count() > 0 || slot->dictionary->null_count() > 0) {
    return arrow::Status::NotImplemented("a dictionary with nulls");
  }
  // The common batch repeats its dictionary, so that the table of values is made only here.
  if (slot->unifier == nullptr) {
    ARROW_ASSIGN_OR_RAISE(slot->unifier, arrow::DictionaryUnifier::Make(more.type()));
    ARROW_RETURN_NOT_OK(slot->unifier->Unify(*slot->dictionary));
  }
  std::shared_ptr<arrow::Buffer> transposition;
  ARROW_RETURN_NOT_OK(slot->unifier->Unify(more, &transposition));
  std::shared_ptr<arrow::Array> grown;
  ARROW_RETURN_NOT_OK(slot->unifier->GetResultWithIndexType(arrow::int64(), &grown));
  if (!grown->RangeEquals(*slot->dictionary, 0, slot->dictionary->length(), 0)) {
    return arrow::Status::NotImplemented("a dictionary that repeats values");
  }
  slot->dictionary = std::move(grown);
  return transposition;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> DictionaryGrowth::append(
    const std::shared_ptr<arrow::Array>& more, Slot* slot) {
  arrow::TypedBufferBuilder<int32_t> transposition;
  for (int64_t i = 0; i < more->length(); ++i) {
    ARROW_RETURN_NOT_OK(transposition.Append(static_cast<int32_t>(slot->dictionary->length() + i)));
  }
  ARROW_ASSIGN_OR_RAISE(slot->dictionary, arrow::Concatenate({slot->dictionary, more}));
  return transposition.Finish();
}

arrow::Result<std::shared_ptr<arrow::ArrayData>> DictionaryGrowth::grow(
    const std::shared_ptr<arrow::ArrayData>& data, Slot* slot) {
  std::shared_ptr<arrow::Array> dictionary = arrow::MakeArray(data->dictionary);
  if (slot->dictionary == nullptr && dictionary->length() > 0) {
    slot->dictionary = dictionary;
    return data;
  }
  if (slot->dictionary == nullptr) {
    // A dictionary without values cannot grow in a file, so it begins with one unused value.
    ARROW_ASSIGN_OR_RAISE(auto builder, arrow::MakeBuilder(dictionary->type()));
    ARROW_RETURN_NOT_OK(builder->AppendEmptyValue());
    ARROW_ASSIGN_OR_RAISE(slot->dictionary, builder->Finish());
  }
  if (slot->dictionary->data() == data->dictionary || slot->dictionary->Equals(*dictionary)) {
    return data;
  }
  // An extension over a dictionary keeps its name. Its storage is rewritten.
  std::shared_ptr<arrow::DataType> type = data->type;
  if (type->id() == arrow::Type::EXTENSION) {
    type = static_cast<const arrow::ExtensionType&>(*type).storage_type();
  }
  const auto& encoded = static_cast<const arrow::DictionaryType&>(*type);
  std::shared_ptr<arrow::ArrayData> plain = data->Copy();
  plain->type = type;
  ARROW_ASSIGN_OR_RAISE(plain->buffers[1],
                        indices_within(*data, encoded.bit_width() / 8, dictionary->length()));
  if (dictionary->length() == 0) {
    plain->type = data->type;
    plain->dictionary = slot->dictionary->data();
    return plain;
  }
  // libarrow unifies no values that are null, repeated or nested.
  auto transposition = unify(*dictionary, slot);
  if (transposition.status().IsNotImplemented()) transposition = append(dictionary, slot);
  ARROW_RETURN_NOT_OK(transposition);
  const int64_t limit = index_limit(*encoded.index_type());
  if (slot->dictionary->length() > limit) {
    return arrow::Status::CapacityError("expected at most ", limit, " values for indices of ",
                                        encoded.index_type()->ToString(), ", found ",
                                        slot->dictionary->length(), " in the batches so far");
  }
  arrow::DictionaryArray array(plain);
  ARROW_ASSIGN_OR_RAISE(
      auto transposed, array.Transpose(type, slot->dictionary,
                                       reinterpret_cast<const int32_t*>((*transposition)->data())));
  std::shared_ptr<arrow::ArrayData> out = transposed->data()->Copy();
  out->type = data->type;
  return out;
}

}  // namespace xwalk::plugin
