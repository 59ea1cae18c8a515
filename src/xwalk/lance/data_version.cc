#include "xwalk/lance/data_version.h"

namespace xwalk::lance {
namespace {

bool keeps_nulls(std::string_view data_version, Kind kind) {
  if (data_version == "2.0") return kind != Kind::Struct;
  if (data_version != "0.1") return true;
  const Family family = kind_row(kind).family;
  return family == Family::Text || family == Family::Bytes || kind == Kind::Null;
}

void restrict_nulls(std::string_view data_version, std::vector<Field>& fields) {
  for (Field& field : fields) {
    field.nullable = field.nullable && keeps_nulls(data_version, field.type.kind());
    restrict_nulls(data_version, field.children);
  }
}

}  // namespace

Schema with_nulls_kept_by(std::string_view data_version, Schema schema) {
  restrict_nulls(data_version, schema.fields);
  return schema;
}

}  // namespace xwalk::lance
