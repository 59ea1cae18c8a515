#pragma once

#include <exception>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/c/xwalk.h"

namespace xwalk::c {

/// Makes the C form of an exception; of the caller's from then on. Never throws: without memory it
/// returns one error that says so.
xwalk_error* make_error(const std::exception_ptr& thrown) noexcept;

/// Runs what a function of the interface does, and turns what it throws into a result. No exception
/// leaves it.
template <typename Work>
xwalk_code guard(xwalk_error** error, const Work& work) noexcept {
  try {
    work();
    return XWALK_OK;
  } catch (...) {
    xwalk_error* made = make_error(std::current_exception());
    const xwalk_code code = made->code;
    if (error != nullptr) {
      *error = made;
    } else {
      xwalk_error_free(made);
    }
    return code;
  }
}

/// Throws Error (Usage) if the argument named `what` is NULL.
void require(const void* argument, std::string_view what);

}  // namespace xwalk::c
