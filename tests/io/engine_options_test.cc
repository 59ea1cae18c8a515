#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/handle.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/plugins/engine_abi.h"
#include "xwalk/io/plugins/engine_folder.h"
#include "xwalk/io/plugins/engine_load.h"

// The structs of options as the plugin gets them, without the host's own code.

namespace xwalk::io {
namespace {

using testing::HasSubstr;

struct Told {
  std::string code;
  std::string message;

  XwalkEngineHost host() {
    return {this, [](void* context, const char* word, const char* text) {
              *static_cast<Told*>(context) = {word, text};
            }};
  }
};

class EngineOptions : public testing::Test {
 protected:
  void SetUp() override {
    try {
      engine_ = load_engine("xwalk_parquet").engine;
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// Writes no rows of columns `a` and `b`.
  int write(const XwalkEngineWriteOptions& options) {
    bytes_.clear();
    const XwalkEngineHost host = told_.host();
    const hub::Schema schema{{{"a", hub::Kind::Int64, true}, {"b", hub::Kind::Utf8, true}}, {}};
    hub::SchemaHandle exported = hub::export_schema(schema, hub::FieldsBy::Name);
    XwalkEngineSink sink{};
    sink.private_data = &bytes_;
    sink.write = [](XwalkEngineSink* self, const void* data, uint64_t size) {
      static_cast<std::string*>(self->private_data)->append(static_cast<const char*>(data), size);
      return 0;
    };
    sink.release = [](XwalkEngineSink* self) { *self = {}; };
    XwalkEngineWriter writer{};
    int status = engine_->open_writer(&options, &host, exported.get(), &sink, &writer);
    if (status == 0) status = writer.finish(&writer);
    if (writer.release != nullptr) writer.release(&writer);
    return status;
  }

  /// Reads the names of the columns that come of what was written.
  std::vector<std::string> read(const XwalkEngineReadOptions& options, int64_t* rows) {
    const XwalkEngineHost host = told_.host();
    XwalkEngineSource source{};
    source.data = bytes_.data();
    source.size = bytes_.size();
    source.release = [](XwalkEngineSource* self) { *self = {}; };
    hub::StreamHandle stream;
    if (engine_->open(&options, &host, &source, stream.get(), rows) != 0) return {"refused"};
    hub::SchemaHandle schema;
    if (stream->get_schema(stream.get(), schema.get()) != 0) return {"no schema"};
    std::vector<std::string> names;
    for (int64_t i = 0; i < schema->n_children; ++i) names.emplace_back(schema->children[i]->name);
    return names;
  }

  template <typename Options>
  static Options of_format(XwalkEngineFormat format) {
    Options options{};
    options.struct_size = sizeof(options);
    options.format = format;
    return options;
  }

  const XwalkEngine* engine_ = nullptr;
  Told told_;
  std::string bytes_;
};

TEST_F(EngineOptions, OfALaterReleaseAreRefusedUnlessTheyAreZero) {
  struct Later {
    XwalkEngineWriteOptions known;
    int64_t more = 0;
  } later{of_format<XwalkEngineWriteOptions>(XWALK_ENGINE_ARROW_FILE)};
  later.known.struct_size = sizeof(later);
  EXPECT_EQ(write(later.known), 0) << told_.message;
  EXPECT_FALSE(bytes_.empty());
  later.more = 1;
  EXPECT_EQ(write(later.known), ENOTSUP);
  EXPECT_EQ(told_.code, "unsupported");
  EXPECT_THAT(told_.message, HasSubstr("install xwalk and this plugin from the same release"));
  EXPECT_EQ(bytes_, "");
}

TEST_F(EngineOptions, ThatAnEarlierReleaseDoesNotHaveAreZero) {
  auto options = of_format<XwalkEngineWriteOptions>(XWALK_ENGINE_ARROW_FILE);
  options.compression = "no codec";
  EXPECT_NE(write(options), 0);
  EXPECT_THAT(told_.message, HasSubstr("no codec"));
  options.struct_size = offsetof(XwalkEngineWriteOptions, compression);
  EXPECT_EQ(write(options), 0) << told_.message;
}

TEST_F(EngineOptions, OfAnUnknownFormatAreRefused) {
  auto options = of_format<XwalkEngineWriteOptions>(XWALK_ENGINE_ARROW_FILE);
  options.format = 7;
  EXPECT_EQ(write(options), ENOTSUP);
  EXPECT_EQ(told_.message, "expected a format from 0 to 2, found 7");
}

TEST_F(EngineOptions, NameTheColumnsThatCome) {
  ASSERT_EQ(write(of_format<XwalkEngineWriteOptions>(XWALK_ENGINE_ARROW_FILE)), 0);
  auto options = of_format<XwalkEngineReadOptions>(XWALK_ENGINE_ARROW_FILE);
  int64_t rows = -1;
  EXPECT_THAT(read(options, &rows), testing::ElementsAre("a", "b"));
  EXPECT_EQ(rows, 0);
  // Without a zero byte at the end.
  const std::string text = "bc";
  const XwalkEngineBytes columns[] = {{text.data(), 1}};
  options.columns = columns;
  options.column_count = 1;
  EXPECT_THAT(read(options, &rows), testing::ElementsAre("b"));
}

TEST_F(EngineOptions, OfParquetNeedAFooter) {
  ASSERT_EQ(write(of_format<XwalkEngineWriteOptions>(XWALK_ENGINE_ARROW_FILE)), 0);
  auto options = of_format<XwalkEngineReadOptions>(XWALK_ENGINE_PARQUET);
  options.footer = {"no footer", 9};
  int64_t rows = -1;
  EXPECT_THAT(read(options, &rows), testing::ElementsAre("refused"));
  EXPECT_EQ(told_.code, "input");
  EXPECT_EQ(rows, -1);
}

TEST(EngineVersion, OfAnotherReleaseIsRefusedInOneSentence) {
  set_engine_folder(XWALK_TEST_PLUGINS);
  try {
    (void)load_engine("xwalk_other_version");
    FAIL() << "expected a refusal";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
    EXPECT_EQ(error.message(),
              "the plugin " XWALK_TEST_PLUGINS "/libxwalk_other_version.so has version " +
                  std::to_string(XWALK_ENGINE_VERSION - 1) +
                  " of the interface, and this xwalk needs version " +
                  std::to_string(XWALK_ENGINE_VERSION) + ": install both from the same release");
  }
}

}  // namespace
}  // namespace xwalk::io
