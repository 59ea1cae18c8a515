#include "xwalk/hub/change_error.h"

#include <fmt/format.h>

namespace xwalk::hub {

Error in_change(const SchemaChange& change, const Error& error) {
  if (!error.place().path.empty()) return error;
  return {error.code(), fmt::format("--{}: {}", change.word, error.message()), error.place(),
          error.hint()};
}

}  // namespace xwalk::hub
