#include "xwalk/io/engines/row_labels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "xwalk/hub/annotation.h"

namespace xwalk::io {

hub::Field with_labels(hub::Field field, const hub::Field& labels) {
  if (!hub::annotation_fits(field.type, labels.type)) {
    // The report names a note that does not fit.
    if (const auto note = hub::annotation(labels, hub::kArrowSystem)) {
      hub::annotate(field, hub::kArrowSystem, std::string(*note));
    }
    return field;
  }
  field.nullable = labels.nullable;
  field.metadata = labels.metadata;
  size_t count = field.type.children().size();
  // A layout of the labels' side (dictionary, run-end) has other children than the plain one.
  if (count == 0 || count != labels.type.children().size() ||
      hub::is_list(field.type.kind()) != hub::is_list(labels.type.kind()) ||
      labels.type.kind() == hub::Kind::Dictionary ||
      labels.type.kind() == hub::Kind::RunEndEncoded) {
    return field;
  }
  std::vector<hub::Field> children;
  for (size_t i = 0; i < count; ++i) {
    children.push_back(with_labels(field.type.child(i), labels.type.child(i)));
  }
  // Whether keys are sorted is no layout, and does not come through the pipe.
  const bool is_map = field.type.kind() == hub::Kind::Map && labels.type.kind() == hub::Kind::Map;
  field.type = is_map ? hub::map_of_entries(std::move(children[0]), labels.type.flag())
                      : hub::with_children(field.type, std::move(children));
  return field;
}

std::vector<hub::Field> with_labels(std::vector<hub::Field> fields, const hub::Schema& labels) {
  for (hub::Field& field : fields) {
    const auto label = std::ranges::find(labels.fields, field.name, &hub::Field::name);
    if (label != labels.fields.end()) field = with_labels(std::move(field), *label);
  }
  return fields;
}

}  // namespace xwalk::io
