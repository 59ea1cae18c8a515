#include "xwalk/duckdb/access.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::duckdb {
namespace {

namespace fs = std::filesystem;
using hub::Option;

struct DestroyFileSystem {
  void operator()(duckdb_file_system* files) const { duckdb_destroy_file_system(files); }
};
struct DestroyFileOptions {
  void operator()(duckdb_file_open_options* options) const {
    duckdb_destroy_file_open_options(options);
  }
};
struct DestroyFile {
  void operator()(duckdb_file_handle* file) const { duckdb_destroy_file_handle(file); }
};
using FileSystem = Owned<duckdb_file_system, DestroyFileSystem>;
using FileOptions = Owned<duckdb_file_open_options, DestroyFileOptions>;
using File = Owned<duckdb_file_handle, DestroyFile>;

Value setting(duckdb_client_context context, const char* name) {
  return Value(duckdb_client_context_get_config_option(context, name, nullptr));
}

bool flag(duckdb_client_context context, const char* name, bool if_unknown) {
  const Value value = setting(context, name);
  if (!value || duckdb_is_null_value(value.get())) return if_unknown;
  return duckdb_get_bool(value.get());
}

std::string text_of(duckdb_value value) { return OwnedText(duckdb_get_varchar(value)).get(); }

std::vector<std::string> texts(duckdb_client_context context, const char* name) {
  std::vector<std::string> out;
  const Value value = setting(context, name);
  if (!value || duckdb_is_null_value(value.get())) return out;
  for (idx_t i = 0; i < duckdb_get_list_size(value.get()); ++i) {
    out.push_back(text_of(Value(duckdb_get_list_child(value.get(), i)).get()));
  }
  return out;
}

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  Place place;
  place.file = io::shown_name(name);
  throw Error(ErrorCode::Io, fmt::format("DuckDB's configuration does not allow access: {}", why),
              std::move(place),
              "The settings are enable_external_access, allowed_paths, allowed_directories and "
              "disabled_filesystems.");
}

/// Returns the absolute path without links, as far as it exists.
std::string without_links(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  const fs::path real = fs::weakly_canonical(absolute, failed);
  return (failed ? absolute : real).string();
}

/// Returns true for a URI with steps that a server may take for another path.
bool has_hidden_steps(std::string_view name) {
  const std::string_view path = name.substr(name.find("://") + 3);
  std::string lower(path);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower.find("/.") != std::string::npos || lower.find("%2e") != std::string::npos ||
         lower.find('\\') != std::string::npos;
}

}  // namespace

Access::Access(duckdb_client_context context) : context_(context) {
  external_ = flag(context_, "enable_external_access", true);
  locked_ = flag(context_, "lock_configuration", false);
  limits_local_ = !external_ || !denial("/").empty();
  if (external_) return;
  paths_ = texts(context_, "allowed_paths");
  folders_ = texts(context_, "allowed_directories");
}

void Access::check(const io::Location& name) const {
  if (name.is_remote()) {
    if (!external_) check_remote(name);
  } else if (limits_local_) {
    check_local(name);
  }
}

std::string Access::denial(const std::string& path) const {
  const FileSystem files(duckdb_client_context_get_file_system(context_));
  const FileOptions options(duckdb_create_file_open_options());
  duckdb_file_open_options_set_flag(options.get(), DUCKDB_FILE_FLAG_READ, true);
  File file;
  const std::string real = without_links(path);
  if (duckdb_file_system_open(files.get(), real.c_str(), options.get(), file.out()) ==
      DuckDBSuccess) {
    return {};
  }
  const ErrorData error(duckdb_file_system_error_data(files.get()));
  // Whether the file exists, and may be opened, is for the library to say.
  if (duckdb_error_data_error_type(error.get()) != DUCKDB_ERROR_PERMISSION) return {};
  return duckdb_error_data_message(error.get());
}

void Access::check_local(const io::Location& path) const {
  std::error_code ignored;
  const fs::file_status status = fs::status(path.name(), ignored);
  // DuckDB opens the path to answer, which would wait for the other end of a pipe.
  if (path.is_standard() ||
      (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))) {
    refuse(path, "it is a pipe or a device");
  }
  const std::string why = denial(path);
  if (!why.empty()) refuse(path, why);
}

void Access::check_remote(const io::Location& location) const {
  const std::string& name = location;
  const bool is_allowed = !location.is_table() && !has_hidden_steps(name) &&
                          (std::ranges::find(paths_, name) != paths_.end() ||
                           std::ranges::any_of(folders_, [&](const std::string& folder) {
                             return name.starts_with(folder.ends_with('/') ? folder : folder + "/");
                           }));
  if (!is_allowed) refuse(name, "external access is disabled, and this is not an allowed path");
}

void Access::check_folder(const std::string& folder) const {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    check(entry.path().string());
  }
}

void Access::check_input(const io::Locations& names, const io::InputOptions& options) const {
  if (!limits_local_) return;
  if (options.save_schema) check(*options.save_schema);
  for (const io::Location& path : names) {
    check(path);
    if (path.is_remote()) continue;
    std::error_code ignored;
    if (fs::is_directory(path.name(), ignored)) {
      check_folder(path);
      continue;
    }
    for (const io::InputFile& file : io::input_files({path}, options).files) {
      check(file.path);
      check(io::side_schema_path(file.path));
      if (fs::is_directory(file.path.name(), ignored)) check_folder(file.path);
    }
  }
}

void Access::check_output(const io::Location& path) const {
  if (!limits_local_) return;
  check(path);
  if (path.is_remote()) return;
  check(io::side_schema_path(path));
  std::error_code ignored;
  if (fs::is_directory(path.name(), ignored)) check_folder(path);
}

void Access::check_options(const io::ConvertOptions& options) const {
  const auto refuse_option = [&](Option option, std::string_view why) {
    if (!options.given.contains(option)) return;
    throw Error(ErrorCode::Usage, fmt::format("{} is refused: {}", hub::mention(option), why), {},
                "Leave it out.");
  };
  if (!external_) refuse_option(Option::Storage, "external access is disabled");
  if (limits_local_) refuse_option(Option::Follow, "access to other files is limited");
  if (!locked_) return;
  for (const Option option : {Option::Storage, Option::MaxMemory, Option::Threads}) {
    refuse_option(option, "the configuration is locked");
  }
}

}  // namespace xwalk::duckdb
