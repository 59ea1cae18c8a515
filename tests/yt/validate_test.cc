#include "xwalk/yt/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"

namespace xwalk::yt {
namespace {

using ::testing::HasSubstr;

struct ProblemCase {
  const char* schema;
  const char* path;
  const char* message;
};

TEST(Validate, NamesTheRuleAndThePlace) {
  std::string long_name(257, 'a');
  std::string long_column = "[{name=" + long_name + ";type=int64}]";
  std::string long_member =
      "[{name=c;type_v3={type_name=struct;members=[{name=" + long_name + ";type=int64}]}}]";
  const ProblemCase cases[] = {
      {"[{name=c;type_v3=yson}]", "c", "cannot be \"required\""},
      {"[{name=c;type_v3={type_name=list;item=yson}}]", "c.<list-element>",
       "disallowed outside of optional"},
      {"[{name=c;type_v3={type_name=optional;item={type_name=struct;members=[{name=field;type={"
       "type_name=tuple;elements=[{type={type_name=dict;key=utf8;value={type_name=tagged;tag=\"\";"
       "item=int64}}}]}}]}}}]",
       "c.<optional-element>.field.<tuple-element-0>.<value>", "tag is empty"},
      {"[{name=c;type_v3={type_name=variant;elements=[{type={type_name=decimal;precision=77;"
       "scale=0}}]}}]",
       "c.<variant-element-0>", "expected 1 to 76"},
      {"[{name=c;type_v3={type_name=decimal;precision=0;scale=0}}]", "c", "expected 1 to 76"},
      {"[{name=c;type_v3={type_name=decimal;precision=3;scale=-1}}]", "c", "expected 0 or more"},
      {"[{name=c;type_v3={type_name=dict;key={type_name=tuple;elements=[{type=json}]};value=int64}}"
       "]",
       "c.<key>.<tuple-element-0>", "not allowed in dict key"},
      {"[{name=c;type_v3={type_name=struct;members=[{name=a;type=int8};{name=b;stable_name=a;type="
       "int8}]}}]",
       "c", "stable name \"a\" is used twice"},
      {"[{name=c;type_v3={type_name=struct;members=[{name=a;stable_name=b;type=int8};{name=b;type="
       "int8}]}}]",
       "c", "stable name \"b\" is used twice"},
      {long_member.c_str(), "c", "257 > 256"},
      {long_column.c_str(), long_name.c_str(), "257 > 256"},
      {"[{name=\"$x\";type=int64}]", "$x", "not allowed here"},
      {"[{name=\"$timestamp\";type=int64}]", "$timestamp", "must be of type \"uint64\""},
      {"[{name=c;type=int64;group=\"\"}]", "c", "group name cannot be empty"},
      {"[{name=c;type=int64;aggregate=avg}]", "c", "unknown aggregate"},
      {"[{name=c;type=int64;max_inline_hunk_size=5}]", "c", "string-like"},
      {"[{name=c;type=string;max_inline_hunk_size=0}]", "c", "must be positive"},
      {"[{name=c;type=string;max_inline_hunk_size=5;sort_order=ascending}]", "c",
       "max inline hunk size cannot be set on a key column"},
      {"[{name=c;type=json;sort_order=ascending}]", "c", "key column cannot be of"},
      {"[{name=c;type=int64};{name=c;type=int64}]", "c", "duplicate column name"},
      {"[{name=a;type=int64};{name=b;stable_name=a;type=int64}]", "b", "duplicate column stable"},
      {"[{name=a;type=int64};{name=b;type=int64;sort_order=ascending}]", "b", "form a prefix"},
      {"<unique_keys=%true>[{name=a;type=int64}]", "", "if there are key columns"},
      {"<strict=%false>[{name=a;stable_name=b;type=int64}]", "a", "non-strict"},
      {"<deleted_columns=[{stable_name=a};{stable_name=a}]>[]", "", "duplicate column stable name"},
  };
  for (const ProblemCase& c : cases) {
    Problems problems = validate(parse_table_schema(c.schema));
    ASSERT_FALSE(problems.empty()) << c.schema;
    EXPECT_EQ(problems.front().path, c.path) << c.schema;
    EXPECT_THAT(problems.front().message, HasSubstr(c.message)) << c.schema;
    EXPECT_THROW(check(parse_table_schema(c.schema)), Error);
  }
}

TEST(Validate, AcceptsWhatTheSystemAccepts) {
  for (const char* schema :
       {"[]", "[{name=\"$timestamp\";type=uint64};{name=\"$row_index\";type=int64}]",
        "[{name=c;type=any;sort_order=ascending}]",
        "[{name=c;type=int64;aggregate=\"nested_value(n, sum)\"}]",
        "[{name=c;type_v3={type_name=tagged;tag=t;item={type_name=optional;item=yson}}}]",
        "[{name=c;type_v3={type_name=variant;elements=[]}};{name=d;type_v3={type_name=tuple;"
        "elements=[]}}]",
        "[{name=c;type_v3={type_name=dict;key={type_name=optional;item=double};value=int64}}]",
        "[{name=\"\\xff\";type=int64}]", "[{name=c;type=any;max_inline_hunk_size=10}]",
        "[{name=c;type=int64;expression=\"a+b\"}]"}) {
    Problems problems = validate(parse_table_schema(schema));
    EXPECT_TRUE(problems.empty()) << schema << ": " << problems.front().message;
  }
}

TEST(Validate, BareYsonHasAHint) {
  Problems problems = validate(parse_table_schema("[{name=c;type_v3=yson}]"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].hint, "use optional<yson>");
  EXPECT_EQ(to_error(problems[0]).place().path.text(), "c");
}

TEST(Validate, Limits) {
  auto nested = [](int levels) {
    Type type = TypeKind::Int64;
    for (int i = 0; i < levels; ++i) type = list(type);
    return type;
  };
  EXPECT_TRUE(validate(nested(32)).empty());
  EXPECT_FALSE(validate(nested(33)).empty());
  EXPECT_NO_THROW(parse_type(print_type_yson(nested(32))));
  EXPECT_THROW(parse_type(print_type_yson(nested(33))), Error);

  TableSchema schema;
  for (int i = 0; i < 32767; ++i) {
    schema.columns.emplace_back("c" + std::to_string(i), TypeKind::Int64);
  }
  EXPECT_TRUE(validate(schema).empty());
  schema.columns.emplace_back("one", TypeKind::Int64);
  EXPECT_THAT(validate(schema).at(0).message, HasSubstr("too complex"));

  TableSchema locks;
  for (int i = 0; i < 33; ++i) {
    locks.columns.emplace_back("c" + std::to_string(i), TypeKind::Int64);
    locks.columns.back().lock = "l" + std::to_string(i);
  }
  EXPECT_THAT(validate(locks).at(0).message, HasSubstr("too many column locks"));
  locks.columns.pop_back();
  EXPECT_TRUE(validate(locks).empty());
}

TEST(Validate, NotesNameTheVersionAndTheSpecification) {
  hub::Findings found = notes(parse_table_schema(
      "[{name=a;type=tz_date};{name=b;type_v3={type_name=list;item={type_name=decimal;precision=36;"
      "scale=0}}};{name=c;type_v3={type_name=decimal;precision=35;scale=0}};{name=d;type=date32}"
      "]"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].rule, "spec.version");
  EXPECT_THAT(found[0].lost, HasSubstr("25.3"));
  EXPECT_EQ(found[0].path.text(), "a");
  EXPECT_EQ(found[1].rule, "spec.beyond-text");
  EXPECT_EQ(found[1].effect, hub::Effect::None);
}

}  // namespace
}  // namespace xwalk::yt
