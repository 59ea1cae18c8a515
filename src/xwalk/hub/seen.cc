#include "xwalk/hub/seen.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/hub/value_kinds.h"
#include "xwalk/hub/variant.h"

namespace xwalk::hub {
namespace {

/// The smallest and largest text are kept up to this many bytes.
constexpr size_t kKeptBytes = size_t{1} << 16;

/// Calls `run(begin, end)` for each run of valid elements.
template <typename Run>
void for_valid_runs(const Array& array, int64_t begin, int64_t end, Run run) {
  if (array.null_count == 0) {
    if (begin < end) run(begin, end);
    return;
  }
  for (int64_t at = begin; at < end;) {
    while (at < end && array.is_null(at)) ++at;
    const int64_t first = at;
    while (at < end && !array.is_null(at)) ++at;
    if (first < at) run(first, at);
  }
}

/// Least and greatest of the elements [begin, end), which are not empty.
template <typename T>
std::pair<T, T> extremes(const Array& array, int64_t begin, int64_t end) {
  T low = array.value<T>(begin);
  T high = low;
  for (int64_t index = begin + 1; index < end; ++index) {
    const T value = array.value<T>(index);
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  return {low, high};
}

using Extremes = std::pair<Int128, Int128> (*)(const Array&, int64_t, int64_t);

template <typename T>
std::pair<Int128, Int128> whole(const Array& array, int64_t begin, int64_t end) {
  const auto [low, high] = extremes<T>(array, begin, end);
  return {low, high};
}

/// Integers, and what is counted in ticks or digits.
Extremes extremes_of(Kind kind) {
  if (is_integer(kind)) {
    return cast::with_integer(kind,
                              [](auto number) -> Extremes { return whole<decltype(number)>; });
  }
  const KindRow& row = kind_row(kind);
  if (row.form != Form::Unit && row.form != Form::Timestamp && row.form != Form::Decimal &&
      kind != Kind::Date32 && kind != Kind::Date64) {
    return nullptr;
  }
  if (row.bits == 32) return whole<int32_t>;
  if (row.bits == 64) return whole<int64_t>;
  return row.bits == 128 ? whole<Int128> : nullptr;
}

bool is_real(Kind kind) { return kind == Kind::Float || kind == Kind::Double; }

/// Text and bytes, of a fixed size or not.
bool holds_bytes(Kind kind) {
  constexpr std::array kKinds = {Kind::Utf8,           Kind::LargeUtf8,   Kind::Utf8View,
                                 Kind::Binary,         Kind::LargeBinary, Kind::BinaryView,
                                 Kind::FixedSizeBinary};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

/// Returns a hash that distinguishes the value from others of its type.
uint64_t hash_at(const Array& array, const Type& type, int64_t index) {
  const Kind kind = type.kind();
  if (kind == Kind::Bool) return mixed(array.bit(index) ? 1 : 0);
  if (holds_bytes(kind)) return mixed(std::hash<std::string_view>()(bytes_at(array, type, index)));
  if (is_real(kind)) {
    // Both zeros are one number, and NaN is one value.
    const double value = real_at(array, kind, index);
    return mixed(std::bit_cast<uint64_t>(std::isnan(value) ? std::nan("") : value + 0.0));
  }
  if (is_decimal(kind)) {
    const auto value = array.value<Int128>(index);
    return mixed(mixed(static_cast<uint64_t>(value >> 64)) ^ static_cast<uint64_t>(value));
  }
  return mixed(static_cast<uint64_t>(integer_at(array, kind, index)));
}

std::string text_of(const Field& field, std::string_view bytes, HoldsYson holds_yson) {
  if (bytes.size() < kKeptBytes) return cell_text(field, bytes, holds_yson);
  // Does not cut inside a UTF-8 character.
  const size_t text = utf8_prefix(bytes);
  const std::string_view whole = text + 4 > bytes.size() ? bytes.substr(0, text) : bytes;
  return cell_text(field, whole, holds_yson) + "…";
}

}  // namespace

SeenValues::SeenValues(const Schema& schema, Looking looking, HoldsYson holds_yson)
    : looking_(looking) {
  for (const Field& field : schema.fields) {
    columns_.push_back(add_node(field, Path::column(field.name), holds_yson));
  }
}

size_t SeenValues::add_node(const Field& field, const Path& path, HoldsYson holds_yson) {
  const size_t self = nodes_.size();
  nodes_.push_back({path, field, {}});
  nodes_[self].histogram = Histogram(!is_real(field.type.kind()));
  if (is_variant(field) || (holds_yson != nullptr && holds_yson(field))) {
    nodes_[self].kinds.resize(kValueKinds.size());
  }
  std::vector<size_t> children;
  const Type& type = field.type;
  if (type.kind() == Kind::Struct) {
    for (const Field& child : type.children()) {
      children.push_back(add_node(child, path.field(child.name), holds_yson));
    }
  } else if (type.kind() == Kind::Map) {
    children = {add_node(type.key(), path.map_key(), holds_yson),
                add_node(type.value(), path.map_value(), holds_yson)};
  } else if (type.kind() == Kind::List || type.kind() == Kind::LargeList ||
             type.kind() == Kind::FixedSizeList) {
    children = {add_node(type.child(), path.item(), holds_yson)};
  }
  nodes_[self].children = std::move(children);
  return self;
}

void SeenValues::add(const Batch& batch) {
  const Array& table = batch.array;
  int64_t begin = 0;
  auto run = [&](int64_t end) {
    for (size_t i = 0; i < columns_.size() && begin < end; ++i) {
      visit(columns_[i], table.children[i], table.slot(begin), table.slot(end));
    }
  };
  for (const BadRow& bad : batch.bad) {
    run(bad.index);
    begin = bad.index + 1;
  }
  run(batch.rows());
}

void SeenValues::visit(size_t node, const Array& array, int64_t begin, int64_t end) {
  const bool values = is_value(nodes_[node].field.type.kind());
  const bool everything = looking_ == Looking::Everything;
  if (!values && !everything && nodes_[node].children.empty()) return;
  int64_t valid = 0;
  for_valid_runs(array, begin, end, [&](int64_t from, int64_t to) {
    valid += to - from;
    if (!nodes_[node].kinds.empty()) count_kinds(nodes_[node], array, from, to);
    if (!values) {
      visit_children(node, array, from, to);
      return;
    }
    if (nodes_[node].kinds.empty()) visit_values(nodes_[node], array, from, to);
    if (everything) count_values(nodes_[node], array, from, to);
  });
  nodes_[node].nulls += static_cast<uint64_t>(end - begin - valid);
}

bool SeenValues::is_value(Kind kind) const {
  if (extremes_of(kind) != nullptr || is_real(kind)) return true;
  return looking_ == Looking::Everything && (kind == Kind::Bool || holds_bytes(kind));
}

void SeenValues::count_sizes(Node& node, const Array& array, int64_t begin, int64_t end) {
  const Type& type = node.field.type;
  const Kind kind = type.kind();
  if (kind == Kind::Bool) return;
  const auto count = [&](const auto& value_at) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (int64_t index = begin; index < end; ++index) {
      const double value = value_at(index);
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (low > high) return;
    node.histogram.extend(low, high);
    for (int64_t index = begin; index < end; ++index) {
      const double value = value_at(index);
      if (std::isfinite(value)) node.histogram.add(value);
    }
  };
  if (holds_bytes(kind)) {
    count([&](int64_t index) { return static_cast<double>(bytes_at(array, type, index).size()); });
  } else if (is_real(kind)) {
    count([&](int64_t index) { return real_at(array, kind, index); });
  } else if (is_integer(kind)) {
    cast::with_integer(kind, [&](auto number) {
      count(
          [&](int64_t index) { return static_cast<double>(array.value<decltype(number)>(index)); });
    });
  } else if (kind_row(kind).bits == 32) {
    count([&](int64_t index) { return static_cast<double>(array.value<int32_t>(index)); });
  } else if (kind_row(kind).bits == 64) {
    count([&](int64_t index) { return static_cast<double>(array.value<int64_t>(index)); });
  } else if (kind_row(kind).bits == 128) {
    count([&](int64_t index) { return static_cast<double>(array.value<Int128>(index)); });
  }
}

void SeenValues::count_values(Node& node, const Array& array, int64_t begin, int64_t end) const {
  if (node.kinds.empty()) count_sizes(node, array, begin, end);
  node.values += static_cast<uint64_t>(end - begin);
  for (int64_t index = begin; index < end; ++index) {
    node.distinct.add(hash_at(array, node.field.type, index));
  }
}

void SeenValues::count_kinds(Node& node, const Array& array, int64_t begin, int64_t end) {
  const Type& type = node.field.type;
  const bool is_struct = type.kind() == Kind::Struct;
  for (int64_t index = begin; index < end; ++index) {
    if (is_struct) {
      const variant::Encoded value = variant_at(array, type, index);
      node.value_bytes += value.metadata.size() + value.value.size();
      ++node.kinds[kind_of_variant(value)];
    } else {
      const std::string_view value = bytes_at(array, type, index);
      node.value_bytes += value.size();
      ++node.kinds[kind_of_yson(value)];
    }
  }
}

void SeenValues::visit_bytes(Node& node, const Array& array, int64_t begin, int64_t end) const {
  const auto kept = [&](int64_t index) {
    return bytes_at(array, node.field.type, index).substr(0, kKeptBytes);
  };
  std::string_view first = node.seen ? node.first : kept(begin);
  std::string_view last = node.seen ? node.last : first;
  for (int64_t index = begin; index < end; ++index) {
    const std::string_view bytes = kept(index);
    if (bytes < first) first = bytes;
    if (bytes > last) last = bytes;
  }
  if (!node.seen || first != node.first) node.first = first;
  if (!node.seen || last != node.last) node.last = last;
  node.seen = true;
}

void SeenValues::visit_children(size_t node, const Array& array, int64_t begin, int64_t end) {
  const std::vector<size_t>& children = nodes_[node].children;
  const Type& type = nodes_[node].field.type;
  auto child = [&](const Array& of, size_t index, int64_t from, int64_t to) {
    visit(children[index], of.children[index], from, to);
  };
  // Elements of consecutive lists are contiguous.
  if (type.kind() == Kind::List) {
    child(array, 0, array.first_item(begin), array.first_item(end));
  } else if (type.kind() == Kind::LargeList) {
    child(array, 0, array.value<int64_t>(begin), array.value<int64_t>(end));
  } else if (type.kind() == Kind::FixedSizeList) {
    child(array, 0, array.slot(begin) * type.size(), array.slot(end) * type.size());
  } else if (type.kind() == Kind::Map) {
    const Array& entries = array.children[0];
    const int64_t from = entries.slot(array.first_item(begin));
    const int64_t to = entries.slot(array.first_item(end));
    child(entries, 0, from, to);
    child(entries, 1, from, to);
  } else {
    for (size_t i = 0; i < children.size(); ++i) {
      child(array, i, array.slot(begin), array.slot(end));
    }
  }
}

void SeenValues::visit_values(Node& node, const Array& array, int64_t begin, int64_t end) {
  const Kind kind = node.field.type.kind();
  if (holds_bytes(kind)) return visit_bytes(node, array, begin, end);
  if (kind == Kind::Bool) {
    for (int64_t index = begin; index < end; ++index) {
      const Int128 value = array.bit(index) ? 1 : 0;
      node.low = node.seen ? std::min(node.low, value) : value;
      node.high = node.seen ? std::max(node.high, value) : value;
      node.seen = true;
    }
    return;
  }
  if (const Extremes find = extremes_of(kind)) {
    const auto [low, high] = find(array, begin, end);
    node.low = node.seen ? std::min(node.low, low) : low;
    node.high = node.seen ? std::max(node.high, high) : high;
    node.seen = true;
    return;
  }
  for (int64_t index = begin; index < end; ++index) {
    const double value = real_at(array, kind, index);
    if (std::isnan(value)) {
      ++node.nans;
      continue;
    }
    node.least = node.seen ? std::min(node.least, value) : value;
    node.greatest = node.seen ? std::max(node.greatest, value) : value;
    node.seen = true;
  }
}

bool SeenValues::is_like(const SeenValues& other) const {
  return std::ranges::equal(nodes_, other.nodes_, [](const Node& a, const Node& b) {
    return a.field.type == b.field.type;
  });
}

void SeenValues::merge(const SeenValues& other) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Node& mine = nodes_[i];
    const Node& theirs = other.nodes_[i];
    mine.nulls += theirs.nulls;
    mine.values += theirs.values;
    mine.nans += theirs.nans;
    // NaN is a value, and has no place among the others.
    mine.distinct.merge(theirs.distinct);
    mine.histogram.merge(theirs.histogram);
    std::ranges::transform(mine.kinds, theirs.kinds, mine.kinds.begin(), std::plus());
    mine.value_bytes += theirs.value_bytes;
    if (!theirs.seen) continue;
    mine.first = mine.seen ? std::min(mine.first, theirs.first) : theirs.first;
    mine.last = mine.seen ? std::max(mine.last, theirs.last) : theirs.last;
    mine.low = mine.seen ? std::min(mine.low, theirs.low) : theirs.low;
    mine.high = mine.seen ? std::max(mine.high, theirs.high) : theirs.high;
    mine.least = mine.seen ? std::min(mine.least, theirs.least) : theirs.least;
    mine.greatest = mine.seen ? std::max(mine.greatest, theirs.greatest) : theirs.greatest;
    mine.seen = true;
  }
}

SeenRange SeenValues::range_of(const Node& node, HoldsYson holds_yson) {
  const Kind kind = node.field.type.kind();
  if (kind == Kind::Bool) {
    return {node.path, node.low == 0 ? "false" : "true", node.high == 0 ? "false" : "true"};
  }
  if (holds_bytes(kind)) {
    return {node.path, text_of(node.field, node.first, holds_yson),
            text_of(node.field, node.last, holds_yson)};
  }
  // The shortest text that is the same number of the type.
  // Both zeros are one number, and writers of statistics choose either.
  const double least = node.least + 0.0;
  const double greatest = node.greatest + 0.0;
  if (kind == Kind::Float) {
    return {node.path, fmt::format("{}", static_cast<float>(least)),
            fmt::format("{}", static_cast<float>(greatest))};
  }
  if (kind == Kind::Double) {
    return {node.path, fmt::format("{}", least), fmt::format("{}", greatest)};
  }
  const Domain domain = domain_of(node.field);
  return {node.path, value_text(domain, node.low), value_text(domain, node.high)};
}

std::vector<SeenRange> SeenValues::ranges(HoldsYson holds_yson) const {
  std::vector<SeenRange> out;
  for (const Node& node : nodes_) {
    if (node.seen) out.push_back(range_of(node, holds_yson));
  }
  return out;
}

std::vector<SeenPath> SeenValues::paths(HoldsYson holds_yson) const {
  std::vector<SeenPath> out;
  for (const Node& node : nodes_) {
    SeenPath& path = out.emplace_back();
    path.path = node.path;
    path.nulls = node.nulls;
    if (node.seen) path.range = range_of(node, holds_yson);
    if (is_value(node.field.type.kind())) {
      path.distinct = node.distinct.count();
      // An estimate may be above what there is.
      path.distinct->values = std::min(path.distinct->values, node.values);
    }
    if (is_real(node.field.type.kind())) path.nans = node.nans;
    path.histogram = node.histogram.bars();
    for (size_t i = 0; i < node.kinds.size(); ++i) {
      if (node.kinds[i] > 0) path.kinds.emplace_back(kValueKinds.at(i), node.kinds[i]);
    }
    if (!node.kinds.empty()) path.value_bytes = node.value_bytes;
  }
  return out;
}

}  // namespace xwalk::hub
