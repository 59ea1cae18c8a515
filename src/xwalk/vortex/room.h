#pragma once

#include "xwalk/hub/room.h"

namespace xwalk::vortex {

/// The row of Vortex; the model of its schemas is DType (type.h).
extern const hub::Room kRoom;

}  // namespace xwalk::vortex
