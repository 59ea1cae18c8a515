#include "xwalk/yt/rich_path.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::yt {
namespace {

using Columns = std::optional<std::vector<std::string>>;

TEST(RichPath, IsTakenApart) {
  struct Case {
    std::string text;
    std::string cluster;
    std::string path;
    Columns columns;
    std::string ranges;
  };
  const Case cases[] = {
      {"//home/t", "", "//home/t", {}, ""},
      {"yt://cluster//home/t", "cluster", "//home/t", {}, ""},
      {"yt://localhost:8000//home/t", "localhost:8000", "//home/t", {}, ""},
      {"//home/t{a,b}", "", "//home/t", Columns{{"a", "b"}}, ""},
      {"//home/t[#10:#20]{a,b}", "", "//home/t", Columns{{"a", "b"}}, "[#10:#20]"},
      {"//home/t{a,b}[#10:#20]", "", "//home/t", Columns{{"a", "b"}}, "[#10:#20]"},
      {"//home/t{}", "", "//home/t", Columns{std::vector<std::string>{}}, ""},
      {"//home/t{\"a b\", c}", "", "//home/t", Columns{{"a b", "c"}}, ""},
      {R"(//home/t{"a\"}"}["]":"x"])", "", "//home/t", Columns{{"a\"}"}}, R"(["]":"x"])"},
      {"//home/t[(a,1):(b)]", "", "//home/t", {}, "[(a,1):(b)]"},
      {R"(//home/a\/)", "", R"(//home/a\/)", {}, ""},
      {R"(//home/odd\[name\{)", "", R"(//home/odd\[name\{)", {}, ""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.text);
    const RichPath path = parse_rich_path(one.text);
    EXPECT_EQ(path.cluster, one.cluster);
    EXPECT_EQ(path.path, one.path);
    EXPECT_EQ(path.columns, one.columns);
    EXPECT_EQ(path.ranges, one.ranges);
  }
}

TEST(RichPath, RefusesOthers) {
  for (const char* text : {"",
                           "home",
                           "/home",
                           "yt://",
                           "yt://cluster",
                           "yt:////home/t",
                           "yt://cluster/home/t",
                           "yt://user@cluster//t",
                           "//t{",
                           "//t{a",
                           "//t{a b}",
                           "//t{a:b}",
                           "//t{,}",
                           "//t{\"a}",
                           "//t[",
                           "//t[\"a]",
                           "//t{a}{b}",
                           "//t[#1][#2]",
                           "//t{a}x",
                           "//",
                           "///home/t",
                           "//home//t",
                           "//home/t/",
                           "//home/t/[#1]",
                           "//home/{a}",
                           "yt://cluster//",
                           "//home/t/\\",
                           "//t\\"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parse_rich_path(text), Error);
  }
}

}  // namespace
}  // namespace xwalk::yt
