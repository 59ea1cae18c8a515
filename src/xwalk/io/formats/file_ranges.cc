#include "xwalk/io/formats/file_ranges.h"

#include <algorithm>
#include <utility>

#include "xwalk/base/random_access.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/row_groups.h"
#include "xwalk/yson/row_splitter.h"

namespace xwalk::io {

std::vector<Part> yson_parts(Source& source, const Location&, uint64_t bytes) {
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

std::vector<Part> parquet_parts(Source& source, const Location& path, uint64_t bytes) {
  std::vector<Part> parts;
  need_schema(source);
  auto file = memory_access(*source.window(), path);
  uint64_t filled = 0;
  uint64_t number = 0;
  uint64_t row = 0;
  // Its budget counts all row groups.
  (void)parquet::read_footer(*file);
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

std::vector<Part> parts_of(const Location& path, Format format, uint64_t bytes,
                           const StorageOptions& storage) {
  if (format->parts == nullptr) return {};
  std::unique_ptr<Source> source = open_source(path, storage);
  if (!source->window()) return {};
  std::vector<Part> parts = format->parts(*source, path, bytes);
  if (parts.size() < 2) parts.clear();
  return parts;
}

}  // namespace xwalk::io
