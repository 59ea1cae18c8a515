#include "xwalk/io/formats/format.h"

namespace xwalk::io {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {kYsonRows,    kIcebergRows, kJsonRows,     kSkiffRows,
                                        kParquetRows, kArrowFiles,  kArrowStreams, kLanceRows,
                                        kVortexRows,  kCsvRows};
  return kFormats;
}

}  // namespace xwalk::io
