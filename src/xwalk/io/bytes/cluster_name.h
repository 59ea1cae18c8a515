#pragma once

#include <string>

namespace xwalk::io {

/// Returns true if two names lead to the same table of a cluster, whatever rows of it they mean.
bool is_same_table(const std::string& a, const std::string& b);

/// Throws Error (Unsupported): a table is not stored as bytes that can be read.
[[noreturn]] void refuse_cluster(const std::string& path);

}  // namespace xwalk::io
