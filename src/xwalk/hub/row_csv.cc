#include "xwalk/hub/row_csv.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::hub {
namespace {

/// Lines end as those of programs do; RFC 4180 has a carriage return before, which no reader asks.
constexpr char kEnd = '\n';

bool is_text(Kind kind) {
  return kind == Kind::Utf8 || kind == Kind::LargeUtf8 || kind == Kind::Utf8View;
}

bool is_bytes(Kind kind) {
  return kind == Kind::Binary || kind == Kind::LargeBinary || kind == Kind::BinaryView;
}

[[noreturn]] void refuse_formula(const std::string& column, std::string_view text) {
  throw Error(ErrorCode::Input,
              fmt::format("expected text that no spreadsheet runs as a formula, found {}",
                          xwalk::quoted(text)),
              {.path = Path::column(column)});
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

bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool may_be_formula(const Field& field) {
  const Type& type = without_encoding(field.type);
  return is_text(type.kind()) || is_bytes(type.kind()) ||
         (type.kind() == Kind::FixedSizeBinary && field.extension_name() != kUuidExtension);
}

CsvRows::CsvRows(const Schema& schema, CsvFormulas formulas, HoldsYson holds_yson)
    : schema_(schema), formulas_(formulas), holds_yson_(holds_yson) {
  may_be_formula_.reserve(schema.fields.size());
  for (const Field& field : schema.fields) may_be_formula_.push_back(may_be_formula(field));
}

void CsvRows::append_header(std::string* out) const {
  for (size_t i = 0; i < schema_.fields.size(); ++i) {
    if (i > 0) *out += ',';
    append_cell(schema_.fields[i].name, out);
  }
  *out += kEnd;
}

void CsvRows::append(const Array& array, int64_t row, std::string* out,
                     std::vector<size_t>* found) const {
  std::string scratch;
  for (size_t i = 0; i < schema_.fields.size(); ++i) {
    if (i > 0) *out += ',';
    if (array.is_null(row)) continue;
    append_value(i, array.children[i], array.slot(row), &scratch, out, found);
  }
  *out += kEnd;
}

void CsvRows::append_cell(std::string_view text, std::string* out) const {
  const size_t begin = text.find_first_not_of('\'');
  const bool escapes = formulas_ == CsvFormulas::Escape && begin != std::string_view::npos &&
                       is_formula(text.substr(begin));
  if (!escapes) return append_csv_text(text, out);
  append_csv_text("'" + std::string(text), out);
}

void CsvRows::append_value(size_t column, const Array& array, int64_t index, std::string* scratch,
                           std::string* out, std::vector<size_t>* found) const {
  const Field& field = schema_.fields[column];
  if (field.type.kind() == Kind::Null || array.is_null(index)) return;
  bool is_plain = false;
  std::string_view text;
  if (is_text(field.type.kind())) {
    text = bytes_at(array, field.type, index);
    is_plain = is_valid_utf8(text);
  }
  if (!is_plain) {
    scratch->clear();
    append_json(field, array, index, scratch, holds_yson_);
    if (*scratch == "null") return;  // in a dictionary or a run
    is_plain = scratch->starts_with('"');
    if (is_plain) *scratch = nlohmann::json::parse(*scratch).get<std::string>();
    text = *scratch;
  }
  // Other values of JSON than strings are numbers or constants.
  if (!may_be_formula_[column] || !is_plain) return append_csv_text(text, out);
  if (is_formula(text)) {
    if (formulas_ == CsvFormulas::Reject) refuse_formula(field.name, text);
    if (found != nullptr) found->push_back(column);
  }
  append_cell(text, out);
}

}  // namespace xwalk::hub
