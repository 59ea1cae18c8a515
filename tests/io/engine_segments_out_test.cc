#include "xwalk/io/engines/engine_segments_out.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/io/engine_socket.h"
#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// The side of an engine that takes rows.
class Engine : public EngineSocket {
 public:
  /// Returns the bytes of the next message, or nothing if none has arrived.
  std::optional<std::string> take() {
    std::array<uint64_t, 3> message{};
    iovec bytes{message.data(), sizeof message};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    ended_ = got == 0;
    if (got != sizeof message) return std::nullopt;
    if (const cmsghdr* sent = CMSG_FIRSTHDR(&header); sent != nullptr) {
      EXPECT_EQ(message[0], memfds().size());
      int memfd = -1;
      std::memcpy(&memfd, CMSG_DATA(sent), sizeof memfd);
      keep(memfd);
    }
    last_ = message[0];
    from_ = message[1];
    std::string out(message[2] - message[1], '\0');
    EXPECT_EQ(::pread(memfds().at(last_), out.data(), out.size(), static_cast<off_t>(from_)),
              static_cast<ssize_t>(out.size()));
    return out;
  }
  void give_back(uint64_t index) {
    EXPECT_EQ(::send(socket(), &index, sizeof index, 0), static_cast<ssize_t>(sizeof index));
  }
  bool has_ended() const { return ended_; }
  uint64_t last() const { return last_; }
  uint64_t from() const { return from_; }

 private:
  uint64_t last_ = 0;
  uint64_t from_ = 0;
  bool ended_ = false;
};

bool nothing_comes(int) { return false; }

void put(EngineSegmentsOut& segments, const std::string& bytes, size_t before = 0) {
  uint8_t* const begin = segments.begin(before + bytes.size());
  std::memcpy(begin + before, bytes.data(), bytes.size());
  segments.send(before, before + bytes.size());
}

TEST(EngineSegmentsOut, SendMessagesAndTheirEnd) {
  Engine engine;
  EngineSegmentsOut segments(engine.host(), nothing_comes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(segments.begin(10)) % 64, 0);
  put(segments, "abc", 64);
  EXPECT_FALSE(engine.has_ended());
  EXPECT_EQ(engine.take(), "abc");
  EXPECT_EQ(engine.from(), 64);
  put(segments, "de");
  EXPECT_EQ(engine.take(), "de");
  EXPECT_EQ(segments.bytes(), 5);
  EXPECT_EQ(engine.take(), std::nullopt);
  EXPECT_FALSE(engine.has_ended());
  segments.finish();
  EXPECT_EQ(engine.take(), std::nullopt);
  EXPECT_TRUE(engine.has_ended());
}

TEST(EngineSegmentsOut, UseAgainWhatCameBackAndGrow) {
  Engine engine;
  EngineSegmentsOut segments(engine.host(), nothing_comes);
  for (const std::string& bytes : {std::string("abc"), std::string(3'000'000, 'x')}) {
    put(segments, bytes);
    EXPECT_EQ(engine.take(), bytes);
    EXPECT_EQ(engine.last(), 0);
    engine.give_back(0);
  }
  EXPECT_EQ(engine.memfds().size(), 1);
  // The engine cannot truncate it while the host uses it.
  EXPECT_NE(::ftruncate(engine.memfds().front(), 0), 0);
  EXPECT_NE(::fcntl(engine.memfds().front(), F_GET_SEALS) & F_SEAL_SHRINK, 0);
}

TEST(EngineSegmentsOut, WaitWhereTheEngineHasAll) {
  Engine engine;
  int waits = 0;
  EngineSegmentsOut segments(engine.host(), [&](int) {
    ++waits;
    engine.give_back(2);
    return true;
  });
  for (const char* bytes : {"a", "b", "c", "d"}) put(segments, bytes);
  EXPECT_EQ(waits, 0);
  put(segments, "e");
  EXPECT_EQ(waits, 1);
  for (const char* bytes : {"a", "b", "e", "d", "e"}) EXPECT_EQ(engine.take(), bytes);
  EXPECT_EQ(engine.last(), 2);
}

TEST(EngineSegmentsOut, HaveFewBytesAway) {
  Engine engine;
  int waits = 0;
  EngineSegmentsOut segments(engine.host(), [&](int) {
    ++waits;
    engine.give_back(0);
    return true;
  });
  const std::string large(size_t{40} << 20, 'x');
  put(segments, large);
  EXPECT_EQ(waits, 0);
  put(segments, large);
  EXPECT_EQ(waits, 1);
  // One alone may have more.
  put(segments, std::string(size_t{100} << 20, 'y'));
  EXPECT_EQ(waits, 2);
}

/// Returns what a host says where an engine does what none of ours does.
template <typename Act>
std::string failure(Act act) {
  Engine engine;
  EngineSegmentsOut segments(engine.host(), nothing_comes);
  put(segments, "abc");
  act(engine);
  try {
    put(segments, "def");
    for (int i = 0; i < 4; ++i) put(segments, "ghi");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
    return error.message();
  }
  return "";
}

TEST(EngineSegmentsOut, TellWhatAnEngineDoesWrong) {
  EXPECT_EQ(failure([](Engine& engine) { engine.hang_up(); }), "the engine stopped taking rows");
  EXPECT_EQ(failure([](Engine&) {}), "the engine stopped taking rows");
  EXPECT_EQ(failure([](Engine& engine) { engine.give_back(1); }),
            "expected the number of a segment that the engine has, found 1");
  EXPECT_EQ(failure([](Engine& engine) { engine.give_back(UINT64_MAX); }),
            "expected the number of a segment that the engine has, found 18446744073709551615");
  EXPECT_EQ(failure([](Engine& engine) {
              engine.give_back(0);
              engine.give_back(0);
            }),
            "expected the number of a segment that the engine has, found 0");
  EXPECT_EQ(failure([](Engine& engine) { engine.send("abc"); }),
            "expected the number of a segment that the engine has, found a message of 3 bytes");
  EXPECT_EQ(failure([](Engine& engine) { engine.send("123456789"); }),
            "expected the number of a segment that the engine has, found a message of 9 bytes");
}

}  // namespace
}  // namespace xwalk::io
