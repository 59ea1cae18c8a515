#include "xwalk/hub/facts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace xwalk::hub {
namespace {

void add_number(const std::optional<uint64_t>& more, std::optional<uint64_t>* all) {
  *all = *all && more ? std::optional(**all + *more) : std::nullopt;
}

}  // namespace

void add_geospatial(const GeospatialFacts& more, GeospatialFacts* all) {
  for (size_t axis = 0; axis < all->box.size(); ++axis) {
    std::optional<GeospatialFacts::Range>& range = all->box.at(axis);
    const std::optional<GeospatialFacts::Range>& other = more.box.at(axis);
    if (range == other) continue;
    if (!range || !other || range->least > range->greatest || other->least > other->greatest) {
      range.reset();
      continue;
    }
    range->least = std::min(range->least, other->least);
    range->greatest = std::max(range->greatest, other->greatest);
  }
  if (all->types.empty() || more.types.empty()) {
    all->types.clear();
  } else {
    all->types.insert(more.types.begin(), more.types.end());
  }
}

void add_facts(FileFacts more, FileFacts* all) {
  add_number(more.rows, &all->rows);
  add_number(more.bytes, &all->bytes);
  if (all->pieces_are.empty()) all->pieces_are = more.pieces_are;
  all->pieces += more.pieces;
  all->compression.merge(more.compression);
  all->writers.merge(more.writers);
  all->versions.merge(more.versions);
  std::map<std::string, ColumnFacts*> by_path;
  for (ColumnFacts& column : more.columns) by_path.emplace(column.path.text(), &column);
  for (ColumnFacts& column : all->columns) {
    const auto found = by_path.find(column.path.text());
    if (found == by_path.end()) {
      column = {.path = column.path};
      continue;
    }
    ColumnFacts& other = *found->second;
    add_number(other.nulls, &column.nulls);
    add_number(other.nans, &column.nans);
    add_number(other.bytes, &column.bytes);
    if (column.geospatial && other.geospatial) {
      add_geospatial(*other.geospatial, &*column.geospatial);
    } else {
      column.geospatial.reset();
    }
    // Values may be in both.
    column.distinct.reset();
    column.shortened = column.shortened || other.shortened;
    if (column.values && other.values && column.values->is_like(*other.values)) {
      column.values->merge(*other.values);
    } else {
      column.values.reset();
    }
  }
}

}  // namespace xwalk::hub
