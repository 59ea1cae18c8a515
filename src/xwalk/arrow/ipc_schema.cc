#include "xwalk/arrow/ipc_schema.h"

#include <cstring>

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "xwalk/arrow/schema_generated.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/base/verified.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::arrow {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using hub::Kind;

constexpr std::string_view kFileMagic = "ARROW1";
/// Marks the length of a message since format V5.
constexpr uint32_t kContinuation = 0xFFFFFFFF;
[[noreturn]] void fail(const std::string& message, uint64_t byte) {
  throw Error(ErrorCode::Input, message, {.byte = byte});
}

uint32_t u32_at(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return flatbuffers::EndianScalar(value);
}

int32_t checked_size(int32_t size) {
  if (size < 0) fail(fmt::format("expected a size of 0 or more, found {}", size), 0);
  return size;
}

[[noreturn]] void newer(std::string_view what, int number) {
  throw Error(ErrorCode::Unsupported,
              fmt::format("Arrow {} {} is newer than this version of xwalk", what, number));
}

hub::TimeUnit unit_of(wire::TimeUnit unit) {
  if (unit < wire::TimeUnit::MIN || unit > wire::TimeUnit::MAX) {
    newer("time unit", static_cast<int>(unit));
  }
  return static_cast<hub::TimeUnit>(unit);
}

Kind integer_kind(const wire::Int* integer) {
  static constexpr Kind kSigned[] = {Kind::Int8, Kind::Int16, Kind::Int32, Kind::Int64};
  static constexpr Kind kUnsigned[] = {Kind::Uint8, Kind::Uint16, Kind::Uint32, Kind::Uint64};
  for (int i = 0; i < 4; ++i) {
    if (integer->bit_width() == 8 << i) return integer->is_signed() ? kSigned[i] : kUnsigned[i];
  }
  throw Error(
      ErrorCode::Unsupported,
      fmt::format("expected an integer of 8, 16, 32 or 64 bits, found {}", integer->bit_width()),
      {}, "Write the column as decimal or text.");
}

/// Memory of a field, and of a metadata entry, without their texts.
constexpr uint64_t kFieldMemory = 256;
constexpr uint64_t kEntryMemory = 64;

std::string read_text(const flatbuffers::String* text, SchemaMemory* memory) {
  if (text == nullptr) return {};
  memory->take(text->size());
  return text->str();
}

hub::Metadata read_metadata(const flatbuffers::Vector<flatbuffers::Offset<wire::KeyValue>>* entries,
                            SchemaMemory* memory) {
  hub::Metadata metadata;
  if (entries == nullptr) return metadata;
  for (const wire::KeyValue* entry : *entries) {
    memory->take(kEntryMemory);
    std::string key = read_text(entry->key(), memory);
    metadata.append(std::move(key), read_text(entry->value(), memory));
  }
  return metadata;
}

hub::Field read_field(const wire::Field* field, UnknownTypes unknown, SchemaMemory* memory);

std::vector<hub::Field> read_children(const wire::Field* field, UnknownTypes unknown,
                                      SchemaMemory* memory) {
  std::vector<hub::Field> children;
  if (field->children() == nullptr) return children;
  for (const wire::Field* child : *field->children()) {
    children.push_back(read_field(child, unknown, memory));
  }
  return children;
}

Kind float_kind(wire::Precision precision) {
  if (precision == wire::Precision::Half) return Kind::HalfFloat;
  if (precision == wire::Precision::Single) return Kind::Float;
  if (precision == wire::Precision::Double) return Kind::Double;
  newer("float precision", static_cast<int>(precision));
}

Kind interval_kind(wire::IntervalUnit unit) {
  switch (unit) {
    case wire::IntervalUnit::YearMonth:
      return Kind::IntervalMonths;
    case wire::IntervalUnit::DayTime:
      return Kind::IntervalDayTime;
    case wire::IntervalUnit::MonthDayNano:
      return Kind::IntervalMonthDayNano;
  }
  newer("interval unit", static_cast<int>(unit));
}

void expect_children(const wire::Field* field, const std::vector<hub::Field>& children,
                     size_t count) {
  if (children.size() == count) return;
  fail(fmt::format("expected {} children of a {}, found {}", count,
                   wire::EnumNameType(field->type_type()), children.size()),
       0);
}

hub::Type read_union(const wire::Field* field, std::vector<hub::Field> children,
                     SchemaMemory* memory) {
  const auto* alternatives = field->type_as_Union();
  std::vector<int8_t> codes;
  if (alternatives->type_ids() != nullptr) {
    memory->take(alternatives->type_ids()->size());
    for (int32_t id : *alternatives->type_ids()) {
      if (id < 0 || id > 127) {
        fail(fmt::format("expected a union type code from 0 to 127, found {}", id), 0);
      }
      codes.push_back(static_cast<int8_t>(id));
    }
    expect_children(field, children, codes.size());
  }
  return hub::union_(
      std::move(children),
      alternatives->mode() == wire::UnionMode::Dense ? Kind::DenseUnion : Kind::SparseUnion,
      std::move(codes));
}

/// Reads a type with children.
hub::Type read_nested(const wire::Field* field, std::vector<hub::Field> children,
                      SchemaMemory* memory) {
  switch (field->type_type()) {
    case wire::Type::List:
      expect_children(field, children, 1);
      return hub::list(children[0]);
    case wire::Type::LargeList:
      expect_children(field, children, 1);
      return hub::list(children[0], Kind::LargeList);
    case wire::Type::ListView:
      expect_children(field, children, 1);
      return hub::list(children[0], Kind::ListView);
    case wire::Type::LargeListView:
      expect_children(field, children, 1);
      return hub::list(children[0], Kind::LargeListView);
    case wire::Type::Struct_:
      return hub::struct_(std::move(children));
    case wire::Type::Union:
      return read_union(field, std::move(children), memory);
    case wire::Type::FixedSizeList:
      expect_children(field, children, 1);
      return hub::fixed_size_list(children[0],
                                  checked_size(field->type_as_FixedSizeList()->list_size()));
    case wire::Type::Map:
      expect_children(field, children, 1);
      if (children[0].type.kind() != Kind::Struct || children[0].type.children().size() != 2) {
        fail("expected a map's entries to be a struct of two fields", 0);
      }
      return hub::map_of_entries(children[0], field->type_as_Map()->keys_sorted());
    case wire::Type::RunEndEncoded:
      expect_children(field, children, 2);
      return hub::run_end_encoded(children[0].type.kind(), children[1]);
    case wire::Type::NONE:
    case wire::Type::Null:
    case wire::Type::Int:
    case wire::Type::FloatingPoint:
    case wire::Type::Binary:
    case wire::Type::Utf8:
    case wire::Type::Bool:
    case wire::Type::Decimal:
    case wire::Type::Date:
    case wire::Type::Time:
    case wire::Type::Timestamp:
    case wire::Type::Interval:
    case wire::Type::FixedSizeBinary:
    case wire::Type::Duration:
    case wire::Type::LargeBinary:
    case wire::Type::LargeUtf8:
    case wire::Type::BinaryView:
    case wire::Type::Utf8View:
      break;
  }
  newer("type", static_cast<int>(field->type_type()));
}

hub::Type read_type(const wire::Field* field, UnknownTypes unknown, SchemaMemory* memory) {
  if (field->type() == nullptr) fail("expected the type of a field, found none", 0);
  std::vector<hub::Field> children = read_children(field, unknown, memory);
  switch (field->type_type()) {
    case wire::Type::NONE:
      fail("expected the type of a field, found none", 0);
    case wire::Type::Null:
      return Kind::Null;
    case wire::Type::Int:
      return integer_kind(field->type_as_Int());
    case wire::Type::FloatingPoint:
      return float_kind(field->type_as_FloatingPoint()->precision());
    case wire::Type::Binary:
      return Kind::Binary;
    case wire::Type::Utf8:
      return Kind::Utf8;
    case wire::Type::Bool:
      return Kind::Bool;
    case wire::Type::Decimal: {
      const auto* decimal = field->type_as_Decimal();
      int bits = decimal->bit_width();
      if (bits != 32 && bits != 64 && bits != 128 && bits != 256) newer("decimal width", bits);
      return hub::decimal(bits, decimal->precision(), decimal->scale());
    }
    case wire::Type::Date:
      return field->type_as_Date()->unit() == wire::DateUnit::Day ? Kind::Date32 : Kind::Date64;
    case wire::Type::Time: {
      const auto* time = field->type_as_Time();
      hub::TimeUnit unit = unit_of(time->unit());
      return time->bit_width() == 32 ? hub::time32(unit) : hub::time64(unit);
    }
    case wire::Type::Timestamp: {
      const auto* timestamp = field->type_as_Timestamp();
      return hub::timestamp(unit_of(timestamp->unit()), read_text(timestamp->timezone(), memory));
    }
    case wire::Type::Interval:
      return interval_kind(field->type_as_Interval()->unit());
    case wire::Type::List:
    case wire::Type::LargeList:
    case wire::Type::ListView:
    case wire::Type::LargeListView:
    case wire::Type::Struct_:
    case wire::Type::Union:
    case wire::Type::FixedSizeList:
    case wire::Type::Map:
    case wire::Type::RunEndEncoded:
      return read_nested(field, std::move(children), memory);
    case wire::Type::FixedSizeBinary:
      return hub::fixed_size_binary(checked_size(field->type_as_FixedSizeBinary()->byte_width()));
    case wire::Type::Duration:
      return hub::duration(unit_of(field->type_as_Duration()->unit()));
    case wire::Type::LargeBinary:
      return Kind::LargeBinary;
    case wire::Type::LargeUtf8:
      return Kind::LargeUtf8;
    case wire::Type::BinaryView:
      return Kind::BinaryView;
    case wire::Type::Utf8View:
      return Kind::Utf8View;
  }
  newer("type", static_cast<int>(field->type_type()));
}

/// Reads the type of a field, that of its values encoded as a dictionary where it says so.
hub::Type read_encoded_type(const wire::Field* field, UnknownTypes unknown, SchemaMemory* memory) {
  hub::Type type = read_type(field, unknown, memory);
  const auto* dictionary = field->dictionary();
  if (dictionary == nullptr) return type;
  // The format says that an absent index type stands for int32.
  Kind index =
      dictionary->index_type() == nullptr ? Kind::Int32 : integer_kind(dictionary->index_type());
  return hub::dictionary(index, type, dictionary->is_ordered());
}

hub::Field read_field(const wire::Field* field, UnknownTypes unknown, SchemaMemory* memory) {
  if (field == nullptr) fail("expected a field, found none", 0);
  memory->take(kFieldMemory);
  std::string name = read_text(field->name(), memory);
  hub::Field out(std::move(name), Kind::Null, field->nullable(),
                 read_metadata(field->custom_metadata(), memory));
  try {
    out.type = read_encoded_type(field, unknown, memory);
  } catch (const Error& error) {
    if (unknown == UnknownTypes::Refused) throw;
    hub::annotate(out, hub::kArrowSystem, std::string(kUnknownNote) + error.message());
  }
  return out;
}

/// Reads a schema out of a message of `bytes` bytes.
hub::Schema read_schema(const wire::Schema* schema, size_t bytes,
                        UnknownTypes unknown = UnknownTypes::Refused) {
  if (schema == nullptr) fail("expected a schema, found none", 0);
  SchemaMemory memory(bytes);
  hub::Schema out;
  out.metadata = read_metadata(schema->custom_metadata(), &memory);
  if (schema->fields() != nullptr) {
    out.fields.reserve(schema->fields()->size());
    for (const wire::Field* field : *schema->fields()) {
      try {
        out.fields.push_back(read_field(field, unknown, &memory));
      } catch (Error& error) {
        const bool has_name = field != nullptr && field->name() != nullptr;
        if (has_name) error.place().path = Path::column(field->name()->string_view());
        throw;
      }
    }
  }
  return out;
}

class Writer {
 public:
  explicit Writer(FlatBufferBuilder& builder) : builder_(builder) {}

  Offset<wire::Schema> schema(const hub::Schema& schema) {
    std::vector<Offset<wire::Field>> fields;
    for (const hub::Field& field : schema.fields) fields.push_back(this->field(field));
    auto all = builder_.CreateVector(fields);
    auto metadata = this->metadata(schema.metadata);
    return wire::CreateSchema(builder_, wire::Endianness::Little, all, metadata);
  }

 private:
  Offset<flatbuffers::Vector<Offset<wire::KeyValue>>> metadata(const hub::Metadata& metadata) {
    if (metadata.empty()) return 0;
    std::vector<Offset<wire::KeyValue>> entries;
    for (const auto& [key, value] : metadata) {
      auto name = builder_.CreateString(key);
      auto text = builder_.CreateString(value);
      entries.push_back(wire::CreateKeyValue(builder_, name, text));
    }
    return builder_.CreateVector(entries);
  }

  Offset<wire::Int> integer(Kind kind) {
    return wire::CreateInt(builder_, *hub::fixed_bits(hub::Type(kind)),
                           hub::is_signed_integer(kind));
  }

  std::pair<wire::Type, Offset<void>> type(const hub::Type& type) {
    auto& b = builder_;
    const auto unit = [&type] { return static_cast<wire::TimeUnit>(type.unit()); };
    const Kind kind = type.kind();
    switch (hub::kind_row(kind).form) {
      case hub::Form::Plain:
        return plain(kind);
      case hub::Form::FixedSizeBinary:
        return {wire::Type::FixedSizeBinary, wire::CreateFixedSizeBinary(b, type.size()).Union()};
      case hub::Form::Unit:
        if (kind == Kind::Duration) {
          return {wire::Type::Duration, wire::CreateDuration(b, unit()).Union()};
        }
        return {wire::Type::Time, wire::CreateTime(b, unit(), hub::kind_row(kind).bits).Union()};
      case hub::Form::Timestamp: {
        Offset<flatbuffers::String> zone = 0;
        if (!type.zone().empty()) zone = b.CreateString(type.zone());
        return {wire::Type::Timestamp, wire::CreateTimestamp(b, unit(), zone).Union()};
      }
      case hub::Form::Decimal:
        return {wire::Type::Decimal,
                wire::CreateDecimal(b, type.precision(), type.scale(), hub::kind_row(kind).bits)
                    .Union()};
      case hub::Form::List:
        if (kind == Kind::List) return {wire::Type::List, wire::CreateList(b).Union()};
        if (kind == Kind::LargeList) {
          return {wire::Type::LargeList, wire::CreateLargeList(b).Union()};
        }
        if (kind == Kind::ListView) return {wire::Type::ListView, wire::CreateListView(b).Union()};
        return {wire::Type::LargeListView, wire::CreateLargeListView(b).Union()};
      case hub::Form::FixedSizeList:
        return {wire::Type::FixedSizeList, wire::CreateFixedSizeList(b, type.size()).Union()};
      case hub::Form::Struct:
        return {wire::Type::Struct_, wire::CreateStruct_(b).Union()};
      case hub::Form::Map:
        return {wire::Type::Map, wire::CreateMap(b, type.flag()).Union()};
      case hub::Form::Union: {
        auto codes = b.CreateVector(
            std::vector<int32_t>(type.type_codes().begin(), type.type_codes().end()));
        auto mode = kind == Kind::DenseUnion ? wire::UnionMode::Dense : wire::UnionMode::Sparse;
        return {wire::Type::Union, wire::CreateUnion(b, mode, codes).Union()};
      }
      case hub::Form::RunEndEncoded:
        return {wire::Type::RunEndEncoded, wire::CreateRunEndEncoded(b).Union()};
      case hub::Form::Dictionary:
        return this->type(type.child().type);
    }
    throw Error(ErrorCode::Internal, "an Arrow type without a wire form");
  }

  /// Writes a type without parameters.
  std::pair<wire::Type, Offset<void>> plain(Kind kind) {
    auto& b = builder_;
    if (hub::is_integer(kind)) return {wire::Type::Int, integer(kind).Union()};
    if (kind == Kind::Null) return {wire::Type::Null, wire::CreateNull(b).Union()};
    if (kind == Kind::Bool) return {wire::Type::Bool, wire::CreateBool(b).Union()};
    if (kind == Kind::HalfFloat) return floating(wire::Precision::Half);
    if (kind == Kind::Float) return floating(wire::Precision::Single);
    if (kind == Kind::Double) return floating(wire::Precision::Double);
    if (kind == Kind::Utf8) return {wire::Type::Utf8, wire::CreateUtf8(b).Union()};
    if (kind == Kind::LargeUtf8) return {wire::Type::LargeUtf8, wire::CreateLargeUtf8(b).Union()};
    if (kind == Kind::Utf8View) return {wire::Type::Utf8View, wire::CreateUtf8View(b).Union()};
    if (kind == Kind::Binary) return {wire::Type::Binary, wire::CreateBinary(b).Union()};
    if (kind == Kind::LargeBinary) {
      return {wire::Type::LargeBinary, wire::CreateLargeBinary(b).Union()};
    }
    if (kind == Kind::BinaryView) {
      return {wire::Type::BinaryView, wire::CreateBinaryView(b).Union()};
    }
    if (kind == Kind::Date32) return date(wire::DateUnit::Day);
    if (kind == Kind::Date64) return date(wire::DateUnit::Millisecond);
    if (kind == Kind::IntervalMonths) return interval(wire::IntervalUnit::YearMonth);
    if (kind == Kind::IntervalDayTime) return interval(wire::IntervalUnit::DayTime);
    return interval(wire::IntervalUnit::MonthDayNano);
  }

  std::pair<wire::Type, Offset<void>> date(wire::DateUnit unit) {
    return {wire::Type::Date, wire::CreateDate(builder_, unit).Union()};
  }
  std::pair<wire::Type, Offset<void>> floating(wire::Precision precision) {
    return {wire::Type::FloatingPoint, wire::CreateFloatingPoint(builder_, precision).Union()};
  }
  std::pair<wire::Type, Offset<void>> interval(wire::IntervalUnit unit) {
    return {wire::Type::Interval, wire::CreateInterval(builder_, unit).Union()};
  }

  Offset<wire::Field> field(const hub::Field& field) {
    Offset<wire::DictionaryEncoding> dictionary = 0;
    if (field.type.kind() == Kind::Dictionary) {
      int64_t id = next_dictionary_++;
      dictionary = wire::CreateDictionaryEncoding(builder_, id, integer(field.type.index_kind()),
                                                  field.type.flag());
    }
    const hub::Type& values =
        field.type.kind() == Kind::Dictionary ? field.type.child().type : field.type;
    if (&values != &field.type && values.kind() == Kind::Dictionary) {
      throw Error(
          ErrorCode::Unsupported,
          fmt::format("{}: a field of Arrow's format has one dictionary, not one of another",
                      quoted(field.name)));
    }
    std::vector<Offset<wire::Field>> children;
    for (const hub::Field& child : values.children()) children.push_back(this->field(child));
    auto name = builder_.CreateString(field.name);
    auto [kind, body] = type(values);
    auto all = builder_.CreateVector(children);
    auto entries = metadata(field.metadata);
    return wire::CreateField(builder_, name, field.nullable, kind, body, dictionary, all, entries);
  }

  FlatBufferBuilder& builder_;
  int64_t next_dictionary_ = 0;
};

}  // namespace

hub::Schema read_ipc_schema(std::string_view bytes, UnknownTypes unknown) {
  size_t at = 0;
  if (bytes.size() >= 8 && u32_at(bytes, 0) == kContinuation) at = 4;
  if (bytes.size() < at + 4) {
    fail(fmt::format("expected an Arrow IPC message, found {} bytes", bytes.size()), 0);
  }
  size_t size = u32_at(bytes, at);
  at += 4;
  if (size > bytes.size() - at) {
    fail(fmt::format("expected a message of {} bytes, found {}", size, bytes.size() - at), at);
  }
  Verified<wire::Message> message(bytes.substr(at, size), "an Arrow IPC message", at);
  if (message->header_type() != wire::MessageHeader::Schema) {
    fail("expected a schema message, found another kind", at);
  }
  return read_schema(message->header_as_Schema(), size, unknown);
}

namespace {

/// Metadata as the other reader takes it, which asks for both of each.
void expect_texts(const flatbuffers::Vector<Offset<wire::KeyValue>>* metadata) {
  if (metadata == nullptr) return;
  for (const wire::KeyValue* entry : *metadata) {
    if (entry->key() != nullptr && entry->value() != nullptr) continue;
    fail("expected a key and a value of metadata, found none", 0);
  }
}

void expect_texts(const flatbuffers::Vector<Offset<wire::Field>>* fields) {
  if (fields == nullptr) return;
  for (const wire::Field* field : *fields) {
    expect_texts(field->custom_metadata());
    expect_texts(field->children());
  }
}

}  // namespace

IpcCounts check_ipc_message(std::string_view bytes) {
  const Verified<wire::Message> message(bytes, "an Arrow IPC message", 0);
  if (message->header() == nullptr) fail("expected a message, found none in its frame", 0);
  if (const wire::Schema* schema = message->header_as_Schema()) {
    read_schema(schema, bytes.size());
    expect_texts(schema->custom_metadata());
    expect_texts(schema->fields());
    return {};
  }
  const wire::DictionaryBatch* dictionary = message->header_as_DictionaryBatch();
  const wire::RecordBatch* batch =
      dictionary != nullptr ? dictionary->data() : message->header_as_RecordBatch();
  if (batch == nullptr) {
    if (dictionary != nullptr) fail("expected a dictionary, found none in its message", 0);
    return {};
  }
  // Each buffer would say how large it becomes.
  if (batch->compression() != nullptr) fail("expected plain buffers, found compressed ones", 0);
  const auto check_length = [](int64_t length) {
    if (length >= 0 && length <= INT32_MAX) return;
    fail(fmt::format("expected an array of at most {} elements, found {}", INT32_MAX, length), 0);
  };
  check_length(batch->length());
  IpcCounts counts;
  if (batch->nodes() != nullptr) {
    counts.arrays = batch->nodes()->size();
    for (const wire::FieldNode* node : *batch->nodes()) check_length(node->length());
  }
  if (batch->buffers() == nullptr) return counts;
  counts.buffers = batch->buffers()->size();
  for (const wire::Buffer* buffer : *batch->buffers()) {
    if (buffer->offset() % 8 == 0) continue;
    fail(fmt::format("expected a buffer at a multiple of 8 bytes, found one at {}",
                     buffer->offset()),
         0);
  }
  return counts;
}

bool is_ipc_file(std::string_view bytes) { return bytes.starts_with(kFileMagic); }

IpcFooter find_ipc_footer(std::string_view file) {
  constexpr size_t kTail = 4 + kFileMagic.size();
  if (file.size() < 8 + kTail || !is_ipc_file(file) || !file.ends_with(kFileMagic)) {
    fail(fmt::format("not an Arrow IPC file, or truncated: expected {} bytes to begin and end with "
                     "\"ARROW1\"",
                     file.size()),
         is_ipc_file(file) ? file.size() : 0);
  }
  size_t end = file.size() - kTail;
  size_t size = u32_at(file, end);
  if (size > end - 8) {
    fail(fmt::format("expected a footer of at most {} bytes, found {}", end - 8, size), end);
  }
  return {end - size, file.substr(end - size, size)};
}

hub::Schema read_ipc_file_schema(std::string_view file) {
  const IpcFooter found = find_ipc_footer(file);
  Verified<wire::Footer> footer(found.bytes, "the footer of an Arrow IPC file", found.at);
  return read_schema(footer->schema(), found.bytes.size());
}

std::string write_ipc_schema(const hub::Schema& schema) {
  FlatBufferBuilder builder;
  auto header = Writer(builder).schema(schema);
  builder.Finish(wire::CreateMessage(builder, wire::MetadataVersion::V5,
                                     wire::MessageHeader::Schema, header.Union(), 0));
  uint32_t size = (builder.GetSize() + 7) / 8 * 8;
  uint32_t prefix[] = {kContinuation, flatbuffers::EndianScalar(size)};
  // guard(allocate): The size of a message that is built already.
  std::string out(sizeof prefix + size, '\0');
  std::memcpy(out.data(), prefix, sizeof prefix);
  std::memcpy(out.data() + sizeof prefix, builder.GetBufferPointer(), builder.GetSize());
  return out;
}

}  // namespace xwalk::arrow
