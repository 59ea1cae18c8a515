#include "runner.h"

namespace xwalk::vectors {

void add_yt_checks(Checks*) {}

}  // namespace xwalk::vectors
