#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/base/display.h"

namespace xwalk::cli {

/// Colours by meaning. Empty on anything but a terminal.
enum class Ink : uint8_t { Bold, Faint, Good, Bad };

/// The properties of a standard descriptor.
class Terminal {
 public:
  /// Looks at a descriptor; `color` false turns colours off (NO_COLOR does too).
  explicit Terminal(int descriptor, bool color = true);

  bool is_terminal() const { return is_terminal_; }
  bool has_color() const { return has_color_; }
  /// Columns to wrap text at: COLUMNS if it is set, else those of the terminal, else 80.
  int width() const { return width_; }
  /// Returns true if lines must fit the width: on a terminal, or if COLUMNS is set. In other cases
  /// a program may read the output, and nothing is cut off.
  bool is_bounded() const { return is_bounded_; }
  /// Returns the text in a colour, or as it is.
  std::string paint(Ink ink, std::string_view text) const;

 private:
  bool is_terminal_ = false;
  bool has_color_ = false;
  bool is_bounded_ = false;
  int width_ = 80;
};

/// Returns text without terminal control characters, except line feeds, tabs and, if wanted,
/// colours.
std::string harmless(std::string_view text, bool colors = true);

/// Columns that text is wrapped at on wider terminals.
inline constexpr int kMostTextWidth = 100;

/// Breaks text into lines no wider than `width`, at spaces, with an indent of all lines but the
/// first.
std::string wrap(std::string_view text, int width, int indent);

}  // namespace xwalk::cli
