#include "xwalk/hub/mapper_checks.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::hub {

void Refused::add(Refused* refused, size_t column, Error why) {
  if (refused == nullptr) throw Error(std::move(why));
  refused->columns.try_emplace(column, std::move(why));
}

void refuse(const Path& path, std::string message, std::string hint) {
  throw Error(ErrorCode::Unsupported, std::move(message), {.path = path}, std::move(hint));
}

void refuse_type(std::string_view system, const Field& field, const Path& path) {
  refuse(path, fmt::format("{} has no type for {}", system, to_string(field.type)));
}

void check_nesting(int depth, int most, const Path& path) {
  if (depth > most) {
    refuse(path, fmt::format("expected at most {} nested types, found more", most));
  }
}

Finding stale_annotation(const Path& path, std::string_view annotation) {
  return {.rule = "annotation.stale",
          .path = path,
          .lost = fmt::format("the annotation {} no longer fits the column and is ignored",
                              clipped(annotation, 60))};
}

}  // namespace xwalk::hub
