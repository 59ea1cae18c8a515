#include "xwalk/convert/named_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

TEST(NamedOptions, AreReadByName) {
  const ConvertOptions options = read_named_options(
      R"({"format": "yson", "select": ["a", "b.c"], "limit": 0, "batch_rows": 7, "on_error": "skip",
          "max_memory": 9, "threads": 3, "allow": "lossy", "round": true, "duplicate_keys": "keep", "any": "json",
          "mode": "append", "time_mode": "text", "table": null})");
  EXPECT_EQ(options.input.format, kYsonRows);
  EXPECT_THAT(options.input.select, testing::ElementsAre("a", "b.c"));
  EXPECT_EQ(options.input.limit, 0);
  EXPECT_EQ(options.input.batch_rows, 7);
  EXPECT_EQ(options.input.max_memory, 9U);
  EXPECT_TRUE(options.input.skip_bad_rows && options.pipeline.skip_bad_rows);
  EXPECT_EQ(options.pipeline.threads, 3);
  EXPECT_TRUE(options.allow_lossy && options.plan.cast.round);
  EXPECT_TRUE(options.output.parquet.keep_repeated_keys);
  EXPECT_EQ(options.plan.cast.any, hub::AnyValues::Json);
  EXPECT_EQ(options.output.mode, OutputMode::Append);
  EXPECT_EQ(options.output.values.time_mode, options.input.values.time_mode);
  EXPECT_EQ(options.input.table, std::nullopt);
}

TEST(NamedOptions, MemoryHasAUnit) {
  EXPECT_EQ(read_named_options(R"({"max_memory": "512MiB"})").input.max_memory, 512U << 20);
  EXPECT_EQ(read_named_options(R"({"max_memory": "8G"})").input.max_memory, 8'000'000'000U);
}

TEST(NamedOptions, NothingIsTheUsual) {
  EXPECT_EQ(read_named_options("").pipeline.threads, 0);
  EXPECT_EQ(read_named_options("{}").input.limit, std::nullopt);
}

TEST(NamedOptions, AStringIsAListOfOne) {
  EXPECT_THAT(read_named_options(R"({"exclude": "a"})").input.exclude, testing::ElementsAre("a"));
  EXPECT_THAT(read_named_options(R"({"follow": "a,b"})").input.lance.follow,
              testing::ElementsAre("a,b"));
  EXPECT_THAT(read_named_options(R"({"partition_by": "a"})").output.partition_by,
              testing::ElementsAre("a"));
}

TEST(NamedOptions, RepeatedKeysOfRowsFollowDuplicateKeys) {
  EXPECT_TRUE(read_named_options(R"({"duplicate_keys": "last"})").input.yson.last_of_repeated_keys);
  EXPECT_FALSE(
      read_named_options(R"({"duplicate_keys": "keep"})").input.yson.last_of_repeated_keys);
}

TEST(NamedOptions, TextIsReadByTheTypeOfTheOption) {
  const ConvertOptions options = read_named_options(
      R"({"batch_rows": "10k", "unify": "TRUE", "partitions": "false", "select": "a, \"b,c\"",
          "exclude": "[\"d,e\"]", "cast": "a=decimal(18,2), b=int8", "rename": "{\"a\": \"b=c\"}",
          "max_memory": "1k", "sample": "5%", "format": "yson"})",
      OptionTexts::Parsed);
  EXPECT_EQ(options.input.batch_rows, 10'000);
  EXPECT_TRUE(options.input.unify);
  EXPECT_FALSE(options.input.partitions);
  EXPECT_THAT(options.input.select, testing::ElementsAre("a", "\"b,c\""));
  EXPECT_THAT(options.input.exclude, testing::ElementsAre("d,e"));
  ASSERT_EQ(options.plan.casts.size(), 2U);
  EXPECT_EQ(options.plan.rename.at(0).name, "b=c");
  EXPECT_EQ(options.input.max_memory, 1000U);
  EXPECT_TRUE(options.input.sample);
  EXPECT_EQ(options.input.format, kYsonRows);
}

TEST(NamedOptions, ATextOfEachTypeIsJson) {
  EXPECT_EQ(parse_option(hub::Option::Limit, "2k"), "2000");
  EXPECT_EQ(parse_option(hub::Option::Unify, "True"), "true");
  EXPECT_EQ(parse_option(hub::Option::Select, "a,b"), R"(["a","b"])");
  EXPECT_EQ(parse_option(hub::Option::Storage, "region=eu, endpoint=http://h:1"),
            R"({"endpoint":"http://h:1","region":"eu"})");
  EXPECT_EQ(parse_option(hub::Option::OnError, "skip"), R"("skip")");
}

TEST(NamedOptions, AnErrorNamesTheOptionOnce) {
  const auto message_of = [](auto read) {
    try {
      read();
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message_of([] { read_named_options(R"({"batch_rows": "x"})", OptionTexts::Parsed); }),
            R"(batch_rows: expected a whole number of at least 1, found "x")");
  EXPECT_EQ(message_of([] { read_named_options(R"({"unify": "x"})", OptionTexts::Parsed); }),
            R"(unify: expected true or false, found "x")");
  EXPECT_EQ(message_of([] {
              read_option_tokens({{hub::Option::BatchRows, {"x"}}});
            }),
            R"(`batch_rows`: expected a whole number of at least 1, found "x")");
  EXPECT_EQ(message_of([] { parse_option(hub::Option::Unify, "x"); }),
            R"(`unify`: expected true or false, found "x")");
}

/// The parser keeps the last of two values, and the first would be lost silently.
TEST(NamedOptions, ANameIsGivenOnce) {
  const auto refused = [](std::string_view json, OptionTexts texts) {
    try {
      read_named_options(json, texts);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Usage);
      return error.message();
    }
    return std::string();
  };
  using enum OptionTexts;
  EXPECT_EQ(refused(R"({"limit": 1, "seed": 2, "limit": 1})", Refused),
            R"("limit" is given twice)");
  EXPECT_EQ(refused(R"({"limit": null, "limit": 1})", Refused), R"("limit" is given twice)");
  EXPECT_EQ(refused(R"({"limit": 1, "rename": {"a": "b", "a": "c"}})", Refused),
            R"(rename: "a" is given twice)");
  EXPECT_EQ(refused(R"({"cast": "{\"a\": \"int8\", \"a\": \"int16\"}"})", Parsed),
            R"(cast: "a" is given twice)");
  EXPECT_EQ(refused(R"({"storage_options": "region=eu, region=us"})", Parsed),
            R"(storage_options: "region" is given twice)");
  EXPECT_EQ(refused(R"({"rename": {"a": "b", "b": "a"}, "cast": {"a": "int8"}})", Refused), "");
}

TEST(NamedOptions, ACommandLineGivesWords) {
  const ConvertOptions options = read_option_tokens({{hub::Option::Partitions, {}},
                                                     {hub::Option::Annotations, {}},
                                                     {hub::Option::Unify, {}},
                                                     {hub::Option::Select, {"a,b", "c"}},
                                                     {hub::Option::Follow, {"x,y", "z"}},
                                                     {hub::Option::Rename, {"a=\"n=m\""}},
                                                     {hub::Option::Threads, {"9k"}},
                                                     {hub::Option::Format, {"iceberg"}},
                                                     {hub::Option::To, {"<format=binary>yson"}}});
  EXPECT_FALSE(options.input.partitions || options.plan.annotations || options.input.annotations);
  EXPECT_TRUE(options.input.unify);
  EXPECT_THAT(options.input.select, testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(options.input.lance.follow, testing::ElementsAre("x,y", "z"));
  EXPECT_EQ(options.plan.rename.at(0).name, "n=m");
  EXPECT_EQ(options.pipeline.threads, 256);
  EXPECT_EQ(options.input.format, parse_format("iceberg"));
  EXPECT_EQ(options.output.values.format, yson::Format::Binary);
  EXPECT_TRUE(options.given.contains(hub::Option::Format));
}

TEST(NamedOptions, WordsOutOfRangeNameTheirOption) {
  try {
    read_option_tokens({{hub::Option::Table, {"4294967296"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(hub::spelled(error, hub::Interface::Program).message(),
              "--table: expected an integer from 0 to 4294967295, found 4294967296");
  }
}

/// Each option of the program reads each of its words, and says what it takes.
TEST(NamedOptions, EachRowIsWhole) {
  for (const NamedOption& option : all_options()) {
    const std::string id(hub::to_string(option.option));
    EXPECT_EQ(option.is_keyword, !option.about.empty()) << id;
    EXPECT_EQ(option.commands != 0, !option.help.empty()) << id;
    for (const std::string& word : choices_of(option)) {
      EXPECT_NO_THROW(read_option_tokens({{option.option, {word}}})) << id << " " << word;
    }
    const bool has_words = !choices_of(option).empty() || !option.placeholder.empty();
    EXPECT_EQ(option.commands != 0 && option.value != OptionValue::Flag, has_words) << id;
  }
}

struct Wrong {
  const char* json;
  const char* message;
};

const std::string kDeep =
    R"({"limit":)" + std::string(200'000, '[') + std::string(200'000, ']') + "}";

class WrongOptions : public testing::TestWithParam<Wrong> {};

TEST_P(WrongOptions, AreRefused) {
  try {
    read_named_options(GetParam().json);
    FAIL() << "expected an error: " << GetParam().message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Usage);
    EXPECT_THAT(error.message(), testing::HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongOptions,
    testing::Values(
        Wrong{R"({"storage_options": "region=x"})", "storage_options: expected options of stores"},
        Wrong{R"({"storage_options": {"regoin": "x"}})", "found \"regoin\""},
        Wrong{R"({"storage_options": {"secret_key": "x"}})", "holds a secret"},
        Wrong{"{", "expected options as JSON"},
        Wrong{R"({"limit": 1e999})", "expected options as JSON"},
        Wrong{"[1]", "expected options as a JSON object"},
        Wrong{R"({"colour": 1})", "unknown option \"colour\""},
        Wrong{R"({"limit": "3"})", "limit: expected an integer from 0"},
        Wrong{R"({"limit": -1})", "limit: expected an integer from 0"},
        Wrong{R"({"limit": 1.5})", "found 1.5"},
        Wrong{R"({"limit": true})", "limit: expected an integer"},
        Wrong{R"({"max_memory": 0})", "max_memory: expected an integer from 1"},
        Wrong{R"({"max_memory": "8 GB"})", "max_memory: expected bytes such as 512MiB"},
        Wrong{R"({"batch_rows": 0})", "batch_rows: expected an integer from 1"},
        Wrong{R"({"table": 4294967296})", "table: expected an integer from 0 to 4294967295"},
        Wrong{R"({"durable": 1})", "durable: expected true or false"},
        Wrong{R"({"select": 1})", "select: expected a list of strings"},
        Wrong{R"({"select": [1]})", "select: expected a string"},
        Wrong{R"({"schema": 1})", "schema: expected a string"},
        Wrong{R"({"on_error": "stop"})", "on_error: expected fail or skip, found \"stop\""},
        Wrong{R"({"format": "avro"})", "avro"}, Wrong{kDeep.c_str(), "nested values in JSON"}));

}  // namespace
}  // namespace xwalk::io
