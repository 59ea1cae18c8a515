#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/built_with.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::cli {
namespace {

/// The formats of one system that can be read and written.
struct Row {
  std::string name;
  std::vector<std::string> extensions;
  std::string rows;
  std::string schema_forms;
};

std::vector<Row> supported() {
  std::vector<Row> out;
  for (const crosswalk::System system : crosswalk::systems()) {
    Row row{std::string(system->name), {}, "", join(crosswalk::form_names(system), " ")};
    for (const io::Format format : io::formats()) {
      if (format->system != system) continue;
      row.extensions.insert(row.extensions.end(), format->extensions.begin(),
                            format->extensions.end());
      row.rows += format->about;
    }
    if (row.rows.empty()) row.rows = "schemas only";
    out.push_back(std::move(row));
  }
  return out;
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
      {"csv (as input), tsv",
       "have no types; read them with a tool that infers types, such as pyarrow or "
       "DuckDB, and convert the Parquet it writes"},
      {"protobuf (of YTsaurus)",
       "a format of YTsaurus operations outside the specifications that xwalk implements"},
  };
  return kRefused;
}

/// An option that only some formats take.
struct OptionRow {
  std::string word;
  std::vector<std::string> read;
  std::vector<std::string> written;
};

std::vector<OptionRow> options_of_formats() {
  const auto names = [](const std::vector<io::Format>& formats) {
    std::vector<std::string> out;
    for (const io::Format format : formats) {
      // A table on a cluster has its own name.
      const std::string name(format->on_cluster == nullptr && format->by_path &&
                                     format->system->name == "yt"
                                 ? "//table"
                                 : format->name);
      if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
    return out;
  };
  std::vector<OptionRow> rows;
  for (size_t i = 0; i < hub::kOptions; ++i) {
    const auto option = static_cast<hub::Option>(i);
    const io::TakenBy by = io::taken_by(option);
    if (by.read.empty() && by.written.empty()) continue;
    rows.push_back({std::string(hub::program_word(option)), names(by.read), names(by.written)});
  }
  return rows;
}

int run(Session& session) {
  if (session.json) {
    Json out;
    out["formats"] = Json::array();
    for (const Row& row : supported()) {
      out["formats"].push_back({{"name", row.name},
                                {"rows", row.rows},
                                {"extensions", row.extensions},
                                {"schema_forms", row.schema_forms}});
    }
    out["compression"] = {".gz", ".zst"};
    out["options"] = Json::array();
    for (const OptionRow& row : options_of_formats()) {
      out["options"].push_back({{"name", row.word}, {"read", row.read}, {"written", row.written}});
    }
    out["not_supported"] = Json::array();
    for (const Refused& one : refused()) {
      out["not_supported"].push_back({{"name", one.name}, {"why", one.why}});
    }
    if (session.verbose) out["plugin"] = plugin_text();
    session.print(json_text(out) + "\n");
    return kDone;
  }
  Table table({"format", "names", "rows", "schema forms (--form)"});
  for (const Row& row : supported()) {
    table.add({row.name, join(row.extensions, " "), row.rows, row.schema_forms});
  }
  const int width = session.out().width();
  session.print(table.print(session.out(), width, Fit::Wrap));
  constexpr std::string_view kMore =
      "YSON, JSON and Skiff rows are also read and written compressed, as .gz and .zst.\n"
      "//home/t and yt://cluster//home/t are tables on a YTsaurus cluster, through "
      "xwalk-engine-yt.";
  session.print("\n" + wrap(kMore, std::min(width, 100), 0) + "\n");
  session.print("\n" + session.out().paint(Ink::Bold, "options that only some formats take") +
                "\n");
  Table options({"option", "read", "written"});
  for (const OptionRow& row : options_of_formats()) {
    options.add({row.word, join(row.read, " "), join(row.written, " ")});
  }
  session.print(options.print(session.out(), width, Fit::Wrap));
  session.print("\n" + session.out().paint(Ink::Bold, "not supported, and why") + "\n");
  for (const Refused& one : refused()) {
    session.print(
        fmt::format("  {}\n      {}\n", one.name, wrap(one.why, std::min(width, 100), 6)));
  }
  if (session.verbose) session.print("\nplugin: " + plugin_text() + "\n");
  return kDone;
}

}  // namespace

Verb formats_verb() {
  return {"formats",
          "lists what can be read and written, and what cannot and why",
          "",
          {{"xwalk formats", ""}, {"xwalk formats -v", "with the version of the Arrow C++ plugin"}},
          "",
          [](CommandLine&) -> Action { return [](Session& session) { return run(session); }; }};
}

}  // namespace xwalk::cli
