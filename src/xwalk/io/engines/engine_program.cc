#include "xwalk/io/engines/engine_program.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <poll.h>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/fork.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/plugins/engine_file.h"

namespace xwalk::io {
namespace {

/// Versions of the contract with a program; a program says its own in its first line.
constexpr int kFirstContract = 1;
/// xwalk's own descriptors stay clear of those that a program gets, so that no copy hides another.
constexpr int kFirstDescriptor = 10;
/// Bytes a pipe holds: what an unprivileged process may ask for.
constexpr int kPipeBytes = 1 << 20;
/// Longest line that a program says; a longer one is nonsense.
constexpr size_t kLongestLine = size_t{16} << 20;
/// Most bytes of status that a program may send without taking or sending rows.
constexpr size_t kMostStatus = size_t{64} << 20;
/// How many other engines a program may name whose work it does.
constexpr size_t kMostEngines = 16;
/// Maximum length of a program's output in a message.
constexpr size_t kOutputShown = 2000;
/// A tenth of a second, in milliseconds.
constexpr int kTenth = 100;
/// Longest time a program gets to clean up, in tenths of a second.
constexpr int kPatience = 100;
/// The same if the host itself is ending.
constexpr int kLastPatience = 20;
/// Bytes of a program's standard error that are kept. Pages without text take no memory.
constexpr off_t kMostText = off_t{16} << 20;

[[noreturn]] void system_failure(std::string_view what) {
  throw Error(ErrorCode::Io, fmt::format("{}: {}", what, std::strerror(errno)));
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) system_failure("cannot make a pipe");
    read_end = ::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstDescriptor);
    write_end = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstDescriptor);
    ::close(ends[0]);
    ::close(ends[1]);
    if (read_end < 0 || write_end < 0) system_failure("cannot make a pipe");
    // A larger pipe means fewer switches between the two processes; a smaller one works as well.
    (void)::fcntl(write_end, F_SETPIPE_SZ, kPipeBytes);
  }
};

/// The engines of this process, for a program that has to end.
struct Children {
  Children() { free_in_forks(&mutex); }
  std::mutex mutex;
  std::set<pid_t> pids;
};

Children& children() {
  static auto* const instance = new Children;  // outlives every engine
  return *instance;
}

/// Writes without a signal when the reader is gone: a library cannot ask its program to ignore
/// SIGPIPE.
ssize_t write_quietly(int descriptor, const void* data, size_t size) {
  sigset_t pipe_signal, before;
  ::sigemptyset(&pipe_signal);
  ::sigaddset(&pipe_signal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ssize_t written = ::write(descriptor, data, size);
  int failure = errno;
  // The signal comes with a part that was written, too.
  bool whole = written == static_cast<ssize_t>(size);
  if (!whole && ::sigismember(&before, SIGPIPE) == 0) {
    timespec now{};
    ::sigtimedwait(&pipe_signal, nullptr, &now);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = failure;
  return written;
}

ErrorCode code_of(std::string_view word) {
  if (word == "input") return ErrorCode::Input;
  if (word == "unsupported") return ErrorCode::Unsupported;
  if (word == "internal") return ErrorCode::Internal;
  if (word == "interrupted") return ErrorCode::Interrupted;
  return ErrorCode::Io;
}

EngineSilence& longest_silence() {
  static EngineSilence longest;
  return longest;
}

/// Returns the processor time that a process has used, in ticks of the system; nothing if that is
/// not known.
std::optional<uint64_t> processor_time(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  // The name of the program, in parentheses, may hold anything.
  const size_t name = text.rfind(')');
  if (name == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name + 1));
  std::string word;
  constexpr int kBefore = 11;
  for (int i = 0; i < kBefore; ++i) fields >> word;
  uint64_t user = 0;
  uint64_t system = 0;
  if (!(fields >> user >> system)) return std::nullopt;
  return user + system;
}

/// Returns the descriptor of memory that a program's standard error is written to, -1 without one.
/// The memory cannot grow beyond `kMostText`: writing more fails for the program.
int text_memory() {
  const int made = ::memfd_create("xwalk-engine-words", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) return -1;
  const bool is_bounded = ::ftruncate(made, kMostText) == 0 &&
                          ::fcntl(made, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0;
  const int moved = is_bounded ? ::fcntl(made, F_DUPFD_CLOEXEC, kFirstDescriptor) : -1;
  ::close(made);
  return moved;
}

/// How long nothing has come from a program, and whether it works meanwhile.
class Silence {
 public:
  explicit Silence(pid_t child) : child_(child) {}

  void restart() { since_ = looked_ = worked_ = Clock::now(); }

  bool is_too_long() {
    const Clock::time_point now = Clock::now();
    if (now - looked_ > std::chrono::seconds(1)) {
      looked_ = now;
      const std::optional<uint64_t> work = processor_time(child_);
      if (!work || *work != work_) worked_ = now;
      work_ = work.value_or(0);
    }
    return now - since_ >= longest_silence().working || now - worked_ >= longest_silence().idle;
  }
  int64_t seconds() const {
    return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  pid_t child_;
  Clock::time_point since_ = Clock::now();
  Clock::time_point looked_ = since_;
  Clock::time_point worked_ = since_;
  uint64_t work_ = 0;  ///< processor time at the last look
};

std::string& host_interpreter() {
  static std::string path;
  return path;
}

/// Returns the interpreter that this process was given for scripts in Python, "" if none.
std::string given_interpreter() {
  const std::string& given = host_interpreter();
  if (given.empty() || given.starts_with('/')) return given;
  std::string found = given.find('/') == std::string::npos ? find_program(given) : "";
  if (found.empty()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected the interpreter by its whole path or as a program in PATH, "
                            "found {} in XWALK_PYTHON",
                            xwalk::quoted(given)));
  }
  return found;
}

/// Returns the interpreter that a file must be run with, "" if the file is executable without one.
/// A Python script names a general one in its first line, which may not be the one with the
/// packages.
std::string interpreter_of(const std::string& file) {
  char line[64] = {};
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return "";
  const ssize_t got = ::read(descriptor, line, sizeof line - 1);
  ::close(descriptor);
  const std::string_view first = std::string_view(line, got < 0 ? 0 : static_cast<size_t>(got));
  if (!first.starts_with("#!") || first.find("python") == std::string_view::npos) return "";
  return given_interpreter();
}

std::string program_name(std::string_view engine) { return fmt::format("xwalk-engine-{}", engine); }

/// Returns where the program of an engine is, "" if nowhere.
std::string path_of(const std::string& program) {
  std::string path = find_engine_file(program);
  return path.empty() ? find_program(program) : path;
}

std::vector<char*> null_ended(std::vector<std::string>& arguments) {
  std::vector<char*> out;
  for (std::string& word : arguments) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

std::string for_engine(const Location& path) {
  if (path.is_remote() || path.is_standard()) return path;
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(path.name(), failed);
  return failed ? std::filesystem::absolute(path.name()).string() : real.string();
}

std::string print_for_engine(const nlohmann::json& json) {
  try {
    return json.dump(-1, ' ', true);
  } catch (const nlohmann::json::type_error&) {
    throw Error(ErrorCode::Unsupported,
                "expected names of files, tables and columns in UTF-8, which engines need, found "
                "another name",
                {}, "Rename it.");
  }
}

void throw_reported(const EngineReport& report) {
  if (!report.error) return;
  if (report.error_code == "exists") {
    throw SystemError(EEXIST, *report.error, "", report.error_hint);
  }
  throw Error(code_of(report.error_code), *report.error, {}, report.error_hint);
}

void set_longest_silence(EngineSilence longest) { longest_silence() = longest; }

void set_engine_interpreter(const std::string& path) { host_interpreter() = path; }

void use_interpreter_of_environment() {
  if (const char* python = std::getenv("XWALK_PYTHON")) set_engine_interpreter(python);
}

EngineProgram::EngineProgram(std::string_view name, std::string_view package, std::string_view verb,
                             const std::string& options_json)
    : name_(program_name(name)), path_(path_of(name_)), package_(package) {
  if (path_.empty()) {
    throw Error(
        ErrorCode::Io,
        fmt::format("{} rows need the program {}, which is neither installed beside xwalk "
                    "nor in PATH",
                    name, name_),
        {}, fmt::format("It comes with xwalk, and works with the Python package {}.", package_));
  }
  std::vector<std::string> arguments = {path_, std::string(verb), options_json};
  if (std::string interpreter = interpreter_of(path_); !interpreter.empty()) {
    arguments.insert(arguments.begin(), std::move(interpreter));
  }
  std::vector<std::string> environment = engine_environment();
  Pipe input, output, status;
  text_file_ = text_memory();
  // Without a socket, rows come through the pipe.
  int their_socket = -1;
  if (int ends[2]; ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
    socket_ = ::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstDescriptor);
    their_socket = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstDescriptor);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input.read_end, 0);
  if (verb == "write") {
    // Its output there is discarded.
    // guard(write): a fixed name.
    ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  } else {
    ::posix_spawn_file_actions_adddup2(&actions, output.write_end, 1);
  }
  if (text_file_ >= 0) ::posix_spawn_file_actions_adddup2(&actions, text_file_, 2);
  ::posix_spawn_file_actions_adddup2(&actions, status.write_end, 3);
  if (their_socket >= 0) ::posix_spawn_file_actions_adddup2(&actions, their_socket, 4);
  // The program starts with default signal handling, regardless of the host's.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  for (int signal : {SIGPIPE, SIGTERM}) ::sigaddset(&signals, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  // In its own process group, which is ended as one. Signals to the group of this process are
  // handled here.
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

  // guard(execute): an engine is next to xwalk or in a trusted folder of PATH.
  const int failure = ::posix_spawn(&child_, arguments.front().c_str(), &actions, &attributes,
                                    null_ended(arguments).data(), null_ended(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  ::close(input.read_end);
  ::close(output.write_end);
  ::close(status.write_end);
  if (their_socket >= 0) ::close(their_socket);
  input_ = input.write_end;
  output_ = output.read_end;
  status_ = status.read_end;
  // Nothing is waited for but by `ready`.
  for (const int descriptor : {input_, output_, status_}) {
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  }
  if (failure == 0) {
    const std::lock_guard guard(children().mutex);
    children().pids.insert(child_);
  } else {
    child_ = -1;
    close_all();
    throw Error(ErrorCode::Io,
                fmt::format("cannot start {}: {}", arguments.front(), std::strerror(failure)));
  }
}

EngineProgram::~EngineProgram() {
  stop();
  close_all();
  if (text_file_ >= 0) ::close(text_file_);
}

bool EngineProgram::shares_folder_with(std::string_view name) const {
  const std::string other = path_of(program_name(name));
  return !other.empty() &&
         std::filesystem::path(other).parent_path() == std::filesystem::path(path_).parent_path();
}

void EngineProgram::stop() {
  if (child_ < 0) return;
  if (!ended()) ::kill(-child_, SIGTERM);
  close_all();
  for (int i = 0; i < kPatience && !ended(); ++i) {
    const timespec tenth{0, 100'000'000};
    ::nanosleep(&tenth, nullptr);
  }
  if (!ended()) ::kill(-child_, SIGKILL);
  wait();
}

void EngineProgram::close_all() {
  for (int* descriptor : {&input_, &output_, &status_, &socket_}) {
    if (*descriptor >= 0) ::close(*descriptor);
    *descriptor = -1;
  }
}

void EngineProgram::close_socket() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool EngineProgram::ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

void EngineProgram::wait() {
  if (child_ < 0) return;
  siginfo_t info{};
  int failed = 0;
  do {
    failed = ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOWAIT);
  } while (failed != 0 && errno == EINTR);
  // Its descendants are in its process group, whose id is not reused before this.
  ::kill(-child_, SIGKILL);
  while (::waitpid(child_, &wait_status_, 0) < 0 && errno == EINTR) continue;
  const std::lock_guard guard(children().mutex);
  children().pids.erase(child_);
  child_ = -1;
}

bool EngineProgram::ready(int descriptor, int16_t events, int patience) {
  Silence since(child_);
  for (int silence = 0; patience < 0 || silence < patience; ++silence) {
    // Its messages are read meanwhile, so that it never blocks on them.
    pollfd polled[] = {{descriptor, events, 0}, {status_, POLLIN, 0}};
    const int count = ::poll(polled, 2, kTenth);
    if (count < 0 && errno != EINTR) system_failure("cannot wait for " + name_);
    if (count > 0 && polled[1].revents != 0) {
      take_status();
      since.restart();
    }
    if (count > 0 && polled[0].revents != 0) {
      if (descriptor != status_) status_bytes_ = 0;
      return true;
    }
    if (patience < 0 && since.is_too_long()) {
      is_killed_ = true;
      fail(fmt::format("{} neither sent nor took anything for {} s, and was ended", name_,
                       since.seconds()));
    }
    if (count <= 0) look_up();
    // Descriptors may live on in what it started; what it said at last may have come by now.
    if (count == 0 && ended() && ::poll(polled, 2, 0) == 0) return false;
  }
  return false;
}

void EngineProgram::write(const void* data, size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t written = write_quietly(input_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN && ready(input_, POLLOUT)) continue;
    if (written < 0 && errno != EPIPE && errno != EAGAIN) {
      system_failure("cannot write to " + name_);
    }
    if (written < 0) fail(fmt::format("{} stopped taking rows", name_));
    status_bytes_ = 0;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
}

size_t EngineProgram::read(void* out, size_t size) {
  for (;;) {
    ssize_t got = ::read(output_, out, size);
    if (got > 0) status_bytes_ = 0;
    if (got >= 0) return static_cast<size_t>(got);
    if (errno == EINTR) continue;
    if (errno != EAGAIN) system_failure("cannot read from " + name_);
    if (!ready(output_, POLLIN)) return 0;
  }
}

const EngineReport& EngineProgram::report() {
  take_status();
  return report_;
}

const EngineReport& EngineProgram::await_info(int count) {
  while (report_.infos < count && !report_.error && status_ >= 0 && ready(status_, POLLIN)) {
    take_status();
    look_up();
  }
  if (report_.infos < count) fail(fmt::format("{} stopped", name_));
  return report_;
}

void EngineProgram::drain_messages(int patience) {
  while (status_ >= 0 && ready(status_, POLLIN, patience)) continue;
  take_status();
}

void EngineProgram::take_status() {
  char buffer[4096];
  while (status_ >= 0) {
    ssize_t got = ::read(status_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      // Its end, or an error that would repeat.
      ::close(std::exchange(status_, -1));
      return;
    }
    status_bytes_ += static_cast<size_t>(got);
    if (status_bytes_ > kMostStatus) {
      is_killed_ = true;
      ::close(std::exchange(status_, -1));
      fail(fmt::format("{} sent {} MiB of status without rows, and was ended", name_,
                       kMostStatus >> 20));
    }
    // The previous part has no end of line.
    const size_t from = partial_line_.size();
    partial_line_.append(buffer, static_cast<size_t>(got));
    size_t start = 0;
    for (size_t end;
         (end = partial_line_.find('\n', std::max(start, from))) != std::string::npos;) {
      take_status_line(name_, std::string_view(partial_line_).substr(start, end - start), &report_);
      start = end + 1;
    }
    partial_line_.erase(0, start);
    if (partial_line_.size() > kLongestLine) partial_line_.clear();
  }
}

void take_status_line(std::string_view engine, std::string_view line, EngineReport* report) {
  nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || json.size() != 1 || !json.begin().value().is_object()) return;
  const std::string& word = json.begin().key();
  const nlohmann::json& details = json.begin().value();
  auto number = [&](const char* key) -> std::optional<int64_t> {
    auto found = details.find(key);
    if (found == details.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<int64_t>();
  };
  auto text = [&](const char* key) {
    auto found = details.find(key);
    return found != details.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (word == "hello") {
    if (std::exchange(report->greeted, true)) return;
    report->description = fmt::format("{} ({})", text("engine"), text("uses"));
    report->contract = number("contract").value_or(0);
    if (const auto found = details.find("segments"); found != details.end()) {
      report->segments = found->is_boolean() && found->get<bool>();
    }
    if (const auto found = details.find("writes"); found != details.end() && found->is_array()) {
      for (const nlohmann::json& other : *found) {
        if (report->writes.size() == kMostEngines) break;
        if (other.is_string()) report->writes.push_back(other.get<std::string>());
      }
    }
    if (report->contract < kFirstContract || report->contract > kEngineContract) {
      report->error = fmt::format(
          "{} speaks version {} of the engine contract and this xwalk version {}: install both "
          "from one release",
          engine, report->contract, kEngineContract);
      report->error_code = "io";
    }
  } else if (word == "info") {
    ++report->infos;
    if (const auto rows = number("rows")) report->total_rows = rows;
    report->bytes_so_far = static_cast<uint64_t>(number("bytes").value_or(0));
    if (std::string schema = text("schema"); !schema.empty()) report->schema = std::move(schema);
  } else if (word == "progress") {
    report->rows_so_far = number("rows").value_or(0);
    report->bytes_so_far = static_cast<uint64_t>(number("bytes").value_or(0));
  } else if (word == "done") {
    report->done_rows = number("rows");
    if (auto bytes = number("bytes")) report->done_bytes = static_cast<uint64_t>(*bytes);
    report->done_updated = number("updated");
  } else if (word == "error" && !report->error) {
    report->error = text("message");
    report->error_code = text("code");
    report->error_hint = text("hint");
  }
}

std::string EngineProgram::last_output() const {
  if (text_file_ < 0) return "";
  // The file is longer than the written output, which ends at the program's position.
  off_t size = ::lseek(text_file_, 0, SEEK_CUR);
  if (size <= 0) return "";
  auto wanted = std::min<size_t>(static_cast<size_t>(size), kOutputShown);
  // guard(allocate): The end of an engine's text has a limit.
  std::string text(wanted, '\0');
  ssize_t got = ::pread(text_file_, text.data(), wanted, size - static_cast<off_t>(wanted));
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  while (text.ends_with('\n')) text.pop_back();
  // What a panic said comes after the line that says where; advice on backtraces follows.
  if (const size_t panic = text.rfind(" panicked at "); panic != std::string::npos) {
    const size_t begin = text.find('\n', panic);
    if (begin != std::string::npos) {
      return "a panic: " + text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
    }
  }
  size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

void EngineProgram::finish() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
  drain_messages(-1);
  wait();
  bool well = WIFEXITED(wait_status_) && WEXITSTATUS(wait_status_) == 0;
  if (!well || report_.error || !report_.done_rows) {
    fail(fmt::format("{} ended before its work was done", name_));
  }
}

void EngineProgram::fail(const std::string& otherwise) {
  if (input_ >= 0) ::close(input_);
  if (output_ >= 0) ::close(output_);
  input_ = output_ = -1;
  drain_messages(is_killed_ ? 0 : kPatience);
  // One that has closed what it speaks on is about to have ended: its pipes go before itself.
  for (int i = 0; status_ < 0 && child_ >= 0 && !ended() && i < kTenth; ++i) {
    const timespec hundredth{0, 10'000'000};
    ::nanosleep(&hundredth, nullptr);
  }
  const bool by_itself = !is_killed_ && (child_ < 0 || ended());
  stop();
  if (report_.error) {
    if (report_.error_code == "missing") {
      throw Error(
          ErrorCode::Io,
          fmt::format("{} needs the Python package {}: {}", name_, package_, *report_.error), {},
          fmt::format("pip install {}, or name an interpreter that has it in the variable "
                      "XWALK_PYTHON.",
                      package_));
    }
    throw_reported(report_);
  }
  std::string ending = otherwise;
  if (by_itself && WIFSIGNALED(wait_status_)) {
    ending = fmt::format("{} was ended by signal {}", name_, WTERMSIG(wait_status_));
  } else if (by_itself && WEXITSTATUS(wait_status_) != 0) {
    ending = fmt::format("{} ended with status {}", name_, WEXITSTATUS(wait_status_));
  }
  if (std::string arguments = last_output(); !arguments.empty())
    ending += ": " + clipped(arguments, 300);
  throw Error(ErrorCode::Io, ending);
}

void end_engines() {
  const std::lock_guard guard(children().mutex);
  for (const pid_t pid : children().pids) ::kill(-pid, SIGTERM);
  const auto runs = [](pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0;
  };
  const auto wait = [&] {
    for (int i = 0; i < kLastPatience && std::ranges::any_of(children().pids, runs); ++i) {
      const timespec tenth{0, 100'000'000};
      ::nanosleep(&tenth, nullptr);
    }
  };
  wait();
  // Ends their descendants as well.
  for (const pid_t pid : children().pids) ::kill(-pid, SIGKILL);
  wait();
}

}  // namespace xwalk::io
