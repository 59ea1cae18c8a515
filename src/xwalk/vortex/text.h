#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Prints a DType as the living system's Display does: `{a=i32?, b=utf8}`. Names are escaped but
/// not quoted, so it does not always parse; meant for people and for comparing.
std::string print_display(const DType& type);

/// Prints the same text made unambiguous: names outside [A-Za-z0-9_] stand in double quotes, and
/// metadata that its extension's words do not give back stands as hex: `acme.x[0x0102](i32)`.
std::string print_text(const DType& type);

/// Parses what `print_text` prints. Throws Error (Input) with line, column and a caret.
DType parse_text(std::string_view text);

}  // namespace xwalk::vortex
