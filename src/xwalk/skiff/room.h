#pragma once

#include "xwalk/hub/room.h"

namespace xwalk::skiff {

/// The row of Skiff; the model of its schemas is Schema (schema.h).
extern const hub::Room kRoom;

}  // namespace xwalk::skiff
