#include "xwalk/skiff/append.h"

#include <algorithm>
#include <array>
#include <bit>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/skiff/value_walk_internal.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::skiff {
namespace {

using hub::ColumnBuilder;
using yson::Node;
using yt::TypeKind;

/// Returns the bytes after their length.
std::string_view load_string(const char* at) {
  return {at + sizeof(uint32_t), load_little_endian<uint32_t>(at)};
}

void append_integer(const Codec& codec, uint64_t value, ColumnBuilder* out) {
  switch (codec.scalar.width) {
    case 1:
      out->append(static_cast<uint8_t>(value));
      return;
    case 2:
      out->append(static_cast<uint16_t>(value));
      return;
    case 4:
      out->append(static_cast<uint32_t>(value));
      return;
    default:
      out->append(value);
      return;
  }
}

bool append_real(const Codec& codec, double value, ColumnBuilder* out) {
  if (codec.scalar.kind != TypeKind::Float) {
    out->append(value);
    return true;
  }
  if (!yt::fits_float(value)) return false;
  out->append(static_cast<float>(value));
  return true;
}

size_t read_tag(size_t width, const char** at) {
  size_t tag = width == 1 ? load_little_endian<uint8_t>(*at) : load_little_endian<uint16_t>(*at);
  *at += width;
  return tag;
}

bool append_yson(const Codec& codec, std::string_view bytes, ColumnBuilder* out) {
  try {
    Node node = yson::parse(bytes);
    if (codec.form == Form::Yson) {
      if (!codec.any) check_any(node);
      out->append_bytes(yson::print(node, yson::Format::Binary));
      return true;
    }
    check_node(codec.type, node);
    switch (node.kind()) {
      case Node::Kind::Entity:
        out->append_null();
        return true;
      case Node::Kind::Boolean:
        out->append_bool(node.as_boolean());
        return true;
      case Node::Kind::Int64:
        append_integer(codec, static_cast<uint64_t>(node.as_int64()), out);
        return true;
      case Node::Kind::Uint64:
        append_integer(codec, node.as_uint64(), out);
        return true;
      case Node::Kind::Double:
        return append_real(codec, node.as_double(), out);
      case Node::Kind::String:
        return yt::append_scalar(codec.scalar, node.as_string(), out);
      case Node::Kind::List:
      case Node::Kind::Map:
        return false;
    }
  } catch (const Error&) {
    // `find_fault` reports the row's error.
  }
  return false;
}

/// Appends a value of a simple wire type as YSON. Returns its end, or null.
const char* append_any(const Codec& codec, const char* at, ColumnBuilder* out) {
  Node node;
  const char* end = at + codec.wire_width;
  switch (codec.form) {
    case Form::Boolean:
      if (static_cast<unsigned char>(*at) > 1) return nullptr;
      node = Node::boolean(*at != 0);
      break;
    case Form::Signed:
      node = Node::int64(load_signed(codec.wire_width, at));
      break;
    case Form::Unsigned:
      node = Node::uint64(load_unsigned(codec.wire_width, at));
      break;
    case Form::Double:
      node = Node::real(load_double(at));
      break;
    case Form::String: {
      std::string_view bytes = load_string(at);
      node = Node::string(std::string(bytes));
      end = bytes.data() + bytes.size();
      break;
    }
    case Form::Nothing:
      out->append_null();
      return at;
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
      return nullptr;
  }
  out->append_bytes(yson::print(node, yson::Format::Binary));
  return end;
}

const char* append_variant(const Codec& codec, size_t tag, const char* at, ColumnBuilder* out) {
  const Codec& chosen = codec.children[tag];
  if (codec.is_union) {
    out->append_union(tag);
    return append_value(chosen, at, &out->child(tag));
  }
  for (size_t i = 0; i < codec.children.size(); ++i) {
    if (i != tag) out->child(i).append_null();
  }
  at = append_value(chosen, at, &out->child(tag));
  if (at != nullptr) out->append_struct();
  return at;
}

/// Appends the value of an optional that is present.
const char* append_present(const Codec& codec, const char* at, ColumnBuilder* out) {
  if (!codec.wrapped) return append_value(codec.children[0], at, out);
  at = append_value(codec.children[0], at, &out->child(0));
  if (at != nullptr) out->append_struct();
  return at;
}

const char* append_optional(const Codec& codec, const char* at, ColumnBuilder* out) {
  size_t tag = read_tag(tag_width(codec.wire), &at);
  if (tag == 0) {
    if (codec.required) return nullptr;
    out->append_null();
    return at;
  }
  return append_present(codec, at, out);
}

/// Returns true if YSON text is `#`.
bool is_entity(std::string_view bytes) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const size_t from = bytes.find_first_not_of(kSpace);
  return from != std::string_view::npos && bytes[from] == '#' &&
         bytes.find_first_not_of(kSpace, from + 1) == std::string_view::npos;
}

/// Appends a value of a type that may be null and whose wire type has no tag of its own for it.
const char* append_untagged(const Codec& codec, const char* at, ColumnBuilder* out) {
  if (codec.wire == WireType::Yson32) {
    const std::string_view bytes = load_string(at);
    if (is_entity(bytes)) {
      out->append_null();
      return bytes.data() + bytes.size();
    }
  }
  return append_present(codec, at, out);
}

const char* append_list(const Codec& codec, const char* at, ColumnBuilder* out) {
  const Codec& item = codec.children[0];
  size_t width = tag_width(codec.wire);
  size_t last = max_children(codec.wire);
  while (true) {
    size_t tag = read_tag(width, &at);
    if (tag == last) break;
    at = item.shares_tag ? append_variant(item, tag, at, &out->child(0))
                         : append_value(item, at, &out->child(0));
    if (at == nullptr) return nullptr;
  }
  out->append_list();
  return at;
}

const char* append_dict(const Codec& codec, const char* at, ColumnBuilder* out) {
  ColumnBuilder& entries = out->child(0);
  while (read_tag(1, &at) == 0) {
    at = append_value(codec.children[0], at, &entries.child(0));
    if (at != nullptr) at = append_value(codec.children[1], at, &entries.child(1));
    if (at == nullptr) return nullptr;
    entries.append_struct();
  }
  out->append_list();
  return at;
}

const char* append_tuple(const Codec& codec, const char* at, ColumnBuilder* out) {
  for (size_t i = 0; i < codec.children.size(); ++i) {
    if (codec.members[i] < 0) {
      ++at;
      continue;
    }
    at = append_value(codec.children[i], at, &out->child(static_cast<size_t>(codec.members[i])));
    if (at == nullptr) return nullptr;
  }
  for (int member : codec.absent) out->child(static_cast<size_t>(member)).append_null();
  out->append_struct();
  return at;
}

}  // namespace

const char* append_value(const Codec& codec, const char* at, ColumnBuilder* out) {
  if (codec.any && codec.form != Form::Yson) return append_any(codec, at, out);
  switch (codec.form) {
    case Form::Nothing:
      out->append_null();
      return at;
    case Form::Boolean:
      if (static_cast<unsigned char>(*at) > 1) return nullptr;
      out->append_bool(*at != 0);
      return at + 1;
    case Form::Signed: {
      int64_t value = load_signed(codec.wire_width, at);
      if (codec.check_range && !codec.scalar.range.contains(value)) return nullptr;
      append_integer(codec, static_cast<uint64_t>(value), out);
      return at + codec.wire_width;
    }
    case Form::Unsigned: {
      uint64_t value = load_unsigned(codec.wire_width, at);
      if (codec.check_range && !codec.scalar.range.contains(value)) return nullptr;
      append_integer(codec, value, out);
      return at + codec.wire_width;
    }
    case Form::Double:
      return append_real(codec, load_double(at), out) ? at + sizeof(double) : nullptr;
    case Form::String:
    case Form::Yson:
    case Form::YsonOf: {
      std::string_view bytes = load_string(at);
      bool good = codec.form == Form::String ? yt::append_scalar(codec.scalar, bytes, out)
                                             : append_yson(codec, bytes, out);
      return good ? bytes.data() + bytes.size() : nullptr;
    }
    case Form::Uuid: {
      std::array<char, yt::kUuidSize> stored;
      std::reverse_copy(at, at + stored.size(), stored.begin());
      yt::append_scalar(codec.scalar, {stored.data(), stored.size()}, out);
      return at + stored.size();
    }
    case Form::Decimal:
      return yt::append_decimal(codec.scalar, at, out) ? at + codec.wire_width : nullptr;
    case Form::Wide:
      out->append_fixed(at);
      return at + codec.wire_width;
    case Form::Zone: {
      const std::string stored = stored_zone(codec.scalar.kind, at);
      return yt::append_scalar(codec.scalar, stored, out) ? at + codec.wire_width : nullptr;
    }
    case Form::Optional:
      return append_optional(codec, at, out);
    case Form::Present:
      return append_untagged(codec, at, out);
    case Form::List:
      return append_list(codec, at, out);
    case Form::Dict:
      return append_dict(codec, at, out);
    case Form::Tuple:
      return append_tuple(codec, at, out);
    case Form::Variant: {
      size_t tag = read_tag(tag_width(codec.wire), &at);
      return append_variant(codec, tag, at, out);
    }
  }
  return nullptr;
}

}  // namespace xwalk::skiff
