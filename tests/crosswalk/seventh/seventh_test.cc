// A system is added by the files of its module and by touching three that exist: the list in
// crosswalk/modules.cc (here modules.cc beside this file, which is linked in its place),
// XWALK_MODULES in CMakeLists.txt and LAYERS in tools/lint.py. With that it is walked against all
// others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/crosswalk/complete_module.h"
#include "tests/crosswalk/seventh/module.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/report/text.h"

namespace xwalk::crosswalk {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kDeck = "CARDS\nid number\nname words?\nshare real\npaid mark?\n";

TEST(SeventhSystem, IsOneOfAll) {
  EXPECT_THAT(testing::missing_of(cards::kModule), IsEmpty());
  EXPECT_EQ(systems().size(), 7U);
  EXPECT_EQ(parse_system("cards"), System(cards::kModule));
  EXPECT_THAT(system_names(), Contains("cards"));
  for (const std::string_view words : cards::kModule.kinds()) {
    EXPECT_THAT(testing::wrong_with(parse_type(cards::kModule, words)), IsEmpty()) << words;
  }
}

TEST(SeventhSystem, IsReadAndShown) {
  const io::SchemaInput deck = io::parse_schema_input({}, kDeck);
  EXPECT_EQ(deck.system, System(cards::kModule));
  EXPECT_EQ(print_schema(deck.schema), kDeck);
  EXPECT_EQ(type_text(cards::kModule, deck.hub.fields[1]), "words?");
  EXPECT_TRUE(diff(deck.schema, deck.schema).same());
}

TEST(SeventhSystem, GoesToEveryOtherAndComesBack) {
  const AnySchema deck = parse_schema(cards::kModule, kDeck);
  for (const System other : systems()) {
    SCOPED_TRACE(other->name);
    const Plan there = plan(deck, other);
    EXPECT_LE(there.verdict(), hub::Verdict::Checked);
    const Plan back = plan(there.target, cards::kModule);
    EXPECT_EQ(back.target, deck) << print_schema(back.target);
    EXPECT_TRUE(diff(deck, back.target).same());
    EXPECT_NO_THROW((void)check_compat(deck, there.target, CompatMode::Full));
    EXPECT_THAT(report::summary(there), HasSubstr("4 columns"));
  }
}

TEST(SeventhSystem, TakesWhatItHasOfEveryOther) {
  for (const System other : systems()) {
    int taken = 0;
    for (const std::string_view words : other->kinds()) {
      SCOPED_TRACE(std::string(other->name) + " " + std::string(words));
      const Plan there = plan(parse_type(other, words), cards::kModule);
      EXPECT_EQ(there.paths.size(), 2U);
      if (!there.unsupported.empty()) continue;
      EXPECT_FALSE(cards::kModule.type_text(there.target).empty());
      ++taken;
    }
    EXPECT_GE(taken, 4) << other->name;
  }
}

}  // namespace
}  // namespace xwalk::crosswalk
