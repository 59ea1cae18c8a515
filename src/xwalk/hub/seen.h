#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/int128.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/domain.h"

namespace xwalk::hub {

/// Smallest and largest value of one path, in the text form of its values.
struct SeenRange {
  Path path;
  std::string smallest;
  std::string largest;
};

/// Watches the batches of a schema and keeps the smallest and the largest value of every path that
/// holds integers, dates, times, instants, durations, decimals of up to 128 bits, floats or
/// doubles; nulls, nan and bad rows do not count. Paths behind dictionaries, run-ends, views of
/// lists and unions are not looked at. Not thread-safe: each thread has its own, merged at the end.
class SeenValues {
 public:
  explicit SeenValues(const Schema& schema);

  void add(const Batch& batch);
  void merge(const SeenValues& other);
  /// Returns the paths of which a value was seen, in schema order.
  std::vector<SeenRange> ranges() const;

 private:
  /// One node of the schema; children are the nodes of the type's children.
  struct Node {
    Path path;
    Field field;
    std::vector<size_t> children;
    bool seen = false;
    Int128 low = 0;
    Int128 high = 0;
    double least = 0;
    double greatest = 0;
  };

  size_t add_node(const Field& field, const Path& path);
  void visit(size_t node, const Array& array, int64_t begin, int64_t end);
  void visit_children(size_t node, const Array& array, int64_t begin, int64_t end);
  void visit_values(Node& node, const Array& array, int64_t begin, int64_t end);

  std::vector<Node> nodes_;
  std::vector<size_t> columns_;
};

}  // namespace xwalk::hub
