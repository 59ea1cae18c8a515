#pragma once

#include <exception>
#include <string>

#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// Returns the error being handled as DuckDB shows it: place, message, caret and hint, with options
/// in SQL syntax. Call in a handler only.
std::string current_error() noexcept;

/// Throws Error for what a function of DuckDB's has found, if it found something. `doing` says
/// what was tried.
void check(ErrorData error, const char* doing);

/// Runs the body of a callback of DuckDB; nothing is thrown through it. `set_error` is the function
/// of the API that takes the text of what was thrown.
template <typename Info, typename Work>
void guard(Info info, void (*set_error)(Info, const char*), const Work& work) noexcept {
  try {
    work();
  } catch (...) {
    set_error(info, current_error().c_str());
  }
}

}  // namespace xwalk::duckdb
