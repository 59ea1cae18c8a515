// Uses the library as a stranger would, by its umbrella header alone.

#include <cstdio>
#include <xwalk/xwalk.hpp>

int main() {
  namespace crosswalk = xwalk::crosswalk;
  const crosswalk::AnySchema schema =
      crosswalk::parse_schema(xwalk::yt::kRoom, "[{name=a;type=int64;required=%true}]");
  const auto mapped = crosswalk::from_arrow(xwalk::arrow::kRoom, crosswalk::to_arrow(schema));
  std::fputs(crosswalk::print_schema(mapped.schema).c_str(), stdout);
  std::puts(XWALK_VERSION);
  return 0;
}
