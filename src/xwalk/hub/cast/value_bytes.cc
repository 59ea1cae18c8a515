#include "xwalk/hub/cast/value_bytes.h"

#include <cmath>

#include "xwalk/base/half_float.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::hub::cast {
namespace {

template <typename T>
void append_raw(T value, std::string& out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

void append_text(std::string_view text, std::string& out) {
  append_raw(static_cast<uint64_t>(text.size()), out);
  out.append(text);
}

void append_items(const Array& array, const Type& type, int64_t index, std::string& out) {
  const auto [first, count] = items_at(array, type, index);
  append_raw(count, out);
  for (int64_t i = 0; i < count; ++i) {
    append_value_bytes(array.children[0], type.child().type, first + i, out);
  }
}

void append_union(const Array& array, const Type& type, int64_t index, std::string& out) {
  const auto [child, at] = alternative_at(array, type, index);
  append_text(type.child(child).name, out);
  append_value_bytes(array.children[child], type.child(child).type, at, out);
}

}  // namespace

void append_value_bytes(const Array& array, const Type& type, int64_t index, std::string& out) {
  const Kind kind = type.kind();
  if (kind == Kind::RunEndEncoded) {
    append_value_bytes(array.children[1], type.child(1).type, run_at(array, type, index), out);
    return;
  }
  if (kind == Kind::Null || array.is_null(index)) {
    out.push_back('\0');
    return;
  }
  if (kind == Kind::Dictionary) {
    append_value_bytes(*array.dictionary, type.child().type,
                       integer_at(array, type.index_kind(), index), out);
    return;
  }
  out.push_back('\1');
  switch (kind_row(kind).form) {
    case Form::Plain:
      if (is_utf8(kind) || is_binary(kind)) return append_text(bytes_at(array, type, index), out);
      if (kind == Kind::Bool) return out.push_back(array.bit(index) ? '\1' : '\0');
      if (kind == Kind::HalfFloat) {
        const Half value = array.value<Half>(index);
        return append_raw(is_nan(value) ? Half{0x7e00} : value, out);
      }
      if (kind == Kind::Float) {
        const float value = array.values<float>()[index];
        return append_raw(std::isnan(value) ? std::nanf("") : value, out);
      }
      if (kind == Kind::Double) {
        const double value = array.values<double>()[index];
        return append_raw(std::isnan(value) ? std::nan("") : value, out);
      }
      break;
    case Form::List:
    case Form::FixedSizeList:
    case Form::Map:
      return append_items(array, type, index, out);
    case Form::Struct:
      for (size_t i = 0; i < array.children.size(); ++i) {
        append_value_bytes(array.children[i], type.child(i).type, array.offset + index, out);
      }
      return;
    case Form::Union:
      return append_union(array, type, index, out);
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
    case Form::Dictionary:
    case Form::RunEndEncoded:
      break;
  }
  const int64_t width = *fixed_bits(type) / 8;
  out.append(array.fixed(index, width), static_cast<size_t>(width));
}

}  // namespace xwalk::hub::cast
