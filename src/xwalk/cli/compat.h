#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "xwalk/cli/report_output.h"
#include "xwalk/cli/row_options.h"
#include "xwalk/cli/session.h"
#include "xwalk/io/schema_input.h"

namespace xwalk::cli {

/// What `compat` is asked.
struct CompatOptions {
  RowOptions rows;
  std::string old_path;
  std::string new_path;
  crosswalk::CompatMode mode = crosswalk::CompatMode::Backward;
  std::vector<std::string> allow;
  ReportOutput output;
  std::optional<std::string> config;
};

void declare_compat(CLI::App& app, CompatOptions* options);

/// What was found, with the schemas that it is about.
struct Compared {
  std::unique_ptr<io::SchemaInput> before;
  std::unique_ptr<io::SchemaInput> after;
  std::unique_ptr<crosswalk::Compat> compat;
  crosswalk::CompatCheck check;
};

/// Asks whether data of the one can be read as the other. Throws Error.
Compared compare(const CompatOptions& options, Session& session);

}  // namespace xwalk::cli
