#include "xwalk/crosswalk/rooms.h"

#include "xwalk/arrow/room.h"
#include "xwalk/iceberg/room.h"
#include "xwalk/lance/room.h"
#include "xwalk/parquet/room.h"
#include "xwalk/skiff/room.h"
#include "xwalk/vortex/room.h"
#include "xwalk/yt/room.h"

namespace xwalk::crosswalk {

std::span<const System> systems() {
  static constexpr System kSystems[] = {yt::kRoom,     skiff::kRoom, parquet::kRoom, lance::kRoom,
                                        vortex::kRoom, arrow::kRoom, iceberg::kRoom};
  return kSystems;
}

}  // namespace xwalk::crosswalk
