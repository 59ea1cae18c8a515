#include "xwalk/io/bytes/atomic_path.h"

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
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

// The schema and the rows next to it are of one run, also if no file can be opened any more once
// the first of them has its name: to take that back, none is opened.
TEST(AtomicPath, APairIsTakenBackWithoutOpening) {
  std::string pattern = ::testing::TempDir() + "xwalk-atomic-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  const auto write = [](int descriptor, std::string_view text) {
    EXPECT_EQ(::write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  const auto text_of = [&](const char* name) {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  OutputSet outputs;
  for (const char* name : {"rows.schema", "rows"}) {
    std::ofstream(folder / name) << "old";
    auto output =
        std::make_unique<AtomicPath>((folder / name).string(), true, AtomicPath::Kind::File);
    write(output->descriptor(), "new");
    outputs.add(std::move(output), /*durable=*/false);
  }
  struct rlimit usual {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  outputs.before_naming((folder / "rows").string(), [&](OutputSet*) {
    // One more descriptor is left, for the folder of the first.
    const int next = ::open("/", O_RDONLY | O_CLOEXEC);
    ASSERT_GE(next, 0);
    ::close(next);
    struct rlimit few = usual;
    few.rlim_cur = static_cast<rlim_t>(next) + 1;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  });
  EXPECT_THROW(outputs.commit(), Error);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_EQ(text_of("rows.schema"), "old");
  EXPECT_EQ(text_of("rows"), "old");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace xwalk::io
