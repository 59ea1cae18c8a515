#include "xwalk/plugin/google_credentials.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "xwalk/plugin/store.h"

namespace xwalk::plugin {
namespace {

/// The address of the server that gives credentials on machines of Google.
constexpr const char* kMetadataServer = "169.254.169.254";
/// On a machine of Google it answers within milliseconds.
constexpr int kMetadataMilliseconds = 3000;

/// Returns a variable, or "" if it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Returns the file in which gcloud stores credentials of programs, or "" without a home folder.
std::string gcloud_file() {
  if (std::string path = variable("GOOGLE_GCLOUD_ADC_PATH_OVERRIDE"); !path.empty()) return path;
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.config/gcloud/application_default_credentials.json";
}

/// A socket that is closed at the end.
class Socket {
 public:
  explicit Socket(int family)
      : descriptor_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Returns true if a server accepts a connection in time.
bool accepts(const addrinfo& address) {
  const Socket socket(address.ai_family);
  if (socket.get() < 0) return false;
  // guard(connect): to Google's server of credentials, without a request.
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return true;
  if (errno != EINPROGRESS) return false;
  pollfd waited{.fd = socket.get(), .events = POLLOUT, .revents = 0};
  if (::poll(&waited, 1, kMetadataMilliseconds) != 1) return false;
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

/// Returns true if the server HOST or HOST:PORT can be reached.
bool is_reached(const std::string& server) {
  const size_t colon = server.rfind(':');
  const std::string host = server.substr(0, colon);
  const std::string port = colon == std::string::npos ? "80" : server.substr(colon + 1);
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  return accepts(*addresses);
}

}  // namespace

void require_google_credentials() {
  if (!variable("GOOGLE_APPLICATION_CREDENTIALS").empty()) return;
  const std::string file = gcloud_file();
  if (!file.empty() && ::access(file.c_str(), F_OK) == 0) return;
  const std::string named = variable("GCE_METADATA_ROOT");  // by which Google's library finds it
  if (is_reached(named.empty() ? kMetadataServer : named)) return;
  throw StoreFailure(
      "io",
      "expected credentials of Google, found none: set GOOGLE_APPLICATION_CREDENTIALS to a "
      "key file, run `gcloud auth application-default login`, or read a public bucket with "
      "the option of stores anonymous");
}

}  // namespace xwalk::plugin
