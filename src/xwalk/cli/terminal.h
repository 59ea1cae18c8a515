#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xwalk::cli {

/// Colours by meaning. Empty on anything but a terminal.
enum class Ink : uint8_t { Bold, Faint, Good, Notice, Warning, Bad };

/// What is known of one of the standard descriptors.
class Terminal {
 public:
  /// Looks at a descriptor; `color` false turns colours off (NO_COLOR does too).
  explicit Terminal(int descriptor, bool color = true);

  bool is_terminal() const { return is_terminal_; }
  bool has_color() const { return has_color_; }
  /// Columns of a terminal, 80 elsewhere.
  int width() const { return width_; }
  /// Returns the text in a colour, or as it is.
  std::string paint(Ink ink, std::string_view text) const;

 private:
  bool is_terminal_ = false;
  bool has_color_ = false;
  int width_ = 80;
};

/// Returns how many columns a UTF-8 text takes, colours not counted. Wide East Asian characters
/// count two.
int display_width(std::string_view text);

/// Returns the text cut to a width, with an ellipsis where something is missing. Text with colours
/// must not be cut.
std::string clip(std::string_view text, int width);

/// Breaks text into lines no wider than `width`, at spaces, with an indent of all lines but the
/// first.
std::string wrap(std::string_view text, int width, int indent);

}  // namespace xwalk::cli
