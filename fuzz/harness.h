#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "xwalk/base/error.h"

// What all fuzzers share. Each defines XWALK_FUZZ_RUN, which is called for every input. An Error
// that it throws ends the program, and so does an allocation that is far larger than the input.

namespace xwalk::fuzz {

/// Checks one input. Expected refusals are caught in it. Everything else must hold.
#ifndef XWALK_FUZZ_RUN
#define XWALK_FUZZ_RUN run
#endif
void XWALK_FUZZ_RUN(std::string_view bytes);

/// Calls the check of a fuzzer with an input. Ends the program if it throws an Error.
void check_input(void (*run)(std::string_view), std::string_view bytes);

/// Counts allocations from now on. To be called once.
void count_allocations();

/// Ends the program if a law is broken, and reports its line.
void require(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// The same, saying what broke.
void require(bool holds, std::string_view law, std::string_view found);

/// Ends the program if a refusal is a bug: it reports an internal error, or none of these codes.
void require_refusal(const Error& error, std::initializer_list<ErrorCode> codes = {});

/// What one allocation may have beside twice the bytes of the input: windows that readers and
/// writers begin with.
inline constexpr size_t kBeside = size_t{4} << 20;

/// Lets one allocation be larger, while in scope: as large as given, or without bound for what is
/// made of a schema or of random rows, not of the bytes.
class Allowance {
 public:
  explicit Allowance(size_t bytes = SIZE_MAX);
  ~Allowance();
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;

 private:
  size_t limit_;
};

/// Bounds what one input may take in all, while in scope: as many times its bytes as a schema may
/// become, and some beside. `Allowance` does not lift it. For parsers of schemas, footers and
/// references, and for what shares values: the bytes beside are then the limit of a batch.
class MemoryTotal {
 public:
  explicit MemoryTotal(size_t bytes, size_t beside = kBeside);
  ~MemoryTotal();
  MemoryTotal(const MemoryTotal&) = delete;
  MemoryTotal& operator=(const MemoryTotal&) = delete;
};

/// Protobuf reserves up to so much for a string by the length it claims, and reads as it comes.
inline constexpr size_t kProtobufBytes = 51'000'000;

/// Takes choices off the front of an input; zeros after its end.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}

  uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto taken = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return taken;
  }
  size_t below(size_t count) { return byte() % count; }
  uint32_t word() {
    uint32_t out = 0;
    for (int i = 0; i < 4; ++i) out = out << 8 | byte();
    return out;
  }
  /// Takes some text: at most 255 bytes, as many as its first says.
  std::string_view text() {
    const size_t size = byte();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace xwalk::fuzz
