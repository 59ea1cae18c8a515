#pragma once

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/json.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/hub/type.h"
#include "xwalk/yson/scan.h"

namespace xwalk::fuzz {

/// Prints every row of a struct array, which must be JSON and YSON.
inline void check_rows(const hub::Schema& schema, const hub::Array& rows) {
  const hub::Type type = hub::struct_(schema.fields);
  std::string json;
  yson::Buffer yson;
  for (int64_t i = 0; i < rows.length; ++i) {
    json.clear();
    hub::append_json_row(schema, rows, i, &json);
    require(is_valid_json(json), "a row is JSON", json);
    yson.clear();
    hub::append_yson(rows, type, i, &yson);
    const char* p = yson.view().data();
    require(yson::skip_value(p, p + yson.size()) == yson::Status::Ok, "a row is YSON", yson.view());
  }
}

}  // namespace xwalk::fuzz
