#include "xwalk/hub/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/hub/variant.h"

namespace xwalk::hub {
namespace {

bool same_bytes(const void* a, const void* b, int64_t size) {
  return size == 0 || std::memcmp(a, b, static_cast<size_t>(size)) == 0;
}

bool same_bits(const uint8_t* a, int64_t i, const uint8_t* b, int64_t j, int64_t count) {
  if (((i | j) & 7) == 0) {
    const int64_t whole = count >> 3;
    if (!same_bytes(a + (i >> 3), b + (j >> 3), whole)) return false;
    i += whole * 8;
    j += whole * 8;
    count &= 7;
  }
  for (int64_t k = 0; k < count; ++k) {
    if (bit_is_set(a, i + k) != bit_is_set(b, j + k)) return false;
  }
  return true;
}

bool same_validity(const Array& a, int64_t i, const Array& b, int64_t j, int64_t count) {
  const uint8_t* left = validity(a);
  const uint8_t* right = validity(b);
  if (left != nullptr && right != nullptr) {
    return same_bits(left, a.offset + i, right, b.offset + j, count);
  }
  const uint8_t* bits = left != nullptr ? left : right;
  if (bits == nullptr) return true;
  return count_bits(bits, left != nullptr ? a.offset + i : b.offset + j, count) == count;
}

/// Whether runs of offsets have the same steps; then also where the first begin, and how far the
/// last is from there.
template <typename Offset>
bool same_steps(const Array& a, int64_t i, const Array& b, int64_t j, int64_t count) {
  const Offset* left = a.values<Offset>() + i;
  const Offset* right = b.values<Offset>() + j;
  const Offset apart = left[0] - right[0];
  if (apart == 0) return same_bytes(left, right, (count + 1) * int64_t{sizeof(Offset)});
  Offset different = 0;
  for (int64_t k = 1; k <= count; ++k) different |= (left[k] - right[k]) ^ apart;
  return different == 0;
}

template <typename Offset>
bool same_texts(const Array& a, int64_t i, const Array& b, int64_t j, int64_t count) {
  if (!same_steps<Offset>(a, i, b, j, count)) return false;
  const Offset* left = a.values<Offset>() + i;
  const Offset* right = b.values<Offset>() + j;
  return same_bytes(a.raw<char>(2) + left[0], b.raw<char>(2) + right[0], left[count] - left[0]);
}

template <typename Offset>
bool same_lists(const Type& item, const Array& a, int64_t i, const Array& b, int64_t j,
                int64_t count) {
  if (!same_steps<Offset>(a, i, b, j, count)) return false;
  const Offset* left = a.values<Offset>() + i;
  const Offset* right = b.values<Offset>() + j;
  return same_run(item, a.children[0], left[0], b.children[0], right[0], left[count] - left[0]);
}

bool is_float(Kind kind) {
  return kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double;
}

bool same_float(double a, double b, bool same_bits, const Comparison& how) {
  if (same_bits || (std::isnan(a) && std::isnan(b))) return true;
  if (!how.tolerance || std::isnan(a) || std::isnan(b)) return false;
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= *how.tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

bool same_run(const Type& type, const Array& a, int64_t i, const Array& b, int64_t j,
              int64_t count) {
  const Kind kind = type.kind();
  if (count == 0 || kind == Kind::Null) return true;
  if (has_validity(kind) && !same_validity(a, i, b, j, count)) return false;
  if (kind == Kind::Bool) {
    return same_bits(a.raw<uint8_t>(1), a.offset + i, b.raw<uint8_t>(1), b.offset + j, count);
  }
  if (const std::optional<int> bits = fixed_bits(type)) {
    const int64_t width = *bits / 8;
    return same_bytes(a.fixed(i, width), b.fixed(j, width), count * width);
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      return kind == Kind::Utf8 || kind == Kind::Binary ? same_texts<int32_t>(a, i, b, j, count)
                                                        : same_texts<int64_t>(a, i, b, j, count);
    case Form::List:
    case Form::Map: {
      const Type& item = type.child().type;
      return kind == Kind::LargeList ? same_lists<int64_t>(item, a, i, b, j, count)
                                     : same_lists<int32_t>(item, a, i, b, j, count);
    }
    case Form::FixedSizeList:
      return same_run(type.child().type, a.children[0], a.slot(i) * type.size(), b.children[0],
                      b.slot(j) * type.size(), count * type.size());
    case Form::Struct:
      for (size_t k = 0; k < type.children().size(); ++k) {
        if (!same_run(type.child(k).type, a.children[k], a.slot(i), b.children[k], b.slot(j),
                      count)) {
          return false;
        }
      }
      return true;
    case Form::Union:
    case Form::Dictionary:
    case Form::RunEndEncoded:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
      return false;  // unions are compared one by one; other types are handled above
  }
  return false;
}

bool same_value(const Type& type, const Array& a, int64_t i, const Array& b, int64_t j,
                const Comparison& how) {
  const Kind kind = type.kind();
  if (kind == Kind::Null) return true;
  const bool is_null = a.is_null(i);
  if (is_null || b.is_null(j)) return is_null == b.is_null(j);
  if (is_float(kind)) {
    const bool same_bits = same_run(type, a, i, b, j, 1);
    return same_float(real_at(a, kind, i), real_at(b, kind, j), same_bits, how);
  }
  switch (kind_row(kind).form) {
    case Form::List:
    case Form::FixedSizeList:
    case Form::Map: {
      const auto [left, count] = items_at(a, type, i);
      const auto [right, others] = items_at(b, type, j);
      if (count != others) return false;
      const Type& item = type.child().type;
      for (int64_t k = 0; k < count; ++k) {
        if (!same_value(item, a.children[0], left + k, b.children[0], right + k, how)) return false;
      }
      return true;
    }
    case Form::Struct:
      for (size_t k = 0; k < type.children().size(); ++k) {
        if (!same_value(type.child(k).type, a.children[k], a.slot(i), b.children[k], b.slot(j),
                        how)) {
          return false;
        }
      }
      return true;
    case Form::Union: {
      const auto [which, left] = alternative_at(a, type, i);
      const auto [other, right] = alternative_at(b, type, j);
      return which == other && same_value(type.child(which).type, a.children[which], left,
                                          b.children[which], right, how);
    }
    case Form::Plain:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
    case Form::Dictionary:
    case Form::RunEndEncoded:
      return same_run(type, a, i, b, j, 1);
  }
  return false;
}

void walk_differences(const Path& path, const Field& field, const Array& a, int64_t i,
                      const Array& b, int64_t j, const Comparison& how,
                      const std::function<void(const ValuePlace&)>& found) {
  const Type& type = field.type;
  if (same_value(type, a, i, b, j, how)) return;
  const bool both = type.kind() != Kind::Null && !a.is_null(i) && !b.is_null(j);
  const Form form = kind_row(type.kind()).form;
  if (both && form == Form::Struct && !is_variant(field)) {
    for (size_t k = 0; k < type.children().size(); ++k) {
      walk_differences(path.field(type.child(k).name), type.child(k), a.children[k], a.slot(i),
                       b.children[k], b.slot(j), how, found);
    }
    return;
  }
  if (both && (form == Form::List || form == Form::FixedSizeList)) {
    const auto [left, count] = items_at(a, type, i);
    const auto [right, others] = items_at(b, type, j);
    if (count == others) {
      for (int64_t k = 0; k < count; ++k) {
        walk_differences(path.item(static_cast<size_t>(k)), type.child(), a.children[0], left + k,
                         b.children[0], right + k, how, found);
      }
      return;
    }
  }
  if (both && form == Form::Union) {
    const auto [which, left] = alternative_at(a, type, i);
    const auto [other, right] = alternative_at(b, type, j);
    if (which == other) {
      walk_differences(path.alternative(type.child(which).name), type.child(which),
                       a.children[which], left, b.children[which], right, how, found);
      return;
    }
  }
  found({path, field, a, i, b, j});
}

}  // namespace xwalk::hub
