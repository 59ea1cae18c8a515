#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/io/formats/parquet_validate.h"
#include "xwalk/parquet/validate.h"

namespace xwalk::io {
namespace {

std::string file(const std::string& name) {
  return std::string(XWALK_TEST_DATA "/vectors/parquet/files/") + name + ".parquet";
}

struct Found {
  ParquetValidation validation;
  std::vector<std::string> bad;  ///< "row path"
};

Found validate(const std::string& path, bool values = true) {
  Found found;
  ParquetValidationOptions options;
  options.values = values;
  options.on_bad_value = [&](const hub::BadRow& bad) {
    found.bad.push_back(std::to_string(bad.error.place().row.value()) + " " +
                        bad.error.place().path.text());
  };
  found.validation = validate_parquet(with_contents(open_source(path)), options);
  return found;
}

TEST(ParquetValidation, FindsEachBadValueWithRowAndPath) {
  Found found = validate(file("int03_overflow"));
  EXPECT_FALSE(found.validation.valid());
  EXPECT_EQ(found.validation.bad_values, found.bad.size());
  EXPECT_GE(found.validation.bad_values, found.validation.bad_rows);
  ASSERT_FALSE(found.bad.empty());
  EXPECT_TRUE(found.bad.front().starts_with("0 ")) << found.bad.front();

  found = validate(file("time04_time_out_of_day"));
  EXPECT_FALSE(found.validation.valid());
  EXPECT_FALSE(found.bad.empty());
}

TEST(ParquetValidation, LooksAtValuesOnRequestOnly) {
  Found found = validate(file("int03_overflow"), false);
  EXPECT_TRUE(found.validation.valid());
  EXPECT_FALSE(found.validation.values_read);
  EXPECT_EQ(found.validation.rows, 0U);
}

TEST(ParquetValidation, TakesWhatArrowCannotHold) {
  // An instant beyond 64 bits is no bad value of a TIMESTAMP of 12 bytes.
  Found found = validate(file("time08_flba12_out_of_range"));
  EXPECT_TRUE(found.bad.empty());
  EXPECT_TRUE(found.validation.valid());
}

TEST(ParquetValidation, ReportsBrokenRulesWhereValuesHaveNoMeaning) {
  for (const char* name : {"map11_three_fields", "meta07_repeated_list"}) {
    SCOPED_TRACE(name);
    Found found = validate(file(name));
    EXPECT_FALSE(found.validation.valid());
    EXPECT_FALSE(found.validation.values_read);
    EXPECT_FALSE(found.validation.findings.empty());
  }
}

TEST(ParquetValidation, ReadsValuesWhoseAnnotationIsMisplaced) {
  Found found = validate(file("int04_bad_phys"));
  EXPECT_FALSE(found.validation.valid());
  EXPECT_TRUE(found.validation.values_read);
  ASSERT_FALSE(found.validation.findings.empty());
  EXPECT_EQ(found.validation.findings.front().rule, "annotation.misplaced");
}

TEST(ParquetValidation, RefusesWhatIsNoParquetFile) {
  std::string path = ::testing::TempDir() + "/xwalk_no_parquet";
  std::ofstream(path) << "PAR1 and nothing more that would make sense of it";
  EXPECT_THROW(validate(path), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace xwalk::io
