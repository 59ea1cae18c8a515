#include "xwalk/vortex/validate.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/vortex/schema.h"

namespace xwalk::vortex {
namespace {

using Found = std::vector<std::string>;

/// Lists violations as `path rule`, notes with a `~` before them.
Found found(const DType& type) {
  Found out;
  for (const hub::Finding& finding : validate(type)) {
    out.push_back((is_violation(finding) ? "" : "~") + finding.path.text() + " " +
                  std::string(finding.rule));
  }
  return out;
}

TEST(Validate, NamesOfStructs) {
  EXPECT_EQ(found(parse_text("{a=i32, b=list({x=utf8, y=utf8?})}")), Found{});
  EXPECT_EQ(found(parse_text("{a=i32, a=i32, b=list({x=utf8, x=utf8})}")),
            (Found{"~a name.duplicate", "~b[].x name.duplicate"}));
  const DType broken = DType::struct_({{"\xff", DType::utf8(false)}}, false);
  ASSERT_EQ(validate(broken).size(), 1u);
  EXPECT_TRUE(is_violation(validate(broken)[0]));
}

TEST(Validate, KindsBeyondTheText) {
  EXPECT_EQ(found(parse_text("{m=map(utf8, i32, keys_sorted=false), u=union(a=i32, b=utf8)?}")),
            (Found{"~m spec.beyond-text", "~u spec.beyond-text"}));
}

TEST(Validate, ExtensionsThatNotEveryReaderHas) {
  const auto of = [](const char* id, DType storage, std::string metadata) {
    return found(
        DType::struct_({{"a", DType::extension(id, std::move(storage), metadata)}}, false));
  };
  EXPECT_EQ(of("vortex.json", DType::utf8(false), ""), Found{});
  EXPECT_EQ(of("vortex.date", DType::primitive(PType::I32, true), std::string(1, '\4')), Found{});
  EXPECT_EQ(of("acme.thing", DType::utf8(false), "x"), Found{"~a extension.unknown"});
}

}  // namespace
}  // namespace xwalk::vortex
