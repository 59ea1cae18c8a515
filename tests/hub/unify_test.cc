#include "xwalk/hub/unify.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/cast.h"

namespace xwalk::hub {
namespace {

struct Case {
  Type a;
  Type b;
  /// Null if no type holds both.
  std::optional<Type> both;
};

Type words(Kind kind) { return dictionary(Kind::Int32, kind); }

std::vector<Case> cases() {
  return {
      {Kind::Int8, Kind::Int64, Kind::Int64},
      {Kind::Uint8, Kind::Uint32, Kind::Uint32},
      {Kind::Int8, Kind::Uint8, Kind::Int16},
      {Kind::Int64, Kind::Uint32, Kind::Int64},
      {Kind::Int8, Kind::Uint64, std::nullopt},
      {Kind::Int32, Kind::Float, Kind::Double},
      {Kind::Int16, Kind::Float, Kind::Float},
      {Kind::Uint8, Kind::HalfFloat, Kind::HalfFloat},
      {Kind::Int64, Kind::Double, std::nullopt},
      {Kind::Float, Kind::Double, Kind::Double},
      {Kind::Null, Kind::Date32, Kind::Date32},
      {Kind::Bool, Kind::Int8, std::nullopt},
      {Kind::Utf8, Kind::LargeUtf8, Kind::LargeUtf8},
      {Kind::Utf8View, Kind::Utf8, Kind::Utf8},
      {Kind::Utf8, Kind::Binary, std::nullopt},
      {Kind::Utf8, Kind::Int64, std::nullopt},
      {decimal(32, 5, 2), decimal(32, 9, 0), decimal(64, 11, 2)},
      {decimal(128, 38, 0), decimal(128, 38, 38), decimal(256, 76, 38)},
      {decimal(256, 76, 0), decimal(128, 5, 2), std::nullopt},
      {timestamp(TimeUnit::Milli, "UTC"), timestamp(TimeUnit::Micro, "UTC"),
       timestamp(TimeUnit::Micro, "UTC")},
      {timestamp(TimeUnit::Micro), timestamp(TimeUnit::Micro, "UTC"), std::nullopt},
      {time32(TimeUnit::Second), time64(TimeUnit::Nano), time64(TimeUnit::Nano)},
      {time32(TimeUnit::Second), time32(TimeUnit::Milli), time32(TimeUnit::Milli)},
      {duration(TimeUnit::Second), duration(TimeUnit::Nano), duration(TimeUnit::Nano)},
      {words(Kind::Utf8), Kind::Utf8, Kind::Utf8},
      {words(Kind::Utf8), words(Kind::Utf8), words(Kind::Utf8)},
      {fixed_size_list(Field("item", Kind::Int8), 3), fixed_size_list(Field("item", Kind::Int8), 4),
       list(Field("item", Kind::Int8))},
      {fixed_size_list(Field("item", Kind::Int8), 3),
       fixed_size_list(Field("item", Kind::Int16), 3),
       fixed_size_list(Field("item", Kind::Int16), 3)},
      {list(Field("item", Kind::Int8, false)), list(Field("item", Kind::Int8), Kind::LargeList),
       list(Field("item", Kind::Int8), Kind::LargeList)},
      {map(Field("key", Kind::Utf8, false), Field("value", Kind::Int8), true),
       map(Field("key", Kind::Utf8, false), Field("value", Kind::Int32)),
       map(Field("key", Kind::Utf8, false), Field("value", Kind::Int32))},
      {struct_({Field("a", Kind::Int8, false), Field("b", Kind::Utf8, false)}),
       struct_({Field("c", Kind::Bool, false), Field("a", Kind::Int16, false)}),
       struct_({Field("a", Kind::Int16, false), Field("b", Kind::Utf8), Field("c", Kind::Bool)})},
  };
}

Schema one(const Type& type) { return {{Field("x", type)}, {}}; }

TEST(Unify, OneTypeHoldsBothInEitherOrder) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(to_string(c.a) + " and " + to_string(c.b));
    for (const auto& [first, second] : {std::pair(c.a, c.b), std::pair(c.b, c.a)}) {
      if (!c.both) {
        try {
          (void)unify(one(first), one(second));
          ADD_FAILURE() << "not refused";
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::Input);
          EXPECT_EQ(error.place().path.text(), "x");
        }
        continue;
      }
      const Schema all = unify(one(first), one(second));
      if (c.both->kind() != Kind::Struct) {
        EXPECT_EQ(to_string(all.fields[0].type), to_string(*c.both));
      }
      // Only a range of times may be narrower: such values are rejected, never altered.
      for (const Type& type : {first, second}) {
        const CompiledCast cast = compile_cast(one(type), all);
        for (const Finding& finding : cast.findings()) {
          EXPECT_TRUE(finding.effect == Effect::None || finding.rule == "range.narrowed")
              << finding.rule << " " << finding.lost;
        }
      }
    }
  }
  const Case members = cases().back();
  EXPECT_EQ(unify(one(members.a), one(members.b)).fields[0].type, *members.both);
}

TEST(Unify, ColumnsGoByNameAndWhatIsMissingMayBeNull) {
  const Schema first = {{Field("a", Kind::Int8, false), Field("b", Kind::Utf8, false)},
                        {{"k", "1"}}};
  const Schema second = {{Field("b", Kind::Utf8, false), Field("c", Kind::Bool, false)},
                         {{"k", "1"}, {"l", "2"}}};
  const Schema all = {
      {Field("a", Kind::Int8), Field("b", Kind::Utf8, false), Field("c", Kind::Bool)},
      {{"k", "1"}}};
  EXPECT_EQ(unify(first, second), all);
  EXPECT_EQ(unify(first, first), first);
}

TEST(Unify, ExtensionsAreTypes) {
  const Field uuid = with_extension(Field("x", fixed_size_binary(16)), "arrow.uuid");
  const Schema plain = one(fixed_size_binary(16));
  EXPECT_THROW((void)unify({{uuid}, {}}, plain), Error);
  EXPECT_EQ(unify(Schema{{uuid}, {}}, Schema{{uuid}, {}}).fields[0], uuid);
}

}  // namespace
}  // namespace xwalk::hub
