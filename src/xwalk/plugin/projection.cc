#include "xwalk/plugin/projection.h"

#include <set>
#include <stdexcept>
#include <string>

#include <arrow/type.h>

namespace xwalk::plugin {
namespace {

using parquet::arrow::SchemaField;

[[noreturn]] void not_there(const ColumnPath& path) {
  std::string text;
  for (const std::string& step : path) text += step;
  throw NoSuchColumn("there is no column " + text.substr(text.empty() ? 0 : 1));
}

void add_leaves(const SchemaField& field, std::set<int>* out) {
  if (field.is_leaf()) out->insert(field.column_index);
  for (const SchemaField& child : field.children) add_leaves(child, out);
}

/// Goes down one path from `field`, which its steps before `at` name.
void add_path(const SchemaField& field, const ColumnPath& path, size_t at, std::set<int>* out) {
  bool is_map = field.field->type()->id() == arrow::Type::MAP;
  if (at == path.size() || is_map || field.is_leaf()) {
    add_leaves(field, out);
    return;
  }
  if (path[at] == "[]") {
    for (const SchemaField& child : field.children) add_path(child, path, at + 1, out);
    return;
  }
  bool found = false;
  for (const SchemaField& child : field.children) {
    if ("." + child.field->name() != path[at]) continue;
    add_path(child, path, at + 1, out);
    found = true;
  }
  if (!found) not_there(path);
}

}  // namespace

std::vector<int> leaves_of(const parquet::arrow::SchemaManifest& manifest,
                           const std::vector<ColumnPath>& paths) {
  std::set<int> leaves;
  for (const ColumnPath& path : paths) {
    bool found = false;
    for (const SchemaField& field : manifest.schema_fields) {
      if (path.empty() || "." + field.field->name() != path[0]) continue;
      add_path(field, path, 1, &leaves);
      found = true;
    }
    if (!found) not_there(path);
  }
  return {leaves.begin(), leaves.end()};
}

std::vector<int> fields_of(const arrow::Schema& schema, const std::vector<ColumnPath>& paths) {
  std::set<int> fields;
  for (const ColumnPath& path : paths) {
    size_t before = fields.size();
    std::vector<int> found =
        path.empty() ? std::vector<int>{} : schema.GetAllFieldIndices(path[0].substr(1));
    fields.insert(found.begin(), found.end());
    if (found.empty() && fields.size() == before) not_there(path);
  }
  return {fields.begin(), fields.end()};
}

}  // namespace xwalk::plugin
