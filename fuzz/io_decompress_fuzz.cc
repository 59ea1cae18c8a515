// Any bytes as a gzip member or a zstd frame: read in steps, with looks ahead, they are what they
// are when read at once, or refused as well; any bytes compressed come back.

#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/io/bytes/compress.h"
#include "xwalk/io/bytes/decompress.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"

namespace xwalk::fuzz {
namespace {

/// What is unpacked of one input.
constexpr size_t kMost = size_t{1} << 20;

struct Unpacked {
  std::string bytes;
  std::string refused;
};

/// Looks at so many bytes before each step, if any.
Unpacked unpack(const std::string& bytes, io::Compression compression, size_t step, size_t ahead) {
  Unpacked out;
  std::string piece(step, '\0');
  try {
    const auto source = io::decompress(io::memory_source(bytes, "input"), compression);
    require(source->name() == "input" && source->size() == bytes.size());
    while (out.bytes.size() < kMost) {
      const std::string seen(ahead == 0 ? "" : source->peek(ahead));
      const size_t count = source->read(piece.data(), piece.size());
      const size_t both = std::min(count, seen.size());
      require(piece.compare(0, both, seen, 0, both) == 0, "what is seen is read", seen);
      require(seen.empty() || count > 0, "what is seen is read", seen);
      require(source->position() <= bytes.size());
      if (count == 0) break;
      out.bytes.append(piece, 0, count);
    }
    out.bytes.resize(std::min(out.bytes.size(), kMost));
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "a refusal is of the input", error.describe());
    out.refused = error.message();
  }
  return out;
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  // Windows of zstd are as large as frames say, up to the library's limit; see the limit there.
  const Allowance any;
  Choices choices(data);
  const io::Compression compression =
      choices.below(2) == 0 ? io::Compression::Gzip : io::Compression::Zstd;
  const size_t step = 1 + size_t{16} * choices.byte();
  const size_t ahead = choices.byte();
  const std::string bytes(choices.rest());
  io::compression_of_magic(bytes);
  const Unpacked whole = unpack(bytes, compression, size_t{1} << 16, 0);
  const Unpacked steps = unpack(bytes, compression, step, ahead);
  require(whole.bytes.starts_with(steps.bytes) || steps.bytes.starts_with(whole.bytes));
  // What a step finds first of several faults, or before the most that is unpacked, is its own.
  if (std::max(whole.bytes.size(), steps.bytes.size()) < kMost) {
    require(whole.refused.empty() == steps.refused.empty(), "steps do not matter",
            whole.refused + " | " + steps.refused);
    require(!whole.refused.empty() || whole.bytes == steps.bytes, "steps do not matter", "");
  }

  std::string packed;
  const auto sink = io::compress(io::memory_sink(&packed), compression, {});
  sink->write(bytes);
  sink->finish();
  require(unpack(packed, compression, step, ahead).bytes == bytes.substr(0, kMost));
}

}  // namespace xwalk::fuzz
