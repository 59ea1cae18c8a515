#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "xwalk/hub/finding.h"

namespace xwalk::duckdb {

/// What reading an input has shown that no column says, such as types that were inferred.
struct Note {
  uint64_t connection = 0;
  std::string input;
  hub::Finding finding;
};

/// The notes on the inputs that the connections of one database have read: the latest `kMost`.
/// May be used by several threads.
class Notes {
 public:
  static constexpr size_t kMost = 1000;

  /// Adds notes; those that are known move to the end.
  void add(uint64_t connection, const std::string& input, hub::Findings findings);
  /// Returns those of a connection, the oldest first.
  std::vector<Note> of(uint64_t connection) const;

 private:
  mutable std::mutex mutex_;
  std::deque<Note> kept_;
};

}  // namespace xwalk::duckdb
