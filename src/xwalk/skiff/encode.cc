#include "xwalk/skiff/encode.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

using hub::Array;
using yson::Node;
using yt::TypeKind;

/// Size from which nothing is added: a row may have half of it, and the rows before it in its block
/// are fewer bytes.
constexpr size_t kTooMuch = 2 * limits::kRowBytes;

void put_integer(size_t width, int64_t value, std::string* out) {
  std::array<char, 8> bytes;
  store_little_endian(value, bytes.data());
  out->append(bytes.data(), width);
}

void put_double(double value, std::string* out) {
  put_integer(sizeof(value), std::bit_cast<int64_t>(value), out);
}

void put_tag(WireType wire, size_t tag, std::string* out) {
  put_integer(tag_width(wire), static_cast<int64_t>(tag), out);
}

void put_string(std::string_view bytes, std::string* out) {
  put_integer(sizeof(uint32_t), static_cast<int64_t>(bytes.size()), out);
  out->append(bytes);
}

/// Appends bytes of any length, unless the row is one that is rejected: then they are not copied.
Refusal put_text(std::string_view bytes, std::string* out) {
  if (out->size() + bytes.size() > kTooMuch) return Refusal::Large;
  put_string(bytes, out);
  return Refusal::None;
}

double real_of(const Codec& codec, const Array& array, int64_t row) {
  if (codec.scalar.width == sizeof(float)) return static_cast<double>(array.value<float>(row));
  return array.value<double>(row);
}

/// Writes the stored bytes of a value that Arrow has in another form. Returns the end, or null for
/// a value that the type does not hold.
char* write_coded(const Codec& codec, const Array& array, int64_t row, char* out) {
  if (codec.scalar.form != yt::ScalarForm::Tz) {
    return yt::write_scalar(codec.scalar, array.fixed(row, codec.scalar.width), {}, out);
  }
  int64_t at = array.slot(row);
  const char* instant = array.children[0].fixed(at, codec.scalar.width);
  return yt::write_scalar(codec.scalar, instant, array.children[1].text(at), out);
}

/// Returns the only refusal of a value that Arrow has in another form.
Refusal coded_refusal(const Codec& codec) {
  return codec.scalar.form == yt::ScalarForm::Decimal ? Refusal::Range : Refusal::Value;
}

/// Loads an integer of an Arrow array, sign-extended if its type is signed.
int64_t load_integer(const Codec& codec, const Array& array, int64_t row) {
  hub::Kind kind = codec.scalar.arrow;
  bool is_unsigned = hub::is_integer(kind) && !hub::is_signed_integer(kind);
  switch (codec.scalar.width) {
    case 1:
      return is_unsigned ? array.value<uint8_t>(row) : int64_t{array.value<int8_t>(row)};
    case 2:
      return is_unsigned ? array.value<uint16_t>(row) : int64_t{array.value<int16_t>(row)};
    case 4:
      return is_unsigned ? array.value<uint32_t>(row) : int64_t{array.value<int32_t>(row)};
    default:
      return array.value<int64_t>(row);
  }
}

Refusal encode_any(const Codec& codec, std::string_view bytes, std::string* out) {
  Node node;
  try {
    node = yson::parse(bytes);
  } catch (const Error&) {
    return Refusal::Value;
  }
  if (node.has_attributes()) return Refusal::Value;
  switch (codec.form) {
    case Form::Boolean:
      if (!node.is(Node::Kind::Boolean)) return Refusal::Value;
      out->push_back(node.as_boolean() ? 1 : 0);
      return Refusal::None;
    case Form::Signed:
      if (!node.is(Node::Kind::Int64)) return Refusal::Value;
      if (!fits_wire(codec.wire, node.as_int64())) return Refusal::Range;
      put_integer(codec.wire_width, node.as_int64(), out);
      return Refusal::None;
    case Form::Unsigned:
      if (!node.is(Node::Kind::Uint64)) return Refusal::Value;
      if (!fits_wire(codec.wire, node.as_uint64())) return Refusal::Range;
      put_integer(codec.wire_width, static_cast<int64_t>(node.as_uint64()), out);
      return Refusal::None;
    case Form::Double:
      if (!node.is(Node::Kind::Double)) return Refusal::Value;
      put_double(node.as_double(), out);
      return Refusal::None;
    case Form::String:
      if (!node.is(Node::Kind::String)) return Refusal::Value;
      put_string(node.as_string(), out);
      return Refusal::None;
    case Form::Nothing:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
    case Form::Optional:
    case Form::Present:
    case Form::List:
    case Form::Dict:
    case Form::Tuple:
    case Form::Variant:
      break;
  }
  return Refusal::Value;
}

Refusal encode_as_yson(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  Node node;
  TypeKind kind = codec.scalar.kind;
  if (codec.scalar.is_coded()) {
    std::array<char, yt::kMaxScalarBytes> bytes;
    const char* end = write_coded(codec, array, row, bytes.data());
    if (end == nullptr) return coded_refusal(codec);
    node = Node::string(std::string(static_cast<const char*>(bytes.data()), end));
  } else if (kind == TypeKind::Bool) {
    node = Node::boolean(array.bit(row));
  } else if (kind == TypeKind::Double || kind == TypeKind::Float) {
    node = Node::real(real_of(codec, array, row));
  } else if (yt::is_integral(kind)) {
    int64_t value = load_integer(codec, array, row);
    bool is_unsigned = yt::is_unsigned(kind);
    const yt::IntegerRange& range = codec.scalar.range;
    bool fits = is_unsigned ? range.contains(static_cast<uint64_t>(value)) : range.contains(value);
    if (!fits) return Refusal::Range;
    node = is_unsigned ? Node::uint64(static_cast<uint64_t>(value)) : Node::int64(value);
  } else {
    node = Node::string(std::string(array.text(row)));
  }
  put_string(yson::print(node, yson::Format::Binary), out);
  return Refusal::None;
}

}  // namespace

bool integer_fits(const Codec& codec, int64_t value) {
  if (codec.form == Form::Unsigned) {
    auto bits = static_cast<uint64_t>(value);
    return codec.scalar.range.contains(bits) && fits_wire(codec.wire, bits);
  }
  return codec.scalar.range.contains(value) && fits_wire(codec.wire, value);
}

namespace {

/// Appends a value that has bytes and no children.
Refusal encode_leaf(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  if (codec.form == Form::YsonOf && codec.type.content() == yt::Content::Null) {
    put_string("#", out);
    return Refusal::None;
  }
  if (array.is_null(row)) return Refusal::Null;
  if (codec.any && codec.form != Form::Yson) return encode_any(codec, array.text(row), out);
  switch (codec.form) {
    case Form::Boolean:
      out->push_back(array.bit(row) ? 1 : 0);
      return Refusal::None;
    case Form::Signed:
    case Form::Unsigned: {
      int64_t value = load_integer(codec, array, row);
      if (!integer_fits(codec, value)) return Refusal::Range;
      put_integer(codec.wire_width, value, out);
      return Refusal::None;
    }
    case Form::Double:
      put_double(real_of(codec, array, row), out);
      return Refusal::None;
    case Form::String: {
      if (!codec.scalar.is_coded()) return put_text(array.text(row), out);
      std::array<char, yt::kMaxScalarBytes> bytes;
      const char* end = write_coded(codec, array, row, bytes.data());
      if (end == nullptr) return coded_refusal(codec);
      put_string({bytes.data(), end}, out);
      return Refusal::None;
    }
    case Form::Yson:
      return put_text(array.text(row), out);
    case Form::YsonOf:
      return encode_as_yson(codec, array, row, out);
    case Form::Uuid: {
      std::array<char, yt::kMaxScalarBytes> stored;
      char* end = write_coded(codec, array, row, stored.data());
      std::reverse(stored.data(), end);
      out->append(stored.data(), static_cast<size_t>(end - stored.data()));
      return Refusal::None;
    }
    case Form::Decimal: {
      std::array<char, yt::kMaxScalarBytes> bytes;
      const char* end =
          yt::write_decimal(codec.scalar, array.fixed(row, codec.scalar.width), bytes.data());
      if (end == nullptr) return coded_refusal(codec);
      out->append(bytes.data(), static_cast<size_t>(end - bytes.data()));
      return Refusal::None;
    }
    case Form::Zone: {
      std::array<char, yt::kMaxScalarBytes> stored;
      const char* end = write_coded(codec, array, row, stored.data());
      if (end == nullptr) return coded_refusal(codec);
      const std::string bytes = wire_zone(codec.scalar.kind, {stored.data(), end});
      if (bytes.empty()) return Refusal::Value;
      out->append(bytes);
      return Refusal::None;
    }
    case Form::Wide:
      out->append(array.fixed(row, codec.scalar.width), codec.wire_width);
      return Refusal::None;
    case Form::Nothing:
    case Form::Optional:
    case Form::Present:
    case Form::List:
    case Form::Dict:
    case Form::Tuple:
    case Form::Variant:
      break;
  }
  return Refusal::Value;
}

Refusal encode_optional(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  bool absent = array.is_null(row);
  if (codec.form == Form::Optional) {
    if (absent && codec.required) return Refusal::Null;
    put_tag(codec.wire, absent ? 0 : 1, out);
    if (absent || codec.children.empty()) return Refusal::None;
  } else if (absent) {
    if (codec.wire != WireType::Yson32) return Refusal::Null;
    put_string("#", out);
    return Refusal::None;
  }
  if (!codec.wrapped) return encode_value(codec.children[0], array, row, out);
  return encode_value(codec.children[0], array.children[0], array.slot(row), out);
}

Refusal encode_list(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  if (array.is_null(row)) return Refusal::Null;
  const Codec& item = codec.children[0];
  for (int64_t i = array.first_item(row); i < array.end_item(row); ++i) {
    // A shared tag, that of the alternative, is written with the item.
    if (!item.shares_tag) put_tag(codec.wire, 0, out);
    Refusal refusal = encode_value(item, array.children[0], i, out);
    if (refusal != Refusal::None) return refusal;
  }
  put_tag(codec.wire, max_children(codec.wire), out);
  return Refusal::None;
}

Refusal encode_dict(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  if (array.is_null(row)) return Refusal::Null;
  const Array& entries = array.children[0];
  for (int64_t i = array.first_item(row); i < array.end_item(row); ++i) {
    if (entries.is_null(i)) return Refusal::Null;
    put_tag(codec.wire, 0, out);
    for (size_t part = 0; part < 2; ++part) {
      Refusal refusal =
          encode_value(codec.children[part], entries.children[part], entries.slot(i), out);
      if (refusal != Refusal::None) return refusal;
    }
  }
  put_tag(codec.wire, max_children(codec.wire), out);
  return Refusal::None;
}

Refusal encode_tuple(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  if (array.is_null(row)) return Refusal::Null;
  for (size_t i = 0; i < codec.children.size(); ++i) {
    if (codec.members[i] < 0) {
      out->push_back(0);
      continue;
    }
    Refusal refusal =
        encode_value(codec.children[i], array.children[static_cast<size_t>(codec.members[i])],
                     array.slot(row), out);
    if (refusal != Refusal::None) return refusal;
  }
  return Refusal::None;
}

Refusal encode_variant(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  if (codec.is_union) {
    auto tag = static_cast<size_t>(array.type_code(row));
    put_tag(codec.wire, tag, out);
    return encode_value(codec.children[tag], array.children[tag], array.union_slot(row), out);
  }
  if (array.is_null(row)) return Refusal::Null;
  int64_t at = array.slot(row);
  size_t chosen = codec.children.size();
  for (size_t i = 0; i < codec.children.size(); ++i) {
    if (array.children[i].is_null(at)) continue;
    if (chosen != codec.children.size()) return Refusal::Value;
    chosen = i;
  }
  if (chosen == codec.children.size()) return Refusal::Value;
  put_tag(codec.wire, chosen, out);
  return encode_value(codec.children[chosen], array.children[chosen], at, out);
}

}  // namespace

Refusal encode_value(const Codec& codec, const Array& array, int64_t row, std::string* out) {
  switch (codec.form) {
    case Form::Nothing:
      // A value of type any must be null.
      return codec.any && !array.is_null(row) ? Refusal::Value : Refusal::None;
    case Form::Optional:
    case Form::Present:
      return encode_optional(codec, array, row, out);
    case Form::List:
      return encode_list(codec, array, row, out);
    case Form::Dict:
      return encode_dict(codec, array, row, out);
    case Form::Tuple:
      return encode_tuple(codec, array, row, out);
    case Form::Variant:
      return encode_variant(codec, array, row, out);
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
    case Form::Zone:
      break;
  }
  return encode_leaf(codec, array, row, out);
}

}  // namespace xwalk::skiff
