#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xwalk::hub {

/// How many different values there are.
struct DistinctCount {
  uint64_t values = 0;
  /// An estimate, within about 2 % of the truth two times of three.
  bool estimated = false;

  friend bool operator==(const DistinctCount&, const DistinctCount&) = default;
};

/// Estimates the number of distinct values from their hashes in little memory by keeping the
/// smallest hashes. Exact while there are few; beyond that, the density of the kept hashes gives
/// the estimate.
class DistinctValues {
 public:
  /// Values counted one by one; 32 KiB of hashes.
  static constexpr size_t kExact = 4096;

  DistinctValues() { recent_.fill(UINT64_MAX); }

  /// Takes the hash of a value, all of whose 64 bits depend on it.
  void add(uint64_t hash) {
    if (hash >= limit_) return;
    uint64_t& recent = recent_[hash % recent_.size()];
    if (recent == hash) return;
    recent = hash;
    hashes_.push_back(hash);
    if (hashes_.size() >= 2 * kExact) settle();
  }
  void merge(const DistinctValues& other);
  DistinctCount count() const;

 private:
  /// Sorts, drops duplicates, and keeps only the smallest.
  void settle();

  std::vector<uint64_t> hashes_;
  /// Hashes from here on are not kept.
  uint64_t limit_ = UINT64_MAX;
  /// The latest values. In a column with few different values, most are among them.
  std::array<uint64_t, 64> recent_;
};

/// Returns a number every bit of which depends on all bits of `bits`; different for different ones.
inline uint64_t mixed(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

}  // namespace xwalk::hub
