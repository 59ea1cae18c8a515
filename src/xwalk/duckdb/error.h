#pragma once

#include <exception>
#include <string>

#include "xwalk/duckdb/api.h"
#include "xwalk/hub/option.h"

namespace xwalk::duckdb {

/// Returns the error being handled as DuckDB shows it: place, message, caret and hint, with options
/// in the syntax of a call or of COPY. Call in a handler only.
std::string current_error(hub::Interface interface = hub::Interface::Sql) noexcept;

/// Throws Error for what a function of DuckDB's has found, if it found something. `doing` says
/// what was tried, `hint` what to do.
void check(ErrorData error, const char* doing, const char* hint = "");

/// Runs the body of a callback of DuckDB; nothing is thrown through it. `set_error` is the function
/// of the API that takes the text of what was thrown, with options as `interface` writes them.
template <typename Info, typename Work>
void guard(Info info, void (*set_error)(Info, const char*), const Work& work,
           hub::Interface interface = hub::Interface::Sql) noexcept {
  try {
    work();
  } catch (...) {
    set_error(info, current_error(interface).c_str());
  }
}

}  // namespace xwalk::duckdb
