// Rows of random tables, damaged: the input chooses the table, the settings of the format, and
// which bytes of good rows become others. Rows read in steps are those read at once, or what was
// taken is written, in text or binary, and read back equal; the settings say which is asked.

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "fuzz/harness.h"
#include "tests/yt/memory_bytes.h"
#include "tests/yt/random_type.h"
#include "tests/yt/random_value.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/validate.h"
#include "xwalk/yt/values.h"

namespace xwalk::fuzz {
namespace {

/// So many that codecs of all, in all modes, are made in seconds and kept.
constexpr size_t kTables = 64;

struct Table {
  yt::TableSchema schema;
  /// Good rows, positional and binary throughout.
  std::string rows;
};

std::unique_ptr<Table> random_table(uint64_t seed) {
  auto table = std::make_unique<Table>();
  table->schema = yt::testing::RandomTypes(seed).table();
  yt::testing::RandomValues values(seed);
  for (int i = 0; i < 6; ++i) {
    yson::Node::Map row;
    for (const yt::ColumnSchema& column : table->schema.columns) {
      row.emplace_back(column.name, values.value(column.type));
    }
    table->rows += print(yson::Node::map(std::move(row)), yson::Format::Binary) + ";";
  }
  return table;
}

struct Outcome {
  std::string rows;
  std::string rejected;
  bool failed = false;
};

/// What is compiled of a table for one choice of modes.
struct Codecs {
  yt::RowDecoder decoder;
  yt::RowEncoder binary;
  yt::RowEncoder text;

  Codecs(const yt::TableSchema& schema, const yt::ReadOptions& options)
      : decoder(schema, options),
        binary(schema, with_format(options.values, yson::Format::Binary)),
        text(schema, with_format(options.values, yson::Format::Text)) {}

  static yt::ValueOptions with_format(yt::ValueOptions values, yson::Format format) {
    values.format = format;
    return values;
  }
};

yt::ReadOptions read_options(uint8_t modes) {
  yt::ReadOptions options;
  options.skip_bad_rows = true;
  options.batch_rows = 4;
  options.values = yt::stored_form();
  if ((modes & 1) != 0) options.values.complex_type_mode = yt::ComplexTypeMode::Named;
  if ((modes & 2) != 0) options.values.string_keyed_dict_mode = yt::DictMode::Named;
  if ((modes & 4) != 0) options.values.uuid_order = yt::UuidOrder::Raw;
  if ((modes & 8) != 0) options.repeated_keys = yt::RepeatedKeys::Last;
  if ((modes & 16) != 0) options.values.decimal_special = yt::DecimalSpecial::Null;
  return options;
}

/// Codecs, compiled for the first input that needs them. Empty for a table that the modes refuse.
const Codecs* codecs(uint8_t table, const yt::TableSchema& schema, uint8_t modes) {
  static std::map<std::pair<uint8_t, uint8_t>, std::unique_ptr<const Codecs>> made;
  const std::pair key(table, static_cast<uint8_t>(modes % 32));
  if (const auto found = made.find(key); found != made.end()) return found->second.get();
  const Allowance any;
  std::unique_ptr<const Codecs> compiled;
  try {
    compiled = std::make_unique<const Codecs>(schema, read_options(modes));
  } catch (const Error& error) {
    require_refusal(error);
  }
  return made.emplace(key, std::move(compiled)).first->second.get();
}

Outcome read(std::unique_ptr<ByteSource> source, const yt::RowDecoder& decoder,
             const yt::RowEncoder& encoder) {
  Outcome outcome;
  try {
    const auto reader = yt::read_rows(std::move(source), decoder);
    while (auto batch = reader->next()) {
      for (const hub::BadRow& row : batch->bad) {
        outcome.rejected += std::to_string(row.error.place().row.value()) +
                            row.error.place().path.text() + row.error.message() + "\n";
      }
      const hub::Batch good = hub::drop_bad_rows(std::move(*batch), reader->schema(), nullptr);
      yson::Buffer out;
      encoder.encode(good.array, 0, good.rows(), 0, &out);
      outcome.rows += out.view();
    }
  } catch (const Error& error) {
    require_refusal(error);
    outcome.failed = true;
  }
  return outcome;
}

std::unique_ptr<ByteSource> whole(const std::string& bytes) {
  return std::make_unique<yt::WholeSource>(bytes);
}

}  // namespace

void run(std::string_view data) {
  static const std::vector<std::unique_ptr<Table>> tables = [] {
    const Allowance any;
    std::vector<std::unique_ptr<Table>> made;
    for (uint64_t seed = 0; seed < kTables; ++seed) made.push_back(random_table(seed));
    return made;
  }();
  Choices choices(data);
  const auto which = static_cast<uint8_t>(choices.below(kTables));
  const Table& table = *tables[which];
  const uint8_t modes = choices.byte();
  const size_t step = 1 + choices.byte() % 64;
  const Codecs* const made = codecs(which, table.schema, modes);
  if (made == nullptr) return;
  std::string bytes = (modes & 32) != 0 ? std::string(choices.rest()) : table.rows;
  while ((modes & 32) == 0 && !choices.rest().empty() && !bytes.empty()) {
    const size_t at = (size_t{choices.byte()} << 8 | choices.byte()) % bytes.size();
    const size_t size = std::min<size_t>(choices.below(4), bytes.size() - at);
    bytes.replace(at, size, choices.text());
  }
  const Outcome once = read(whole(bytes), made->decoder, made->binary);
  const size_t property = (modes / 64 + data.size()) % 4;
  if (property < 2) {
    const Outcome steps =
        read(std::make_unique<yt::StepSource>(bytes, step), made->decoder, made->binary);
    require(once.rows == steps.rows, "steps do not matter", once.rows);
    require(once.rejected == steps.rejected, "steps do not matter", once.rejected);
    return require(once.failed == steps.failed);
  }
  const Allowance any;
  const bool text = property == 3;
  const Outcome again = read(whole(once.rows), made->decoder, text ? made->text : made->binary);
  require(!again.failed && again.rejected.empty(), "what was taken is taken again", again.rejected);
  if (!text) return require(again.rows == once.rows, "what was taken comes back", once.rows);
  const Outcome back = read(whole(again.rows), made->decoder, made->binary);
  require(back.rejected.empty() && back.rows == once.rows, "text comes back", again.rows);
}

}  // namespace xwalk::fuzz
