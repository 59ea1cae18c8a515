#include "xwalk/lance/file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::lance {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream out;
  out << stream.rdbuf();
  return out.str();
}

fs::path sample(const std::string& name) { return fs::path(XWALK_TEST_DATA "/samples") / name; }

std::vector<Version> versions_of(const fs::path& dataset) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dataset / "_versions")) {
    names.push_back(entry.path().filename().string());
  }
  return list_versions(names);
}

Manifest latest(const fs::path& dataset) {
  return read_manifest(read(dataset / "_versions" / versions_of(dataset).back().file_name));
}

TEST(DatasetFiles, TellTheSameSchemaInManifestAndDataFile) {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(sample(""))) {
    if (entry.path().extension() != ".lance") continue;
    Manifest manifest = latest(entry.path());
    EXPECT_FALSE(manifest.schema.fields.empty()) << entry.path();
    for (const auto& data : fs::directory_iterator(entry.path() / "data")) {
      DataFile file = read_data_file(read(data.path()));
      EXPECT_FALSE(file.schema.fields.empty()) << data.path();
      if (entry.path().filename().string().starts_with("ids_depth_first")) {
        EXPECT_EQ(max_field_id(file.schema), max_field_id(manifest.schema)) << data.path();
      }
    }
    ++seen;
  }
  EXPECT_GE(seen, 15);
}

TEST(DatasetFiles, ListBothNamings) {
  EXPECT_EQ(versions_of(sample("evolved_ids.lance")).size(), 23u);
  EXPECT_EQ(versions_of(sample("evolved_ids.lance")).back().number, 23u);
  EXPECT_EQ(versions_of(sample("v1_manifest_naming.lance")).back(), (Version{2, "2.manifest"}));
  EXPECT_TRUE(list_versions({"d5.manifest", "latest_version_hint.json", "x.manifest"}).empty());
  EXPECT_THROW(list_versions({"1.manifest", "18446744073709551613.manifest"}), Error);
}

TEST(DatasetFiles, EveryTruncationIsRefused) {
  fs::path dataset = sample("ids_depth_first.lance");
  std::string manifest = read(dataset / "_versions" / versions_of(dataset).back().file_name);
  for (size_t size = 0; size < manifest.size(); ++size) {
    EXPECT_THROW(read_manifest(std::string_view(manifest).substr(0, size)), Error) << size;
  }
  for (const char* name : {"ids_depth_first.lance", "ids_depth_first_legacy_v1.lance"}) {
    for (const auto& data : fs::directory_iterator(sample(name) / "data")) {
      std::string file = read(data.path());
      for (size_t size = 0; size < file.size(); ++size) {
        EXPECT_THROW(read_data_file(std::string_view(file).substr(0, size)), Error) << size;
      }
    }
  }
}

}  // namespace
}  // namespace xwalk::lance
