#pragma once

#include <string>

#include <CLI/App.hpp>

#include "xwalk/cli/row_options.h"
#include "xwalk/cli/terminal.h"
#include "xwalk/crosswalk/plan.h"

namespace xwalk::cli {

/// Declares --rename, --no-annotations, --round, --merge-nulls, --drop-zone, --duplicate-keys.
void declare_plan(CLI::App& app, crosswalk::PlanOptions* options, yt::RepeatedKeys* row_keys);

/// Returns a verdict in its colour.
std::string painted(const Terminal& terminal, hub::Verdict verdict);

}  // namespace xwalk::cli
