#include "tests/skiff/oracle/node_codec.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "tests/skiff/oracle/value_checks.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/value_path.h"

namespace xwalk::skiff {
namespace {

using yson::Node;
using yt::TypeKind;

[[noreturn]] void fail(const Path& path, std::string message,
                       std::optional<uint64_t> byte = std::nullopt) {
  Place place;
  place.path = path;
  place.byte = byte;
  throw Error(ErrorCode::Input, std::move(message), std::move(place));
}

std::string member_name(const yt::Type& tuple, size_t index) {
  return tuple.is(TypeKind::Struct) ? tuple.members()[index].name : std::to_string(index);
}

/// Adds path and byte to errors of the token reader and of the value rules.
template <typename Action>
auto located(const Path& path, uint64_t byte, const Action& action) {
  try {
    return action();
  } catch (Error& error) {
    if (error.place().path.empty()) error.place().path = path;
    if (!error.place().byte) error.place().byte = byte;
    throw;
  }
}

int64_t read_signed(WireType wire, Reader* reader) {
  if (wire == WireType::Int8) return reader->read<WireType::Int8>();
  if (wire == WireType::Int16) return reader->read<WireType::Int16>();
  return wire == WireType::Int32 ? reader->read<WireType::Int32>()
                                 : reader->read<WireType::Int64>();
}

uint64_t read_unsigned(WireType wire, Reader* reader) {
  if (wire == WireType::Uint8) return reader->read<WireType::Uint8>();
  if (wire == WireType::Uint16) return reader->read<WireType::Uint16>();
  return wire == WireType::Uint32 ? reader->read<WireType::Uint32>()
                                  : reader->read<WireType::Uint64>();
}

std::string raw_bytes(const void* data, size_t size) {
  return std::string(static_cast<const char*>(data), size);
}

std::string read_wide(WireType wire, Reader* reader) {
  if (fixed_width(wire) == size_t{16}) {
    Uint128 value = reader->read<WireType::Uint128>();
    return raw_bytes(&value, sizeof(value));
  }
  Uint256 value = reader->read<WireType::Uint256>();
  return raw_bytes(&value, sizeof(value));
}

std::string read_decimal(WireType wire, Reader* reader) {
  std::string bytes;
  if (wire == WireType::Int32) {
    uint32_t value = reader->read<WireType::Uint32>();
    bytes = raw_bytes(&value, sizeof(value));
  } else if (wire == WireType::Int64) {
    uint64_t value = reader->read<WireType::Uint64>();
    bytes = raw_bytes(&value, sizeof(value));
  } else {
    bytes = read_wide(wire, reader);
  }
  // The system stores big-endian with the sign bit flipped, so that bytes sort as numbers.
  std::ranges::reverse(bytes);
  bytes[0] = static_cast<char>(bytes[0] ^ 0x80);
  return bytes;
}

/// Reads a value in YSON. The byte of an error is one of the stream, not of the value.
Node read_yson(Reader* reader) {
  const std::string_view bytes = reader->read<WireType::Yson32>();
  try {
    return yson::parse(bytes);
  } catch (Error& error) {
    error.place().byte = reader->position() - bytes.size() + error.place().byte.value_or(0);
    throw;
  }
}

size_t read_tag(WireType wire, Reader* reader) {
  return tag_width(wire) == 1 ? size_t{reader->read<WireType::Variant8>()}
                              : size_t{reader->read<WireType::Variant16>()};
}

[[noreturn]] void bad_tag(const Binding& binding, size_t tag, const Path& path, uint64_t byte) {
  fail(path,
       fmt::format("expected a tag of {} below {}, found {}", wire_name(binding.wire.wire()),
                   binding.wire.children().size(), tag),
       byte);
}

Node read_variant(const Binding& binding, size_t tag, Reader* reader, const Path& path,
                  uint64_t byte) {
  if (tag >= binding.children.size()) bad_tag(binding, tag, path, byte);
  Node node = Node::list();
  node.add(Node::int64(static_cast<int64_t>(tag)));
  node.add(read_node(binding.children[tag], reader, yt::alternative_path(binding.type, tag, path)));
  return node;
}

void check_yson_column(const Binding& value, const Node& node) {
  if (value.form == Form::Yson) {
    check_any(node);
  } else {
    check_node(value.type, node);
  }
}

Node wrapped(const Binding& optional, Node value) {
  if (!yt::is_nullable(optional.type.item())) return value;
  Node node = Node::list();
  node.add(std::move(value));
  return node;
}

}  // namespace

Node read_node(const Binding& binding, Reader* reader, const Path& path) {
  uint64_t byte = reader->position();
  auto simple = [&](const auto& read) { return located(path, byte, read); };
  WireType wire = binding.wire.wire();
  switch (binding.form) {
    case Form::Nothing:
      return Node();
    case Form::Boolean:
      return simple([&] { return Node::boolean(reader->read<WireType::Boolean>()); });
    case Form::Signed:
      return simple([&] {
        const int64_t value = read_signed(wire, reader);
        if (!binding.any) check_range(binding.type.kind(), value);
        return Node::int64(value);
      });
    case Form::Unsigned:
      return simple([&] {
        const uint64_t value = read_unsigned(wire, reader);
        if (!binding.any) check_range(binding.type.kind(), value);
        return Node::uint64(value);
      });
    case Form::Double:
      return simple([&] {
        const double value = reader->read<WireType::Double>();
        if (binding.type.is(TypeKind::Float)) check_float(value);
        return Node::real(value);
      });
    case Form::String:
      return simple([&] {
        const std::string_view bytes = reader->read<WireType::String32>();
        if (!binding.any) check_string(binding.type, bytes);
        return Node::string(std::string(bytes));
      });
    case Form::Yson:
      return simple([&] {
        Node node = read_yson(reader);
        if (!binding.any) check_any(node);
        return node;
      });
    case Form::YsonOf:
      return simple([&] {
        Node node = read_yson(reader);
        check_node(binding.type, node);
        return node;
      });
    case Form::Uuid:
      return simple([&] {
        std::string bytes = read_wide(wire, reader);
        std::ranges::reverse(bytes);
        return Node::string(std::move(bytes));
      });
    case Form::Decimal:
      return simple([&] {
        std::string bytes = read_decimal(wire, reader);
        check_string(binding.type, bytes);
        return Node::string(std::move(bytes));
      });
    case Form::Wide:
      return simple([&] { return Node::string(read_wide(wire, reader)); });
    case Form::Zone:
      return simple([&] {
        const WireType instant = binding.wire.child(0).wire();
        const auto word = is_signed_integer(instant)
                              ? static_cast<uint64_t>(read_signed(instant, reader))
                              : read_unsigned(instant, reader);
        std::string bytes = raw_bytes(&word, *fixed_width(instant));
        const uint16_t zone = reader->read<WireType::Uint16>();
        bytes += raw_bytes(&zone, sizeof(zone));
        std::string stored = stored_zone(binding.type.kind(), bytes.data());
        check_string(binding.type, stored);
        return Node::string(std::move(stored));
      });
    case Form::Optional: {
      size_t tag = simple([&] { return read_tag(wire, reader); });
      if (tag > 1) bad_tag(binding, tag, path, byte);
      if (tag == 0) {
        if (binding.required) fail(path, "expected a value of a required column, found null", byte);
        return Node();
      }
      return wrapped(binding, read_node(binding.children[0], reader,
                                        yt::optional_value_path(binding.type, path)));
    }
    case Form::Present:
      if (wire == WireType::Yson32) {
        // The system writes a null of this column as the entity.
        Node node = simple([&] { return read_yson(reader); });
        if (node.is(Node::Kind::Entity) && !node.has_attributes()) return node;
        located(path, byte, [&] { check_yson_column(binding.children[0], node); });
        return node;
      }
      return wrapped(binding, read_node(binding.children[0], reader,
                                        yt::optional_value_path(binding.type, path)));
    case Form::List: {
      Node node = Node::list();
      const Binding& item = binding.children[0];
      for (size_t index = 0;; ++index) {
        uint64_t at = reader->position();
        size_t tag = located(path, at, [&] { return read_tag(wire, reader); });
        if (tag == max_children(wire)) return node;
        if (item.shares_tag) {
          node.add(read_variant(item, tag, reader, path.item(index), at));
          continue;
        }
        if (tag != 0) bad_tag(binding, tag, path.item(index), at);
        node.add(read_node(item, reader, path.item(index)));
      }
    }
    case Form::Dict: {
      Node node = Node::list();
      for (size_t index = 0;; ++index) {
        uint64_t at = reader->position();
        size_t tag = located(path, at, [&] { return read_tag(wire, reader); });
        if (tag == max_children(wire)) return node;
        if (tag != 0) bad_tag(binding, tag, path, at);
        Node entry = Node::list();
        entry.add(read_node(binding.children[0], reader,
                            yt::entry_path(binding.type, true, index, path)));
        entry.add(read_node(binding.children[1], reader,
                            yt::entry_path(binding.type, false, index, path)));
        node.add(std::move(entry));
      }
    }
    case Form::Tuple: {
      Node node = Node::list();
      std::vector<Node> items(binding.type.members().size());
      for (size_t i = 0; i < binding.children.size(); ++i) {
        if (binding.members[i] < 0) {
          Path below = path.field(binding.wire.child(i).name());
          uint64_t at = reader->position();
          size_t tag = located(below, at, [&] { return read_tag(WireType::Variant8, reader); });
          if (tag != 0) fail(below, "expected an absent value of an unknown member", at);
          continue;
        }
        auto member = static_cast<size_t>(binding.members[i]);
        items[member] =
            read_node(binding.children[i], reader, path.field(member_name(binding.type, member)));
      }
      for (Node& item : items) node.add(std::move(item));
      return node;
    }
    case Form::Variant: {
      size_t tag = simple([&] { return read_tag(wire, reader); });
      return read_variant(binding, tag, reader, path, byte);
    }
  }
  throw Error(ErrorCode::Internal, "a form without a reader");
}

namespace {

void expect_kind(const Node& node, Node::Kind kind, const Path& path) {
  if (node.is(kind)) return;
  Node probe;
  switch (kind) {
    case Node::Kind::Boolean:
      probe = Node::boolean(false);
      break;
    case Node::Kind::Int64:
      probe = Node::int64(0);
      break;
    case Node::Kind::Uint64:
      probe = Node::uint64(0);
      break;
    case Node::Kind::Double:
      probe = Node::real(0);
      break;
    case Node::Kind::String:
      probe = Node::string("");
      break;
    case Node::Kind::List:
      probe = Node::list();
      break;
    case Node::Kind::Map:
      probe = Node::map();
      break;
    case Node::Kind::Entity:
      break;
  }
  fail(path, fmt::format("expected {}, found {}", yson::kind_name(probe.kind()),
                         yson::kind_name(node.kind())));
}

void write_tag(WireType wire, size_t tag, Writer* writer) {
  if (tag_width(wire) == 1) {
    writer->write<WireType::Variant8>(static_cast<uint8_t>(tag));
  } else {
    writer->write<WireType::Variant16>(static_cast<uint16_t>(tag));
  }
}

void write_signed(const Binding& binding, int64_t value, Writer* writer, const Path& path) {
  WireType wire = binding.wire.wire();
  if (!fits_wire(wire, value)) {
    fail(path,
         fmt::format("expected a value in the range of {}, found {}", wire_name(wire), value));
  }
  if (wire == WireType::Int8) writer->write<WireType::Int8>(static_cast<int8_t>(value));
  if (wire == WireType::Int16) writer->write<WireType::Int16>(static_cast<int16_t>(value));
  if (wire == WireType::Int32) writer->write<WireType::Int32>(static_cast<int32_t>(value));
  if (wire == WireType::Int64) writer->write<WireType::Int64>(value);
}

void write_unsigned(const Binding& binding, uint64_t value, Writer* writer, const Path& path) {
  WireType wire = binding.wire.wire();
  if (!fits_wire(wire, value)) {
    fail(path,
         fmt::format("expected a value in the range of {}, found {}", wire_name(wire), value));
  }
  if (wire == WireType::Uint8) writer->write<WireType::Uint8>(static_cast<uint8_t>(value));
  if (wire == WireType::Uint16) writer->write<WireType::Uint16>(static_cast<uint16_t>(value));
  if (wire == WireType::Uint32) writer->write<WireType::Uint32>(static_cast<uint32_t>(value));
  if (wire == WireType::Uint64) writer->write<WireType::Uint64>(value);
}

void write_variant(const Binding& binding, const Node& node, Writer* writer, const Path& path,
                   WireType tag_wire) {
  expect_kind(node, Node::Kind::List, path);
  const Node::List& pair = node.as_list();
  if (pair.size() != 2 || !pair[0].is(Node::Kind::Int64)) {
    fail(path, "expected [index; value] of a variant, found another list");
  }
  int64_t tag = pair[0].as_int64();
  if (tag < 0 || static_cast<size_t>(tag) >= binding.children.size()) {
    fail(path,
         fmt::format("expected an alternative below {}, found {}", binding.children.size(), tag));
  }
  auto index = static_cast<size_t>(tag);
  write_tag(tag_wire, index, writer);
  write_node(binding.children[index], pair[1], writer,
             yt::alternative_path(binding.type, index, path));
}

/// Returns the value inside a level of optional.
const Node& unwrapped(const Binding& optional, const Node& node, const Path& path) {
  if (!yt::is_nullable(optional.type.item())) return node;
  expect_kind(node, Node::Kind::List, path);
  if (node.as_list().size() != 1) {
    fail(path, fmt::format("expected [value] of an optional of a nullable type, found {} items",
                           node.as_list().size()));
  }
  return node.as_list()[0];
}

void write_tuple(const Binding& binding, const Node& node, Writer* writer, const Path& path) {
  expect_kind(node, Node::Kind::List, path);
  const Node::List& items = node.as_list();
  std::span<const yt::Member> members = binding.type.members();
  if (items.size() > members.size()) {
    fail(path, fmt::format("expected at most {} items, found {}", members.size(), items.size()));
  }
  for (size_t i = items.size(); i < members.size(); ++i) {
    if (binding.type.is(TypeKind::Struct) && members[i].type.is(TypeKind::Optional)) continue;
    fail(path.field(member_name(binding.type, i)), "expected a value, found the end of the list");
  }
  static const Node kAbsent;
  for (size_t i = 0; i < binding.children.size(); ++i) {
    int member = binding.members[i];
    if (member < 0) {
      writer->write<WireType::Variant8>(0);
      continue;
    }
    auto index = static_cast<size_t>(member);
    if (binding.children[i].is_left_out()) continue;
    write_node(binding.children[i], index < items.size() ? items[index] : kAbsent, writer,
               path.field(member_name(binding.type, index)));
  }
}

void write_wide(WireType wire, std::string_view bytes, Writer* writer, const Path& path) {
  size_t width = fixed_width(wire).value_or(0);
  if (bytes.size() != width) {
    fail(path,
         fmt::format("expected {} bytes of {}, found {}", width, wire_name(wire), bytes.size()));
  }
  writer->out()->append(bytes);
}

}  // namespace

void write_node(const Binding& binding, const Node& node, Writer* writer, const Path& path) {
  WireType wire = binding.wire.wire();
  auto checked = [&](const auto& check) {
    try {
      check();
    } catch (Error& error) {
      if (error.place().path.empty()) error.place().path = path;
      throw;
    }
  };
  if (node.has_attributes() && binding.form != Form::Yson && binding.form != Form::YsonOf) {
    fail(path, "expected a value without attributes, found attributes");
  }
  switch (binding.form) {
    case Form::Nothing:
      expect_kind(node, Node::Kind::Entity, path);
      return;
    case Form::Boolean:
      expect_kind(node, Node::Kind::Boolean, path);
      writer->write<WireType::Boolean>(node.as_boolean());
      return;
    case Form::Signed:
      expect_kind(node, Node::Kind::Int64, path);
      if (!binding.any) {
        checked([&] { check_range(binding.type.kind(), node.as_int64()); });
      }
      write_signed(binding, node.as_int64(), writer, path);
      return;
    case Form::Unsigned:
      expect_kind(node, Node::Kind::Uint64, path);
      if (!binding.any) {
        checked([&] { check_range(binding.type.kind(), node.as_uint64()); });
      }
      write_unsigned(binding, node.as_uint64(), writer, path);
      return;
    case Form::Double:
      expect_kind(node, Node::Kind::Double, path);
      if (binding.type.is(TypeKind::Float)) checked([&] { check_float(node.as_double()); });
      writer->write<WireType::Double>(node.as_double());
      return;
    case Form::String:
      expect_kind(node, Node::Kind::String, path);
      if (!binding.any) {
        checked([&] { check_string(binding.type, node.as_string()); });
      }
      writer->write<WireType::String32>(node.as_string());
      return;
    case Form::Yson:
      if (!binding.any) checked([&] { check_any(node); });
      writer->write<WireType::Yson32>(yson::print(node, yson::Format::Binary));
      return;
    case Form::YsonOf:
      checked([&] { check_node(binding.type, node); });
      writer->write<WireType::Yson32>(yson::print(node, yson::Format::Binary));
      return;
    case Form::Uuid: {
      expect_kind(node, Node::Kind::String, path);
      std::string bytes = node.as_string();
      checked([&] { check_string(binding.type, bytes); });
      std::ranges::reverse(bytes);
      write_wide(wire, bytes, writer, path);
      return;
    }
    case Form::Decimal: {
      expect_kind(node, Node::Kind::String, path);
      std::string bytes = node.as_string();
      checked([&] { check_string(binding.type, bytes); });
      bytes[0] = static_cast<char>(bytes[0] ^ 0x80);
      std::ranges::reverse(bytes);
      write_wide(wire, bytes, writer, path);
      return;
    }
    case Form::Zone: {
      expect_kind(node, Node::Kind::String, path);
      checked([&] { check_string(binding.type, node.as_string()); });
      const std::string bytes = wire_zone(binding.type.kind(), node.as_string());
      if (bytes.empty()) fail(path, "expected a time zone that has a number, found another");
      const WireType instant = binding.wire.child(0).wire();
      const size_t size = *fixed_width(instant);
      uint64_t word = 0;
      std::memcpy(&word, bytes.data(), size);
      if (instant == WireType::Int32) {
        writer->write<WireType::Int32>(static_cast<int32_t>(word));
      } else if (instant == WireType::Int64) {
        writer->write<WireType::Int64>(static_cast<int64_t>(word));
      } else if (instant == WireType::Uint16) {
        writer->write<WireType::Uint16>(static_cast<uint16_t>(word));
      } else if (instant == WireType::Uint32) {
        writer->write<WireType::Uint32>(static_cast<uint32_t>(word));
      } else {
        writer->write<WireType::Uint64>(word);
      }
      writer->write<WireType::Uint16>(load_little_endian<uint16_t>(bytes.data() + size));
      return;
    }
    case Form::Wide:
      expect_kind(node, Node::Kind::String, path);
      write_wide(wire, node.as_string(), writer, path);
      return;
    case Form::Optional:
      if (node.is(Node::Kind::Entity)) {
        if (binding.required) fail(path, "expected a value of a required column, found null");
        write_tag(wire, 0, writer);
        return;
      }
      write_tag(wire, 1, writer);
      write_node(binding.children[0], unwrapped(binding, node, path), writer,
                 yt::optional_value_path(binding.type, path));
      return;
    case Form::Present:
      if (node.is(Node::Kind::Entity)) {
        if (wire == WireType::Yson32) {
          writer->write<WireType::Yson32>("#");
          return;
        }
        fail(path, fmt::format("expected a value, which {} requires, found null", wire_name(wire)));
      }
      write_node(binding.children[0], unwrapped(binding, node, path), writer,
                 yt::optional_value_path(binding.type, path));
      return;
    case Form::List: {
      expect_kind(node, Node::Kind::List, path);
      const Binding& item = binding.children[0];
      size_t index = 0;
      for (const Node& value : node.as_list()) {
        if (item.shares_tag) {
          write_variant(item, value, writer, path.item(index), wire);
        } else {
          write_tag(wire, 0, writer);
          write_node(item, value, writer, path.item(index));
        }
        ++index;
      }
      write_tag(wire, max_children(wire), writer);
      return;
    }
    case Form::Dict: {
      expect_kind(node, Node::Kind::List, path);
      size_t index = 0;
      for (const Node& entry : node.as_list()) {
        expect_kind(entry, Node::Kind::List, path);
        if (entry.as_list().size() != 2) {
          fail(path, fmt::format("expected [key; value] of a dict, found {} items",
                                 entry.as_list().size()));
        }
        write_tag(wire, 0, writer);
        write_node(binding.children[0], entry.as_list()[0], writer,
                   yt::entry_path(binding.type, true, index, path));
        write_node(binding.children[1], entry.as_list()[1], writer,
                   yt::entry_path(binding.type, false, index, path));
        ++index;
      }
      write_tag(wire, max_children(wire), writer);
      return;
    }
    case Form::Tuple:
      write_tuple(binding, node, writer, path);
      return;
    case Form::Variant:
      write_variant(binding, node, writer, path, wire);
      return;
  }
}

}  // namespace xwalk::skiff
