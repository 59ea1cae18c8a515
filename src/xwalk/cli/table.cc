#include "xwalk/cli/table.h"

#include <algorithm>

namespace xwalk::cli {
namespace {

constexpr int kGap = 2;
/// A column is not made narrower than this to let others fit.
constexpr int kLeastWidth = 6;

}  // namespace

Table::Table(std::vector<std::string> header, std::vector<Align> align)
    : header_(std::move(header)), align_(std::move(align)) {
  align_.resize(header_.size(), Align::Left);
}

std::string Table::print(const Terminal& terminal, int width) const {
  std::vector<int> widths;
  for (const std::string& name : header_) widths.push_back(display_width(name));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  auto total = [&] {
    int sum = 0;
    for (int one : widths) sum += one + kGap;
    return sum - kGap;
  };
  while (!widths.empty() && total() > width) {
    auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kLeastWidth) break;
    --*widest;
  }
  std::string out;
  auto line = [&](const std::vector<std::string>& cells, bool bold) {
    std::string text;
    for (size_t i = 0; i < cells.size(); ++i) {
      std::string cell = clip(cells[i], widths[i]);
      std::string pad(static_cast<size_t>(std::max(0, widths[i] - display_width(cell))), ' ');
      if (bold) cell = terminal.paint(Ink::Bold, cell);
      if (i > 0) text.append(kGap, ' ');
      text += align_[i] == Align::Right ? pad + cell : cell + pad;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text;
    out += '\n';
  };
  if (std::any_of(header_.begin(), header_.end(), [](const auto& name) { return !name.empty(); })) {
    line(header_, true);
  }
  for (const auto& row : rows_) line(row, false);
  return out;
}

}  // namespace xwalk::cli
