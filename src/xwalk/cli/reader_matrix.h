#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xwalk::cli {

/// What every known reader makes of one type of a Parquet column, in the order of
/// `crosswalk::known_readers`; "" where it reads it as it is meant.
struct ReaderLine {
  std::string type;
  std::vector<std::string> remarks;
};

/// Asks every reader of a type of each kind.
std::vector<ReaderLine> reader_matrix();

/// Prints them: one paragraph a type, a table, an array, a page.
std::string matrix_text(const std::vector<ReaderLine>& lines);
std::string matrix_markdown(const std::vector<ReaderLine>& lines);
std::string matrix_json(const std::vector<ReaderLine>& lines);
std::string matrix_html(const std::vector<ReaderLine>& lines);

}  // namespace xwalk::cli
