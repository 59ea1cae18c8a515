#include "xwalk/io/formats/footer_prefetch.h"

#include <algorithm>
#include <optional>

#include "xwalk/base/endian.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/lance/file.h"
#include "xwalk/parquet/file.h"
#include "xwalk/vortex/file.h"

namespace xwalk::io {
namespace {

/// Bytes at the start that identify the format of a file.
constexpr uint64_t kMagic = 64;
/// Returns what has ranges of a source in its window.
auto needing(Source& source) {
  return [&source](uint64_t offset, uint64_t size) {
    const ByteRange range{offset, size};
    source.need({&range, 1});
  };
}

/// Returns the same for its last bytes.
auto needing_last(Source& source) {
  return [&source](uint64_t size) {
    const uint64_t all = source.window()->size();
    size = std::min(size, all);
    needing(source)(all - size, size);
  };
}

}  // namespace

FirstFetch first_fetch(const std::string& name) {
  const std::optional<Format> format = format_of_name(name);
  return format == kParquetRows || format == kVortexRows ? FirstFetch::End : FirstFetch::Start;
}

void need_lance_manifest(Source& source) {
  if (source.contents()) return;
  needing_last(source)(kEndBytes);
  lance::need_manifest(*source.window(), needing(source));
}

void need_schema(Source& source) {
  if (source.contents()) return;
  const std::string_view file = *source.window();
  const auto need = needing(source);
  const auto need_last = needing_last(source);
  need(0, std::min<uint64_t>(file.size(), kMagic));
  need_last(kEndBytes);
  const auto footer_size = [&](size_t from_end) {
    return uint64_t{load_little_endian<uint32_t>(file.data() + file.size() - from_end)} + from_end;
  };
  if (file.size() < kEndBytes) return;
  if (parquet::is_parquet(file)) {
    need_last(footer_size(8));
  } else if (file.ends_with("VTXF")) {
    const vortex::FileFooter footer = vortex::read_footer(file);
    if (footer.dtype) need(footer.dtype->offset, footer.dtype->length);
    if (footer.layout) need(footer.layout->offset, footer.layout->length);
    if (footer.statistics) need(footer.statistics->offset, footer.statistics->length);
    for (const auto& [key, slot] : footer.metadata) need(slot.offset, slot.length);
  } else if (file.ends_with("ARROW1")) {
    need_last(footer_size(10));
  } else if (file.ends_with("LANC")) {
    lance::need_data_file(file, need);
  } else if (file.size() <= schema_bytes_limit()) {
    need(0, file.size());
  }
}

}  // namespace xwalk::io
