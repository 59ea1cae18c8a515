#pragma once

#include "xwalk/hub/room.h"

namespace xwalk::yt {

/// The row of YTsaurus; the model of its schemas is TableSchema (schema.h).
extern const hub::Room kRoom;

}  // namespace xwalk::yt
