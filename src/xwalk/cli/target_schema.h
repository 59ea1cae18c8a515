#pragma once

#include <optional>
#include <string>

#include "xwalk/cli/row_options.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/open.h"

namespace xwalk::cli {

/// Declares --to-schema.
void declare_target_schema(CLI::App& app, std::optional<std::string>* to_schema);

/// Plans the conversion of opened rows to a system, towards the schema the person gave for the
/// output, if any: --to-schema, else --schema where the rows that are read have a schema of their
/// own, or where it holds the format of a Skiff output. Throws Error.
crosswalk::Plan plan_rows(const io::Input& input, crosswalk::System target, const RowOptions& rows,
                          const std::optional<std::string>& to_schema,
                          const crosswalk::PlanOptions& options,
                          std::string_view option = "--to-schema");

}  // namespace xwalk::cli
