#include "xwalk/io/formats/format.h"

namespace xwalk::io {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {kYsonRows,    kJsonRows,     kSkiffRows, kParquetRows,
                                        kArrowFiles,  kArrowStreams, kLanceRows, kVortexRows,
                                        kIcebergRows, kDeltaRows,    kCsvRows};
  return kFormats;
}

}  // namespace xwalk::io
