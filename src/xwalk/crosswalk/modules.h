#pragma once

#include <span>

#include "xwalk/hub/any_schema.h"

namespace xwalk::crosswalk {

using hub::AnySchema;
using hub::System;

/// Returns all systems, in the order in which they are shown.
std::span<const System> systems();

}  // namespace xwalk::crosswalk
