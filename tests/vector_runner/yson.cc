#include "runner.h"

namespace xwalk::vectors {

void add_yson_checks(Checks*) {}

}  // namespace xwalk::vectors
