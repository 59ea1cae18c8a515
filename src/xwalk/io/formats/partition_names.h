#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace xwalk::io {

/// Stands for null in the name of a folder.
inline constexpr std::string_view kNullPartition = "__HIVE_DEFAULT_PARTITION__";
inline constexpr std::string_view kTruePartition = "true";
inline constexpr std::string_view kFalsePartition = "false";

/// The longest name that file systems take, in bytes.
inline constexpr size_t kMaxName = 255;

/// Appends text to the name of a folder, escaping characters that it must not contain.
void append_escaped(std::string_view text, std::string* out);

/// Refuses text that no name of a folder shows. Throws Error (Input).
void check_partition_text(std::string_view text);

/// Refuses the name of a folder that file systems do not take. Throws Error (Input).
void check_partition_name(std::string_view name);

}  // namespace xwalk::io
