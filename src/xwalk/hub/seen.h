#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/int128.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/distinct.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/histogram.h"
#include "xwalk/hub/row_text.h"

namespace xwalk::hub {

/// Smallest and largest value of one path, in the text form of its values.
struct SeenRange {
  Path path;
  std::string smallest;
  std::string largest;
};

/// What was seen of one path.
struct SeenPath {
  Path path;
  /// Elements that are null although their parent is not.
  uint64_t nulls = 0;
  /// Empty if no value was seen, or if values are not examined.
  std::optional<SeenRange> range;
  std::optional<DistinctCount> distinct;
  /// Of floats and doubles: values that are NaN.
  std::optional<uint64_t> nans;
  /// Numbers, times and decimals by value, text and bytes by their length in bytes; no counts for
  /// others.
  Histogram::Bars histogram = {};
  /// Values of any type: how many there are of each kind, and the bytes of all of them.
  std::vector<std::pair<std::string_view, uint64_t>> kinds;
  std::optional<uint64_t> value_bytes;
};

/// What is recorded: the ranges of numbers and times, or of all ordered values, the number of
/// distinct values, and nulls.
enum class Looking : uint8_t { Numbers, Everything };

/// Watches the batches of a schema and keeps the smallest and the largest value of every path that
/// holds integers, dates, times, timestamps, durations, decimals of up to 128 bits, floats or
/// doubles. Nulls, nan and bad rows do not count. `Looking::Everything` adds booleans, text and
/// bytes (compared by their first 64 KiB; longer ones end with `…`). Values of any type, in YSON
/// and in VARIANT, have no order: their kinds are counted. Paths below dictionaries, run-ends, list
/// views and unions are skipped. Not thread-safe: each thread has its own, merged at the end.
class SeenValues {
 public:
  /// `holds_yson` finds the columns whose bytes are values of any type.
  explicit SeenValues(const Schema& schema, Looking looking = Looking::Numbers,
                      HoldsYson holds_yson = nullptr);

  void add(const Batch& batch);
  void merge(const SeenValues& other);
  /// Returns whether the other looks at values of the same types, so that they can be merged.
  bool is_like(const SeenValues& other) const;
  /// Returns the paths of which a value was seen, in schema order.
  std::vector<SeenRange> ranges(HoldsYson holds_yson = nullptr) const;
  /// Returns what was seen of every path, in schema order, of `Looking::Everything`.
  std::vector<SeenPath> paths(HoldsYson holds_yson = nullptr) const;

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
    // Everything:
    std::string first;
    std::string last;
    uint64_t nulls = 0;
    uint64_t values = 0;
    uint64_t nans = 0;
    DistinctValues distinct;
    Histogram histogram = Histogram();
    /// Of `kValueKinds`; empty for other fields.
    std::vector<uint64_t> kinds;
    uint64_t value_bytes = 0;
  };

  size_t add_node(const Field& field, const Path& path, HoldsYson holds_yson);
  void visit(size_t node, const Array& array, int64_t begin, int64_t end);
  void visit_children(size_t node, const Array& array, int64_t begin, int64_t end);
  void visit_values(Node& node, const Array& array, int64_t begin, int64_t end);
  static void count_kinds(Node& node, const Array& array, int64_t begin, int64_t end);
  void visit_bytes(Node& node, const Array& array, int64_t begin, int64_t end) const;
  static void count_sizes(Node& node, const Array& array, int64_t begin, int64_t end);
  void count_values(Node& node, const Array& array, int64_t begin, int64_t end) const;
  bool is_value(Kind kind) const;
  static SeenRange range_of(const Node& node, HoldsYson holds_yson);

  Looking looking_;
  std::vector<Node> nodes_;
  std::vector<size_t> columns_;
};

}  // namespace xwalk::hub
