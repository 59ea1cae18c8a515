#include "xwalk/hub/row_csv.h"

#include <nlohmann/json.hpp>

#include "xwalk/base/text.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::hub {
namespace {

/// Lines end as those of programs do; RFC 4180 has a carriage return before, which no reader asks.
constexpr char kEnd = '\n';

bool is_text(Kind kind) {
  return kind == Kind::Utf8 || kind == Kind::LargeUtf8 || kind == Kind::Utf8View;
}

void append_value(const Field& field, const Array& array, int64_t index, std::string* scratch,
                  std::string* out) {
  const Type& type = field.type;
  if (type.kind() == Kind::Null || array.is_null(index)) return;
  if (is_text(type.kind())) {
    const std::string_view text = bytes_at(array, type, index);
    if (is_valid_utf8(text)) return append_csv_text(text, out);
  }
  scratch->clear();
  append_json(field, array, index, scratch);
  if (*scratch == "null") return;  // behind a dictionary or a run
  if (scratch->starts_with('"')) {
    *scratch = nlohmann::json::parse(*scratch).get<std::string>();
  }
  append_csv_text(*scratch, out);
}

}  // namespace

void append_csv_text(std::string_view text, std::string* out) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    *out += text;
    return;
  }
  *out += '"';
  for (const char c : text) {
    if (c == '"') *out += '"';
    *out += c;
  }
  *out += '"';
}

void append_csv_header(const Schema& schema, std::string* out) {
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (i > 0) *out += ',';
    append_csv_text(schema.fields[i].name, out);
  }
  *out += kEnd;
}

void append_csv_row(const Schema& schema, const Array& array, int64_t row, std::string* out) {
  std::string scratch;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (i > 0) *out += ',';
    if (array.is_null(row)) continue;
    append_value(schema.fields[i], array.children[i], array.slot(row), &scratch, out);
  }
  *out += kEnd;
}

}  // namespace xwalk::hub
