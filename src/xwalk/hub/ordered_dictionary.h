#pragma once

#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns true for a dictionary whose values are in an order.
inline bool is_ordered(const Type& type) { return type.kind() == Kind::Dictionary && type.flag(); }

/// Returns a dictionary without the order of its values. Other types stay.
inline Type without_order(const Type& type) {
  return is_ordered(type) ? dictionary(type.index_kind(), type.child().type) : type;
}

}  // namespace xwalk::hub
