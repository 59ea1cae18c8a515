#include "xwalk/duckdb/rejects.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace xwalk::duckdb {

uint64_t Rejects::begin_scan() {
  const std::scoped_lock lock(mutex_);
  return ++scans_;
}

void Rejects::add(uint64_t connection, uint64_t scan, const std::string& input,
                  std::vector<hub::BadRow> rows) {
  const std::scoped_lock lock(mutex_);
  for (hub::BadRow& row : rows) kept_.push_back({connection, scan, input, std::move(row)});
  while (kept_.size() > kKept) kept_.pop_front();
}

std::vector<Reject> Rejects::of(uint64_t connection) const {
  std::vector<Reject> found;
  {
    const std::scoped_lock lock(mutex_);
    for (const Reject& reject : kept_) {
      if (reject.connection == connection) found.push_back(reject);
    }
  }
  // Threads leave rows out as they come to them.
  std::ranges::stable_sort(found, {}, [](const Reject& reject) {
    return std::pair(reject.scan, reject.row.error.place().row.value_or(0));
  });
  return found;
}

}  // namespace xwalk::duckdb
