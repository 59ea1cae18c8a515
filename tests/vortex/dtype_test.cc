#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/shared_offsets.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/module.h"
#include "xwalk/vortex/extension.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/ipc.h"
#include "xwalk/vortex/module.h"
#include "xwalk/vortex/scalar.h"
#include "xwalk/vortex/scalar_json.h"
#include "xwalk/vortex/schema.h"

namespace xwalk::vortex {
namespace {

std::string read_sample(const std::string& name) {
  std::ifstream stream(std::string(XWALK_TEST_DATA "/samples/") + name, std::ios::binary);
  std::ostringstream out;
  out << stream.rdbuf();
  return out.str();
}

std::vector<DType> every_dtype() {
  DType u8 = DType::primitive(PType::U8, false);
  std::vector<DType> types = {
      DType::null(),
      DType::boolean(true),
      DType::decimal(76, -128, false),
      DType::utf8(true),
      DType::binary(false),
      DType::struct_({{"a", u8}, {"b c", DType::utf8(true)}, {"", u8}, {"q\"\\\n", u8}}, true),
      DType::struct_({}, false),
      DType::list(DType::list(u8, true), false),
      DType::fixed_size_list(u8, 4294967295u, true),
      DType::variant(true),
      DType::union_({{"x", u8}, {"y", DType::utf8(true)}}, {0, 1}, false),
      DType::union_({{"x", u8}, {"y", DType::utf8(true)}}, {5, 255}, true),
      DType::map(DType::utf8(false), DType::primitive(PType::I32, true), true, true),
      DType::extension(std::string(kDateId), DType::primitive(PType::I32, true),
                       temporal_metadata(kDateId, TimeUnit::Days)),
      DType::extension(std::string(kDateId), DType::primitive(PType::I32, true), "\x04zz"),
      DType::extension(std::string(kTimestampId), DType::primitive(PType::I64, false),
                       temporal_metadata(kTimestampId, TimeUnit::Microseconds, "Europe/Moscow")),
      DType::extension(std::string(kUuidId), DType::fixed_size_list(u8, 16, true), "\x04"),
      DType::extension(std::string(kJsonId), DType::utf8(true), ""),
      DType::extension("acme.thing", DType::struct_({{"x", u8}}, true), std::string("\0\xff", 2)),
      DType::extension("acme outer", DType::extension("acme.inner", u8, "i"), ""),
  };
  for (const PrimitiveRow& row : kPrimitiveRows) {
    types.push_back(DType::primitive(row.ptype, row.number == Number::Float));
  }
  return types;
}

TEST(DTypeForms, EveryFormReadsBackWhatItWrote) {
  for (const DType& type : every_dtype()) {
    std::string text = print_text(type);
    EXPECT_EQ(parse_text(text), type) << text;
    EXPECT_EQ(read_json(write_json(type)), type) << text;
    EXPECT_EQ(read_protobuf(write_protobuf(type)), type) << text;
    EXPECT_EQ(read_flatbuffers(write_flatbuffers(type)), type) << text;
    EXPECT_EQ(read_ipc_dtype(write_ipc_dtype(type)), type) << text;
  }
}

TEST(DTypeForms, FlatBuffersMayShareLittleAndNotMuch) {
  using shared::shared_vortex_dtype;
  const DType small = read_flatbuffers(shared_vortex_dtype({.fields = 100, .name_bytes = 100}));
  ASSERT_EQ(small.members().size(), 100);
  EXPECT_EQ(small.members()[99].name, std::string(100, 'n'));
  const std::string much = shared_vortex_dtype({.fields = 10'000, .name_bytes = 300'000});
  EXPECT_THROW((void)read_flatbuffers(much), Error);
}

TEST(DTypeForms, ABinaryFormSaysItsOwnErrors) {
  const auto refusal = [](std::string bytes) {
    try {
      (void)kModule.parse(bytes);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("none");
  };
  std::string later = shared::shared_vortex_dtype({.kind = 14});
  EXPECT_THAT(refusal(later), testing::HasSubstr("DType variant 14 is newer"));
  const DType good = DType::struct_({{"a", DType::utf8(false)}}, false);
  const std::string message = write_ipc_dtype(good);
  EXPECT_EQ(kModule.parse(message).as<DType>(), good);
  EXPECT_EQ(kModule.parse(write_flatbuffers(good)).as<DType>(), good);
  EXPECT_EQ(kModule.parse(write_protobuf(good)).as<DType>(), good);
  EXPECT_THAT(refusal(message + "more"), testing::HasSubstr("found 4 more bytes"));
  std::string array = message;
  const size_t kind = array.find('\x03', 4);
  ASSERT_NE(kind, std::string::npos);
  array[kind] = 1;
  EXPECT_THAT(refusal(array), testing::HasSubstr("expected a DType message (3), found kind 1"));
}

TEST(DTypeForms, JsonOfAnyShapeIsReadOrRefused) {
  std::vector<Member> members;
  for (int i = 0; i < 300; ++i) members.push_back({std::to_string(i), DType::utf8(true)});
  const DType wide = DType::struct_(members, false);
  EXPECT_EQ(read_json(write_json(wide)), wide);
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (
      const std::string& text :
      {R"({"type":"primitive","ptype":)" + deep + "}",
       R"({"type":"decimal","precision":)" + deep + "}",
       std::string(R"({"type":"decimal","precision":10,"scale":18446744073709551615})"),
       std::string(
           R"({"type":"union","variants":[{"name":"x","dtype":{"type":"null"},"type_id":1.5}]})")}) {
    EXPECT_THROW(read_json(text), Error) << text.substr(0, 60);
  }
  EXPECT_THROW(read_scalar_json(R"({"dtype":"i8","value":)" + deep + "}"), Error);
}

TEST(DTypeForms, EveryTruncationIsRefused) {
  DType type = DType::struct_({{"a", every_dtype()[5]}, {"b", every_dtype()[15]}}, false);
  std::string flat = write_flatbuffers(type);
  std::string ipc = write_ipc_dtype(type);
  std::string text = print_text(type);
  // The last two bytes are padding.
  for (size_t size = 0; size + 2 < flat.size(); ++size) {
    EXPECT_THROW(read_flatbuffers(std::string_view(flat).substr(0, size)), Error) << size;
  }
  for (size_t size = 0; size < ipc.size(); ++size) {
    EXPECT_THROW(read_ipc_dtype(std::string_view(ipc).substr(0, size)), Error) << size;
  }
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_THROW(parse_text(std::string_view(text).substr(0, size)), Error) << size;
  }
}

TEST(DTypeForms, WritesTheIpcMessageOfTheLivingSystem) {
  std::string message = write_ipc_dtype(DType::primitive(PType::I64, true));
  EXPECT_EQ(to_hex(message.substr(0, 52)),
            "3000000014000000000000000c001400000013000c0004000c00000028000000000000000c0000000000"
            "00030400040004000000");
  EXPECT_EQ(message.size(), 52u + 40u);
}

TEST(DTypeForms, TextErrorsSayWhere) {
  try {
    parse_text("{a=i32,\n b=decimal(77,0)}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.describe(),
              "2:4: error: expected a decimal precision from 1 to 76, found 77\n"
              "   b=decimal(77,0)}\n"
              "     ^~~~~~~~~~~~~");
  }
}

TEST(DTypeRules, AreChecked) {
  DType u8 = DType::primitive(PType::U8, false);
  EXPECT_THROW(DType::decimal(0, 0, false), Error);
  EXPECT_THROW(DType::decimal(3, 4, false), Error);
  EXPECT_THROW(DType::union_({}, {}, false), Error);
  EXPECT_THROW(DType::union_({{"a", u8}, {"a", u8}}, {0, 1}, false), Error);
  EXPECT_THROW(DType::union_({{"a", u8}, {"b", u8}}, {1, 1}, false), Error);
  EXPECT_THROW(DType::map(DType::utf8(true), u8, false, false), Error);
  EXPECT_THROW(DType::extension(std::string(kDateId), u8, "\x04"), Error);
  EXPECT_THROW(DType::extension("", u8, ""), Error);
  EXPECT_NO_THROW(DType::extension(std::string(kJsonId), DType::utf8(true), ""));
  EXPECT_THROW(DType::extension(std::string(kJsonId), DType::utf8(true), std::string(1, '\0')),
               Error);
}

TEST(DTypeFile, ReadsTheSamplesNatively) {
  struct Case {
    const char* file;
    const char* dtype;
  };
  constexpr Case kCases[] = {
      {"date32.vortex", "{c=vortex.date[days](i32?)}"},
      {"decimal256_76_10.vortex", "{c=decimal(76,10)?}"},
      {"ext_uuid.vortex", "{c=vortex.uuid(fixed_size_list(u8)[16]?)}"},
      {"map_utf8_i32.vortex", "{c=map(utf8, i32?, keys_sorted=false)?}"},
      {"null.vortex", "{c=null}"},
      {"timestamp_us_utc.vortex", "{c=vortex.timestamp[µs, tz=UTC](i64?)}"},
  };
  for (const Case& sample : kCases) {
    std::string file = read_sample(sample.file);
    EXPECT_EQ(print_display(read_file_dtype(file)), sample.dtype) << sample.file;
    EXPECT_TRUE(read_file_rows(file).has_value());
  }
  EXPECT_EQ(read_file_rows(read_sample("multi.vortex")), 3u);
}

TEST(DTypeFile, EveryTruncationIsRefused) {
  std::string file = read_sample("date32.vortex");
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(read_file_dtype(std::string_view(file).substr(0, size)), Error) << size;
  }
}

TEST(DTypeFile, MetadataSlotsCanBeAdded) {
  std::string file = read_sample("multi.vortex");
  std::string once = with_metadata(file, "xwalk", "first");
  std::string twice = with_metadata(once, "xwalk", "second");
  FileFooter footer = read_footer(twice);
  ASSERT_EQ(footer.metadata.size(), 1u);
  EXPECT_EQ(twice.substr(footer.metadata[0].second.offset, footer.metadata[0].second.length),
            "second");
  EXPECT_EQ(read_file_dtype(twice), read_file_dtype(file));
  EXPECT_EQ(read_file_rows(twice), 3u);
}

TEST(DTypeHub, GoesToArrowAndBack) {
  for (const DType& type : every_dtype()) {
    bool no_way = type.kind() == Kind::FixedSizeList || type.kind() == Kind::Union;
    if (no_way) continue;
    DType root = DType::struct_({{"c", type}}, false);
    hub::Schema schema = to_arrow(root);
    EXPECT_EQ(from_arrow(schema).schema, root) << print_text(type);
  }
}

TEST(DTypeHub, WkbKeepsItsReferenceSystem) {
  const auto wkb = [](std::string_view metadata) {
    return DType::struct_(
        {{"c", DType::extension(std::string(kWkbId), DType::binary(true), std::string(metadata))}},
        false);
  };
  const auto geoarrow = [&](std::string_view metadata) {
    return std::string(to_arrow(wkb(metadata)).fields[0].extension_metadata());
  };
  EXPECT_EQ(geoarrow("\x0A\x09"
                     "EPSG:3857"),
            R"({"crs":"EPSG:3857","crs_type":"authority_code"})");
  EXPECT_EQ(geoarrow(""), "{}");
  // Cut off, too long, another field, not UTF-8.
  for (const char* wrong : {"\x0A",
                            "\x0A\x09"
                            "EPSG",
                            "\x0A\x01"
                            "xy",
                            "\x12\x01x", "\x0A\x01\xff"}) {
    EXPECT_EQ(to_arrow(wkb(wrong)).fields[0].extension_name(), "");
  }
  const DType root =
      wkb("\x0A\x09"
          "EPSG:3857");
  hub::Schema schema = to_arrow(root);
  EXPECT_EQ(from_arrow(schema).schema, root);
  hub::Field& field = schema.fields[0];
  field = hub::with_geospatial(field, {"EPSG:4326", ""});
  const FromArrow changed = from_arrow(schema);
  EXPECT_EQ(print_text(changed.schema), "{c=binary?}");
  ASSERT_EQ(changed.findings.size(), 1u);
  EXPECT_EQ(changed.findings[0].rule, "annotation.stale");
}

TEST(DTypeHub, RefusesWithThePathWhatTheLivingSystemRefuses) {
  hub::Schema schema{{hub::Field("a", hub::list(hub::Field("item", hub::fixed_size_binary(3))))},
                     {}};
  try {
    from_arrow(schema);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.place().path.text(), "a[]");
  }
  FromArrow lowered = hub::lower_and_map(schema, kCapabilities, from_arrow);
  EXPECT_EQ(print_text(lowered.schema), "{a=list(fixed_size_list(u8)[3]?)?}");
  ASSERT_EQ(lowered.findings.size(), 1u);
  EXPECT_EQ(lowered.findings[0].rule, "type.as-storage");
}

TEST(Scalars, TravelInProtobufAndAreChecked) {
  // The living system's bytes for 5 as i64 and null as i64?.
  EXPECT_EQ(to_hex(write_scalar({DType::primitive(PType::I64, false), {int64_t{5}}})),
            "0a041a0208071202180a");
  EXPECT_EQ(to_hex(write_scalar({DType::primitive(PType::I64, true), {}})),
            "0a061a040807100112020800");
  DType pair =
      DType::struct_({{"a", DType::utf8(true)}, {"b", DType::decimal(10, 2, false)}}, false);
  Scalar scalar{pair, {std::vector<ScalarValue>{{std::string("x")}, {Bytes{"\x05"}}}}};
  EXPECT_EQ(read_scalar(write_scalar(scalar)).value, scalar.value);
  EXPECT_THROW(write_scalar({DType::primitive(PType::I8, false), {int64_t{128}}}), Error);
  EXPECT_THROW(write_scalar({DType::utf8(false), {}}), Error);
}

TEST(Scalars, HaveAFormInJson) {
  for (const char* json : {
           R"j({"dtype":"null","value":null})j",
           R"j({"dtype":"bool","value":true})j",
           R"j({"dtype":"u64","value":18446744073709551615})j",
           R"j({"dtype":"i64?","value":-9223372036854775808})j",
           R"j({"dtype":"f32","value":0.5})j",
           R"j({"dtype":"f64","value":"-inf"})j",
           R"j({"dtype":"list(f16)","value":[1.5,"nan"]})j",
           R"j({"dtype":"decimal(10,2)","value":{"hex":"0500"}})j",
           R"j({"dtype":"{a=utf8?, b=binary}","value":[null,{"hex":""}]})j",
           R"j({"dtype":"fixed_size_list(u8)[2]","value":[1,2]})j",
           R"j({"dtype":"map(utf8, i32?, keys_sorted=false)","value":[["k",null],["k",1]]})j",
           R"j({"dtype":"vortex.date[days](i32)","value":7})j",
           R"j({"dtype":"variant","value":{"dtype":"variant","value":{"dtype":"u8","value":1}}})j",
       }) {
    const Scalar scalar = read_scalar_json(json);
    EXPECT_EQ(write_scalar_json(scalar), json);
    EXPECT_EQ(write_scalar_json(read_scalar(write_scalar(scalar))), json);
  }
  std::string deep = R"j({"dtype":"null","value":null})j";
  for (int i = 0; i < 200; ++i) deep = R"j({"dtype":"variant","value":)j" + deep + "}";
  for (const std::string_view json :
       {std::string_view(""), std::string_view("5"), std::string_view(R"j({"dtype":"i8"})j"),
        std::string_view(R"j({"dtype":"i8","value":128})j"),
        std::string_view(R"j({"dtype":"u8","value":-1})j"),
        std::string_view(R"j({"dtype":"i8","value":null})j"),
        std::string_view(R"j({"dtype":"i8","value":"1"})j"),
        std::string_view(R"j({"dtype":"i9","value":1})j"),
        std::string_view(R"j({"dtype":5,"value":1})j"),
        std::string_view(R"j({"dtype":"binary","value":{"hex":"0"}})j"),
        std::string_view(R"j({"dtype":"{a=i8}","value":[1,2]})j"), std::string_view(deep)}) {
    EXPECT_THROW(read_scalar_json(json), Error) << json.substr(0, 60);
  }
}

TEST(FieldPaths, ResolveByName) {
  DType root = DType::struct_({{"a", DType::struct_({{"b c", DType::utf8(true)}}, false)}}, false);
  FieldPath path = {"a", "b c"};
  EXPECT_EQ(read_field_path(write_field_path(path)), path);
  EXPECT_EQ(print_field_path(path), "$.a.\"b c\"");
  EXPECT_EQ(resolve(root, path), DType::utf8(true));
  EXPECT_THROW(resolve(root, {"a", "x"}), Error);
  for (const FieldPath& each : {FieldPath{}, path, FieldPath{"\"", "a.b", "\n", ""}}) {
    EXPECT_EQ(parse_field_path(print_field_path(each)), each);
  }
  for (const char* text : {"", "a", "$a", "$.", "$.a.", "$.a b", "$.\"a"}) {
    EXPECT_THROW(parse_field_path(text), Error) << text;
  }
}

}  // namespace
}  // namespace xwalk::vortex
