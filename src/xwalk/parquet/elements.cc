#include "xwalk/parquet/elements.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/parquet/thrift.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::Reader;
using thrift::Wire;
using thrift::Writer;
using Kind = LogicalType::Kind;

/// Field ids of SchemaElement.
enum ElementField : int32_t {
  kType = 1,
  kTypeLength = 2,
  kRepetition = 3,
  kName = 4,
  kNumChildren = 5,
  kConverted = 6,
  kScale = 7,
  kPrecision = 8,
  kFieldId = 9,
  kLogical = 10,
};

/// Reads a struct of parameters; calls `take` for each field, which returns false for what it does
/// not know. Returns false if anything was unknown.
template <typename Take>
bool read_struct(Reader* reader, Take take) {
  bool known = true;
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) return known;
    previous = header.id;
    if (!take(header)) {
      reader->skip(header.type);
      known = false;
    }
  }
}

bool is_bool(Wire type) { return type == Wire::True || type == Wire::False; }

/// Reads the union TimeUnit: 0 for a member of the future.
int read_time_unit(Reader* reader) {
  int unit = 0;
  read_struct(reader, [&](FieldHeader header) {
    if (header.type == Wire::Struct && header.id >= 1 && header.id <= 3) unit = header.id;
    return false;
  });
  return unit;
}

std::optional<LogicalType> read_geospatial(Reader* reader, Kind kind) {
  std::optional<std::string> crs;
  std::optional<int32_t> algorithm;
  read_struct(reader, [&](FieldHeader header) {
    if (header.id == 1 && header.type == Wire::Binary) {
      crs = std::string(reader->binary());
      return true;
    }
    if (kind != Kind::Geography || header.id != 2 || header.type != Wire::I32) return false;
    algorithm = reader->i32();
    return true;
  });
  if (kind == Kind::Geometry) return LogicalType::geometry(std::move(crs));
  if (!algorithm) return LogicalType::geography(std::move(crs), std::nullopt);
  if (*algorithm < 0 || *algorithm > static_cast<int>(EdgeAlgorithm::Karney)) {
    return std::nullopt;
  }
  return LogicalType::geography(std::move(crs), static_cast<EdgeAlgorithm>(*algorithm));
}

/// Reads the parameters of one member. Returns nothing if they are missing or of a later version.
std::optional<LogicalType> read_member(Reader* reader, int32_t id) {
  auto kind = static_cast<Kind>(id);
  switch (logical_row(kind).parameters) {
    case Parameters::None:
      reader->skip(Wire::Struct);
      // The number of INTERVAL is reserved in the union.
      return kind == Kind::Interval ? std::nullopt : std::optional<LogicalType>(kind);
    case Parameters::Decimal: {
      int32_t scale = 0;
      int32_t precision = 0;
      read_struct(reader, [&](FieldHeader header) {
        if (header.type != Wire::I32 || header.id < 1 || header.id > 2) return false;
        (header.id == 1 ? scale : precision) = reader->i32();
        return true;
      });
      return LogicalType::decimal(precision, scale);
    }
    case Parameters::Time: {
      bool utc = false;
      int unit = 0;
      read_struct(reader, [&](FieldHeader header) {
        if (header.id == 1 && is_bool(header.type)) {
          utc = header.type == Wire::True;
          return true;
        }
        if (header.id != 2 || header.type != Wire::Struct) return false;
        unit = read_time_unit(reader);
        return true;
      });
      if (unit == 0) return std::nullopt;
      return kind == Kind::Time ? LogicalType::time(static_cast<TimeUnit>(unit), utc)
                                : LogicalType::timestamp(static_cast<TimeUnit>(unit), utc);
    }
    case Parameters::Integer: {
      int bits = 0;
      bool is_signed = false;
      read_struct(reader, [&](FieldHeader header) {
        if (header.id == 1 && header.type == Wire::Byte) {
          bits = reader->byte();
          return true;
        }
        if (header.id != 2 || !is_bool(header.type)) return false;
        is_signed = header.type == Wire::True;
        return true;
      });
      return LogicalType::integer(bits, is_signed);
    }
    case Parameters::Variant: {
      std::optional<int> version;
      read_struct(reader, [&](FieldHeader header) {
        if (header.id != 1 || header.type != Wire::Byte) return false;
        version = reader->byte();
        return true;
      });
      return LogicalType::variant(version);
    }
    case Parameters::Geospatial:
      return read_geospatial(reader, kind);
    case Parameters::Future:
      break;
  }
  reader->skip(Wire::Struct);
  return std::nullopt;
}

template <typename Enum>
Enum checked_enum(Reader* reader, std::string_view what, Enum last, ErrorCode code) {
  int32_t value = reader->i32();
  if (value < 0 || value > static_cast<int32_t>(last)) {
    if (code == ErrorCode::Input) {
      reader->fail(fmt::format("expected {} from 0 to {}, found {}", what,
                               static_cast<int32_t>(last), value));
    }
    throw Error(code, fmt::format("{} {} is newer than this version of xwalk", what, value));
  }
  return static_cast<Enum>(value);
}

struct Element {
  NodeData data;
  int32_t num_children = 0;
};

void read_logical(Reader* reader, NodeData* data) {
  const size_t start = reader->position();
  data->annotation.logical = read_logical_type(reader);
  std::string known;
  write_logical_type(*data->annotation.logical, &known);
  // If there are unknown members, the bytes are kept, and written instead.
  if (known != reader->slice(start)) {
    data->unknown.push_back(
        {kLogical, static_cast<uint8_t>(Wire::Struct), std::string(reader->slice(start))});
  }
}

void check_children(Reader* reader, bool is_root, Element* element) {
  NodeData& data = element->data;
  if (element->num_children < 0) {
    reader->fail(fmt::format("expected a number of children, found {}", element->num_children));
  }
  if (is_root && data.physical && element->num_children > 0) {
    // Some writers give the root a type. It has no meaning, and other readers ignore it.
    data.physical.reset();
    data.length = 0;
  }
  if (data.physical && element->num_children > 0) {
    reader->fail(
        fmt::format("expected {} to be a group or a column, found both", quoted(data.name)));
  }
}

Element read_element(Reader* reader, bool is_root) {
  Element element;
  NodeData& data = element.data;
  int32_t previous = 0;
  bool named = false;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    // A known id with another wire type is nothing this version knows.
    Wire expected = header.id == kName      ? Wire::Binary
                    : header.id == kLogical ? Wire::Struct
                                            : Wire::I32;
    if (header.id < kType || header.id > kLogical || header.type != expected) {
      size_t start = reader->position();
      reader->skip(header.type);
      data.unknown.push_back(
          {header.id, static_cast<uint8_t>(header.type), std::string(reader->slice(start))});
      continue;
    }
    switch (header.id) {
      case kType:
        data.physical = checked_enum(reader, "physical type", PhysicalType::FixedLenByteArray,
                                     ErrorCode::Unsupported);
        break;
      case kTypeLength:
        data.length = reader->i32();
        break;
      case kRepetition:
        data.repetition =
            checked_enum(reader, "repetition", Repetition::Repeated, ErrorCode::Input);
        break;
      case kName:
        data.name = reader->binary();
        named = true;
        break;
      case kNumChildren:
        element.num_children = reader->i32();
        break;
      case kConverted:
        data.annotation.converted = reader->i32();
        break;
      case kScale:
        data.annotation.scale = reader->i32();
        break;
      case kPrecision:
        data.annotation.precision = reader->i32();
        break;
      case kFieldId:
        data.id = reader->i32();
        break;
      case kLogical:
        read_logical(reader, &data);
        break;
      default:
        break;
    }
  }
  if (!named) reader->fail("expected a schema element with a name");
  check_children(reader, is_root, &element);
  return element;
}

void write_element(const Node& node, bool root, std::string* out) {
  const NodeData& data = node.data();
  const Annotation& annotation = data.annotation;
  Writer writer(out);
  size_t next_unknown = 0;
  auto unknown = data.unknown;
  std::stable_sort(unknown.begin(), unknown.end(),
                   [](const UnknownField& a, const UnknownField& b) { return a.id < b.id; });
  auto unknown_before = [&](int32_t id) {
    for (; next_unknown < unknown.size() && unknown[next_unknown].id < id; ++next_unknown) {
      writer.field(static_cast<Wire>(unknown[next_unknown].type), unknown[next_unknown].id);
      writer.raw(unknown[next_unknown].bytes);
    }
  };
  auto number = [&](int32_t id, std::optional<int32_t> value) {
    unknown_before(id);
    if (value) writer.i32_field(id, *value);
  };
  if (data.physical) {
    number(kType, static_cast<int32_t>(*data.physical));
    if (data.length != 0) number(kTypeLength, data.length);
  }
  // The format gives the root none, yet Arrow C++ always wrote one: readers take both.
  if (!root) number(kRepetition, static_cast<int32_t>(data.repetition));
  unknown_before(kName);
  writer.binary_field(kName, data.name);
  if (!data.physical) number(kNumChildren, static_cast<int32_t>(data.children.size()));
  number(kConverted, annotation.converted);
  number(kScale, annotation.scale);
  number(kPrecision, annotation.precision);
  number(kFieldId, data.id);
  unknown_before(kLogical);
  bool verbatim = next_unknown < unknown.size() && unknown[next_unknown].id == kLogical;
  if (annotation.logical && !verbatim) {
    writer.field(Wire::Struct, kLogical);
    write_logical_type(*annotation.logical, out);
  }
  unknown_before(INT32_MAX);
  writer.stop();
}

void write_node(const Node& node, bool root, std::string* out) {
  write_element(node, root, out);
  for (const Node& child : node.children()) write_node(child, false, out);
}

size_t count_nodes(const Node& node) {
  size_t count = 1;
  for (const Node& child : node.children()) count += count_nodes(child);
  return count;
}

}  // namespace

LogicalType read_logical_type(Reader* reader) {
  size_t start = reader->position();
  std::optional<LogicalType> type;
  int32_t id = 0;
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    if (id == 0) id = header.id;
    if (header.type == Wire::Struct && !type && header.id > 0 &&
        header.id <= static_cast<int32_t>(Kind::File)) {
      type = read_member(reader, header.id);
      continue;
    }
    reader->skip(header.type);
  }
  if (type) return *type;
  return LogicalType::future(id, std::string(reader->slice(start)));
}

void write_logical_type(const LogicalType& type, std::string* out) {
  if (type.is(Kind::Future)) {
    out->append(type.future_bytes());
    return;
  }
  Writer writer(out);
  writer.field(Wire::Struct, static_cast<int32_t>(type.kind()));
  Writer member(out);
  switch (logical_row(type.kind()).parameters) {
    case Parameters::Decimal:
      member.i32_field(1, type.scale());
      member.i32_field(2, type.precision());
      break;
    case Parameters::Time: {
      member.bool_field(1, type.utc());
      member.field(Wire::Struct, 2);
      Writer unit(out);
      unit.field(Wire::Struct, static_cast<int32_t>(type.unit()));
      unit.stop();  // of the unit's empty struct
      unit.stop();
      break;
    }
    case Parameters::Integer:
      member.field(Wire::Byte, 1);
      out->push_back(static_cast<char>(type.bits()));
      member.bool_field(2, type.is_signed());
      break;
    case Parameters::Variant:
      if (type.version()) {
        member.field(Wire::Byte, 1);
        out->push_back(static_cast<char>(*type.version()));
      }
      break;
    case Parameters::Geospatial:
      if (type.crs()) member.binary_field(1, *type.crs());
      if (type.algorithm()) member.i32_field(2, static_cast<int32_t>(*type.algorithm()));
      break;
    case Parameters::None:
    case Parameters::Future:
      break;
  }
  member.stop();
  writer.stop();
}

Schema read_elements(Reader* reader, SchemaMemory* memory) {
  thrift::ListHeader list = reader->list();
  if (list.type != Wire::Struct || list.count == 0) {
    reader->fail("expected a list of schema elements, found none");
  }
  struct Open {
    NodeData data;
    int32_t missing;
  };
  std::vector<Open> stack;
  std::optional<Node> root;
  for (uint32_t i = 0; i < list.count; ++i) {
    if (root) {
      reader->fail(fmt::format("expected {} schema elements, found {}", i, list.count));
    }
    const size_t from = reader->position();
    Element element = read_element(reader, i == 0);
    // Texts are at most the bytes read. A node takes an entry in a list and its own memory.
    memory->take(sizeof(NodeData) + sizeof(Node) + reader->position() - from);
    if (i == 0 && element.data.physical) reader->fail("expected a group as the schema's root");
    if (element.num_children > static_cast<int64_t>(list.count) - i - 1) {
      reader->fail(fmt::format("expected {} children of {}, found {} elements left",
                               element.num_children, quoted(element.data.name),
                               list.count - i - 1));
    }
    if (element.num_children > 0) {
      if (stack.size() >= static_cast<size_t>(limits::kSchemaDepth)) {
        reader->fail(fmt::format("expected at most {} levels of groups", limits::kSchemaDepth));
      }
      stack.push_back({std::move(element.data), element.num_children});
      continue;
    }
    Node node(std::move(element.data));
    // Each node that completes its parent completes the parent too.
    while (true) {
      if (stack.empty()) {
        root = std::move(node);
        break;
      }
      Open& parent = stack.back();
      parent.data.children.push_back(std::move(node));
      if (--parent.missing > 0) break;
      node = Node(std::move(parent.data));
      stack.pop_back();
    }
  }
  if (!root) {
    reader->fail(fmt::format("expected the children of {}, found the end of the schema",
                             quoted(stack.back().data.name)));
  }
  return Schema(std::move(*root));
}

Schema read_schema_elements(std::string_view bytes, uint64_t origin) {
  Reader reader(bytes, origin);
  SchemaMemory memory(bytes.size());
  Schema schema = read_elements(&reader, &memory);
  if (!reader.at_end()) reader.fail("expected the end of the schema elements");
  return schema;
}

std::string write_schema_elements(const Schema& schema) {
  std::string out;
  Writer(&out).list(Wire::Struct, count_nodes(schema.root()));
  write_node(schema.root(), true, &out);
  return out;
}

}  // namespace xwalk::parquet
