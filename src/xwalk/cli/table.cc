#include "xwalk/cli/table.h"

#include <algorithm>

namespace xwalk::cli {
namespace {

constexpr int kGap = 2;
/// A column is not made narrower than this to let others fit.
constexpr int kLeastWidth = 6;
/// No cell of a row beside others is wider: instants and uuids fit.
constexpr int kWideCell = 36;
/// Shorter cells of a column that is wider are not filled up further.
constexpr int kMostPadding = 120;

/// Clips a cell and notes that it was.
std::string clipped(const std::string& cell, int width, bool* is_cut) {
  if (display_width(cell) <= width) return cell;
  if (is_cut != nullptr) *is_cut = true;
  return clip(cell, width);
}

}  // namespace

Table::Table(std::vector<std::string> header, std::vector<Align> align)
    : header_(std::move(header)), align_(std::move(align)) {
  align_.resize(header_.size(), Align::Left);
}

std::vector<int> Table::widths() const {
  std::vector<int> widths;
  for (const std::string& name : header_) widths.push_back(display_width(name));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  return widths;
}

bool Table::is_too_wide(int width) const {
  int least = -kGap;
  for (const int one : widths()) least += std::min(one, kLeastWidth) + kGap;
  return least > width;
}

std::string Table::print_vertical(const Terminal& terminal, int width, Fit fit,
                                  bool* is_cut) const {
  const bool whole = fit == Fit::Whole;
  int names = 0;
  for (const std::string& name : header_) names = std::max(names, display_width(name));
  // The values are more important than the names.
  if (!whole) names = std::min(names, width / 2);
  const auto cut = [&](const std::string& cell, int most) {
    return whole ? cell : clipped(cell, most, is_cut);
  };
  std::string out;
  for (size_t first = 0; first < std::max<size_t>(rows_.size(), 1);) {
    std::vector<std::string> header = {"row"};
    int space = width - names;
    size_t end = first;
    for (; end < rows_.size(); ++end) {
      std::string number = std::to_string(end);
      int wide = display_width(number);
      for (const std::string& cell : rows_[end]) {
        wide = std::max(wide, std::min(display_width(cell), whole ? kMostPadding : kWideCell));
      }
      if (end > first && wide + kGap > space) break;
      space -= wide + kGap;
      header.push_back(std::move(number));
    }
    Table block(std::move(header));
    for (size_t i = 0; i < header_.size(); ++i) {
      std::vector<std::string> line = {clip(header_[i], names)};
      for (size_t row = first; row < end; ++row) {
        // A single cell may use the whole width.
        line.push_back(end == first + 1 ? rows_[row][i] : cut(rows_[row][i], kWideCell));
      }
      block.add(std::move(line));
    }
    if (first > 0) out += '\n';
    out += block.print(terminal, width, fit, is_cut);
    first = std::max(end, first + 1);
  }
  return out;
}

std::vector<int> Table::fitted(int width) const {
  std::vector<int> widths = this->widths();
  int64_t total = -kGap;
  for (const int one : widths) total += one + kGap;
  for (; !widths.empty() && total > width; --total) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kLeastWidth) break;
    --*widest;
  }
  return widths;
}

std::string Table::print(const Terminal& terminal, int width, Fit fit, bool* is_cut) const {
  std::vector<int> widths = fit == Fit::Whole ? this->widths() : fitted(width);
  if (fit == Fit::Whole) {
    for (int& one : widths) one = std::min(one, kMostPadding);
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells, bool bold) {
    std::string text;
    for (size_t i = 0; i < cells.size(); ++i) {
      std::string cell = fit == Fit::Whole ? cells[i] : clipped(cells[i], widths[i], is_cut);
      std::string pad(static_cast<size_t>(std::max(0, widths[i] - display_width(cell))), ' ');
      if (bold) cell = terminal.paint(Ink::Bold, cell);
      if (i > 0) text.append(kGap, ' ');
      text += align_[i] == Align::Right ? pad + cell : cell + pad;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text;
    out += '\n';
  };
  const auto print_row = [&](const std::vector<std::string>& cells, bool bold) {
    if (fit != Fit::Wrap) return line(cells, bold);
    std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(cells.size()));
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string wrapped = wrap(cells[i], widths[i], 0);
      size_t at = 0;
      for (std::string_view left = wrapped; !left.empty(); ++at) {
        const size_t end = std::min(left.find('\n'), left.size());
        if (at == lines.size()) lines.emplace_back(cells.size());
        lines[at][i] = left.substr(0, end);
        left.remove_prefix(std::min(end + 1, left.size()));
      }
    }
    for (const auto& one : lines) line(one, bold);
  };
  const bool has_header =
      std::any_of(header_.begin(), header_.end(), [](const auto& name) { return !name.empty(); });
  if (has_header) print_row(header_, true);
  for (const auto& row : rows_) print_row(row, false);
  return out;
}

}  // namespace xwalk::cli
