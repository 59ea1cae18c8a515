#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"

namespace xwalk {

/// Copies bytes to where alignment holds and verifies them as a FlatBuffers table.
template <typename Table>
class Verified {
 public:
  /// Refuses bytes that are not a table of this kind, or whose tables nest deeper than `depth`,
  /// which is two per type of a schema. `byte` is their position in their file.
  Verified(std::string_view bytes, std::string_view what, std::optional<uint64_t> byte,
           int depth = 2 * limits::kSchemaDepth)
      : aligned_((bytes.size() + 7) / 8) {
    if (!bytes.empty()) std::memcpy(aligned_.data(), bytes.data(), bytes.size());
    const auto* data = reinterpret_cast<const uint8_t*>(aligned_.data());
    flatbuffers::Verifier verifier(data, bytes.size(), depth, kMaxTables);
    if (bytes.size() < 8 || !verifier.VerifyBuffer<Table>(nullptr)) {
      throw Error(
          ErrorCode::Input,
          fmt::format("expected {}, found {} bytes that its verifier refuses", what, bytes.size()),
          {.byte = byte})
          .with_hint(fmt::format(
              "Truncated bytes, offsets that point outside, or tables nested deeper than {}.",
              depth));
    }
    table_ = flatbuffers::GetRoot<Table>(data);
  }
  const Table* operator->() const { return table_; }
  const Table* get() const { return table_; }

 private:
  /// Tables of a schema: a field takes about five; 200,000 fields are plenty.
  static constexpr int kMaxTables = 1000000;

  std::vector<uint64_t> aligned_;
  const Table* table_ = nullptr;
};

}  // namespace xwalk
