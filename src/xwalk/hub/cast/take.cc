#include "xwalk/hub/cast/take.h"

#include <algorithm>
#include <limits>

#include "xwalk/base/batch_memory.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/option.h"

namespace xwalk::hub::cast {
namespace {

using Indices = std::span<const int64_t>;

/// Gathers validity; null if every gathered element is valid.
void take_validity(const Array& in, Indices indices, Array& out) {
  const bool any_missing = std::ranges::find(indices, int64_t{-1}) != indices.end();
  out.buffers = {nullptr};
  out.null_count = 0;
  const uint8_t* bits = validity(in);
  if (bits == nullptr && !any_missing) return;
  const int64_t count = out.length;
  Buffer buffer((count + 7) / 8);
  auto* to = buffer.as<uint8_t>();
  std::memset(to, 0, static_cast<size_t>((count + 7) / 8));
  int64_t nulls = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t index = indices[static_cast<size_t>(i)];
    const bool valid = index >= 0 && (bits == nullptr || bit_is_set(bits, in.offset + index));
    if (valid) {
      set_bit(to, i);
    } else {
      ++nulls;
    }
  }
  out.null_count = nulls;
  out.buffers[0] = to;
  out.owners.push_back(buffer.owner());
}

/// Takes items or members. Missing ones become null only if the field is nullable.
Array take_child(const Array& in, const Field& field, Indices indices) {
  Array out = take(in, field.type, indices);
  if (!field.nullable && has_validity(field.type.kind()) && validity(in) == nullptr) {
    out.buffers[0] = nullptr;
    out.null_count = 0;
  }
  return out;
}

template <typename T>
void take_units(const Array& in, size_t buffer_index, Indices indices, Array& out) {
  Buffer buffer(out.length * static_cast<int64_t>(sizeof(T)));
  T* to = buffer.as<T>();
  const T* from = in.values<T>(buffer_index);
  for (size_t i = 0; i < indices.size(); ++i) to[i] = indices[i] < 0 ? T{} : from[indices[i]];
  attach(out, buffer);
}

void take_bytes(const Array& in, int64_t width, Indices indices, Array& out) {
  Buffer buffer(out.length * width);
  auto* to = buffer.as<uint8_t>();
  const uint8_t* from = in.raw<uint8_t>(1) + in.offset * width;
  const auto size = static_cast<size_t>(width);
  for (const int64_t index : indices) {
    if (index < 0) {
      std::memset(to, 0, size);
    } else {
      std::memcpy(to, from + index * width, size);
    }
    to += width;
  }
  attach(out, buffer);
}

void take_bits(const Array& in, Indices indices, Array& out) {
  Buffer buffer((out.length + 7) / 8);
  auto* to = buffer.as<uint8_t>();
  std::memset(to, 0, static_cast<size_t>((out.length + 7) / 8));
  const uint8_t* from = in.raw<uint8_t>(1);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0 && bit_is_set(from, in.offset + indices[i])) {
      set_bit(to, static_cast<int64_t>(i));
    }
  }
  attach(out, buffer);
}

void take_fixed(const Array& in, int bits, Indices indices, Array& out) {
  switch (bits) {
    case 1:
      return take_bits(in, indices, out);
    case 8:
      return take_units<uint8_t>(in, 1, indices, out);
    case 16:
      return take_units<uint16_t>(in, 1, indices, out);
    case 32:
      return take_units<uint32_t>(in, 1, indices, out);
    case 64:
      return take_units<uint64_t>(in, 1, indices, out);
    default:
      return take_bytes(in, bits / 8, indices, out);
  }
}

template <typename Offset>
Offset checked_offset(int64_t offset) {
  if (offset > std::numeric_limits<Offset>::max()) {
    throw Error(ErrorCode::Unsupported,
                "expected at most 2 GiB of text, bytes or list items in one column of a batch, "
                "found more",
                {}, "use smaller batches: " + mention(Option::BatchRows));
  }
  return static_cast<Offset>(offset);
}

template <typename Offset>
void take_text(const Array& in, Indices indices, Array& out) {
  const Offset* from = in.values<Offset>(1);
  Buffer offsets((out.length + 1) * static_cast<int64_t>(sizeof(Offset)));
  Offset* to = offsets.as<Offset>();
  int64_t total = 0;
  to[0] = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0) total += from[indices[i] + 1] - from[indices[i]];
    to[i + 1] = checked_offset<Offset>(total);
  }
  Buffer bytes(total);
  auto* data = bytes.as<uint8_t>();
  const auto* source = in.raw<uint8_t>(2);
  for (size_t i = 0; i < indices.size(); ++i) {
    const Offset size = to[i + 1] - to[i];
    if (size > 0) std::memcpy(data + to[i], source + from[indices[i]], static_cast<size_t>(size));
  }
  attach(out, offsets);
  attach(out, bytes);
}

template <typename Offset>
void take_lists(const Array& in, const Type& item, Indices indices, Array& out) {
  const Offset* from = in.values<Offset>(1);
  Buffer offsets((out.length + 1) * static_cast<int64_t>(sizeof(Offset)));
  Offset* to = offsets.as<Offset>();
  std::vector<int64_t> items;
  to[0] = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0) {
      // guard(allocate): The values of a batch have a memory limit, which counts shared items
      // again.
      take_batch_memory(static_cast<uint64_t>(from[indices[i] + 1] - from[indices[i]]) *
                        sizeof(int64_t));
      for (Offset at = from[indices[i]]; at < from[indices[i] + 1]; ++at) items.push_back(at);
    }
    to[i + 1] = checked_offset<Offset>(static_cast<int64_t>(items.size()));
  }
  attach(out, offsets);
  out.children.push_back(take(in.children[0], item, items));
}

void take_union(const Array& in, const Type& type, Indices indices, Array& out) {
  const int8_t* codes = in.values<int8_t>(0);
  Buffer taken(out.length);
  auto* to = taken.as<int8_t>();
  const auto first = type.type_codes().empty() ? int8_t{0} : type.type_codes()[0];
  for (size_t i = 0; i < indices.size(); ++i) to[i] = indices[i] < 0 ? first : codes[indices[i]];
  out.buffers.clear();
  attach(out, taken);
  out.null_count = 0;
  if (type.kind() == Kind::SparseUnion) {
    std::vector<int64_t> moved(indices.begin(), indices.end());
    for (int64_t& index : moved) {
      if (index >= 0) index += in.offset;
    }
    for (size_t i = 0; i < in.children.size(); ++i) {
      out.children.push_back(take(in.children[i], type.child(i).type, moved));
    }
    return;
  }
  const int32_t* from = in.values<int32_t>(1);
  std::vector<std::vector<int64_t>> chosen(in.children.size());
  std::vector<size_t> child_of(128, 0);
  for (size_t i = 0; i < type.type_codes().size(); ++i) {
    child_of[static_cast<size_t>(type.type_codes()[i])] = i;
  }
  Buffer offsets(out.length * 4);
  auto* at = offsets.as<int32_t>();
  for (size_t i = 0; i < indices.size(); ++i) {
    std::vector<int64_t>& rows = chosen[child_of[static_cast<size_t>(to[i])]];
    at[i] = static_cast<int32_t>(rows.size());
    rows.push_back(indices[i] < 0 ? -1 : from[indices[i]]);
  }
  attach(out, offsets);
  for (size_t i = 0; i < in.children.size(); ++i) {
    out.children.push_back(take_child(in.children[i], type.child(i), chosen[i]));
  }
}

template <typename End>
int64_t run_of(const Array& ends, int64_t logical) {
  const End* from = ends.values<End>(1);
  return std::upper_bound(from, from + ends.length, static_cast<End>(logical)) - from;
}

template <typename End>
Array run_ends_array(const std::vector<int64_t>& ends) {
  Array out = start(static_cast<int64_t>(ends.size()));
  Buffer buffer(out.length * static_cast<int64_t>(sizeof(End)));
  std::ranges::transform(ends, buffer.as<End>(), [](int64_t end) { return static_cast<End>(end); });
  attach(out, buffer);
  return out;
}

template <typename End>
void take_runs(const Array& in, const Type& type, Indices indices, Array& out) {
  std::vector<int64_t> ends;
  std::vector<int64_t> runs;
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t found = indices[i] < 0 ? -1 : run_of<End>(in.children[0], in.offset + indices[i]);
    if (!runs.empty() && runs.back() == found) {
      ends.back() = static_cast<int64_t>(i) + 1;
    } else {
      runs.push_back(found);
      ends.push_back(static_cast<int64_t>(i) + 1);
    }
  }
  out.buffers.clear();
  out.null_count = 0;
  out.children.push_back(run_ends_array<End>(ends));
  out.children.push_back(take(in.children[1], type.child(1).type, runs));
}

/// Null, text and bytes; other kinds without parameters are of a fixed width.
void take_plain(const Array& in, Kind kind, Indices indices, Array& out) {
  if (kind == Kind::Null) {
    out.null_count = out.length;
  } else if (kind == Kind::Utf8 || kind == Kind::Binary) {
    take_text<int32_t>(in, indices, out);
  } else if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) {
    take_text<int64_t>(in, indices, out);
  } else {
    take_bytes(in, 16, indices, out);
    out.buffers.insert(out.buffers.end(), in.buffers.begin() + 2, in.buffers.end());
    out.owners.insert(out.owners.end(), in.owners.begin(), in.owners.end());
  }
}

template <typename Offset>
void take_list_views(const Array& in, Indices indices, Array& out) {
  take_units<Offset>(in, 1, indices, out);
  take_units<Offset>(in, 2, indices, out);
  out.children = in.children;
}

}  // namespace

Array take(const Array& in, const Type& type, Indices indices) {
  // Also for types without buffers, whose elements cost an index.
  take_batch_memory(indices.size_bytes());
  Array out;
  out.length = static_cast<int64_t>(indices.size());
  const Kind kind = type.kind();
  if (has_validity(kind)) take_validity(in, indices, out);
  if (const std::optional<int> bits = fixed_bits(type)) {
    take_fixed(in, *bits, indices, out);
    return out;
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      take_plain(in, kind, indices, out);
      break;
    case Form::Map:
      take_lists<int32_t>(in, type.child().type, indices, out);
      break;
    case Form::List:
      if (kind == Kind::List) {
        take_lists<int32_t>(in, type.child().type, indices, out);
      } else if (kind == Kind::LargeList) {
        take_lists<int64_t>(in, type.child().type, indices, out);
      } else if (kind == Kind::ListView) {
        take_list_views<int32_t>(in, indices, out);
      } else {
        take_list_views<int64_t>(in, indices, out);
      }
      break;
    case Form::FixedSizeList: {
      // guard(allocate): The values of a batch have a memory limit, which counts the items of
      // nulls.
      take_batch_memory(indices.size() * static_cast<uint64_t>(type.size()) * sizeof(int64_t));
      std::vector<int64_t> items;
      items.reserve(indices.size() * static_cast<size_t>(type.size()));
      for (const int64_t index : indices) {
        for (int32_t i = 0; i < type.size(); ++i) {
          items.push_back(index < 0 ? -1 : (in.offset + index) * type.size() + i);
        }
      }
      out.children.push_back(take_child(in.children[0], type.child(), items));
      break;
    }
    case Form::Struct: {
      std::vector<int64_t> moved(indices.begin(), indices.end());
      for (int64_t& index : moved) {
        if (index >= 0) index += in.offset;
      }
      for (size_t i = 0; i < in.children.size(); ++i) {
        out.children.push_back(take_child(in.children[i], type.child(i), moved));
      }
      break;
    }
    case Form::Union:
      take_union(in, type, indices, out);
      break;
    case Form::Dictionary:
      take_fixed(in, *fixed_bits(Type(type.index_kind())), indices, out);
      out.dictionary = in.dictionary;
      break;
    case Form::RunEndEncoded:
      with_run_end(type.child(0).type.kind(),
                   [&](auto number) { take_runs<decltype(number)>(in, type, indices, out); });
      break;
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      break;  // of fixed width, handled above
  }
  return out;
}

}  // namespace xwalk::hub::cast
