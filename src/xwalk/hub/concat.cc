#include "xwalk/hub/concat.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "xwalk/base/error.h"
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

}  // namespace xwalk::hub
