#include "xwalk/hub/c_schema.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "nanoarrow/nanoarrow.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::hub {
namespace {

[[noreturn]] void malformed(const std::string& what) {
  throw Error(ErrorCode::Input, "malformed Arrow schema: " + what);
}

TimeUnit unit_of(char letter, std::string_view format) {
  switch (letter) {
    case 's':
      return TimeUnit::Second;
    case 'm':
      return TimeUnit::Milli;
    case 'u':
      return TimeUnit::Micro;
    case 'n':
      return TimeUnit::Nano;
    default:
      malformed(fmt::format("expected a time unit in format {}", xwalk::quoted(format)));
  }
}

int32_t integer_of(std::string_view text, std::string_view format) {
  int32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    malformed(fmt::format("expected an integer in format {}", xwalk::quoted(format)));
  }
  return value;
}

/// A size: what would be negative is malformed.
int32_t size_of(std::string_view text, std::string_view format) {
  const int32_t size = integer_of(text, format);
  if (size < 0) malformed("a negative size in format " + xwalk::quoted(format));
  return size;
}

std::vector<int32_t> integers_of(std::string_view text, std::string_view format) {
  std::vector<int32_t> values;
  while (!text.empty()) {
    size_t comma = text.find(',');
    values.push_back(integer_of(text.substr(0, comma), format));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return values;
}

Metadata import_metadata(const char* metadata) {
  Metadata out;
  ArrowMetadataReader reader;
  if (metadata == nullptr) return out;
  if (ArrowMetadataReaderInit(&reader, metadata) != NANOARROW_OK) malformed("metadata");
  ArrowStringView key, value;
  while (ArrowMetadataReaderRead(&reader, &key, &value) == NANOARROW_OK) {
    out.append(std::string(key.data, static_cast<size_t>(key.size_bytes)),
               std::string(value.data, static_cast<size_t>(value.size_bytes)));
  }
  return out;
}

std::optional<Kind> simple_kind(std::string_view format) {
  for (const KindRow& row : kKindRows) {
    if (row.form == Form::Plain && row.format == format) return row.kind;
  }
  return std::nullopt;
}

Field import(const ArrowSchema& schema, int depth);

std::vector<Field> import_children(const ArrowSchema& schema, int depth) {
  if (schema.n_children < 0) malformed("a negative number of children");
  std::vector<Field> fields;
  for (int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children == nullptr || schema.children[i] == nullptr) malformed("a missing child");
    fields.push_back(import(*schema.children[i], depth + 1));
  }
  return fields;
}

Type import_type(const ArrowSchema& schema, int depth) {
  if (schema.format == nullptr) malformed("a missing format");
  std::string_view format = schema.format;
  if (auto kind = simple_kind(format)) return *kind;
  std::string_view parameters = format.find(':') == std::string_view::npos
                                    ? std::string_view()
                                    : format.substr(format.find(':') + 1);
  if (format.starts_with("w:")) return fixed_size_binary(size_of(parameters, format));
  if (format.starts_with("d:")) {
    std::vector<int32_t> numbers = integers_of(parameters, format);
    if (numbers.size() != 2 && numbers.size() != 3) malformed("decimal " + xwalk::quoted(format));
    int bits = numbers.size() == 3 ? numbers[2] : 128;
    if (bits != 32 && bits != 64 && bits != 128 && bits != 256) {
      malformed("decimal " + xwalk::quoted(format));
    }
    return decimal(bits, numbers[0], numbers[1]);
  }
  if (format.size() == 3 && (format.starts_with("tt") || format.starts_with("tD"))) {
    TimeUnit unit = unit_of(format[2], format);
    if (format[1] == 'D') return duration(unit);
    return unit <= TimeUnit::Milli ? time32(unit) : time64(unit);
  }
  if (format.size() >= 4 && format.starts_with("ts") && format[3] == ':') {
    return timestamp(unit_of(format[2], format), std::string(parameters));
  }
  std::vector<Field> children = import_children(schema, depth);
  auto expect_children = [&](size_t count) {
    if (children.size() != count) {
      malformed(fmt::format("expected {} children of format {}, found {}", count,
                            xwalk::quoted(format), children.size()));
    }
  };
  if (format == "+s") return struct_(std::move(children));
  if (format == "+l" || format == "+L" || format == "+vl" || format == "+vL") {
    expect_children(1);
    Kind kind = format == "+l"    ? Kind::List
                : format == "+L"  ? Kind::LargeList
                : format == "+vl" ? Kind::ListView
                                  : Kind::LargeListView;
    return list(std::move(children[0]), kind);
  }
  if (format.starts_with("+w:")) {
    expect_children(1);
    return fixed_size_list(std::move(children[0]), size_of(parameters, format));
  }
  if (format == "+m") {
    expect_children(1);
    if (children[0].type.kind() != Kind::Struct || children[0].type.children().size() != 2) {
      malformed("expected a map's child to be a struct of two fields");
    }
    return map_of_entries(std::move(children[0]), (schema.flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0);
  }
  if (format.starts_with("+ud:") || format.starts_with("+us:")) {
    std::vector<int8_t> codes;
    for (int32_t code : integers_of(parameters, format)) {
      if (code < 0 || code > 127) malformed("union type code " + std::to_string(code));
      codes.push_back(static_cast<int8_t>(code));
    }
    expect_children(codes.size());
    return union_(std::move(children), format[2] == 'd' ? Kind::DenseUnion : Kind::SparseUnion,
                  std::move(codes));
  }
  if (format == "+r") {
    expect_children(2);
    const Kind end = children[0].type.kind();
    if (end != Kind::Int16 && end != Kind::Int32 && end != Kind::Int64) {
      malformed("run ends of " + to_string(children[0].type));
    }
    return run_end_encoded(children[0].type.kind(), std::move(children[1]));
  }
  throw Error(
      ErrorCode::Unsupported,
      fmt::format("Arrow format {} is newer than this version of xwalk", xwalk::quoted(format)));
}

Field import(const ArrowSchema& schema, int depth) {
  if (depth > limits::kSchemaDepth) {
    malformed(fmt::format("nested deeper than {} levels", limits::kSchemaDepth));
  }
  Field field;
  field.name = schema.name == nullptr ? "" : schema.name;
  field.nullable = (schema.flags & ARROW_FLAG_NULLABLE) != 0;
  field.metadata = import_metadata(schema.metadata);
  field.type = import_type(schema, depth);
  if (schema.dictionary != nullptr) {
    if (!is_integer(field.type.kind())) malformed("dictionary indices must be integers");
    Field values = import(*schema.dictionary, depth + 1);
    field.type = dictionary(field.type.kind(), values.type,
                            (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0);
    // A file has one set of metadata for a dictionary and its values. An extension type of the
    // values would become one of the dictionary there.
    for (const auto& [key, value] : values.metadata) {
      field.metadata.set("dictionary." + key, value);
    }
  }
  return field;
}

std::string format_of(const Type& type) {
  static constexpr char kUnits[] = {'s', 'm', 'u', 'n'};
  char unit = kUnits[static_cast<int>(type.unit())];
  const KindRow& row = kind_row(type.kind());
  std::string format(row.format);
  switch (row.form) {
    case Form::Plain:
    case Form::List:
    case Form::Struct:
    case Form::Map:
    case Form::RunEndEncoded:
      return format;
    case Form::Unit:
      return format + unit;
    case Form::Timestamp:
      return format + unit + ':' + type.zone();
    case Form::Decimal:
      format += fmt::format("{},{}", type.precision(), type.scale());
      return row.bits == 128 ? format : fmt::format("{},{}", format, row.bits);
    case Form::FixedSizeBinary:
    case Form::FixedSizeList:
      return format + std::to_string(type.size());
    case Form::Union: {
      std::vector<std::string> codes;
      for (int8_t code : type.type_codes()) codes.push_back(std::to_string(code));
      return format + join(codes, ",");
    }
    case Form::Dictionary:
      return format_of(Type(type.index_kind()));
  }
  return format;
}

void check(ArrowErrorCode code) {
  if (code == ENOMEM) throw std::bad_alloc();
  if (code != NANOARROW_OK) throw Error(ErrorCode::Internal, "building an Arrow schema failed");
}

void export_metadata(const Metadata& metadata, ArrowSchema* out) {
  if (metadata.empty()) return;
  ArrowBuffer buffer;
  check(ArrowMetadataBuilderInit(&buffer, nullptr));
  auto view = [](const std::string& text) {
    return ArrowStringView{text.data(), static_cast<int64_t>(text.size())};
  };
  ArrowErrorCode code = NANOARROW_OK;
  for (const auto& [key, value] : metadata) {
    if (code == NANOARROW_OK) code = ArrowMetadataBuilderAppend(&buffer, view(key), view(value));
  }
  if (code == NANOARROW_OK) {
    code = ArrowSchemaSetMetadata(out, reinterpret_cast<const char*>(buffer.data));
  }
  ArrowBufferReset(&buffer);
  check(code);
}

/// Returns the text. For FieldsBy::Name, throws if it contains a zero byte, which a C string cannot
/// hold.
const char* c_text(const std::string& text, FieldsBy by) {
  if (by == FieldsBy::Name && text.find('\0') != std::string::npos) {
    throw Error(
        ErrorCode::Unsupported,
        fmt::format("expected a text without zero bytes, found {}: Arrow's interface between "
                    "libraries ends texts there",
                    xwalk::quoted(text)));
  }
  return text.c_str();
}

/// Fills an initialised schema, so that a failure half-way leaves something releasable.
void fill(const Field& field, FieldsBy by, ArrowSchema* out) {
  const Type& type = field.type;
  check(ArrowSchemaSetFormat(out, c_text(format_of(type), by)));
  check(ArrowSchemaSetName(out, c_text(field.name, by)));
  out->flags = field.nullable ? ARROW_FLAG_NULLABLE : 0;
  export_metadata(field.metadata, out);
  if (type.kind() == Kind::Dictionary) {
    if (type.flag()) out->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    check(ArrowSchemaAllocateDictionary(out));
    ArrowSchemaInit(out->dictionary);
    fill(type.child(), by, out->dictionary);
    return;
  }
  if (type.kind() == Kind::Map && type.flag()) out->flags |= ARROW_FLAG_MAP_KEYS_SORTED;
  std::span<const Field> children = type.children();
  check(ArrowSchemaAllocateChildren(out, static_cast<int64_t>(children.size())));
  for (size_t i = 0; i < children.size(); ++i) {
    ArrowSchemaInit(out->children[i]);
    fill(children[i], by, out->children[i]);
  }
}

}  // namespace

Schema import_schema(const ArrowSchema& schema) {
  Field root = import_field(schema);
  if (root.type.kind() != Kind::Struct) {
    throw Error(ErrorCode::Input, "expected rows, found an array of " + to_string(root.type), {},
                "Rows are structs of columns: make a table with the array as its column.");
  }
  Schema out;
  out.fields.assign(root.type.children().begin(), root.type.children().end());
  out.metadata = std::move(root.metadata);
  return out;
}

Field import_field(const ArrowSchema& schema) {
  if (schema.release == nullptr) malformed("it was released");
  return import(schema, 0);
}

namespace {

SchemaHandle filled(const Field& field, FieldsBy by) {
  SchemaHandle handle;
  ArrowSchemaInit(handle.get());
  fill(field, by, handle.get());
  return handle;
}

}  // namespace

SchemaHandle export_field(const Field& field) { return filled(field, FieldsBy::Name); }

SchemaHandle export_schema(const Schema& schema, FieldsBy by) {
  return filled(Field("", struct_(schema.fields), false, schema.metadata), by);
}

}  // namespace xwalk::hub
