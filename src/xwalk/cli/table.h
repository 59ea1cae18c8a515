#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/cli/terminal.h"

namespace xwalk::cli {

enum class Align : uint8_t { Left, Right };

/// How cells that are too long for the width of a table are shown: cut, in several lines, or whole,
/// in a longer line.
enum class Fit : uint8_t { Clip, Wrap, Whole };

/// A table of text aligned in columns, as wide as the terminal at most.
class Table {
 public:
  explicit Table(std::vector<std::string> header, std::vector<Align> align = {});

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Returns the lines. If they would be wider than `width`, the widest columns are narrowed first,
  /// and their cells are clipped or wrapped at spaces. `is_cut`, if given, becomes true if a
  /// cell is clipped.
  std::string print(const Terminal& terminal, int width, Fit fit = Fit::Clip,
                    bool* is_cut = nullptr) const;
  /// Returns whether the lines would be wider than that however much is clipped.
  bool is_too_wide(int width) const;
  /// Returns the columns as lines, and as many rows beside each other as there is room for; the
  /// others below. Rows are numbered from 0. `fit` is Clip or Whole.
  std::string print_vertical(const Terminal& terminal, int width, Fit fit,
                             bool* is_cut = nullptr) const;

 private:
  std::vector<int> widths() const;
  /// Returns the widths of columns in a table of that width.
  std::vector<int> fitted(int width) const;

  std::vector<std::string> header_;
  std::vector<Align> align_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace xwalk::cli
