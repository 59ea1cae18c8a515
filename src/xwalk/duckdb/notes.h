#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/finding.h"

namespace xwalk::duckdb {

/// What reading an input has shown that no column says, such as types that were inferred, or what
/// writing an output has changed.
struct Note {
  uint64_t connection = 0;
  std::string file;
  hub::Finding finding;
  /// Of the path in an output, else empty.
  std::optional<hub::Verdict> verdict = {};
};

/// The notes on the files that the connections of one database have read and written: the latest
/// `kMost`.
/// May be used by several threads.
class Notes {
 public:
  static constexpr size_t kMost = 1000;

  /// Adds notes; those that are known move to the end.
  void add(uint64_t connection, const std::string& file, hub::Findings findings);
  /// Adds what a conversion has changed.
  void add(uint64_t connection, const std::string& file, const crosswalk::Plan& plan);
  /// Returns those of a connection, the oldest first.
  std::vector<Note> of(uint64_t connection) const;

 private:
  void add(Note note);

  mutable std::mutex mutex_;
  std::deque<Note> kept_;
};

}  // namespace xwalk::duckdb
