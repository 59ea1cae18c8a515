#pragma once

#include <exception>
#include <filesystem>
#include <new>

#include "xwalk/base/error.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_error.h"

namespace xwalk::api {

/// Runs the body of a public function. Every exception except std::bad_alloc leaves as an Error,
/// whose text names options as JSON does.
template <typename Work>
auto guard(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(hub::spelled(error, hub::Door::Json));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(io::file_error(error));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::Internal, error.what());
  }
}

}  // namespace xwalk::api
