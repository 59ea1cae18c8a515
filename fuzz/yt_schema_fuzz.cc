// Any text as a schema: what parses also prints and parses back in a form, or validates without a
// crash and goes through Arrow to the same schema; the size of the text says which.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/validate.h"

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  const std::string text(data);
  xwalk::yt::TableSchema schema;
  try {
    const xwalk::fuzz::MemoryTotal total(text.size());
    schema = xwalk::yt::parse_table_schema(text);
  } catch (const xwalk::Error&) {
    return;
  }
  // What a row spec beside the schema says otherwise is no part of the schema.
  schema.row_spec_differences.clear();
  using xwalk::yt::SchemaForm;
  switch (text.size() % 4) {
    case 0:
    case 1: {
      const SchemaForm form = text.size() % 2 == 0 ? SchemaForm::Yson : SchemaForm::YsonBinary;
      return require(xwalk::yt::parse_table_schema(xwalk::yt::print(schema, form)) == schema);
    }
    case 2: {
      if (schema.columns.empty()) return;
      const std::string printed = xwalk::yt::print(schema, SchemaForm::Short);
      return require(print(xwalk::yt::parse_table_schema(printed), SchemaForm::Short) == printed);
    }
    default:
      break;
  }
  if (!xwalk::yt::validate(schema).empty()) return;
  require(xwalk::yt::from_arrow(xwalk::yt::to_arrow(schema)).schema == schema);
  // A row spec cannot express all of a schema, but it restores the part that it expresses.
  const std::string spec = xwalk::yt::print(schema, SchemaForm::RowSpec);
  require(xwalk::yt::print(xwalk::yt::parse_table_schema(spec), SchemaForm::RowSpec) == spec,
          "a row spec is read as it is written", spec);
}
