#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "xwalk/base/error.h"

namespace xwalk::cli {

/// Returns true for options that people look for and that are a query engine's work: --where,
/// --sort-by.
bool is_query_option(std::string_view name);

/// Returns the error for query options: the lines that do the same in DuckDB, with the inputs, the
/// output and the expressions from the arguments of the command. `takes_value` returns true if
/// another option has a value.
Error query_error(std::string_view verb, std::span<const std::string> arguments,
                  const std::function<bool(const std::string&)>& takes_value);

}  // namespace xwalk::cli
