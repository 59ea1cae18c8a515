#include "xwalk/yt/merge.h"

#include <memory>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/verb.h"
#include "xwalk/cli/written_schema.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/yt/room.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions rows;
  std::string first;
  std::string second;
  std::string form;
};

/// Returns a table schema; another system's is translated.
yt::TableSchema table_of(const std::string& path, const RowOptions& rows, Session& session) {
  const io::SchemaInput input = read_schema({path}, rows, session);
  if (const auto* table = input.schema.get_if<yt::TableSchema>()) return *table;
  return crosswalk::from_arrow(yt::kRoom, input.hub).schema.as<yt::TableSchema>();
}

int run(const Options& options, Session& session) {
  const std::string names[] = {options.first, options.second};
  io::check_storage(options.rows.storage, names);
  const yt::TableSchema first = table_of(options.first, options.rows, session);
  const yt::TableSchema second = table_of(options.second, options.rows, session);
  yt::MergedSchema merged = yt::merge_table_schemas(first, second);
  print_notes(merged.lost, session);
  session.print(written_schema({yt::kRoom, std::move(merged.schema)}, options.form, session.json));
  return kDone;
}

}  // namespace

Verb merge_verb() {
  return {
      "merge",
      "prints one YTsaurus schema that holds the rows of both",
      "A B [--form FORM]",
      {{"xwalk merge monday.schema tuesday.schema", ""},
       {"xwalk merge a.parquet b.parquet --form short", "the schema both have in YTsaurus"}},
      "By YTsaurus's rules: the wider of two types, optional if either is. Columns that only one "
      "side has become optional.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "A", &options->first, "A", "schema or data file")->required();
        add_text(app, "B", &options->second, "B", "schema or data file")->required();
        add_text(app, "--from", &options->rows.from, "F", "system of both")->group("Input");
        declare_files(app, &options->rows);
        add_text(app, "--form", &options->form, "FORM",
                 "written form: yson, yson-binary, json, short, commands")
            ->group("Output");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
