// Any text as message text: what parses also prints and parses back as the same schema; and it
// survives the Thrift form, or is validated and explained, by the size of the text.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/parquet/explain.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/validate.h"

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  using namespace xwalk::parquet;
  const std::string text(data);
  Schema schema;
  try {
    const xwalk::fuzz::MemoryTotal total(text.size());
    schema = parse_message(text);
  } catch (const xwalk::Error&) {
    return;
  }
  std::string printed = print_message(schema);
  Schema again = parse_message(printed);
  require(same_meaning(again, schema));
  require(print_message(again) == printed);
  if (text.size() % 2 == 0) {
    // Column orders are in another part of the footer.
    std::string elements = write_schema_elements(schema);
    return require(write_schema_elements(read_schema_elements(elements)) == elements);
  }
  validate(schema);
  try {
    to_string(explain(schema));
  } catch (const xwalk::Error&) {
    // Not every schema has a meaning.
  }
}
