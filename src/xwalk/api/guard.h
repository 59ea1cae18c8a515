#pragma once

#include <filesystem>

#include "xwalk/base/error.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_error.h"

namespace xwalk::api {

/// Runs the body of a public function. Errors leave with the names that options have in JSON.
/// Exceptions of callbacks and std::bad_alloc pass unchanged.
template <typename Work>
auto guard(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(hub::spelled(error, hub::Interface::Json));
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(io::file_error(error));
  }
}

}  // namespace xwalk::api
