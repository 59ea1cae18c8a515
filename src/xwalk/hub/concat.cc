#include "xwalk/hub/concat.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/option.h"

namespace xwalk::hub {
namespace {

using Parts = std::span<const Array>;

/// Returns one bit per element of all parts: `is_set(part, index)`.
template <typename IsSet>
Buffer joined_bits(Parts parts, int64_t length, const IsSet& is_set) {
  Buffer buffer((length + 7) / 8);
  auto* to = buffer.as<uint8_t>();
  std::memset(to, 0, static_cast<size_t>((length + 7) / 8));
  int64_t at = 0;
  for (const Array& part : parts) {
    for (int64_t i = 0; i < part.length; ++i, ++at) {
      if (is_set(part, i)) set_bit(to, at);
    }
  }
  return buffer;
}

void concat_validity(Parts parts, Array& out) {
  out.null_count = 0;
  out.buffers = {nullptr};
  for (const Array& part : parts) out.null_count += count_nulls(part);
  if (out.null_count == 0) return;
  Buffer buffer = joined_bits(
      parts, out.length, [](const Array& part, int64_t index) { return !part.is_null(index); });
  out.buffers[0] = buffer.as<uint8_t>();
  out.owners.push_back(buffer.owner());
}

void concat_bits(Parts parts, Array& out) {
  Buffer buffer = joined_bits(parts, out.length,
                              [](const Array& part, int64_t index) { return part.bit(index); });
  attach(out, buffer);
}

void concat_fixed(Parts parts, int64_t width, size_t from, Array& out) {
  Buffer buffer(out.length * width);
  char* to = buffer.as<char>();
  for (const Array& part : parts) {
    if (part.length == 0) continue;
    std::memcpy(to, part.fixed(0, width, from), static_cast<size_t>(part.length * width));
    to += part.length * width;
  }
  attach(out, buffer);
}

/// Joins offsets. Returns each part's first element and number of elements after the offsets.
template <typename Offset>
std::vector<std::pair<int64_t, int64_t>> concat_offsets(Parts parts, Array& out) {
  Buffer buffer((out.length + 1) * int64_t{sizeof(Offset)});
  auto* to = buffer.as<Offset>();
  std::vector<std::pair<int64_t, int64_t>> ranges;
  int64_t total = 0;
  for (const Array& part : parts) {
    if (part.length == 0) {
      ranges.emplace_back(0, 0);
      continue;
    }
    const Offset* from = part.values<Offset>();
    const int64_t first = from[0];
    ranges.emplace_back(first, from[part.length] - first);
    if (total + ranges.back().second > std::numeric_limits<Offset>::max()) {
      throw Error(ErrorCode::Unsupported,
                  "expected at most 2 GiB of text, bytes or list items in one column of rows that "
                  "are sorted, found more",
                  {}, "Give less memory: " + mention(Option::MaxMemory, "N"));
    }
    for (int64_t i = 0; i < part.length; ++i) *to++ = static_cast<Offset>(total + from[i] - first);
    total += ranges.back().second;
  }
  *to = static_cast<Offset>(total);
  attach(out, buffer);
  return ranges;
}

template <typename Offset>
void concat_texts(Parts parts, Array& out) {
  const auto ranges = concat_offsets<Offset>(parts, out);
  int64_t total = 0;
  for (const auto& range : ranges) total += range.second;
  Buffer bytes(total);
  char* to = bytes.as<char>();
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto [first, size] = ranges[i];
    if (size > 0) std::memcpy(to, parts[i].raw<char>(2) + first, static_cast<size_t>(size));
    to += size;
  }
  attach(out, bytes);
}

/// Joins what each part has of a child.
template <typename RangeOf>
void concat_child(const Type& type, Parts parts, size_t child, const RangeOf& range_of,
                  Array& out) {
  std::vector<Array> children;
  children.reserve(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto [first, count] = range_of(i);
    children.push_back(slice(parts[i].children[child], first, count));
  }
  out.children.push_back(concat(type, children));
}

void concat_union(const Type& type, Parts parts, Array& out) {
  out.buffers.clear();
  concat_fixed(parts, 1, 0, out);
  const auto children = type.children();
  if (type.kind() == Kind::SparseUnion) {
    for (size_t k = 0; k < children.size(); ++k) {
      const auto range_of = [&](size_t i) { return std::pair(parts[i].offset, parts[i].length); };
      concat_child(children[k].type, parts, k, range_of, out);
    }
    return;
  }
  std::vector<int64_t> before(children.size(), 0);
  std::vector<size_t> child_of(128, 0);
  for (size_t k = 0; k < children.size(); ++k) {
    child_of[static_cast<size_t>(type.type_codes()[k])] = k;
  }
  Buffer offsets(out.length * 4);
  auto* to = offsets.as<int32_t>();
  for (const Array& part : parts) {
    for (int64_t i = 0; i < part.length; ++i) {
      const size_t child = child_of[static_cast<size_t>(part.type_code(i))];
      *to++ = static_cast<int32_t>(before[child] + part.union_slot(i));
    }
    for (size_t k = 0; k < children.size(); ++k) before[k] += part.children[k].length;
  }
  attach(out, offsets);
  for (size_t k = 0; k < children.size(); ++k) {
    const auto range_of = [&](size_t i) {
      return std::pair(int64_t{0}, parts[i].children[k].length);
    };
    concat_child(children[k].type, parts, k, range_of, out);
  }
}

}  // namespace

Array concat(const Type& type, Parts parts) {
  const Kind kind = type.kind();
  Array out;
  out.null_count = 0;
  for (const Array& part : parts) out.length += part.length;
  if (kind == Kind::Null) {
    out.null_count = out.length;
    return out;
  }
  if (has_validity(kind)) concat_validity(parts, out);
  if (kind == Kind::Bool) {
    concat_bits(parts, out);
    return out;
  }
  if (const std::optional<int> bits = fixed_bits(type)) {
    concat_fixed(parts, *bits / 8, 1, out);
    return out;
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (kind == Kind::Utf8 || kind == Kind::Binary) {
        concat_texts<int32_t>(parts, out);
      } else {
        concat_texts<int64_t>(parts, out);
      }
      break;
    case Form::List:
    case Form::Map: {
      const auto ranges = kind == Kind::LargeList ? concat_offsets<int64_t>(parts, out)
                                                  : concat_offsets<int32_t>(parts, out);
      concat_child(
          type.child().type, parts, 0, [&](size_t i) { return ranges[i]; }, out);
      break;
    }
    case Form::FixedSizeList: {
      const int64_t size = type.size();
      const auto range_of = [&](size_t i) {
        return std::pair(parts[i].offset * size, parts[i].length * size);
      };
      concat_child(type.child().type, parts, 0, range_of, out);
      break;
    }
    case Form::Struct:
      for (size_t k = 0; k < type.children().size(); ++k) {
        const auto range_of = [&](size_t i) { return std::pair(parts[i].offset, parts[i].length); };
        concat_child(type.child(k).type, parts, k, range_of, out);
      }
      break;
    case Form::Union:
      concat_union(type, parts, out);
      break;
    case Form::Dictionary:
    case Form::RunEndEncoded:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      break;  // not here, or of fixed width
  }
  return out;
}

namespace {

/// Has buffer `index`, of values of `width` bytes, begin at the element `offset`.
void skip(Array& array, size_t index, int64_t width, int64_t offset) {
  if (offset == 0 || array.buffers[index] == nullptr) return;
  array.buffers[index] = array.raw<char>(index) + offset * width;
}

/// Has bits begin at the element `offset`.
void skip_bits(Array& array, size_t index, int64_t offset) {
  const auto* bits = array.raw<uint8_t>(index);
  if (offset == 0 || bits == nullptr) return;
  if ((offset & 7) == 0) {
    array.buffers[index] = bits + (offset >> 3);
    return;
  }
  Buffer copy((array.length + 7) / 8);
  copy_bits(bits, offset, array.length, copy.as<uint8_t>());
  array.buffers[index] = copy.as<void>();
  array.owners.push_back(copy.owner());
}

/// Has an array begin at its element `start`, and end after `length` elements.
void narrow(const Type& type, Array& array, int64_t start, int64_t length) {
  if (start != 0 || length != array.length) array = slice(array, start, length);
  array = from_start(type, std::move(array));
}

/// Has the items of a list begin with those of its first element.
template <typename Offset>
void skip_items(const Type& type, Array& array) {
  const auto* ends = array.raw<Offset>(1);
  if (ends == nullptr) return;
  // A list without elements may have offsets of no bytes.
  const bool is_empty = array.length == 0;
  const Offset first = is_empty ? Offset{0} : ends[0];
  const Offset count = is_empty ? Offset{0} : static_cast<Offset>(ends[array.length] - first);
  narrow(type.child().type, array.children[0], first, count);
  if (first == 0 && !is_empty) return;
  Buffer moved((array.length + 1) * int64_t{sizeof(Offset)});
  moved.as<Offset>()[0] = 0;
  for (int64_t i = 1; i <= array.length; ++i) moved.as<Offset>()[i] = ends[i] - first;
  array.buffers[1] = moved.as<void>();
  array.owners.push_back(moved.owner());
}

/// Has each child begin with the elements of the array, `each` for every one.
void skip_children(std::span<const Field> fields, Array& array, int64_t offset, int64_t each) {
  for (size_t k = 0; k < array.children.size(); ++k) {
    narrow(fields[k].type, array.children[k], offset * each, array.length * each);
  }
}

void skip_union(const Type& type, Array& array, int64_t offset) {
  skip(array, 0, 1, offset);
  if (type.kind() == Kind::SparseUnion) {
    return skip_children(type.children(), array, offset, 1);
  }
  skip(array, 1, 4, offset);
  for (size_t k = 0; k < array.children.size(); ++k) {
    array.children[k] = from_start(type.child(k).type, std::move(array.children[k]));
  }
}

void skip_in_list(const Type& type, Array& array, int64_t offset) {
  const Kind kind = type.kind();
  const bool is_large = kind == Kind::LargeList || kind == Kind::LargeListView;
  skip(array, 1, is_large ? 8 : 4, offset);
  if (kind == Kind::ListView || kind == Kind::LargeListView) {
    skip(array, 2, is_large ? 8 : 4, offset);
    array.children[0] = from_start(type.child().type, std::move(array.children[0]));
  } else if (is_large) {
    skip_items<int64_t>(type, array);
  } else {
    skip_items<int32_t>(type, array);
  }
}

/// Bytes of what says where a text is.
int64_t text_width(Kind kind) {
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) return 16;
  return kind == Kind::Utf8 || kind == Kind::Binary ? 4 : 8;
}

}  // namespace

Array from_start(const Type& type, Array array) {
  const Kind kind = type.kind();
  const int64_t offset = array.offset;
  if (kind == Kind::RunEndEncoded) return array;
  array.offset = 0;
  if (has_validity(kind) && array.null_count != 0) skip_bits(array, 0, offset);
  if (kind == Kind::Bool) {
    skip_bits(array, 1, offset);
    return array;
  }
  if (const std::optional<int> bits = fixed_bits(type)) {
    skip(array, 1, *bits / 8, offset);
    return array;
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (kind == Kind::Null) {
        array.null_count = array.length;
      } else {
        skip(array, 1, text_width(kind), offset);
      }
      break;
    case Form::List:
    case Form::Map:
      skip_in_list(type, array, offset);
      break;
    case Form::FixedSizeList:
      skip_children(type.children(), array, offset, type.size());
      break;
    case Form::Struct:
      skip_children(type.children(), array, offset, 1);
      break;
    case Form::Union:
      skip_union(type, array, offset);
      break;
    case Form::Dictionary:
      skip(array, 1, kind_row(type.index_kind()).bits / 8, offset);
      array.dictionary =
          std::make_shared<const Array>(from_start(type.child().type, *array.dictionary));
      break;
    case Form::RunEndEncoded:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      break;  // not here, or of fixed width
  }
  return array;
}

ArrayHandle export_rows(const Schema& schema, Array rows) {
  const int64_t offset = rows.offset;
  rows.offset = 0;
  if (rows.null_count != 0 && !rows.buffers.empty()) skip_bits(rows, 0, offset);
  skip_children(schema.fields, rows, offset, 1);
  return export_array(rows);
}

int64_t bytes_of(const Type& type, const Array& array) {
  const Kind kind = type.kind();
  int64_t bytes = has_validity(kind) && validity(array) != nullptr ? array.length / 8 : 0;
  if (const std::optional<int> bits = fixed_bits(type)) return bytes + array.length * *bits / 8;
  const auto referenced = [&]<typename Offset>(Offset) -> int64_t {
    bytes += (array.length + 1) * int64_t{sizeof(Offset)};
    if (array.length == 0) return 0;
    return array.values<Offset>()[array.length] - array.values<Offset>()[0];
  };
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (kind == Kind::Utf8 || kind == Kind::Binary) return bytes + referenced(int32_t{});
      return kind == Kind::Null ? 0 : bytes + referenced(int64_t{});
    case Form::List:
    case Form::Map: {
      const int64_t items = kind == Kind::LargeList ? referenced(int64_t{}) : referenced(int32_t{});
      return bytes + bytes_of(type.child().type, slice(array.children[0], 0, items));
    }
    case Form::FixedSizeList:
      return bytes +
             bytes_of(type.child().type, slice(array.children[0], 0, array.length * type.size()));
    case Form::Struct:
      for (size_t k = 0; k < type.children().size(); ++k) {
        bytes += bytes_of(type.child(k).type, slice(array.children[k], array.offset, array.length));
      }
      return bytes;
    case Form::Union:
      bytes += array.length * 5;
      for (size_t k = 0; k < type.children().size(); ++k) {
        bytes += bytes_of(type.child(k).type, array.children[k]);
      }
      return bytes;
    case Form::Dictionary:
    case Form::RunEndEncoded:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      break;  // not here, or of fixed width
  }
  return bytes;
}

namespace {

/// Bytes of an element besides its content: an offset, or a null.
constexpr int64_t kEach = 4;
/// A view of text begins with the size.
constexpr int64_t kViewBytes = 16;

int64_t product(int64_t count, int64_t bytes) {
  int64_t out = 0;
  return __builtin_mul_overflow(count, bytes, &out) ? INT64_MAX : out;
}

int64_t sum(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? INT64_MAX : out;
}

/// Sums `bytes(i)` of elements, until it is more than `most`.
template <typename Bytes>
int64_t sum_of(int64_t begin, int64_t end, int64_t most, const Bytes& bytes) {
  int64_t all = product(end - begin, kEach);
  for (int64_t i = begin; i < end && all <= most; ++i) all = sum(all, bytes(i));
  return all;
}

int64_t views_bytes(const Array& array, int64_t begin, int64_t end, int64_t most) {
  return sum_of(begin, end, most, [&](int64_t i) -> int64_t {
    // Under a null there may be anything.
    return array.is_null(i) ? 0 : load_little_endian<int32_t>(array.fixed(i, kViewBytes));
  });
}

template <typename Offset>
int64_t list_views_bytes(const Type& item, const Array& array, int64_t begin, int64_t end,
                         int64_t most) {
  const auto* starts = array.values<Offset>(1);
  const auto* sizes = array.values<Offset>(2);
  return sum_of(begin, end, most, [&](int64_t i) -> int64_t {
    if (array.is_null(i)) return 0;
    return plain_bytes(item, array.children[0], starts[i], starts[i] + sizes[i], most);
  });
}

template <typename Offset>
int64_t longest_text(const Array& values) {
  const auto* offsets = values.values<Offset>();
  Offset longest = 0;
  for (int64_t i = 0; i < values.length; ++i) {
    longest = std::max(longest, offsets[i + 1] - offsets[i]);
  }
  return longest;
}

int64_t longest_value(const Type& type, const Array& values, int64_t most) {
  if (values.length == 0) return 0;
  const Kind kind = type.kind();
  if (kind == Kind::Utf8 || kind == Kind::Binary) return longest_text<int32_t>(values);
  if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) return longest_text<int64_t>(values);
  if (fixed_bits(type)) return plain_bytes(type, values, 0, 1, most);
  int64_t longest = 0;
  for (int64_t i = 0; i < values.length; ++i) {
    longest = std::max(longest, plain_bytes(type, values, i, i + 1, most));
  }
  return longest;
}

/// The largest value of a dictionary decides mostly that its values are few bytes.
template <typename Index>
int64_t dictionary_bytes(const Type& type, const Array& array, int64_t begin, int64_t end,
                         int64_t most) {
  const Array& values = *array.dictionary;
  const int64_t longest = longest_value(type, values, most);
  const int64_t at_most = product(end - begin, sum(longest, kEach));
  if (at_most <= most) return at_most;
  const auto* indices = array.values<Index>();
  return sum_of(begin, end, most, [&](int64_t i) -> int64_t {
    if (array.is_null(i)) return 0;
    const auto at = static_cast<int64_t>(indices[i]);
    // Decoding reports an index that does not exist.
    return at < 0 || at >= values.length ? 0 : plain_bytes(type, values, at, at + 1, most);
  });
}

template <typename End>
int64_t runs_bytes(const Type& type, const Array& array, int64_t begin, int64_t end, int64_t most) {
  const Array& run_ends = array.children[0];
  const auto* ends = run_ends.values<End>();
  int64_t at = array.offset + begin;
  const int64_t stop = array.offset + end;
  int64_t run = std::upper_bound(ends, ends + run_ends.length, at) - ends;
  int64_t all = 0;
  for (; run < run_ends.length && at < stop && all <= most; ++run) {
    const int64_t until = std::min<int64_t>(ends[run], stop);
    const int64_t each = plain_bytes(type, array.children[1], run, run + 1, most);
    all = sum(all, product(until - at, sum(each, kEach)));
    at = until;
  }
  return all;
}

int64_t union_bytes(const Type& type, const Array& array, int64_t begin, int64_t end,
                    int64_t most) {
  std::array<size_t, 128> child_of{};
  for (size_t k = 0; k < type.type_codes().size(); ++k) {
    child_of.at(static_cast<size_t>(type.type_codes()[k])) = k;
  }
  if (type.children().empty()) return product(end - begin, kEach);
  const bool dense = type.kind() == Kind::DenseUnion;
  return sum_of(begin, end, most, [&](int64_t i) {
    const size_t child = child_of.at(static_cast<size_t>(array.type_code(i)));
    const int64_t slot = dense ? array.union_slot(i) : array.slot(i);
    return plain_bytes(type.child(child).type, array.children[child], slot, slot + 1, most);
  });
}

/// Text repeats the names of members for each element. Only long ones are more than the values.
int64_t long_names(const Type& type) {
  constexpr size_t kLong = 64;
  int64_t bytes = 1;
  for (const Field& member : type.children()) {
    if (member.name.size() > kLong) bytes += static_cast<int64_t>(member.name.size());
  }
  return bytes;
}

template <typename Offset>
int64_t content_of(const Array& array, int64_t begin, int64_t end) {
  const auto* offsets = array.values<Offset>();
  return offsets[end] - offsets[begin];
}

int64_t list_bytes(const Type& type, const Array& array, int64_t begin, int64_t end, int64_t most) {
  const Kind kind = type.kind();
  const Type& item = type.child().type;
  if (kind == Kind::ListView) return list_views_bytes<int32_t>(item, array, begin, end, most);
  if (kind == Kind::LargeListView) return list_views_bytes<int64_t>(item, array, begin, end, most);
  const bool large = kind == Kind::LargeList;
  const int64_t first = large ? array.values<int64_t>()[begin] : array.first_item(begin);
  const int64_t last = large ? array.values<int64_t>()[end] : array.first_item(end);
  return sum(product(end - begin, kEach), plain_bytes(item, array.children[0], first, last, most));
}

}  // namespace

int64_t plain_bytes(const Type& type, const Array& array, int64_t begin, int64_t end,
                    int64_t most) {
  if (begin >= end) return 0;
  const Kind kind = type.kind();
  if (kind == Kind::Dictionary) {
    return cast::with_integer(type.index_kind(), [&](auto index) {
      return dictionary_bytes<decltype(index)>(type.child().type, array, begin, end, most);
    });
  }
  if (const std::optional<int> bits = fixed_bits(type)) {
    return product(end - begin, std::max(1, *bits / 8));
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (kind == Kind::Utf8 || kind == Kind::Binary) {
        return product(end - begin, kEach) + content_of<int32_t>(array, begin, end);
      }
      if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) {
        return sum(product(end - begin, kEach), content_of<int64_t>(array, begin, end));
      }
      if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
        return views_bytes(array, begin, end, most);
      }
      break;
    case Form::List:
    case Form::Map:
      return list_bytes(type, array, begin, end, most);
    case Form::FixedSizeList:
      return sum(
          product(end - begin, kEach),
          plain_bytes(type.child().type, array.children[0], (array.offset + begin) * type.size(),
                      (array.offset + end) * type.size(), most));
    case Form::Struct: {
      int64_t all = product(end - begin, long_names(type));
      for (size_t i = 0; i < array.children.size() && all <= most; ++i) {
        all = sum(all, plain_bytes(type.child(i).type, array.children[i], array.slot(begin),
                                   array.slot(end), most));
      }
      return all;
    }
    case Form::Union:
      return union_bytes(type, array, begin, end, most);
    case Form::RunEndEncoded:
      return cast::with_run_end(type.child(0).type.kind(), [&](auto run_end) {
        return runs_bytes<decltype(run_end)>(type.child(1).type, array, begin, end, most);
      });
    case Form::Dictionary:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      break;
  }
  return product(end - begin, kEach);
}

}  // namespace xwalk::hub
