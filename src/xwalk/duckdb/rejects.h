#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"

namespace xwalk::duckdb {

/// A row that a scan has left out.
struct Reject {
  uint64_t connection = 0;
  /// Which scan of the database it was, from 1.
  uint64_t scan = 0;
  /// The file, if the error does not name it.
  std::string input;
  hub::BadRow row;
};

/// The rows that scans of one database have left out, the latest that need at most `kBytes` of
/// memory together. Of a row that alone needs a quarter of it, only the reason and the place are
/// kept. May be used by several threads.
class Rejects {
 public:
  static constexpr size_t kBytes = size_t{64} << 20;

  /// Returns the number of a new scan.
  uint64_t begin_scan();
  void add(uint64_t connection, uint64_t scan, const std::string& input,
           std::vector<hub::BadRow> rows);
  /// Returns those of a connection, in order of scans and rows. They are shared, not copied.
  std::vector<std::shared_ptr<const Reject>> of(uint64_t connection) const;

 private:
  mutable std::mutex mutex_;
  uint64_t scans_ = 0;
  size_t bytes_ = 0;
  std::deque<std::shared_ptr<const Reject>> kept_;
};

}  // namespace xwalk::duckdb
