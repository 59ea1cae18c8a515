#include "xwalk/io/plugins/engine_load.h"

#include "xwalk/base/error.h"

namespace xwalk::io {

/// Instead of the one in io/: a statically linked program has no dynamic loader.
LoadedEngine load_engine(const std::string& name) {
  throw Error(ErrorCode::Unsupported,
              "rows of Parquet and Arrow IPC need the plugin lib" + name +
                  ".so, which this statically linked xwalk cannot load: use the dynamically linked "
                  "one, of the Debian packages or of the wheels");
}

const XwalkStore* load_stores() {
  throw Error(
      ErrorCode::Unsupported,
      "URIs of stores need the plugin libxwalk_stores.so, which this statically linked xwalk "
      "cannot load: use the dynamically linked one, of the Debian packages or of "
      "`pip install xwalk[parquet]`");
}

void end_past_loader(int /*code*/) {}

}  // namespace xwalk::io
