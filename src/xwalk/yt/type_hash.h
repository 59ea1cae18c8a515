#pragma once

#include <cstddef>

#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Hashes a type by what it is made of, not by names: for sets of the types that columns have.
struct TypeHash {
  size_t operator()(const Type& type) const {
    size_t hash = static_cast<size_t>(type.kind());
    hash = 31 * hash + static_cast<size_t>(type.precision());
    for (const Member& member : type.members()) hash = 31 * hash + (*this)(member.type);
    return hash;
  }
};

}  // namespace xwalk::yt
