#include "xwalk/io/engines/engine_host.h"

namespace xwalk::io {
namespace {

EngineHost*& host() {
  static EngineHost* host = nullptr;
  return host;
}

}  // namespace

void set_engine_host(EngineHost* named) { host() = named; }
EngineHost* engine_host() { return host(); }

}  // namespace xwalk::io
