#include "xwalk/crosswalk/schema_work.h"

#include <cstdint>
#include <span>

#include "xwalk/base/schema_memory.h"

namespace xwalk::crosswalk {
namespace {

/// Bytes that plans and reports take for each field, and for each byte of its path. Measured.
constexpr uint64_t kField = 4096;
constexpr uint64_t kPathByte = 13;

uint64_t work_of(std::span<const hub::Field> fields, uint64_t path) {
  uint64_t work = 0;
  for (const hub::Field& field : fields) {
    const uint64_t own = path + field.name.size();
    work += kField + kPathByte * own + work_of(field.type.children(), own);
  }
  return work;
}

}  // namespace

void check_schema_work(const hub::Schema& schema, const hub::Schema* other) {
  const uint64_t more = other == nullptr ? 0 : work_of(other->fields, 0);
  check_schema_memory(work_of(schema.fields, 0) + more);
}

}  // namespace xwalk::crosswalk
