#include "xwalk/io/formats/schema_file.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/side_schema.h"

namespace xwalk::io {

bool find_side_schema(const Location& path, const Source* opened, const InputOptions& options,
                      SchemaOrigin* origin, const std::function<void(std::string_view)>& parse) {
  const std::optional<std::string>& given = options.schema;
  const std::string side = path.is_standard() || given ? "" : side_schema_path(path);
  const NameKind kind =
      side.empty() ? NameKind::Nothing : look_at_side_schema(path, options.storage);
  if (!given && kind == NameKind::Nothing) return false;
  *origin = given ? SchemaOrigin::Given : SchemaOrigin::SideFile;
  try {
    if (given) {
      parse(*given);
      return true;
    }
    if (kind != NameKind::File) {
      throw Error(ErrorCode::Io, "expected a schema in a file, found a folder, a pipe or a device");
    }
    const std::string text = read_all(*open_source(side, options.storage), schema_bytes_limit());
    check_mark(path, opened, text, options.storage);
    parse(text);
  } catch (Error& error) {
    if (error.place().file.empty()) {
      error.place().file = given ? hub::mention(hub::Option::Schema) : shown_name(side);
    }
    throw;
  }
  return true;
}

void need_side_schema(const Location& path, const std::function<void(std::string_view)>& parse) {
  SchemaOrigin origin{};
  if (find_side_schema(path, nullptr, {}, &origin, parse)) return;
  const std::string side = side_schema_path(path);
  throw Error(ErrorCode::Io,
              fmt::format("rows are added to those of a known schema, and there is no {}", side),
              {.file = path}, fmt::format("Write it: xwalk schema {} -o {}", path, side));
}

}  // namespace xwalk::io
