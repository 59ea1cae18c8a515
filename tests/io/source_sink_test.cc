#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

class IoTest : public testing::Test {
 protected:
  IoTest() {
    std::string pattern = (fs::temp_directory_path() / "xwalk-io-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~IoTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  static std::string stored(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
  }
  static std::string all(const std::string& path) {
    auto source = open_source(path);
    return read_all(*source, size_t{1} << 30);
  }

  fs::path folder_;
};

/// Text that compresses, but not to nothing, of any size.
std::string sample(size_t size) {
  std::string out;
  uint64_t state = 1;
  while (out.size() < size) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    out += std::to_string(state >> 50) + ";";
  }
  out.resize(size);
  return out;
}

TEST_F(IoTest, EveryCompressionComesBack) {
  for (const char* extension : {"", ".gz", ".zst"}) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{100000}, size_t{3000001}}) {
      std::string name = path(std::string("rows") + extension);
      std::string bytes = sample(size);
      auto sink = open_sink(name, {.mode = OutputMode::Overwrite});
      for (size_t at = 0; at < size; at += 77777)
        sink->write(std::string_view(bytes).substr(at, 77777));
      sink->finish();
      EXPECT_EQ(all(name), bytes) << extension << " " << size;
      EXPECT_EQ(sink->position(), stored(name).size());
      if (*extension != '\0') {
        EXPECT_NE(compression_of_magic(stored(name)), Compression::None);
      }
    }
  }
}

TEST_F(IoTest, CompressionIsToldByTheBytesNotTheName) {
  write_file(path("a.gz"), sample(1000));
  fs::rename(path("a.gz"), path("plain"));
  EXPECT_EQ(all(path("plain")), sample(1000));
}

TEST_F(IoTest, MembersAndFramesFollowEachOther) {
  for (const char* extension : {".gz", ".zst"}) {
    write_file(path(std::string("one") + extension), "first;");
    write_file(path(std::string("two") + extension), "second;");
    std::ofstream both(path("both"), std::ios::binary);
    both << stored(path(std::string("one") + extension))
         << stored(path(std::string("two") + extension));
    both.close();
    EXPECT_EQ(all(path("both")), "first;second;");
  }
}

TEST_F(IoTest, TruncatedAndDamagedCompressionIsRefused) {
  for (const char* extension : {".gz", ".zst"}) {
    std::string name = path(std::string("rows") + extension);
    write_file(name, sample(100000));
    std::string bytes = stored(name);
    for (size_t size : {bytes.size() - 1, bytes.size() / 2, size_t{12}}) {
      std::ofstream(path("cut"), std::ios::binary) << bytes.substr(0, size);
      try {
        (void)all(path("cut"));
        ADD_FAILURE() << extension << " cut to " << size << " was read";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Input);
        EXPECT_EQ(error.place().file, path("cut"));
        EXPECT_EQ(error.place().byte, size);
      }
    }
    std::string damaged = bytes;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
    std::ofstream(path("damaged"), std::ios::binary) << damaged;
    EXPECT_THROW((void)all(path("damaged")), Error);
  }
}

TEST_F(IoTest, PeekDoesNotConsume) {
  write_file(path("a"), "0123456789");
  write_file(path("a.gz"), "0123456789");
  for (const char* name : {"a", "a.gz"}) {
    auto source = open_source(path(name));
    EXPECT_EQ(source->peek(4), "0123");
    EXPECT_EQ(source->peek(100), "0123456789");
    char out[3];
    EXPECT_EQ(source->read(out, 3), 3U);
    EXPECT_EQ(source->peek(2), "34");
    EXPECT_EQ(read_all(*source, 100), "3456789");
    EXPECT_EQ(source->peek(2), "");
  }
}

TEST_F(IoTest, PipesAreReadAsTheyCome) {
  std::string fifo = path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string bytes = sample(1000000);
  std::jthread writer([&] {
    auto sink = open_sink(fifo);
    sink->write(bytes);
    sink->finish();
  });
  auto source = open_source(fifo);
  EXPECT_FALSE(source->contents());
  auto mapped = with_contents(std::move(source));
  ASSERT_TRUE(mapped->contents());
  EXPECT_EQ(*mapped->contents(), bytes);
  EXPECT_EQ(mapped->name(), fifo);
}

TEST_F(IoTest, AClosedPipeHasItsOwnError) {
  std::string fifo = path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  ::signal(SIGPIPE, SIG_IGN);
  std::jthread reader([&] { (void)open_source(fifo)->peek(10); });
  auto sink = open_sink(fifo);
  sink->write(sample(100));
  try {
    for (int i = 0; i < 100; ++i) sink->write(sample(1000000));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::ClosedPipe);
  }
}

TEST_F(IoTest, ContentsStayReadableWhenConsumed) {
  std::string bytes = sample(1000000);
  write_file(path("a"), bytes);
  auto source = open_source(path("a"));
  std::string_view contents = *source->contents();
  source->consumed(0, 500000);
  source->consumed(500000, 500000);
  EXPECT_EQ(contents, bytes);
  EXPECT_EQ(source->position(), bytes.size());
}

TEST_F(IoTest, NothingIsThereBeforeFinish) {
  {
    auto sink = open_sink(path("out"));
    sink->write(sample(1000000));
    EXPECT_FALSE(fs::exists(path("out")));
  }
  EXPECT_TRUE(names().empty());
  write_file(path("out"), "old");
  {
    auto sink = open_sink(path("out"), {.mode = OutputMode::Overwrite});
    sink->write("new");
  }
  EXPECT_EQ(stored(path("out")), "old");
  write_file(path("out"), "new", {.mode = OutputMode::Overwrite, .durable = true});
  EXPECT_EQ(stored(path("out")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(IoTest, LinksAndPermissionsStay) {
  write_file(path("target"), "old");
  fs::permissions(path("target"), fs::perms::owner_all);
  fs::create_symlink("target", path("link"));
  write_file(path("link"), "new", {.mode = OutputMode::Overwrite});
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(stored(path("target")), "new");
  EXPECT_EQ(fs::status(path("target")).permissions(), fs::perms::owner_all);
}

/// Returns what a call is refused with.
template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
    return error.message();
  }
  return "nothing";
}

TEST_F(IoTest, WhatIsThereIsReplacedOnRequestOnly) {
  write_file(path("out"), "old");
  EXPECT_EQ(refusal([&] { write_file(path("out"), "new"); }), "the file already exists");
  fs::create_symlink("out", path("link"));
  EXPECT_EQ(refusal([&] { write_file(path("link"), "new"); }), "the file already exists");
  EXPECT_EQ(stored(path("out")), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"link", "out"}));
}

TEST_F(IoTest, WhatAppearsMeanwhileIsNotReplaced) {
  for (OutputMode mode : {OutputMode::Create, OutputMode::Append}) {
    auto sink = open_sink(path("out"), {.mode = mode});
    sink->write("late");
    write_file(path("out"), "first");
    EXPECT_EQ(refusal([&] { sink->finish(); }), "the name was taken while the output was written");
    sink.reset();
    EXPECT_EQ(stored(path("out")), "first");
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
    fs::remove(path("out"));
  }
  AtomicPath folder(path("set/"), /*replaces=*/false);
  fs::create_directory(folder.temporary());
  fs::create_directory(path("set"));
  EXPECT_EQ(refusal([&] { folder.commit(false); }),
            "the name was taken while the output was written");
}

TEST_F(IoTest, TheLastOfThoseThatMayReplaceANewNameHasIt) {
  OutputSet sets[2];
  for (OutputSet& set : sets) {
    for (const char* name : {"a", "b"}) {
      auto sink = open_sink(path(name), {.mode = OutputMode::Overwrite, .set = &set});
      sink->write(&set == sets ? "first" : "second");
      sink->finish();
    }
  }
  sets[0].commit();
  EXPECT_EQ(stored(path("a")) + stored(path("b")), "firstfirst");
  sets[1].commit();
  EXPECT_EQ(stored(path("a")) + stored(path("b")), "secondsecond");
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(IoTest, OutputsAreNamedTogetherOrNotAtAll) {
  for (const bool taken : {true, false}) {
    write_file(path("a"), "old", {.mode = OutputMode::Overwrite});
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
    OutputSet set;
    auto a = open_sink(path("a"), {.mode = OutputMode::Overwrite, .set = &set});
    auto b = open_sink(path("b"), {.set = &set});
    auto c = open_sink(path("c"), {.set = &set});
    for (auto* sink : {&b, &a, &c}) {
      (*sink)->write("new");
      (*sink)->finish();
    }
    EXPECT_FALSE(fs::exists(path("b")));
    EXPECT_EQ(stored(path("a")), "old");
    if (taken) {
      write_file(path("c"), "first");
      EXPECT_EQ(refusal([&] { set.commit(); }), "the name was taken while the output was written");
      set = OutputSet();
      EXPECT_EQ(stored(path("a")), "old");
      EXPECT_EQ(names(), (std::vector<std::string>{"a", "c"}));
      fs::remove(path("c"));
    } else {
      set.commit();
      EXPECT_EQ(stored(path("a")) + stored(path("b")) + stored(path("c")), "newnewnew");
      EXPECT_EQ(names(), (std::vector<std::string>{"a", "b", "c"}));
    }
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
}

TEST_F(IoTest, FilesThatShrinkReadAsZerosAndAreTold) {
  const std::string bytes = sample(1000000);
  write_file(path("a"), bytes);
  auto source = open_source(path("a"));
  const std::string_view contents = *source->contents();
  source->original()->check();
  fs::resize_file(path("a"), 5000);
  EXPECT_EQ(contents.substr(0, 5000), bytes.substr(0, 5000));
  EXPECT_EQ(contents.back(), '\0');
  try {
    source->original()->check();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
    EXPECT_EQ(error.place().byte, 5000U);
    EXPECT_EQ(error.place().file, path("a"));
  }
}

TEST_F(IoTest, ASchemaOfLaterRowsIsNotThatOfTheRowsThatAreOpen) {
  const std::string before = sample(200000);
  const std::string after = "{a=1};\n" + before;
  const RowsMark mark = RowsMark::of(after.size(), std::string_view(after).substr(0, kMarkedBytes),
                                     std::string_view(after).substr(after.size() - kMarkedBytes));
  const std::string schema =
      fmt::format("<\n    \"xwalk_rows\" = \"{}:{:016x}\";\n> []", mark.size, mark.hash);
  write_file(path("a"), before);
  const auto opened = open_source(path("a"));
  EXPECT_THROW(check_mark(path("a"), opened.get(), schema), Error);
  EXPECT_THROW(check_mark(path("a"), nullptr, schema), Error);
  // Rows and schema were replaced meanwhile: those that have the name are the schema's, those that
  // are open are not.
  write_file(path("a"), after, {.mode = OutputMode::Overwrite});
  EXPECT_THROW(check_mark(path("a"), opened.get(), schema), Error);
  EXPECT_NO_THROW(check_mark(path("a"), nullptr, schema));
  EXPECT_NO_THROW(check_mark(path("a"), open_source(path("a")).get(), schema));
}

TEST_F(IoTest, BytesAreAddedWholeOrNotAtAll) {
  const SinkOptions append = {.mode = OutputMode::Append};
  write_file(path("out"), "first;", append);
  fs::permissions(path("out"), fs::perms::owner_all);
  {
    auto sink = open_sink(path("out"), append);
    sink->write("never;");
  }
  EXPECT_EQ(stored(path("out")), "first;");
  const std::string more = sample(1000000);
  auto sink = open_sink(path("out"), append);
  EXPECT_EQ(refusal([&] { (void)open_sink(path("out"), append); }),
            "another process is adding rows to it");
  sink->write(more);
  EXPECT_EQ(sink->position(), more.size());
  sink->finish();
  EXPECT_EQ(stored(path("out")), "first;" + more);
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms::owner_all);

  auto late = open_sink(path("out"), append);
  late->write("late;");
  std::ofstream(path("out"), std::ios::app) << "others;";
  EXPECT_EQ(refusal([&] { late->finish(); }), "the file was changed while rows were added to it");
  late.reset();
  EXPECT_TRUE(stored(path("out")).ends_with("others;"));
  EXPECT_EQ(names(), std::vector<std::string>{"out"});

  write_file(path("a.gz"), "first;");
  write_file(path("a.gz"), "second;", append);
  EXPECT_EQ(read_all(*open_source(path("a.gz")), 100), "first;second;");
}

TEST_F(IoTest, ErrorsNameTheFile) {
  for (const std::string& name : {path("nothing"), folder_.string()}) {
    try {
      (void)open_source(name);
      ADD_FAILURE() << name << " was opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Io);
      EXPECT_EQ(error.place().file, name);
    }
  }
  EXPECT_THROW((void)open_sink(path("no/such/folder")), Error);
}

TEST_F(IoTest, FormatsAreDetected) {
  struct Case {
    const char* name;
    std::string bytes;
    Format format;
  };
  const Case cases[] = {
      {"a.parquet", "PAR1", kParquetRows},
      {"a.arrow", "ARROW1", kArrowFiles},
      {"misnamed.parquet", "ARROW1", kArrowFiles},
      {"b.arrow", "\xFF\xFF\xFF\xFF", kArrowStreams},
      {"c.arrows", "", kArrowStreams},
      {"rows", " {a=1}", kYsonRows},
      {"rows.yson", "", kYsonRows},
      {"rows.skiff", "{a=1}", kSkiffRows},
      {"a.vortex", "VTXF", kVortexRows},
      {"rows.yson.gz", "", kYsonRows},
  };
  for (const Case& each : cases) {
    write_file(path(each.name), each.bytes);
    EXPECT_EQ(detect_input(path(each.name)), each.format) << each.name;
  }
  fs::create_directories(path("set.lance/_versions"));
  EXPECT_EQ(detect_input(path("set.lance")), kLanceRows);
  fs::create_directories(path("folder"));
  EXPECT_THROW((void)detect_input(path("folder")), Error);
  write_file(path("noidea"), "???");
  EXPECT_THROW((void)detect_input(path("noidea")), Error);
  EXPECT_THROW((void)detect_output(path("noidea")), Error);
  EXPECT_EQ(detect_output("x.yson.zst"), kYsonRows);
}

}  // namespace
}  // namespace xwalk::io
