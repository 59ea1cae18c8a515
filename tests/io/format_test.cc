#include "xwalk/io/formats/format.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/row_format.h"

// Every format of rows has a row that says all that reading, writing and adding need.

namespace xwalk::io {
namespace {

TEST(RowFormatTest, EveryRowIsComplete) {
  for (const Format format : formats()) {
    SCOPED_TRACE(format->word);
    EXPECT_FALSE(format->name.empty());
    EXPECT_THAT(crosswalk::systems(), ::testing::Contains(format->system));
    EXPECT_FALSE(format->extensions.empty());
    EXPECT_EQ(format->open == nullptr, format == kCsvRows);  // which is only written
    EXPECT_NE(format->write == nullptr, format->write_path == nullptr);
    EXPECT_EQ(format->by_path, format->write_path != nullptr);
    // A folder's schema is that of any of its files, read as every file's is.
    EXPECT_EQ(format->adding == Adding::ToFile || format->adding == Adding::ToDataset,
              format->schema_there != nullptr);
    EXPECT_EQ(format->adding == Adding::ToFile, format->between != nullptr);
    EXPECT_EQ(format->adding == Adding::ToDataset, format->is_dataset != nullptr);
    // Stores have no tables of Delta, and of Iceberg those that a catalog or a metadata file names.
    const bool is_table = format == kIcebergRows || format == kDeltaRows;
    EXPECT_EQ(format->is_dataset != nullptr && !is_table, !format->dataset_mark.empty());
    EXPECT_EQ(format->side_text != nullptr, format->side_canonical != nullptr);
    if (format->in_pipes == nullptr) continue;
    EXPECT_NE(format->begins, nullptr);
    EXPECT_NE(format->in_pipes->begins, nullptr);
    EXPECT_EQ(format->in_pipes->system, format->system);
  }
}

TEST(RowFormatTest, WordsAndExtensionsNameOneFormat) {
  std::set<std::string_view> words;
  for (const Format format : formats()) {
    SCOPED_TRACE(format->word);
    EXPECT_TRUE(words.insert(format->word).second);
    EXPECT_EQ(parse_format(format->word), format);
    EXPECT_EQ(parse_format_word(std::string(format->word)).format, format);
    EXPECT_EQ(parse_format(format->system->name)->system, format->system);
    for (const std::string_view extension : format->extensions) {
      EXPECT_TRUE(extension.starts_with('.'));
      const std::string name = "rows" + std::string(extension);
      EXPECT_EQ(format_of_output_name(name), format);
      EXPECT_EQ(format_of_name(name),
                format->open == nullptr ? std::nullopt : std::optional(format));
    }
  }
}

TEST(RowFormatTest, EverySystemWithRowsSaysWhoReadsThem) {
  for (const crosswalk::System system : crosswalk::systems()) {
    std::string about;
    for (const Format format : formats()) {
      if (format->system == system) about += format->about;
    }
    const std::string name(system->name);
    EXPECT_FALSE(about.empty()) << name;
    EXPECT_FALSE(names_schemas(name)) << name;
  }
}

TEST(RowFormatTest, OnlyFormatsWithAttributesTakeThem) {
  for (const Format format : formats()) {
    const std::string word = "<a=b>" + std::string(format->word);
    if (format->take_attributes == nullptr) {
      EXPECT_THROW((void)parse_format_word(word), Error) << word;
    }
  }
}

}  // namespace
}  // namespace xwalk::io
