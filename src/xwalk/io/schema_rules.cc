#include "xwalk/io/schema_rules.h"

#include <filesystem>

#include "xwalk/base/error.h"
#include "xwalk/hub/room.h"
#include "xwalk/io/original.h"
#include "xwalk/io/schema_bytes.h"
#include "xwalk/io/schema_input.h"
#include "xwalk/io/source.h"

namespace xwalk::io {

hub::Findings check_rules(const std::string& path, std::optional<crosswalk::System> system,
                          const InputOptions& options) {
  std::error_code ignored;
  const bool is_folder = path != "-" && std::filesystem::is_directory(path, ignored);
  if (system && (*system)->validate_bytes != nullptr && !is_folder) {
    const std::unique_ptr<Source> source = with_window(open_source(path, options.storage));
    need_schema(*source);
    const std::string_view bytes = *source->window();
    try {
      if (!bytes.ends_with("LANC")) {
        return while_unchanged(source->original(),
                               [&] { return (*system)->validate_bytes(bytes); });
      }
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = path == "-" ? "<stdin>" : path;
      throw;
    }
  }
  const crosswalk::AnySchema schema = read_schema(path, system, options, Meaning::Unchecked).schema;
  const auto validate = schema.system()->validate;
  return validate == nullptr ? hub::Findings{} : validate(schema);
}

}  // namespace xwalk::io
