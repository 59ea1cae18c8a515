#include "xwalk/io/formats/arrow_streams.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/arrow/file.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/rows/bounded_reader.h"
#include "xwalk/io/rows/row_stream.h"

namespace xwalk::io {
namespace {

/// Bytes in which an old stream without a marker shows what it is.
constexpr size_t kHead = size_t{4} << 10;

/// A source, and how far the streams in it are read.
struct Streams {
  explicit Streams(std::unique_ptr<Source> from) : source(std::move(from)) {}

  /// Returns the bytes after the stream that was read last, at most `size`.
  std::string_view rest(size_t size) {
    if (auto contents = source->contents())
      return contents->substr(std::min(end, contents->size()), size);
    return source->peek(size);
  }

  std::unique_ptr<Source> source;
  uint64_t end = 0;
};

/// What an engine sees of the source: the bytes from the end of the stream before on.
class OneStream final : public Source {
 public:
  explicit OneStream(std::shared_ptr<Streams> all) : all_(std::move(all)), start_(all_->end) {}

  std::optional<std::string_view> contents() override {
    auto whole = all_->source->contents();
    if (!whole) return whole;
    return whole->substr(std::min<uint64_t>(start_, whole->size()));
  }
  const std::string& name() const override { return all_->source->name(); }
  uint64_t position() const override { return all_->source->position(); }
  std::optional<uint64_t> size() const override { return all_->source->size(); }
  std::string_view peek(size_t size) override { return all_->source->peek(size); }
  size_t read(char* out, size_t size) override {
    const size_t got = all_->source->read(out, size);
    all_->end += got;
    return got;
  }
  void consumed(uint64_t offset, uint64_t size) override {
    all_->end = std::max(all_->end, start_ + offset + size);
    all_->source->consumed(start_ + offset, size);
  }

 private:
  std::shared_ptr<Streams> all_;
  uint64_t start_;
};

/// Reads the schema of the next stream within its memory budget, which the engine does not have.
/// Returns an empty one for a stream without it, which the engine reports.
hub::Schema schema_of(Streams& streams) {
  constexpr std::string_view kMarker = "\xFF\xFF\xFF\xFF";
  constexpr size_t kLength = 4;
  const size_t before = streams.rest(kLength) == kMarker ? 2 * kLength : kLength;
  const std::string_view head = streams.rest(before);
  if (head.size() < before) return {};
  const uint64_t size = load_little_endian<uint32_t>(head.data() + before - kLength);
  check_schema_size(size);
  const std::string_view message = streams.rest(before + size);
  if (message.size() < before + size) return {};
  try {
    return arrow::read_ipc_schema(message);
  } catch (Error& error) {
    error.place().file = streams.source->name();
    throw;
  }
}

}  // namespace

std::unique_ptr<hub::BatchReader> open_arrow(std::unique_ptr<Source> source,
                                             const EngineReadOptions& options,
                                             const hub::Schema& schema) {
  try {
    crosswalk::check_schema({arrow::kModule, schema});
  } catch (Error& error) {
    error.place().file = source->name();
    throw;
  }
  return Engine::parquet().open(std::move(source), options);
}

std::unique_ptr<SplitReader> open_arrow_streams(std::unique_ptr<Source> source,
                                                const EngineReadOptions& options,
                                                const ChangeReader& change) {
  auto streams = std::make_shared<Streams>(std::move(source));
  const auto open = [streams, options, change] {
    const SchemaMemoryScope scope(options.max_memory);
    const hub::Schema schema = schema_of(*streams);
    auto rows = check_values(
        split(divide_batches(open_arrow(std::make_unique<OneStream>(streams), options, schema),
                             options.max_memory)),
        streams->source->name());
    return change ? change(std::move(rows)) : std::move(rows);
  };
  const auto open_next = [streams, open]() -> std::unique_ptr<SplitReader> {
    const std::string_view rest = streams->rest(4);
    if (rest.empty()) return nullptr;
    Place place;
    place.file = streams->source->name();
    place.byte = streams->end;
    if (rest != "\xFF\xFF\xFF\xFF" && !arrow::is_old_stream(streams->rest(kHead))) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected another Arrow stream or the end, found {}",
                              quoted(streams->rest(4))),
                  place);
    }
    try {
      return open();
    } catch (Error& error) {
      error.place().byte = place.byte;  // where it begins, however far it was read
      throw;
    }
  };
  const std::string name = streams->source->name();
  return chain_all(open(), open_next, name);
}

}  // namespace xwalk::io
