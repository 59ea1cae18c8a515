#pragma once

#include <cstddef>
#include <cstdint>

#include "xwalk/variant/fault.h"
#include "xwalk/variant/kinds.h"
#include "xwalk/variant/metadata.h"

namespace xwalk::variant {

/// The tables before the values of an object or a list.
struct Layout {
  bool object;
  size_t count;
  int id_width;
  int offset_width;
  const char* ids;
  const char* offsets;
  const char* values;
  const char* end;

  uint32_t id(size_t i) const {
    return load_unsigned(ids + i * static_cast<size_t>(id_width), id_width);
  }
  uint32_t offset(size_t i) const {
    return load_unsigned(offsets + i * static_cast<size_t>(offset_width), offset_width);
  }
};

/// Reads the tables of the object or list at `p`. Returns Fault::Truncated if they or the values
/// pass the end, and checks no offset.
inline Fault read_layout(const char* p, const char* end, Layout* out) {
  const int header = value_header(*p);
  out->object = basic_type(*p) == BasicType::Object;
  const bool large = (header >> (out->object ? 4 : 2) & 1) != 0;
  out->offset_width = (header & 3) + 1;
  out->id_width = out->object ? (header >> 2 & 3) + 1 : 0;
  const size_t count_width = large ? 4 : 1;
  auto left = static_cast<size_t>(end - p) - 1;
  if (left < count_width) return Fault::Truncated;
  left -= count_width;
  out->count = load_unsigned(p + 1, static_cast<int>(count_width));
  const auto offset_width = static_cast<size_t>(out->offset_width);
  const size_t tables =
      out->count * (static_cast<size_t>(out->id_width) + offset_width) + offset_width;
  if (left < tables) return Fault::Truncated;
  left -= tables;
  out->ids = p + 1 + count_width;
  out->offsets = out->ids + out->count * static_cast<size_t>(out->id_width);
  out->values = out->offsets + (out->count + 1) * offset_width;
  const size_t size = out->offset(out->count);
  if (left < size) return Fault::Truncated;
  out->end = out->values + size;
  return Fault::None;
}

}  // namespace xwalk::variant
