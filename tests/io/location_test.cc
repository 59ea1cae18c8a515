#include "xwalk/io/bytes/location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/base/shown_name.h"
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

TEST(Location, KnowsItsKind) {
  const std::pair<const char*, LocationKind> cases[] = {
      {"a.parquet", LocationKind::Local},
      {"-", LocationKind::Standard},
      {"./s3://b/a", LocationKind::Local},
      {"/tmp/x://y", LocationKind::Local},
      {"://x", LocationKind::Local},
      {"", LocationKind::Local},
      {"file:///tmp/a", LocationKind::Local},
      {"s3://b/a b ü.parquet", LocationKind::S3},
      {"gs://b/a", LocationKind::Gcs},
      {"az://c/a", LocationKind::Azure},
      {"http://h/a", LocationKind::Http},
      {"https://h/a?x=@:", LocationKind::Http},
      {"s3://b/user@x:y", LocationKind::S3},
      {"//home/t", LocationKind::Cluster},
      {"yt://cluster//home/t", LocationKind::Cluster},
      {"abfss://c@a.dfs.core.windows.net/p", LocationKind::Azure},
  };
  for (const auto& [name, kind] : cases) {
    const Location location(name);
    EXPECT_EQ(location.kind(), kind) << name;
    EXPECT_EQ(location.is_standard(), kind == LocationKind::Standard) << name;
    EXPECT_EQ(location.is_cluster(), kind == LocationKind::Cluster) << name;
    EXPECT_EQ(location.is_remote(), kind > LocationKind::Standard) << name;
  }
}

TEST(Location, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refused([] { (void)Location("ftp://h/a").kind(); }), HasSubstr("s3://, gs://"));
  EXPECT_THAT(refused([] { (void)Location("S3://b/a").kind(); }), HasSubstr("./"));
  const std::string secret = refused([] { (void)Location("s3://key:hidden@b/a").kind(); });
  EXPECT_THAT(secret, HasSubstr("password"));
  EXPECT_THAT(secret, Not(HasSubstr("hidden")));
}

TEST(Location, RefusesStoresWithoutAName) {
  for (const char* name : {"s3://", "gs:///x", "az:///", "abfss://?x", "https://", "http:///a"}) {
    EXPECT_THAT(refused([&] { (void)Location(name).kind(); }), HasSubstr("needs a")) << name;
  }
}

TEST(Location, IsMadeOfAnyNameAndRefusedWhenItsKindCounts) {
  const Location unknown("ftp://h/a");
  EXPECT_EQ(unknown.name(), "ftp://h/a");
  EXPECT_FALSE(unknown.is_standard());
  EXPECT_FALSE(unknown.is_cluster());
  EXPECT_THROW((void)unknown.is_remote(), Error);
  EXPECT_THROW((void)unknown.renamed("ftp://h/b").kind(), Error);
}

TEST(Location, ReadsFileUris) {
  EXPECT_EQ(Location("file:///tmp/a%20b").name(), "/tmp/a b");
  EXPECT_EQ(Location("file://localhost/tmp/100%").name(), "/tmp/100%");
  EXPECT_EQ(Location("./file:///x").name(), "./file:///x");
  // The path begins with two slashes and is not a table of a cluster.
  EXPECT_EQ(Location("file:////home/t").kind(), LocationKind::Local);
  EXPECT_THAT(refused([] { (void)Location("file://other/tmp").kind(); }),
              HasSubstr("file:///PATH"));
}

TEST(Location, KeepsItsKindForOtherNames) {
  EXPECT_EQ(Location("s3://b/a").in("b").name(), "s3://b/a/b");
  EXPECT_EQ(Location("s3://b/a/").in("b").kind(), LocationKind::S3);
  // A file in the current folder may have any name.
  EXPECT_EQ(Location("").in("-").kind(), LocationKind::Local);
  EXPECT_EQ(Location("").in("-").name(), "-");
}

TEST(Location, ShowsNoQuery) {
  EXPECT_EQ(shown_name("https://h/a.parquet?sig=hidden"), "https://h/a.parquet?…");
  EXPECT_EQ(shown_name("s3://b/a?b"), "s3://b/a?b");
  // A name that is a URL as a whole has no end before its query.
  for (const char* odd : {"a'b", "a\"b", "a`b", "a<b>", "a b", "a\x01"}) {
    const std::string name = "https://h/" + std::string(odd);
    EXPECT_EQ(shown_name(name + "?x=hid den"), name + "?…");
    EXPECT_EQ(shown_name(name + "#hid den"), name + "?…");
    EXPECT_EQ(shown_name("az://b/" + std::string(odd) + "?sig=hid den"),
              "az://b/" + std::string(odd) + "?…");
  }
  EXPECT_EQ(shown_name("HTTPS://user:hidden@h/a?x"), "HTTPS://user:…@h/a?…");
}

TEST(Location, ShowsNoQueryInATextWithNames) {
  EXPECT_EQ(shown_text("Read https://h/a?sig=hidden again?"), "Read https://h/a?… again?");
  EXPECT_EQ(shown_text("expected 'https://h/a?x=hidden', found"),
            "expected 'https://h/a?…', found");
  EXPECT_EQ(shown_text("{\"in\": \"https://h/a?x=hidden\"}"), "{\"in\": \"https://h/a?…\"}");
  EXPECT_EQ(shown_text("<https://h/a?x=hidden>."), "<https://h/a?…>.");
  EXPECT_EQ(shown_text("https://h/a'b?x=hidden: no"), "https://h/a'b?… no");
  EXPECT_EQ(shown_text("'https://h/a'b?x=hidden' ends"), "'https://h/a'b?… ends");
  EXPECT_EQ(shown_text("is https://h/a b?x=hidden there"), "is https://h/a b?… there");
  EXPECT_EQ(shown_text("a?b of s3://b/c"), "a?b of s3://b/c");
  EXPECT_EQ(shown_text("is az://b/a b?x&sig=hidden there"), "is az://b/a b?… there");
  EXPECT_EQ(shown_text("is az://b/a b?[x] there"), "is az://b/a b?[x] there");
}

TEST(Location, NamesFormatsAndSchemasWithoutTheQuery) {
  EXPECT_EQ(format_of_name("https://h/a.parquet?x=y.yson"), kParquetRows);
  EXPECT_EQ(side_schema_path("https://h/a.yson.gz?x=1").name(), "https://h/a.yson.schema?x=1");
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
