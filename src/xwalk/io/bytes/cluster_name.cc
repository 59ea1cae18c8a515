#include "xwalk/io/bytes/cluster_name.h"

#include "xwalk/base/error.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {

bool is_same_table(const std::string& a, const std::string& b) {
  const yt::RichPath first = yt::parse_rich_path(a);
  const yt::RichPath second = yt::parse_rich_path(b);
  return first.cluster == second.cluster && first.path == second.path;
}

void refuse_cluster(const std::string& path) {
  throw Error(ErrorCode::Unsupported, "expected a file or an object of a store, found a table",
              {.file = path}, "A local file is named with one slash at its beginning.");
}

}  // namespace xwalk::io
