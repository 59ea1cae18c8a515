#include "xwalk/duckdb/error.h"

#include <filesystem>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/file_error.h"

namespace xwalk::duckdb {

std::string current_error(hub::Interface interface) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return hub::spelled(error, interface).describe();
    } catch (const std::filesystem::filesystem_error& error) {
      return io::file_error(error).describe();
    } catch (const std::bad_alloc&) {
      return "no memory";
    } catch (const std::exception& error) {
      return Error(ErrorCode::Internal, error.what()).describe();
    }
  } catch (...) {
    return {};
  }
}

void check(ErrorData error, const char* doing, const char* hint) {
  if (!error || !duckdb_error_data_has_error(error.get())) return;
  std::string message = duckdb_error_data_message(error.get());
  // Some of its errors are an object of JSON.
  const auto object = nlohmann::json::parse(message, nullptr, /*allow_exceptions=*/false);
  if (object.is_object()) message = object.value("exception_message", message);
  throw Error(ErrorCode::Input, fmt::format("{}: {}", doing, message), {}, hint);
}

}  // namespace xwalk::duckdb
