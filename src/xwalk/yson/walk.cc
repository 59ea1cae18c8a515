#include "xwalk/yson/walk.h"

namespace xwalk::yson {

Status skip_value(const char*& p, const char* end, int max_depth) {
  IgnoringSink sink;
  return walk_value(p, end, max_depth, &sink);
}

}  // namespace xwalk::yson
