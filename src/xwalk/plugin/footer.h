#pragma once

#include <memory>
#include <string>

#include <parquet/metadata.h>

namespace xwalk::plugin {

/// Reads FileMetaData that the host supplies. May throw.
std::shared_ptr<parquet::FileMetaData> parse_footer(
    const std::string& bytes,
    const parquet::ReaderProperties& properties = parquet::default_reader_properties());

}  // namespace xwalk::plugin
