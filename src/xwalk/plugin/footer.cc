#include "xwalk/plugin/footer.h"

#include <cstdint>

#include <arrow/util/config.h>

namespace xwalk::plugin {

std::shared_ptr<parquet::FileMetaData> parse_footer(const std::string& bytes,
                                                    const parquet::ReaderProperties& properties) {
#if ARROW_VERSION_MAJOR >= 26
  return parquet::FileMetaData::Make(bytes.data(), static_cast<int64_t>(bytes.size()), properties);
#else
  auto size = static_cast<uint32_t>(bytes.size());
  return parquet::FileMetaData::Make(bytes.data(), &size, properties);
#endif
}

}  // namespace xwalk::plugin
