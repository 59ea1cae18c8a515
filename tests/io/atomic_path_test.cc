#include "xwalk/io/bytes/atomic_path.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

// Each that makes a name clears what others left, and may take a folder that another has just made
// and not locked yet for such.
TEST(AtomicPath, ManyAtOnceInOneFolderGetTheirScratch) {
  std::string pattern = ::testing::TempDir() + "xwalk-atomic-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&, thread] {
        for (int round = 0; round < 300; ++round) {
          try {
            const AtomicPath path((folder / std::to_string(thread)).string(), true);
            if (!std::filesystem::is_directory(path.scratch())) ++failed;
          } catch (const Error& error) {
            ADD_FAILURE() << error.describe();
            ++failed;
          }
        }
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace xwalk::io
