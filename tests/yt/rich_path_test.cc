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

TEST(RichPath, HasAttributesInFront) {
  struct Case {
    std::string text;
    std::string cluster;
    Columns columns;
    std::string with_ranges;
  };
  const Case cases[] = {
      {"<append=%true>//t", "", {}, "//t"},
      {" //t", "", {}, ""},
      {"<>//t[#1]", "", {}, "//t[#1]"},
      {"<columns=[a;\"b c\"]> //t", "", Columns{{"a", "b c"}}, "//t"},
      {"<columns=[]>//t", "", Columns{std::vector<std::string>{}}, "//t"},
      {"<cluster=c>//t", "c", {}, "//t"},
      {"<cluster=c>yt://c//t", "c", {}, "//t"},
      {"<columns=[a]>yt://c:80//t[#1]", "c:80", Columns{{"a"}}, "//t[#1]"},
      {"yt://c<columns=[a]>//t", "c", Columns{{"a"}}, "//t"},
      {"yt://c<\"ranges\"=[{exact={key=[\"//x>\"]}}]>//t{a}", "c", Columns{{"a"}},
       R"(<"ranges"=[{"exact"={"key"=["//x>";];};};];>//t)"},
      {"<lower_limit={row_index=2};upper_limit={row_index=5u}>//t",
       "",
       {},
       R"(<"ranges"=[{"lower_limit"={"row_index"=2;};"upper_limit"={"row_index"=5u;};};];>//t)"},
      {"<exact={key_bound=[\">\";[1]]}>//t",
       "",
       {},
       R"(<"ranges"=[{"exact"={"key_bound"=[">";[1;];];};};];>//t)"},
      {"<optimize_for=scan;append=\"false\">//t", "", {}, "//t"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.text);
    EXPECT_EQ(is_rich_path(one.text), !one.with_ranges.empty());
    if (one.with_ranges.empty()) continue;
    const RichPath path = parse_rich_path(one.text);
    EXPECT_EQ(path.cluster, one.cluster);
    EXPECT_EQ(path.columns, one.columns);
    EXPECT_EQ(path.with_ranges(), one.with_ranges);
  }
  EXPECT_EQ(parse_rich_path("<append=%true>//t").append, std::optional(true));
  const RichPath path = parse_rich_path("<optimize_for=scan;append=\"false\">//t");
  EXPECT_EQ(path.append, std::optional(false));
  ASSERT_EQ(path.storage.size(), 1U);
  EXPECT_EQ(path.storage[0].first, "optimize_for");
}

TEST(RichPath, IsNotWhatOnlyBeginsLikeOne) {
  for (const char* text : {"<strict=%true>[{name=a;type=\"//t\"}]", "<format=binary>yson", "<a",
                           "<a>", "<a=1>/t", "<a=\">\"//t", "/home/t", "s3://b/t", ""}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(is_rich_path(text));
  }
}

TEST(RichPath, RefusesAttributes) {
  const std::pair<const char*, const char*> cases[] = {
      {"<x=1>//t", "is not known here"},
      {"<rename_columns={a=b}>//t", "is not taken here"},
      {"<schema=[]>//t", "is not taken here"},
      {"<transaction_id=\"1-2-3-4\">//t", "is not taken here"},
      {"<append=1>//t", "expected append as %true or %false"},
      {"<append=%true;append=%false>//t", "given twice"},
      {"<optimize_for=scan>yt://cluster<optimize_for=lookup>//t", "given twice"},
      {"<append=%tru>//t", "expected attributes in YSON"},
      {"<columns=a>//t", "expected columns as a list"},
      {"<columns=[[a;b]]>//t", "named one by one"},
      {"<columns=[a]>//t{b}", "after the path"},
      {"<ranges={}>//t", "expected ranges as a list"},
      {"<ranges=[1]>//t", "expected a range as a map"},
      {"<ranges=[{from={row_index=1}}]>//t", "expected a limit of a range"},
      {"<ranges=[{exact=1}]>//t", "expected a limit as a map"},
      {"<ranges=[{exact={row=1}}]>//t", "expected a limit of rows"},
      {"<ranges=[{exact={row_index=-1}}]>//t", "expected row_index"},
      {"<ranges=[{exact={key=1}}]>//t", "expected key as a list"},
      {"<ranges=[]>//t[#1]", "after the path"},
      {"<ranges=[];exact={row_index=1}>//t", "found both"},
      {"<cluster=a>yt://b//t", "two clusters are named"},
      {"<cluster=\"a/b\">//t", "expected the name of a cluster"},
      {"<optimize_for=1>//t", "expected optimize_for as a string"},
      {"<append=%true>hahn://t", "which begins with //"},
      {"yt://c<append=%true//t", "expected > after the attributes"},
  };
  for (const auto& [text, expected] : cases) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(is_rich_path(text));
    try {
      (void)parse_rich_path(text);
      FAIL() << "nothing was refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Usage);
      EXPECT_NE(error.message().find(expected), std::string::npos) << error.message();
    }
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
    try {
      parse_rich_path(text);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Usage);
      EXPECT_LE(error.place().byte.value_or(0), std::string_view(text).size());
    }
  }
}

}  // namespace
}  // namespace xwalk::yt
