#include "xwalk/hub/array.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "xwalk/base/batch_memory.h"
#include "xwalk/hub/import_checks.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::hub {
namespace {

constexpr int64_t kAlignment = 64;

int64_t rounded(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// How wide the numbers of a buffer are, and how many there are; a width of 0 for bytes and bits.
struct Numbers {
  int64_t width = 0;
  int64_t count = 0;
};

Numbers numbers_in(const ArrowArray& source, const Type& type, int64_t buffer) {
  const Kind kind = type.kind();
  const int64_t slots = source.offset + source.length;
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    // Views, buffers of bytes, and the sizes of those.
    if (buffer == 1) return {16, slots};
    return buffer == source.n_buffers - 1 ? Numbers{8, source.n_buffers - 3} : Numbers{};
  }
  if (kind == Kind::ListView) return buffer > 0 ? Numbers{4, slots} : Numbers{};
  if (kind == Kind::LargeListView) return buffer > 0 ? Numbers{8, slots} : Numbers{};
  if (buffer != 1 || kind == Kind::FixedSizeBinary) return {};
  if (kind == Kind::Utf8 || kind == Kind::Binary || kind == Kind::List || kind == Kind::Map) {
    return {4, slots + 1};
  }
  if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary || kind == Kind::LargeList) {
    return {8, slots + 1};
  }
  if (kind == Kind::DenseUnion) return {4, slots};
  const Type numbers = kind == Kind::Dictionary ? Type(type.index_kind()) : type;
  const int64_t bits = fixed_bits(numbers).value_or(0);
  return bits >= 16 ? Numbers{bits / 8, slots} : Numbers{};
}

/// Copies the buffers of numbers that do not begin where a number may: producers should not give
/// them, and some do. `source` gets the others, `out` owns them.
void align(ArrowArray* source, const Type& type, std::vector<const void*>* buffers, Array* out) {
  if (type.kind() == Kind::Null) return;
  buffers->assign(source->buffers, source->buffers + source->n_buffers);
  source->buffers = buffers->data();
  if (source->length == 0) return;
  for (int64_t i = 0; i < source->n_buffers; ++i) {
    const Numbers numbers = numbers_in(*source, type, i);
    const void*& buffer = (*buffers)[static_cast<size_t>(i)];
    const auto step = static_cast<uintptr_t>(std::clamp<int64_t>(numbers.width, 1, 8));
    if (buffer == nullptr || reinterpret_cast<uintptr_t>(buffer) % step == 0) continue;
    Buffer copy(numbers.count * numbers.width);
    std::memcpy(copy.as<char>(), buffer, static_cast<size_t>(numbers.count * numbers.width));
    buffer = copy.as<char>();
    out->owners.push_back(copy.owner());
  }
}

void adopt(const ArrowArray& given, const Type& type, const Owner& owner, const Level& place,
           Array& out) {
  expect_shape(given, type, place);
  out.owners = {owner};
  ArrowArray source = given;
  std::vector<const void*> buffers;
  align(&source, type, &buffers, &out);
  expect_contents(source, type, place);
  out.length = source.length;
  out.offset = source.offset;
  if (type.kind() == Kind::Null) {
    // Old producers give it a buffer.
    out.null_count = source.length;
  } else {
    out.buffers = std::move(buffers);
    const bool may_have_nulls = has_validity(type.kind()) && out.buffers[0] != nullptr;
    out.null_count = may_have_nulls ? source.null_count : 0;
  }
  if (type.kind() == Kind::Dictionary) {
    auto dictionary = std::make_shared<Array>();
    adopt(*source.dictionary, type.child().type, owner, {&place, &type, 0}, *dictionary);
    out.dictionary = std::move(dictionary);
    return;
  }
  out.children.resize(type.children().size());
  for (size_t i = 0; i < out.children.size(); ++i) {
    adopt(*source.children[i], type.child(i).type, owner, {&place, &type, i}, out.children[i]);
  }
  if (type.kind() == Kind::Map) expect_keys(type, place, &out);
}

/// What hangs on the private_data of an exported array.
struct Exported {
  std::vector<const void*> buffers;
  std::vector<Owner> owners;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
};

void release_exported(ArrowArray* array) {
  auto* exported = static_cast<Exported*>(array->private_data);
  for (ArrowArray& child : exported->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (exported->dictionary.release != nullptr) exported->dictionary.release(&exported->dictionary);
  delete exported;
  array->release = nullptr;
  array->private_data = nullptr;
}

void export_into(const Array& array, ArrowArray* out) {
  auto exported = std::make_unique<Exported>();
  exported->buffers = array.buffers;
  exported->owners = array.owners;
  exported->children.resize(array.children.size());
  for (size_t i = 0; i < array.children.size(); ++i) {
    export_into(array.children[i], &exported->children[i]);
    exported->child_pointers.push_back(&exported->children[i]);
  }
  if (array.dictionary) export_into(*array.dictionary, &exported->dictionary);
  *out = ArrowArray{};
  out->length = array.length;
  out->null_count = array.null_count;
  // An empty array starts at offset 0: Arrow C++ writes empty date and time blocks with an offset
  // past their end.
  out->offset = array.length == 0 ? 0 : array.offset;
  out->n_buffers = static_cast<int64_t>(array.buffers.size());
  out->n_children = static_cast<int64_t>(array.children.size());
  out->buffers = exported->buffers.data();
  out->children = exported->child_pointers.empty() ? nullptr : exported->child_pointers.data();
  out->dictionary = array.dictionary ? &exported->dictionary : nullptr;
  out->release = release_exported;
  out->private_data = exported.release();
}

}  // namespace

Array import_array(ArrayHandle array, const Type& type) {
  auto holder = std::make_shared<ArrayHandle>(std::move(array));
  Array out;
  adopt(**holder, type, holder, {}, out);
  return out;
}

ArrayHandle export_array(const Array& array) {
  ArrayHandle handle;
  export_into(array, handle.get());
  return handle;
}

Array slice(const Array& array, int64_t start, int64_t length) {
  Array out = array;
  if (start == 0 && length == array.length) return out;
  out.offset += start;
  out.length = length;
  if (out.null_count != 0) out.null_count = -1;
  return out;
}

Buffer::Buffer(int64_t bytes) {
  const int64_t size = std::max(rounded(bytes), kAlignment);
  // guard(allocate): The values of a batch have a memory limit, which their thread counts.
  take_batch_memory(static_cast<uint64_t>(size));
  data_ = std::aligned_alloc(static_cast<size_t>(kAlignment), static_cast<size_t>(size));
  if (data_ == nullptr) throw std::bad_alloc();
  owner_ = Owner(data_, [](const void* data) { std::free(const_cast<void*>(data)); });
  std::memset(static_cast<char*>(data_) + bytes, 0, static_cast<size_t>(size - bytes));
}

uint8_t* GrowingBytes::grow(int64_t size) {
  if (size_ + size > capacity_) {
    const int64_t capacity = rounded(std::max(size_ + size, capacity_ * 2));
    // guard(allocate): The values of a batch have a memory limit, which their thread counts.
    take_batch_memory(static_cast<uint64_t>(capacity));
    std::shared_ptr<uint8_t[]> data(new uint8_t[static_cast<size_t>(capacity)]);
    if (size_ > 0) std::memcpy(data.get(), data_.get(), static_cast<size_t>(size_));
    data_ = std::move(data);
    capacity_ = capacity;
  }
  uint8_t* out = data_.get() + size_;
  size_ += size;
  return out;
}

void GrowingBytes::attach(Array& array) {
  if (!data_) data_.reset(new uint8_t[1]());
  array.buffers.push_back(data_.get());
  array.owners.push_back(data_);
}

void attach(Array& array, const Buffer& buffer, const void* data) {
  array.buffers.push_back(data);
  array.owners.push_back(buffer.owner());
}

int64_t count_bits(const uint8_t* bits, int64_t offset, int64_t length) {
  int64_t count = 0;
  int64_t i = 0;
  while (i < length && ((offset + i) & 7) != 0) count += bit_is_set(bits, offset + i++) ? 1 : 0;
  for (; i + 64 <= length; i += 64) {
    uint64_t word;
    std::memcpy(&word, bits + ((offset + i) >> 3), sizeof word);
    count += std::popcount(word);
  }
  for (; i < length; ++i) count += bit_is_set(bits, offset + i) ? 1 : 0;
  return count;
}

void copy_bits(const uint8_t* bits, int64_t offset, int64_t length, uint8_t* out) {
  if (length == 0) return;
  const int shift = static_cast<int>(offset & 7);
  const uint8_t* from = bits + (offset >> 3);
  const int64_t bytes = (length + 7) / 8;
  if (shift == 0) {
    std::memcpy(out, from, static_cast<size_t>(bytes));
  } else {
    const int64_t readable = (shift + length + 7) / 8;
    for (int64_t i = 0; i < bytes; ++i) {
      unsigned byte = static_cast<unsigned>(from[i]) >> shift;
      if (i + 1 < readable) byte |= static_cast<unsigned>(from[i + 1]) << (8 - shift);
      out[i] = static_cast<uint8_t>(byte);
    }
  }
  if ((length & 7) != 0) {
    out[bytes - 1] = static_cast<uint8_t>(out[bytes - 1] & ((1 << (length & 7)) - 1));
  }
}

int64_t count_nulls(const Array& array) {
  const uint8_t* bits = validity(array);
  if (bits == nullptr) return 0;
  if (array.null_count > 0) return array.null_count;
  return array.length - count_bits(bits, array.offset, array.length);
}

Array start(int64_t length) {
  Array out;
  out.length = length;
  out.null_count = 0;
  out.buffers = {nullptr};
  return out;
}

Array start_like(const Array& in) {
  Array out = start(in.length);
  const uint8_t* bits = validity(in);
  if (bits == nullptr) return out;
  out.null_count = in.null_count;
  if ((in.offset & 7) == 0) {
    out.buffers[0] = bits + (in.offset >> 3);
    out.owners = in.owners;
    return out;
  }
  Buffer copy = writable_validity(in);
  out.buffers[0] = copy.as<void>();
  out.owners.push_back(copy.owner());
  return out;
}

Buffer writable_validity(const Array& in) {
  Buffer out((in.length + 7) / 8);
  const uint8_t* bits = validity(in);
  if (bits == nullptr) {
    std::memset(out.as<uint8_t>(), 0xff, static_cast<size_t>((in.length + 7) / 8));
  } else {
    copy_bits(bits, in.offset, in.length, out.as<uint8_t>());
  }
  return out;
}

int buffer_count(Kind kind) {
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (kind == Kind::Null) return 0;
      return kind == Kind::Utf8 || kind == Kind::LargeUtf8 || kind == Kind::Binary ||
                     kind == Kind::LargeBinary
                 ? 3
                 : 2;
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
    case Form::Map:
    case Form::Dictionary:
      return 2;
    case Form::List:
      return kind == Kind::ListView || kind == Kind::LargeListView ? 3 : 2;
    case Form::FixedSizeList:
    case Form::Struct:
      return 1;
    case Form::Union:
      return kind == Kind::DenseUnion ? 2 : 1;
    case Form::RunEndEncoded:
      return 0;
  }
  return 0;
}

bool has_validity(Kind kind) {
  return kind != Kind::Null && kind != Kind::DenseUnion && kind != Kind::SparseUnion &&
         kind != Kind::RunEndEncoded;
}

namespace {

/// Zeros that all arrays of nulls share: reading them takes no memory.
constexpr int64_t kSharedZeros = int64_t{1} << 20;
alignas(64) const std::array<uint8_t, kSharedZeros> kZeros{};

void attach_zeros(Array& array, int64_t bytes) {
  if (bytes <= kSharedZeros) {
    array.buffers.push_back(kZeros.data());
    return;
  }
  Buffer buffer(bytes);
  std::memset(buffer.as<void>(), 0, static_cast<size_t>(bytes));
  attach(array, buffer);
}

/// Adds the buffers of `rows` empty texts.
void attach_no_text(Array& array, Kind kind) {
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    attach_zeros(array, array.length * 16);
    attach_zeros(array, 0);  // the sizes of no variadic buffers
    return;
  }
  attach_zeros(array, (array.length + 1) * (kind == Kind::Utf8 || kind == Kind::Binary ? 4 : 8));
  attach_zeros(array, 0);
}

}  // namespace

Array null_array(const Type& type, int64_t length) {
  const Kind kind = type.kind();
  Array out;
  out.length = length;
  if (has_validity(kind)) {
    attach_zeros(out, (length + 7) / 8);
    out.null_count = length;
  } else {
    out.null_count = kind == Kind::Null ? length : 0;
  }
  if (const std::optional<int> bits = fixed_bits(type)) {
    attach_zeros(out, (length * *bits + 7) / 8);
    return out;
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (is_utf8(kind) || is_binary(kind)) attach_no_text(out, kind);
      break;
    case Form::List:
    case Form::Map: {
      const int64_t width = kind == Kind::LargeList || kind == Kind::LargeListView ? 8 : 4;
      const bool views = kind == Kind::ListView || kind == Kind::LargeListView;
      attach_zeros(out, (views ? length : length + 1) * width);
      if (views) attach_zeros(out, length * width);
      out.children.push_back(null_array(type.child().type, 0));
      break;
    }
    case Form::FixedSizeList:
      out.children.push_back(null_array(type.child().type, length * type.size()));
      break;
    case Form::Struct:
      for (const Field& child : type.children()) {
        out.children.push_back(null_array(child.type, length));
      }
      break;
    case Form::Union: {
      // The union has no nulls itself: every element is the first alternative, null or zero.
      Buffer codes(length);
      const int8_t code = type.type_codes().empty() ? int8_t{0} : type.type_codes()[0];
      std::memset(codes.as<void>(), code, static_cast<size_t>(length));
      attach(out, codes);
      const bool dense = kind == Kind::DenseUnion;
      if (dense) attach_zeros(out, length * 4);
      for (size_t i = 0; i < type.children().size(); ++i) {
        const int64_t count = dense ? (i == 0 && length > 0 ? 1 : 0) : length;
        out.children.push_back(null_array(type.child(i).type, count));
      }
      break;
    }
    case Form::Dictionary:
      attach_zeros(out, length * *fixed_bits(Type(type.index_kind())) / 8);
      out.dictionary = std::make_shared<Array>(null_array(type.child().type, 0));
      break;
    case Form::RunEndEncoded: {
      const Kind ends = type.child(0).type.kind();
      const int64_t runs = length > 0 ? 1 : 0;
      Array run_ends = start(runs);
      Buffer buffer(8);
      std::memset(buffer.as<void>(), 0, 8);
      if (ends == Kind::Int16) {
        *buffer.as<int16_t>() = static_cast<int16_t>(length);
      } else if (ends == Kind::Int32) {
        *buffer.as<int32_t>() = static_cast<int32_t>(length);
      } else {
        *buffer.as<int64_t>() = length;
      }
      attach(run_ends, buffer);
      out.children = {std::move(run_ends), null_array(type.child(1).type, runs)};
      break;
    }
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      break;  // of fixed width, handled above
  }
  return out;
}

Array::Array() = default;
Array::Array(const Array&) = default;
Array::Array(Array&&) noexcept = default;
Array& Array::operator=(const Array&) = default;
Array& Array::operator=(Array&&) noexcept = default;
Array::~Array() = default;

}  // namespace xwalk::hub
