#pragma once

#include <cstddef>
#include <cstdint>

#include "xwalk/base/limits.h"

namespace xwalk {

/// Has this thread read schemas and footers with a memory limit until the scope ends, `max_memory`
/// of an input.
class SchemaMemoryScope {
 public:
  explicit SchemaMemoryScope(uint64_t memory);
  ~SchemaMemoryScope();
  SchemaMemoryScope(const SchemaMemoryScope&) = delete;
  SchemaMemoryScope& operator=(const SchemaMemoryScope&) = delete;

 private:
  uint64_t before_;
};

/// Bytes of memory that a byte of a schema or footer may become.
inline constexpr uint64_t kSchemaExpansion = 64;

/// Returns the size limit of a schema given as text: what it becomes is at most `kSchemaExpansion`
/// times as much.
size_t schema_bytes_limit();

/// Throws Error (Input) for a schema of more bytes than that.
void check_schema_size(size_t bytes);

/// Throws Error (Input) if what is made of a schema takes more bytes than the memory limit.
void check_schema_memory(uint64_t bytes);

/// The memory budget of one schema or footer. It grows with the bytes read, so that offsets that
/// share one string, and long lists of empty elements, cannot take more than that.
class SchemaMemory {
 public:
  /// Starts the budget for a schema that is read from so many bytes.
  explicit SchemaMemory(size_t bytes);
  /// Takes bytes of memory, before they are allocated. Throws Error (Input) if none are left.
  void take(uint64_t bytes) {
    if (bytes > left_) refuse();
    left_ -= bytes;
  }

 private:
  [[noreturn]] void refuse() const;

  uint64_t bytes_;
  uint64_t limit_;
  uint64_t left_;
};

}  // namespace xwalk
