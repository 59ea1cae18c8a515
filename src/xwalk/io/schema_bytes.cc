#include "xwalk/io/schema_bytes.h"

#include <algorithm>

#include "xwalk/base/endian.h"
#include "xwalk/base/limits.h"
#include "xwalk/parquet/file.h"
#include "xwalk/vortex/file.h"

namespace xwalk::io {
namespace {

/// Bytes at the start that say of which format a file is.
constexpr uint64_t kMagic = 64;
/// More than the longest postscript of Vortex, and than most footers of Parquet.
constexpr uint64_t kTail = (uint64_t{64} << 10) + 16;

}  // namespace

void need_schema(Source& source) {
  if (source.contents()) return;
  const std::string_view file = *source.window();
  const auto need = [&](uint64_t offset, uint64_t size) {
    const ByteRange range{offset, size};
    source.need({&range, 1});
  };
  const auto need_last = [&](uint64_t size) {
    size = std::min<uint64_t>(size, file.size());
    need(file.size() - size, size);
  };
  need(0, std::min<uint64_t>(file.size(), kMagic));
  need_last(kTail);
  const auto footer_size = [&](size_t behind) {
    return uint64_t{load_little_endian<uint32_t>(file.data() + file.size() - behind)} + behind;
  };
  if (file.size() < kTail) return;
  if (parquet::is_parquet(file)) {
    need_last(footer_size(8));
  } else if (file.ends_with("VTXF")) {
    const vortex::FileFooter footer = vortex::read_footer(file);
    if (footer.dtype) need(footer.dtype->offset, footer.dtype->length);
    if (footer.layout) need(footer.layout->offset, footer.layout->length);
    for (const auto& [key, slot] : footer.metadata) need(slot.offset, slot.length);
  } else if (file.ends_with("ARROW1")) {
    need_last(footer_size(10));
  } else if (file.ends_with("LANC") || file.size() <= limits::kSchemaBytes) {
    need(0, file.size());
  }
}

}  // namespace xwalk::io
