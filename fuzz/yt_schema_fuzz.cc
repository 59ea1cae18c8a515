// Any text as a schema: what parses also prints and parses back in every form, validates without
// a crash, and goes through Arrow to the same schema.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/validate.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(data, data + size);
  xwalk::yt::TableSchema schema;
  try {
    schema = xwalk::yt::parse_table_schema(text);
  } catch (const xwalk::Error&) {
    return 0;
  }
  using xwalk::yt::SchemaForm;
  for (SchemaForm form : {SchemaForm::Yson, SchemaForm::YsonBinary}) {
    require(xwalk::yt::parse_table_schema(xwalk::yt::print(schema, form)) == schema);
  }
  if (!schema.columns.empty()) {
    std::string printed = xwalk::yt::print(schema, SchemaForm::Short);
    require(print(xwalk::yt::parse_table_schema(printed), SchemaForm::Short) == printed);
  }
  if (!xwalk::yt::validate(schema).empty()) return 0;
  require(xwalk::yt::from_arrow(xwalk::yt::to_arrow(schema)).schema == schema);
  return 0;
}
