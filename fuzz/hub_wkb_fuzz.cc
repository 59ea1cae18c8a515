// WKB against a slow reader that makes a tree of values: both accept the same bytes, a fault lies
// within them, and values that were read are written as WKB in the other byte order.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/hub/wkb.h"

namespace xwalk::fuzz {
namespace {

struct Geometry {
  uint32_t code = 0;
  std::vector<std::vector<uint64_t>> runs;
  std::vector<Geometry> members;
};

/// Reads one byte at a time, by the recursive definition of the specification.
class SlowReader {
 public:
  explicit SlowReader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Geometry> value() {
    std::optional<Geometry> out = geometry(0);
    if (at_ != bytes_.size()) return std::nullopt;
    return out;
  }

 private:
  std::optional<uint64_t> number(size_t size, bool little) {
    if (bytes_.size() - at_ < size) return std::nullopt;
    uint64_t out = 0;
    for (size_t i = 0; i < size; ++i) {
      const size_t place = little ? size - 1 - i : i;
      out = out << 8 | static_cast<uint8_t>(bytes_[at_ + place]);
    }
    at_ += size;
    return out;
  }

  bool run(bool little, uint64_t numbers, Geometry* out) {
    std::vector<uint64_t>& run = out->runs.emplace_back();
    for (uint64_t i = 0; i < numbers; ++i) {
      const auto coordinate = number(8, little);
      if (!coordinate) return false;
      run.push_back(*coordinate);
    }
    return true;
  }

  std::optional<Geometry> geometry(int depth) {
    if (depth > 100) return std::nullopt;
    const auto order = number(1, true);
    if (!order || *order > 1) return std::nullopt;
    const bool little = *order == 1;
    const auto code = number(4, little);
    if (!code || *code >= 4000 || *code % 1000 < 1 || *code % 1000 > 7) return std::nullopt;
    Geometry out;
    out.code = static_cast<uint32_t>(*code);
    const uint64_t shape = *code % 1000;
    const uint64_t each = 2 + (*code / 1000 != 0 ? 1 : 0) + (*code / 1000 == 3 ? 1 : 0);
    if (shape == 1) return run(little, each, &out) ? std::optional(out) : std::nullopt;
    const auto count = number(4, little);
    if (!count) return std::nullopt;
    if (shape == 2) return run(little, *count * each, &out) ? std::optional(out) : std::nullopt;
    for (uint64_t i = 0; i < *count; ++i) {
      if (shape == 3) {
        const auto points = number(4, little);
        if (!points || !run(little, *points * each, &out)) return std::nullopt;
        continue;
      }
      const auto member = geometry(depth + 1);
      if (!member || (shape < 7 && member->code % 1000 != shape - 3)) return std::nullopt;
      out.members.push_back(*member);
    }
    return out;
  }

  std::string_view bytes_;
  size_t at_ = 0;
};

void put(uint64_t value, size_t size, std::string* out) {
  for (size_t i = size; i-- > 0;) out->push_back(static_cast<char>(value >> (8 * i)));
}

/// Writes most significant bytes first.
void write(const Geometry& geometry, std::string* out) {
  const uint32_t shape = geometry.code % 1000;
  put(0, 1, out);
  put(geometry.code, 4, out);
  const size_t each = 2 + (geometry.code / 1000 != 0 ? 1 : 0) + (geometry.code / 1000 == 3 ? 1 : 0);
  if (shape == 3) put(geometry.runs.size(), 4, out);
  if (shape > 3) put(geometry.members.size(), 4, out);
  for (const std::vector<uint64_t>& run : geometry.runs) {
    if (shape != 1) put(run.size() / each, 4, out);
    for (const uint64_t number : run) put(number, 8, out);
  }
  for (const Geometry& member : geometry.members) write(member, out);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view bytes) {
  const Allowance for_the_tree;
  const std::optional<Geometry> geometry = SlowReader(bytes).value();
  require(hub::is_wkb(bytes) == geometry.has_value());
  const std::optional<hub::WkbFault> fault = hub::find_wkb_fault(bytes);
  require(fault.has_value() != geometry.has_value());
  if (fault) {
    require(fault->offset <= bytes.size() && !fault->reason.empty(), "a fault has a place",
            fault->reason);
    return;
  }
  require(hub::wkb_type(bytes) == geometry->code && !hub::wkb_type_name(geometry->code).empty());
  std::string other;
  write(*geometry, &other);
  require(other.size() == bytes.size() && hub::is_wkb(other), "the other byte order", bytes);
  require(hub::wkb_type(other) == geometry->code);
}

}  // namespace xwalk::fuzz
