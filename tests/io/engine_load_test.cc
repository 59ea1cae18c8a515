#include <cstdlib>

#include <gtest/gtest.h>

#include "xwalk/io/engine.h"

namespace xwalk::io {
namespace {

TEST(EngineLoad, EndsWithAProcessThatEndsMeanwhile) {
  // In a process of its own, where nothing is loaded yet.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Engine::load_ahead();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(EngineLoad, IsNotWaitedForByAChildThatDoesNotHaveIt) {
  GTEST_FLAG_SET(death_test_style, "fast");
  Engine::load_ahead();
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace xwalk::io
