// Values of a schema made of the input, as an engine reads them, decoded and encoded: in slices as
// at once, of dictionaries as plain, with every reason as with the first; what is decoded comes
// back, and what is encoded is decoded as it was. BSON documents made of the input are valid, and
// cut short they are not.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/parquet_random.h"
#include "fuzz/rows.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/parquet/bson.h"
#include "xwalk/parquet/decode.h"
#include "xwalk/parquet/encode.h"
#include "xwalk/parquet/validate.h"
#include "xwalk/parquet/values.h"

namespace xwalk::fuzz {
namespace {

using namespace std::string_view_literals;

/// Fills columns with values of the input.
class Filler {
 public:
  /// `stored` says that values are those of an engine, so that 12 bytes may be an INT96.
  Filler(Choices* choices, bool stored) : choices_(choices), stored_(stored) {}

  void append(hub::ColumnBuilder* to, const hub::Field& field, bool in_map = false) {
    const hub::Type& type = field.type;
    const uint8_t kind = choices_->byte();
    // Sometimes a null although the schema has none.
    if (!in_map && to->layout() != hub::ColumnBuilder::Layout::Null &&
        (field.nullable ? kind < 32 : kind == 1)) {
      nulls_everywhere_ = nulls_everywhere_ || !field.nullable;
      return to->append_null();
    }
    switch (to->layout()) {
      case hub::ColumnBuilder::Layout::Null:
        return to->append_null();
      case hub::ColumnBuilder::Layout::Bits:
        return to->append_bool(kind % 2 == 0);
      case hub::ColumnBuilder::Layout::Fixed:
        return fixed(to, type, kind);
      case hub::ColumnBuilder::Layout::Bytes:
        return bytes(to, kind);
      case hub::ColumnBuilder::Layout::Struct:
        for (size_t i = 0; i < type.children().size(); ++i) append(&to->child(i), type.child(i));
        return to->append_struct();
      case hub::ColumnBuilder::Layout::List: {
        const bool is_map = type.kind() == hub::Kind::Map;
        const int count = is_map ? kind % 2 : kind % 4;
        for (int i = 0; i < count; ++i) append(&to->child(0), type.child(), is_map);
        return to->append_list();
      }
      case hub::ColumnBuilder::Layout::Union:
        return require(false);
    }
  }

  /// True if nulls are written although the schema has none.
  bool nulls_everywhere() const { return nulls_everywhere_; }

 private:
  void fixed(hub::ColumnBuilder* to, const hub::Type& type, uint8_t kind) {
    const auto width = static_cast<size_t>(to->width());
    std::string value(width, kind % 2 == 0 ? '\0' : '\xff');
    if (type.kind() == hub::Kind::IntervalMonthDayNano) {
      // A cast has refused what the format does not hold.
      store_little_endian(static_cast<int32_t>(choices_->byte()) - (kind == 255 ? 7 : 0),
                          value.data());
      store_little_endian(static_cast<int32_t>(choices_->word() & 0x7fffffff), value.data() + 4);
      store_little_endian(int64_t{choices_->word()} * 1'000'000, value.data() + 8);
    } else if (stored_ && width == 12 && kind % 8 < 6) {
      store_little_endian(int64_t{choices_->byte()} * (kind % 8 < 4 ? 1000 : 1), value.data());
      store_little_endian(kind % 3 == 0 ? int32_t{choices_->byte()} : 2'440'588 + choices_->byte(),
                          value.data() + 8);
      if (kind % 8 == 1) std::memset(value.data() + 8, 0, 4);
    } else if (kind % 8 < 3) {
      value.front() = static_cast<char>(choices_->byte());
    } else if (kind % 8 < 5) {
      value.back() = static_cast<char>(choices_->byte());
    } else if (kind % 8 < 6) {
      value[width / 2] = static_cast<char>(choices_->byte());
    } else {
      for (char& byte : value) byte = static_cast<char>(choices_->byte());
    }
    to->append_fixed(value.data());
  }

  void bytes(hub::ColumnBuilder* to, uint8_t kind) {
    constexpr std::array kTexts = {
        ""sv,
        "a"sv,
        "\xc3\xa9"sv,
        "\xff"sv,
        "{\"a\":[1]}"sv,
        "[1"sv,
        "\5\0\0\0\0"sv,
        "\x0c\0\0\0\x10\x61\0\1\0\0\0\0"sv,
        "\0\1"sv,
        "\xff\xff\x01"sv,
        "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"sv,
        "\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv,
        "null"sv};
    const size_t which = kind % (kTexts.size() + 3);
    to->append_bytes(which < kTexts.size() ? kTexts.at(which) : choices_->text().substr(0, 48));
  }

  Choices* choices_;
  bool stored_;
  bool nulls_everywhere_ = false;
};

hub::Batch make_rows(const hub::Schema& schema, int64_t rows, Filler* filler) {
  hub::Batch batch;
  batch.array = hub::start(rows);
  for (const hub::Field& field : schema.fields) {
    hub::ColumnBuilder builder(field);
    for (int64_t i = 0; i < rows; ++i) filler->append(&builder, field);
    batch.array.children.push_back(builder.finish());
  }
  return batch;
}

std::vector<int64_t> bad_rows(const hub::Batch& batch) {
  std::vector<int64_t> out;
  for (const hub::BadRow& bad : batch.bad) out.push_back(bad.index);
  return out;
}

/// One line per row; empty if the row is bad.
std::vector<std::string> lines_of(const hub::Schema& schema, const hub::Batch& batch) {
  std::vector<std::string> lines(static_cast<size_t>(batch.rows()));
  const std::vector<int64_t> bad = bad_rows(batch);
  for (int64_t i = 0; i < batch.rows(); ++i) {
    if (std::ranges::find(bad, i) != bad.end()) continue;
    hub::append_json_row(schema, batch.array, i, &lines[static_cast<size_t>(i)]);
  }
  return lines;
}

/// Puts indices in the place of the bytes of every column, last value first.
hub::Batch with_dictionaries(const hub::Schema& raw, hub::Batch batch) {
  for (size_t i = 0; i < raw.fields.size(); ++i) {
    hub::Array& column = batch.array.children[i];
    if (raw.fields[i].type.kind() != hub::Kind::Binary) continue;
    hub::Array indices = hub::start_like(column);
    hub::Buffer buffer(column.length * 4);
    for (int64_t k = 0; k < column.length; ++k) buffer.as<int32_t>()[k] = static_cast<int32_t>(k);
    hub::attach(indices, buffer);
    indices.dictionary = std::make_shared<const hub::Array>(column);
    column = std::move(indices);
  }
  return batch;
}

void check_decoded(Choices* choices, const parquet::Schema& schema,
                   const parquet::ToArrowOptions& options, const parquet::Decoder& decoder) {
  const hub::Schema raw_schema = parquet::physical_arrow(schema);
  const int64_t count = 1 + choices->byte() % 6;
  const uint8_t how = choices->byte();
  Filler filler(choices, /*stored=*/true);
  const hub::Batch raw = make_rows(raw_schema, count, &filler);
  // An engine has refused the file.
  if (filler.nulls_everywhere()) return;
  const hub::Batch decoded = decoder.decode(raw);
  const std::vector<std::string> lines = lines_of(decoder.schema(), decoded);
  for (const hub::Finding& finding : decoder.findings()) require(!finding.lost.empty());
  if (how % 4 == 0) {
    const int64_t cut = how / 4 % (count + 1);
    std::vector<std::string> parts =
        lines_of(decoder.schema(), decoder.decode(hub::slice(raw, 0, cut)));
    const hub::Batch second = decoder.decode(hub::slice(raw, cut, count - cut));
    std::ranges::move(lines_of(decoder.schema(), second), std::back_inserter(parts));
    require(parts == lines);
  } else if (how % 4 == 1) {
    const hub::Batch again = decoder.decode(with_dictionaries(raw_schema, raw));
    require(lines_of(decoder.schema(), again) == lines && bad_rows(again) == bad_rows(decoded));
  } else if (how % 4 == 2) {
    const parquet::Decoder every(schema, options, parquet::Decoder::Reasons::Every);
    std::vector<int64_t> bad = bad_rows(every.decode(raw));
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    require(bad == bad_rows(decoded));
  } else {
    const hub::CompiledCast promises = hub::compile_promises(decoder.schema(), parquet::refine);
    const hub::Batch kept = promises.run(hub::drop_bad_rows(decoded, decoder.schema(), nullptr));
    require(kept.bad.empty(), "what is decoded keeps the promises of the format",
            kept.bad.empty() ? "" : kept.bad[0].error.describe());
  }
  std::optional<parquet::Encoder> encoder;
  try {
    encoder.emplace(schema, options);
  } catch (const Error& error) {
    return require(error.code() == ErrorCode::Unsupported, "only groups without fields",
                   error.describe());
  }
  require(encoder->schema().fields == decoder.schema().fields);
  const hub::Batch good = hub::drop_bad_rows(decoded, decoder.schema(), nullptr);
  check_rows(decoder.schema(), good.array);
  hub::Batch stored;
  stored.array = encoder->encode(good);
  const hub::Type rows = hub::struct_(parquet::plan_write(schema).arrow.fields);
  hub::import_array(hub::export_array(stored.array), rows);
  const hub::Batch back = decoder.decode(std::move(stored));
  require(back.bad.empty(), "what was decoded and encoded is decoded again",
          back.bad.empty() ? "" : back.bad[0].error.describe());
  require(lines_of(decoder.schema(), back) == lines_of(decoder.schema(), good));
}

/// The same field and all below it without a rule of nulls.
hub::Field with_nulls(hub::Field field, bool keep) {
  std::vector<hub::Field> children;
  const bool is_map = field.type.kind() == hub::Kind::Map;
  for (const hub::Field& child : field.type.children())
    children.push_back(with_nulls(child, is_map));
  if (!children.empty()) field.type = hub::with_children(field.type, std::move(children));
  field.nullable = field.nullable || !keep;
  return field;
}

void check_encoded(Choices* choices, const parquet::Schema& schema,
                   const parquet::ToArrowOptions& options, const parquet::Decoder& decoder) {
  std::optional<parquet::Encoder> encoder;
  try {
    encoder.emplace(schema, options);
  } catch (const Error& error) {
    return require(error.code() == ErrorCode::Unsupported);
  }
  const int64_t count = 1 + choices->byte() % 6;
  Filler filler(choices, /*stored=*/false);
  hub::Batch rows;
  rows.array = hub::start(count);
  for (const hub::Field& field : encoder->schema().fields) {
    hub::ColumnBuilder builder(with_nulls(field, false));
    for (int64_t i = 0; i < count; ++i) filler.append(&builder, field);
    rows.array.children.push_back(builder.finish());
  }
  const bool is_cast = choices->byte() % 2 == 0;
  if (is_cast) {
    // The schema with which a writer writes it.
    const hub::Schema& schema_of_rows = encoder->schema();
    for (const hub::CompiledCast& cast :
         {hub::compile_checks(schema_of_rows),
          hub::compile_promises(schema_of_rows, parquet::refine),
          hub::compile_cast(schema_of_rows, schema_of_rows,
                            {.check_required = true, .target = parquet::refine})}) {
      rows = hub::drop_bad_rows(cast.run(std::move(rows)), schema_of_rows, nullptr);
    }
    check_rows(schema_of_rows, rows.array);
  }
  hub::Batch stored;
  try {
    stored.array = encoder->encode(rows);
  } catch (const Error& error) {
    return require(error.code() == ErrorCode::Input, "a value is rejected", error.describe());
  }
  const hub::Type engine = hub::struct_(parquet::plan_write(schema).arrow.fields);
  hub::import_array(hub::export_array(stored.array), engine);
  const hub::Batch back = decoder.decode(std::move(stored));
  require(!is_cast || back.bad.empty(), "what a cast has left is encoded and decoded",
          back.bad.empty() ? "" : back.bad[0].error.describe());
  const std::vector<std::string> lines = lines_of(decoder.schema(), back);
  for (int64_t i = 0; i < back.rows(); ++i) {
    const std::string& line = lines[static_cast<size_t>(i)];
    if (line.empty()) continue;
    std::string was;
    hub::append_json_row(encoder->schema(), rows.array, i, &was);
    require(line == was, "what is encoded is decoded as it was", line + "\n" + was);
  }
}

void append_bson_string(Choices* choices, std::string* out) {
  const std::string text(choices->below(8), 'a');
  char size[4];
  store_little_endian(static_cast<uint32_t>(text.size() + 1), size);
  out->append(size, 4);
  *out += text;
  *out += '\0';
}

std::string bson_document(Choices* choices, int depth);

void append_bson_value(Choices* choices, uint8_t type, int depth, std::string* out) {
  switch (type) {
    case 0x02:
    case 0x0D:
    case 0x0E:
      return append_bson_string(choices, out);
    case 0x03:
    case 0x04:
      *out += bson_document(choices, depth + 1);
      return;
    case 0x05: {
      const std::string_view bytes = choices->text().substr(0, 20);
      char size[4];
      store_little_endian(static_cast<uint32_t>(bytes.size()), size);
      out->append(size, 4);
      *out += '\x80';
      *out += bytes;
      return;
    }
    case 0x08:
      *out += static_cast<char>(choices->below(2));
      return;
    case 0x0B:
      *out += std::string("a+\0i\0", 5);
      return;
    case 0x0C:
      append_bson_string(choices, out);
      out->append(12, 'x');
      return;
    case 0x0F: {
      std::string inner;
      append_bson_string(choices, &inner);
      inner += bson_document(choices, depth + 1);
      char size[4];
      store_little_endian(static_cast<uint32_t>(inner.size() + 4), size);
      out->append(size, 4);
      *out += inner;
      return;
    }
    default: {
      const size_t width = type == 0x10                   ? 4
                           : type == 0x13                 ? 16
                           : type == 0x07                 ? 12
                           : type == 0x01 || type == 0x09 ? 8
                           : type == 0x11 || type == 0x12 ? 8
                                                          : 0;
      out->append(width, static_cast<char>(choices->byte()));
    }
  }
}

std::string bson_document(Choices* choices, int depth) {
  constexpr std::array<uint8_t, 21> kTypes = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                              0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E,
                                              0x0F, 0x10, 0x11, 0x12, 0x13, 0x7F, 0xFF};
  std::string out(4, '\0');
  for (size_t count = depth > 5 ? 0 : choices->below(5); count > 0; --count) {
    const uint8_t type = kTypes.at(choices->below(kTypes.size()));
    out += static_cast<char>(type);
    out += std::string("k\0", 2);
    append_bson_value(choices, type, depth, &out);
  }
  out += '\0';
  store_little_endian(static_cast<uint32_t>(out.size()), out.data());
  return out;
}

void check_bson(Choices* choices) {
  std::string document = bson_document(choices, 0);
  require(parquet::is_valid_bson(document));
  require(!parquet::is_valid_bson(
      std::string_view(document).substr(0, choices->word() % document.size())));
  require(!parquet::is_valid_bson(document + '\0'));
  document[choices->word() % document.size()] = static_cast<char>(choices->byte());
  parquet::is_valid_bson(document);
  parquet::is_valid_bson(choices->rest());
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const uint8_t how = choices.byte();
  if (how % 8 == 7) return check_bson(&choices);
  const parquet::Schema schema = parquet_schema(&choices);
  parquet::ToArrowOptions options;
  options.storage = (how & 64) != 0;
  if ((how & 128) != 0) options.int96_unit = hub::TimeUnit::Micro;
  const std::string text = parquet::print_message(schema);
  require(parquet::same_meaning(parquet::parse_unjudged_message(text), schema),
          "text gives the schema back", text);
  std::optional<parquet::Decoder> decoder;
  try {
    decoder.emplace(schema, options);
  } catch (const Error& error) {
    // Whatever has no meaning breaks a rule; decimals of billions of digits have one.
    if (error.code() == ErrorCode::Input) return require(!parquet::validate(schema).empty());
    return require(text.find("DECIMAL(2000000000") != std::string::npos,
                   "only what no memory holds is unsupported", error.describe());
  }
  how % 2 == 0 ? check_decoded(&choices, schema, options, *decoder)
               : check_encoded(&choices, schema, options, *decoder);
}

}  // namespace xwalk::fuzz
