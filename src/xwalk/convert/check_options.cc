#include "xwalk/convert/check_options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::io {

using hub::Option;

void check_output_options(std::span<const Format> output, ConvertOptions* options) {
  for (const Option option : options->given) {
    const TakenBy by = taken_by(option);
    if (by.is_written_by(output)) {
      options->input.given.erase(option);
    } else if (by.read.empty() && !by.written.empty()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{} needs an output of {}, found {}", hub::mention(option),
                              names_of(by.written), names_of(output)));
    }
  }
}

void check_open_options(Format input, const std::set<Option>& opened_with, Format output,
                        ConvertOptions* options) {
  for (const Option option : options->given) {
    if (!is_about_opening(option) || opened_with.contains(option)) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("{} applies when rows are opened, and these are open already",
                            hub::mention(option)),
                {},
                "Give it when they are opened; in SQL, the query chooses columns, rows and types.");
  }
  options->input.given = options->given;
  check_output_options({&output, 1}, options);
  check_taken(options->input.given, {&input, 1});
  options->input.given.clear();
}

}  // namespace xwalk::io
