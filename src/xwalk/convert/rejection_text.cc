#include "xwalk/convert/rejection_text.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/shortened.h"

namespace xwalk::io {

std::string rejection_text(const Error& error, const std::string& file) {
  const Place& place = error.place();
  std::string out = place.file.empty() ? file : place.file;
  if (place.line) {
    out += fmt::format("{}{}", out.empty() ? "line " : ":", *place.line);
  } else if (place.row) {
    out += fmt::format("{}row {}", out.empty() ? "" : ": ", *place.row);
  }
  if (!out.empty()) out += ": ";
  if (!place.path.empty()) out += shortened_path(place.path.text()) + ": ";
  return out + shortened(error.message());
}

void count_rejected(const hub::BadRow& bad, RowsByPath* rows) {
  const Place& place = bad.error.place();
  Path there = place.path.in_schema();
  report::PathRows& rejected = (*rows)[there.text()];
  if (rejected.rejected++ > 0) return;
  rejected.path = std::move(there);
  rejected.first = bad.error.message();
  rejected.first_row = place.row;
}

}  // namespace xwalk::io
