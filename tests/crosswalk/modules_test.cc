#include "xwalk/crosswalk/modules.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/crosswalk/complete_module.h"
#include "tests/crosswalk/random_values.h"
#include "xwalk/hub/finding.h"

// Every system defines everything that the rest of the library needs.

namespace xwalk::crosswalk {
namespace {

using ::testing::IsEmpty;

class ModuleTest : public ::testing::TestWithParam<System> {};

TEST_P(ModuleTest, TheRowIsComplete) { EXPECT_THAT(testing::missing_of(GetParam()), IsEmpty()); }

TEST_P(ModuleTest, ItsWordIsTaken) {
  const System system = GetParam();
  EXPECT_EQ(parse_system(system->name), system);
  EXPECT_EQ(system_of_word(system->name), system);
  if (!system->other_name.empty()) {
    EXPECT_EQ(parse_system(system->other_name), system);
  }
}

TEST_P(ModuleTest, EveryKindIsPrintedParsedAndGuessedInEveryForm) {
  for (const std::string_view words : GetParam()->kinds()) {
    SCOPED_TRACE(words);
    const AnySchema schema = parse_type(GetParam(), words);
    EXPECT_FALSE(GetParam()->type_text(schema).empty());
    EXPECT_THAT(testing::wrong_with(schema), IsEmpty());
  }
}

TEST_P(ModuleTest, NoKindBreaksARule) {
  if (GetParam()->validate == nullptr) return;
  for (const std::string_view words : GetParam()->kinds()) {
    for (const hub::Finding& finding : GetParam()->validate(parse_type(GetParam(), words))) {
      EXPECT_FALSE(hub::is_violation(finding)) << words << ": " << finding.lost;
    }
  }
}

TEST_P(ModuleTest, NoFormHasAnUnknownName) {
  const AnySchema schema = parse_type(GetParam(), GetParam()->kinds().front());
  EXPECT_THROW((void)print_schema(schema, "no such form"), Error);
  EXPECT_THROW((void)is_binary_form(GetParam(), "no such form"), Error);
  EXPECT_EQ(form_names(GetParam()).size(), GetParam()->forms.size());
}

INSTANTIATE_TEST_SUITE_P(Systems, ModuleTest,
                         ::testing::ValuesIn(systems().begin(), systems().end()),
                         [](const auto& system) { return std::string(system.param->name); });

TEST(ModulesTest, WordsAndPlacesInTheOrderOfGuessesAreDistinct) {
  std::set<std::string_view> words;
  std::set<int> guesses;
  std::set<std::string_view> keys;
  for (const System system : systems()) {
    EXPECT_TRUE(words.insert(system->name).second) << system->name;
    if (!system->other_name.empty()) {
      EXPECT_TRUE(words.insert(system->other_name).second);
    }
    EXPECT_TRUE(guesses.insert(system->guess).second) << system->name;
    if (!system->id_key.empty()) {
      EXPECT_TRUE(keys.insert(system->id_key).second);
    }
    if (!system->labels_key.empty()) {
      EXPECT_TRUE(keys.insert(system->labels_key).second);
    }
  }
}

TEST(ModulesTest, ASchemaIsOfOneSystemOnly) {
  const AnySchema one = parse_type(systems()[0], systems()[0]->kinds().front());
  for (const System system : systems().subspan(1)) {
    EXPECT_FALSE(one == parse_type(system, system->kinds().front()));
  }
  struct Other {
    bool operator==(const Other&) const = default;
  };
  EXPECT_EQ(one.get_if<Other>(), nullptr);
  EXPECT_THROW((void)one.as<Other>(), std::bad_cast);
}

}  // namespace
}  // namespace xwalk::crosswalk
