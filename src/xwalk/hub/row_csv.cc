#include "xwalk/hub/row_csv.h"

#include <algorithm>
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

/// Appends a part of a field that is in quotes.
void append_quoted(std::string_view text, yson::Buffer* out, yson::BufferCount* count) {
  constexpr size_t kStep = size_t{1} << 16;
  for (size_t at = 0; at < text.size(); at += kStep) {
    const std::string_view part = text.substr(at, kStep);
    char* to = out->reserve(2 * part.size());
    for (const char c : part) {
      if (c == '"') *to++ = '"';
      *to++ = c;
    }
    out->set_end(to);
    count->much();
  }
}

}  // namespace

void append_csv_text(std::string_view text, yson::Buffer* out, yson::BufferCount* count) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out->append(text);
    return count->much();
  }
  out->append('"');
  append_quoted(text, out, count);
  out->append('"');
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

void CsvRows::append_header(yson::Buffer* out) const {
  Line line{out, yson::BufferCount(out), {}};
  for (size_t i = 0; i < schema_.fields.size(); ++i) {
    if (i > 0) out->append(',');
    append_cell(schema_.fields[i].name, &line);
  }
  out->append(kEnd);
}

void CsvRows::append(const Array& array, int64_t row, yson::Buffer* out,
                     std::vector<size_t>* found) const {
  Line line{out, yson::BufferCount(out), {}};
  for (size_t i = 0; i < schema_.fields.size(); ++i) {
    if (i > 0) out->append(',');
    if (array.is_null(row)) continue;
    append_value(i, array.children[i], array.slot(row), &line, found);
  }
  out->append(kEnd);
  line.count.all();
}

void CsvRows::append_cell(std::string_view text, Line* line) const {
  const size_t begin = text.find_first_not_of('\'');
  const bool escapes = formulas_ == CsvFormulas::Escape && begin != std::string_view::npos &&
                       is_formula(text.substr(begin));
  if (!escapes) return append_csv_text(text, line->out, &line->count);
  append_csv_text("'" + std::string(text), line->out, &line->count);
}

void CsvRows::append_value(size_t column, const Array& array, int64_t index, Line* line,
                           std::vector<size_t>* found) const {
  const Field& field = schema_.fields[column];
  if (field.type.kind() == Kind::Null || array.is_null(index)) return;
  bool is_plain = false;
  std::string_view text;
  if (is_text(field.type.kind())) {
    text = bytes_at(array, field.type, index);
    is_plain = is_valid_utf8(text);
  }
  if (!is_plain) {
    std::string& scratch = line->scratch;
    scratch.clear();
    // Long text of lists and structs is written before it is whole. It has commas or quotes.
    bool begun = false;
    append_json(field, array, index, &scratch, holds_yson_, [&](std::string* part) {
      if (!begun && part->starts_with('"')) return;  // one text, which needs no quotes of JSON
      if (!std::exchange(begun, true)) line->out->append('"');
      append_quoted(*part, line->out, &line->count);
      part->clear();
    });
    if (begun) {
      append_quoted(scratch, line->out, &line->count);
      return line->out->append('"');
    }
    if (scratch == "null") return;  // in a dictionary or a run
    // guard(allocate): The text of a value is memory of the batch.
    take_batch_memory(scratch.size());
    is_plain = scratch.starts_with('"');
    if (is_plain) {
      nlohmann::json parsed = nlohmann::json::parse(scratch);
      scratch = std::move(parsed.get_ref<std::string&>());
    }
    text = scratch;
  }
  // Other values of JSON than strings are numbers or constants.
  if (!may_be_formula_[column] || !is_plain) {
    return append_csv_text(text, line->out, &line->count);
  }
  if (is_formula(text)) {
    if (formulas_ == CsvFormulas::Reject) refuse_formula(field.name, text);
    if (found != nullptr) found->push_back(column);
  }
  append_cell(text, line);
}

}  // namespace xwalk::hub
