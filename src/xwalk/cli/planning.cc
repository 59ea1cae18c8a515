#include "xwalk/cli/planning.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/cli/arguments.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/lance/data_version.h"
#include "xwalk/vortex/edition.h"
#include "xwalk/yt/cluster_version.h"

namespace xwalk::cli {
namespace {

/// Declares an option that takes one of a system's words for a version.
template <typename T>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, std::optional<T>* value,
                        std::span<const std::string_view> words, T (*parse)(std::string_view),
                        const std::string& about) {
  std::vector<std::pair<std::string, std::optional<T>>> choices;
  for (const std::string_view word : words) choices.emplace_back(word, parse(word));
  return add_choice<std::optional<T>>(app, name, value, choices, about);
}

}  // namespace

void declare_any(CLI::App& app, hub::AnyValues* any) {
  add_choice<hub::AnyValues>(
      app, "--any", any,
      {{"yson", hub::AnyValues::Yson},
       {"json", hub::AnyValues::Json},
       {"ytjson", hub::AnyValues::YtJson}},
      "values of type any become binary YSON or JSON text in other systems (default: yson)")
      ->group("What may change");
}

namespace {

/// Declares an option that may be repeated, and whose texts are parsed one by one.
template <typename Parsed>
void add_repeated(CLI::App& app, const char* name, const char* type, std::vector<Parsed>* out,
                  Parsed (*parse)(std::string_view), const char* about) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [out, parse](const std::vector<std::string>& given) {
           for (const std::string& one : given) out->push_back(parse(one));
         },
         about)
      ->type_name(type)
      ->expected(1)
      ->allow_extra_args(false)  // the words behind it are paths
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("What may change");
}

}  // namespace

void declare_shape(CLI::App& app, crosswalk::PlanOptions* options) {
  add_repeated(app, "--rename", "OLD=NEW", &options->rename, io::parse_rename,
               "rename a column or a field; may be repeated");
  add_repeated(app, "--cast", "PATH=TYPE", &options->casts, io::parse_cast,
               "give a column or a field another type, in any system's words; may be repeated");
}

void declare_plan(CLI::App& app, crosswalk::PlanOptions* options, yt::RepeatedKeys* row_keys) {
  const char* group = "What may change";
  declare_shape(app, options);
  app.add_flag_callback(
         "--no-annotations", [options] { options->annotations = false; },
         "neither write nor trust xwalk annotations")
      ->group(group);
  add_flag(app, "--round", &options->cast.round,
           "round values that need more precision (needs --allow lossy)")
      ->group(group);
  add_flag(app, "--merge-nulls", &options->cast.merge_nulls,
           "merge several levels of null into one (needs --allow lossy)")
      ->group(group);
  add_flag(app, "--drop-zone", &options->cast.drop_zone,
           "drop the time zone of each value (needs --allow lossy)")
      ->group(group);
  add_choice<hub::DuplicateKeys>(
      app, "--duplicate-keys", &options->cast.duplicate_keys,
      {{"error", hub::DuplicateKeys::Error},
       {"last", hub::DuplicateKeys::Last},
       {"keep", hub::DuplicateKeys::Keep}},
      "what to do with repeated keys of a map or a YSON row (default: error; in YSON rows, keep "
      "means error)")
      ->group(group)
      ->each([options, row_keys](const std::string&) {
        *row_keys = options->cast.duplicate_keys == hub::DuplicateKeys::Last
                        ? yt::RepeatedKeys::Last
                        : yt::RepeatedKeys::Error;
      });
  declare_any(app, &options->cast.any);
}

void declare_cluster(CLI::App& app, crosswalk::PlanOptions* options) {
  add_parsed(app, "--cluster-version", &options->cluster, yt::cluster_versions(),
             yt::parse_cluster_version, "YTsaurus release to check against (default: the newest)")
      ->group("Tables on a cluster");
}

void declare_versions(CLI::App& app, crosswalk::PlanOptions* options) {
  add_parsed(app, "--lance-version", &options->lance_version, lance::data_versions(),
             lance::parse_data_version,
             "version of the data files (default: the dataset's, or stable)")
      ->group("Lance");
  add_parsed(app, "--vortex-edition", &options->vortex_edition, vortex::editions(),
             vortex::parse_edition, "edition of the file (default: the newest)")
      ->type_name("EDITION")
      ->group("Vortex");
}

void declare_csv(CLI::App& app, hub::CsvFormulas* formulas) {
  add_choice<hub::CsvFormulas>(app, "--csv-formulas", formulas,
                               {{"keep", hub::CsvFormulas::Keep},
                                {"escape", hub::CsvFormulas::Escape},
                                {"refuse", hub::CsvFormulas::Refuse}},
                               "what to do with text that a spreadsheet runs as a formula: write "
                               "it as it is, put an apostrophe before it, or reject the row "
                               "(default: keep)")
      ->group("CSV");
}

void declare_target_schema(CLI::App& app, TargetWords* words) {
  const char* group = "Output";
  add_text(app, "--to-schema", &words->to_schema, "S",
           "schema of the output in that system's syntax")
      ->group(group);
  add_text(app, "--message", &words->message, "SCHEMA",
           "write this Parquet schema exactly as given: a message, as a file or as text")
      ->group("Parquet");
  add_list(app, "--partition-by", &words->partition_by, "a,b",
           "write a folder of Parquet or Arrow files, split into a=1/b=x/ by these columns")
      ->group("Files and folders");
}

void declare_tolerance(CLI::App& app, io::ConvertOptions* options,
                       std::optional<std::string>* max_rejects) {
  add_choice<bool>(app, "--allow", &options->allow_lossy, {{"lossy", true}},
                   "accept values that are changed")
      ->group("Values that don't fit");
  const char* group = "Values that don't fit";
  add_choice<bool>(app, "--on-error", &options->pipeline.skip_bad_rows,
                   {{"fail", false}, {"skip", true}},
                   "stop at a bad row, or skip it (default: fail)")
      ->group(group);
  add_text(app, "--max-rejects", max_rejects, "N|P%",
           "skip bad rows, fail if there are more than this")
      ->group(group);
}

void set_target_schema(const TargetWords& words, std::optional<std::string> format,
                       io::ConvertOptions* options) {
  for (const std::string& text : words.partition_by) {
    options->output.partition_by.push_back(io::parse_column(text));
  }
  if (words.message) {
    io::set_output_schema(io::SchemaArgument{*words.message, hub::Option::Message}, options);
  }
  if (words.to_schema) io::set_output_schema(io::SchemaArgument{*words.to_schema}, options);
  if (format) io::set_output_schema(io::SchemaArgument{*std::move(format)}, options);
}

}  // namespace xwalk::cli
