#include "xwalk/io/engines/ipc_stream.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/hub/filter.h"

namespace xwalk::io {
namespace {

using hub::Field;
using hub::Kind;
using hub::testing::items;
using hub::testing::null;
using hub::testing::Value;

/// What goes through a pipe: one column of many rows.
struct Case {
  hub::Type type;
  std::vector<Value> values;
};

std::vector<Case> cases() {
  return {
      {Kind::Bool, {1, 0, null(), 1}},
      {Kind::Int64, {1, null(), -3}},
      {Kind::HalfFloat, {1.5, null()}},
      {Kind::Double, {1.5, null(), -0.0}},
      {Kind::Utf8, {"a", "", null(), "a longer text"}},
      {Kind::LargeBinary, {"a", null(), "bytes"}},
      {hub::decimal(128, 20, 2), {1, null(), -77}},
      {hub::fixed_size_binary(3), {"abc", null(), "xyz"}},
      {hub::timestamp(hub::TimeUnit::Micro, "UTC"), {1, null(), 3}},
      {hub::list(Field("item", Kind::Int32)), {items({1, null()}), null(), items({}), items({3})}},
      {hub::list(Field("item", Kind::Utf8), Kind::LargeList),
       {items({"a", "b"}), null(), items({"c"})}},
      {hub::fixed_size_list(Field("item", Kind::Bool), 3),
       {items({1, 0, 1}), null(), items({0, null(), 0})}},
      {hub::struct_({Field("x", Kind::Int8), Field("y", hub::list(Field("item", Kind::Utf8)))}),
       {items({1, items({"q"})}), null(), items({null(), null()}), items({2, items({})})}},
      {hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Int64)),
       {items({items({"a", 1}), items({"b", null()})}), null(), items({})}},
  };
}

struct Pipe {
  std::string bytes;
  size_t at = 0;

  IpcStreamWriter::Write writer() {
    return [this](const void* data, size_t size) {
      bytes.append(static_cast<const char*>(data), size);
    };
  }
  IpcStreamReader::Read reader() {
    return [this](void* out, size_t size) {
      // As a pipe does, never all at once.
      size_t count = std::min({size, bytes.size() - at, size_t{13}});
      std::memcpy(out, bytes.data() + at, count);
      at += count;
      return count;
    };
  }
};

/// Memory that is no one else's.
class Space final : public MessageSpace {
 public:
  uint8_t* begin(size_t size) override {
    memory_.assign(size / sizeof(Line) + 1, Line{});
    return memory_.front().bytes;
  }
  void send(size_t from, size_t to) override {
    const auto* bytes = static_cast<const char*>(static_cast<const void*>(memory_.data()));
    message.assign(bytes + from, bytes + to);
  }
  std::string message;

 private:
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  std::vector<Line> memory_;
};

TEST(IpcStream, CarriesEverySliceOfEveryType) {
  for (const Case& sample : cases()) {
    hub::Schema schema{{Field("c", sample.type)}, {{"who", "me"}}};
    std::vector<Value> rows;
    while (rows.size() < 40)
      rows.push_back(items({sample.values[rows.size() % sample.values.size()]}));
    Pipe pipe;
    IpcStreamWriter writer(schema, pipe.writer());
    std::vector<std::pair<int64_t, int64_t>> slices = {{0, 40}, {0, 0},  {3, 17},
                                                       {8, 16}, {39, 1}, {40, 0}};
    for (auto [offset, length] : slices) {
      hub::Batch batch = hub::slice(hub::testing::make_batch(schema, rows), offset, length);
      const size_t before = pipe.bytes.size();
      writer.write(batch.array);
      // The same message in memory.
      Space space;
      writer.write(batch.array, &space);
      EXPECT_EQ(space.message, pipe.bytes.substr(before)) << hub::to_string(sample.type);
    }
    writer.finish();

    IpcStreamReader reader(pipe.reader());
    EXPECT_EQ(reader.schema(), schema);
    for (auto [offset, length] : slices) {
      hub::Batch batch;
      std::optional<hub::Array> array = reader.next();
      ASSERT_TRUE(array);
      batch.array = std::move(*array);
      ASSERT_EQ(batch.rows(), length) << hub::to_string(sample.type);
      std::vector<Value> got = hub::testing::read_batch(schema, std::move(batch));
      for (int64_t i = 0; i < length; ++i) {
        EXPECT_EQ(got[static_cast<size_t>(i)], rows[static_cast<size_t>(offset + i)])
            << hub::to_string(sample.type) << " row " << offset + i;
      }
    }
    EXPECT_FALSE(reader.next());
  }
}

TEST(IpcStream, EveryTruncationIsTold) {
  hub::Schema schema{{Field("a", Kind::Int64), Field("b", Kind::Utf8)}, {}};
  Pipe whole;
  IpcStreamWriter writer(schema, whole.writer());
  writer.write(hub::testing::make_batch(schema, {items({1, "x"}), items({2, null()})}).array);
  writer.finish();
  int complete = 0;
  for (size_t size = 0; size < whole.bytes.size(); ++size) {
    Pipe cut{whole.bytes.substr(0, size)};
    try {
      IpcStreamReader reader(cut.reader());
      reader.schema();
      while (reader.next()) {
      }
      ++complete;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Input);
    }
  }
  // Between messages a stream may end; who sent it says how many rows there were.
  EXPECT_LE(complete, 12);
}

TEST(IpcStream, PassesOnWhatItsCallbacksThrow) {
  hub::Schema schema{{Field("a", Kind::Int64)}, {}};
  auto broken = [](const void*, size_t) { throw Error(ErrorCode::Io, "no room"); };
  try {
    IpcStreamWriter writer(schema, broken);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "no room");
  }
}

TEST(IpcStream, PlainLayoutsAtAnyDepth) {
  hub::Schema schema{
      {Field("a",
             hub::list(Field("item", hub::dictionary(Kind::Int8, Kind::Utf8View)), Kind::ListView)),
       Field("b", hub::struct_({Field(
                      "x", hub::run_end_encoded(Kind::Int32, Field("values", Kind::BinaryView)))})),
       Field("c", hub::decimal(32, 5, 1), false, {{"k", "v"}})},
      {}};
  hub::Schema plain{{Field("a", hub::list(Field("item", Kind::Utf8))),
                     Field("b", hub::struct_({Field("x", Kind::Binary)})),
                     Field("c", hub::decimal(128, 5, 1), false, {{"k", "v"}})},
                    {}};
  EXPECT_EQ(plain_layout(schema), plain);
  EXPECT_EQ(plain_layout(plain), plain);
}

TEST(IpcStream, CarriesTypesOfManyLevels) {
  // A verifier that checks what it refuses twice at each level would take 2^48 steps here.
  hub::Type type{Kind::Int32};
  for (int level = 0; level < 100; ++level) type = hub::list(Field("item", type));
  const hub::Schema schema{{Field("a", type)}, {}};
  Pipe pipe;
  IpcStreamWriter writer(schema, pipe.writer());
  writer.finish();
  EXPECT_EQ(IpcStreamReader(pipe.reader()).schema(), schema);
}

TEST(IpcStream, RefusesAFrameWithoutAMessage) {
  // It says that it is of a schema, and holds none.
  Pipe pipe;
  pipe.bytes = from_hex(
      "ffffffffb80000001000000000000a000c000600050000000a000000000104000c0000000800"
      "0800000004000800000004000000020000005000000014000000100014000800e68948550600"
      "07000c0000001000100000000000010510000000180000000400000000000000010000006200"
      "000004000400040000001000ffff14000800000007000c00000810001000000000ffffffffff"
      "ffff050000001000000000000000300000000000000003000000000000000000000002000000"
      "6100");
  IpcStreamReader reader(pipe.reader());
  EXPECT_THROW(reader.schema(), Error);
}

TEST(IpcStream, RefusesMetadataWithoutAKey) {
  // A column of int32 whose metadata has one entry, of a value alone.
  Pipe pipe;
  pipe.bytes = from_hex(
      "ffffffffb80000001000000000000a000c000600050008000a000000000104000c0000000800"
      "080000000400080000000400000001000000180000000000120018000800060007000c000000"
      "1000140012000000000001021400000058000000080000001000000000000000010000006100"
      "0000010000000c00000008000c00000008000800000018000000040000000900000076616c75"
      "6574657874000000070000006b65796e616d650008000c000800070008000000000000012000"
      "0000");
  IpcStreamReader reader(pipe.reader());
  try {
    (void)reader.schema();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_THAT(error.message(), testing::HasSubstr("a key and a value of metadata"));
  }
}

TEST(IpcStream, RefusesADictionaryWithoutItsArrays) {
  // The batch of a text dictionary has no nested arrays.
  Pipe pipe;
  pipe.bytes = from_hex(
      "ffffffffd00000001000000000000a000c000600050008000a0000000001040004000000b8ff"
      "ffff04000000020000007000000014000000100018000800060007000c001000140010000000"
      "ad00010514000000380000001c00000004000000000000000100000064000000080008000000"
      "04000800000004000000bcffffff000000012000000004000400040000001000140008000600"
      "07000c00000010001000000000000102100000001c0000000400000000000000010000006100"
      "000008000c000800070008000000000000014000000000000000ffffffffa800000014000000"
      "000000000c0014000600050008000c000c000000000204001400000018000000000000000800"
      "0a0000000400080000001000000000000a0018000c00040008000a0000004c00000010000000"
      "0200000000000000000000000300000000000000000000000000000000000000000000000010"
      "0000000200000000000000000000000300000000000000000000000000000000000000000000"
      "00000000000001000000000000000100000002002000000000007071000000000000ffffffff"
      "b800410014000000000000000c0016000600050008000c000c00000000030400180000003000"
      "00000000000000000a0018000c00040008000a0000005c000000100000000300000000000000"
      "000000000400000000000000000000");
  IpcStreamReader reader(pipe.reader());
  (void)reader.schema();
  try {
    while (reader.next()) continue;
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_THAT(error.message(), testing::HasSubstr("a dictionary of"));
  }
}

TEST(IpcStream, RefusesCompressedBatches) {
  // 64 sevens, as pyarrow packs them with lz4.
  Pipe pipe;
  pipe.bytes = from_hex(
      "ffffffff780000001000000000000a000c000600050008000a000000000104000c0000000800"
      "08000000040008000000040000000100000014000000100014000800060007000c0000001000"
      "1000000000000102100000001c0000000400000000000000010000006100000008000c000800"
      "0700080000000000000140000000ffffffff9800000014000000000000000c00180006000500"
      "08000c000c000000000304001c0000002800000000000000000000000c001c00100004000800"
      "0c000c000000480000001c000000140000004000000000000000000000000400040004000000"
      "0200000000000000000000000000000000000000000000000000000027000000000000000000"
      "00000100000040000000000000000000000000000000000200000000000004224d1860408210"
      "00000022070001000f0800ffe15000000000000000000000ffffffff00000000");
  IpcStreamReader reader(pipe.reader());
  (void)reader.schema();
  try {
    (void)reader.next();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_EQ(error.message(), "expected plain buffers, found compressed ones");
  }
}

/// Returns a stream of seven numbers in which the two words `was` of a message are others.
std::string changed_message(std::array<int64_t, 2> was, std::array<int64_t, 2> becomes) {
  hub::Schema schema{{Field("a", Kind::Int64, false)}, {}};
  Pipe pipe;
  IpcStreamWriter writer(schema, pipe.writer());
  std::vector<hub::testing::Value> rows;
  for (int i = 0; i < 7; ++i) rows.push_back(items({i}));
  writer.write(hub::testing::make_batch(schema, rows).array);
  writer.finish();
  const auto bytes_of = [](const std::array<int64_t, 2>& words) {
    std::string bytes(sizeof words, '\0');
    std::memcpy(bytes.data(), words.data(), sizeof words);
    return bytes;
  };
  const size_t at = pipe.bytes.find(bytes_of(was));
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(at, pipe.bytes.rfind(bytes_of(was)));
  return pipe.bytes.replace(at, sizeof was, bytes_of(becomes));
}

std::string refusal(const std::string& bytes) {
  Pipe pipe{bytes};
  IpcStreamReader reader(pipe.reader());
  (void)reader.schema();
  try {
    (void)reader.next();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    return error.message();
  }
  return "";
}

TEST(IpcStream, RefusesBuffersWhereNoNumberMayBegin) {
  // A buffer: where it begins, and its bytes.
  EXPECT_EQ(refusal(changed_message({0, 56}, {0, 56})), "");
  EXPECT_EQ(refusal(changed_message({0, 56}, {1, 48})),
            "expected a buffer at a multiple of 8 bytes, found one at 1");
}

TEST(IpcStream, RefusesLengthsBeyondAllMemory) {
  // A column: how many elements, and how many of them are null.
  for (const int64_t length : {int64_t{-1}, int64_t{1} << 31, INT64_MAX / 8, INT64_MAX}) {
    EXPECT_THAT(refusal(changed_message({7, 0}, {length, 0})),
                testing::HasSubstr("expected an array of at most 2147483647 elements"));
  }
  EXPECT_NE(refusal(changed_message({7, 0}, {8, 0})), "");
}

TEST(IpcStream, AsksForNoMoreThanComes) {
  // Lengths of headers that are not there; the decoder would add to the last.
  for (const std::string_view length :
       {std::string_view("\0\0\0\x10", 4), std::string_view("\0\xff\xff\x7f", 4),
        std::string_view("\xff\xff\xff\x7f", 4)}) {
    Pipe pipe;
    pipe.bytes = "\xff\xff\xff\xff" + std::string(length) + "bytes";
    size_t most = 0;
    IpcStreamReader reader([&](void* out, size_t size) {
      most = std::max(most, size);
      return pipe.reader()(out, size);
    });
    EXPECT_THROW(reader.schema(), Error);
    EXPECT_LE(most, size_t{1} << 20);
  }
}

}  // namespace
}  // namespace xwalk::io
