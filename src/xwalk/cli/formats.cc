#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/io/detect.h"
#include "xwalk/io/engine.h"

namespace xwalk::cli {
namespace {

struct Row {
  std::string_view name;
  std::vector<io::Format> formats;
  std::string_view rows;
  std::string_view schema_forms;
};

const std::vector<Row>& supported() {
  static const std::vector<Row> kRows = {
      {"yt",
       {io::Format::Yson},
       "YSON rows, text and binary",
       "yson yson-binary json short commands"},
      {"skiff", {io::Format::Skiff}, "Skiff rows", "yson short"},
      {"parquet", {io::Format::Parquet}, "by the plugin libxwalk_parquet.so", "message thrift"},
      {"lance", {io::Format::Lance}, "by the engine xwalk-engine-lance", "text protobuf json"},
      {"vortex",
       {io::Format::Vortex},
       "by the engine xwalk-engine-vortex",
       "text flatbuffers protobuf json"},
      {"arrow",
       {io::Format::ArrowFile, io::Format::ArrowStream},
       "IPC files and streams, by the plugin libxwalk_parquet.so",
       "text ipc"},
  };
  return kRows;
}

struct Refused {
  std::string_view name;
  std::string_view why;
};

/// What people ask for and cannot have, with the reason.
const std::vector<Refused>& refused() {
  static const std::vector<Refused> kRefused = {
      {"dsv, schemaful_dsv",
       "cannot carry composite values; YTsaurus itself answers: Values of type \"any\" are not "
       "supported by the chosen format"},
      {"yamr, yamred_dsv", "hold strings only: no types, no nulls"},
      {"csv, tsv",
       "have no types; read them with a tool that infers types, such as pyarrow or "
       "DuckDB, and convert the Parquet it writes"},
      {"json rows",
       "do not tell numbers, dates and bytes apart; `xwalk head --as json` shows them"},
      {"protobuf, arrow (of YTsaurus)",
       "formats of YTsaurus operations outside the specifications that xwalk implements"},
  };
  return kRefused;
}

std::string engine_text() {
  try {
    return std::string(io::Engine::parquet().description());
  } catch (const Error& error) {
    return error.message();
  }
}

std::string extensions(const Row& row) {
  std::string out;
  for (io::Format format : row.formats) {
    for (std::string_view extension : io::extensions_of(format)) {
      if (!out.empty()) out += ' ';
      out += extension;
    }
  }
  return out;
}

int run(Session& session) {
  if (session.json) {
    nlohmann::ordered_json out;
    out["formats"] = nlohmann::ordered_json::array();
    for (const Row& row : supported()) {
      nlohmann::ordered_json one = {{"name", row.name}, {"rows", row.rows}};
      one["extensions"] = nlohmann::ordered_json::array();
      for (io::Format format : row.formats) {
        for (std::string_view extension : io::extensions_of(format)) {
          one["extensions"].push_back(extension);
        }
      }
      one["schema_forms"] = row.schema_forms;
      out["formats"].push_back(std::move(one));
    }
    out["compression"] = {".gz", ".zst"};
    out["not_supported"] = nlohmann::ordered_json::array();
    for (const Refused& one : refused()) {
      out["not_supported"].push_back({{"name", one.name}, {"why", one.why}});
    }
    if (session.verbose) out["plugin"] = engine_text();
    session.print(out.dump(2) + "\n");
    return kDone;
  }
  Table table({"format", "names", "rows", "schema forms (--form)"});
  for (const Row& row : supported()) {
    table.add({std::string(row.name), extensions(row), std::string(row.rows),
               std::string(row.schema_forms)});
  }
  session.print(table.print(session.out(), 200));
  session.print("\n.gz and .zst behind the name of YSON and Skiff rows are read and written.\n");
  session.print("\n" + session.out().paint(Ink::Bold, "not supported, and why") + "\n");
  for (const Refused& one : refused()) {
    session.print(fmt::format("  {}\n      {}\n", one.name,
                              wrap(one.why, std::min(session.out().width(), 100), 6)));
  }
  if (session.verbose) session.print("\nplugin: " + engine_text() + "\n");
  return kDone;
}

}  // namespace

Verb formats_verb() {
  return {"formats",
          "what can be read and written, and what cannot and why",
          "",
          {{"xwalk formats", ""}, {"xwalk formats -v", "with the version of the Arrow C++ plugin"}},
          "",
          [](CLI::App&) -> Action { return [](Session& session) { return run(session); }; }};
}

}  // namespace xwalk::cli
