#include "xwalk/cli/reader_matrix.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/json_text.h"
#include "xwalk/crosswalk/markup.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/room.h"
#include "xwalk/parquet/room.h"

namespace xwalk::cli {
namespace {

using crosswalk::Reader;

/// Types that the examples of the kinds do not show.
constexpr std::array<std::string_view, 6> kMore = {
    "required binary v (DECIMAL(38,5));",
    "required binary v (DECIMAL(40,5));",
    "required int64 v (TIMESTAMP(MICROS,true));",
    "required int64 v (TIMESTAMP(NANOS,false));",
    "optional group v (LIST) { repeated group list { optional int64 element; } }",
    "optional group v (MAP) { repeated group key_value { required binary key (STRING); optional "
    "int64 value; } }"};

ReaderLine line_of(std::string_view words) {
  const crosswalk::AnySchema schema = crosswalk::parse_type(parquet::kRoom, words);
  ReaderLine line{std::string(words), {}};
  line.remarks.resize(crosswalk::known_readers().size());
  const crosswalk::Plan plan = crosswalk::plan(schema, parquet::kRoom);
  for (const crosswalk::ReaderRemark& found : crosswalk::misreadings(schema, plan)) {
    // What is told of a part of the type belongs to that part's own line.
    if (found.path.size() != 1) continue;
    const auto reader = std::ranges::find(crosswalk::known_readers(), found.reader, &Reader::name);
    std::string& remark =
        line.remarks[static_cast<size_t>(reader - crosswalk::known_readers().begin())];
    remark += (remark.empty() ? "" : "; ") + found.remark;
  }
  return line;
}

std::string name_of(const Reader& reader) {
  return fmt::format("{} {}", reader.name, reader.version);
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<ReaderLine> reader_matrix() {
  std::vector<ReaderLine> lines;
  for (const std::string_view words : parquet::kRoom.kinds()) lines.push_back(line_of(words));
  for (const std::string_view words : kMore) lines.push_back(line_of(words));
  return lines;
}

std::string matrix_text(const std::vector<ReaderLine>& lines) {
  std::string out;
  for (const ReaderLine& line : lines) {
    out += line.type + "\n";
    for (size_t i = 0; i < line.remarks.size(); ++i) {
      if (line.remarks[i].empty()) continue;
      out += fmt::format("    {}: {}\n", name_of(crosswalk::known_readers()[i]), line.remarks[i]);
    }
  }
  return out;
}

std::string matrix_markdown(const std::vector<ReaderLine>& lines) {
  std::string out =
      "# Who misreads what\n\n"
      "Printed by `xwalk types --readers --output markdown`: what programs make of a column of a "
      "Parquet file by its type, measured on the versions named here and held to them by a test. "
      "An empty cell: it is read as it is meant. `upload_parquet` is that of ytsaurus-yson, which "
      "makes a table of YTsaurus; what it is said to make is that table's type. Shapes that are "
      "read wrongly (older lists and maps, annotations of the older kind) are told of one file by "
      "`xwalk check FILE --readers`.\n\n| type |";
  std::string rule = "|---|";
  for (const Reader& reader : crosswalk::known_readers()) {
    out += fmt::format(" {} |", name_of(reader));
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const ReaderLine& line : lines) {
    out += fmt::format("| `{}` |", markdown_cell(line.type));
    for (const std::string& remark : line.remarks)
      out += fmt::format(" {} |", markdown_cell(remark));
    out += '\n';
  }
  return out;
}

std::string matrix_json(const std::vector<ReaderLine>& lines) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const ReaderLine& line : lines) {
    nlohmann::ordered_json readers = nlohmann::ordered_json::array();
    for (size_t i = 0; i < line.remarks.size(); ++i) {
      const Reader& reader = crosswalk::known_readers()[i];
      readers.push_back(
          {{"reader", reader.name}, {"version", reader.version}, {"remark", line.remarks[i]}});
    }
    out.push_back({{"type", line.type}, {"readers", std::move(readers)}});
  }
  return json_text(out) + "\n";
}

std::string matrix_html(const std::vector<ReaderLine>& lines) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<title>xwalk: who misreads what</title>\n<h1>Who misreads what</h1>\n"
      "<p>An empty cell: it is read as it is meant.</p>\n<table>\n<tr><th>type</th>";
  for (const Reader& reader : crosswalk::known_readers()) {
    out += fmt::format("<th>{}</th>", crosswalk::escape_markup(name_of(reader)));
  }
  out += "</tr>\n";
  for (const ReaderLine& line : lines) {
    out += fmt::format("<tr><td><code>{}</code></td>", crosswalk::escape_markup(line.type));
    for (const std::string& remark : line.remarks) {
      out += fmt::format("<td>{}</td>", crosswalk::escape_markup(remark));
    }
    out += "</tr>\n";
  }
  return out + "</table>\n</html>\n";
}

}  // namespace xwalk::cli
