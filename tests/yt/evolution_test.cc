// Compatibility and merge; the cases of single types are vectors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/yt/random_type.h"
#include "xwalk/base/error.h"
#include "xwalk/yt/compatibility.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/merge.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

using ::testing::HasSubstr;

constexpr CompatibilityOptions kAll{.allow_rename = true, .allow_removal = true};

TEST(Compatibility, EveryTypeIsCompatibleWithItself) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Type type = testing::RandomTypes(seed).type(4);
    EXPECT_EQ(check_type_compatibility(type, type).compatibility, Compatibility::FullyCompatible)
        << print_short(type);
    EXPECT_EQ(check_type_compatibility(type, without_tags(type)).compatibility,
              Compatibility::FullyCompatible);
  }
}

TEST(Compatibility, SaysWhereAndWhy) {
  CompatibilityResult result =
      check_type_compatibility(parse_type_short("List<Struct<'a':Int64>>"),
                               parse_type_short("List<Struct<'a':Utf8>>"), {}, "col");
  EXPECT_EQ(result.compatibility, Compatibility::Incompatible);
  EXPECT_EQ(result.path, "col.<list-element>.a");
  EXPECT_THAT(result.reason, HasSubstr("int64"));
}

TEST(Compatibility, RemovalByRemovedMembers) {
  Type before = struct_({{"a", TypeKind::Int64}, {"b", TypeKind::Int64}});
  Type after = struct_({{"a", TypeKind::Int64}}, {"b"});
  EXPECT_EQ(check_type_compatibility(before, after).compatibility, Compatibility::Incompatible);
  EXPECT_EQ(check_type_compatibility(before, after, kAll).compatibility,
            Compatibility::FullyCompatible);
  Type renamed = struct_({{"x", TypeKind::Int64, "a"}, {"b", TypeKind::Int64}});
  EXPECT_EQ(check_type_compatibility(before, renamed).compatibility, Compatibility::Incompatible);
  EXPECT_EQ(check_type_compatibility(before, renamed, {.allow_rename = true}).compatibility,
            Compatibility::FullyCompatible);
}

struct TableCase {
  const char* input;
  const char* output;
  Compatibility answer;
};

TEST(Compatibility, Tables) {
  constexpr auto kYes = Compatibility::FullyCompatible;
  constexpr auto kMaybe = Compatibility::RequireValidation;
  constexpr auto kNo = Compatibility::Incompatible;
  const TableCase cases[] = {
      {"[{name=a;type=int32}]", "[{name=a;type=int64}]", kYes},
      {"[{name=a;type=int64}]", "[{name=a;type=int32}]", kMaybe},
      {"[{name=a;type=int64}]", "[{name=a;type=int64};{name=b;type=utf8}]", kYes},
      {"[{name=a;type=int64}]", "[{name=a;type=int64};{name=b;type=utf8;required=%true}]", kNo},
      {"<strict=%false>[{name=a;type=int64}]", "<strict=%false>[{name=b;type=int64}]", kNo},
      {"<strict=%false>[{name=a;type=int64}]", "[{name=a;type=int64}]", kNo},
      {"[{name=a;type=int64};{name=b;type=utf8}]", "[{name=a;type=int64}]", kNo},
      {"[{name=a;type=int64};{name=b;type=utf8}]", "<strict=%false>[{name=a;type=int64}]", kYes},
      {"[{name=a;type=int64;sort_order=ascending};{name=b;type=utf8;sort_order=ascending}]",
       "[{name=a;type=int64;sort_order=ascending};{name=b;type=utf8}]", kYes},
      {"[{name=a;type=int64};{name=b;type=utf8}]",
       "[{name=a;type=int64;sort_order=ascending};{name=b;type=utf8}]", kNo},
      {"[{name=a;type=int64;sort_order=descending}]", "[{name=a;type=int64;sort_order=ascending}]",
       kNo},
      {"<unique_keys=%true>[{name=a;type=int64;sort_order=ascending}]",
       "<unique_keys=%true>[{name=a;type=int64;sort_order=ascending}]", kYes},
      {"<unique_keys=%true>[{name=a;type=int64;sort_order=ascending};{name=b;type=int64;"
       "sort_order=ascending}]",
       "<unique_keys=%true>[{name=a;type=int64;sort_order=ascending};{name=b;type=int64}]", kNo},
      {"[{name=a;type=int64;sort_order=ascending}]",
       "<unique_keys=%true>[{name=a;type=int64;sort_order=ascending}]", kNo},
  };
  for (const TableCase& c : cases) {
    Compatibility worst = kYes;
    for (const CompatibilityResult& reason :
         table_incompatibilities(parse_table_schema(c.input), parse_table_schema(c.output))) {
      worst = std::min(worst, reason.compatibility);
    }
    EXPECT_EQ(to_string(worst), to_string(c.answer)) << c.input << " → " << c.output;
  }
}

TEST(Merge, WithItselfIsTheSameWithoutHistory) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Type type = testing::RandomTypes(seed).type(4);
    EXPECT_EQ(print_short(merge_types(type, type)), print_short(type));
  }
}

TEST(Merge, DropsStableNamesOfWhatOneSideHas) {
  Member renamed("a", TypeKind::Int64);
  renamed.stable_name = "before";
  const Type choice = variant({renamed});
  const Type merged = merge_types(struct_({{"v", choice}}), struct_({}));
  EXPECT_EQ(merged, struct_({{"v", optional(variant({{"a", TypeKind::Int64}}))}}));
  EXPECT_EQ(merge_types(variant_of({TypeKind::Int64, choice}), variant_of({TypeKind::Int64})),
            variant_of({TypeKind::Int64, variant({{"a", TypeKind::Int64}})}));
}

TEST(Merge, ResultHoldsBoth) {
  int merged = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    testing::RandomTypes random(seed);
    Type a = random.type(2);
    Type b = random.type(2);
    try {
      Type type = merge_types(a, b);
      ++merged;
      EXPECT_EQ(print_short(type), print_short(merge_types(b, a)));
      EXPECT_EQ(check_type_compatibility(merge_types(a, a), type).compatibility,
                Compatibility::FullyCompatible)
          << print_short(a) << " " << print_short(b) << " " << print_short(type);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Input);
    }
  }
  EXPECT_GT(merged, 50);
}

TEST(Merge, Tables) {
  TableSchema a = parse_table_schema(
      "<unique_keys=%true>[{name=k;type=int32;sort_order=ascending};{name=x;type=utf8;required=%"
      "true;"
      "lock=l}]");
  TableSchema b = parse_table_schema(
      "<unique_keys=%true>[{name=k;type=int64;sort_order=ascending};{name=y;type_v3=double}]");
  const MergedSchema merged = merge_table_schemas(a, b);
  EXPECT_EQ(print(merged.schema, SchemaForm::Short),
            "<\"strict\"=%true;\"unique_keys\"=%true;>\n"
            "'k': Optional<Int64> {\"sort_order\"=\"ascending\";}\n"
            "'x': Optional<Utf8>\n"
            "'y': Optional<Double>\n");
  ASSERT_EQ(merged.lost.size(), 1U);
  EXPECT_EQ(merged.lost[0].path.text(), "x");
  EXPECT_EQ(merged.lost[0].lost, "lock=\"l\"");
  b.strict = false;
  EXPECT_THROW(merge_table_schemas(a, b), Error);
  b.strict = true;
  b.columns[0].sort_order.reset();
  b.unique_keys = false;
  EXPECT_THROW(merge_table_schemas(a, b), Error);
}

/// Parts that a merge drops are reported, for columns, members and the table.
TEST(Merge, TellsWhatItDrops) {
  const auto lost = [](std::string_view first, std::string_view second) {
    std::string out;
    for (const hub::Finding& one :
         merge_table_schemas(parse_table_schema(first), parse_table_schema(second)).lost) {
      out += one.path.text() + ": " + one.lost + "\n";
    }
    return out;
  };
  EXPECT_EQ(lost("[{name=a;type=int64;group=g;foo=#}]", "[{name=a;type=int64;group=g}]"),
            "a: group=\"g\"\na: foo=#\n");
  EXPECT_EQ(lost("<comment=x>[{name=a;type=int64}]", "[{name=a;type=int64;aggregate=sum}]"),
            ": comment=\"x\"\na: aggregate=\"sum\"\n");
  EXPECT_EQ(lost("<unique_keys=%true>[{name=a;type=int64;sort_order=ascending}]",
                 "[{name=b;type=int64}]"),
            "a: sort_order=\"ascending\"\n: unique_keys, which rows of both together need not "
            "have\n");
}

/// An unknown attribute is kept, for any value.
TEST(Schema, KeepsUnknownAttributesOfNull) {
  const std::string_view text = "<foo=#>[{name=a;type=int64;bar=#}]";
  const std::string printed = print(parse_table_schema(text), SchemaForm::Yson);
  EXPECT_NE(printed.find("\"foo\" = #"), std::string::npos) << printed;
  EXPECT_NE(printed.find("\"bar\" = #"), std::string::npos) << printed;
}

}  // namespace
}  // namespace xwalk::yt
