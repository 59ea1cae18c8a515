#include "xwalk/skiff/encode.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::skiff {
namespace {

using yson::Node;
using yt::TypeKind;

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof(T));
  return value;
}

template <typename T>
void put(const T& value, std::string* out) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  out->append(bytes.data(), bytes.size());
}

void put_integer(size_t width, int64_t value, std::string* out) {
  std::array<char, 8> bytes;
  std::memcpy(bytes.data(), &value, sizeof(value));
  out->append(bytes.data(), width);
}

void put_tag(WireType wire, size_t tag, std::string* out) {
  out->push_back(static_cast<char>(tag));
  if (tag_width(wire) == 2) out->push_back(static_cast<char>(tag >> 8));
}

void put_string(std::string_view bytes, std::string* out) {
  put(static_cast<uint32_t>(bytes.size()), out);
  out->append(bytes);
}

std::string_view bytes_of(const ArrayView& view, int64_t row) {
  int32_t from = view.offsets[view.offset + row];
  int32_t to = view.offsets[view.offset + row + 1];
  return {view.bytes + from, static_cast<size_t>(to - from)};
}

const char* fixed_of(const ArrayView& view, int64_t row) {
  return view.values + (view.offset + row) * view.width;
}

bool bit_of(const ArrayView& view, int64_t row) {
  int64_t at = view.offset + row;
  return ((static_cast<unsigned char>(view.values[at >> 3]) >> (at & 7)) & 1) != 0;
}

double real_of(const ArrayView& view, int64_t row) {
  if (view.width == sizeof(float)) return static_cast<double>(load<float>(fixed_of(view, row)));
  return load<double>(fixed_of(view, row));
}

void store_uuid(const Plan& plan, const char* shown, char* stored) {
  if (plan.raw_uuid) {
    std::memcpy(stored, shown, yt::kUuidSize);
  } else {
    yt::exchange_uuid_order(shown, stored);
  }
}

/// Returns the unscaled value; decimal128 and decimal256 only.
Int256 decimal_of(const ArrayView& view, int64_t row) {
  const char* at = fixed_of(view, row);
  return view.width == 32 ? load_little_endian_256(at) : Int256(load_little_endian_128(at));
}

}  // namespace

void view_array(const hub::Field& field, const ArrowArray& array, ArrayView* view) {
  const hub::Type& type = field.type;
  view->kind = type.kind();
  view->length = array.length;
  view->offset = array.offset;
  view->width = hub::fixed_bits(type).value_or(0) / 8;
  bool is_union = type.kind() == hub::Kind::DenseUnion;
  bool has_validity = !is_union && type.kind() != hub::Kind::Null;
  view->validity = has_validity ? static_cast<const uint8_t*>(array.buffers[0]) : nullptr;
  view->has_nulls = view->validity != nullptr && array.null_count != 0;
  size_t children = 0;
  switch (type.kind()) {
    case hub::Kind::Utf8:
    case hub::Kind::Binary:
      view->offsets = static_cast<const int32_t*>(array.buffers[1]);
      view->bytes = static_cast<const char*>(array.buffers[2]);
      break;
    case hub::Kind::List:
    case hub::Kind::Map:
      view->offsets = static_cast<const int32_t*>(array.buffers[1]);
      children = 1;
      break;
    case hub::Kind::Struct:
      children = type.children().size();
      break;
    case hub::Kind::DenseUnion:
      view->values = static_cast<const char*>(array.buffers[0]);
      view->offsets = static_cast<const int32_t*>(array.buffers[1]);
      children = type.children().size();
      break;
    case hub::Kind::Null:
      break;
    default:
      if (array.n_buffers != 2) {
        throw Error(ErrorCode::Internal,
                    fmt::format("expected a plain layout, found {}", hub::to_string(type)));
      }
      view->values = static_cast<const char*>(array.buffers[1]);
  }
  if (static_cast<size_t>(array.n_children) != children) {
    throw Error(ErrorCode::Internal,
                fmt::format("expected {} child arrays, found {}", children, array.n_children));
  }
  view->children.resize(children);
  for (size_t i = 0; i < children; ++i) {
    view_array(type.child(i), *array.children[i], &view->children[i]);
  }
}

int64_t load_integer(const ArrayView& view, int64_t row) {
  const char* at = fixed_of(view, row);
  switch (view.kind) {
    case hub::Kind::Int8:
      return load<int8_t>(at);
    case hub::Kind::Int16:
      return load<int16_t>(at);
    case hub::Kind::Uint8:
      return load<uint8_t>(at);
    case hub::Kind::Uint16:
      return load<uint16_t>(at);
    case hub::Kind::Uint32:
      return load<uint32_t>(at);
    default:
      return view.width == 4 ? load<int32_t>(at) : load<int64_t>(at);
  }
}

bool integer_fits(const Plan& plan, int64_t value) {
  if (plan.form == Form::Unsigned) {
    auto bits = static_cast<uint64_t>(value);
    return plan.range.contains(bits) && fits_wire(plan.wire, bits);
  }
  return plan.range.contains(value) && fits_wire(plan.wire, value);
}

Refusal ValueEncoder::encode(const Plan& plan, const ArrayView& view, int64_t row,
                             std::string* out) {
  switch (plan.form) {
    case Form::Nothing:
      return Refusal::None;
    case Form::Boolean:
    case Form::Signed:
    case Form::Unsigned:
    case Form::Double:
    case Form::String:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
      if (view.is_null(row)) return Refusal::Null;
      return encode_leaf(plan, view, row, out);
    case Form::Optional:
    case Form::Present: {
      bool absent = view.is_null(row);
      if (plan.form == Form::Optional) {
        if (absent && plan.required) return Refusal::Null;
        put_tag(plan.wire, absent ? 0 : 1, out);
        if (absent || plan.children.empty()) return Refusal::None;
      } else if (absent) {
        if (plan.wire != WireType::Yson32) return Refusal::Null;
        put_string("#", out);
        return Refusal::None;
      }
      if (!plan.wrapped) return encode(plan.children[0], view, row, out);
      return encode(plan.children[0], view.children[0], view.offset + row, out);
    }
    case Form::List: {
      if (view.is_null(row)) return Refusal::Null;
      const Plan& item = plan.children[0];
      for (int32_t i = view.offsets[view.offset + row]; i < view.offsets[view.offset + row + 1];
           ++i) {
        if (item.shares_tag) {
          // The tag of the alternative is the tag of the list, of the same width.
          Refusal refusal = encode(item, view.children[0], i, out);
          if (refusal != Refusal::None) return refusal;
          continue;
        }
        put_tag(plan.wire, 0, out);
        Refusal refusal = encode(item, view.children[0], i, out);
        if (refusal != Refusal::None) return refusal;
      }
      put_tag(plan.wire, max_children(plan.wire), out);
      return Refusal::None;
    }
    case Form::Dict: {
      if (view.is_null(row)) return Refusal::Null;
      const ArrayView& entries = view.children[0];
      for (int32_t i = view.offsets[view.offset + row]; i < view.offsets[view.offset + row + 1];
           ++i) {
        put_tag(plan.wire, 0, out);
        for (size_t part = 0; part < 2; ++part) {
          Refusal refusal =
              encode(plan.children[part], entries.children[part], entries.offset + i, out);
          if (refusal != Refusal::None) return refusal;
        }
      }
      put_tag(plan.wire, max_children(plan.wire), out);
      return Refusal::None;
    }
    case Form::Tuple:
      if (view.is_null(row)) return Refusal::Null;
      for (size_t i = 0; i < plan.children.size(); ++i) {
        if (plan.members[i] < 0) {
          out->push_back(0);
          continue;
        }
        Refusal refusal =
            encode(plan.children[i], view.children[static_cast<size_t>(plan.members[i])],
                   view.offset + row, out);
        if (refusal != Refusal::None) return refusal;
      }
      return Refusal::None;
    case Form::Variant: {
      if (plan.is_union) {
        auto tag = static_cast<size_t>(view.values[view.offset + row]);
        put_tag(plan.wire, tag, out);
        return encode(plan.children[tag], view.children[tag], view.offsets[view.offset + row], out);
      }
      if (view.is_null(row)) return Refusal::Null;
      int64_t at = view.offset + row;
      size_t chosen = plan.children.size();
      for (size_t i = 0; i < plan.children.size(); ++i) {
        if (view.children[i].is_null(at)) continue;
        if (chosen != plan.children.size()) return Refusal::Value;
        chosen = i;
      }
      if (chosen == plan.children.size()) return Refusal::Value;
      put_tag(plan.wire, chosen, out);
      const ArrayView& child = view.children[chosen];
      if (!plan.wrapped_alternatives[chosen]) return encode(plan.children[chosen], child, at, out);
      return encode(plan.children[chosen], child.children[0], child.offset + at, out);
    }
  }
  return Refusal::Value;
}

Refusal ValueEncoder::text_of(const Plan& plan, const ArrayView& view, int64_t row,
                              std::string* text) {
  if (yt::is_tz(plan.kind)) {
    int64_t at = view.offset + row;
    int64_t instant = load_integer(view.children[0], at);
    std::string_view zone = bytes_of(view.children[1], at);
    if (yt::check_tz(plan.kind, instant, zone, &zones_) != yt::TzStatus::Ok) return Refusal::Value;
    text->resize(yt::tz_integer_size(plan.kind) + zone.size());
    yt::write_tz(plan.kind, instant, zone, text->data());
  } else if (plan.kind == TypeKind::Uuid) {
    text->resize(yt::kUuidSize);
    store_uuid(plan, fixed_of(view, row), text->data());
  } else {
    *text = bytes_of(view, row);
  }
  return Refusal::None;
}

Refusal ValueEncoder::encode_leaf(const Plan& plan, const ArrayView& view, int64_t row,
                                  std::string* out) {
  if (plan.any && plan.form != Form::Yson) return encode_any(plan, bytes_of(view, row), out);
  switch (plan.form) {
    case Form::Boolean:
      out->push_back(bit_of(view, row) ? 1 : 0);
      return Refusal::None;
    case Form::Signed:
    case Form::Unsigned: {
      int64_t value = load_integer(view, row);
      if (!integer_fits(plan, value)) return Refusal::Range;
      put_integer(plan.wire_width, value, out);
      return Refusal::None;
    }
    case Form::Double:
      put(real_of(view, row), out);
      return Refusal::None;
    case Form::String: {
      if (!yt::is_tz(plan.kind) && plan.kind != TypeKind::Uuid) {
        put_string(bytes_of(view, row), out);
        return Refusal::None;
      }
      std::string text;
      Refusal refusal = text_of(plan, view, row, &text);
      put_string(text, out);
      return refusal;
    }
    case Form::Yson:
      put_string(bytes_of(view, row), out);
      return Refusal::None;
    case Form::YsonOf:
      return encode_as_yson(plan, view, row, out);
    case Form::Uuid: {
      std::array<char, yt::kUuidSize> stored;
      store_uuid(plan, fixed_of(view, row), stored.data());
      std::ranges::reverse(stored);
      out->append(stored.data(), stored.size());
      return Refusal::None;
    }
    case Form::Decimal: {
      Int256 value = decimal_of(view, row);
      if (!fits_digits(value, plan.precision)) return Refusal::Range;
      std::array<char, 32> bytes;
      store_little_endian(value, bytes.data());
      out->append(bytes.data(), plan.wire_width);
      return Refusal::None;
    }
    case Form::Wide:
      out->append(fixed_of(view, row), plan.wire_width);
      return Refusal::None;
    default:
      return Refusal::Value;
  }
}

Refusal ValueEncoder::encode_any(const Plan& plan, std::string_view bytes, std::string* out) {
  Node node;
  try {
    node = yson::parse(bytes);
  } catch (const Error&) {
    return Refusal::Value;
  }
  if (node.has_attributes()) return Refusal::Value;
  switch (plan.form) {
    case Form::Boolean:
      if (!node.is(Node::Kind::Boolean)) return Refusal::Value;
      out->push_back(node.as_boolean() ? 1 : 0);
      return Refusal::None;
    case Form::Signed:
      if (!node.is(Node::Kind::Int64)) return Refusal::Value;
      if (!fits_wire(plan.wire, node.as_int64())) return Refusal::Range;
      put_integer(plan.wire_width, node.as_int64(), out);
      return Refusal::None;
    case Form::Unsigned:
      if (!node.is(Node::Kind::Uint64)) return Refusal::Value;
      if (!fits_wire(plan.wire, node.as_uint64())) return Refusal::Range;
      put_integer(plan.wire_width, static_cast<int64_t>(node.as_uint64()), out);
      return Refusal::None;
    case Form::Double:
      if (!node.is(Node::Kind::Double)) return Refusal::Value;
      put(node.as_double(), out);
      return Refusal::None;
    case Form::String:
      if (!node.is(Node::Kind::String)) return Refusal::Value;
      put_string(node.as_string(), out);
      return Refusal::None;
    default:
      return Refusal::Value;
  }
}

Refusal ValueEncoder::encode_as_yson(const Plan& plan, const ArrayView& view, int64_t row,
                                     std::string* out) {
  Node node;
  if (plan.kind == TypeKind::Decimal) {
    Int256 value = decimal_of(view, row);
    if (!fits_digits(value, plan.precision)) return Refusal::Range;
    std::string stored(static_cast<size_t>(yt::decimal_size(plan.precision)), '\0');
    yt::with_decimal_codec(plan.precision, [&](auto codec) {
      using Int = decltype(codec.nan());
      if constexpr (std::is_same_v<Int, Int256>) {
        codec.store(value, stored.data());
      } else {
        codec.store(static_cast<Int>(value.low128()), stored.data());
      }
      return 0;
    });
    node = Node::string(std::move(stored));
  } else if (plan.kind == TypeKind::Bool) {
    node = Node::boolean(bit_of(view, row));
  } else if (plan.kind == TypeKind::Double || plan.kind == TypeKind::Float) {
    node = Node::real(real_of(view, row));
  } else if (yt::is_integral(plan.kind)) {
    int64_t value = load_integer(view, row);
    bool is_unsigned = yt::is_unsigned(plan.kind);
    bool fits = is_unsigned ? plan.range.contains(static_cast<uint64_t>(value))
                            : plan.range.contains(value);
    if (!fits) return Refusal::Range;
    node = is_unsigned ? Node::uint64(static_cast<uint64_t>(value)) : Node::int64(value);
  } else {
    std::string text;
    Refusal refusal = text_of(plan, view, row, &text);
    if (refusal != Refusal::None) return refusal;
    node = Node::string(std::move(text));
  }
  put_string(yson::print(node, yson::Format::Binary), out);
  return Refusal::None;
}

}  // namespace xwalk::skiff
