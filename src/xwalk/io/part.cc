#include "xwalk/io/part.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/random_access.h"
#include "xwalk/io/row_format.h"
#include "xwalk/io/schema_bytes.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/row_groups.h"
#include "xwalk/yson/row_splitter.h"

namespace xwalk::io {
namespace {

/// A run of the bytes of another source, whose contents lie in memory.
class PartSource final : public Source {
 public:
  PartSource(std::unique_ptr<Source> whole, std::string_view bytes, uint64_t first)
      : whole_(std::move(whole)), bytes_(bytes), first_(first) {}

  std::optional<std::string_view> contents() override { return bytes_; }
  const std::string& name() const override { return whole_->name(); }
  uint64_t position() const override { return whole_->position(); }
  std::optional<uint64_t> size() const override { return bytes_.size(); }
  std::shared_ptr<const Original> original() const override { return whole_->original(); }
  bool may_change() const override { return whole_->may_change(); }
  std::string_view peek(size_t size) override { return bytes_.substr(at_, size); }
  size_t read(char* out, size_t size) override {
    size_t taken = bytes_.copy(out, size, at_);
    consumed(first_ + at_, taken);
    at_ += taken;
    return taken;
  }
  /// Offsets are those of the file: a reader of a part knows where it begins.
  void consumed(uint64_t offset, uint64_t size) override { whole_->consumed(offset, size); }

 private:
  std::unique_ptr<Source> whole_;
  std::string_view bytes_;
  uint64_t first_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Part> yson_parts(Source& source, const std::string&, uint64_t bytes) {
  const auto contents = source.contents();
  if (!contents || contents->size() <= bytes) return {};
  std::vector<Part> parts;
  yson::RowSplitterOptions splitting;
  splitting.chunk_bytes = std::min<uint64_t>(splitting.chunk_bytes, bytes);
  yson::RowSplitter splitter(&source, splitting);
  yson::RowChunk chunk;
  bool binary = false;
  while (splitter.next(&chunk)) {
    if (splitter.attributes()) return {};
    if (parts.empty() || parts.back().count >= bytes) {
      Part& part = parts.emplace_back();
      part.first = chunk.offset;
      part.first_row = chunk.first_item;
      part.line = chunk.line;
      part.column = chunk.column;
      part.binary = binary;
    }
    parts.back().count += chunk.bytes.size();
    parts.back().rows += chunk.items;
    binary = chunk.binary;
    source.consumed(chunk.offset, chunk.bytes.size());
  }
  return parts;
}

std::vector<Part> parquet_parts(Source& source, const std::string& path, uint64_t bytes) {
  std::vector<Part> parts;
  need_schema(source);
  auto file = memory_access(*source.window(), path);
  uint64_t filled = 0;
  uint64_t number = 0;
  uint64_t row = 0;
  for (const parquet::RowGroup& group : parquet::row_groups(parquet::read_footer_bytes(*file))) {
    const auto size = static_cast<uint64_t>(group.bytes);
    if (parts.empty() || filled + size > bytes) {
      Part& part = parts.emplace_back();
      part.first = number;
      part.first_row = row;
      filled = 0;
    }
    filled += size;
    ++number;
    row += static_cast<uint64_t>(group.rows);
    ++parts.back().count;
    parts.back().rows += static_cast<uint64_t>(group.rows);
  }
  return parts;
}

std::vector<Part> parts_of(const std::string& path, Format format, uint64_t bytes,
                           const StorageOptions& storage) {
  if (format->parts == nullptr) return {};
  std::unique_ptr<Source> source = open_source(path, storage);
  if (!source->window()) return {};
  std::vector<Part> parts = format->parts(*source, path, bytes);
  if (parts.size() < 2) parts.clear();
  return parts;
}

std::unique_ptr<Source> part_source(std::unique_ptr<Source> whole, const Part& part) {
  const auto contents = whole->contents();
  const uint64_t size = contents ? contents->size() : 0;
  if (part.first > size || part.count > size - part.first) {
    Place place;
    place.file = whole->name();
    throw Error(
        ErrorCode::Input,
        fmt::format("expected a file of {} bytes or more, found {}", part.first + part.count, size),
        std::move(place), "The file is no longer what was cut into parts.");
  }
  return std::make_unique<PartSource>(std::move(whole), contents->substr(part.first, part.count),
                                      part.first);
}

}  // namespace xwalk::io
