#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace xwalk {

/// Finds the first place of each of many names. Nothing is allocated per name, and names are
/// compared only if their hashes are equal.
class FirstPlaces {
 public:
  /// Reserves space for this many names.
  explicit FirstPlaces(size_t count);

  /// Adds the name at a place, which must live as long as this, and returns its first place: this
  /// one, if the name is new.
  size_t add(std::string_view name, size_t place);
  /// Returns the first index of a name; empty if it was not added.
  std::optional<size_t> find(std::string_view name) const;

 private:
  struct Entry {
    std::string_view name;
    size_t place;
  };
  struct Slot {
    uint32_t hash = 0;
    uint32_t entry = 0;  // counted from 1, 0 if the slot is empty
  };

  /// Returns the slot of a name, or the empty one that it would have.
  size_t slot_of(std::string_view name, uint32_t hash) const;

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;
};

}  // namespace xwalk
