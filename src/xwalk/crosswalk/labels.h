#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/schema.h"

namespace xwalk::crosswalk {

/// The kind of a label: the id of a field, an attribute of a column or a table besides its type, or
/// metadata that xwalk does not interpret.
enum class LabelKind : uint8_t { Id, Attribute, Metadata };

/// Information about a field or a table that is not part of its type.
struct Label {
  LabelKind kind = LabelKind::Metadata;
  std::string name;
  std::string value;
};

/// Returns the labels of a field, from its metadata.
std::vector<Label> labels_in(const hub::Metadata& metadata);
/// Returns the labels of a table: those in the schema's metadata and the system's attributes of it.
std::vector<Label> labels_in(System system, const hub::Schema& schema);

/// Returns labels in a few words each, sorted: `id 7`, `sort_order=ascending`, `metadata "origin"`.
std::vector<std::string> labels_of(const hub::Field& field);
std::vector<std::string> labels_of(System system, const hub::Schema& schema);

/// Returns true for the name or the text of a label about keys: sort order, unique, primary or
/// clustering keys.
bool is_of_keys(std::string_view label);

/// Returns the id of a field, if it has one.
std::optional<std::string_view> field_id(const hub::Field& field);

}  // namespace xwalk::crosswalk
