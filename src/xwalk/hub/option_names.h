#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/option.h"

namespace xwalk::hub {

/// A name that other programs have for an option: `columns` for `select`, `overwrite` for
/// `mode=overwrite`.
struct OtherName {
  std::string_view name;
  Option option;
  std::string_view value;
};
std::span<const OtherName> other_option_names();

/// Suggests an option for an unknown name: the option that other programs give this name, else
/// those with a similar name. `known` are the options that are accepted, as the interface writes
/// them. Returns "" if none is alike.
std::string suggested_option(std::string_view unknown, const std::vector<std::string>& known,
                             Interface interface);

}  // namespace xwalk::hub
