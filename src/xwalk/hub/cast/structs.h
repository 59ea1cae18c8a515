#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// One member of a target struct: where it comes from, and how. Without a source it is null.
struct Member {
  std::optional<size_t> source;
  KernelPtr kernel;
  Type type;
};

/// A kernel from a struct to a struct of these members; null where nothing changes.
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

/// Returns true for the form of a nested optional: struct<value: T>.
bool is_wrapper(const Type& type);

/// Makes a struct of one member without nulls of its own from an array, and the way back.
Array wrapped(Array value, const Array* nulls);

}  // namespace xwalk::hub::cast
