// Whatever the bytes: each line is a row or is refused, never worse; lines taken one by one give
// the same rows as all at once; what was taken is written and taken again as the same, in each form
// of JSON; and what no schema tells makes YSON that another reader takes.

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

/// Reads lines and writes them again, those aside that are refused on either way.
Outcome pass(const yt::TableSchema& table, yt::JsonRowDecoder& decoder, std::string_view lines,
             const yt::ValueOptions& values) {
  Outcome outcome;
  const std::string text = padded(lines);
  hub::Batch batch = decoder.decode(text, 0, {});
  hub::Batch good = hub::drop_bad_rows(std::move(batch), decoder.schema(), nullptr);
  yson::Buffer out;
  const auto refused = yt::JsonRowEncoder(table, values).encode(good, &out);
  outcome.count = good.rows() - static_cast<int64_t>(refused.size());
  outcome.rows = out.view();
  return outcome;
}

}  // namespace

void xwalk::fuzz::run(std::string_view data) {
  static const yt::TableSchema kTable = yt::parse_table_schema(kSchema);
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  data.remove_prefix(1);
  yt::ReadOptions options;
  options.skip_bad_rows = true;
  options.values.json.living = choice & 1;
  options.values.json.encode_utf8 = choice & 2;
  options.values.json.stringify = choice & 4;
  options.values.json.annotate_with_types = choice & 8;
  options.values.json.not_finite = choice & 16   ? yt::NotFinite::Quoted
                                   : choice & 32 ? yt::NotFinite::Unquoted
                                                 : yt::NotFinite::Refuse;
  options.values = yt::json_values(options.values);
  yt::JsonRowDecoder decoder(kTable, options);
  try {
    const Outcome whole = pass(kTable, decoder, data, options.values);
    const Outcome again = pass(kTable, decoder, whole.rows, options.values);
    require(again.count == whole.count);
    require(again.rows == whole.rows);
  } catch (const Error&) {
    // A control entity that tells what none can.
  }

  const std::string text = padded(data);
  yt::JsonTranscoder untyped(nullptr, options.values);
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    yson::Buffer out;
    if (!untyped.row(line, &out)) {
      require(out.empty() && !untyped.fault().message.empty());
      require(untyped.fault().offset <= line.size());
      continue;
    }
    (void)yson::parse_list_fragment(out.view());
  }
}
