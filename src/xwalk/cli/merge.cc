#include <memory>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/verb.h"
#include "xwalk/cli/written_schema.h"
#include "xwalk/convert/facade.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/yt/module.h"

namespace xwalk::cli {
namespace {

struct MergeOptions {
  io::OptionTokens tokens;
  std::string first;
  std::string second;
  std::string form;
};

int run(const MergeOptions& options, Session& session) {
  io::check_storage(side_options(options.tokens).storage, {options.first, options.second});
  const auto read = [&](const std::string& path) {
    return read_schema({path}, options.tokens, side_options(options.tokens), session);
  };
  const io::SchemaInput first = read(options.first);
  const io::SchemaInput second = read(options.second);
  yt::MergedSchema merged = io::merge(first, second);
  print_notes(merged.lost, session);
  session.print(
      written_schema({yt::kModule, std::move(merged.schema)}, options.form, session.json));
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
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<MergeOptions>();
        add_text(command, "A", &options->first, "A", "schema or data file")->required();
        add_text(command, "B", &options->second, "B", "schema or data file")->required();
        declare_option(command, hub::Option::Format, &options->tokens, "system of both");
        declare_options(command, io::kPairs, &options->tokens);
        add_text(command, "--form", &options->form, "FORM",
                 "written form: yson, yson-binary, json, short, commands")
            ->group("Output");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
