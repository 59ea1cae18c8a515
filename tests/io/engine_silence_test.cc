#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/plugins/engine_folder.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// Engines of a folder of their own that are ended soon.
class EngineSilence : public testing::Test {
 protected:
  EngineSilence() {
    fs::create_directories(folder_);
    set_engine_folder(folder_);
    set_longest_silence({std::chrono::milliseconds(1500), std::chrono::milliseconds(4000)});
  }
  ~EngineSilence() override {
    set_longest_silence({});
    // A folder that is not there finds no engine, as none does.
    if (!before_.empty()) set_engine_folder(before_);
    fs::remove_all(folder_);
  }

  void make(const std::string& name, const std::string& script) {
    const fs::path path = folder_ / ("xwalk-engine-" + name);
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::owner_all);
  }

  /// Returns the error about an engine from which a byte is read.
  static std::string failure(const std::string& name) {
    EngineProgram program(name, "none", "read", "{}");
    char byte = 0;
    try {
      while (program.read(&byte, 1) == 1) continue;
      program.finish();
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  }

 private:
  // Tests run at the same time.
  fs::path folder_ =
      fs::temp_directory_path() / ("xwalk-engine-silence-test-" + std::to_string(::getpid()));
  std::string before_ = engine_folder();
};

constexpr const char* kHello = "echo '{\"hello\":{\"contract\":1}}' >&3; ";

TEST_F(EngineSilence, EndsAProgramThatSleeps) {
  make("sleeps", std::string(kHello) + "exec sleep 60");
  EXPECT_THAT(failure("sleeps"),
              testing::StartsWith("xwalk-engine-sleeps neither sent nor took anything for "));
}

TEST_F(EngineSilence, EndsAProgramThatDoesNotHeedIt) {
  make("works", std::string(kHello) + "trap '' TERM; while :; do :; done");
  EXPECT_THAT(failure("works"),
              testing::StartsWith("xwalk-engine-works neither sent nor took anything for 4 "));
}

TEST_F(EngineSilence, EndsAProgramThatSendsStatusWithoutEnd) {
  const std::string sent = " sent 64 MiB of status without rows, and was ended";
  make("lines", "exec yes '{\"hello\":{\"contract\":1}}' >&3");
  EXPECT_EQ(failure("lines"), "xwalk-engine-lines" + sent);
  make("line", "exec tr '\\0' x </dev/zero >&3");
  EXPECT_EQ(failure("line"), "xwalk-engine-line" + sent);
}

TEST_F(EngineSilence, IsNoneWhereItSpeaks) {
  make("speaks", std::string(kHello) +
                     "for i in 1 2 3; do sleep 1; echo '{\"progress\":{\"rows\":1}}' >&3; done; "
                     "echo '{\"done\":{\"rows\":0}}' >&3");
  EXPECT_EQ(failure("speaks"), "");
}

/// Returns the memory of what engines wrote to their standard error, in bytes.
uint64_t memory_of_words() {
  uint64_t sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    struct stat status {};
    std::error_code gone;
    if (fs::read_symlink(entry.path(), gone).string().starts_with("/memfd:xwalk-engine-words") &&
        ::stat(entry.path().c_str(), &status) == 0) {
      sum += static_cast<uint64_t>(status.st_blocks) * 512;
    }
  }
  return sum;
}

TEST_F(EngineSilence, AFloodOfWordsIsBounded) {
  constexpr uint64_t kMost = uint64_t{16} << 20;
  make("floods", std::string(kHello) +
                     "head -c 40000000 /dev/zero | tr '\\0' x >&2; printf y; "
                     "echo '{\"error\":{\"code\":\"io\",\"message\":\"flooded\"}}' >&3");
  EngineProgram program("floods", "none", "read", "{}");
  char byte = 0;
  while (program.read(&byte, 1) == 1) continue;
  EXPECT_EQ(byte, 'y');
  EXPECT_GT(memory_of_words(), kMost / 2);
  EXPECT_LE(memory_of_words(), kMost);
  try {
    program.finish();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), testing::HasSubstr("flooded"));
  }
}

}  // namespace
}  // namespace xwalk::io
