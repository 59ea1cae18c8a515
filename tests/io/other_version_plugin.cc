#include "xwalk/io/plugins/engine_abi.h"

// A plugin of another release, for engine_options_test.cc.

extern "C" __attribute__((visibility("default"))) const XwalkEngine* xwalk_engine_v1() {
  static const XwalkEngine engine{XWALK_ENGINE_VERSION - 1, "another release", nullptr, nullptr};
  return &engine;
}
