#include "xwalk/crosswalk/carried_metadata.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/plan_nodes.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;
using hub::Type;

bool is_encoding(const Type& type) {
  return type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded;
}

/// Finds the annotations of one system: `xwalk:yt`, `xwalk:yt.column`.
class AnnotationsOf {
 public:
  explicit AnnotationsOf(System system) : key_(hub::annotation_key(system->name)) {}

  bool is_in(const hub::Metadata& metadata) const {
    return std::ranges::any_of(metadata, [&](const auto& entry) { return is_one(entry.first); });
  }
  bool is_in(const Field& field) const {
    return is_in(field.metadata) ||
           std::ranges::any_of(field.type.children(),
                               [&](const Field& child) { return is_in(child); });
  }
  bool is_in(const Schema& schema) const {
    return is_in(schema.metadata) ||
           std::ranges::any_of(schema.fields, [&](const Field& field) { return is_in(field); });
  }

  hub::Metadata without(const hub::Metadata& metadata) const {
    hub::Metadata kept;
    for (const auto& [name, value] : metadata) {
      if (!is_one(name)) kept.append(name, value);
    }
    return kept;
  }
  /// A field without any stays shared.
  Field without(Field field) const {
    if (!is_in(field)) return field;
    field.metadata = without(field.metadata);
    if (!field.type.children().empty()) {
      std::vector<Field> children;
      for (const Field& child : field.type.children()) children.push_back(without(child));
      field.type = with_children(field.type, std::move(children));
    }
    return field;
  }

 private:
  bool is_one(std::string_view name) const {
    return name.starts_with(key_) && (name.size() == key_.size() || name[key_.size()] == '.');
  }

  std::string key_;
};

/// Copies what metadata the target's fields do not have yet. Extensions are carried by themselves.
void carry_metadata(const hub::Metadata& from, bool annotations, hub::Metadata& to) {
  for (const auto& [key, value] : from) {
    if (key == hub::kExtensionName || key == hub::kExtensionMetadata) continue;
    if (hub::is_annotation_key(key) && !annotations) continue;
    if (!to.find(key)) to.append(key, value);
  }
}

Field with_metadata_of(System to, const Field& source, Field target, bool annotations);

/// Returns the target's type with the metadata of the source's children, where they pair.
Type with_metadata_below(System to, const Field& source, const Type& target, bool annotations) {
  std::vector<Field> children(target.children().begin(), target.children().end());
  const Type& values = without_encoding(source.type);
  const bool wraps = hub::boxed(values, target, Path::column(source.name), {}) == hub::Boxed::To;
  const std::vector<const Field*> sources = counterparts(target, Path(), values, {});
  for (size_t i = 0; i < children.size(); ++i) {
    Field& child = children[i];
    if (is_encoding(target)) {
      child.type = with_metadata_below(to, source, child.type, annotations);
    } else if (wraps) {
      // The outer field has the source's metadata already.
      child = with_metadata_of(to, Field(source.name, values, true), child, annotations);
    } else if (sources[i] != nullptr) {
      if (target.kind() != Kind::FixedSizeList || to->keeps_item_metadata) {
        child = with_metadata_of(to, *sources[i], std::move(child), annotations);
      } else {
        child.type = with_metadata_of(to, *sources[i], child, annotations).type;
      }
    }
  }
  return children.empty() ? target : with_children(target, std::move(children));
}

/// Returns the target's field with the metadata of the source's, at every depth where they pair,
/// and with notes of the Arrow types that the target system stores otherwise.
Field with_metadata_of(System to, const Field& source, Field target, bool annotations) {
  carry_metadata(source.metadata, annotations, target.metadata);
  if (annotations) note_arrow_type(to, source, &target);
  target.type = with_metadata_below(to, source, target.type, annotations);
  if (!to->is_hub) carry_extension(to, source, &target);
  return target;
}

}  // namespace

bool has_annotations_of(System system, const Schema& schema) {
  return AnnotationsOf(system).is_in(schema);
}

Schema without_annotations_of(System system, Schema schema) {
  const AnnotationsOf annotations(system);
  if (!annotations.is_in(schema)) return schema;
  schema.metadata = annotations.without(schema.metadata);
  for (Field& field : schema.fields) field = annotations.without(std::move(field));
  return schema;
}

Schema with_metadata_of(System to, const Schema& source, Schema target, bool annotations) {
  const Field from("", hub::struct_(source.fields), false, source.metadata);
  Field whole("", hub::struct_(target.fields), false, target.metadata);
  whole = with_metadata_of(to, from, std::move(whole), annotations);
  target.metadata = whole.metadata;
  target.fields.assign(whole.type.children().begin(), whole.type.children().end());
  return target;
}

}  // namespace xwalk::crosswalk
