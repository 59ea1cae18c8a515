#include "xwalk/hub/builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <new>

#include "xwalk/base/batch_memory.h"
#include "xwalk/base/error.h"

namespace xwalk::hub {
namespace {

/// Buffers of 32-bit offsets end here.
constexpr size_t kMaxBytes = std::numeric_limits<int32_t>::max();

/// The memory of a finished level: it goes back to the pool with the last array that shares it.
class Memory {
 public:
  explicit Memory(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}
  ~Memory() {
    for (size_t i = 0; i < count_; ++i) {
      if (pool_ != nullptr) {
        pool_->give(blocks_[i].first, blocks_[i].second);
      } else {
        std::free(blocks_[i].first);
      }
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Takes over a block from malloc, which may be null.
  void add(void* block, size_t size) { blocks_[count_++] = {block, size}; }

 private:
  std::shared_ptr<BufferPool> pool_;
  std::array<std::pair<void*, size_t>, 3> blocks_{};
  size_t count_ = 0;
};

[[noreturn]] void refuse(const Field& field) {
  throw Error(ErrorCode::Unsupported,
              "expected a type with plain layout, found " + to_string(field.type));
}

/// Counts zero bits of [from, to).
int64_t count_zeroes(const uint8_t* bits, int64_t from, int64_t to) {
  int64_t zeroes = 0;
  for (int64_t i = from; i < to; ++i) zeroes += ((bits[i >> 3] >> (i & 7)) & 1) ^ 1;
  return zeroes;
}

/// Clears bits of [from, to).
void clear_bits(uint8_t* bits, int64_t from, int64_t to) {
  const auto clear = [&](int64_t i) {
    bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] & ~(1u << (i & 7)));
  };
  for (; from < to && (from & 7) != 0; ++from) clear(from);
  const int64_t whole = (to - from) / 8;
  std::memset(bits + from / 8, 0, static_cast<size_t>(whole));
  for (from += whole * 8; from < to; ++from) clear(from);
}

/// Loads eight bytes, the first lowest.
uint64_t load_eight(const uint8_t* bytes) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= uint64_t{bytes[i]} << (8 * i);
  return word;
}

/// Packs eight bytes of 0 or 1 into one, the first lowest.
uint8_t pack_eight(uint64_t bytes) {
  // Each product bit that lands in the top byte comes from exactly one of the eight.
  return static_cast<uint8_t>((bytes * 0x0102040810204080u) >> 56);
}

/// Adds eight bytes of 0 or 1.
int64_t sum_eight(uint64_t bytes) {
  return static_cast<int64_t>((bytes * 0x0101010101010101u) >> 56);
}

}  // namespace

BufferPool::~BufferPool() {
  for (const Block& block : blocks_) std::free(block.memory);
}

void* BufferPool::take(size_t size) {
  std::lock_guard lock(mutex_);
  size_t best = blocks_.size();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    // Much larger blocks are left for those who need them.
    if (blocks_[i].size < size || blocks_[i].size > 2 * size) continue;
    if (best == blocks_.size() || blocks_[i].size < blocks_[best].size) best = i;
  }
  if (best == blocks_.size()) return nullptr;
  void* memory = blocks_[best].memory;
  bytes_ -= blocks_[best].size;
  blocks_[best] = blocks_.back();
  blocks_.pop_back();
  return memory;
}

void BufferPool::give(void* memory, size_t size) {
  if (memory == nullptr) return;
  {
    std::lock_guard lock(mutex_);
    if (blocks_.size() < kMostBlocks && bytes_ + size <= kMostBytes) {
      blocks_.push_back({memory, size});
      bytes_ += size;
      return;
    }
  }
  std::free(memory);
}

template <typename T>
void ColumnBuilder::resize(T** memory, size_t bytes) {
  // guard(allocate): The values of a batch have a memory limit, which their thread counts.
  take_batch_memory(bytes);
  void* grown = *memory == nullptr && pool_ != nullptr ? pool_->take(bytes) : nullptr;
  if (grown == nullptr) grown = std::realloc(*memory, bytes);
  if (grown == nullptr) throw std::bad_alloc();
  *memory = static_cast<T*>(grown);
}

ColumnBuilder::ColumnBuilder(const Field& field, std::shared_ptr<BufferPool> pool)
    : pool_(std::move(pool)), nullable_(field.nullable) {
  const Type& type = field.type;
  const Kind kind = type.kind();
  if (const std::optional<int> bits = fixed_bits(type); bits && *bits % 8 == 0) {
    layout_ = Layout::Fixed;
    width_ = *bits / 8;
    return;
  }
  if (kind == Kind::Null || kind == Kind::Bool || kind == Kind::Utf8 || kind == Kind::Binary) {
    layout_ = kind == Kind::Null ? Layout::Null : kind == Kind::Bool ? Layout::Bits : Layout::Bytes;
    return;
  }
  if (kind == Kind::List || kind == Kind::Map) {
    layout_ = Layout::List;
    children_.emplace_back(type.child(), pool_);
    return;
  }
  if (kind == Kind::Struct) {
    layout_ = Layout::Struct;
  } else if (kind == Kind::DenseUnion) {
    layout_ = Layout::Union;
    for (int8_t code : type.type_codes()) type_codes_.push_back(static_cast<uint8_t>(code));
  } else {
    refuse(field);
  }
  children_.reserve(type.children().size());
  for (const Field& child : type.children()) children_.emplace_back(child, pool_);
}

ColumnBuilder::ColumnBuilder(ColumnBuilder&& other) noexcept
    : pool_(std::move(other.pool_)),
      layout_(other.layout_),
      nullable_(other.nullable_),
      width_(other.width_),
      length_(other.length_),
      capacity_(std::exchange(other.capacity_, 0)),
      null_count_(other.null_count_),
      validity_(std::exchange(other.validity_, nullptr)),
      values_(std::exchange(other.values_, nullptr)),
      offsets_(std::exchange(other.offsets_, nullptr)),
      bytes_(std::exchange(other.bytes_, nullptr)),
      bytes_size_(other.bytes_size_),
      bytes_capacity_(std::exchange(other.bytes_capacity_, 0)),
      rows_hint_(other.rows_hint_),
      bytes_hint_(other.bytes_hint_),
      children_(std::move(other.children_)),
      type_codes_(std::move(other.type_codes_)) {}

ColumnBuilder::~ColumnBuilder() {
  std::free(validity_);
  std::free(values_);
  std::free(offsets_);
  std::free(bytes_);
}

void ColumnBuilder::grow(int64_t rows) {
  if (rows >= std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorCode::Input, "expected fewer than 2147483647 items in a batch");
  }
  int64_t target = std::max({rows, capacity_ * 2, rows_hint_, int64_t{64}});
  target = (target + 63) / 64 * 64;
  auto bitmap = [this, target](uint8_t** memory, int fill) {
    size_t before = static_cast<size_t>(capacity_) / 8;
    size_t after = static_cast<size_t>(target) / 8;
    resize(memory, after);
    std::memset(*memory + before, fill, after - before);
  };
  if (layout_ == Layout::Null) {
    capacity_ = target;
    return;
  }
  if (layout_ != Layout::Union) bitmap(&validity_, 0xff);
  switch (layout_) {
    case Layout::Bits:
      bitmap(&values_, 0);
      break;
    case Layout::Fixed:
      resize(&values_, fixed_bytes(target));
      break;
    case Layout::Union:
      resize(&values_, static_cast<size_t>(target));
      [[fallthrough]];
    case Layout::Bytes:
    case Layout::List:
      resize(&offsets_, static_cast<size_t>(target + 1) * sizeof(int32_t));
      if (capacity_ == 0) offsets_[0] = 0;
      break;
    case Layout::Struct:
    case Layout::Null:
      break;
  }
  capacity_ = target;
}

void ColumnBuilder::grow_bytes(size_t more) {
  size_t needed = bytes_size_ + more + kByteSlack;
  if (needed > kMaxBytes) {
    throw Error(ErrorCode::Input, "expected less than 2 GiB of bytes in a column of a batch");
  }
  size_t target =
      std::max({needed, bytes_capacity_ + bytes_capacity_ / 2, bytes_hint_, size_t{1024}});
  resize(&bytes_, target);
  bytes_capacity_ = target;
}

void ColumnBuilder::append_zero() {
  reserve(1);
  switch (layout_) {
    case Layout::Null:
      ++null_count_;
      break;
    case Layout::Bits:
      break;
    case Layout::Fixed:
      std::memset(values_ + length_ * width_, 0, static_cast<size_t>(width_));
      break;
    case Layout::Bytes:
    case Layout::List:
      offsets_[length_ + 1] = offsets_[length_];
      break;
    case Layout::Struct:
      for (ColumnBuilder& child : children_) child.append_placeholder();
      break;
    case Layout::Union:
      if (children_.empty()) {
        values_[length_] = 0;
        offsets_[length_] = 0;
      } else {
        append_union(0);
        children_[0].append_placeholder();
        return;
      }
      break;
  }
  ++length_;
}

void ColumnBuilder::append_bits(const uint8_t* bytes, int64_t rows) {
  reserve(rows);
  int64_t i = 0;
  for (; i < rows && ((length_ + i) & 7) != 0; ++i) {
    int64_t at = length_ + i;
    values_[at >> 3] = static_cast<uint8_t>(values_[at >> 3] | (bytes[i] << (at & 7)));
  }
  for (; i + 8 <= rows; i += 8) {
    values_[(length_ + i) >> 3] = pack_eight(load_eight(bytes + i));
  }
  for (; i < rows; ++i) {
    int64_t at = length_ + i;
    values_[at >> 3] = static_cast<uint8_t>(values_[at >> 3] | (bytes[i] << (at & 7)));
  }
  length_ += rows;
}

void ColumnBuilder::mark_nulls(const uint8_t* present, int64_t rows) {
  const int64_t first = length_ - rows;
  int64_t count = 0;
  int64_t i = 0;
  auto mark = [&](int64_t at, uint8_t here) {
    count += here;
    if (here == 0)
      validity_[at >> 3] = static_cast<uint8_t>(validity_[at >> 3] & ~(1u << (at & 7)));
  };
  for (; i < rows && ((first + i) & 7) != 0; ++i) mark(first + i, present[i]);
  for (; i + 8 <= rows; i += 8) {
    const uint64_t bytes = load_eight(present + i);
    count += sum_eight(bytes);
    validity_[(first + i) >> 3] = pack_eight(bytes);
  }
  for (; i < rows; ++i) mark(first + i, present[i]);
  null_count_ += rows - count;
}

void ColumnBuilder::append_null() {
  reserve(1);
  if (layout_ != Layout::Null && layout_ != Layout::Union) clear_valid();
  append_zero();
}

void ColumnBuilder::append_nulls(int64_t count) {
  if (count <= 0) return;
  reserve(count);
  const int64_t end = length_ + count;
  if (layout_ != Layout::Null) clear_bits(validity_, length_, end);
  switch (layout_) {
    case Layout::Null:
    case Layout::Bits:
      break;
    case Layout::Fixed:
      std::memset(values_ + length_ * width_, 0, static_cast<size_t>(count * width_));
      break;
    case Layout::Bytes:
    case Layout::List:
      std::fill(offsets_ + length_ + 1, offsets_ + end + 1, offsets_[length_]);
      break;
    case Layout::Struct:
      for (ColumnBuilder& child : children_) {
        for (int64_t i = 0; i < count; ++i) child.append_placeholder();
      }
      break;
    case Layout::Union:
      // A union has no nulls itself.
      break;
  }
  null_count_ += count;
  length_ = end;
}

void ColumnBuilder::append_placeholder() {
  if (nullable_ && layout_ != Layout::Union) {
    append_null();
  } else {
    append_zero();
  }
}

void ColumnBuilder::truncate(int64_t rows) {
  switch (layout_) {
    case Layout::Null:
    case Layout::Fixed:
      break;
    case Layout::Bits:
      for (int64_t i = rows; i < length_; ++i) {
        values_[i >> 3] = static_cast<uint8_t>(values_[i >> 3] & ~(1u << (i & 7)));
      }
      break;
    case Layout::Bytes:
      bytes_size_ =
          offsets_ == nullptr ? 0 : static_cast<size_t>(offsets_[std::min(rows, length_)]);
      break;
    case Layout::List:
      children_[0].truncate(offsets_ == nullptr ? 0 : offsets_[std::min(rows, length_)]);
      break;
    case Layout::Struct:
      for (ColumnBuilder& child : children_) child.truncate(rows);
      break;
    case Layout::Union:
      // Slots of one alternative are in order, so iterating backwards ends at the first slot to
      // remove.
      for (int64_t i = length_ - 1; i >= rows; --i) {
        for (size_t child = 0; child < children_.size(); ++child) {
          if (type_codes_[child] == values_[i]) children_[child].truncate(offsets_[i]);
        }
      }
      break;
  }
  if (rows >= length_) return;
  if (layout_ == Layout::Null) {
    null_count_ -= length_ - rows;
  } else if (layout_ != Layout::Union && null_count_ > 0) {
    null_count_ -= count_zeroes(validity_, rows, length_);
    for (int64_t i = rows; i < length_; ++i) {
      validity_[i >> 3] = static_cast<uint8_t>(validity_[i >> 3] | (1u << (i & 7)));
    }
  }
  length_ = rows;
}

size_t ColumnBuilder::memory() const {
  size_t total = bytes_size_;
  auto rows = static_cast<size_t>(length_);
  switch (layout_) {
    case Layout::Null:
      break;
    case Layout::Bits:
      total += rows / 4;
      break;
    case Layout::Fixed:
      total += rows * static_cast<size_t>(width_);
      break;
    case Layout::Bytes:
    case Layout::List:
      total += rows * 4;
      break;
    case Layout::Union:
      total += rows * 5;
      break;
    case Layout::Struct:
      total += rows / 8;
      break;
  }
  for (const ColumnBuilder& child : children_) total += child.memory();
  return total;
}

Array ColumnBuilder::finish() {
  rows_hint_ = std::max(rows_hint_, length_);
  bytes_hint_ = std::max(bytes_hint_, bytes_size_ + bytes_size_ / 8 + kByteSlack);
  // Every buffer exists, also for no rows: some readers refuse null data and offset buffers.
  if (capacity_ == 0) reserve(1);
  if (layout_ == Layout::Bytes && bytes_ == nullptr) grow_bytes(0);
  const auto rows = static_cast<size_t>(capacity_);
  const size_t bitmap_bytes = rows / 8;
  const size_t offset_bytes = (rows + 1) * sizeof(int32_t);
  if (null_count_ == 0) {
    if (pool_ != nullptr) {
      pool_->give(validity_, bitmap_bytes);
    } else {
      std::free(validity_);
    }
    validity_ = nullptr;
  }
  Array out;
  auto memory = std::make_shared<Memory>(pool_);
  // A block always has exactly one owner, even if the next step runs out of memory.
  auto add = [&](auto*& block, size_t size) {
    void* const taken = std::exchange(block, nullptr);
    memory->add(taken, size);
    out.buffers.push_back(taken);
  };
  switch (layout_) {
    case Layout::Null:
      break;
    case Layout::Bits:
      add(validity_, bitmap_bytes);
      add(values_, bitmap_bytes);
      break;
    case Layout::Fixed:
      add(validity_, bitmap_bytes);
      add(values_, fixed_bytes(capacity_));
      break;
    case Layout::Bytes:
      add(validity_, bitmap_bytes);
      add(offsets_, offset_bytes);
      add(bytes_, bytes_capacity_);
      break;
    case Layout::List:
      add(validity_, bitmap_bytes);
      add(offsets_, offset_bytes);
      break;
    case Layout::Struct:
      add(validity_, bitmap_bytes);
      break;
    case Layout::Union:
      add(values_, rows);
      add(offsets_, offset_bytes);
      break;
  }
  out.owners.push_back(std::move(memory));
  out.children.reserve(children_.size());
  for (ColumnBuilder& child : children_) out.children.push_back(child.finish());
  out.length = std::exchange(length_, 0);
  out.null_count = std::exchange(null_count_, 0);
  capacity_ = 0;
  bytes_size_ = 0;
  bytes_capacity_ = 0;
  return out;
}

Array struct_of(std::vector<Array> columns, int64_t length) {
  Array out = start(length);
  out.children = std::move(columns);
  return out;
}

}  // namespace xwalk::hub
