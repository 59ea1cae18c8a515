// For any bytes, each line is a row or is refused, never worse. Lines one by one give the same rows
// as all at once. Accepted rows are written and read back the same, in each form of JSON. Columns
// without a schema become YSON that another reader accepts. A line that the single pass accepts
// gives the same result as the careful way. The first byte chooses.

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/json_rows.h"

namespace {

using xwalk::fuzz::require;
using namespace xwalk;

constexpr std::string_view kSchema =
    "<strict=%false>[{name=a;type_v3={type_name=optional;item=int64}};{name=b;type_v3={type_name="
    "optional;item=utf8}};{name=c;type_v3={type_name=optional;item={type_name=list;item={type_name="
    "struct;members=[{name=x;type={type_name=optional;item=double}};{name=y;type={type_name="
    "optional"
    ";item={type_name=optional;item=bool}}}]}}}};{name=d;type_v3={type_name=optional;item={type_"
    "name="
    "variant;elements=[{type=string};{type={type_name=dict;key=string;value=uint8}}]}}};{name=e;"
    "type_v3={type_name=optional;item=yson}};{name=f;type_v3={type_name=optional;item=timestamp}};"
    "{name=g;type_v3={type_name=optional;item={type_name=decimal;precision=20;scale=3}}};{name=h;"
    "type_v3={type_name=optional;item=uint64}}]";

struct Outcome {
  std::string rows;
  int64_t count = 0;
};

std::string padded(std::string_view lines) {
  std::string out(lines);
  out.reserve(lines.size() + yt::JsonTranscoder::kPadding);
  return out;
}

/// What is compiled for one form of JSON.
struct Codecs {
  yt::ReadOptions options;
  yt::JsonRowDecoder decoder;
  yt::JsonRowEncoder encoder;
  yt::JsonTranscoder typed;
  yt::JsonTranscoder untyped;

  Codecs(const yt::TableSchema& table, const yt::ReadOptions& read)
      : options(read),
        decoder(table, read),
        encoder(table, read.values),
        typed(&table, read.values),
        untyped(nullptr, read.values) {}
};

/// The bits of the first byte that choose a form, and the one that selects lines without a schema.
constexpr size_t kForms = 64;
constexpr uint8_t kUntyped = 64;

const Codecs& codecs(size_t form) {
  static const yt::TableSchema kTable = yt::parse_table_schema(kSchema);
  static std::array<std::unique_ptr<const Codecs>, kForms> made;
  std::unique_ptr<const Codecs>& one = made[form];
  if (one == nullptr) {
    yt::ReadOptions options;
    options.skip_bad_rows = true;
    options.values.json.living = form & 1;
    options.values.json.encode_utf8 = form & 2;
    options.values.json.stringify = form & 4;
    options.values.json.annotate_with_types = form & 8;
    options.values.json.not_finite = form & 16   ? yt::NotFinite::Quoted
                                     : form & 32 ? yt::NotFinite::Unquoted
                                                 : yt::NotFinite::Refuse;
    options.values = yt::json_values(options.values);
    const fuzz::Allowance any;
    one = std::make_unique<const Codecs>(kTable, options);
  }
  return *one;
}

/// Reads lines and writes them again, those aside that are refused on either way.
Outcome pass(const yt::JsonRowEncoder& encoder, yt::JsonRowDecoder& decoder,
             std::string_view lines) {
  Outcome outcome;
  const std::string text = padded(lines);
  hub::Batch batch = decoder.decode(text, 0, {});
  hub::Batch good = hub::drop_bad_rows(std::move(batch), decoder.schema(), nullptr);
  yson::Buffer out;
  const auto refused = encoder.encode(good, &out);
  outcome.count = good.rows() - static_cast<int64_t>(refused.size());
  outcome.rows = out.view();
  return outcome;
}

void check_typed(const Codecs& made, std::string_view lines) {
  // State that one input left in a decoder must not change the result of the next.
  yt::JsonRowDecoder decoder = made.decoder;
  try {
    const Outcome whole = pass(made.encoder, decoder, lines);
    const Outcome again = pass(made.encoder, decoder, whole.rows);
    require(again.count == whole.count);
    require(again.rows == whole.rows);
  } catch (const Error&) {
    // A control entity that tells what none can.
  }
}

/// Takes lines one by one, by either way.
void check_lines(const yt::JsonTranscoder& made, std::string_view lines) {
  const std::string text = padded(lines);
  yt::JsonTranscoder quick = made;
  yt::JsonTranscoder careful = made;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    yson::Buffer out;
    yson::Buffer same;
    const bool taken = quick.row(line, &out);
    require(careful.careful_row(line, &same) == taken);
    require(out.view() == same.view());
    if (taken) {
      (void)yson::parse_list_fragment(out.view());
      continue;
    }
    require(out.empty() && !quick.fault().message.empty());
    require(quick.fault().message == careful.fault().message);
    require(quick.fault().offset == careful.fault().offset);
    require(quick.fault().offset <= line.size());
  }
}

}  // namespace

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  const Codecs& made = codecs(choice % kForms);
  data.remove_prefix(1);
  if ((choice & kUntyped) != 0) {
    check_lines(made.untyped, data);
  } else {
    check_lines(made.typed, data);
    check_typed(made, data);
  }
}
