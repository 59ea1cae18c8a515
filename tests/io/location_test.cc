#include "xwalk/io/bytes/location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/formats/detect.h"

namespace xwalk::io {
namespace {

using ::testing::HasSubstr;

template <typename Call>
std::string refused(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message() + " " + error.hint();
  }
  return "";
}

TEST(Location, TellsTheSchemes) {
  const std::pair<const char*, Scheme> cases[] = {
      {"a.parquet", Scheme::Local},     {"-", Scheme::Local},
      {"./s3://b/a", Scheme::Local},    {"/tmp/x://y", Scheme::Local},
      {"://x", Scheme::Local},          {"", Scheme::Local},
      {"file:///tmp/a", Scheme::Local}, {"s3://b/a b ü.parquet", Scheme::S3},
      {"gs://b/a", Scheme::Gcs},        {"az://c/a", Scheme::Azure},
      {"http://h/a", Scheme::Http},     {"https://h/a?x=@:", Scheme::Http},
      {"s3://b/user@x:y", Scheme::S3},  {"abfss://c@a.dfs.core.windows.net/p", Scheme::Azure},
  };
  for (const auto& [name, scheme] : cases) EXPECT_EQ(scheme_of(name), scheme) << name;
}

TEST(Location, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refused([] { (void)scheme_of("ftp://h/a"); }), HasSubstr("s3://, gs://"));
  EXPECT_THAT(refused([] { (void)scheme_of("S3://b/a"); }), HasSubstr("./"));
  const std::string secret = refused([] { (void)scheme_of("s3://key:hidden@b/a"); });
  EXPECT_THAT(secret, HasSubstr("password"));
  EXPECT_THAT(secret, Not(HasSubstr("hidden")));
}

TEST(Location, RefusesStoresWithoutAName) {
  for (const char* name : {"s3://", "gs:///x", "az:///", "abfss://?x", "https://", "http:///a"}) {
    EXPECT_THAT(refused([&] { (void)scheme_of(name); }), HasSubstr("needs a")) << name;
  }
}

TEST(Location, ReadsFileUris) {
  EXPECT_EQ(local_path("file:///tmp/a%20b"), "/tmp/a b");
  EXPECT_EQ(local_path("file://localhost/tmp/100%"), "/tmp/100%");
  EXPECT_EQ(local_path("./file:///x"), "./file:///x");
  EXPECT_THAT(refused([] { (void)local_path("file://other/tmp"); }), HasSubstr("file:///PATH"));
}

TEST(Location, ShowsNoQuery) {
  EXPECT_EQ(shown_name("https://h/a.parquet?sig=hidden"), "https://h/a.parquet?…");
  EXPECT_EQ(shown_name("s3://b/a?b"), "s3://b/a?b");
  EXPECT_EQ(format_of_name("https://h/a.parquet?x=y.yson"), kParquetRows);
  EXPECT_EQ(side_schema_path("https://h/a.yson.gz?x=1"), "https://h/a.yson.schema?x=1");
}

TEST(Location, TakesOptionsAndNoSecrets) {
  StorageOptions storage;
  add_storage_option("endpoint=http://127.0.0.1:1?a=b", &storage);
  add_storage_option("anonymous", &storage);
  EXPECT_EQ(storage.at("endpoint"), "http://127.0.0.1:1?a=b");
  EXPECT_EQ(storage.at("anonymous"), "true");
  for (const char* key : {"secret_key=hidden", "AWS_SECRET_ACCESS_KEY=hidden", "sas_token=hidden",
                          "account-key=hidden", "Password=hidden"}) {
    const std::string words = refused([&] { add_storage_option(key, &storage); });
    EXPECT_THAT(words, HasSubstr("AWS_SECRET_ACCESS_KEY or AWS_PROFILE")) << key;
    EXPECT_THAT(words, Not(HasSubstr("hidden"))) << key;
  }
  EXPECT_THAT(refused([&] { add_storage_option("regoin=x", &storage); }), HasSubstr("region?"));
  EXPECT_THAT(refused([&] { add_storage_option("region", &storage); }), HasSubstr("region=VALUE"));
}

}  // namespace
}  // namespace xwalk::io
