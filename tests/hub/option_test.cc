#include "xwalk/hub/option.h"

#include <gtest/gtest.h>

#include "xwalk/hub/option_names.h"

namespace xwalk::hub {
namespace {

TEST(Option, IsFoundByItsId) {
  for (size_t i = 0; i < kOptions; ++i) {
    const auto option = static_cast<Option>(i);
    EXPECT_EQ(option_of_id(to_string(option)), option) << to_string(option);
    EXPECT_TRUE(program_word(option).starts_with("--")) << to_string(option);
  }
  EXPECT_FALSE(option_of_id("--round"));
  EXPECT_FALSE(option_of_id(""));
}

TEST(Option, EveryInterfaceSpellsAMention) {
  struct Case {
    std::string mention, program, python, json, sql;
  };
  for (const Case& each : {
           Case{mention(Option::Round), "--round", "round=True", "\"round\": true",
                "round => true"},
           Case{mention(Option::DuplicateKeys, "last"), "--duplicate-keys last",
                "duplicate_keys=\"last\"", "\"duplicate_keys\": \"last\"",
                "duplicate_keys => 'last'"},
           Case{mention(Option::Table, "N"), "--table N", "table=N", "\"table\": N",
                "\"table\" => N"},
           Case{mention(Option::Table, "3"), "--table 3", "table=3", "\"table\": 3",
                "\"table\" => 3"},
           Case{mention(Option::Format, "FORMAT"), "--from FORMAT", "format=FORMAT",
                "\"format\": FORMAT", "format => FORMAT"},
           Case{mention(Option::Schema), "--schema", "schema", "\"schema\"", "schema"},
           Case{mention(Option::Schema, "FILE"), "--schema FILE", "schema=FILE", "\"schema\": TEXT",
                "schema => TEXT"},
           Case{mention(Option::Schema, "a.schema"), "--schema a.schema", "schema=\"a.schema\"",
                "\"schema\": TEXT", "schema => TEXT"},
           Case{mention(Option::Cast, "a=int64"), "--cast a=int64", "cast={\"a\": \"int64\"}",
                "\"cast\": {\"a\": \"int64\"}", "\"cast\" => {'a': 'int64'}"},
           Case{mention(Option::Cast, "\"a=b\".c=timestamp[us, tz=UTC]"),
                "--cast '\"a=b\".c=timestamp[us, tz=UTC]'",
                "cast={\"\\\"a=b\\\".c\": \"timestamp[us, tz=UTC]\"}",
                "\"cast\": {\"\\\"a=b\\\".c\": \"timestamp[us, tz=UTC]\"}",
                "\"cast\" => {'\"a=b\".c': 'timestamp[us, tz=UTC]'}"},
           Case{mention(Option::Annotations), "--no-annotations", "annotations=False",
                "\"annotations\": false", "annotations => false"},
       }) {
    EXPECT_EQ(spelled(each.mention, Interface::Program), each.program);
    EXPECT_EQ(spelled(each.mention, Interface::Python), each.python);
    EXPECT_EQ(spelled(each.mention, Interface::Json), each.json);
    EXPECT_EQ(spelled(each.mention, Interface::Sql), each.sql);
  }
}

TEST(Option, TextAroundMentionsStays) {
  const std::string text = "`a`b` use " + mention(Option::Round) + ", or `" +
                           mention(Option::MergeNulls) + " ` round` `rounds` `";
  EXPECT_EQ(spelled(text, Interface::Program),
            "`a`b` use --round, or `--merge-nulls ` round` `rounds` `");
  EXPECT_EQ(spelled("", Interface::Python), "");
}

TEST(Option, OptionsNextToEachOtherAreArgumentsOfACall) {
  EXPECT_EQ(spelled("Add " + mention(Option::Allow, "lossy"), Interface::Copy),
            "Add ALLOW 'lossy'");
  const std::string text = "Use " + mention(Option::OnError, "skip") + " " +
                           mention(Option::Rejects, "FILE") + " or " + mention(Option::Round) + ".";
  EXPECT_EQ(spelled(text, Interface::Program), "Use --on-error skip --rejects FILE or --round.");
  EXPECT_EQ(spelled(text, Interface::Python), "Use on_error=\"skip\", rejects=FILE or round=True.");
  EXPECT_EQ(spelled(text, Interface::Sql),
            "Use on_error => 'skip', rejects => FILE or round => true.");
}

TEST(Option, AnErrorIsSpelledWithItsPlace) {
  Place place;
  place.file = mention(Option::Schema);
  place.line = 1;
  place.column = 2;
  const Error error(ErrorCode::Input, "bad", place, "Try " + mention(Option::Round) + ".");
  EXPECT_EQ(spelled(error, Interface::Program).describe(),
            "--schema:1:2: error: bad\n  Try --round.");
  EXPECT_EQ(spelled(error, Interface::Python).place().file, "schema");
  EXPECT_EQ(spelled(error, Interface::Json).hint(), "Try \"round\": true.");
}

}  // namespace
TEST(Option, NamesOfOtherProgramsSuggestTheOptionsOfEachInterface) {
  const std::vector<std::string> words = {"--select", "--mode", "--limit"};
  EXPECT_EQ(suggested_option("--columns", words, Interface::Program), "Did you mean --select?");
  EXPECT_EQ(suggested_option("--overwrite", words, Interface::Program),
            "Did you mean --mode overwrite?");
  EXPECT_EQ(suggested_option("--n-rows", words, Interface::Program), "Did you mean --limit?");
  EXPECT_EQ(suggested_option("--limti", words, Interface::Program), "Did you mean --limit?");
  EXPECT_EQ(suggested_option("overwrite", {"mode"}, Interface::Python),
            "Did you mean mode=\"overwrite\"?");
  // An option that is not accepted is not suggested.
  EXPECT_EQ(suggested_option("columns", {"limit"}, Interface::Python), "");
  for (const OtherName& other : other_option_names()) {
    EXPECT_FALSE(option_of_id(other.name)) << other.name;
  }
}

}  // namespace xwalk::hub
