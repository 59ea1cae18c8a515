// Uses the library as another project would, by the header of its C++ interface alone: consumer OUT

#include <cstdio>
#include <xwalk/xwalk.hpp>

int main(int, char** argv) {
  try {
    auto schema = xwalk::Schema::parse("[{name=id;type=int64}]");
    auto [lance, report] = schema.to("lance");
    report.raise_for(xwalk::Verdict::Lossy);
    if (schema == lance || !(lance == xwalk::Schema::parse(lance.dump(), "lance"))) return 1;
    long long rows = 0;
    for (const xwalk::Batch& batch : xwalk::open("events.yson")) rows += batch.array().length;
    xwalk::convert("events.yson", argv[1]);
    std::printf("%s: %s\n", lance.system().c_str(), report.summary().c_str());
    std::printf("%lld rows, xwalk %s\n", rows, XWALK_VERSION);
    return 0;
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
