#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::vortex {

/// Copies bytes to where the verifier's alignment holds and verifies them as a table.
template <typename Table>
class Verified {
 public:
  Verified(std::string_view bytes, std::string_view what, uint64_t byte)
      : aligned_((bytes.size() + 7) / 8) {
    if (!bytes.empty()) std::memcpy(aligned_.data(), bytes.data(), bytes.size());
    const auto* data = reinterpret_cast<const uint8_t*>(aligned_.data());
    flatbuffers::Verifier verifier(data, bytes.size());
    if (bytes.size() < 8 || !verifier.VerifyBuffer<Table>(nullptr)) {
      Place place;
      place.byte = byte;
      throw Error(
          ErrorCode::Input,
          fmt::format("expected {}, found {} bytes that its verifier refuses", what, bytes.size()),
          place);
    }
    table_ = flatbuffers::GetRoot<Table>(data);
  }
  const Table* operator->() const { return table_; }

 private:
  std::vector<uint64_t> aligned_;
  const Table* table_ = nullptr;
};

}  // namespace xwalk::vortex
