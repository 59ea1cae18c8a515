#include "xwalk/cli/reader_matrix.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/cli/json.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/report/markup.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;

/// A type that the examples of the kinds do not show.
struct MoreType {
  System system;
  std::string_view type_name;
};

constexpr MoreType kMore[] = {
    {parquet::kModule, "required binary v (DECIMAL(38,5));"},
    {parquet::kModule, "required binary v (DECIMAL(9,2));"},
    {parquet::kModule, "required binary v (DECIMAL(40,5));"},
    {parquet::kModule, "required fixed_len_byte_array(20) v (DECIMAL(38,5));"},
    {parquet::kModule, "optional binary v (GEOMETRY(EPSG:4326));"},
    {parquet::kModule,
     "optional group v (VARIANT(1)) { required binary metadata; optional binary value; }"},
    {parquet::kModule, "required int64 v (TIMESTAMP(MICROS,true));"},
    {parquet::kModule, "required int64 v (TIMESTAMP(NANOS,false));"},
    {parquet::kModule,
     "optional group v (LIST) { repeated group list { optional int64 element; } }"},
    {parquet::kModule,
     "optional group v (MAP) { repeated group key_value { required binary key (STRING); optional "
     "int64 value; } }"},
    {parquet::kModule,
     "optional group v (VARIANT) { required binary metadata; optional binary value; optional int64 "
     "typed_value; }"},
    {lance::kModule, "decimal:128:38:4"},
    {lance::kModule, "timestamp:ns:-"},
    {vortex::kModule, "decimal(38,4)"},
    {vortex::kModule, "vortex.date[ms](i64)"},
    {vortex::kModule, "vortex.time[s](i32)"},
    {vortex::kModule, "vortex.time[ms](i32)"},
    {vortex::kModule, "vortex.time[ns](i64)"},
    {vortex::kModule, "vortex.timestamp[ms](i64)"},
    {vortex::kModule, "vortex.timestamp[ns, tz=UTC](i64)"},
    {vortex::kModule, "vortex.timestamp[us, tz=Europe/Berlin](i64)"},
    {yt::kModule, "Decimal(38,10)"},
    {yt::kModule, "Optional<List<Int64>>"},
    {yt::kModule, "List<Decimal(9,2)>"},
    {yt::kModule, "Tagged<List<Int64>,'tag'>"},
    {yt::kModule, "Variant<Int64,Double>"},
};

/// What readers read, for a heading.
std::string_view title_of(System system) {
  if (system == parquet::kModule) return "Parquet files";
  if (system == lance::kModule) return "Lance datasets";
  if (system == vortex::kModule) return "Vortex files";
  return "Tables of YTsaurus";
}

/// Information that is not in the table.
std::string_view note_of(System system) {
  if (system == parquet::kModule) {
    return "`upload_parquet` of ytsaurus-yson and `attach_table` make a table of YTsaurus; this "
           "table shows its types. For `attach_table`, the step from Parquet to Arrow was run with "
           "Arrow 20, the version in YTsaurus. The next step was read in "
           "`yt/yt/client/arrow/schema.cpp` of ytsaurus-cpp-sdk. `pyiceberg` shows the type in a "
           "table that takes the file by `add_files`. arro3 0.9 and parquet-wasm 0.8 (2026-11-30) "
           "read as DataFusion, which has the same library, except that they keep UUIDs. Only "
           "`xwalk check` reports structures that are read wrongly (older lists and maps, older "
           "annotations).";
  }
  if (system == lance::kModule) {
    return "Polars and DuckDB read the dataset that pylance gives them; DuckDB's extension reads "
           "it directly. lancedb 0.40 opens each of these types as pylance does (2026-11-30). "
           "DataFusion 55 (2026-11-22) reads none: its `register_dataset` calls "
           "pylance "
           "14 in a way that it does not have, and the table provider of pylance is for DataFusion "
           "54. Spark's connector for Lance was not to be had.";
  }
  if (system == vortex::kModule) {
    return "Polars and DuckDB read the dataset that vortex-data gives them; DuckDB's extension "
           "reads the file directly. No tool writes files with a union or an unknown extension: "
           "for those the table shows the types that vortex-data reports. DataFusion 55 "
           "(2026-11-22) reads none: it cannot scan vortex-data's dataset.";
  }
  return "`ytsaurus-client` shows rows of YSON in Python. SPYT (on Spark 4.2) shows how its own "
         "classes read a table's schema and write it back. Its jobs, which read values, need a "
         "cluster and were not run. CHYT was read in "
         "`yt/chyt/server/yt_to_ch_column_converter.cpp` of ytsaurus. ClickHouse's table function "
         "`ytsaurus` was run with a proxy of the tests, which answers as YTsaurus does. "
         "`ytsaurus-client-java` shows the Skiff format that the Java client makes for a table; it "
         "reads rows as YSON as well.";
}

ReaderLine line_of(System system, std::string_view type_name) {
  const crosswalk::AnySchema schema = crosswalk::parse_type(system, type_name);
  const std::span<const crosswalk::Reader> readers = crosswalk::readers_of(system);
  ReaderLine line{std::string(type_name), std::vector<std::string>(readers.size())};
  const crosswalk::Plan plan = crosswalk::plan(schema, system);
  for (const crosswalk::ReaderRemark& found : crosswalk::misreadings(schema, plan).remarks) {
    // Findings about a nested part are in that part's own line.
    if (found.path.size() != 1) continue;
    const auto reader = std::ranges::find(readers, found.reader, &crosswalk::Reader::name);
    std::string& remark = line.remarks[static_cast<size_t>(reader - readers.begin())];
    remark += (remark.empty() ? "" : "; ") + found.remark;
  }
  return line;
}

std::string escape_pipes(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// Returns whether some reader reads the type as something else.
bool has_remark(const ReaderLine& line) {
  return !std::ranges::all_of(line.remarks, &std::string::empty);
}

}  // namespace

std::vector<ReaderMatrix> reader_matrices() {
  std::vector<ReaderMatrix> matrices;
  for (const crosswalk::Reader& reader : crosswalk::known_readers()) {
    if (!matrices.empty() && matrices.back().system == reader.system) continue;
    ReaderMatrix& matrix = matrices.emplace_back(ReaderMatrix{reader.system, {}});
    for (const std::string_view type_name : reader.system->kinds()) {
      matrix.lines.push_back(line_of(reader.system, type_name));
    }
    for (const MoreType& more : kMore) {
      if (more.system == reader.system)
        matrix.lines.push_back(line_of(more.system, more.type_name));
    }
  }
  return matrices;
}

std::string matrix_text(const std::vector<ReaderMatrix>& matrices) {
  std::string out;
  for (const ReaderMatrix& matrix : matrices) {
    const std::span<const crosswalk::Reader> readers = crosswalk::readers_of(matrix.system);
    out += fmt::format("{}{}\n", out.empty() ? "" : "\n", title_of(matrix.system));
    for (const ReaderLine& line : matrix.lines) {
      out += fmt::format("  {}\n", line.type);
      for (size_t i = 0; i < readers.size(); ++i) {
        if (line.remarks[i].empty()) continue;
        out += fmt::format("      {}: {}\n", crosswalk::title_of(readers[i]), line.remarks[i]);
      }
    }
  }
  return out;
}

std::string matrix_markdown(const std::vector<ReaderMatrix>& matrices) {
  std::string out =
      "# How other tools read each type\n\n"
      "How other programs read columns of each type, printed by "
      "`xwalk types --readers --output markdown`. An empty cell means that the type is read "
      "correctly. Types that every program reads correctly have no row. A test runs the versions "
      "named here. Versions with a date need an environment of "
      "their own (`make readers`) and were last run on that day. Programs that need a cluster were "
      "read and not run; their version is the commit that was read. For one file or table, use "
      "`xwalk check FILE --readers`.\n";
  for (const ReaderMatrix& matrix : matrices) {
    const std::span<const crosswalk::Reader> readers = crosswalk::readers_of(matrix.system);
    out +=
        fmt::format("\n## {}\n\n{}\n\n| type |", title_of(matrix.system), note_of(matrix.system));
    std::string rule = "|---|";
    for (const crosswalk::Reader& reader : readers) {
      out += fmt::format(" {}{} |", crosswalk::title_of(reader),
                         reader.day.empty() ? "" : fmt::format(", {}", reader.day));
      rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (const ReaderLine& line : matrix.lines | std::views::filter(has_remark)) {
      out += fmt::format("| `{}` |", escape_pipes(line.type));
      for (const std::string& remark : line.remarks)
        out += fmt::format(" {} |", escape_pipes(remark));
      out += '\n';
    }
  }
  return out;
}

std::string matrix_json(const std::vector<ReaderMatrix>& matrices) {
  Json out = Json::array();
  for (const ReaderMatrix& matrix : matrices) {
    const std::span<const crosswalk::Reader> column_readers = crosswalk::readers_of(matrix.system);
    for (const ReaderLine& line : matrix.lines) {
      Json readers = Json::array();
      for (size_t i = 0; i < column_readers.size(); ++i) {
        Json reader = {
            {"reader", column_readers[i].name},
            {"version", column_readers[i].version},
            {"known", column_readers[i].known == crosswalk::Known::Ran ? "ran" : "source"}};
        if (!column_readers[i].day.empty()) reader["day"] = column_readers[i].day;
        reader["remark"] = line.remarks[i];
        readers.push_back(std::move(reader));
      }
      out.push_back(
          {{"system", matrix.system->name}, {"type", line.type}, {"readers", std::move(readers)}});
    }
  }
  return json_text(out) + "\n";
}

std::string matrix_html(const std::vector<ReaderMatrix>& matrices) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<title>xwalk: how other tools read each type</title>\n<h1>How other tools read each "
      "type</h1>\n"
      "<p>An empty cell means that the type is read correctly. Types that every program reads "
      "correctly have no row.</p>\n";
  for (const ReaderMatrix& matrix : matrices) {
    out += fmt::format("<h2>{}</h2>\n<table>\n<tr><th>type</th>", title_of(matrix.system));
    for (const crosswalk::Reader& reader : crosswalk::readers_of(matrix.system)) {
      out += fmt::format("<th>{}</th>", report::escape_markup(crosswalk::title_of(reader)));
    }
    out += "</tr>\n";
    for (const ReaderLine& line : matrix.lines | std::views::filter(has_remark)) {
      out += fmt::format("<tr><td><code>{}</code></td>", report::escape_markup(line.type));
      for (const std::string& remark : line.remarks) {
        out += fmt::format("<td>{}</td>", report::escape_markup(remark));
      }
      out += "</tr>\n";
    }
    out += "</table>\n";
  }
  return out + "</html>\n";
}

}  // namespace xwalk::cli
