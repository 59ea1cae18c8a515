// Any bytes as a gzip member or a zstd frame: read in steps they are what they are when read at
// once, or refused alike; any bytes compressed come back.

#include <memory>
#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/io/compress.h"
#include "xwalk/io/decompress.h"
#include "xwalk/io/sink.h"
#include "xwalk/io/source.h"

namespace xwalk::fuzz {
namespace {

/// What is unpacked of one input.
constexpr size_t kMost = size_t{1} << 20;

struct Unpacked {
  std::string bytes;
  std::string refused;
  friend bool operator==(const Unpacked&, const Unpacked&) = default;
};

Unpacked unpack(const std::string& bytes, io::Compression compression, size_t step) {
  Unpacked out;
  std::string piece(step, '\0');
  try {
    const auto source = io::decompress(io::memory_source(bytes, "input"), compression);
    while (out.bytes.size() < kMost) {
      const size_t count = source->read(piece.data(), piece.size());
      if (count == 0) break;
      out.bytes.append(piece, 0, count);
    }
    out.bytes.resize(std::min(out.bytes.size(), kMost));
  } catch (const Error& error) {
    out.refused = error.message();  // the place is where the last step began
  }
  return out;
}

}  // namespace

void run(std::string_view data) {
  // Windows of zstd are as large as frames say, up to the library's limit; see the limit there.
  const Allowance any;
  Choices choices(data);
  const io::Compression compression =
      choices.below(2) == 0 ? io::Compression::Gzip : io::Compression::Zstd;
  const size_t step = 1 + size_t{16} * choices.byte();
  const std::string bytes(choices.rest());
  io::compression_of_magic(bytes);
  const Unpacked whole = unpack(bytes, compression, size_t{1} << 16);
  const Unpacked steps = unpack(bytes, compression, step);
  require(whole.refused == steps.refused, "steps do not matter",
          whole.refused + " | " + steps.refused);
  require(whole.bytes.starts_with(steps.bytes) || steps.bytes.starts_with(whole.bytes));
  require(!whole.refused.empty() || whole == steps);

  std::string packed;
  const auto sink = io::compress(io::memory_sink(&packed), compression, {});
  sink->write(bytes);
  sink->finish();
  require(unpack(packed, compression, step).bytes == bytes.substr(0, kMost));
}

}  // namespace xwalk::fuzz
