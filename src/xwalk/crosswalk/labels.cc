#include "xwalk/crosswalk/labels.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/if_valid.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

/// Returns false for a text that the system does not read, which others may have written.
bool add_attributes(System system, std::string_view text, std::vector<Label>* out) {
  const auto labels = if_valid([&] { return system->labels(text); });
  if (!labels) return false;
  for (const auto& [name, value] : *labels) out->push_back({LabelKind::Attribute, name, value});
  return true;
}

/// Adds the label of one metadata entry; false if the key does not belong to a system.
bool add_of_systems(std::string_view key, const std::string& value, std::vector<Label>* out) {
  for (const System system : systems()) {
    if (!system->id_key.empty() && key == system->id_key) {
      out->push_back({LabelKind::Id, "", value});
      return true;
    }
    if (!system->labels_key.empty() && key == system->labels_key) {
      return add_attributes(system, value, out);
    }
  }
  return false;
}

std::string label_text(const Label& label) {
  switch (label.kind) {
    case LabelKind::Id:
      return "id " + label.value;
    case LabelKind::Attribute:
      return fmt::format("{}={}", label.name, label.value);
    case LabelKind::Metadata:
      return "metadata " + quoted(label.name);
  }
  return "";
}

std::vector<std::string> label_text(const std::vector<Label>& labels) {
  std::vector<std::string> out;
  out.reserve(labels.size());
  for (const Label& label : labels) out.push_back(label_text(label));
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::vector<Label> labels_in(const hub::Metadata& metadata) {
  std::vector<Label> out;
  for (const auto& [key, value] : metadata) {
    if (key == hub::kExtensionName || key == hub::kExtensionMetadata) continue;
    if (add_of_systems(key, value, &out) || hub::is_annotation_key(key)) continue;
    out.push_back({LabelKind::Metadata, key, value});
  }
  return out;
}

std::vector<Label> labels_in(System system, const hub::Schema& schema) {
  std::vector<Label> out = labels_in(schema.metadata);
  const System types = system->types();
  if (types->labels == nullptr) return out;
  const std::optional<std::string_view> text = hub::annotation(schema, types->name);
  if (text) add_attributes(types, *text, &out);
  return out;
}

std::vector<std::string> labels_of(const hub::Field& field) {
  return label_text(labels_in(field.metadata));
}

std::vector<std::string> labels_of(System system, const hub::Schema& schema) {
  return label_text(labels_in(system, schema));
}

bool is_of_keys(std::string_view label) {
  return label.starts_with("sort_order") || label.starts_with("unique_keys") ||
         label.find("primary-key") != std::string_view::npos ||
         label.find("clustering-key") != std::string_view::npos ||
         label.find("identifier-field-ids") != std::string_view::npos;
}

std::optional<std::string_view> field_id(const hub::Field& field) {
  for (const System system : systems()) {
    if (system->id_key.empty()) continue;
    if (const auto id = field.metadata.find(system->id_key)) return id;
  }
  return std::nullopt;
}

}  // namespace xwalk::crosswalk
