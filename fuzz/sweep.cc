#include "fuzz/sweep.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace xwalk::fuzz {
namespace {

/// Seconds that one input may take, and what the program may take of memory.
constexpr int kMostSeconds = 25;
constexpr int64_t kMostKibibytes = int64_t{2500} << 10;

constexpr size_t kPage = 4096;
constexpr int kFound = 77;

// What signal handlers look at.
const char* current = nullptr;
size_t current_size = 0;
uint64_t executions = 0;
uint64_t executions_before = 0;
int seconds_without = 0;
volatile sig_atomic_t seconds_left = 0;
std::string artifact;

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void found(std::string_view what) {
  const int file = open(artifact.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  [[maybe_unused]] const ssize_t written = write(file, current, current_size);
  std::array<char, 64> number{};
  std::snprintf(number.data(), number.size(), "stat::number_of_executed_units: %llu\n",
                static_cast<unsigned long long>(executions));
  say("SUMMARY: sweep: ");
  say(what);
  say("\nTest unit written to ");
  say(artifact);
  say("\n");
  say(number.data());
  _exit(kFound);
}

void on_fault(int number) {
  switch (number) {
    case SIGABRT:
      found("aborted");
    case SIGILL:
    case SIGTRAP:
      found("undefined behaviour");
    case SIGFPE:
      found("arithmetic fault");
    default:
      found("memory fault");
  }
}

void on_second(int) {
  seconds_left = seconds_left - 1;
  seconds_without = executions == executions_before ? seconds_without + 1 : 0;
  executions_before = executions;
  if (seconds_without > kMostSeconds) found("timeout");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss > kMostKibibytes) found("out-of-memory");
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

/// xorshift64*: what is random here needs to be quick, and the same for a seed.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return (state_ * 0x2545f4914f6cdd1dU) >> 16;
  }
  size_t below(size_t count) { return static_cast<size_t>(next() % count); }

 private:
  uint64_t state_;
};

/// Changes inputs in place.
class Mutator {
 public:
  Mutator(std::vector<std::string> corpus, std::vector<std::string> words, size_t most,
          uint64_t seed)
      : corpus_(std::move(corpus)), words_(std::move(words)), most_(most), random_(seed) {}

  /// Makes the next input.
  const std::string& next() {
    now_ = corpus_[random_.below(corpus_.size())];
    // Most mistakes are single, and what has many is refused at the first.
    size_t changes = 1;
    while (changes < 6 && random_.below(3) == 0) ++changes;
    for (size_t i = 0; i < changes; ++i) change();
    if (now_.size() > most_) now_.resize(most_);
    return now_;
  }

 private:
  void change() {
    const size_t kind = random_.below(words_.empty() ? 9 : 12);
    if (now_.empty() && kind < 6) return now_.push_back(byte());
    switch (kind) {
      case 0: {
        char& at = now_[random_.below(now_.size())];
        at = static_cast<char>(static_cast<uint8_t>(at) ^ 1U << random_.below(8));
        return;
      }
      case 1:
        now_[random_.below(now_.size())] = byte();
        return;
      case 2:
        return add();
      case 3: {
        const size_t from = random_.below(now_.size());
        now_.erase(from, 1 + random_.below(std::min<size_t>(now_.size() - from, 16)));
        return;
      }
      case 4: {
        // A part of the input once more, elsewhere.
        const size_t from = random_.below(now_.size());
        const std::string part = now_.substr(from, 1 + random_.below(32));
        return put(part, random_.below(2) == 0);
      }
      case 5: {
        const size_t from = random_.below(now_.size());
        return now_.resize(from);
      }
      case 6:
        return put(std::string(1 + random_.below(4), byte()), false);
      case 7: {
        const std::string& other = corpus_[random_.below(corpus_.size())];
        if (other.empty()) return;
        const size_t from = random_.below(other.size());
        return put(other.substr(from, 1 + random_.below(64)), random_.below(2) == 0);
      }
      case 8: {
        // Its front and the other's end.
        const std::string& other = corpus_[random_.below(corpus_.size())];
        const size_t from = random_.below(now_.size() + 1);
        now_.resize(from);
        now_.append(other, std::min(from, other.size()));
        return;
      }
      default:
        return put(words_[random_.below(words_.size())], random_.below(2) == 0);
    }
  }

  /// A byte that parsers are likely to know, or any.
  char byte() {
    static constexpr char kKnown[] = "\0\1\2\3\4\5\6\x7f\x80\xff;=<>{}[]()\"'\\#%,:.-+eE019 aZ\n";
    return random_.below(2) == 0 ? kKnown[random_.below(sizeof(kKnown))]
                                 : static_cast<char>(random_.below(256));
  }

  /// Adds a small number to an integer of one to eight bytes, of either order, or negates it.
  void add() {
    const size_t width = size_t{1} << random_.below(4);
    if (now_.size() < width) return;
    char* at = now_.data() + random_.below(now_.size() - width + 1);
    uint64_t value = 0;
    std::memcpy(&value, at, width);
    const bool swapped = random_.below(2) == 0;
    if (swapped) value = __builtin_bswap64(value) >> (64 - 8 * width);
    const uint64_t by = random_.below(21);
    value = by == 20 ? 0 - value : value + by - 10;
    if (swapped) value = __builtin_bswap64(value) >> (64 - 8 * width);
    std::memcpy(at, &value, width);
  }

  void put(const std::string& part, bool over) {
    const size_t at = random_.below(now_.size() + 1);
    if (over) {
      now_.replace(at, part.size(), part);
    } else {
      now_.insert(at, part);
    }
  }

  std::vector<std::string> corpus_;
  std::vector<std::string> words_;
  size_t most_;
  Random random_;
  std::string now_;
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads the entries of a libFuzzer dictionary: quoted strings with `\xNN` and `\\`.
std::vector<std::string> read_words(const std::string& path) {
  std::vector<std::string> words;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find('"');
    const size_t last = line.rfind('"');
    if (line.starts_with('#') || first == last) continue;
    std::string word;
    for (size_t i = first + 1; i < last; ++i) {
      if (line[i] == '\\' && line[i + 1] == 'x') {
        word.push_back(static_cast<char>(std::strtol(line.substr(i + 2, 2).c_str(), nullptr, 16)));
        i += 3;
      } else {
        word.push_back(line[line[i] == '\\' ? ++i : i]);
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// Memory whose end is the end of what may be read.
char* bytes_before_a_wall(size_t size) {
  const size_t room = (size + kPage - 1) / kPage * kPage;
  void* memory =
      mmap(nullptr, room + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  char* end = static_cast<char*>(memory) + room;
  mprotect(end, kPage, PROT_NONE);
  return end;
}

}  // namespace

void sweep_if_asked(int argc, char** argv) {
  int seconds = 0;
  uint64_t seed = 1;
  size_t most = 4096;
  std::vector<std::string> words;
  std::vector<std::string> corpus;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    const std::string value = argument.substr(equals == std::string::npos ? 0 : equals + 1);
    if (argument.starts_with("--sweep=")) seconds = std::stoi(value);
    if (argument.starts_with("--seed=")) seed = std::stoull(value);
    if (argument.starts_with("--max_len=")) most = std::stoull(value);
    if (argument.starts_with("--artifact_prefix=")) artifact = value;
    if (argument.starts_with("--dict=")) words = read_words(value);
  }
  if (seconds == 0) return;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argument)) {
      std::string bytes = contents(entry.path());
      if (bytes.size() <= most) corpus.push_back(std::move(bytes));
    }
  }
  // The order of a folder is not the same everywhere.
  std::ranges::sort(corpus);
  if (corpus.empty()) corpus.emplace_back();
  artifact += "sweep-" + std::to_string(seed);
  say("sweep: " + std::to_string(corpus.size()) + " inputs, " + std::to_string(words.size()) +
      " words\n");

  for (const int number : {SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSEGV, SIGBUS}) {
    handle(number, on_fault, SA_ONSTACK | SA_NODEFER);
  }
  // A stack that overflowed cannot hold the handler.
  stack_t stack{};
  stack.ss_size = size_t{1} << 16;
  stack.ss_sp = std::malloc(stack.ss_size);
  sigaltstack(&stack, nullptr);
  handle(SIGALRM, on_second, SA_RESTART);
  seconds_left = seconds;
  const itimerval each_second{{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &each_second, nullptr);

  char* end = bytes_before_a_wall(most);
  Mutator mutator(std::move(corpus), std::move(words), most, seed);
  while (seconds_left > 0) {
    const std::string& input = mutator.next();
    char* begin = end - input.size();
    std::memcpy(begin, input.data(), input.size());
    current = begin;
    current_size = input.size();
    LLVMFuzzerTestOneInput(static_cast<const uint8_t*>(static_cast<const void*>(begin)),
                           input.size());
    ++executions;
  }
  say("stat::number_of_executed_units: " + std::to_string(executions) + "\n");
  _exit(0);
}

}  // namespace xwalk::fuzz
