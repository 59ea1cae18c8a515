#pragma once

#include <cstdint>
#include <deque>
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
  /// The file, where the error does not name it.
  std::string input;
  hub::BadRow row;
};

/// The rows that scans of one database have left out, the latest `kKept` of them. May be used by
/// several threads.
class Rejects {
 public:
  static constexpr size_t kKept = 100'000;

  /// Returns the number of a new scan.
  uint64_t begin_scan();
  void add(uint64_t connection, uint64_t scan, const std::string& input,
           std::vector<hub::BadRow> rows);
  /// Returns those of a connection, in order of scans and rows.
  std::vector<Reject> of(uint64_t connection) const;

 private:
  mutable std::mutex mutex_;
  uint64_t scans_ = 0;
  std::deque<Reject> kept_;
};

}  // namespace xwalk::duckdb
