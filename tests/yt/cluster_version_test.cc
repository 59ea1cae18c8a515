#include "xwalk/yt/cluster_version.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"

namespace xwalk::yt {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* column;
  /// The first release that takes it.
  const char* since;
  const char* instead;
};

constexpr Case kCases[] = {
    {"type_v3=date32", "24.1", "date,"},
    {"type_v3={type_name=list;item=datetime64}", "24.1", "datetime,"},
    {"type_v3={type_name=optional;item=timestamp64}", "24.1", "timestamp,"},
    {"type_v3=interval64", "24.1", "interval,"},
    {"type_v3={type_name=decimal;precision=36;scale=0}", "24.2", "at most 35 digits"},
    {"type_v3=int64;aggregate=\"nested_key(t)\"", "24.2", "without an aggregate"},
    {"type_v3=tz_date", "25.3", "utf8"},
    {"type_v3={type_name=dict;key=utf8;value=tz_timestamp64}", "25.3", "utf8"},
    {"type_v3=int64;constraint=\"c > 0\"", "25.4", "without one"},
    {"type_v3={type_name=struct;members=[{name=b;stable_name=a;type=int64}]}", "25.4", "stored"},
    {"type_v3={type_name=struct;members=[{name=b;type=int64}];removed_members=[{stable_name=a}]}",
     "25.4", "stored"},
};

TEST(ClusterVersion, TellsWhatAReleaseLacksAndWhatToUse) {
  for (const Case& c : kCases) {
    const TableSchema schema = parse_table_schema("[{name=c;" + std::string(c.column) + "}]");
    const ClusterVersion since = parse_cluster_version(c.since);
    for (const std::string_view word : cluster_versions()) {
      const ClusterVersion version = parse_cluster_version(word);
      const hub::Findings found = lacking(schema, version);
      ASSERT_EQ(found.size(), version < since ? 1U : 0U) << c.column << " " << word;
      if (found.empty()) continue;
      EXPECT_EQ(found[0].rule, "spec.version");
      EXPECT_EQ(found[0].path.text(), "c");
      EXPECT_TRUE(hub::is_violation(found[0]));
      EXPECT_THAT(found[0].lost, HasSubstr(c.since));
      EXPECT_THAT(found[0].lost, HasSubstr("the cluster has " + std::string(word)));
      EXPECT_THAT(found[0].hint, HasSubstr(c.instead));
    }
  }
}

TEST(ClusterVersion, WhatEveryReleaseHasIsNotTold) {
  const TableSchema schema = parse_table_schema(
      "<unique_keys=%true>[{name=k;type=int64;sort_order=descending};{name=u;type_v3=uuid};"
      "{name=d;type_v3={type_name=decimal;precision=35;scale=2}};{name=t;type_v3=timestamp};"
      "{name=s;type=int64;aggregate=sum};{name=j;type=json}]");
  EXPECT_TRUE(lacking(schema, parse_cluster_version("23.2")).empty());
}

TEST(ClusterVersion, EachFeatureIsToldOnceInAColumn) {
  const TableSchema schema = parse_table_schema(
      "[{name=c;type_v3={type_name=tuple;elements=[{type=date32};{type=date32};{type=tz_date}]}}]");
  const hub::Findings found = lacking(schema, parse_cluster_version("23.2"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].lost, HasSubstr("(at c.<tuple-element-0>)"));
}

TEST(ClusterVersion, WordsAreThoseOfReleases) {
  EXPECT_EQ(to_string(parse_cluster_version("25.3")), "25.3");
  EXPECT_LT(parse_cluster_version("24.2"), parse_cluster_version("25.1"));
  for (const char* word : {"", "25", "25.30", "latest", "25.3.1"}) {
    EXPECT_THROW(parse_cluster_version(word), Error) << word;
  }
}

}  // namespace
}  // namespace xwalk::yt
