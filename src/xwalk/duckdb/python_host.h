#pragma once

namespace xwalk::duckdb {

/// Lets queries use the engines of the Python module `xwalk` if a program in Python has imported it
/// by then. Reading then needs no program with packages of its own, which takes a second to start.
void find_engines_in_python();

}  // namespace xwalk::duckdb
