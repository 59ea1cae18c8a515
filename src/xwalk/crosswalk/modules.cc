#include "xwalk/crosswalk/modules.h"

#include "xwalk/arrow/module.h"
#include "xwalk/delta/module.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/skiff/module.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

namespace xwalk::crosswalk {

std::span<const System> systems() {
  static constexpr System kSystems[] = {yt::kModule,      skiff::kModule,  parquet::kModule,
                                        lance::kModule,   vortex::kModule, arrow::kModule,
                                        iceberg::kModule, delta::kModule};
  return kSystems;
}

}  // namespace xwalk::crosswalk
