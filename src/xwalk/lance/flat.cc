#include "xwalk/lance/flat.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"

namespace xwalk::lance {
namespace {

[[noreturn]] void fail_field(const std::string& message, std::string_view field) {
  throw Error(ErrorCode::Input, message, {.path = Path::column(field)});
}

/// Returns a field without what is inside it.
Field alone(const Field& field) {
  Field out;
  out.name = field.name;
  out.id = field.id;
  out.type = field.type;
  out.spelling = field.spelling;
  out.nullable = field.nullable;
  out.metadata = field.metadata;
  out.primary_key = field.primary_key;
  out.primary_key_position = field.primary_key_position;
  out.clustering_key_position = field.clustering_key_position;
  out.encoding = field.encoding;
  out.dictionary = field.dictionary;
  out.unknown = field.unknown;
  return out;
}

}  // namespace

FlatSchema flatten(const Schema& schema) {
  FlatSchema out{{}, schema.metadata};
  std::function<void(const std::vector<Field>&, int32_t)> walk =
      [&](const std::vector<Field>& fields, int32_t parent) {
        for (const Field& field : fields) {
          out.fields.push_back({alone(field), parent});
          walk(field.children, field.id);
        }
      };
  walk(schema.fields, kNoParent);
  return out;
}

Schema nest(FlatSchema flat) {
  std::vector<FlatField>& fields = flat.fields;
  std::unordered_map<int32_t, int64_t> places;
  std::vector<int64_t> parents(fields.size(), -1);
  std::vector<int> depths(fields.size(), 0);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].parent != kNoParent) {
      auto parent = places.find(fields[i].parent);
      if (parent == places.end()) {
        fail_field(fmt::format("expected the parent {} earlier in the list of fields, found none",
                               fields[i].parent),
                   fields[i].field.name);
      }
      parents[i] = parent->second;
      depths[i] = depths[static_cast<size_t>(parent->second)] + 1;
      if (depths[i] > limits::kSchemaDepth) {
        fail_field(fmt::format("expected at most {} nested fields", limits::kSchemaDepth),
                   fields[i].field.name);
      }
    }
    places[fields[i].field.id] = static_cast<int64_t>(i);
  }
  // Backwards, so that a field is whole before it moves into its parent.
  Schema out{{}, std::move(flat.metadata)};
  for (size_t i = fields.size(); i-- > 0;) {
    std::vector<Field>& siblings =
        parents[i] < 0 ? out.fields : fields[static_cast<size_t>(parents[i])].field.children;
    std::reverse(fields[i].field.children.begin(), fields[i].field.children.end());
    siblings.push_back(std::move(fields[i].field));
  }
  std::reverse(out.fields.begin(), out.fields.end());
  return out;
}

}  // namespace xwalk::lance
