#include "xwalk/crosswalk/reader_values.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "xwalk/hub/children.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::crosswalk {
namespace {

using hub::Array;
using hub::Type;

/// Elements of an array.
using Indices = std::vector<int64_t>;

/// Counts at one place, whose conditions its counts follow.
struct Target {
  std::span<const ValueCondition> conditions;
  std::vector<ValueCount>* counts;
};

void count_nulls(uint64_t nulls, const Target& target) {
  for (size_t i = 0; i < target.conditions.size(); ++i) {
    if (target.conditions[i].kind != ValueCondition::Kind::Null) continue;
    (*target.counts)[i].affected += nulls;
    (*target.counts)[i].values += nulls;
  }
}

void count_values(const Array& array, const Type& type, const Indices& at, const Target& target) {
  for (size_t i = 0; i < target.conditions.size(); ++i) {
    const ValueCondition& condition = target.conditions[i];
    const auto affected = std::ranges::count_if(
        at, [&](int64_t index) { return meets(condition, array, type, index); });
    (*target.counts)[i].affected += static_cast<uint64_t>(affected);
    (*target.counts)[i].values += at.size();
  }
}

void visit(const Array& array, const Type& type, std::span<const size_t> below, Indices at,
           const Target& target);

/// Visits the values of a dictionary or of runs, each as often as it occurs.
void visit_encoded(const Array& array, const Type& type, std::span<const size_t> below, Indices at,
                   const Target& target) {
  const bool is_dictionary = type.kind() == hub::Kind::Dictionary;
  const hub::Kind index_kind = is_dictionary ? type.index_kind() : hub::Kind::Int32;
  for (int64_t& index : at) {
    index =
        is_dictionary ? hub::integer_at(array, index_kind, index) : hub::run_at(array, type, index);
  }
  if (is_dictionary)
    return visit(*array.dictionary, type.child().type, below, std::move(at), target);
  visit(array.children[1], type.child(1).type, below, std::move(at), target);
}

/// Visits one child of the elements.
void visit_child(const Array& array, const Type& type, std::span<const size_t> below,
                 const Indices& at, const Target& target) {
  const size_t child = below.front();
  const auto rest = below.subspan(1);
  Indices inside;
  if (type.kind() == hub::Kind::Struct) {
    for (const int64_t index : at) inside.push_back(array.slot(index));
    return visit(array.children[child], type.child(child).type, rest, std::move(inside), target);
  }
  if (type.kind() == hub::Kind::DenseUnion || type.kind() == hub::Kind::SparseUnion) {
    for (const int64_t index : at) {
      const auto [alternative, slot] = hub::alternative_at(array, type, index);
      if (alternative == child) inside.push_back(slot);
    }
    return visit(array.children[child], type.child(child).type, rest, std::move(inside), target);
  }
  for (const int64_t index : at) {
    const auto [first, size] = hub::items_at(array, type, index);
    for (int64_t item = first; item < first + size; ++item) inside.push_back(item);
  }
  const Array& items = array.children[0];
  if (type.kind() != hub::Kind::Map) {
    return visit(items, type.child().type, rest, std::move(inside), target);
  }
  for (int64_t& entry : inside) entry = items.slot(entry);
  const hub::Field& member = child == 0 ? type.key() : type.value();
  visit(items.children[child], member.type, rest, std::move(inside), target);
}

void visit(const Array& array, const Type& type, std::span<const size_t> below, Indices at,
           const Target& target) {
  const auto nulls = std::erase_if(at, [&](int64_t index) { return array.is_null(index); });
  if (below.empty()) count_nulls(nulls, target);
  if (at.empty()) return;
  if (hub::is_encoded(type)) return visit_encoded(array, type, below, std::move(at), target);
  if (below.empty()) return count_values(array, type, at, target);
  visit_child(array, type, below, at, target);
}

}  // namespace

ReaderValues::ReaderValues(const hub::Schema& schema, const Misreadings& readers) {
  Conditions wanted;
  for (const ReaderRemark& remark : readers.remarks) {
    if (!remark.condition.is_given()) continue;
    std::vector<ValueCondition>& there = wanted[remark.path];
    if (std::ranges::find(there, remark.condition) == there.end())
      there.push_back(remark.condition);
  }
  if (wanted.empty()) return;
  std::vector<size_t> above;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    above = {i};
    find(schema.fields[i], Path::column(schema.fields[i].name), &above, wanted);
  }
}

void ReaderValues::find(const hub::Field& field, const Path& path, std::vector<size_t>* above,
                        const Conditions& wanted) {
  if (const auto found = wanted.find(path); found != wanted.end()) {
    Place place{*above, found->second, {}};
    std::erase_if(place.conditions, [&](const ValueCondition& condition) {
      return !can_judge(condition, hub::without_encoding(field.type));
    });
    place.counts.resize(place.conditions.size());
    index_.emplace(path, places_.size());
    places_.push_back(std::move(place));
  }
  const std::vector<hub::Child> children = hub::children_of(field.type, path);
  for (size_t i = 0; i < children.size(); ++i) {
    above->push_back(i);
    find(*children[i].field, children[i].path, above, wanted);
    above->pop_back();
  }
}

void ReaderValues::add(const hub::Schema& schema, const hub::Batch& batch) {
  Indices rows;
  auto bad = batch.bad.begin();
  for (int64_t row = 0; row < batch.rows(); ++row) {
    if (bad != batch.bad.end() && bad->index == row) {
      while (bad != batch.bad.end() && bad->index == row) ++bad;
      continue;
    }
    rows.push_back(batch.array.slot(row));
  }
  for (Place& place : places_) {
    std::vector<ValueCount> counts(place.conditions.size());
    const size_t column = place.children.front();
    visit(batch.array.children[column], schema.fields[column].type,
          std::span(place.children).subspan(1), rows, {place.conditions, &counts});
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < counts.size(); ++i) {
      place.counts[i].affected += counts[i].affected;
      place.counts[i].values += counts[i].values;
    }
  }
}

void ReaderValues::give(bool is_part, Misreadings* readers) const {
  for (ReaderRemark& remark : readers->remarks) {
    const auto at = index_.find(remark.path);
    if (at == index_.end()) continue;
    const Place& place = places_[at->second];
    const auto found = std::ranges::find(place.conditions, remark.condition);
    if (found == place.conditions.end()) continue;
    const ValueCount& count = place.counts[static_cast<size_t>(found - place.conditions.begin())];
    if (!is_part || count.affected > 0) remark.count = count;
  }
}

}  // namespace xwalk::crosswalk
