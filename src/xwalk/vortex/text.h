#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Prints a DType as the living system's Display does: `{a=i32?, b=utf8}`. Names are escaped but
/// not quoted, so it does not always parse; meant for people and for comparing.
std::string print_display(const DType& type);

/// Prints the same text made unambiguous: names outside [A-Za-z0-9_] are in double quotes, and
/// metadata that its extension's parameters do not determine is printed as hex:
/// `acme.x[0x0102](i32)`.
std::string print_text(const DType& type);

/// Parses what `print_text` prints. Throws Error (Input) with line, column and a caret.
DType parse_text(std::string_view text);

/// The path of a field inside a struct DType (specification, "Struct field paths"). Only names can
/// be serialized.
using FieldPath = std::vector<std::string>;

/// Prints `$.a."b c"`, names as `print_text` does.
std::string print_field_path(const FieldPath& path);

/// Parses it. Throws Error (Input) with line, column and a caret.
FieldPath parse_field_path(std::string_view text);

}  // namespace xwalk::vortex
