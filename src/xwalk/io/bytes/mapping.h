#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "xwalk/io/bytes/file_identity.h"

namespace xwalk::io {

/// A file in memory, which another process may write to or make shorter meanwhile: what is missing
/// then reads as zeros instead of ending the process, and `check` tells. For that the first mapping
/// of a process takes the signal SIGBUS; faults outside of mappings go on to the handler that was
/// there before.
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
  /// Gives the memory of a range back; its bytes come again when they are touched.
  void give_back(uint64_t offset, uint64_t size) const;
  /// Throws Error (Io) where the file was written to meanwhile, with the byte where it ends now if
  /// it is another.
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
