#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/io/engine_folder.h"
#include "xwalk/io/engine_program.h"

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
  fs::path folder_ = fs::temp_directory_path() / "xwalk-engine-silence-test";
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

}  // namespace
}  // namespace xwalk::io
