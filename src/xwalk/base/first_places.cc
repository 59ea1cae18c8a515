#include "xwalk/base/first_places.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace xwalk {
namespace {

uint32_t hash_of(std::string_view name) {
  const size_t hash = std::hash<std::string_view>()(name);
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

// Half of the slots stay empty.
FirstPlaces::FirstPlaces(size_t count) : slots_(std::bit_ceil(2 * std::max<size_t>(count, 1))) {
  entries_.reserve(count);
}

size_t FirstPlaces::add(std::string_view name, size_t place) {
  const uint32_t hash = hash_of(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.entry != 0) return entries_[slot.entry - 1].place;
  entries_.push_back({name, place});
  slot = {hash, static_cast<uint32_t>(entries_.size())};
  return place;
}

std::optional<size_t> FirstPlaces::find(std::string_view name) const {
  const Slot& slot = slots_[slot_of(name, hash_of(name))];
  if (slot.entry == 0) return std::nullopt;
  return entries_[slot.entry - 1].place;
}

size_t FirstPlaces::slot_of(std::string_view name, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].entry != 0; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && entries_[slots_[at].entry - 1].name == name) break;
  }
  return at;
}

}  // namespace xwalk
