#include "xwalk/io/formats/delta_place.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/delta/json.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/engines/idle_engine.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLog = "_delta_log";

}  // namespace

bool is_delta_table(const Location& path, const StorageOptions&) {
  if (path.is_remote() || path.is_standard()) return false;
  std::error_code failed;
  return fs::is_directory(fs::path(path.name()) / kLog, failed);
}

std::string delta_folder(const Location& path) {
  if (path.is_remote()) {
    throw Error(ErrorCode::Unsupported,
                "expected a table of Delta in a local folder, found an object of a store",
                {.file = path});
  }
  std::string name = fs::absolute(path.name()).lexically_normal().string();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

DeltaPlace parse_delta_place(const std::string& description, const Location& path) {
  try {
    const nlohmann::json table = nlohmann::json::parse(description);
    const nlohmann::json properties = table.value("properties", nlohmann::json::object());
    const nlohmann::json action = {{"schemaString", table["schema"]},
                                   {"partitionColumns", table["partitions"]},
                                   {"configuration", properties}};
    DeltaPlace out;
    out.schema = delta::read_json(action.dump());
    out.version = table.value("version", uint64_t{0});
    out.partitions = table["partitions"].get<std::vector<std::string>>();
    if (const auto rows = table.find("rows"); rows != table.end() && !rows->is_null()) {
      out.rows = rows->get<uint64_t>();
    }
    out.bytes = table.value("bytes", uint64_t{0});
    out.files = table.value("files", uint64_t{0});
    out.writer = table.value("writer", "");
    return out;
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::Io, "the engine returned no description of the table", {.file = path});
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = path;
    throw;
  }
}

DeltaPlace delta_place(const Location& path, const std::optional<std::string>& version) {
  check_read(path);
  nlohmann::json options = describing(delta_folder(path));
  if (version) options["at"] = *version;
  try {
    const auto engine = std::make_shared<IdleEngine>(kDeltaEngine, kDeltaPackage);
    DeltaPlace out = parse_delta_place(engine->ask(print_for_engine(options)), path);
    out.engine = engine;
    return out;
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = path;
    throw;
  }
}

std::shared_ptr<const DeltaPlace> DeltaTables::find(const Location& path,
                                                    const std::optional<std::string>& version) {
  const std::lock_guard guard(mutex_);
  std::shared_ptr<const DeltaPlace>& place = found_[path.name()];
  if (place == nullptr) place = std::make_shared<const DeltaPlace>(delta_place(path, version));
  return place;
}

}  // namespace xwalk::io
