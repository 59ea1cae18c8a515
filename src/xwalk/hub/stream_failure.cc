#include "xwalk/hub/stream_failure.h"

#include <cerrno>

#include "xwalk/base/error.h"
#include "xwalk/base/error_text.h"

namespace xwalk::hub {

int StreamFailure::keep() noexcept {
  error_ = std::current_exception();
  code_ = EINVAL;
  try {
    try {
      throw;
    } catch (const Error& error) {
      // Another software has only the text. It puts its own class before it.
      text_ = text_of(error, "");
    } catch (const std::exception& error) {
      text_ = error.what();
    }
  } catch (...) {
    text_.clear();  // no memory for the words
    code_ = ENOMEM;
  }
  return code_;
}

}  // namespace xwalk::hub
