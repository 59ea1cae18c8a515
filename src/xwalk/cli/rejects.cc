#include "xwalk/cli/rejects.h"

#include <nlohmann/json.hpp>

#include "xwalk/base/base64.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/failure.h"
#include "xwalk/io/sink.h"

namespace xwalk::cli {

Rejects::Rejects(const std::string& path) : sink_(io::open_sink(path)) {}

void Rejects::add(const hub::BadRow& bad) {
  nlohmann::ordered_json line = error_json(bad.error);
  if (!bad.source_bytes.empty()) {
    if (is_valid_utf8(bad.source_bytes)) {
      line["source"] = bad.source_bytes;
    } else {
      line["source_base64"] = to_base64(bad.source_bytes);
    }
  }
  sink_->write(line.dump() + "\n");
}

void Rejects::finish() { sink_->finish(); }

}  // namespace xwalk::cli
