#include "xwalk/hub/seen.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/kinds.h"
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
  if (type.kind() == Kind::Struct) {
    for (const Field& child : type.children()) {
      children.push_back(add_node(child, path.field(child.name)));
    }
  } else if (type.kind() == Kind::Map) {
    children = {add_node(type.key(), path.map_key()), add_node(type.value(), path.map_value())};
  } else if (type.kind() == Kind::List || type.kind() == Kind::LargeList ||
             type.kind() == Kind::FixedSizeList) {
    children = {add_node(type.child(), path.item())};
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
  // Elements of a run of lists lie one behind the other.
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
