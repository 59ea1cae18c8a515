#pragma once

#include "xwalk/convert/dataset.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {

struct Rows::State {
  io::Dataset data;
};

}  // namespace xwalk
