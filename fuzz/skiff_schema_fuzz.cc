// Any text as a skiff schema: what parses also prints and parses back, in every form.

#include <string_view>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/table.h"
#include "xwalk/skiff/validate.h"

void xwalk::fuzz::run(std::string_view data) {
  using namespace xwalk::skiff;
  const std::string text(data);
  Schema schema;
  try {
    schema = parse_schema(text);
  } catch (const xwalk::Error&) {
    return;
  }
  require(parse_schema(print(schema, SchemaForm::File)) == schema);
  require(parse_format(print(schema, SchemaForm::Format)) == schema.format);
  for (const Type& table : schema.format.tables) {
    require(parse_short(to_string(table)) == table);
    try {
      table_beyond_text(table_layout(table));
    } catch (const xwalk::Error&) {
      // Not every tree is a table.
    }
  }
}
