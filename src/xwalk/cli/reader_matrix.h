#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/modules.h"

namespace xwalk::cli {

/// How the readers of a system interpret a column of one type, in the order of
/// `crosswalk::readers_of`; "" if it is read correctly.
struct ReaderLine {
  std::string type;
  std::vector<std::string> remarks;
};

/// The results of the readers of one system.
struct ReaderMatrix {
  crosswalk::System system;
  std::vector<ReaderLine> lines;
};

/// Asks every reader of a type of each kind that it could meet.
std::vector<ReaderMatrix> reader_matrices();

/// Prints them: one paragraph a type, tables, an array, a page.
std::string matrix_text(const std::vector<ReaderMatrix>& matrices);
std::string matrix_markdown(const std::vector<ReaderMatrix>& matrices);
std::string matrix_json(const std::vector<ReaderMatrix>& matrices);
std::string matrix_html(const std::vector<ReaderMatrix>& matrices);

}  // namespace xwalk::cli
