#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "xwalk/io/bytes/file_identity.h"

namespace xwalk::io {

/// A memory-mapped file, which another process may modify or truncate meanwhile. Missing bytes then
/// read as zeros instead of ending the process, and `check` reports it. For that, the first mapping
/// of a process handles SIGBUS. Faults outside of mappings are passed to the previous handler.
class Mapping final : public Original {
 public:
  /// Maps the first `size` bytes; takes the descriptor. Throws Error (Io).
  Mapping(int descriptor, size_t size, std::string name);
  ~Mapping() override;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return bytes_; }
  uint64_t size() const override { return bytes_.size(); }
  std::string read_at(uint64_t offset, uint64_t size) const override {
    return std::string(bytes_.substr(offset, size));
  }
  /// Frees the memory of a range. Its bytes are loaded again when they are accessed.
  void give_back(uint64_t offset, uint64_t size) const;
  /// Throws Error (Io) if the file was modified meanwhile, with its new size if that changed.
  void check() const override;

 private:
  struct Range;

  int descriptor_;
  std::string name_;
  // Never null: copying nothing from null is undefined.
  std::string_view bytes_ = "";  // NOLINT(readability-redundant-string-init)
  /// When the file was written to last before it was mapped.
  timespec written_{};
  Range* range_ = nullptr;
};

}  // namespace xwalk::io
