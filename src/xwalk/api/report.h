#pragma once

#include "xwalk/convert/any_report.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {

struct Report::State {
  io::AnyReport report;
};

namespace api {

Report make_report(io::AnyReport report);

}  // namespace api
}  // namespace xwalk
