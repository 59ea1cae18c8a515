// Stands in the place of src/xwalk/crosswalk/rooms.cc: its list, and one more.

#include "xwalk/crosswalk/rooms.h"

#include "tests/crosswalk/seventh/room.h"
#include "xwalk/arrow/room.h"
#include "xwalk/lance/room.h"
#include "xwalk/parquet/room.h"
#include "xwalk/skiff/room.h"
#include "xwalk/vortex/room.h"
#include "xwalk/yt/room.h"

namespace xwalk::crosswalk {

std::span<const System> systems() {
  static constexpr System kSystems[] = {yt::kRoom,     skiff::kRoom, parquet::kRoom, lance::kRoom,
                                        vortex::kRoom, arrow::kRoom, cards::kRoom};
  return kSystems;
}

}  // namespace xwalk::crosswalk
