#pragma once

#include "xwalk/hub/room.h"

namespace xwalk::parquet {

/// The row of Parquet; the model of its schemas is Schema (type.h).
extern const hub::Room kRoom;

}  // namespace xwalk::parquet
