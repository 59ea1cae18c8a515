#include "xwalk/plugin/nan_counts.h"

#include <memory>

#include <arrow/array.h>
#include <arrow/type.h>
#include <parquet/types.h>

namespace xwalk::plugin {
namespace {

bool is_float(const parquet::ColumnDescriptor& leaf) {
  return leaf.physical_type() == parquet::Type::FLOAT ||
         leaf.physical_type() == parquet::Type::DOUBLE ||
         (leaf.logical_type() != nullptr && leaf.logical_type()->is_float16());
}

/// Returns true for the bits of a NaN: a larger magnitude than that of infinity.
constexpr bool is_nan(uint16_t bits) { return (bits & 0x7FFF) > 0x7C00; }
constexpr bool is_nan(uint32_t bits) { return (bits & 0x7FFF'FFFF) > 0x7F80'0000; }
constexpr bool is_nan(uint64_t bits) {
  return (bits & 0x7FFF'FFFF'FFFF'FFFF) > 0x7FF0'0000'0000'0000;
}

template <typename Bits>
int64_t count(const arrow::Array& array) {
  const auto* values = array.data()->GetValues<Bits>(1);
  // The length of a block is constant, so that the compiler uses vectors.
  constexpr int64_t kBlock = 512;
  const int64_t length = array.length();
  int64_t all = 0;
  int64_t at = 0;
  for (; at + kBlock <= length; at += kBlock) {
    Bits some = 0;
    for (int64_t i = 0; i < kBlock; ++i) some += is_nan(values[at + i]) ? 1 : 0;
    all += some;
  }
  for (; at < length; ++at) all += is_nan(values[at]) ? 1 : 0;
  if (all == 0 || array.null_count() == 0) return all;
  // The bytes of a null can be anything.
  all = 0;
  for (at = 0; at < length; ++at) all += array.IsValid(at) && is_nan(values[at]) ? 1 : 0;
  return all;
}

/// Returns the values of a level below an array, those of nulls left out of lists.
arrow::Result<std::shared_ptr<arrow::Array>> below(const arrow::Array& array, int child) {
  switch (array.type_id()) {
    case arrow::Type::STRUCT:
      return static_cast<const arrow::StructArray&>(array).GetFlattenedField(child);
    case arrow::Type::LIST:
      return static_cast<const arrow::ListArray&>(array).Flatten();
    case arrow::Type::LARGE_LIST:
      return static_cast<const arrow::LargeListArray&>(array).Flatten();
    default:  // foreign enum
      return arrow::Status::NotImplemented("expected structs and lists, found ", *array.type());
  }
}

}  // namespace

NanCounts::NanCounts(const arrow::Schema& schema, const parquet::SchemaDescriptor& columns) {
  int number = 0;
  for (int i = 0; i < schema.num_fields(); ++i) {
    std::vector<int> path = {i};
    collect(*schema.field(i)->type(), columns, &path, &number);
  }
}

void NanCounts::collect(const arrow::DataType& type, const parquet::SchemaDescriptor& columns,
                        std::vector<int>* path, int* number) {
  if (!arrow::is_nested(type.id())) {
    if (is_float(*columns.Column(*number))) leaves_.push_back({*number, *path});
    ++*number;
    return;
  }
  for (int i = 0; i < type.num_fields(); ++i) {
    path->push_back(i);
    collect(*type.field(i)->type(), columns, path, number);
    path->pop_back();
  }
}

std::vector<int> NanCounts::leaves() const {
  std::vector<int> numbers;
  for (const Leaf& leaf : leaves_) numbers.push_back(leaf.number);
  return numbers;
}

arrow::Status NanCounts::add(const arrow::RecordBatch& batch) {
  int64_t* counts = counts_.data() + counts_.size() - leaves_.size();
  for (const Leaf& leaf : leaves_) {
    std::shared_ptr<arrow::Array> array = batch.column(leaf.path.front());
    for (size_t level = 1; level < leaf.path.size(); ++level) {
      ARROW_ASSIGN_OR_RAISE(array, below(*array, leaf.path[level]));
    }
    const int width = array->type()->byte_width();
    *counts++ += width == 8   ? count<uint64_t>(*array)
                 : width == 4 ? count<uint32_t>(*array)
                              : count<uint16_t>(*array);
  }
  return arrow::Status::OK();
}

std::string NanCounts::text() const {
  std::string out;
  for (const int64_t count : counts_) out += std::to_string(count) + " ";
  return out;
}

}  // namespace xwalk::plugin
