#include "xwalk/plugin/http_store.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <curl/curl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <optional>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

#include "xwalk/version.h"

namespace xwalk::plugin {
namespace {

/// Bytes that opening asks for: most footers' files and all first looks are shorter.
constexpr uint64_t kHead = uint64_t{16} << 10;
constexpr double kRetries = 4;
constexpr double kConnectSeconds = 10;
constexpr double kAnswerSeconds = 60;
/// Bytes a second below which an answer has come to a stop, for as long as an answer may take.
constexpr long kLeastSpeed = 1000;
constexpr auto kFirstDelay = std::chrono::milliseconds(200);
constexpr int kMostRedirects = 10;
/// Bytes of a page about an error that are skipped, so that the connection can be kept.
constexpr uint64_t kLongestPage = uint64_t{64} << 10;

/// Bytes of a file that comes only whole and without its length, unless an option allows more.
constexpr double kMaxDownload = double{10} * (uint64_t{1} << 30);

/// The functions of libcurl, which a machine may do without.
struct Curl {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_reset) easy_reset;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;

  static const Curl& instance() {
    static const Curl curl = load();
    return curl;
  }

 private:
  static Curl load() {
    void* library = nullptr;
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
      // guard(execute): libcurl, by a fixed name, from the folders of the system.
      if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) {
      throw StoreFailure("io",
                         "http and https need libcurl, which is not installed: "
                         "apt-get install libcurl4");
    }
    Curl out{};
    const auto find = [&](const char* name, auto* function) {
      *function =
          reinterpret_cast<std::remove_pointer_t<decltype(function)>>(::dlsym(library, name));
      if (*function == nullptr) throw StoreFailure("io", std::string("libcurl lacks ") + name);
    };
    find("curl_global_init", &out.global_init);
    find("curl_easy_init", &out.easy_init);
    find("curl_easy_setopt", &out.easy_setopt);
    find("curl_easy_perform", &out.easy_perform);
    find("curl_easy_getinfo", &out.easy_getinfo);
    find("curl_easy_reset", &out.easy_reset);
    find("curl_easy_cleanup", &out.easy_cleanup);
    find("curl_easy_strerror", &out.easy_strerror);
    find("curl_slist_append", &out.slist_append);
    find("curl_slist_free_all", &out.slist_free_all);
    if (out.global_init(CURL_GLOBAL_ALL) != CURLE_OK) {
      throw StoreFailure("io", "libcurl does not start");
    }
    return out;
  }
};

struct CloseHandle {
  void operator()(CURL* handle) const { Curl::instance().easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, CloseHandle>;

/// Handles that keep their connections, one for each request under way.
class Handles {
 public:
  Handle take() {
    {
      const std::lock_guard guard(mutex_);
      if (!free_.empty()) {
        Handle handle = std::move(free_.back());
        free_.pop_back();
        return handle;
      }
    }
    Handle handle(Curl::instance().easy_init());
    if (handle == nullptr) throw StoreFailure("io", "libcurl does not start");
    return handle;
  }
  void give_back(Handle handle) {
    Curl::instance().easy_reset(handle.get());
    const std::lock_guard guard(mutex_);
    free_.push_back(std::move(handle));
  }

 private:
  std::mutex mutex_;
  std::vector<Handle> free_;
};

/// The response to one request.
struct Answer {
  CURLcode result = CURLE_OK;
  long status = 0;
  std::string etag;
  std::string modified;
  /// The first byte of the range and the size of the whole, by Content-Range; nothing if it is not
  /// given.
  std::optional<uint64_t> first;
  std::optional<uint64_t> total;
  /// Bytes of this answer, by Content-Length.
  std::optional<uint64_t> length;

  bool is_redirect() const {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }
  bool is_transient() const {
    switch (result) {
      case CURLE_OK:
      case CURLE_WRITE_ERROR:
        return status == 408 || status == 429 || status >= 500;
      case CURLE_COULDNT_CONNECT:
      case CURLE_OPERATION_TIMEDOUT:
      case CURLE_PARTIAL_FILE:
      case CURLE_RECV_ERROR:
      case CURLE_SEND_ERROR:
      case CURLE_GOT_NOTHING:
        return true;
      default:
        return false;
    }
  }
};

/// Takes the body of a request as it comes; returns false to end it.
using TakeBody = std::function<bool(const Answer&, const char* data, size_t size)>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && std::strchr(" \t\r\n", text.back()) != nullptr) text.remove_suffix(1);
  return text;
}

void take_header(std::string_view line, Answer* answer) {
  // Each response of a chain of redirects starts again.
  if (line.starts_with("HTTP/")) {
    *answer = {};
    const size_t blank = line.find(' ');
    if (blank != std::string_view::npos) {
      std::from_chars(line.data() + blank + 1, line.data() + line.size(), answer->status);
    }
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  std::string name(line.substr(0, colon));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "etag") answer->etag = value;
  if (name == "last-modified") answer->modified = value;
  const auto number = [&](size_t from) -> std::optional<uint64_t> {
    uint64_t found = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, failed] = std::from_chars(value.data() + from, end, found);
    return failed == std::errc() ? std::optional(found) : std::nullopt;
  };
  if (name == "content-length") answer->length = number(0);
  if (name == "content-range") {
    // "bytes 0-99/1234", "bytes */1234"
    constexpr std::string_view kBytes = "bytes ";
    if (value.starts_with(kBytes)) answer->first = number(kBytes.size());
    const size_t slash = value.rfind('/');
    if (slash != std::string_view::npos) answer->total = number(slash + 1);
  }
}

/// Returns the scheme, host and port of a URL; "http://A:80/x" and "http://a/y" have the same.
std::string origin_of(std::string_view url) {
  const size_t host = url.find("://") + 3;
  std::string origin(url.substr(0, url.find_first_of("/?#", host)));
  std::ranges::transform(origin, origin.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view port = origin.starts_with("https:") ? ":443" : ":80";
  if (origin.ends_with(port)) origin.resize(origin.size() - port.size());
  return origin;
}

/// Returns the URL as sent: spaces and non-ASCII bytes are escaped.
std::string encoded(const std::string& uri) {
  std::string out;
  for (const char c : uri) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '"' && c != '<' && c != '>') {
      out += c;
    } else {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%%%02X", static_cast<unsigned>(byte));
      out += digits;
    }
  }
  return out;
}

/// Sends requests to a server, with retries.
class Client {
 public:
  Client(const std::string& uri, const StoreOptions& options)
      : url_(encoded(uri)),
        retries_(static_cast<int>(number_option(options, "retries", kRetries))),
        connect_seconds_(number_option(options, "connect-timeout", kConnectSeconds)),
        answer_seconds_(number_option(options, "timeout", kAnswerSeconds)),
        is_anonymous_(is_anonymous(options)) {}

  int retries() const { return retries_; }

  /// Asks for bytes from `first` to `last`, of the contents with a tag if one is given. `take` gets
  /// the bodies of the statuses 200 and 206. Credentials go to the server of the URI, and to no
  /// other that it leads to.
  Answer get(uint64_t first, uint64_t last, const std::string& tag, const TakeBody& take) {
    std::string url = url_;
    bool with_credentials = !is_anonymous_;
    for (int hops = 0; hops <= kMostRedirects; ++hops) {
      std::string next;
      Answer answer = ask(url, with_credentials, first, last, tag, take, &next);
      if (!answer.is_redirect() || next.empty()) return answer;
      // guard(connect): a redirect to another scheme, host or port gets no credentials.
      with_credentials = with_credentials && origin_of(next) == origin_of(url);
      url = std::move(next);
    }
    throw StoreFailure("io", "too many redirects");
  }

  /// Waits before an attempt.
  static void wait(int attempt) {
    if (attempt > 0) std::this_thread::sleep_for(kFirstDelay * (1 << std::min(attempt - 1, 6)));
  }

  [[noreturn]] static void fail(const Answer& answer) {
    if (answer.result == CURLE_OPERATION_TIMEDOUT) {
      throw StoreFailure("io", "the server did not answer in time (storage option timeout)");
    }
    if (answer.result == CURLE_UNSUPPORTED_PROTOCOL) {
      throw StoreFailure("io", "expected an address of http or https, found a redirect to another");
    }
    if (answer.result != CURLE_OK && answer.result != CURLE_WRITE_ERROR) {
      throw StoreFailure("io", std::string("the request failed: ") +
                                   Curl::instance().easy_strerror(answer.result));
    }
    if (answer.status == 404 || answer.status == 410) {
      throw StoreFailure("missing", "there is no such file on the server");
    }
    if (answer.status == 412) {
      throw StoreFailure("changed", "the file on the server has changed");
    }
    const bool refused = answer.status == 401 || answer.status == 403;
    throw StoreFailure("io", (refused ? "the server refuses access: status "
                                      : "the server answered with status ") +
                                 std::to_string(answer.status));
  }

 private:
  /// Asks one server; `next` gets the URL that a redirect leads to.
  Answer ask(const std::string& url, bool with_credentials, uint64_t first, uint64_t last,
             const std::string& tag, const TakeBody& take, std::string* next) {
    const Curl& curl = Curl::instance();
    Handle handle = handles_.take();
    Answer answer;
    struct Body {
      Answer* answer;
      const TakeBody* take;
      uint64_t ignored = 0;
    } body{&answer, &take};
    const auto set = [&](CURLoption option, auto value) {
      (void)curl.easy_setopt(handle.get(), option, value);
    };
    const std::string range = std::to_string(first) + "-" + std::to_string(last);
    curl_slist* headers = nullptr;
    if (!tag.empty()) headers = curl.slist_append(headers, ("If-Match: " + tag).c_str());
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_RANGE, range.c_str());
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_NOSIGNAL, 1L);
    // The caller follows redirects, since it knows which server may get credentials. One to another
    // scheme, such as file, fails.
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_NETRC,
        static_cast<long>(with_credentials ? CURL_NETRC_OPTIONAL : CURL_NETRC_IGNORED));
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_seconds_ * 1000));
    set(CURLOPT_LOW_SPEED_LIMIT, kLeastSpeed);
    set(CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(answer_seconds_)));
    set(CURLOPT_USERAGENT, "xwalk/" XWALK_VERSION);
    const curl_write_callback on_header = [](char* data, size_t, size_t size, void* self) {
      take_header({data, size}, static_cast<Answer*>(self));
      return size;
    };
    const curl_write_callback on_body = [](char* data, size_t, size_t size, void* self) {
      auto* to = static_cast<Body*>(self);
      if (to->answer->status != 200 && to->answer->status != 206) {
        // A page about the error, which may have no end.
        to->ignored += size;
        return to->ignored <= kLongestPage ? size : 0;
      }
      try {
        return (*to->take)(*to->answer, data, size) ? size : 0;
      } catch (...) {
        return size_t{0};
      }
    };
    set(CURLOPT_HEADERFUNCTION, on_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(&answer));
    set(CURLOPT_WRITEFUNCTION, on_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&body));
    // guard(connect): to the host of a URI that the user named; redirects are followed by xwalk
    // itself, without credentials for another origin.
    const CURLcode result = curl.easy_perform(handle.get());
    (void)curl.easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &answer.status);
    answer.result = result;
    char* redirect = nullptr;
    (void)curl.easy_getinfo(handle.get(), CURLINFO_REDIRECT_URL, &redirect);
    if (redirect != nullptr) *next = redirect;
    curl.slist_free_all(headers);
    handles_.give_back(std::move(handle));
    return answer;
  }

  std::string url_;
  int retries_;
  double connect_seconds_;
  double answer_seconds_;
  bool is_anonymous_;
  Handles handles_;
};

/// A file without a name, for what a server gives only whole.
class WholeFile {
 public:
  ~WholeFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  WholeFile() = default;
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  bool exists() const { return descriptor_ >= 0; }
  uint64_t size() const { return size_; }
  /// Returns the bytes that the disk of the file has left.
  uint64_t free_bytes() const {
    struct statvfs disk {};
    if (::fstatvfs(descriptor_, &disk) != 0) return UINT64_MAX;
    return static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize;
  }

  /// Forgets the file.
  void drop() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    size_ = 0;
  }
  void clear() {
    if (descriptor_ < 0) {
      const char* folder = std::getenv("TMPDIR");
      std::string pattern = std::string(folder == nullptr ? "/tmp" : folder) + "/xwalk-XXXXXX";
      descriptor_ = ::mkostemp(pattern.data(), O_CLOEXEC);
      if (descriptor_ < 0) {
        throw StoreFailure("io",
                           std::string("cannot make a temporary file: ") + std::strerror(errno));
      }
      // guard(delete): the file that mkostemp has just made.
      ::unlink(pattern.c_str());
    }
    (void)::ftruncate(descriptor_, 0);
    size_ = 0;
  }
  bool append(const char* data, size_t size) {
    while (size > 0) {
      const ssize_t put = ::pwrite(descriptor_, data, size, static_cast<off_t>(size_));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return false;
      data += put;
      size -= static_cast<size_t>(put);
      size_ += static_cast<uint64_t>(put);
    }
    return true;
  }
  void read(uint64_t offset, uint64_t size, char* out) const {
    while (size > 0) {
      const ssize_t got = ::pread(descriptor_, out, size, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw StoreFailure("io", "cannot read a temporary file");
      out += got;
      offset += static_cast<uint64_t>(got);
      size -= static_cast<uint64_t>(got);
    }
  }

 private:
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

class HttpObject final : public StoreObject {
 public:
  HttpObject(const std::string& uri, const StoreOptions& options) : client_(uri, options) {
    Answer answer;
    uint64_t most = 0;
    for (int attempt = 0; attempt <= client_.retries(); ++attempt) {
      Client::wait(attempt);
      // Nothing of an attempt that failed counts.
      head_.clear();
      whole_.drop();
      bool written = true;
      answer = client_.get(0, kHead - 1, "", [&](const Answer& now, const char* data, size_t size) {
        if (now.status == 206) {
          // A server that goes on after the range is left.
          const size_t wanted = std::min<size_t>(size, kHead - head_.size());
          head_.append(data, wanted);
          return wanted == size;
        }
        if (!whole_.exists()) {
          whole_.clear();
          most = most_of(now, options);
        }
        // guard(allocate): a whole file takes the free space, or half of it without a known length.
        if (std::max(now.length.value_or(0), whole_.size() + size) > most) return false;
        written = whole_.append(data, size);
        return written;
      });
      if (!written) {
        throw StoreFailure("io",
                           std::string("cannot write a temporary file: ") + std::strerror(errno));
      }
      if (!answer.is_transient()) break;
    }
    const bool goes_on = answer.result == CURLE_WRITE_ERROR && answer.status == 206;
    if (answer.result == CURLE_WRITE_ERROR && answer.status == 200) refuse_long(answer, most);
    if (answer.result != CURLE_OK && !goes_on) Client::fail(answer);
    tag_ = answer.etag.empty() ? answer.modified : answer.etag;
    // A weak tag does not identify bytes, even to the server that issued it.
    if (!answer.etag.starts_with("W/")) match_ = answer.etag;
    if (answer.status == 206) {
      if (!answer.total || answer.first != 0) refuse_range();
      size_ = *answer.total;
      if (head_.size() != std::min(size_, kHead)) refuse_range();
    } else if (answer.status == 200) {
      if (!whole_.exists()) whole_.clear();
      size_ = whole_.size();
    } else if (answer.status == 416) {
      size_ = 0;  // a range of an empty file
    } else {
      Client::fail(answer);
    }
  }

  uint64_t size() const override { return size_; }
  const std::string& tag() const override { return tag_; }
  std::string_view head() const override { return head_; }
  bool fetched_whole() const override { return whole_.exists(); }

  void read_at(uint64_t offset, uint64_t size, char* out) override {
    if (whole_.exists()) {
      whole_.read(offset, size, out);
      return;
    }
    uint64_t done = 0;
    for (int attempt = 0; done < size;) {
      Client::wait(attempt);
      const uint64_t before = done;
      const Answer answer =
          client_.get(offset + done, offset + size - 1, match_,
                      [&](const Answer& now, const char* data, size_t more) {
                        if (now.status != 206 || !is_same(now)) return false;
                        if (now.first && *now.first != offset + before) return false;
                        const size_t wanted = std::min<uint64_t>(more, size - done);
                        std::memcpy(out + done, data, wanted);
                        done += wanted;
                        // A server that goes on, or does not say where it ends, is left.
                        return wanted == more && (done < size || now.length == size - before);
                      });
      if (answer.status == 206 && !is_same(answer)) {
        throw StoreFailure("changed", "the file on the server has changed");
      }
      if (done == size) return;
      if (answer.status == 206 && answer.first && *answer.first != offset + before) refuse_range();
      const bool cut = answer.result == CURLE_OK && answer.status == 206;
      if (!answer.is_transient() && !cut) Client::fail(answer);
      // Bytes that came count as a new beginning.
      attempt = done > before ? 1 : attempt + 1;
      if (attempt > client_.retries()) {
        if (!cut) Client::fail(answer);
        throw StoreFailure("io", "the server sent fewer bytes than were requested");
      }
    }
  }

 private:
  /// Returns how many bytes of a whole file are taken: the free disk space, or half of that and a
  /// limit if the server does not give the length, since the response may never end.
  uint64_t most_of(const Answer& answer, const StoreOptions& options) const {
    const uint64_t free = whole_.free_bytes();
    const bool is_given = options.contains("max-download");
    if (answer.length && !is_given) return free;
    const auto limit = static_cast<uint64_t>(number_option(options, "max-download", kMaxDownload));
    return std::min(limit, answer.length ? free : free / 2);
  }
  [[noreturn]] static void refuse_long(const Answer& answer, uint64_t most) {
    const std::string has = answer.length ? "has " + std::to_string(*answer.length) + " bytes"
                                          : "has no end after " + std::to_string(most) + " bytes";
    throw StoreFailure("io", "the server sends the file only as a whole, and it " + has +
                                 ", expected at most " + std::to_string(most) +
                                 ". A larger disk for TMPDIR or the storage option max-download "
                                 "allows more.");
  }
  [[noreturn]] static void refuse_range() {
    throw StoreFailure("io", "the server does not give the requested range");
  }
  bool is_same(const Answer& answer) const {
    return (answer.etag.empty() ? answer.modified : answer.etag) == tag_ &&
           (!answer.total || *answer.total == size_);
  }

  Client client_;
  std::string tag_;
  std::string match_;
  std::string head_;
  WholeFile whole_;
  uint64_t size_ = 0;
};

[[noreturn]] void refuse_writing() {
  throw StoreFailure("unsupported", "http and https are read, and not written");
}

class HttpStore final : public Store {
 public:
  std::unique_ptr<StoreObject> open(const std::string& uri, const StoreOptions& options) override {
    return std::make_unique<HttpObject>(uri, options);
  }
  XwalkStoreKind look(const std::string& uri, const StoreOptions& options) override {
    try {
      (void)HttpObject(uri, options);
      return XWALK_STORE_OBJECT;
    } catch (const StoreFailure& failure) {
      if (std::string_view(failure.code()) == "missing") return XWALK_STORE_NOTHING;
      throw;
    }
  }
  void list(const std::string&, const StoreOptions&, bool, const Page&) override {
    throw StoreFailure("unsupported", "http and https have no folders that can be listed");
  }
  std::unique_ptr<StoreUpload> create(const std::string&, const StoreOptions&, bool) override {
    refuse_writing();
  }
  void remove(const std::string&, const StoreOptions&) override { refuse_writing(); }
};

}  // namespace

Store& http_store() {
  static HttpStore store;
  return store;
}

}  // namespace xwalk::plugin
