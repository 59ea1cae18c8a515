// Rows that were left out, with hostile bytes, reasons and places: the file of them is one list of
// maps in every format, and gives back what a row was.

#include <array>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/places/rejects.h"
#include "xwalk/yson/parse.h"

namespace xwalk::fuzz {
namespace {

/// Whether the bytes are one YSON map.
bool is_map(const std::string& bytes, yson::Node* out) {
  try {
    *out = yson::parse(bytes);
    return out->is(yson::Node::Kind::Map) && !out->has_attributes();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const yson::Format format =
      std::array{yson::Format::Text, yson::Format::Binary, yson::Format::Pretty}[choices.below(3)];
  Place place;
  if (choices.below(2) == 0) place.row = choices.word();
  if (choices.below(2) == 0) place.byte = choices.word();
  if (choices.below(2) == 0) place.table = choices.byte();
  place.file = choices.text();
  if (choices.below(2) == 0) place.path = Path::column(choices.text()).item(2);
  const std::string reason(choices.text());
  hub::BadRow row{0, Error(ErrorCode::Input, reason, place), std::string(choices.rest())};
  std::string written;
  io::RejectWriter writer(io::memory_sink(&written), format);
  writer.add(row);
  writer.add(row);
  writer.finish();
  const std::vector<yson::Node> rows = yson::parse_list_fragment(written);
  require(rows.size() == 2 && rows[0] == rows[1], "each row is there", written);
  const yson::Node* told = rows[0].find("reason");
  require(told != nullptr && told->as_string() == shown_text(reason), "the reason is there",
          written);
  if (row.source_bytes.empty()) return;
  yson::Node map;
  const bool is_one = is_map(row.source_bytes, &map);
  const yson::Node* kept = rows[0].find(is_one ? "value" : "source");
  require(kept != nullptr, "the row is there", written);
  require(is_one ? *kept == map : kept->as_string() == row.source_bytes, "the row is as it was",
          written);
}

}  // namespace xwalk::fuzz
