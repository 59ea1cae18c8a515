#pragma once

namespace xwalk::io {

/// An output that is complete, and invisible until it is committed.
class Pending {
 public:
  virtual ~Pending() = default;
  /// Makes it visible. Throws Error (Io).
  virtual void complete() = 0;
  /// Undoes that, as far as it can be undone.
  virtual void take_back() noexcept = 0;
  /// Releases its resources, wherever they are. An incomplete output is discarded.
  virtual void release() noexcept {}
};

}  // namespace xwalk::io
