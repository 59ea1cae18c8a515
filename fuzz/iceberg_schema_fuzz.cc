// Any bytes as an Iceberg schema: JSON, the text of a type, or changes of a table. A schema that is
// read is validated, and written and read back the same, compared with itself, printed, or
// converted to Arrow and back. The first byte and the size choose which.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/iceberg/compatibility.h"
#include "xwalk/iceberg/evolution.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/json.h"
#include "xwalk/iceberg/text.h"
#include "xwalk/iceberg/validate.h"

namespace {

using xwalk::fuzz::require;
namespace iceberg = xwalk::iceberg;

bool is_valid(const iceberg::Schema& schema) {
  for (const auto& finding : iceberg::validate(schema)) {
    if (xwalk::hub::is_violation(finding)) return false;
  }
  return true;
}

iceberg::Schema of_words(const std::string& bytes) {
  iceberg::Schema schema;
  schema.fields.push_back({.name = "a", .type = iceberg::parse_type_text(bytes)});
  require(iceberg::parse_type_text(iceberg::print_type_text(schema.fields[0].type)).kind ==
          schema.fields[0].type.kind);
  iceberg::assign_ids(&schema);
  return schema;
}

/// A table of some columns, and a change a line: refused or taken, one by one as all at once.
iceberg::Schema of_changes(const std::string& bytes) {
  static const iceberg::Schema table = [] {
    iceberg::Schema made;
    made.fields = iceberg::parse_type_text(
                      "struct<a: struct<b: int, c: map<int, struct<d: float>>>, k: required long, "
                      "l: list<int>, p: decimal(9, 2), t: date>")
                      .children;
    for (iceberg::Field& field : made.fields) field.id = 0;
    iceberg::assign_ids(&made);
    made.identifier_field_ids = {made.fields[1].id};
    return made;
  }();
  iceberg::Schema out = table;
  std::vector<iceberg::Change> taken;
  size_t lines = 0;
  for (size_t at = 0; at < bytes.size() && lines < 8; ++lines) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string line = bytes.substr(at, end - at);
    const size_t space = std::min(line.find(' '), line.size());
    const iceberg::Change change{line.substr(0, space),
                                 line.substr(std::min(space + 1, line.size()))};
    try {
      iceberg::Schema next = iceberg::evolve(out, {change});
      require(is_valid(next));
      require(next.last_column_id == 0 || next.last_column_id >= iceberg::last_id(out));
      out = std::move(next);
      taken.push_back(change);
    } catch (const xwalk::Error& error) {
      xwalk::fuzz::require_refusal(error);
    }
    at = end + 1;
  }
  const iceberg::Schema all = iceberg::evolve(table, taken);
  require(all == out && all.last_column_id == out.last_column_id);
  return out;
}

}  // namespace

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  const std::string bytes(data.substr(1));
  iceberg::Schema schema;
  try {
    const fuzz::MemoryTotal total(bytes.size());
    schema = choice % 3 == 0   ? iceberg::read_json(bytes)
             : choice % 3 == 1 ? of_words(bytes)
                               : of_changes(bytes);
  } catch (const xwalk::Error&) {
    return;
  }
  if (!is_valid(schema)) return;
  switch ((choice / 3 + bytes.size()) % 3) {
    case 0:
      return require(iceberg::read_json(iceberg::write_json(schema)) == schema);
    case 1:
      (void)iceberg::print_table(schema);
      return require(iceberg::incompatibilities(schema, schema).empty());
    default:
      try {
        require(iceberg::from_arrow(iceberg::to_arrow(schema)).schema == schema);
      } catch (const xwalk::Error&) {
      }
  }
}
