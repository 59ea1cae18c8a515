#pragma once

#include <memory>
#include <vector>

#include <arrow/array/array_dict.h>
#include <arrow/record_batch.h>

namespace xwalk::plugin {

/// Makes the dictionaries of a row of batches grow only: each batch's indices are rewritten into
/// the one dictionary of all batches so far. An Arrow file allows that, but no replacement.
class DictionaryGrowth {
 public:
  /// Returns the batch with its dictionaries replaced; the same one where nothing differs.
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> apply(
      const std::shared_ptr<arrow::RecordBatch>& batch);

 private:
  /// One dictionary-encoded array in the schema, in depth-first order.
  struct Slot {
    std::unique_ptr<arrow::DictionaryUnifier> unifier;
    std::shared_ptr<arrow::Array> dictionary;
  };

  arrow::Result<std::shared_ptr<arrow::ArrayData>> visit(
      const std::shared_ptr<arrow::ArrayData>& data);
  /// Adds the values that a slot's dictionary lacks; returns what the others' indices become.
  static arrow::Result<std::shared_ptr<arrow::Buffer>> unify(const arrow::Array& more, Slot* slot);
  /// The same with all values, used or not.
  static arrow::Result<std::shared_ptr<arrow::Buffer>> append(
      const std::shared_ptr<arrow::Array>& more, Slot* slot);
  arrow::Result<std::shared_ptr<arrow::ArrayData>> grow(
      const std::shared_ptr<arrow::ArrayData>& data, Slot* slot);

  std::vector<Slot> slots_;
  size_t next_slot_ = 0;
};

}  // namespace xwalk::plugin
