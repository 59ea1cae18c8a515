#include "xwalk/crosswalk/rooms.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/schema.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/lance/hub.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/values.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/schema.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"

namespace xwalk::crosswalk {
namespace {

/// Name of the column of a type that stands alone.
constexpr std::string_view kAloneColumn = "value";

[[noreturn]] void no_form(std::string_view system, std::string_view form) {
  throw Error(ErrorCode::Usage,
              fmt::format("expected a form of {} schemas, found {}", system, quoted(form)));
}

bool begins_with(std::string_view text, char first) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == first;
}

// One block a system: its two hub functions, its words for one type, its written forms.

hub::Schema yt_to_arrow(const AnySchema& schema) {
  return yt::to_arrow(std::get<yt::TableSchema>(schema));
}
hub::FromArrow<AnySchema> yt_from_arrow(const hub::Schema& schema) {
  auto [table, findings] = yt::from_arrow(schema);
  return {std::move(table), std::move(findings)};
}
std::string yt_type_text(const AnySchema& schema) {
  const auto& table = std::get<yt::TableSchema>(schema);
  // The column of what a schema that is not strict leaves undescribed is no column of the schema.
  return table.columns.empty() ? "undescribed columns" : yt::print_short(table.columns[0].type);
}
constexpr std::array<std::string_view, 5> kYtForms = {"yson", "yson-binary", "json", "short",
                                                      "commands"};
std::string yt_print(const AnySchema& schema, std::string_view form) {
  const auto at = std::ranges::find(kYtForms, form);
  if (at == kYtForms.end()) no_form("yt", form);
  return yt::print(std::get<yt::TableSchema>(schema),
                   static_cast<yt::SchemaForm>(at - kYtForms.begin()));
}
AnySchema yt_parse(std::string_view bytes) { return yt::parse_table_schema(bytes); }

hub::Schema skiff_to_arrow(const AnySchema& schema) {
  return skiff::to_arrow(std::get<skiff::Schema>(schema));
}
hub::FromArrow<AnySchema> skiff_from_arrow(const hub::Schema& schema) {
  auto [mapped, findings] = skiff::from_arrow(schema);
  return {std::move(mapped), std::move(findings)};
}
std::string skiff_type_text(const AnySchema& schema) {
  const skiff::Format& format = std::get<skiff::Schema>(schema).format;
  return skiff::to_string(format.tables.at(0).child(0).named(""));
}
constexpr std::array<std::string_view, 3> kSkiffForms = {"yson", "format", "short"};
std::string skiff_print(const AnySchema& schema, std::string_view form) {
  const auto at = std::ranges::find(kSkiffForms, form);
  if (at == kSkiffForms.end()) no_form("skiff", form);
  std::string text = skiff::print(std::get<skiff::Schema>(schema),
                                  static_cast<skiff::SchemaForm>(at - kSkiffForms.begin()));
  if (!text.ends_with('\n')) text += '\n';
  return text;
}
AnySchema skiff_parse(std::string_view bytes) { return skiff::parse_schema(bytes); }
AnySchema skiff_parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  const bool is_yson = start != std::string_view::npos && !is_ascii_alpha(text[start]);
  skiff::Type wire = is_yson ? skiff::parse_type(text) : skiff::parse_short(text);
  if (wire.name().empty()) wire = wire.named(std::string(kAloneColumn));
  return skiff::Schema{{{skiff::Type(skiff::WireType::Tuple, {std::move(wire)})}}, {}};
}

hub::Schema parquet_to_arrow(const AnySchema& schema) {
  return parquet::to_arrow(std::get<parquet::Schema>(schema));
}
hub::FromArrow<AnySchema> parquet_from_arrow(const hub::Schema& schema) {
  auto [mapped, findings] = parquet::from_arrow(schema);
  return {std::move(mapped), std::move(findings)};
}
std::string parquet_type_text(const AnySchema& schema) {
  return parquet::print_field_in_line(std::get<parquet::Schema>(schema).root().children()[0]);
}
constexpr std::array<std::string_view, 2> kParquetForms = {"message", "thrift"};
std::string parquet_print(const AnySchema& schema, std::string_view form) {
  const auto& message = std::get<parquet::Schema>(schema);
  if (form == "message") return parquet::print_message(message);
  if (form == "thrift") return parquet::write_schema_elements(message);
  no_form("parquet", form);
}
AnySchema parquet_parse(std::string_view bytes) {
  return is_printable_text(bytes) ? parquet::parse_message(bytes)
                                  : parquet::read_schema_elements(bytes);
}

AnySchema parquet_parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text.substr(start).starts_with("message")) {
    return parquet::parse_message(text);
  }
  // Within a message a field ends with `;`; alone nobody would write it.
  const size_t end = text.find_last_not_of(" \t\r\n");
  std::string field(text);
  if (end != std::string_view::npos && text[end] != ';' && text[end] != '}') field += ';';
  return parquet::Schema(
      parquet::Node::group(parquet::Repetition::Required, "schema", {parquet::parse_field(field)}));
}

hub::Schema lance_to_arrow(const AnySchema& schema) {
  return lance::to_arrow(std::get<lance::Schema>(schema));
}
hub::FromArrow<AnySchema> lance_from_arrow(const hub::Schema& schema) {
  auto [mapped, findings] = lance::from_arrow(schema);
  return {std::move(mapped), std::move(findings)};
}
std::string lance_words(const lance::Field& field) {
  std::string text = lance::print_logical_type(field.type);
  if (field.children.empty()) return text;
  std::vector<std::string> children;
  for (const lance::Field& child : field.children) {
    children.push_back(child.name + ": " + lance_words(child));
  }
  return text + "<" + join(children, ", ") + ">";
}
std::string lance_type_text(const AnySchema& schema) {
  return lance_words(std::get<lance::Schema>(schema).fields.at(0));
}
constexpr std::array<std::string_view, 3> kLanceForms = {"text", "protobuf", "json"};
std::string lance_print(const AnySchema& schema, std::string_view form) {
  const auto& fields = std::get<lance::Schema>(schema);
  if (form == "text") return lance::print_text(fields);
  if (form == "protobuf") return lance::write_protobuf(fields);
  if (form == "json") return lance::write_json(fields) + "\n";
  no_form("lance", form);
}
AnySchema lance_parse(std::string_view bytes) {
  if (!is_printable_text(bytes)) return lance::read_protobuf(bytes);
  return begins_with(bytes, '{') ? lance::read_json(bytes) : lance::parse_text(bytes);
}

/// Reads the words of a field as `lance_words` writes them: `list<item: int64>`.
class LanceWords {
 public:
  explicit LanceWords(std::string_view text) : text_(text) {}

  lance::Field parse() {
    lance::Field field = type(std::string(kAloneColumn), 0);
    if (at_ != text_.size()) fail("the end of the type");
    return field;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    Place place;
    place.line = 1;
    place.column = at_ + 1;
    throw Error(ErrorCode::Input,
                fmt::format("expected {}, found {}", expected,
                            at_ == text_.size() ? "the end" : quoted(text_.substr(at_, 20))),
                std::move(place));
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  lance::Field type(std::string name, int depth) {
    if (depth > limits::kSchemaDepth) fail("fewer levels of nesting");
    const size_t end = std::min(text_.find_first_of("<>, \n", at_), text_.size());
    lance::Field field;
    field.name = std::move(name);
    field.type = lance::parse_logical_type(text_.substr(at_, end - at_));
    field.encoding = lance::default_encoding(field.type);
    at_ = end;
    if (!take("<")) return field;
    do {
      const size_t colon = text_.find(": ", at_);
      if (colon == std::string_view::npos) fail("NAME: TYPE");
      std::string child(text_.substr(at_, colon - at_));
      at_ = colon + 2;
      field.children.push_back(type(std::move(child), depth + 1));
    } while (take(", "));
    if (!take(">")) fail("\">\"");
    if (field.type.kind() == lance::Kind::Map && !field.children.front().children.empty()) {
      field.children.front().nullable = false;
      field.children.front().children.front().nullable = false;
    }
    return field;
  }

  std::string_view text_;
  size_t at_ = 0;
};

AnySchema lance_parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text.substr(start).starts_with("Field")) {
    return lance::parse_text(text);
  }
  if (start != std::string_view::npos) {
    text = text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
  }
  lance::Schema schema{{LanceWords(text).parse()}, {}};
  lance::assign_ids(&schema);
  return schema;
}

hub::Schema vortex_to_arrow(const AnySchema& schema) {
  return vortex::to_arrow(std::get<vortex::DType>(schema));
}
hub::FromArrow<AnySchema> vortex_from_arrow(const hub::Schema& schema) {
  auto [mapped, findings] = vortex::from_arrow(schema);
  return {std::move(mapped), std::move(findings)};
}
std::string vortex_type_text(const AnySchema& schema) {
  return vortex::print_text(std::get<vortex::DType>(schema).members()[0].type);
}
constexpr std::array<std::string_view, 4> kVortexForms = {"text", "flatbuffers", "protobuf",
                                                          "json"};
std::string vortex_print(const AnySchema& schema, std::string_view form) {
  const auto& type = std::get<vortex::DType>(schema);
  if (form == "text") return vortex::print_text(type) + "\n";
  if (form == "flatbuffers") return vortex::write_flatbuffers(type);
  if (form == "protobuf") return vortex::write_protobuf(type);
  if (form == "json") return vortex::write_json(type) + "\n";
  no_form("vortex", form);
}
AnySchema vortex_parse(std::string_view bytes) {
  if (is_printable_text(bytes)) {
    return bytes.find("\"type\"") != std::string_view::npos ? vortex::read_json(bytes)
                                                            : vortex::parse_text(bytes);
  }
  try {
    return vortex::read_flatbuffers(bytes);
  } catch (const Error&) {
    return vortex::read_protobuf(bytes);
  }
}

AnySchema vortex_parse_type(std::string_view text) {
  return vortex::DType::struct_({{std::string(kAloneColumn), vortex::parse_text(text)}}, false);
}

hub::Schema arrow_to_arrow(const AnySchema& schema) { return std::get<hub::Schema>(schema); }
hub::FromArrow<AnySchema> arrow_from_arrow(const hub::Schema& schema) { return {schema, {}}; }
std::string arrow_type_text(const AnySchema& schema) {
  const hub::Field& field = std::get<hub::Schema>(schema).fields.at(0);
  std::string text = hub::to_string(field.type);
  if (!field.extension_name().empty()) text += fmt::format(" [{}]", field.extension_name());
  return field.nullable ? text : text + " not null";
}
constexpr std::array<std::string_view, 2> kArrowForms = {"text", "ipc"};
std::string arrow_print(const AnySchema& schema, std::string_view form) {
  const auto& fields = std::get<hub::Schema>(schema);
  if (form == "text") return arrow::print_schema(fields);
  if (form == "ipc") return arrow::write_ipc_schema(fields);
  no_form("arrow", form);
}
AnySchema arrow_parse(std::string_view bytes) {
  if (bytes.starts_with("\xff\xff\xff\xff")) return arrow::read_ipc_schema(bytes);
  return arrow::parse_schema(bytes);
}
AnySchema arrow_parse_type(std::string_view text) {
  try {
    return hub::Schema{{hub::Field(std::string(kAloneColumn), arrow::parse_type(text))}, {}};
  } catch (const Error&) {
    return arrow::parse_schema(text);
  }
}

/// Arrow itself has what Arrow has.
constexpr hub::Capabilities kEverything = {};

const std::array<Room, kSystems.size()>& rooms() {
  static const std::array<Room, kSystems.size()> kRooms = {{
      {System::Yt, "yt", false, yt_to_arrow, yt_from_arrow, yt::kCapabilities, yt_type_text,
       kYtForms, yt_print, yt_parse, yt_parse},
      {System::Skiff, "skiff", false, skiff_to_arrow, skiff_from_arrow, skiff::kCapabilities,
       skiff_type_text, kSkiffForms, skiff_print, skiff_parse, skiff_parse_type},
      {System::Parquet, "parquet", true, parquet_to_arrow, parquet_from_arrow,
       parquet::kCapabilities, parquet_type_text, kParquetForms, parquet_print, parquet_parse,
       parquet_parse_type},
      {System::Lance, "lance", true, lance_to_arrow, lance_from_arrow, lance::kCapabilities,
       lance_type_text, kLanceForms, lance_print, lance_parse, lance_parse_type},
      {System::Vortex, "vortex", true, vortex_to_arrow, vortex_from_arrow, vortex::kCapabilities,
       vortex_type_text, kVortexForms, vortex_print, vortex_parse, vortex_parse_type},
      {System::Arrow, "arrow", true, arrow_to_arrow, arrow_from_arrow, kEverything, arrow_type_text,
       kArrowForms, arrow_print, arrow_parse, arrow_parse_type},
  }};
  return kRooms;
}

void add_yson_labels(std::string_view text, std::vector<std::string>& labels) {
  const yson::Node node = yson::parse(text);
  const yson::Node::Map* map = node.is(yson::Node::Kind::Map) ? &node.as_map() : &node.attributes();
  for (const auto& [key, value] : *map) {
    labels.push_back(fmt::format("{}={}", key, yson::print(value)));
  }
}

void add_metadata_labels(const hub::Metadata& metadata, std::vector<std::string>& labels) {
  for (const auto& [key, value] : metadata) {
    if (key == hub::kExtensionName || key == hub::kExtensionMetadata) continue;
    if (key == parquet::kFieldId || key == lance::kFieldIdKey) {
      labels.push_back("id " + value);
    } else if (key == yt::kColumnAnnotation) {
      add_yson_labels(value, labels);
    } else if (!hub::is_annotation_key(key)) {
      labels.push_back("metadata " + quoted(key));
    }
  }
  std::ranges::sort(labels);
}

}  // namespace

const Room& room(System system) { return rooms()[static_cast<size_t>(system)]; }
System system_of(const AnySchema& schema) { return static_cast<System>(schema.index()); }
std::string_view to_string(System system) { return room(system).name; }

std::optional<System> parse_system(std::string_view name) {
  if (name == "yson") return System::Yt;
  for (const Room& candidate : rooms()) {
    if (candidate.name == name) return candidate.system;
  }
  return std::nullopt;
}

System system_of_word(std::string_view word) {
  if (const auto system = parse_system(word)) return *system;
  std::vector<std::string> words;
  words.reserve(kSystems.size());
  for (const System system : kSystems) words.emplace_back(to_string(system));
  throw Error(ErrorCode::Usage,
              fmt::format("expected {}, found {}", join(words, ", "), quoted(word)));
}

hub::Schema to_arrow(const AnySchema& schema) { return room(system_of(schema)).to_arrow(schema); }

hub::FromArrow<AnySchema> from_arrow(System system, const hub::Schema& schema) {
  const Room& own = room(system);
  return hub::lower_and_map(schema, own.capabilities, own.from_arrow);
}

std::string print_schema(const AnySchema& schema, std::string_view form) {
  const Room& own = room(system_of(schema));
  return own.print(schema, form.empty() ? own.forms.front() : form);
}

AnySchema parse_schema(System system, std::string_view bytes) { return room(system).parse(bytes); }
AnySchema parse_type(System system, std::string_view text) { return room(system).parse_type(text); }

std::optional<AnySchema> parse_guessing(Parse parse, std::string_view text) {
  for (const System guess :
       {System::Parquet, System::Yt, System::Vortex, System::Lance, System::Skiff, System::Arrow}) {
    try {
      return parse(guess, text);
    } catch (const Error&) {
      // Another system's text, then.
    }
  }
  return std::nullopt;
}

AnySchema parse_schema_of(std::optional<std::string_view> system, std::string_view text) {
  if (system) return parse_schema(system_of_word(*system), text);
  if (auto guessed = parse_guessing(parse_schema, text)) return std::move(*guessed);
  throw Error(ErrorCode::Input, "expected a schema of any system, found none that can be read", {},
              "Name its system to see what is wrong with it.");
}

std::string type_text(System system, const hub::Field& field) {
  try {
    const Room& own = room(system);
    return own.type_text(from_arrow(system, hub::Schema{{field}, {}}).schema);
  } catch (const Error&) {
    return hub::to_string(field.type);
  }
}

hub::Refine refinement_of(System system) {
  switch (system) {
    case System::Yt:
      return yt::refine;
    case System::Skiff:
      return skiff::refine;
    case System::Parquet:
      return parquet::refine;
    case System::Lance:
    case System::Vortex:
    case System::Arrow:
      return {};
  }
  return {};
}

std::vector<std::string> labels_of(const hub::Field& field) {
  std::vector<std::string> labels;
  add_metadata_labels(field.metadata, labels);
  return labels;
}

std::vector<std::string> labels_of(System system, const hub::Schema& schema) {
  std::vector<std::string> labels;
  add_metadata_labels(schema.metadata, labels);
  if (system == System::Yt || system == System::Skiff) {
    const std::optional<std::string_view> table = hub::annotation(schema, yt::kSystem);
    if (table) add_yson_labels(*table, labels);
  }
  return labels;
}

}  // namespace xwalk::crosswalk
