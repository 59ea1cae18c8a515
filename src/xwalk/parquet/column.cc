#include <cstdlib>
#include <new>

#include "xwalk/parquet/column_internal.h"

namespace xwalk::parquet {
namespace {

constexpr size_t kAlignment = 64;

Column borrow(const ArrowArray& array, const std::shared_ptr<const void>& owner) {
  Column column;
  column.length = array.length;
  column.offset = array.offset;
  column.null_count = array.null_count;
  column.buffers.assign(array.buffers, array.buffers + array.n_buffers);
  column.owners = {owner};
  column.children.reserve(static_cast<size_t>(array.n_children));
  for (int64_t i = 0; i < array.n_children; ++i) {
    column.children.push_back(borrow(*array.children[i], owner));
  }
  if (array.dictionary != nullptr) {
    column.dictionary = std::make_shared<const Column>(borrow(*array.dictionary, owner));
  }
  return column;
}

/// What an exported array keeps alive.
struct Exported {
  std::vector<const void*> buffers;
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
};

void release(ArrowArray* array) {
  auto* kept = static_cast<Exported*>(array->private_data);
  for (ArrowArray* child : kept->child_pointers) {
    if (child->release != nullptr) child->release(child);
  }
  delete kept;
  array->release = nullptr;
}

ArrowArray export_array(Column column) {
  auto kept = std::make_unique<Exported>();
  kept->buffers = std::move(column.buffers);
  kept->owners = std::move(column.owners);
  for (Column& child : column.children) {
    kept->children.push_back(std::make_unique<ArrowArray>(export_array(std::move(child))));
    kept->child_pointers.push_back(kept->children.back().get());
  }
  ArrowArray array{};
  array.length = column.length;
  array.offset = column.offset;
  array.null_count = column.null_count;
  array.n_buffers = static_cast<int64_t>(kept->buffers.size());
  array.buffers = kept->buffers.data();
  array.n_children = static_cast<int64_t>(kept->child_pointers.size());
  array.children = kept->child_pointers.data();
  array.release = release;
  array.private_data = kept.release();
  return array;
}

}  // namespace

Column take_apart(hub::ArrayHandle array) {
  auto whole = std::make_shared<hub::ArrayHandle>(std::move(array));
  const ArrowArray& root = **whole;
  return borrow(root, whole);
}

hub::ArrayHandle put_together(Column column) {
  ArrowArray array = export_array(std::move(column));
  return hub::ArrayHandle::adopt(&array);
}

std::string_view Column::value_or_fixed(int64_t index, PhysicalType physical, int32_t width) const {
  if (physical != PhysicalType::FixedLenByteArray) return value(index);
  return {values<char>() + (offset + index) * width, static_cast<size_t>(width)};
}

std::shared_ptr<void> allocate(size_t size) {
  size_t rounded = (size + 2 * kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, std::free};
}

}  // namespace xwalk::parquet
