#pragma once

#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace xwalk::io {

/// The engine's end of the socket that announces segments, and the segments it has. The test owns
/// it. The host closes the other end.
class EngineSocket {
 public:
  EngineSocket() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    socket_ = ends[0];
    host_ = ends[1];
  }
  ~EngineSocket() {
    hang_up();
    for (const int memfd : memfds_) ::close(memfd);
  }
  EngineSocket(const EngineSocket&) = delete;
  EngineSocket& operator=(const EngineSocket&) = delete;

  int host() const { return host_; }
  const std::vector<int>& memfds() const { return memfds_; }
  void send(const std::string& bytes) {
    EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  void hang_up() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

 protected:
  int socket() const { return socket_; }
  void keep(int memfd) { memfds_.push_back(memfd); }

 private:
  int socket_ = -1;
  int host_ = -1;
  std::vector<int> memfds_;
};

}  // namespace xwalk::io
