#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/rows/spilled_rows.h"

namespace xwalk::io {

/// Sorts rows by one of their columns in a bounded memory: rows beyond that are sorted in parts,
/// written to temporary files, and merged. Rows with equal keys keep their order.
class RowSorter final : public hub::BatchWriter {
 public:
  /// Rows of a type without dictionaries, runs or views at any depth. The key is a Binary column
  /// without nulls, whose bytes are compared. `memory` is the limit in bytes before rows are
  /// written to disk.
  RowSorter(hub::Type type, size_t key, uint64_t memory);

  void write(hub::Batch batch) override;
  void finish() override;

  /// Returns the next rows in order, nothing at the end; after `finish`.
  std::optional<hub::Array> next();

 private:
  class Merger;

  hub::Array take_sorted();
  void spill(const hub::Array& sorted);
  void add_run(SpilledRows run, size_t level);

  hub::Type type_;
  size_t key_;
  int64_t memory_;
  std::vector<hub::Array> held_;
  int64_t held_bytes_ = 0;
  /// Runs by how often they were merged, each in the order of the input.
  std::vector<std::vector<SpilledRows>> runs_;
  std::optional<hub::Array> only_;
  std::shared_ptr<Merger> merger_;
};

}  // namespace xwalk::io
