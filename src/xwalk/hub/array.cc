#include "xwalk/hub/array.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>

#include "xwalk/base/error.h"
#include "xwalk/base/int128.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::hub {
namespace {

constexpr int64_t kAlignment = 64;

int64_t rounded(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// The position of an array in the type, with its parents up to the root. The path is built only
/// for an error.
struct Level {
  const Level* above = nullptr;
  const Type* parent = nullptr;
  size_t child = 0;
};

Path path_of(const Level* place) {
  if (place == nullptr || place->parent == nullptr) return {};
  Path above = path_of(place->above);
  const Type& parent = *place->parent;
  const std::string& name = parent.child(place->child).name;
  switch (kind_row(parent.kind()).form) {
    case Form::List:
    case Form::FixedSizeList:
      return above.item();
    case Form::Union:
      return above.alternative(name);
    case Form::Struct:
      if (place->above != nullptr && place->above->parent != nullptr &&
          place->above->parent->kind() == Kind::Map) {
        return place->child == 0 ? above.map_key() : above.map_value();
      }
      return above.empty() ? Path::column(name) : above.field(name);
    case Form::Plain:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
    case Form::Map:
    case Form::Dictionary:
    case Form::RunEndEncoded:
      break;
  }
  return above;
}

[[noreturn]] void refuse(std::string message, const Level& place) {
  Place where;
  where.path = path_of(&place);
  throw Error(ErrorCode::Input, std::move(message), std::move(where));
}

void expect(bool fits, const Type& type, const Level& place) {
  if (fits) return;
  refuse("expected an array of " + to_string(type) + ", found one of another shape", place);
}

/// Elements of one array, so that nothing that is computed of them overflows: more than memory
/// holds.
constexpr int64_t kMostElements = int64_t{1} << 47;

/// How many buffers and children the C interface gives an array, or at least how many buffers.
void expect_shape(const ArrowArray& source, const Type& type, const Level& place) {
  const Kind kind = type.kind();
  expect(source.length >= 0 && source.offset >= 0 && source.length <= kMostElements - source.offset,
         type, place);
  const bool is_dictionary = kind == Kind::Dictionary;
  expect((source.dictionary != nullptr) == is_dictionary, type, place);
  const size_t children = is_dictionary ? 0 : type.children().size();
  expect(source.n_children == static_cast<int64_t>(children), type, place);
  expect(children == 0 || source.children != nullptr, type, place);
  const auto is_array = [](const ArrowArray* array) {
    return array != nullptr && array->release != nullptr;
  };
  expect(!is_dictionary || is_array(source.dictionary), type, place);
  for (size_t i = 0; i < children; ++i) expect(is_array(source.children[i]), type, place);
  if (kind == Kind::Null) return;
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    expect(source.n_buffers > buffer_count(kind), type, place);
  } else {
    expect(source.n_buffers == buffer_count(kind), type, place);
  }
  expect(source.n_buffers == 0 || source.buffers != nullptr, type, place);
}

[[noreturn]] void refuse_missing(int64_t buffer, const Type& type, const Level& place) {
  refuse("expected buffer " + std::to_string(buffer) + " of an array of " + to_string(type) +
             ", found none",
         place);
}

/// An array with elements has the buffers that hold them, and the bits of the nulls that it
/// counts. Whether a text has bytes is for its offsets to say.
void expect_buffers(const ArrowArray& source, const Type& type, const Level& place) {
  const Kind kind = type.kind();
  const bool has_bits = has_validity(kind);
  if (kind == Kind::Null || source.length == 0) return;
  if (has_bits && source.buffers[0] == nullptr && source.null_count > 0) {
    refuse("expected the bits of " + std::to_string(source.null_count) + " nulls, found none",
           place);
  }
  const bool is_text = kind == Kind::Utf8 || kind == Kind::Binary || kind == Kind::LargeUtf8 ||
                       kind == Kind::LargeBinary;
  const bool has_no_bytes = kind == Kind::FixedSizeBinary && type.size() == 0;
  const int64_t end = is_text ? 2 : has_no_bytes ? 1 : buffer_count(kind);
  for (int64_t i = has_bits ? 1 : 0; i < end; ++i) {
    if (source.buffers[i] == nullptr) refuse_missing(i, type, place);
  }
}

/// Checks that sibling children have at least the length that their parent requires.
void expect_long_children(const ArrowArray& source, const Type& type, const Level& place) {
  const Kind kind = type.kind();
  const bool is_fixed = kind == Kind::FixedSizeList;
  if (!is_fixed && kind != Kind::Struct && kind != Kind::SparseUnion) return;
  const int64_t each = is_fixed ? type.size() : 1;
  const int64_t elements = source.offset + source.length;
  for (int64_t i = 0; i < source.n_children; ++i) {
    const int64_t found = source.children[i]->length;
    if (each == 0 || elements <= found / each) continue;
    refuse("expected " + xwalk::to_string(Int128{elements} * each) + " elements, found " +
               std::to_string(found),
           {&place, &type, static_cast<size_t>(i)});
  }
}

/// Type codes and offsets are followed without a look afterwards. A union without alternatives has
/// no values; below nulls, its codes mean nothing.
void expect_union(const ArrowArray& source, const Type& type, const Level& place) {
  if (type.type_codes().empty()) return;
  constexpr int64_t kNone = -1;
  // By the code as a byte: how long the child is.
  std::array<int64_t, 256> lengths;
  lengths.fill(kNone);
  for (size_t i = 0; i < type.type_codes().size(); ++i) {
    lengths[static_cast<uint8_t>(type.type_codes()[i])] = source.children[i]->length;
  }
  const auto* codes = static_cast<const int8_t*>(source.buffers[0]);
  const auto* slots =
      type.kind() == Kind::DenseUnion ? static_cast<const int32_t*>(source.buffers[1]) : nullptr;
  for (int64_t i = source.offset; i < source.offset + source.length; ++i) {
    const int64_t length = lengths[static_cast<uint8_t>(codes[i])];
    if (length == kNone) {
      refuse("expected a type code of " + to_string(type) + ", found " + std::to_string(codes[i]),
             place);
    }
    if (slots != nullptr && (slots[i] < 0 || slots[i] >= length)) {
      refuse("expected an offset below " + std::to_string(length) + ", found " +
                 std::to_string(slots[i]),
             place);
    }
  }
}

/// Run ends must increase, the last must be at or after the end of the array, and each run needs a
/// value.
template <typename End>
void expect_run_ends(const ArrowArray& source, const Type& type, const Level& place) {
  const ArrowArray& ends = *source.children[0];
  const Level at{&place, &type, 0};
  expect_shape(ends, type.child(0).type, at);
  if (source.length == 0) return;
  expect(ends.buffers[0] == nullptr || ends.null_count == 0, type, place);
  expect(ends.length <= source.children[1]->length, type, place);
  expect(ends.length == 0 || ends.buffers[1] != nullptr, type, place);
  const auto* values = static_cast<const End*>(ends.buffers[1]) + ends.offset;
  int64_t before = 0;
  for (int64_t i = 0; i < ends.length; before = values[i++]) {
    if (values[i] > before) continue;
    refuse("expected a run that ends after " + std::to_string(before) +
               ", found one that ends at " + std::to_string(values[i]),
           place);
  }
  if (before >= source.offset + source.length) return;
  refuse("expected runs up to " + std::to_string(source.offset + source.length) +
             ", found the last one's end at " + std::to_string(before),
         place);
}

/// Offsets are followed without a look afterwards: each from 0 to `most`, none below the one before
/// it.
template <typename Offset>
void expect_offsets(const ArrowArray& source, int64_t most, const Type& type, const Level& place) {
  // What is empty may have no offset at all.
  if (source.length == 0) return;
  const auto* offsets = static_cast<const Offset*>(source.buffers[1]) + source.offset;
  // The sign of all of them and of all steps, which the compiler looks at in whole vectors.
  using Bits = std::make_unsigned_t<Offset>;
  auto bits = static_cast<Bits>(offsets[0]);
  for (int64_t i = 0; i < source.length; ++i) {
    const auto next = static_cast<Bits>(offsets[i + 1]);
    bits |= next | (next - static_cast<Bits>(offsets[i]));
  }
  const int64_t last = offsets[source.length];
  if (static_cast<Offset>(bits) >= 0 && last <= most) {
    const bool is_text = source.n_buffers > 2;
    if (is_text && last > 0 && source.buffers[2] == nullptr) refuse_missing(2, type, place);
    return;
  }
  int64_t before = 0;
  for (int64_t i = 0; i <= source.length; before = offsets[i++]) {
    if (offsets[i] >= before) continue;
    refuse("expected an offset from " + std::to_string(before) + ", found " +
               std::to_string(offsets[i]),
           place);
  }
  refuse("expected offsets up to " + std::to_string(most) + ", found " + std::to_string(last),
         place);
}

/// The same of lists that say where they begin and how long they are.
template <typename Offset>
void expect_views(const ArrowArray& source, int64_t most, const Level& place) {
  if (source.length == 0) return;
  const auto* offsets = static_cast<const Offset*>(source.buffers[1]) + source.offset;
  const auto* sizes = static_cast<const Offset*>(source.buffers[2]) + source.offset;
  for (int64_t i = 0; i < source.length; ++i) {
    const int64_t size = sizes[i];
    if (offsets[i] >= 0 && size >= 0 && size <= most && offsets[i] <= most - size) continue;
    refuse("expected items within " + std::to_string(most) + ", found " + std::to_string(size) +
               " from " + std::to_string(offsets[i]) + " on",
           place);
  }
}

/// Below nulls, views and indices may be anything. If the array declares a null count of 0, its
/// validity bits are ignored.
bool is_shown(const ArrowArray& source, int64_t index) {
  const auto* bits = static_cast<const uint8_t*>(source.buffers[0]);
  return bits == nullptr || source.null_count == 0 || bit_is_set(bits, source.offset + index);
}

/// Long texts are in the variadic buffers after the views. The last buffer holds the sizes of
/// those.
void expect_text_views(const ArrowArray& source, const Type& type, const Level& place) {
  if (source.length == 0) return;
  constexpr int32_t kInline = 12;
  struct View {
    int32_t size, prefix, buffer, offset;
  };
  const int64_t count = source.n_buffers - 3;
  const auto* sizes = static_cast<const int64_t*>(source.buffers[source.n_buffers - 1]);
  if (count > 0 && sizes == nullptr) refuse_missing(source.n_buffers - 1, type, place);
  const auto* views = static_cast<const View*>(source.buffers[1]) + source.offset;
  for (int64_t i = 0; i < source.length; ++i) {
    const View& view = views[i];
    if ((view.size >= 0 && view.size <= kInline) || !is_shown(source, i)) continue;
    if (view.size >= 0 && view.buffer >= 0 && view.buffer < count && view.offset >= 0 &&
        view.offset <= sizes[view.buffer] - view.size) {
      if (source.buffers[2 + view.buffer] != nullptr) continue;
      refuse_missing(2 + view.buffer, type, place);
    }
    refuse("expected a text within its buffers, found " + std::to_string(view.size) +
               " bytes from " + std::to_string(view.offset) + " on of buffer " +
               std::to_string(view.buffer),
           place);
  }
}

template <typename Index>
void expect_indices(const ArrowArray& source, int64_t most, const Level& place) {
  if (source.length == 0) return;
  const auto* indices = static_cast<const Index*>(source.buffers[1]) + source.offset;
  // Negative ones are large without a sign. One flag for all, nulls too: whole vectors at a time.
  const auto beyond = [most](Index index) {
    return static_cast<uint64_t>(static_cast<int64_t>(index)) >= static_cast<uint64_t>(most);
  };
  bool all = true;
  for (int64_t i = 0; i < source.length; ++i) all &= !beyond(indices[i]);
  for (int64_t i = 0; !all && i < source.length; ++i) {
    if (!beyond(indices[i]) || !is_shown(source, i)) continue;
    refuse("expected a dictionary index below " + std::to_string(most) + ", found " +
               std::to_string(indices[i]),
           place);
  }
}

void expect_items(const ArrowArray& source, const Type& type, const Level& place) {
  constexpr int64_t kAny = INT64_MAX;  // number of bytes unknown
  const Kind kind = type.kind();
  if (kind == Kind::Utf8 || kind == Kind::Binary) {
    expect_offsets<int32_t>(source, kAny, type, place);
  } else if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) {
    expect_offsets<int64_t>(source, kAny, type, place);
  } else if (kind == Kind::List || kind == Kind::Map) {
    expect_offsets<int32_t>(source, source.children[0]->length, type, place);
  } else if (kind == Kind::LargeList) {
    expect_offsets<int64_t>(source, source.children[0]->length, type, place);
  } else if (kind == Kind::ListView) {
    expect_views<int32_t>(source, source.children[0]->length, place);
  } else if (kind == Kind::LargeListView) {
    expect_views<int64_t>(source, source.children[0]->length, place);
  } else if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    expect_text_views(source, type, place);
  } else if (kind == Kind::Dictionary) {
    cast::with_integer(type.index_kind(), [&](auto index) {
      expect_indices<decltype(index)>(source, source.dictionary->length, place);
    });
  } else if (kind == Kind::DenseUnion || kind == Kind::SparseUnion) {
    expect_union(source, type, place);
  } else if (kind == Kind::RunEndEncoded) {
    cast::with_run_end(type.child(0).type.kind(),
                       [&](auto end) { expect_run_ends<decltype(end)>(source, type, place); });
  }
}

/// The entries of maps, and their keys, are never null: some Arrow readers abort on them. The
/// validity bits of unused elements are dropped, since their values are undefined.
void expect_keys(const Type& type, const Level& place, Array* map) {
  if (map->length == 0) return;
  Array& entries = map->children[0];
  const int64_t first = map->first_item(0);
  const int64_t items = map->end_item(map->length - 1) - first;
  const Level below{&place, &type, 0};
  const auto without_nulls = [&](Array* array, int64_t from, const Level& at) {
    const uint8_t* bits = validity(*array);
    if (bits == nullptr) return;
    if (count_bits(bits, array->offset + from, items) != items) {
      refuse("expected no nulls among the entries and keys of maps, found some", at);
    }
    array->null_count = 0;
    array->buffers[0] = nullptr;
  };
  without_nulls(&entries, first, below);
  const Type& entry = type.child(0).type;
  if (has_validity(entry.child(0).type.kind())) {
    without_nulls(&entries.children[0], entries.offset + first, {&below, &entry, 0});
  }
}

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
  expect_buffers(source, type, place);
  expect_long_children(source, type, place);
  expect_items(source, type, place);
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
  data_ = std::aligned_alloc(static_cast<size_t>(kAlignment), static_cast<size_t>(size));
  if (data_ == nullptr) throw std::bad_alloc();
  owner_ = Owner(data_, [](const void* data) { std::free(const_cast<void*>(data)); });
  std::memset(static_cast<char*>(data_) + bytes, 0, static_cast<size_t>(size - bytes));
}

uint8_t* GrowingBytes::grow(int64_t size) {
  if (size_ + size > capacity_) {
    const int64_t capacity = rounded(std::max(size_ + size, capacity_ * 2));
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

}  // namespace xwalk::hub
