#include "xwalk/lance/schema.h"

#include <algorithm>
#include <functional>

namespace xwalk::lance {

Encoding default_encoding(const LogicalType& type) { return kind_row(type.kind()).encoding; }

void assign_ids(Schema* schema) {
  int32_t next = 0;
  std::function<void(std::vector<Field>&)> walk = [&](std::vector<Field>& fields) {
    for (Field& field : fields) {
      field.id = next++;
      walk(field.children);
    }
  };
  walk(schema->fields);
}

int32_t max_field_id(const Schema& schema) {
  int32_t highest = -1;
  std::function<void(const std::vector<Field>&)> walk = [&](const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      highest = std::max(highest, field.id);
      walk(field.children);
    }
  };
  walk(schema.fields);
  return highest;
}

}  // namespace xwalk::lance
