#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// One member of a target struct: where it comes from, and how. Without a source it is null.
struct Member {
  std::optional<size_t> source;
  KernelPtr kernel;
  Type type;
  /// Whether values below null structs may be anything, so that they are made null first.
  bool mask = false;
  /// Whether the target's member is not nullable: nulls below null structs are then none of its
  /// own.
  bool required = false;
};

/// A kernel from a struct to a struct of these members; null if nothing changes.
KernelPtr struct_kernel(std::vector<Member> members, size_t source_count);

/// Elements of a struct, to themselves, unless the struct is null there.
class StructMap final : public RowMap {
 public:
  explicit StructMap(const Array& structs) : structs_(structs) {}
  std::optional<int64_t> holder(int64_t index) const override {
    if (!is_valid(structs_, index)) return std::nullopt;
    return index;
  }

 private:
  const Array& structs_;
};

/// Returns the array with nulls where `shown` is false: what a null above hides may be anything.
/// The array must have validity.
template <typename Shown>
Array masked(const Array& in, Shown shown) {
  Array out = in;
  // Validity and values start at one bit.
  Buffer bits((in.offset + in.length + 7) / 8);
  auto* to = bits.as<uint8_t>();
  std::memset(to, 0, static_cast<size_t>((in.offset + in.length + 7) / 8));
  for (int64_t i = 0; i < in.length; ++i) {
    if (shown(i) && is_valid(in, i)) set_bit(to, in.offset + i);
  }
  out.buffers[0] = to;
  out.owners.push_back(bits.owner());
  out.null_count = -1;
  return out;
}

}  // namespace xwalk::hub::cast
