#pragma once

#include <memory>
#include <string>

#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// Opens an object of a store as it is stored. Its window is filled by requests for ranges, of
/// which several are under way at a time; read in order, it is fetched some way ahead. Throws Error
/// (Io).
std::unique_ptr<Source> open_object(const std::string& uri, const StorageOptions& storage);

}  // namespace xwalk::io
