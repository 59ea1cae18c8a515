// For any bytes, rows are decoded or refused, or the stream ends with an Error, never worse. A
// stream cut anywhere gives the same rows, on every processor. Decoded rows are encoded and decoded
// back equal in text and binary, also with dictionary columns. A schema is inferred from them, or
// refused. The second byte chooses which.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "fuzz/harness.h"
#include "tests/base/each_processor.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/filter.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/values.h"

namespace {

using xwalk::fuzz::require;
using namespace xwalk;

constexpr std::string_view kSchema =
    "<strict=%false>[{name=a;type_v3=int64};{name=b;type_v3={type_name=optional;item=utf8}};"
    "{name=c;type_v3={type_name=optional;item={type_name=list;item={type_name=struct;members=["
    "{name=x;type={type_name=optional;item=double}};{name=y;type={type_name=optional;item="
    "{type_name=optional;item=bool}}}]}}}};{name=d;type_v3={type_name=optional;item={type_name="
    "variant;elements=[{type=string};{type={type_name=dict;key=string;value=int8}}]}}};"
    "{name=e;type_v3={type_name=optional;item=yson}};{name=f;type_v3={type_name=optional;item="
    "timestamp}};{name=g;type_v3={type_name=optional;item={type_name=decimal;precision=20;"
    "scale=3}}};{name=h;type_v3={type_name=optional;item=uuid}};{name=i;type_v3={type_name="
    "optional;item=tz_date32}};{name=j;type_v3={type_name=optional;item={type_name=tuple;elements="
    "[{type=uint16};{type=null};{type=float}]}}}]";

/// Rows without nested values, which are decoded many at a time if they are contiguous in memory,
/// and one by one if they arrive in pieces.
constexpr std::string_view kFlatSchema =
    "[{name=a;type_v3=int64};{name=b;type_v3={type_name=optional;item=utf8}};{name=c;type_v3="
    "{type_name=optional;item=double}};{name=d;type_v3={type_name=optional;item=string}};{name=e;"
    "type_v3={type_name=optional;item=uint64}};{name=f;type_v3={type_name=optional;item=bool}};"
    "{name=g;type_v3={type_name=optional;item=int8}};{name=h;type_v3={type_name=optional;item="
    "uuid}}]";

class Source final : public ByteSource {
 public:
  Source(std::string_view bytes, size_t step) : bytes_(bytes), step_(step) {}
  size_t read(char* out, size_t size) override {
    size_t count = std::min({size, step_, bytes_.size() - position_});
    std::copy_n(bytes_.data() + position_, count, out);
    position_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  std::optional<std::string_view> contents() override {
    if (step_ == 0) return bytes_;
    return std::nullopt;
  }
  uint64_t position() const override { return position_; }

 private:
  std::string name_ = "fuzz";
  std::string_view bytes_;
  size_t step_;
  size_t position_ = 0;
};

struct Outcome {
  std::string rows;
  std::string rejected;
  bool failed = false;
};

const yt::TableSchema& table(bool flat) {
  static const yt::TableSchema kNested = yt::parse_table_schema(kSchema);
  static const yt::TableSchema kFlat = yt::parse_table_schema(kFlatSchema);
  return flat ? kFlat : kNested;
}

/// What is compiled of a table for one choice of modes, for all inputs that make it.
struct Codecs {
  yt::ReadOptions options;
  yt::RowDecoder decoder;
  yt::RowDecoder many;  ///< in large batches
  yt::RowEncoder binary;
  yt::RowEncoder text;

  Codecs(const yt::TableSchema& table, const yt::ReadOptions& read)
      : options(read),
        decoder(table, read),
        many(table, with_rows(read, 1000)),
        binary(table, with_format(read.values, yson::Format::Binary)),
        text(table, with_format(read.values, yson::Format::Text)) {}

  static yt::ReadOptions with_rows(yt::ReadOptions read, int64_t rows) {
    read.batch_rows = rows;
    return read;
  }
  static yt::ValueOptions with_format(yt::ValueOptions values, yson::Format format) {
    values.format = format;
    return values;
  }
};

/// Bytes of rows that are taken many at once.
constexpr size_t kOften = 1500;

/// The bits of the first byte that choose the table and modes.
constexpr size_t kModes = 64;

const Codecs& codecs(size_t modes) {
  static std::array<std::unique_ptr<const Codecs>, kModes> made;
  std::unique_ptr<const Codecs>& one = made[modes];
  if (one == nullptr) {
    yt::ReadOptions options;
    options.skip_bad_rows = true;
    options.batch_rows = 3;
    options.values.complex_type_mode =
        modes & 1 ? yt::ComplexTypeMode::Positional : yt::ComplexTypeMode::Named;
    options.values.string_keyed_dict_mode =
        modes & 2 ? yt::DictMode::Named : yt::DictMode::Positional;
    options.values.decimal_mode = modes & 4 ? yt::DecimalMode::Text : yt::DecimalMode::Binary;
    options.values.time_mode = modes & 8 ? yt::TimeMode::Text : yt::TimeMode::Binary;
    options.values.uuid_mode = modes & 16 ? yt::UuidMode::TextYt : yt::UuidMode::TextYql;
    const fuzz::Allowance any;
    one = std::make_unique<const Codecs>(table((modes & 32) != 0), options);
  }
  return *one;
}

/// Rows again, as often as a dictionary of few entries is worth it, in the plain layout or as
/// indices of the rows there were.
hub::Batch repeated(const hub::Batch& batch, const hub::Schema& schema,
                    const yt::RowEncoder& encoder, bool encoded) {
  constexpr int64_t kTimes = 3;
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < kTimes * batch.rows(); ++i) indices.push_back(i * 7 % batch.rows());
  hub::Batch out = hub::take_rows(batch, schema, indices);
  for (size_t i = 0; encoded && i < schema.fields.size(); ++i) {
    if (!encoder.takes_dictionary(i)) continue;
    hub::Array column = hub::start(out.rows());
    hub::Buffer numbers(out.rows() * 4);
    std::copy(indices.begin(), indices.end(), numbers.as<int32_t>());
    hub::attach(column, numbers);
    column.null_count = 0;
    column.dictionary = std::make_shared<hub::Array>(
        hub::slice(batch.array.children[i], batch.array.offset, batch.rows()));
    out.array.children[i] = std::move(column);
  }
  return out;
}

/// Requires the same bytes of rows whose columns are dictionaries as of the rows themselves.
void compare_dictionaries(const hub::Batch& batch, const hub::Schema& schema,
                          const yt::RowEncoder& encoder) {
  if (batch.rows() == 0) return;
  std::array<yson::Buffer, 2> bytes;
  for (const bool encoded : {false, true}) {
    const hub::Batch rows = repeated(batch, schema, encoder, encoded);
    encoder.encode(rows.array, 0, rows.rows(), 0, &bytes[encoded ? 1 : 0]);
  }
  require(bytes[0].view() == bytes[1].view());
}

Outcome read(std::string_view bytes, size_t step, const yt::RowDecoder& decoder,
             const yt::RowEncoder& encoder) {
  Outcome outcome;
  auto reader = yt::read_rows(std::make_unique<Source>(bytes, step), decoder);
  try {
    while (auto batch = reader->next()) {
      // Whether a position has a line or only a byte depends on how much of the stream was read by
      // then.
      for (const hub::BadRow& row : batch->bad) {
        outcome.rejected +=
            row.error.message() + "@" + std::to_string(row.error.place().row.value());
        outcome.rejected += row.error.place().path.text() + "\n";
      }
      std::vector<hub::BadRow> dropped;
      hub::Batch good = hub::drop_bad_rows(std::move(*batch), reader->schema(), &dropped);
      yson::Buffer out;
      encoder.encode(good.array, 0, good.rows(), 0, &out);
      outcome.rows += out.view();
      compare_dictionaries(good, reader->schema(), encoder);
    }
  } catch (const Error&) {
    outcome.failed = true;
  }
  return outcome;
}

}  // namespace

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  if (data.size() < 2) return;
  const Codecs& made = codecs(static_cast<uint8_t>(data[0]) % kModes);
  const auto second = static_cast<uint8_t>(data[1]);
  const size_t step = 1 + second % 64;
  const std::string bytes(data.substr(2));
  const size_t property = (second / 64 + bytes.size()) % 4;

  if (property == 3) {
    try {
      Source source(bytes, step);
      yt::TableSchema inferred = yt::infer_schema(source);
      yt::RowDecoder decoder(inferred, made.options);
    } catch (const Error&) {
    }
    return;
  }
  if (property == 0) {
    // Often enough that rows are taken many at once.
    std::string often = bytes;
    while (!bytes.empty() && often.size() < kOften) often += bytes;
    const Outcome pieces = read(often, step, made.decoder, made.binary);
    for_each_processor([&] {
      for (const yt::RowDecoder* decoder : {&made.decoder, &made.many}) {
        const Outcome whole = read(often, 0, *decoder, made.binary);
        require(whole.rows == pieces.rows);
        require(whole.rejected == pieces.rejected);
        require(whole.failed == pieces.failed);
      }
    });
    return;
  }
  const Outcome whole = read(bytes, 0, made.decoder, made.binary);
  // What was taken is taken again, whole, in either format.
  if (whole.rows.empty()) return;
  const bool text = property == 2;
  const Outcome again = read(whole.rows, 0, made.decoder, text ? made.text : made.binary);
  require(!again.failed && again.rejected.empty());
  if (!text) return require(again.rows == whole.rows);
  const Outcome back = read(again.rows, 0, made.decoder, made.binary);
  require(!back.failed && back.rejected.empty() && back.rows == whole.rows);
}
