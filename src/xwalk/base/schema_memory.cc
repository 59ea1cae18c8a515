#include "xwalk/base/schema_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk {
namespace {

/// The least budget.
constexpr uint64_t kSmall = uint64_t{1} << 20;
/// The least budget for what is made of a schema: those of a thousand columns are always converted.
constexpr uint64_t kWork = uint64_t{8} << 20;
/// A schema is copied during a conversion: all copies are within the memory limit.
constexpr uint64_t kCopies = 4;

thread_local uint64_t memory = limits::kMemory;

}  // namespace

SchemaMemoryScope::SchemaMemoryScope(uint64_t given) : before_(memory) { memory = given; }
SchemaMemoryScope::~SchemaMemoryScope() { memory = before_; }

size_t schema_bytes_limit() {
  // Schemas of some hundred columns are always read.
  constexpr uint64_t least = uint64_t{256} << 10;
  return std::min<uint64_t>(limits::kSchemaBytes, std::max(memory / kSchemaExpansion, least));
}

void check_schema_size(size_t bytes) {
  const size_t most = schema_bytes_limit();
  if (bytes <= most) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected a schema of at most {} bytes, found {}", most, bytes), {},
              most < limits::kSchemaBytes ? "`max_memory` raises the limit." : "");
}

void check_schema_memory(uint64_t bytes) {
  const uint64_t most = std::max(memory, kWork);
  if (bytes <= most) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected a schema that takes at most {} bytes of memory to convert or "
                          "compare, found one that may take {}",
                          most, bytes),
              {}, "`max_memory` raises the limit.");
}

SchemaMemory::SchemaMemory(size_t bytes)
    : bytes_(bytes),
      limit_(std::max(kSmall, std::min(kSchemaExpansion * bytes, memory / kCopies))),
      left_(limit_) {}

void SchemaMemory::refuse() const {
  throw Error(
      ErrorCode::Input,
      fmt::format("expected a schema of {} bytes to become at most {} bytes of memory, found "
                  "more",
                  bytes_, limit_),
      {},
      limit_ < kSchemaExpansion * bytes_
          ? "`max_memory` raises the limit."
          : "Many columns share one long name or metadata: write the file again.");
}

}  // namespace xwalk
