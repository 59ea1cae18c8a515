// Uses the library as a stranger would: public headers only.

#include <cstdio>

#include "xwalk/hub/type.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

int main() {
  namespace hub = xwalk::hub;
  hub::Type type = hub::list(hub::Field("item", hub::Kind::Int64, false));
  std::puts(hub::to_string(type).c_str());
  std::puts(xwalk::yson::print(xwalk::yson::parse("{a = 1; b = [%true; #]}")).c_str());
  return 0;
}
