#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "pyarrow_text.h"
#include "runner.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/int128.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/array.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/validate.h"

namespace xwalk::vectors {
namespace {

std::string arrow_text(const hub::Field& field);

/// A type as pyarrow prints it, the names of a map's entries left out.
std::string arrow_text(const hub::Field& field, const hub::Type& type) {
  if (is_registered(field.extension_name())) {
    return fmt::format("extension<{}>", field.extension_name());
  }
  if (type.kind() == hub::Kind::List) return fmt::format("list<{}>", arrow_text(type.child()));
  if (type.kind() == hub::Kind::Map) {
    return fmt::format("map<{}, {}>", arrow_text(type.key(), type.key().type),
                       arrow_text(type.value(), type.value().type));
  }
  if (type.kind() != hub::Kind::Struct) return hub::to_string(type);
  std::string out = "struct<";
  for (const hub::Field& child : type.children()) {
    if (out.size() > 7) out += ", ";
    out += arrow_text(child);
  }
  return out + ">";
}

std::string arrow_text(const hub::Field& field) {
  return fmt::format("{}: {}{}", field.name, arrow_text(field, field.type),
                     field.nullable ? "" : " not null");
}

/// Throws the first violation of the format's rules, or else what makes it no Arrow schema.
void check_schema(const parquet::Schema& schema) {
  for (const hub::Finding& finding : parquet::validate(schema)) {
    if (hub::is_violation(finding))
      throw Error(ErrorCode::Input, finding.lost, {.path = finding.path});
  }
  parquet::to_arrow(schema);
}

void check_arrow(const Json& expected, const parquet::Schema& schema, const Context& context) {
  if (expected.is_null()) return;
  if (expected == "error") {
    context.expect_refused("the schema", [&] { check_schema(schema); });
    return;
  }
  Json found = Json::array();
  for (const hub::Field& field : parquet::to_arrow(schema).fields) {
    found.push_back(arrow_text(field));
  }
  expect_equal("expect_arrow", expected.dump(), found.dump());
}

/// A message text in one line, with the words that `print_message` has.
std::string message_line(const std::string& text) {
  static const std::map<std::string, std::string, std::less<>> kWords = {
      {"(DECIMAL(5));", "(DECIMAL(5,0));"},
      {"(FUTURE);", "(FUTURE(0cc6010000));"},
      {"(INT_8);", "(INTEGER(8,true));"},
      {"(UTF8);", "(STRING);"},
  };
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    auto known = kWords.find(word);
    words.push_back(known == kWords.end() ? word : known->second);
  }
  return join(words, " ");
}

void check_message(const std::string& check, const std::string& text, const parquet::Schema& schema,
                   const Context& context) {
  if (check == "refuse" || check == "skip") {
    expect_equal("message", message_line(text), message_line(parquet::print_message(schema)));
  }
  if (check == "skip") return;
  if (check == "refuse") {
    context.expect_refused("the message text", [&] { parquet::parse_message(text); });
    return;
  }
  parquet::Schema parsed = parquet::parse_message(text);
  expect(parquet::same_meaning(parsed, schema), "the message text to mean the file's schema",
         parquet::print_message(parsed));
  expect(check == "same" || check == "meaning", "same, meaning, refuse or skip", check);
  if (check == "same") {
    std::string printed = parquet::print_message(parsed);
    expect_equal("printed", parquet::print_message(schema), printed);
    expect_equal("printed again", printed, parquet::print_message(parquet::parse_message(printed)));
  }
}

/// Reads a decimal number's text as digits and their scale, without trailing zeros after the point.
std::pair<std::string, int> digits_of(std::string text) {
  int exponent = 0;
  const size_t e = text.find_first_of("eE");
  if (e != std::string::npos) {
    exponent = std::stoi(text.substr(e + 1));
    text.resize(e);
  }
  int scale = 0;
  size_t point = text.find('.');
  if (point != std::string::npos) {
    scale = static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }
  scale -= exponent;
  for (; scale < 0; ++scale) text += '0';
  for (; scale > 0 && text.size() > 1 && text.back() == '0'; --scale) text.pop_back();
  bool negative = text.starts_with('-');
  size_t first = text.find_first_not_of('0', negative ? 1 : 0);
  std::string digits = first == std::string::npos ? "0" : text.substr(first);
  if (digits == "0") return {digits, 0};
  return {(negative ? "-" : "") + digits, scale};
}

std::string decimal_text(const hub::Array& array, const hub::Type& type, int64_t index) {
  expect(type.kind() == hub::Kind::Decimal128, "a decimal of 128 bits", hub::to_string(type));
  auto value = array.value<Int128>(index);
  std::string text = to_string(value < 0 ? -value : value);
  auto scale = static_cast<size_t>(type.scale());
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  if (scale > 0) text.insert(text.size() - scale, ".");
  return (value < 0 ? "-" : "") + text;
}

Json value_of(const hub::Array& array, const hub::Field& field, int64_t index);

Json items_of(const hub::Array& array, const hub::Field& field, int64_t index) {
  Json items = Json::array();
  for (int64_t i = array.first_item(index); i < array.end_item(index); ++i) {
    const hub::Field& item = field.type.child();
    if (field.type.kind() != hub::Kind::Map) {
      items.push_back(value_of(array.children[0], item, i));
      continue;
    }
    const hub::Array& entries = array.children[0];
    items.push_back({value_of(entries.children[0], field.type.key(), entries.slot(i)),
                     value_of(entries.children[1], field.type.value(), entries.slot(i))});
  }
  return items;
}

Json value_of(const hub::Array& array, const hub::Field& field, int64_t index) {
  if (field.type.kind() == hub::Kind::Null || array.is_null(index)) return nullptr;
  switch (field.type.kind()) {
    case hub::Kind::Bool:
      return array.bit(index);
    case hub::Kind::Int8:
      return array.value<int8_t>(index);
    case hub::Kind::Int16:
      return array.value<int16_t>(index);
    case hub::Kind::Int32:
      return array.value<int32_t>(index);
    case hub::Kind::Int64:
      return array.value<int64_t>(index);
    case hub::Kind::Uint8:
      return array.value<uint8_t>(index);
    case hub::Kind::Uint16:
      return array.value<uint16_t>(index);
    case hub::Kind::Uint32:
      return array.value<uint32_t>(index);
    case hub::Kind::Uint64:
      return array.value<uint64_t>(index);
    case hub::Kind::Float:
      return array.value<float>(index);
    case hub::Kind::Double:
      return array.value<double>(index);
    case hub::Kind::Utf8:
      return array.text(index);
    case hub::Kind::Binary:
      return "hex:" + to_hex(array.text(index));
    case hub::Kind::FixedSizeBinary:
      return "hex:" + to_hex({array.fixed(index, field.type.size()),
                              static_cast<size_t>(field.type.size())});
    case hub::Kind::Date32:
      return array.value<int32_t>(index);
    case hub::Kind::Time32:
      return array.value<int32_t>(index);
    case hub::Kind::Time64:
    case hub::Kind::Timestamp:
      return array.value<int64_t>(index);
    case hub::Kind::Decimal128:
      return decimal_text(array, field.type, index);
    case hub::Kind::List:
    case hub::Kind::Map:
      return items_of(array, field, index);
    case hub::Kind::Struct: {
      Json object = Json::object();
      for (size_t i = 0; i < array.children.size(); ++i) {
        const hub::Field& child = field.type.child(i);
        object[child.name] = value_of(array.children[i], child, array.slot(index));
      }
      return object;
    }
    default:
      throw Mismatch{"a type of the vectors", hub::to_string(field.type)};
  }
}

/// Numbers are equal by value, regardless of their text.
bool same_value(const Json& expected, const Json& found) {
  if (expected.is_array() && found.is_array()) {
    return std::ranges::equal(expected, found, same_value);
  }
  if (expected.is_object() && found.is_object()) {
    return std::ranges::equal(expected.items(), found.items(), [](const auto& a, const auto& b) {
      return a.key() == b.key() && same_value(a.value(), b.value());
    });
  }
  if (found.is_number_float()) return double_of(expected) == found.get<double>();
  return expected == found;
}

/// Decimals are equal by value as well. They are found as text.
bool same_value(const Json& expected, const Json& found, const hub::Field& field) {
  if (expected.is_null() || found.is_null()) return expected.is_null() && found.is_null();
  if (!hub::is_decimal(field.type.kind())) return same_value(expected, found);
  return digits_of(expected.is_string() ? expected.get<std::string>() : text_of(expected)) ==
         digits_of(found.get<std::string>());
}

std::unique_ptr<hub::BatchReader> open_file(const std::string& path) {
  return io::open_parquet(io::with_contents(io::open_source(path)));
}

void check_rows(const Json& expected, const std::string& path) {
  if (expected.is_null()) return;
  auto reader = open_file(path);
  size_t row = 0;
  while (auto batch = reader->next()) {
    if (!batch->bad.empty()) throw batch->bad[0].error;
    for (int64_t i = 0; i < batch->rows(); ++i, ++row) {
      expect(row < expected.size(), fmt::format("{} rows", expected.size()), "more");
      expect(expected[row].size() == reader->schema().fields.size(),
             fmt::format("{} columns", expected[row].size()),
             std::to_string(reader->schema().fields.size()));
      for (size_t column = 0; column < reader->schema().fields.size(); ++column) {
        const hub::Field& field = reader->schema().fields[column];
        Json found = value_of(batch->array.children[column], field, batch->array.slot(i));
        const Json& wanted = expected[row].at(column);
        expect(same_value(wanted, found, field), fmt::format("row {}: {}", row, wanted.dump()),
               found.dump());
      }
    }
  }
  expect(row == expected.size(), fmt::format("{} rows", expected.size()), std::to_string(row));
}

/// Reading is what `validate` with values and `convert` do: each bad value marks its row.
void check_refused(const std::string& path) {
  auto reader = open_file(path);
  bool refused = false;
  while (auto batch = reader->next()) refused |= !batch->bad.empty();
  expect(refused, "a row that is rejected", "none");
}

void check_file(const Json& vector, const Context& context) {
  std::string path = context.folder + "/files/" + vector.at("file").get<std::string>();
  parquet::Footer footer = parquet::read_footer(*open_random_access(path));
  check_message(vector.at("message_check"), vector.at("message"), footer.schema, context);
  check_arrow(vector.at("expect_arrow"), footer.schema, context);
  check_rows(vector.at("expected_rows"), path);
  if (vector.at("expect_values").is_null()) return;
  expect_equal("expect_values", vector.at("expect_values"), "finding");
  check_refused(path);
}

}  // namespace

void add_parquet_checks(Checks* checks) { (*checks)["parquet_file"] = check_file; }

}  // namespace xwalk::vectors
