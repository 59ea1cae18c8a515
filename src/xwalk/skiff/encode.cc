#include "xwalk/skiff/encode.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

using hub::Array;
using yson::Node;
using yt::TypeKind;

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

double real_of(const Plan& plan, const Array& array, int64_t row) {
  if (plan.scalar.width == sizeof(float)) return static_cast<double>(array.value<float>(row));
  return array.value<double>(row);
}

/// Writes the stored bytes of a value that Arrow has in another form. Returns the end, or null for
/// a value that the type does not hold.
char* write_coded(const Plan& plan, const Array& array, int64_t row, char* out) {
  if (plan.scalar.form != yt::ScalarForm::Tz) {
    return yt::write_scalar(plan.scalar, array.fixed(row, plan.scalar.width), {}, out);
  }
  int64_t at = array.slot(row);
  const char* instant = array.children[0].fixed(at, plan.scalar.width);
  return yt::write_scalar(plan.scalar, instant, array.children[1].text(at), out);
}

/// Returns true for a value without children and with bytes.
bool is_leaf(Form form) { return form > Form::Nothing && form < Form::Optional; }

/// The one thing that can be wrong with such a value.
Refusal coded_refusal(const Plan& plan) {
  return plan.scalar.form == yt::ScalarForm::Decimal ? Refusal::Range : Refusal::Value;
}

/// Loads an integer of an Arrow array, sign-extended where its type is signed.
int64_t load_integer(const Plan& plan, const Array& array, int64_t row) {
  hub::Kind kind = plan.scalar.arrow;
  bool is_unsigned = hub::is_integer(kind) && !hub::is_signed_integer(kind);
  switch (plan.scalar.width) {
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

Refusal encode_any(const Plan& plan, std::string_view bytes, std::string* out) {
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
    case Form::Nothing:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
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

Refusal encode_as_yson(const Plan& plan, const Array& array, int64_t row, std::string* out) {
  Node node;
  TypeKind kind = plan.scalar.kind;
  if (plan.scalar.is_coded()) {
    std::array<char, yt::kScalarRoom> bytes;
    const char* end = write_coded(plan, array, row, bytes.data());
    if (end == nullptr) return coded_refusal(plan);
    node = Node::string(std::string(static_cast<const char*>(bytes.data()), end));
  } else if (kind == TypeKind::Bool) {
    node = Node::boolean(array.bit(row));
  } else if (kind == TypeKind::Double || kind == TypeKind::Float) {
    node = Node::real(real_of(plan, array, row));
  } else if (yt::is_integral(kind)) {
    int64_t value = load_integer(plan, array, row);
    bool is_unsigned = yt::is_unsigned(kind);
    const yt::IntegerRange& range = plan.scalar.range;
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

bool integer_fits(const Plan& plan, int64_t value) {
  if (plan.form == Form::Unsigned) {
    auto bits = static_cast<uint64_t>(value);
    return plan.scalar.range.contains(bits) && fits_wire(plan.wire, bits);
  }
  return plan.scalar.range.contains(value) && fits_wire(plan.wire, value);
}

Refusal encode_value(const Plan& plan, const Array& array, int64_t row, std::string* out) {
  if (is_leaf(plan.form)) {
    if (array.is_null(row)) return Refusal::Null;
    if (plan.any && plan.form != Form::Yson) return encode_any(plan, array.text(row), out);
  }
  switch (plan.form) {
    case Form::Nothing:
      return Refusal::None;
    case Form::Boolean:
      out->push_back(array.bit(row) ? 1 : 0);
      return Refusal::None;
    case Form::Signed:
    case Form::Unsigned: {
      int64_t value = load_integer(plan, array, row);
      if (!integer_fits(plan, value)) return Refusal::Range;
      put_integer(plan.wire_width, value, out);
      return Refusal::None;
    }
    case Form::Double:
      put(real_of(plan, array, row), out);
      return Refusal::None;
    case Form::String: {
      if (!plan.scalar.is_coded()) {
        put_string(array.text(row), out);
        return Refusal::None;
      }
      std::array<char, yt::kScalarRoom> bytes;
      const char* end = write_coded(plan, array, row, bytes.data());
      if (end == nullptr) return coded_refusal(plan);
      put_string({bytes.data(), end}, out);
      return Refusal::None;
    }
    case Form::Yson:
      put_string(array.text(row), out);
      return Refusal::None;
    case Form::YsonOf:
      return encode_as_yson(plan, array, row, out);
    case Form::Uuid: {
      std::array<char, yt::kScalarRoom> stored;
      char* end = write_coded(plan, array, row, stored.data());
      std::reverse(stored.data(), end);
      out->append(stored.data(), static_cast<size_t>(end - stored.data()));
      return Refusal::None;
    }
    case Form::Decimal: {
      std::array<char, yt::kScalarRoom> bytes;
      const char* end =
          yt::write_decimal(plan.scalar, array.fixed(row, plan.scalar.width), bytes.data());
      if (end == nullptr) return coded_refusal(plan);
      out->append(bytes.data(), static_cast<size_t>(end - bytes.data()));
      return Refusal::None;
    }
    case Form::Wide:
      out->append(array.fixed(row, plan.scalar.width), plan.wire_width);
      return Refusal::None;
    case Form::Optional:
    case Form::Present: {
      bool absent = array.is_null(row);
      if (plan.form == Form::Optional) {
        if (absent && plan.required) return Refusal::Null;
        put_tag(plan.wire, absent ? 0 : 1, out);
        if (absent || plan.children.empty()) return Refusal::None;
      } else if (absent) {
        if (plan.wire != WireType::Yson32) return Refusal::Null;
        put_string("#", out);
        return Refusal::None;
      }
      if (!plan.wrapped) return encode_value(plan.children[0], array, row, out);
      return encode_value(plan.children[0], array.children[0], array.slot(row), out);
    }
    case Form::List: {
      if (array.is_null(row)) return Refusal::Null;
      const Plan& item = plan.children[0];
      for (int64_t i = array.first_item(row); i < array.end_item(row); ++i) {
        if (item.shares_tag) {
          // The tag of the alternative is the tag of the list, of the same width.
          Refusal refusal = encode_value(item, array.children[0], i, out);
          if (refusal != Refusal::None) return refusal;
          continue;
        }
        put_tag(plan.wire, 0, out);
        Refusal refusal = encode_value(item, array.children[0], i, out);
        if (refusal != Refusal::None) return refusal;
      }
      put_tag(plan.wire, max_children(plan.wire), out);
      return Refusal::None;
    }
    case Form::Dict: {
      if (array.is_null(row)) return Refusal::Null;
      const Array& entries = array.children[0];
      for (int64_t i = array.first_item(row); i < array.end_item(row); ++i) {
        put_tag(plan.wire, 0, out);
        for (size_t part = 0; part < 2; ++part) {
          Refusal refusal =
              encode_value(plan.children[part], entries.children[part], entries.slot(i), out);
          if (refusal != Refusal::None) return refusal;
        }
      }
      put_tag(plan.wire, max_children(plan.wire), out);
      return Refusal::None;
    }
    case Form::Tuple:
      if (array.is_null(row)) return Refusal::Null;
      for (size_t i = 0; i < plan.children.size(); ++i) {
        if (plan.members[i] < 0) {
          out->push_back(0);
          continue;
        }
        Refusal refusal =
            encode_value(plan.children[i], array.children[static_cast<size_t>(plan.members[i])],
                         array.slot(row), out);
        if (refusal != Refusal::None) return refusal;
      }
      return Refusal::None;
    case Form::Variant: {
      if (plan.is_union) {
        auto tag = static_cast<size_t>(array.type_code(row));
        put_tag(plan.wire, tag, out);
        return encode_value(plan.children[tag], array.children[tag], array.union_slot(row), out);
      }
      if (array.is_null(row)) return Refusal::Null;
      int64_t at = array.slot(row);
      size_t chosen = plan.children.size();
      for (size_t i = 0; i < plan.children.size(); ++i) {
        if (array.children[i].is_null(at)) continue;
        if (chosen != plan.children.size()) return Refusal::Value;
        chosen = i;
      }
      if (chosen == plan.children.size()) return Refusal::Value;
      put_tag(plan.wire, chosen, out);
      return encode_value(plan.children[chosen], array.children[chosen], at, out);
    }
  }
  return Refusal::Value;
}

}  // namespace xwalk::skiff
