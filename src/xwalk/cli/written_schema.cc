#include "xwalk/cli/written_schema.h"

#include "xwalk/base/base64.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/json.h"
#include "xwalk/hub/module.h"

namespace xwalk::cli {

std::string written_schema(const crosswalk::AnySchema& schema, const std::string& form,
                           bool as_json, const std::string& summary) {
  std::string text = crosswalk::print_schema(schema, form);
  if (!as_json) return text;
  Json out;
  out["system"] = schema.system()->name;
  if (is_valid_utf8(text)) {
    out["schema"] = text;
  } else {
    out["schema_base64"] = to_base64(text);
  }
  if (!summary.empty()) out["summary"] = summary;
  return json_text(out) + "\n";
}

}  // namespace xwalk::cli
