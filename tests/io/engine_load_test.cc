#include <cstdlib>

#include <gtest/gtest.h>

#include "xwalk/io/engines/plugin_engine.h"

namespace xwalk::io {
namespace {

TEST(EngineLoad, IsWaitedForByWhoeverBeganIt) {
  // In a separate process, which has loaded nothing yet and ends at once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Engine::load_ahead().reset();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(EngineLoad, IsDoneOnce) {
  (void)Engine::load_ahead();
  const Engine* loaded = nullptr;
  try {
    loaded = &Engine::parquet();
  } catch (...) {
    GTEST_SKIP() << "the plugin is not here";
  }
  EXPECT_EQ(Engine::load_ahead(), nullptr);
  EXPECT_EQ(&Engine::parquet(), loaded);
}

}  // namespace
}  // namespace xwalk::io
