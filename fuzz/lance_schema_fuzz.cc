// Any bytes as a Lance schema, by the first of them: logical type, text, JSON, Protobuf, manifest
// or data file. What is read is validated, written and read back the same in every form; what Arrow
// holds goes there without a crash.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/file.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/schema.h"
#include "xwalk/lance/validate.h"

namespace {

namespace lance = xwalk::lance;

void require(bool condition) {
  if (!condition) std::abort();
}

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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string bytes(data + 1, data + size);
  lance::Schema schema;
  try {
    schema = read(data[0], bytes);
  } catch (const xwalk::Error&) {
    return 0;
  }
  // Only where every link holds does the flat list mean one tree.
  for (const auto& finding : lance::validate(schema)) {
    if (lance::is_violation(finding)) return 0;
  }
  require(lance::parse_text(lance::print_text(schema)) == schema);
  require(lance::read_json(lance::write_json(schema)) == schema);
  require(lance::read_protobuf(lance::write_protobuf(schema)) == schema);
  try {
    lance::from_arrow(lance::to_arrow(schema));
  } catch (const xwalk::Error&) {
  }
  return 0;
}
