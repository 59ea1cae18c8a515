#include "xwalk/c/error.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_error.h"

namespace xwalk::c {
namespace {

/// An error with the texts that its C form points to.
struct OwnedError : xwalk_error {
  explicit OwnedError(const Error& error)
      : xwalk_error{},
        message_text(error.message()),
        hint_text(error.hint()),
        whole_text(error.describe()),
        file_text(error.place().file),
        path_text(error.place().path.text()) {
    const Place& place = error.place();
    code = code_of(error.code());
    message = message_text.c_str();
    hint = hint_text.c_str();
    text = whole_text.c_str();
    file = file_text.c_str();
    path = path_text.c_str();
    line = number(place.line);
    column = number(place.column);
    byte = number(place.byte);
    row = number(place.row);
    table = number(place.table);
  }

  static xwalk_code code_of(ErrorCode code) {
    switch (code) {
      case ErrorCode::Usage:
        return XWALK_USAGE;
      case ErrorCode::Input:
        return XWALK_INPUT;
      case ErrorCode::Unsupported:
        return XWALK_UNSUPPORTED;
      case ErrorCode::Io:
      case ErrorCode::ClosedPipe:
        return XWALK_IO;
      case ErrorCode::Interrupted:
        return XWALK_INTERRUPTED;
      case ErrorCode::Internal:
        return XWALK_INTERNAL;
    }
    return XWALK_INTERNAL;
  }

  template <typename Number>
  static int64_t number(const std::optional<Number>& value) {
    return value ? static_cast<int64_t>(*value) : -1;
  }

  std::string message_text, hint_text, whole_text, file_text, path_text;
};

/// Returned if allocating the real error fails. Never freed.
xwalk_error no_memory = {XWALK_INTERNAL, "no memory", "", "no memory", "", "", -1, -1, -1, -1, -1};

}  // namespace

xwalk_error* make_error(const std::exception_ptr& thrown) noexcept {
  try {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      return std::make_unique<OwnedError>(hub::spelled(error, hub::Interface::Json)).release();
    } catch (const std::bad_alloc&) {
      return &no_memory;
    } catch (const std::filesystem::filesystem_error& error) {
      return std::make_unique<OwnedError>(io::file_error(error)).release();
    } catch (const std::exception& error) {
      return std::make_unique<OwnedError>(Error(ErrorCode::Internal, error.what())).release();
    }
  } catch (...) {
    return &no_memory;
  }
}

void require(const void* argument, std::string_view what) {
  if (argument == nullptr) {
    throw Error(ErrorCode::Usage, fmt::format("expected {}, found NULL", what));
  }
}

}  // namespace xwalk::c

using xwalk::c::OwnedError;

extern "C" void xwalk_error_free(xwalk_error* error) {
  if (error != &xwalk::c::no_memory) delete static_cast<OwnedError*>(error);
}
