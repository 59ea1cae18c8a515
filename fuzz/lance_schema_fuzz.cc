// Any bytes as a Lance schema, by the first of them: logical type, text, JSON, Protobuf, manifest
// or data file. What is read is validated, and written and read back the same in a form or given to
// Arrow without a crash; the first byte and the size say which.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/file.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/schema.h"
#include "xwalk/lance/validate.h"

namespace {

using xwalk::fuzz::require;
namespace lance = xwalk::lance;

lance::Schema read(uint8_t form, const std::string& bytes) {
  switch (form % 6) {
    case 0: {
      lance::LogicalType type = lance::parse_logical_type(bytes);
      std::string printed = lance::print_logical_type(type);
      require(lance::parse_logical_type(printed) == type);
      lance::beyond_specification(bytes);
      return {};
    }
    case 1:
      lance::validate(lance::parse_flat_text(bytes));
      return lance::parse_text(bytes);
    case 2:
      return lance::read_json(bytes);
    case 3:
      lance::validate(lance::read_flat_protobuf(bytes));
      return lance::read_protobuf(bytes);
    case 4:
      lance::read_evolution_state(bytes);
      return lance::read_manifest(bytes).schema;
    default:
      return lance::read_data_file(bytes).schema;
  }
}

}  // namespace

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  const std::string bytes(data.substr(1));
  const fuzz::Allowance reading(fuzz::kProtobufBytes);
  lance::Schema schema;
  try {
    const fuzz::MemoryTotal total(bytes.size());
    schema = read(choice, bytes);
  } catch (const xwalk::Error&) {
    return;
  }
  // The flat list means one tree only if every link is valid.
  for (const auto& finding : lance::validate(schema)) {
    if (xwalk::hub::is_violation(finding)) return;
  }
  switch ((choice / 6 + bytes.size()) % 4) {
    case 0:
      return require(lance::parse_text(lance::print_text(schema)) == schema);
    case 1:
      return require(lance::read_json(lance::write_json(schema)) == schema);
    case 2:
      return require(lance::read_protobuf(lance::write_protobuf(schema)) == schema);
    default:
      try {
        lance::from_arrow(lance::to_arrow(schema));
      } catch (const xwalk::Error&) {
      }
  }
}
