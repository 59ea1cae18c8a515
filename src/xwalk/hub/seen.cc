#include "xwalk/hub/seen.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "xwalk/hub/value_at.h"

namespace xwalk::hub {
namespace {

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

Extremes extremes_of(Kind kind) {
  switch (kind) {
    case Kind::Int8:
      return whole<int8_t>;
    case Kind::Int16:
      return whole<int16_t>;
    case Kind::Int32:
    case Kind::Date32:
    case Kind::Time32:
    case Kind::Decimal32:
      return whole<int32_t>;
    case Kind::Int64:
    case Kind::Date64:
    case Kind::Time64:
    case Kind::Timestamp:
    case Kind::Duration:
    case Kind::Decimal64:
      return whole<int64_t>;
    case Kind::Uint8:
      return whole<uint8_t>;
    case Kind::Uint16:
      return whole<uint16_t>;
    case Kind::Uint32:
      return whole<uint32_t>;
    case Kind::Uint64:
      return whole<uint64_t>;
    case Kind::Decimal128:
      return whole<Int128>;
    default:
      return nullptr;
  }
}

bool is_real(Kind kind) { return kind == Kind::Float || kind == Kind::Double; }

}  // namespace

SeenValues::SeenValues(const Schema& schema) {
  for (const Field& field : schema.fields) {
    columns_.push_back(add_node(field, Path::column(field.name)));
  }
}

size_t SeenValues::add_node(const Field& field, const Path& path) {
  const size_t self = nodes_.size();
  nodes_.push_back({path, field, {}});
  std::vector<size_t> children;
  const Type& type = field.type;
  switch (type.kind()) {
    case Kind::Struct:
      for (const Field& child : type.children()) {
        children.push_back(add_node(child, path.field(child.name)));
      }
      break;
    case Kind::Map:
      children = {add_node(type.key(), path.map_key()), add_node(type.value(), path.map_value())};
      break;
    case Kind::List:
    case Kind::LargeList:
    case Kind::FixedSizeList:
      children = {add_node(type.child(), path.item())};
      break;
    default:
      break;
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
  const Kind kind = nodes_[node].field.type.kind();
  const bool is_value = extremes_of(kind) != nullptr || is_real(kind);
  if (!is_value && nodes_[node].children.empty()) return;
  for_valid_runs(array, begin, end, [&](int64_t from, int64_t to) {
    if (is_value) {
      visit_values(nodes_[node], array, from, to);
    } else {
      visit_children(node, array, from, to);
    }
  });
}

void SeenValues::visit_children(size_t node, const Array& array, int64_t begin, int64_t end) {
  const std::vector<size_t>& children = nodes_[node].children;
  const Type& type = nodes_[node].field.type;
  auto child = [&](const Array& of, size_t index, int64_t from, int64_t to) {
    visit(children[index], of.children[index], from, to);
  };
  switch (type.kind()) {
    case Kind::Struct:
      for (size_t i = 0; i < children.size(); ++i) {
        child(array, i, array.slot(begin), array.slot(end));
      }
      return;
    case Kind::FixedSizeList:
      child(array, 0, array.slot(begin) * type.size(), array.slot(end) * type.size());
      return;
    // Elements of a run of lists lie one behind the other.
    case Kind::List:
      child(array, 0, array.first_item(begin), array.first_item(end));
      return;
    case Kind::LargeList:
      child(array, 0, array.value<int64_t>(begin), array.value<int64_t>(end));
      return;
    case Kind::Map: {
      const Array& entries = array.children[0];
      const int64_t from = entries.slot(array.first_item(begin));
      const int64_t to = entries.slot(array.first_item(end));
      child(entries, 0, from, to);
      child(entries, 1, from, to);
      return;
    }
    default:
      return;
  }
}

void SeenValues::visit_values(Node& node, const Array& array, int64_t begin, int64_t end) {
  const Kind kind = node.field.type.kind();
  if (const Extremes find = extremes_of(kind)) {
    const auto [low, high] = find(array, begin, end);
    node.low = node.seen ? std::min(node.low, low) : low;
    node.high = node.seen ? std::max(node.high, high) : high;
    node.seen = true;
    return;
  }
  for (int64_t index = begin; index < end; ++index) {
    const double value = real_at(array, kind, index);
    if (std::isnan(value)) continue;
    node.least = node.seen ? std::min(node.least, value) : value;
    node.greatest = node.seen ? std::max(node.greatest, value) : value;
    node.seen = true;
  }
}

void SeenValues::merge(const SeenValues& other) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Node& mine = nodes_[i];
    const Node& theirs = other.nodes_[i];
    if (!theirs.seen) continue;
    mine.low = mine.seen ? std::min(mine.low, theirs.low) : theirs.low;
    mine.high = mine.seen ? std::max(mine.high, theirs.high) : theirs.high;
    mine.least = mine.seen ? std::min(mine.least, theirs.least) : theirs.least;
    mine.greatest = mine.seen ? std::max(mine.greatest, theirs.greatest) : theirs.greatest;
    mine.seen = true;
  }
}

std::vector<SeenRange> SeenValues::ranges() const {
  std::vector<SeenRange> out;
  for (const Node& node : nodes_) {
    if (!node.seen) continue;
    if (is_real(node.field.type.kind())) {
      out.push_back({node.path, fmt::format("{}", node.least), fmt::format("{}", node.greatest)});
      continue;
    }
    const Domain domain = domain_of(node.field);
    out.push_back({node.path, value_text(domain, node.low), value_text(domain, node.high)});
  }
  return out;
}

}  // namespace xwalk::hub
