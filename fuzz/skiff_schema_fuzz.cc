// Any text as a skiff schema: what parses also prints and parses back, in every form.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/table.h"
#include "xwalk/skiff/validate.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xwalk::skiff;
  std::string text(data, data + size);
  Schema schema;
  try {
    schema = parse_schema(text);
  } catch (const xwalk::Error&) {
    return 0;
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
  return 0;
}
