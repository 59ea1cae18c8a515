#include "xwalk/io/engines/engine_segments.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/io/engine_socket.h"
#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// The side of an engine that sends rows.
class Engine : public EngineSocket {
 public:
  int make(const std::string& bytes, int seals = F_SEAL_SHRINK) {
    const int memfd = ::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    EXPECT_EQ(::pwrite(memfd, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    EXPECT_EQ(::fcntl(memfd, F_ADD_SEALS, seals), 0);
    keep(memfd);
    return memfd;
  }
  void put(int memfd, const std::string& bytes) {
    EXPECT_EQ(::pwrite(memfd, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  void tell(uint64_t index, uint64_t length, const std::vector<int>& descriptors = {}) {
    std::array<uint64_t, 2> message{index, length};
    iovec bytes{message.data(), sizeof message};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    if (!descriptors.empty()) {
      header.msg_control = control.data();
      header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
      cmsghdr* sent = CMSG_FIRSTHDR(&header);
      sent->cmsg_level = SOL_SOCKET;
      sent->cmsg_type = SCM_RIGHTS;
      sent->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
      std::memcpy(CMSG_DATA(sent), descriptors.data(), descriptors.size() * sizeof(int));
    }
    EXPECT_EQ(::sendmsg(socket(), &header, 0), static_cast<ssize_t>(sizeof message));
  }
  /// Returns the segments that came back.
  std::vector<uint64_t> back() {
    std::vector<uint64_t> out;
    for (uint64_t index = 0; ::recv(socket(), &index, sizeof index, MSG_DONTWAIT) ==
                             static_cast<ssize_t>(sizeof index);)
      out.push_back(index);
    return out;
  }
};

std::string read(EngineSegments& segments, size_t size) {
  std::string out(size, '\0');
  out.resize(segments.read(out.data(), size));
  return out;
}

bool nothing_comes(int) { return false; }

TEST(EngineSegments, AreOneStream) {
  Engine engine;
  EngineSegments segments(engine.host(), nothing_comes);
  engine.tell(0, 5, {engine.make("abcde")});
  engine.tell(1, 3, {engine.make("fghij")});
  EXPECT_EQ(read(segments, 2), "ab");
  EXPECT_EQ(read(segments, 9), "cde");
  EXPECT_THAT(engine.back(), testing::IsEmpty());
  EXPECT_EQ(read(segments, 9), "fgh");
  EXPECT_THAT(engine.back(), testing::ElementsAre(0));
  engine.hang_up();
  EXPECT_EQ(read(segments, 9), "");
  EXPECT_EQ(read(segments, 9), "");
}

TEST(EngineSegments, AreAllTakenOfAnEngineThatHasEndedMeanwhile) {
  // It closes the socket with what came back unread, which resets the connection.
  Engine engine;
  const auto end = [&](int) {
    engine.tell(1, 3, {engine.make("def")});
    engine.tell(2, 3, {engine.make("ghi")});
    engine.hang_up();
    return true;
  };
  EngineSegments segments(engine.host(), end);
  engine.tell(0, 3, {engine.make("abc")});
  EXPECT_EQ(read(segments, 3), "abc");
  EXPECT_EQ(read(segments, 3), "def");
  EXPECT_EQ(read(segments, 3), "ghi");
  EXPECT_EQ(read(segments, 3), "");
}

TEST(EngineSegments, AreCopied) {
  // What the engine writes there later does not reach rows that were checked.
  Engine engine;
  EngineSegments segments(engine.host(), nothing_comes);
  const int memfd = engine.make("abcdef");
  engine.tell(0, 6, {memfd});
  const std::string rows = read(segments, 6);
  engine.put(memfd, "ABCDEF");
  EXPECT_EQ(rows, "abcdef");
  engine.tell(1, 1, {engine.make("g")});
  EXPECT_EQ(read(segments, 1), "g");
  EXPECT_THAT(engine.back(), testing::ElementsAre(0));
}

TEST(EngineSegments, AreUsedAgainAndMayGrow) {
  Engine engine;
  EngineSegments segments(engine.host(), nothing_comes);
  const int memfd = engine.make("abc");
  engine.tell(0, 3, {memfd});
  EXPECT_EQ(read(segments, 9), "abc");
  engine.put(memfd, std::string(100'000, 'x'));
  engine.tell(0, 100'000);
  EXPECT_EQ(read(segments, 200'000), std::string(100'000, 'x'));
}

/// Returns what a host says to messages that no engine of ours sends.
template <typename Tell>
std::string failure(Tell tell) {
  Engine engine;
  EngineSegments segments(engine.host(), nothing_comes);
  tell(engine);
  try {
    read(segments, 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
    return error.message();
  }
  return "";
}

TEST(EngineSegments, AreRefusedWhereTheyAreNotWhatIsSaid) {
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(0, 3, {engine.make("abc", 0)}); }),
            "expected shared memory that cannot be cut from the engine, found other");
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(0, 3, {engine.host()}); }),
            "expected shared memory that cannot be cut from the engine, found other");
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(0, 4, {engine.make("abc")}); }),
            "expected 4 bytes in a segment of the engine, found 3");
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(0, UINT64_MAX, {engine.make("")}); }),
            "expected 18446744073709551615 bytes in a segment of the engine, found 0");
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(0, 0, {engine.make("abc")}); }),
            "expected bytes in a segment of the engine, found none");
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(0, 3); }),
            "expected one of 0 segments from the engine, found number 0");
  EXPECT_EQ(failure([](Engine& engine) { engine.tell(7, 3, {engine.make("abc")}); }),
            "expected segment 0 from the engine, found 7");
  EXPECT_EQ(failure([](Engine& engine) { engine.send("nonsense"); }),
            "expected a message of 16 bytes from the engine, found 8");
  // If a message has several descriptors, none is lost.
  EXPECT_EQ(failure([](Engine& engine) {
              engine.tell(0, 3, {engine.make("abc"), engine.make("abc")});
            }),
            "");
}

}  // namespace
}  // namespace xwalk::io
