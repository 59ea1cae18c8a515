#pragma once

#include <string>
#include <string_view>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

using hub::Child;

/// Returns the type with its children's types and metadata blotted out: one layer. Members keep
/// their names.
hub::Type own_layer(const hub::Type& type);

/// Returns the same without the members of structs and unions, which are compared one by one.
hub::Type bare_layer(const hub::Type& type);

/// Returns the type of a field with `…` in the place of what its children say: `List<…>`. `text` is
/// its whole type_text.
std::string layer_text(System system, const hub::Field& field, std::string_view text);
/// The same where the type_text of the first child, of a map its key, is known.
std::string layer_text(const hub::Field& field, std::string_view text, std::string_view child);

/// Returns the type without what only a layout says: large offsets, views.
hub::Type without_layout(const hub::Type& type);

/// Returns true if at most the layouts of two fields differ, and the notes on them (`xwalk:arrow`),
/// at every depth: every value of one is one of the other.
bool is_other_layout(const hub::Field& a, const hub::Field& b);

}  // namespace xwalk::crosswalk
