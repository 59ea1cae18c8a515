#pragma once

#include <utility>

#include "xwalk/hub/arrow_abi.h"

namespace xwalk::hub {

/// Owns one struct of the Arrow C interfaces and releases it. Move-only; empty when `release` is
/// null.
template <typename CStruct>
class Handle {
 public:
  Handle() = default;
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : value_(other.take()) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = other.take();
    }
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Takes over a struct. The argument is left released, as the C interface requires.
  static Handle adopt(CStruct* source) {
    Handle handle;
    handle.value_ = *source;
    source->release = nullptr;
    return handle;
  }

  explicit operator bool() const { return value_.release != nullptr; }
  CStruct* get() { return &value_; }
  const CStruct* get() const { return &value_; }
  CStruct* operator->() { return &value_; }
  const CStruct* operator->() const { return &value_; }
  CStruct& operator*() { return value_; }
  const CStruct& operator*() const { return value_; }

  /// Gives the struct away and leaves the handle empty.
  CStruct take() {
    CStruct taken = value_;
    value_ = CStruct{};
    return taken;
  }
  void reset() {
    if (value_.release != nullptr) value_.release(&value_);
    value_ = CStruct{};
  }

 private:
  CStruct value_{};
};

using SchemaHandle = Handle<ArrowSchema>;
using ArrayHandle = Handle<ArrowArray>;
using StreamHandle = Handle<ArrowArrayStream>;

}  // namespace xwalk::hub
