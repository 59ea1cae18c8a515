// Rows of 64 random tables in every form: YSON in all modes, with control entities between rows,
// and JSON. Written rows are read back unchanged. Rows read in steps equal those read at once.
// Selected columns equal those of all. A map is decoded like a row. Invalid values are rejected in
// every row alike. The second byte chooses which, and the rest damages bytes.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/harness.h"
#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "tests/yt/memory_bytes.h"
#include "tests/yt/random_type.h"
#include "tests/yt/random_value.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/json_rows.h"
#include "xwalk/yt/map_decoder.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/values.h"

namespace xwalk::fuzz {
namespace {

using yson::Node;

constexpr size_t kTables = 64;
/// From here, the number of changed places means that the rest of the input is the stream.
constexpr size_t kAnyBytes = 240;

struct Table {
  yt::TableSchema schema;
  hub::Schema arrow;
  /// Good rows.
  hub::Array rows;
};

/// Nothing for a table that Arrow cannot hold.
std::unique_ptr<const Table> random_table(uint64_t seed) {
  auto table = std::make_unique<Table>();
  table->schema = yt::testing::RandomTypes(seed + 1000).table();
  // Without deleted columns and keys, which rows know nothing of.
  yt::testing::RandomValues values(seed);
  std::string rows;
  for (int i = 0; i < 6; ++i) {
    Node::Map row;
    for (const yt::ColumnSchema& column : table->schema.columns) {
      row.emplace_back(column.name, values.value(column.type));
    }
    if (!table->schema.strict && i % 2 == 0) row.emplace_back("other", values.any(2));
    rows += print(Node::map(std::move(row)), yson::Format::Binary) + ";";
  }
  yt::ReadOptions options;
  options.values = yt::stored_form();
  try {
    yt::RowDecoder decoder(table->schema, options);
    table->arrow = decoder.schema();
    table->rows = decoder.decode(rows, 0).array;
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Unsupported, "good rows", error.describe());
    return nullptr;
  }
  return table;
}

yt::ValueOptions value_options(Choices* choices) {
  yt::ValueOptions out;
  const uint8_t modes = choices->byte();
  if ((modes & 1) != 0) out.complex_type_mode = yt::ComplexTypeMode::Positional;
  if ((modes & 2) != 0) out.string_keyed_dict_mode = yt::DictMode::Named;
  if ((modes & 4) != 0) out.decimal_mode = yt::DecimalMode::Text;
  if ((modes & 8) != 0) out.time_mode = yt::TimeMode::Text;
  if ((modes & 16) != 0) out.uuid_mode = yt::UuidMode::TextYt;
  if ((modes & 32) != 0) out.uuid_mode = yt::UuidMode::TextYql;
  if ((modes & 64) != 0) out.tz_form = yt::TzForm::Index;
  if ((modes & 128) != 0) out.skip_null_values = true;
  constexpr std::array kFormats = {yson::Format::Binary, yson::Format::Text, yson::Format::Pretty};
  out.format = kFormats[choices->below(kFormats.size())];
  return out;
}

/// Sets options of values that only matter for rows that are read, by the high bits of a choice.
void choose_more(uint8_t choice, yt::ValueOptions* values) {
  if (choice / 8 % 4 == 1) values->uuid_order = yt::UuidOrder::Raw;
  if (choice / 32 % 4 == 1) values->decimal_special = yt::DecimalSpecial::Null;
}

std::string row_text(const hub::Schema& schema, const hub::Array& rows, int64_t row,
                     hub::HoldsYson holds_yson = nullptr) {
  std::string out;
  hub::append_json_row(schema, rows, row, &out, {}, holds_yson);
  return out;
}

/// Rows and their control attributes, one line each; then why reading ended.
struct Outcome {
  std::vector<std::string> rows;
  std::vector<std::string> bad;
  std::string failed;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string text_of(const hub::RowControl& control) {
  const auto number = [](const std::optional<int64_t>& index) {
    return index ? std::to_string(*index) : "-";
  };
  return number(control.range_index) + " " + number(control.row_index) +
         (control.key_switch ? " switch" : "");
}

std::string_view without_switch(std::string_view row) {
  constexpr std::string_view kSwitch = " switch";
  if (row.ends_with(kSwitch)) row.remove_suffix(kSwitch.size());
  return row;
}

/// Without the place in bytes, which hangs on what was seen of a stream by then.
std::string words_of(const Error& error) {
  const Place& place = error.place();
  return error.message() + " at " + (place.row ? std::to_string(*place.row) : "-") + " " +
         place.path.text();
}

Outcome read(hub::BatchReader* reader, std::vector<hub::Batch>* kept = nullptr) {
  Outcome out;
  try {
    while (auto batch = reader->next()) {
      std::vector<bool> is_bad(static_cast<size_t>(batch->rows()), false);
      for (const hub::BadRow& row : batch->bad) {
        is_bad[static_cast<size_t>(row.index)] = true;
        out.bad.push_back(words_of(row.error));
      }
      require(batch->controls.empty() || batch->controls.size() == is_bad.size());
      for (size_t row = 0; row < is_bad.size(); ++row) {
        if (is_bad[row]) continue;
        const hub::RowControl control =
            batch->controls.empty() ? hub::RowControl() : batch->controls[row];
        out.rows.push_back(row_text(reader->schema(), batch->array, static_cast<int64_t>(row)) +
                           " " + text_of(control));
      }
      if (kept != nullptr) kept->push_back(std::move(*batch));
    }
  } catch (const Error& error) {
    require_refusal(error, {ErrorCode::Input});
    out.failed = words_of(error);
  }
  return out;
}

std::unique_ptr<ByteSource> source_of(const std::string& bytes, size_t step) {
  if (step == 0) return std::make_unique<yt::WholeSource>(bytes);
  return std::make_unique<yt::StepSource>(bytes, step);
}

std::string control_entity(Choices* choices) {
  constexpr std::array<std::string_view, 8> kKeys = {"row_index",    "range_index", "key_switch",
                                                     "row_index",    "table_index", "end_of_stream",
                                                     "tablet_index", "other"};
  Node entity;
  const size_t key = choices->below(32);
  const std::string name(kKeys[key < 28 ? key % 4 : 4 + key % 4]);
  switch (choices->below(16)) {
    case 15:
      entity.add_attribute(name, Node::string("x"));
      break;
    case 14:
      entity.add_attribute(name, Node::int64(-1));
      break;
    default:
      if (name == "key_switch") {
        entity.add_attribute(name, Node::boolean(choices->below(4) != 0));
      } else {
        entity.add_attribute(name, Node::int64(static_cast<int64_t>(choices->below(3))));
      }
  }
  std::string out =
      print(entity, choices->below(2) == 0 ? yson::Format::Binary : yson::Format::Text);
  if (choices->below(32) == 31) out += "#";
  if (choices->below(32) == 31) out.replace(out.size() - 1, 1, "{}");
  return out + ";";
}

/// Rows of a table as they are written, with control entities between them, and bytes of the input
/// in the place of others, or any bytes.
std::string stream_of(const Table& table, const yt::ValueOptions& values, bool controls,
                      Choices* choices) {
  const yt::RowEncoder encoder(table.schema, values);
  yson::Buffer out;
  for (int64_t row = 0; row < table.rows.length; ++row) {
    if (controls) {
      for (size_t count = choices->below(3); count > 0; --count) {
        out.append(control_entity(choices));
      }
    }
    encoder.encode(table.rows, row, row + 1, row, &out);
  }
  std::string bytes(out.view());
  const size_t damage = choices->byte();
  if (damage >= kAnyBytes) return std::string(choices->rest());
  for (size_t count = damage % 4; count > 0 && !bytes.empty(); --count) {
    const size_t at = (size_t{choices->byte()} << 8 | choices->byte()) % bytes.size();
    const size_t size = std::min<size_t>(choices->below(4), bytes.size() - at);
    bytes.replace(at, size, choices->text());
  }
  return bytes;
}

yt::ReadOptions read_options(const yt::ValueOptions& values, Choices* choices) {
  yt::ReadOptions out;
  out.values = values;
  const uint8_t modes = choices->byte();
  out.skip_bad_rows = (modes & 1) != 0;
  out.controls = (modes & 2) != 0;
  out.table_index = (modes & 4) != 0;
  out.range_index = (modes & 8) != 0;
  out.row_index = (modes & 16) != 0;
  if ((modes & 32) != 0) out.table = (modes & 64) != 0 ? 1 : 0;
  if ((modes & 128) != 0) out.repeated_keys = yt::RepeatedKeys::Last;
  const size_t rows = choices->below(8);
  if (rows != 0) out.batch_rows = static_cast<int64_t>(rows);
  const uint8_t more = choices->byte();
  choose_more(more, &out.values);
  if (more % 8 == 7) out.row_bytes = 16 + choices->byte();
  return out;
}

/// Rows read in steps are those read at once; some of the columns are those of all.
void check_reading(const Table& table, Choices* choices) {
  std::optional<Allowance> any(std::in_place);
  const yt::ValueOptions values = value_options(choices);
  const yt::ReadOptions options = read_options(values, choices);
  const size_t step = 1 + choices->byte() % 64;
  const std::string bytes = stream_of(table, values, true, choices);
  const auto whole = yt::read_rows(source_of(bytes, 0), table.schema, options);
  const auto steps = yt::read_rows(source_of(bytes, step), table.schema, options);
  require(whole->schema() == yt::RowDecoder(table.schema, options).schema());
  // The bytes bound what reading allocates.
  any.reset();
  const Outcome once = read(whole.get());
  require(whole->bytes_read() <= bytes.size());
  // A row that is too long is met earlier where it comes in pieces.
  const bool bounded = options.row_bytes < bytes.size();
  const Outcome pieces = read(steps.get());
  require(bounded || once == pieces, "steps do not matter", once.failed + " and " + pieces.failed);
  if (bounded || !once.bad.empty() || !once.failed.empty() || table.schema.columns.empty()) return;
  any.emplace();
  yt::ReadOptions some = options;
  const size_t wanted = choices->below(table.schema.columns.size());
  some.columns = {table.schema.columns[wanted].name};
  std::vector<hub::Batch> all;
  std::vector<hub::Batch> one;
  const auto every = yt::read_rows(source_of(bytes, 0), table.schema, options);
  read(every.get(), &all);
  const auto only = yt::read_rows(source_of(bytes, step), table.schema, some);
  const Outcome few = read(only.get(), &one);
  require(few.failed.empty() && few.bad.empty() && few.rows.size() == once.rows.size(),
          "some columns of good rows", few.failed);
  require(one.size() == all.size() || options.batch_rows == limits::kBatchRows);
  for (size_t i = 0; i < std::min(one.size(), all.size()); ++i) {
    for (int64_t row = 0; row < std::min(one[i].rows(), all[i].rows()); ++row) {
      std::string in_all;
      std::string alone;
      hub::append_json(every->schema().fields[wanted], all[i].array.children[wanted], row, &in_all);
      hub::append_json(only->schema().fields[0], one[i].array.children[0], row, &alone);
      require(in_all == alone, "a column is the same alone", alone);
    }
  }
}

/// Rows that were read are written, with their control attributes, and read back the same.
void check_writing(const Table& table, Choices* choices) {
  const yt::ValueOptions values = value_options(choices);
  yt::ReadOptions options;
  options.values = values;
  options.skip_bad_rows = true;
  options.controls = true;
  const uint8_t more = choices->byte();
  choose_more(more, &options.values);
  options.batch_rows = 1 + more % 8;
  options.table_index = false;
  const std::string bytes = stream_of(table, values, true, choices);
  const auto reader = yt::read_rows(source_of(bytes, 0), table.schema, options);
  std::vector<hub::Batch> batches;
  const Outcome once = read(reader.get(), &batches);
  yt::ValueOptions target = value_options(choices);
  target.uuid_order = options.values.uuid_order;
  std::string written;
  const auto writer =
      yt::write_rows(std::make_unique<yt::StringSink>(&written), table.schema, target);
  try {
    for (hub::Batch& batch : batches) {
      writer->write(hub::drop_bad_rows(std::move(batch), reader->schema(), nullptr));
    }
  } catch (const Error& error) {
    // Control entities cannot take an index back, and not every zone has a number.
    return require_refusal(error, {ErrorCode::Input});
  }
  writer->finish();
  require(writer->bytes_written() == written.size());
  options.values = target;
  const auto again = yt::read_rows(source_of(written, choices->byte() % 16), table.schema, options);
  const Outcome back = read(again.get());
  require(back.failed.empty() && back.bad.empty(), "what was written is read", back.failed);
  require(back.rows.size() == once.rows.size(), "as many rows", written);
  // A key that begins with a rejected row begins with the next.
  const auto same = [&](const std::string& a, const std::string& b) {
    return a == b || (!once.bad.empty() && without_switch(a) == without_switch(b));
  };
  for (size_t row = 0; row < back.rows.size(); ++row) {
    require(same(back.rows[row], once.rows[row]), "what was written is what was read",
            back.rows[row] + " for " + once.rows[row]);
  }
}

/// A row is decoded as a map of columns, by itself.
void check_maps(const Table& table, Choices* choices) {
  yt::ReadOptions options;
  options.values = value_options(choices);
  if (options.values.format == yson::Format::Pretty) options.values.format = yson::Format::Text;
  options.skip_bad_rows = true;
  const yt::RowEncoder encoder(table.schema, options.values);
  yt::RowDecoder decoder(table.schema, options);
  yt::MapDecoder maps(table.schema, options.values);
  for (int64_t row = 0; row < table.rows.length; ++row) {
    yson::Buffer buffer;
    encoder.encode(table.rows, row, row + 1, row, &buffer);
    std::string map(buffer.view());
    map.erase(map.rfind(';'));
    if (choices->below(4) == 3 && !map.empty()) {
      const size_t at = choices->byte() % map.size();
      map.replace(at, std::min<size_t>(choices->below(3), map.size() - at), choices->text());
    }
    std::vector<hub::ColumnBuilder> builders;
    for (const hub::Field& field : decoder.schema().fields) builders.emplace_back(field);
    const bool taken = maps.decode(map, builders.data(), 0);
    std::vector<hub::Batch> batches;
    const auto reader = yt::read_rows(source_of(map, 0), decoder);
    const Outcome rows = read(reader.get(), &batches);
    const bool good = rows.failed.empty() && rows.bad.empty() && rows.rows.size() == 1;
    // Not a row: a control entity, or several.
    const bool is_map = !map.empty() && map.front() == '{';
    require(!good || taken || !is_map, "a row is a map", map);
    if (!good || !taken) continue;
    for (size_t i = 0; i < builders.size(); ++i) {
      std::string value;
      std::string its;
      hub::append_json(decoder.schema().fields[i], builders[i].finish(), 0, &value);
      hub::append_json(decoder.schema().fields[i], batches[0].array.children[i], 0, &its);
      // Missing other columns are null here, and an empty map there.
      const bool none = its == "null" && i == table.schema.columns.size();
      require(none || value == its, "a map is decoded as a row", value);
    }
  }
}

yt::ValueOptions json_options(Choices* choices) {
  yt::ValueOptions out;
  const uint8_t modes = choices->byte();
  out.json.living = (modes & 1) != 0;
  out.json.encode_utf8 = (modes & 2) != 0;
  out.json.stringify = (modes & 4) != 0;
  out.json.annotate_with_types = (modes & 8) != 0;
  out.json.plain = (modes & 16) != 0;
  out.json.not_finite = (modes & 32) != 0   ? yt::NotFinite::Quoted
                        : (modes & 64) != 0 ? yt::NotFinite::Unquoted
                                            : yt::NotFinite::Refuse;
  const uint8_t more = choices->byte();
  if ((more & 1) != 0) out.complex_type_mode = yt::ComplexTypeMode::Positional;
  if ((more & 2) != 0) out.string_keyed_dict_mode = yt::DictMode::Named;
  if ((more & 4) != 0) out.skip_null_values = true;
  return yt::json_values(out);
}

/// Rows survive a round trip through JSON lines, as far as JSON can express them.
void check_json(const Table& table, Choices* choices) {
  const yt::ValueOptions values = json_options(choices);
  const yt::JsonRowEncoder encoder(table.schema, values);
  yt::ReadOptions options;
  options.values = values;
  options.skip_bad_rows = true;
  options.controls = true;
  hub::Batch batch;
  batch.array = table.rows;
  if (choices->below(2) == 0) {
    batch.controls.resize(static_cast<size_t>(table.rows.length));
    const auto start = static_cast<int64_t>(choices->below(4));
    for (size_t i = 0; i < batch.controls.size(); ++i) {
      batch.controls[i].range_index = 0;
      batch.controls[i].row_index = start + static_cast<int64_t>(i);
      batch.controls[i].key_switch = choices->below(3) == 0;
    }
  }
  yson::Buffer out;
  const std::vector<hub::BadRow> refused = encoder.encode(batch, &out);
  std::vector<std::string> expected;
  for (int64_t row = 0; row < batch.rows(); ++row) {
    const bool bad =
        std::ranges::any_of(refused, [&](const auto& one) { return one.index == row; });
    if (!bad) expected.push_back(row_text(table.arrow, table.rows, row));
  }
  for (const hub::BadRow& one : refused) require(one.error.code() == ErrorCode::Input);
  std::string lines(out.view());
  const size_t damage = choices->below(4);
  for (size_t count = damage; count > 0 && !lines.empty(); --count) {
    const size_t at = (size_t{choices->byte()} << 8 | choices->byte()) % lines.size();
    lines.replace(at, std::min<size_t>(choices->below(4), lines.size() - at), choices->text());
  }
  lines.reserve(lines.size() + yt::JsonTranscoder::kPadding);
  yt::JsonRowDecoder decoder(table.schema, options);
  Outcome found;
  try {
    const hub::Batch read = decoder.decode(lines, 0, {});
    for (int64_t row = 0; row < read.rows(); ++row) {
      const bool bad =
          std::ranges::any_of(read.bad, [&](const auto& one) { return one.index == row; });
      if (!bad) found.rows.push_back(row_text(decoder.schema(), read.array, row));
    }
    for (const hub::BadRow& one : read.bad) found.bad.push_back(words_of(one.error));
  } catch (const Error& error) {
    require_refusal(error, {ErrorCode::Input});
    found.failed = words_of(error);
  }
  if (damage > 0) return;
  // Values of any type are of those that JSON has; without its keys it has no attributes.
  const bool any = !table.schema.strict || values.json.plain ||
                   std::ranges::any_of(table.schema.columns, [](const yt::ColumnSchema& column) {
                     return yt::holds_any(column.type);
                   });
  if (any) return;
  require(found.failed.empty() && found.bad.empty(), "what was written is read",
          found.failed + (found.bad.empty() ? "" : found.bad.front()));
  require(found.rows == expected, "rows go through JSON", lines);
}

/// Lines become YSON at once as one by one, and a schema is found in them.
void check_inference(const Table& table, Choices* choices) {
  const yt::ValueOptions values = json_options(choices);
  std::string lines;
  if (choices->below(4) != 0) {
    hub::Batch batch;
    batch.array = table.rows;
    yson::Buffer out;
    yt::JsonRowEncoder(table.schema, values).encode(batch, &out);
    lines = out.view();
    for (size_t count = choices->below(3); count > 0 && !lines.empty(); --count) {
      const size_t at = (size_t{choices->byte()} << 8 | choices->byte()) % lines.size();
      lines.replace(at, std::min<size_t>(choices->below(4), lines.size() - at), choices->text());
    }
  } else {
    lines = choices->rest();
  }
  const size_t step = 1 + choices->byte();
  yt::StepSource source(lines, step);
  yt::JsonAsYson stream(&source, values, limits::kRowBytes);
  require(stream.name() == source.name());
  std::string all;
  std::array<char, 100> piece;
  while (const size_t count = stream.read(piece.data(), piece.size()))
    all.append(piece.data(), count);
  require(stream.position() == lines.size());
  yt::JsonTranscoder transcoder(nullptr, values);
  yson::Buffer expected;
  std::string padded = lines;
  padded.reserve(lines.size() + yt::JsonTranscoder::kPadding);
  for (std::string_view rest = padded; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (yt::is_blank_line(line)) continue;
    (void)yt::is_control_line(line);
    if (!transcoder.row(line, &expected)) expected.append("#;");
  }
  require(all == expected.view(), "at once as one by one", all);
  yt::WholeSource whole(all);
  yt::InferOptions options;
  options.json = choices->below(2) == 0;
  options.all_tables = choices->below(2) == 0;
  try {
    const yt::TableSchema schema = yt::infer_schema(whole, options);
    yt::StepSource again(lines, step);
    yt::SchemaInference inference(options);
    inference.add_json(again, values, limits::kRowBytes);
    require(inference.finish() == schema, "lines as YSON", lines);
    yt::ReadOptions read_as;
    read_as.skip_bad_rows = true;
    read_as.table_index = true;
    const auto reader = yt::read_rows(source_of(all, 0), schema, read_as);
    const Outcome rows = read(reader.get());
    require(!options.all_tables || rows.failed.empty() || !rows.failed.empty());
  } catch (const Error& error) {
    require_refusal(error);
  }
}

/// A field whose values may be null although it says otherwise, at any depth except in a value with
/// a time zone, which has its two parts.
hub::Field loosened(hub::Field field, Choices* choices) {
  if (choices->below(8) == 7 && hub::has_validity(field.type.kind())) field.nullable = true;
  if (yt::refine(field).zone_names) return field;
  if (field.type.kind() == hub::Kind::Struct || hub::is_list(field.type.kind()) ||
      field.type.kind() == hub::Kind::DenseUnion) {
    std::vector<hub::Field> children;
    for (const hub::Field& child : field.type.children()) {
      children.push_back(loosened(child, choices));
    }
    field.type = hub::with_children(field.type, std::move(children));
  }
  return field;
}

/// Values of the Arrow types, whether YTsaurus has them or not: a row is written and read as the
/// same, or refused alone as among others.
void check_arrays(const Table& table, Choices* choices) {
  const yt::ValueOptions values = value_options(choices);
  const yt::RowEncoder encoder(table.schema, values);
  hub::Schema loose;
  crosswalk::testing::RandomData random(choices->word());
  for (const hub::Field& field : encoder.schema().fields) {
    loose.fields.push_back(loosened(field, choices));
  }
  const bool in_range = choices->below(2) == 0;
  const hub::Refine refine = in_range ? hub::Refine(yt::refine) : hub::Refine();
  std::vector<hub::testing::Value> rows;
  for (size_t i = 1 + choices->below(4); i > 0; --i) {
    std::vector<hub::testing::Value> row;
    for (const hub::Field& field : loose.fields) row.push_back(random.value(field, refine));
    if (!table.schema.strict) row.back() = hub::testing::null();
    rows.push_back(hub::testing::items(std::move(row)));
  }
  const hub::Array array = hub::testing::build(hub::struct_(loose.fields), rows);
  yson::Buffer each;
  std::optional<std::string> first_bad;
  for (int64_t row = 0; row < array.length && !first_bad; ++row) {
    const size_t before = each.size();
    try {
      encoder.encode(array, row, row + 1, 0, &each);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Input && error.place().row == static_cast<uint64_t>(row),
              "a row is rejected", error.describe());
      require(each.size() == before, "nothing of a rejected row", each.view());
      first_bad = error.describe();
    }
  }
  yson::Buffer all;
  std::optional<std::string> failed;
  try {
    encoder.encode(array, 0, array.length, 0, &all);
  } catch (const Error& error) {
    failed = error.describe();
  }
  require(all.view() == each.view() && failed == first_bad, "rows as each row", all.view());
  if (first_bad) return;
  yt::ReadOptions options;
  options.values = values;
  const auto reader = yt::read_rows(source_of(std::string(all.view()), 0), table.schema, options);
  std::vector<hub::Batch> batches;
  const Outcome back = read(reader.get(), &batches);
  require(back.failed.empty(), "what was written is read", back.failed);
  int64_t row = 0;
  for (const hub::Batch& batch : batches) {
    for (int64_t index = 0; index < batch.rows(); ++index, ++row) {
      // YSON is compared as values: text comes back as binary.
      const std::string its = row_text(encoder.schema(), array, row, crosswalk::holds_yson);
      const std::string found =
          row_text(reader->schema(), batch.array, index, crosswalk::holds_yson);
      require(found == its, "what was written comes back", found + " for " + its);
    }
  }
  require(row == array.length, "every row comes back");
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  static const std::vector<std::unique_ptr<const Table>> tables = [] {
    const Allowance any;
    std::vector<std::unique_ptr<const Table>> made;
    for (uint64_t seed = 0; seed < kTables; ++seed) made.push_back(random_table(seed));
    return made;
  }();
  Choices choices(data);
  const Table* const table = tables[choices.below(kTables)].get();
  if (table == nullptr) return;
  const size_t what = choices.below(8);
  try {
    if (what < 2) return check_reading(*table, &choices);
    const Allowance any;
    switch (what) {
      case 2:
        return check_writing(*table, &choices);
      case 3:
        return check_maps(*table, &choices);
      case 4:
      case 5:
        return check_json(*table, &choices);
      case 6:
        return check_inference(*table, &choices);
      default:
        return check_arrays(*table, &choices);
    }
  } catch (const Error& error) {
    // A mode that a table refuses.
    require(error.code() == ErrorCode::Unsupported || error.code() == ErrorCode::Usage,
            "no error comes out", error.describe());
  }
}

}  // namespace xwalk::fuzz
