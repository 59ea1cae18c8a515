#include "xwalk/duckdb/rejects.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace xwalk::duckdb {
namespace {

/// Returns how many bytes a row takes, with what the allocator adds to its texts.
size_t size_of(const Reject& reject) {
  constexpr size_t kTexts = 6 * 16;
  const Error& error = reject.row.error;
  return sizeof(Reject) + kTexts + reject.input.size() + reject.row.source_bytes.size() +
         error.message().size() + error.hint().size() + error.place().file.size() +
         error.place().snippet.size();
}

}  // namespace

uint64_t Rejects::begin_scan() {
  const std::scoped_lock lock(mutex_);
  return ++scans_;
}

void Rejects::add(uint64_t connection, uint64_t scan, const std::string& input,
                  std::vector<hub::BadRow> rows) {
  const std::scoped_lock lock(mutex_);
  for (hub::BadRow& row : rows) {
    if (row.source_bytes.size() > kBytes / 4) row.source_bytes = {};
    row.source_bytes.shrink_to_fit();
    kept_.push_back(
        std::make_shared<const Reject>(Reject{connection, scan, input, std::move(row)}));
    bytes_ += size_of(*kept_.back());
    for (; bytes_ > kBytes; kept_.pop_front()) bytes_ -= size_of(*kept_.front());
  }
}

std::vector<std::shared_ptr<const Reject>> Rejects::of(uint64_t connection) const {
  std::vector<std::shared_ptr<const Reject>> found;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& reject : kept_) {
      if (reject->connection == connection) found.push_back(reject);
    }
  }
  // Threads leave rows out as they come to them.
  std::ranges::stable_sort(found, {}, [](const auto& reject) {
    return std::pair(reject->scan, reject->row.error.place().row.value_or(0));
  });
  return found;
}

}  // namespace xwalk::duckdb
