#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/io/atomic_path.h"
#include "xwalk/io/sink.h"

namespace xwalk::io {

/// The schema beside rows of YSON or Skiff, which gets its name together with them.
class SideSchema {
 public:
  /// Writes none.
  SideSchema() = default;
  /// Looks at what stands at `path`. A file that says the same as `text` is left as it is; another
  /// one is replaced, where the mode is Overwrite and it is none of `inputs`, or refused with Error
  /// (Io). `canonical` parses the text of a schema and prints it as `text` is printed.
  using Canonical = std::string (*)(std::string_view text);
  SideSchema(std::string path, std::string text, Canonical canonical, const SinkOptions& options,
             const std::vector<std::string>& inputs);

  /// Writes the schema under a temporary name. Throws Error (Io).
  void prepare();
  /// Gives it its name. Throws Error (Io).
  void commit();

 private:
  std::string path_;
  std::string text_;
  SinkOptions options_;
  std::unique_ptr<AtomicPath> file_;
};

}  // namespace xwalk::io
