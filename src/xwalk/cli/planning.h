#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "xwalk/cli/row_options.h"
#include "xwalk/cli/terminal.h"
#include "xwalk/convert/convert.h"
#include "xwalk/crosswalk/plan.h"

namespace xwalk::cli {

/// Declares --any.
void declare_any(CLI::App& app, hub::AnyValues* any);
/// Declares --rename and --cast.
void declare_shape(CLI::App& app, crosswalk::PlanOptions* options);
/// Declares those, --no-annotations, --round, --merge-nulls, --drop-zone, --duplicate-keys and
/// --any.
void declare_plan(CLI::App& app, crosswalk::PlanOptions* options, yt::RepeatedKeys* row_keys);

/// Declares --cluster-version.
void declare_cluster(CLI::App& app, crosswalk::PlanOptions* options);

/// Declares --lance-version and --vortex-edition.
void declare_versions(CLI::App& app, crosswalk::PlanOptions* options);

/// Declares --csv-formulas.
void declare_csv(CLI::App& app, hub::CsvFormulas* formulas);

/// What an output is to be, as it was given.
struct TargetWords {
  std::optional<std::string> to;
  std::optional<std::string> to_schema;
  std::optional<std::string> message;
  std::vector<std::string> partition_by;
};

/// Declares --to-schema, --message and --partition-by.
void declare_target_schema(CLI::App& app, TargetWords* words);
/// Declares --allow, --on-error, --max-rejects.
void declare_tolerance(CLI::App& app, io::ConvertOptions* options,
                       std::optional<std::string>* max_rejects);

/// Sets the output's schema from what was given, or from `format`, the schema within a word for a
/// format, and the columns that folders are named by.
void set_target_schema(const TargetWords& words, std::optional<std::string> format,
                       io::ConvertOptions* options);

}  // namespace xwalk::cli
