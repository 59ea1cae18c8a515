#include "xwalk/duckdb/error.h"

#include <filesystem>
#include <new>

#include <fmt/format.h>

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

void check(ErrorData error, const char* doing) {
  if (!error || !duckdb_error_data_has_error(error.get())) return;
  throw Error(ErrorCode::Input,
              fmt::format("{}: {}", doing, duckdb_error_data_message(error.get())));
}

}  // namespace xwalk::duckdb
