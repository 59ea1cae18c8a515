// Rows of random Arrow types, printed as JSON, YSON, CSV and cells, must be what a plain model of
// the values says; bytes of keys are equal for equal values, and in their order; times that were
// written are read, texts that are read are written; patterns of names mean what a slow twin says
// they do; schemas go through the C data interface. The first byte chooses which.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "fuzz/harness.h"
#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/key_bytes.h"
#include "xwalk/hub/path_pattern.h"
#include "xwalk/hub/row_csv.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::fuzz {
namespace {

using hub::Field;
using hub::Kind;
using hub::TimeUnit;
using hub::Type;
using hub::testing::Value;
using Json = nlohmann::json;
using yson::Node;

constexpr std::array kUnits = {TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano};

uint64_t long_word(Choices* choices) {
  const uint64_t high = choices->word();
  return high << 32 | choices->word();
}

/// A schema, and rows of it that do not break it.
struct Rows {
  hub::Schema schema;
  std::vector<Value> values;
  hub::Array array;
};

/// Types of the random ones, with layouts around that those do not have.
Rows random_rows(Choices* choices) {
  crosswalk::testing::RandomData random(choices->word());
  Rows out;
  out.schema.fields = random.fields(1 + choices->below(3), 2);
  Type& first = out.schema.fields[0].type;
  const size_t layout = choices->below(8);
  if (layout == 1) first = hub::list(Field("item", first), Kind::LargeListView);
  if (layout == 2) first = hub::run_end_encoded(Kind::Int32, Field("values", first));
  // Encodings have their nulls among their values.
  for (Field& field : out.schema.fields) {
    if (field.type.kind() == Kind::RunEndEncoded) field.nullable = false;
    if (hub::is_binary(field.type.kind()) && choices->below(4) == 0) {
      hub::annotate(field, "yt", "yson");
    }
  }
  for (size_t count = 1 + choices->below(4); count > 0; --count) {
    std::vector<Value> row;
    for (const Field& field : out.schema.fields) {
      const bool runs = field.type.kind() == Kind::RunEndEncoded;
      row.push_back(random.value(runs ? field.type.child(1) : field, {}));
    }
    out.values.push_back(hub::testing::items(std::move(row)));
  }
  if (choices->below(4) == 3) {
    // Text that is invalid UTF-8, or a page of it.
    for (Value& row : out.values) {
      for (Value& value : row.items) {
        if (value.tag == Value::Tag::Text && value.text == "plain") value.text = choices->text();
      }
    }
  }
  out.array = hub::testing::build(hub::struct_(out.schema.fields), out.values);
  return out;
}

bool is_text_of(const Json& json, const Field& field, std::string_view bytes) {
  if (json.is_string() && hub::annotation(field, "yt") && !hub::is_utf8(field.type.kind())) {
    try {
      return json == yson::print(yson::parse(bytes));
    } catch (const Error&) {
    }
  }
  if (json.is_string()) return json.get_ref<const std::string&>() == bytes;
  return !is_valid_utf8(bytes) && json.size() == 1 &&
         from_base64(json.at("base64").get<std::string>()) == bytes;
}

bool is_time_of(const std::string& text, const Type& type, int64_t ticks) {
  int64_t read = 0;
  switch (type.kind()) {
    case Kind::Date32:
      return !hub::read_date(text, &read) || read == ticks;
    case Kind::Date64:
      return !hub::read_date(text, &read) || read * 86'400'000 == ticks - (ticks % 86'400'000);
    case Kind::Time32:
    case Kind::Time64:
      return hub::read_time(text, type.unit(), &read) == hub::TimeText::Ok && read == ticks;
    case Kind::Timestamp:
      return hub::read_instant(text, type.unit(), !type.zone().empty(), &read) ==
                 hub::TimeText::Ok &&
             read == ticks;
    default:
      return text.starts_with(std::to_string(ticks));
  }
}

bool is_json_of(const Json& json, const Field& field, const Value& value) {
  const Type& type = field.type;
  if (type.kind() == Kind::Dictionary) return is_json_of(json, type.child(), value);
  if (type.kind() == Kind::RunEndEncoded) return is_json_of(json, type.child(1), value);
  if (value.tag == Value::Tag::Null) {
    // An alternative has no validity of its own.
    return json.is_null();
  }
  if (type.kind() == Kind::Bool)
    return json.is_boolean() && json.get<bool>() == (value.number != 0);
  if (hub::is_integer(type.kind())) return json.dump() == to_decimal_text(value.number);
  if (hub::is_decimal(type.kind())) {
    auto text = json.get<std::string>();
    std::erase(text, '.');
    Int256 number;
    return parse_decimal_text(text, &number) && number == value.number;
  }
  if (value.tag == Value::Tag::Real) {
    if (std::isnan(value.real)) return json == "nan";
    if (std::isinf(value.real)) return json == (value.real < 0 ? "-inf" : "inf");
    return json.get<double>() == value.real;
  }
  if (value.tag == Value::Tag::Text) {
    if (field.extension_name() == "arrow.uuid" && type.kind() == Kind::FixedSizeBinary) {
      auto hex = json.get<std::string>();
      std::erase(hex, '-');
      return from_hex(hex) == value.text;
    }
    return is_text_of(json, field, value.text);
  }
  if (hub::is_list(type.kind())) {
    bool same = json.size() == value.items.size();
    for (size_t i = 0; same && i < value.items.size(); ++i) {
      same = is_json_of(json[i], type.child(), value.items[i]);
    }
    return same;
  }
  switch (type.kind()) {
    case Kind::Map: {
      bool same = json.size() == value.items.size();
      for (size_t i = 0; same && i < value.items.size(); ++i) {
        const std::vector<Value>& pair = value.items[i].items;
        same = is_json_of(json[i][0], type.key(), pair[0]) &&
               is_json_of(json[i][1], type.value(), pair[1]);
      }
      return same;
    }
    case Kind::Struct: {
      bool same = json.size() == value.items.size();
      for (size_t i = 0; same && i < value.items.size(); ++i) {
        same = is_json_of(json.at(type.child(i).name), type.child(i), value.items[i]);
      }
      return same;
    }
    case Kind::DenseUnion:
    case Kind::SparseUnion: {
      const Field& chosen = type.child(static_cast<size_t>(value.number.low128()));
      return json.size() == 1 && is_json_of(json.at(chosen.name), chosen, value.items[0]);
    }
    case Kind::IntervalMonths:
      return json.at("months") == static_cast<int64_t>(value.number.low128());
    case Kind::IntervalDayTime:
    case Kind::IntervalMonthDayNano: {
      const bool nanos = type.kind() == Kind::IntervalMonthDayNano;
      bool same =
          json.size() == value.items.size() &&
          json.at("days") == static_cast<int64_t>(value.items[nanos ? 1 : 0].number.low128());
      return same && json.contains(nanos ? "nanoseconds" : "milliseconds");
    }
    default:
      return is_time_of(json.get<std::string>(), type, static_cast<int64_t>(value.number.low128()));
  }
}

bool is_yson_of(const Node& node, const Type& type, const Value& value) {
  if (type.kind() == Kind::Dictionary) return is_yson_of(node, type.child().type, value);
  if (type.kind() == Kind::RunEndEncoded) return is_yson_of(node, type.child(1).type, value);
  switch (value.tag) {
    case Value::Tag::Null:
      return node.is(Node::Kind::Entity);
    case Value::Tag::Number:
      if (type.kind() == Kind::Bool) return node.as_boolean() == (value.number != 0);
      if (hub::is_decimal(type.kind())) {
        std::string text = node.as_string();
        std::erase(text, '.');
        Int256 number;
        return parse_decimal_text(text, &number) && number == value.number;
      }
      if (node.is(Node::Kind::Uint64)) {
        return std::to_string(node.as_uint64()) == to_decimal_text(value.number);
      }
      return std::to_string(node.as_int64()) == to_decimal_text(value.number);
    case Value::Tag::Real:
      return std::isnan(value.real) ? std::isnan(node.as_double()) : node.as_double() == value.real;
    case Value::Tag::Text:
      return node.as_string() == value.text;
    case Value::Tag::Items:
      break;
  }
  if (type.kind() == Kind::Struct) {
    const Node::Map& members = node.as_map();
    bool same = members.size() == value.items.size();
    for (size_t i = 0; same && i < members.size(); ++i) {
      same = members[i].first == type.child(i).name &&
             is_yson_of(members[i].second, type.child(i).type, value.items[i]);
    }
    return same;
  }
  const Node::List& items = node.as_list();
  if (type.kind() == Kind::DenseUnion || type.kind() == Kind::SparseUnion) {
    const Field& chosen = type.child(static_cast<size_t>(value.number.low128()));
    return items.size() == 2 && items[0].as_string() == chosen.name &&
           is_yson_of(items[1], chosen.type, value.items[0]);
  }
  bool same = items.size() == value.items.size();
  for (size_t i = 0; same && i < items.size(); ++i) {
    if (type.kind() == Kind::Map) {
      const std::vector<Value>& pair = value.items[i].items;
      same = is_yson_of(items[i].as_list().at(0), type.key().type, pair[0]) &&
             is_yson_of(items[i].as_list().at(1), type.value().type, pair[1]);
    } else if (hub::is_list(type.kind())) {
      same = is_yson_of(items[i], type.child().type, value.items[i]);
    } else {
      same = is_yson_of(items[i], Kind::Int64, value.items[i]);
    }
  }
  return same;
}

void check_texts(Choices* choices) {
  const Rows rows = random_rows(choices);
  const Field whole("", hub::struct_(rows.schema.fields), false);
  for (int64_t row = 0; row < rows.array.length; ++row) {
    const Value& value = rows.values[static_cast<size_t>(row)];
    std::string json;
    hub::append_json_row(rows.schema, rows.array, row, &json);
    require(is_json_of(Json::parse(json), whole, value), "JSON is the row", json);
    std::string piece;
    std::string all;
    const hub::Spill spill = [&](std::string* text) {
      all += *text;
      text->clear();
    };
    hub::append_json_row(rows.schema, rows.array, row, &piece, spill);
    require(all + piece == json, "pieces are the whole", all);
    yson::Buffer yson;
    hub::append_yson(rows.array, whole.type, row, &yson);
    require(is_yson_of(yson::parse(yson.view()), whole.type, value), "YSON is the row",
            yson.view());
  }
}

/// Parses a line of CSV: the content of each field, and whether it was in quotes.
std::vector<std::pair<std::string, bool>> csv_fields(std::string_view line) {
  std::vector<std::pair<std::string, bool>> out(1);
  bool inside = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (inside && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      out.back().first += line[++i];
    } else if (line[i] == '"') {
      inside = !inside;
      out.back().second = true;
    } else if (!inside && line[i] == ',') {
      out.emplace_back();
    } else if (!inside && line[i] == '\n') {
      require(i + 1 == line.size(), "a row is one line", line);
    } else {
      out.back().first += line[i];
    }
  }
  require(!inside, "quotes end", line);
  return out;
}

void check_cells(Choices* choices) {
  const Rows rows = random_rows(choices);
  const std::vector<Field>& fields = rows.schema.fields;
  yson::Buffer header;
  const hub::CsvRows csv(rows.schema, hub::CsvFormulas::Keep);
  csv.append_header(&header);
  const auto names = csv_fields(header.view());
  require(names.size() == fields.size() && names[0].first == fields[0].name);
  for (int64_t row = 0; row < rows.array.length; ++row) {
    yson::Buffer written;
    csv.append(rows.array, row, &written);
    const std::string line(written.view());
    const auto cells = csv_fields(line);
    require(cells.size() == fields.size(), "a cell a column", line);
    for (size_t i = 0; i < fields.size(); ++i) {
      const Value& value = rows.values[static_cast<size_t>(row)].items[i];
      const bool null = value.tag == Value::Tag::Null;
      require(null == (cells[i].first.empty() && !cells[i].second), "null is nothing", line);
      if (hub::is_utf8(fields[i].type.kind()) && is_valid_utf8(value.text)) {
        require(cells[i].first == value.text, "text as it is", line);
      }
      std::string json;
      hub::append_json(fields[i], rows.array.children[i], row, &json);
      const std::string cell = hub::cell_text(fields[i], rows.array.children[i], row);
      require(json.starts_with('"') || cell == json, "a cell is JSON", cell);
      require(std::ranges::none_of(cell, [](char c) { return c >= 0 && c < ' '; }),
              "nothing that a terminal obeys", cell);
      require(hub::cell_text(fields[i], rows.array.children[i], row, 3).size() <= cell.size());
      const Kind kind = fields[i].type.kind();
      if (!null && (hub::is_utf8(kind) || hub::is_binary(kind))) {
        const std::string plain = hub::cell_text(fields[i], value.text);
        require(plain == cell || cell.find('\\') != std::string::npos, "bytes as they are", cell);
      }
    }
  }
}

/// -1, 0 or 1 for values of one column whose order keys have; 2 for others.
int order_of(const Type& type, const Value& a, const Value& b) {
  const bool null = a.tag == Value::Tag::Null || b.tag == Value::Tag::Null;
  if (null)
    return static_cast<int>(a.tag != Value::Tag::Null) -
           static_cast<int>(b.tag != Value::Tag::Null);
  const Kind kind = type.kind();
  if (kind == Kind::Bool || kind == Kind::IntervalMonths) return 2;
  if (a.tag == Value::Tag::Number) return a.number < b.number ? -1 : a.number == b.number ? 0 : 1;
  if (a.tag == Value::Tag::Text) return a.text < b.text ? -1 : a.text == b.text ? 0 : 1;
  return 2;
}

void check_keys(Choices* choices) {
  Rows rows = random_rows(choices);
  std::vector<const hub::Array*> columns;
  for (const hub::Array& column : rows.array.children) columns.push_back(&column);
  const hub::Array keys = hub::key_bytes(rows.schema.fields, columns, rows.array.length);
  const auto key = [&](size_t row) {
    return hub::testing::read(keys, Kind::Binary, static_cast<int64_t>(row)).text;
  };
  const auto stored = [&](size_t row) {
    return hub::testing::read(rows.array, hub::struct_(rows.schema.fields),
                              static_cast<int64_t>(row));
  };
  for (size_t i = 0; i < rows.values.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Value a = stored(i);
      const Value b = stored(j);
      require((key(i) == key(j)) == (a == b), "equal keys are equal values", key(i));
      const Type& first = rows.schema.fields[0].type;
      const bool plain = first.children().empty();
      const int order = plain ? order_of(first, a.items[0], b.items[0]) : 2;
      if (order == -1) require(key(i) < key(j), "the smaller key first", key(i));
      if (order == 1) require(key(i) > key(j), "the larger key last", key(i));
    }
  }
}

template <typename Write>
std::string written(Write write) {
  std::array<char, hub::kTimeTextSize> text;
  return {text.data(), write(text.data())};
}

/// Ticks that were written are read.
void check_ticks(Choices* choices) {
  // Distant years have more digits than are read, and the shift makes near ones likely.
  const auto ticks = static_cast<int64_t>(long_word(choices)) >> choices->below(64);
  const TimeUnit unit = kUnits[choices->below(kUnits.size())];
  int64_t read = 0;
  std::string text = written([&](char* out) { return hub::write_instant(ticks, unit, out); });
  require(hub::read_instant(text, unit, false, &read) == hub::TimeText::Ok && read == ticks,
          "an instant is read", text);
  text += choices->below(2) == 0 ? "Z" : "+00:00";
  require(hub::read_instant(text, unit, true, &read) == hub::TimeText::Ok && read == ticks,
          "an instant with a zone is read", text);
  require(hub::read_instant(text, unit, false, &read) == hub::TimeText::Malformed, "no zone", text);
  const int64_t days = ticks % 2'000'000;
  text = written([&](char* out) { return hub::write_date(days, out); });
  require(hub::read_date(text, &read) && read == days, "a date is read", text);
  require(hub::days_from_civil(hub::civil_from_days(days)) == days);
  const int64_t seconds = ticks % (days * 86'400 == 0 ? 86'400 : std::abs(days) * 86'400);
  text = written([&](char* out) { return hub::write_datetime(seconds, out); });
  require(hub::read_datetime(text, &read) && read == seconds, "a datetime is read", text);
  const int64_t micros = ticks % 200'000'000'000'000'000;
  text = written([&](char* out) { return hub::write_timestamp(micros, out); });
  require(hub::read_timestamp(text, &read) && read == micros, "a timestamp is read", text);
  constexpr std::array<int64_t, 4> kDays = {86'400, 86'400'000, 86'400'000'000, 86'400'000'000'000};
  const int64_t clock = (ticks & INT64_MAX) % kDays[static_cast<size_t>(unit)];
  text = written([&](char* out) { return hub::write_time(clock, unit, out); });
  require(hub::read_time(text, unit, &read) == hub::TimeText::Ok && read == clock,
          "a time of day is read", text);
}

/// Text that is read is written, and read again as the same.
void check_time_text(Choices* choices) {
  const TimeUnit unit = kUnits[choices->below(kUnits.size())];
  const bool zoned = choices->below(2) == 0;
  const std::string_view given = choices->rest();
  int64_t ticks = 0;
  int64_t again = 0;
  const hub::TimeText found = hub::read_instant(given, unit, zoned, &ticks);
  if (found == hub::TimeText::Ok) {
    const std::string text =
        written([&](char* out) { return hub::write_instant(ticks, unit, out); });
    require(hub::read_instant(text, unit, false, &again) == hub::TimeText::Ok && again == ticks,
            "an instant comes back", text);
  }
  if (found == hub::TimeText::Finer) {
    require(hub::read_instant(given, TimeUnit::Nano, zoned, &again) != hub::TimeText::Finer);
  }
  if (hub::read_timestamp(given, &ticks)) {
    require(hub::read_instant(given, TimeUnit::Micro, true, &again) == hub::TimeText::Ok &&
                again == ticks,
            "a timestamp is an instant", given);
  }
  if (hub::read_datetime(given, &ticks)) {
    require(hub::read_timestamp(given, &again) && again == ticks * 1'000'000,
            "a datetime is a timestamp", given);
  }
  if (hub::read_date(given, &ticks)) {
    require(
        hub::read_datetime(std::string(given) + "T00:00:00Z", &again) && again == ticks * 86'400,
        "a date is a datetime", given);
  }
  if (hub::read_time(given, unit, &ticks) == hub::TimeText::Ok) {
    const std::string text = written([&](char* out) { return hub::write_time(ticks, unit, out); });
    require(hub::read_time(text, unit, &again) == hub::TimeText::Ok && again == ticks,
            "a time of day comes back", text);
    require(hub::read_instant("1970-01-01 " + std::string(given), unit, false, &again) ==
                    hub::TimeText::Ok &&
                again == ticks,
            "a time of day is one of the first day", given);
  }
}

bool is_like_slowly(std::string_view name, std::string_view pattern) {
  // A row of results for each end of the pattern: whether it matches that many characters of the
  // name.
  std::vector<bool> fits(name.size() + 1, false);
  fits[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(name.size() + 1, false);
    for (size_t i = 0; i <= name.size(); ++i) {
      if (c == '*')
        next[i] = fits[i] || (i > 0 && next[i - 1]);
      else
        next[i] = i > 0 && fits[i - 1] && (c == '?' || c == name[i - 1]);
    }
    fits = std::move(next);
  }
  return fits[name.size()];
}

void check_patterns(Choices* choices) {
  std::string name(choices->text());
  std::string pattern(choices->text());
  require(hub::is_like(name, pattern) == is_like_slowly(name, pattern), "a pattern is one",
          pattern + " and " + name);
  crosswalk::testing::RandomData random(choices->word() % 256);
  const hub::Schema schema{random.fields(3, 3), {}};
  // A walk down the types, whose names become patterns.
  Path path;
  std::span<const Field> fields = schema.fields;
  while (!fields.empty()) {
    const Field& field = fields[choices->below(fields.size())];
    const size_t how = choices->below(8);
    const std::string word = how == 0   ? "*"
                             : how == 1 ? "f?"
                             : how == 2 ? "?*" + field.name.substr(field.name.size() / 2)
                             : how == 3 ? pattern
                                        : field.name;
    path = path.field(word);
    const Type* below = &field.type;
    while (hub::is_list(below->kind())) {
      if (choices->below(2) == 0) path = path.item();
      below = &below->child().type;
    }
    fields = below->children();
    if (choices->below(4) == 0) break;
  }
  const std::vector<Path> found = hub::paths_like(schema, path);
  for (const Path& one : found) {
    require(hub::paths_like(schema, one, false) == std::vector<Path>{one},
            "what is found is there by its name", one.text());
  }
  for (const Path& one : hub::paths_like(schema, path, false)) {
    require(std::ranges::find(found, one) != found.end(), "a name is a pattern", one.text());
  }
}

void check_schemas(Choices* choices) {
  crosswalk::testing::RandomData random(choices->word());
  hub::Schema schema{random.fields(1 + choices->below(4), 3), {}};
  if (choices->below(2) == 0) schema.metadata.set("key", std::string(choices->text()));
  for (Field& field : schema.fields) {
    if (choices->below(2) == 0) hub::annotate(field, "yt", std::string(choices->text()));
    if (choices->below(8) == 0) {
      field.type = hub::run_end_encoded(Kind::Int16, Field("values", field.type));
    }
    require(hub::annotation_fits(field.type, field.type), "a type fits itself", field.name);
  }
  const Type promised = random.type(3);
  const Type& given = schema.fields[0].type;
  require(hub::annotation_fits(given, promised) == hub::annotation_fits(promised, given),
          "types fit either way", hub::to_string(promised));
  const hub::SchemaHandle exported = hub::export_schema(schema);
  require(hub::import_schema(*exported) == schema, "a schema comes back", hub::to_string(schema));
  const hub::Schema bare = hub::without_annotations(schema);
  for (const Field& field : bare.fields) require(!hub::annotation(field, "yt"));
  require(bare.fields.size() == schema.fields.size());
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  switch (choices.below(8)) {
    case 0:
    case 1:
      return check_texts(&choices);
    case 2:
      return check_cells(&choices);
    case 3:
      return check_keys(&choices);
    case 4:
      return check_ticks(&choices);
    case 5:
      return check_time_text(&choices);
    case 6:
      return check_patterns(&choices);
    default:
      return check_schemas(&choices);
  }
}

}  // namespace xwalk::fuzz
