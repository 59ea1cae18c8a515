#include "xwalk/io/bytes/compress.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"

namespace xwalk::io {
namespace {

constexpr size_t kBlock = size_t{128} << 10;

class GzipSink final : public ByteSink {
 public:
  GzipSink(std::unique_ptr<ByteSink> stored, int level)
      : stored_(std::move(stored)), block_(kBlock, '\0') {
    // 16 more than the window's bits asks zlib for the gzip wrapping.
    if (deflateInit2(&stream_, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected a gzip level of 0 to 9, found {}", level));
    }
  }
  ~GzipSink() override { deflateEnd(&stream_); }

  void write(std::string_view bytes) override {
    // zlib counts in 32 bits.
    constexpr size_t kMost = size_t{1} << 30;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost))) {
      std::string_view part = bytes.substr(0, kMost);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      stream_.avail_in = static_cast<uInt>(part.size());
      while (stream_.avail_in > 0) run(Z_NO_FLUSH);
    }
  }
  void finish() override {
    while (run(Z_FINISH) != Z_STREAM_END) {
    }
    stored_->finish();
  }
  uint64_t position() const override { return stored_->position(); }

 private:
  int run(int flush) {
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    int code = ::deflate(&stream_, flush);
    stored_->write(std::string_view(block_).substr(0, block_.size() - stream_.avail_out));
    return code;
  }

  std::unique_ptr<ByteSink> stored_;
  std::string block_;
  z_stream stream_{};
};

class ZstdSink final : public ByteSink {
 public:
  ZstdSink(std::unique_ptr<ByteSink> stored, int level)
      : stored_(std::move(stored)), block_(ZSTD_CStreamOutSize(), '\0') {
    if (level < ZSTD_minCLevel() || level > ZSTD_maxCLevel()) {
      throw Error(ErrorCode::Usage, fmt::format("expected a zstd level of {} to {}, found {}",
                                                ZSTD_minCLevel(), ZSTD_maxCLevel(), level));
    }
    stream_ = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdSink() override { ZSTD_freeCCtx(stream_); }

  void write(std::string_view bytes) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (input.pos < input.size) run(&input, ZSTD_e_continue);
  }
  void finish() override {
    ZSTD_inBuffer input{nullptr, 0, 0};
    while (run(&input, ZSTD_e_end) != 0) {
    }
    stored_->finish();
  }
  uint64_t position() const override { return stored_->position(); }

 private:
  size_t run(ZSTD_inBuffer* input, ZSTD_EndDirective directive) {
    ZSTD_outBuffer output{block_.data(), block_.size(), 0};
    size_t code = ZSTD_compressStream2(stream_, &output, input, directive);
    if (ZSTD_isError(code) != 0) {
      throw Error(ErrorCode::Internal, std::string("zstd: ") + ZSTD_getErrorName(code));
    }
    stored_->write(std::string_view(block_).substr(0, output.pos));
    return code;
  }

  std::unique_ptr<ByteSink> stored_;
  std::string block_;
  ZSTD_CCtx* stream_ = nullptr;
};

/// A codec and its levels; without levels the last is below the first.
struct CodecRow {
  std::string_view name;
  int first_level = 0;
  int last_level = -1;
};

constexpr std::array kCodecs = {
    CodecRow{"none"},       CodecRow{"snappy"},     CodecRow{"zstd", 1, 22},
    CodecRow{"lz4", 1, 12}, CodecRow{"gzip", 1, 9}, CodecRow{"brotli", 0, 11},
};

}  // namespace

Codec parse_codec(std::string_view text) {
  const size_t colon = text.find(':');
  Codec out{std::string(text.substr(0, colon)), {}};
  const auto* row = std::ranges::find(kCodecs, out.name, &CodecRow::name);
  if (row == kCodecs.end()) {
    std::vector<std::string> names;
    for (const CodecRow& codec : kCodecs) names.emplace_back(codec.name);
    throw Error(ErrorCode::Usage,
                fmt::format("expected {}, found {}", join(names, ", "), clipped(out.name)), {},
                did_you_mean(out.name, names));
  }
  if (colon == std::string_view::npos) return out;
  const std::string_view level = text.substr(colon + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(level.data(), level.data() + level.size(), number);
  const bool is_number = error == std::errc() && end == level.data() + level.size();
  if (row->last_level < row->first_level) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} has no levels, found {}", out.name, clipped(level)));
  }
  if (!is_number || number < row->first_level || number > row->last_level) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a level of {} from {} to {}, found {}", out.name,
                            row->first_level, row->last_level, clipped(level)));
  }
  out.level = number;
  return out;
}

void check_codec_of_name(const std::string& codec, const std::string& path) {
  const Compression its = compression_of_name(path);
  const std::string_view recorded = its == Compression::Gzip   ? "gzip"
                                    : its == Compression::Zstd ? "zstd"
                                                               : "none";
  if (codec == recorded) return;
  const bool is_known = codec == "gzip" || codec == "zstd" || codec == "none";
  const std::string_view wanted = codec == "gzip"   ? "that ends with .gz"
                                  : codec == "zstd" ? "that ends with .zst"
                                                    : "without .gz and .zst";
  const std::string option = mention(hub::Option::Compression, codec);
  const std::string plain(without_compression(path));
  throw Error(ErrorCode::Usage,
              is_known
                  ? fmt::format("expected a name {} for {}, found {}", wanted, option, path)
                  : fmt::format("expected a Parquet or Arrow file for {}, found {}", option, path),
              {}, fmt::format("Rows are compressed by their name: {0}.gz, {0}.zst.", plain));
}

std::unique_ptr<ByteSink> compress(std::unique_ptr<ByteSink> stored, Compression compression,
                                   std::optional<int> level) {
  switch (compression) {
    case Compression::None:
      return stored;
    case Compression::Gzip:
      return std::make_unique<GzipSink>(std::move(stored), level.value_or(6));
    case Compression::Zstd:
      return std::make_unique<ZstdSink>(std::move(stored), level.value_or(3));
  }
  return stored;
}

}  // namespace xwalk::io
