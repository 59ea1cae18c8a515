#include "xwalk/io/side_schema.h"

#include <filesystem>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/io/same_file.h"
#include "xwalk/io/source.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& message,
                         const std::string& hint) {
  Place place;
  place.file = path;
  throw Error(ErrorCode::Io, message, place, hint);
}

}  // namespace

SideSchema::SideSchema(std::string path, std::string text, Canonical canonical,
                       const SinkOptions& options, const std::vector<std::string>& inputs)
    : path_(std::move(path)), text_(std::move(text)), options_(options) {
  std::error_code ignored;
  if (path_.empty() || !fs::is_regular_file(path_, ignored)) return;
  try {
    auto source = open_source(path_);
    if (canonical(read_all(*source, limits::kSchemaBytes)) == text_) {
      path_.clear();
      return;
    }
  } catch (const Error&) {
    // What is no schema says nothing of these rows.
  }
  if (is_one_of(path_, inputs)) {
    refuse(path_, "the schema beside the output is that of an input",
           "Choose another name for the output.");
  }
  if (options_.mode != OutputMode::Overwrite) {
    refuse(path_, "the schema that stands here is not that of the rows",
           "Replace it with `mode=overwrite`, or choose another name for the output.");
  }
}

void SideSchema::prepare() {
  std::error_code ignored;
  if (path_.empty()) return;
  // What is no file has no other name.
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) return;
  file_ = std::make_unique<AtomicPath>(path_, options_.mode == OutputMode::Overwrite);
  SinkOptions plain = options_;
  plain.compression = Compression::None;
  write_file(file_->temporary(), text_, plain);
}

void SideSchema::commit() {
  if (file_ != nullptr) {
    file_->commit(options_.durable);
  } else if (!path_.empty()) {
    write_file(path_, text_);
  }
}

}  // namespace xwalk::io
