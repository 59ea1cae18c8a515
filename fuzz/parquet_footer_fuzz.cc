// Any bytes as FileMetaData: what is read is also written and read back, keeps what is unknown, and
// has a meaning, findings and an explanation, or a refusal.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/random_access.h"
#include "xwalk/parquet/explain.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/validate.h"
#include "xwalk/parquet/values.h"

namespace {

using xwalk::fuzz::require;
using namespace xwalk;

void give_meaning(const parquet::Schema& schema) {
  parquet::validate(schema);
  try {
    hub::Schema arrow = parquet::to_arrow(schema);
    parquet::to_string(parquet::explain(schema));
    hub::lower_and_map(arrow, parquet::kCapabilities, parquet::from_arrow);
    parquet::plan_write(schema);
  } catch (const Error&) {
    // Not every schema has a meaning.
  }
}

}  // namespace

void xwalk::fuzz::run(std::string_view data) {
  const std::string bytes(data);
  try {
    // The same bytes as a whole file, whose own length and magic are judged.
    parquet::read_footer(*memory_access(bytes, "input"));
  } catch (const Error&) {
    // Few inputs are files.
  }
  parquet::Footer footer;
  try {
    const fuzz::MemoryTotal total(bytes.size());
    footer = parquet::parse_footer(bytes);
  } catch (const Error&) {
    return;
  }
  give_meaning(footer.schema);
  std::string written = parquet::write_schema_elements(footer.schema);
  parquet::Schema again = parquet::read_schema_elements(written);
  require(parquet::write_schema_elements(again) == written);
  try {
    parquet::Footer replaced =
        parquet::parse_footer(parquet::replace_schema(bytes, footer.schema, {{"a", "b"}}));
    // Fields that are unknown come back in the order of their ids.
    require(parquet::write_schema_elements(replaced.schema) == written);
    require(replaced.rows == footer.rows);
    require(replaced.find("a") == "b");
  } catch (const Error&) {
    require(false);
  }
  try {
    parquet::parse_footer(parquet::physical_footer(bytes));
  } catch (const Error&) {
    // Row groups are looked into here, and may be malformed.
  }
}
