#include "xwalk/crosswalk/rules.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::crosswalk {
namespace {

TEST(Rules, AreSortedAndDistinct) {
  const auto& all = rules();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &hub::Rule::slug));
  const auto same = std::ranges::adjacent_find(all, {}, &hub::Rule::slug);
  EXPECT_EQ(same, all.end()) << same->slug;
}

TEST(Rules, OfSystemsAreAmongThem) {
  size_t of_systems = 0;
  for (const System system : systems()) {
    for (const hub::Rule& rule : system->rules) {
      ++of_systems;
      EXPECT_TRUE(std::ranges::binary_search(rules(), rule.slug, {}, &hub::Rule::slug))
          << rule.slug;
    }
  }
  EXPECT_GT(of_systems, 0U);
  EXPECT_LT(of_systems + hub::common_rules().size(), rules().size());
}

TEST(Rules, OfNotesOfYTsaurusAreAmongThem) {
  for (const std::string_view slug : {"spec.version", "spec.beyond-text"}) {
    EXPECT_TRUE(std::ranges::binary_search(rules(), slug, {}, &hub::Rule::slug)) << slug;
  }
}

// Reports ask what a rule is about, so each rule of a family has to say it.
TEST(Rules, SayWhatTheyAreAbout) {
  using hub::RuleSubject;
  const auto about = [](std::string_view family) {
    std::set<RuleSubject> found;
    for (const hub::Rule& rule : rules()) {
      if (rule.slug.starts_with(family)) found.insert(rule.about);
    }
    return found;
  };
  using Subjects = std::set<RuleSubject>;
  EXPECT_EQ(about("annotation."), Subjects({RuleSubject::Annotation}));
  EXPECT_EQ(about("crs."), Subjects({RuleSubject::Crs}));
  EXPECT_EQ(about("name."), Subjects({RuleSubject::Name, RuleSubject::Rename}));
  EXPECT_EQ(about("reader."), Subjects({RuleSubject::Readers}));
  EXPECT_EQ(about("spec."), Subjects({RuleSubject::Specification, RuleSubject::Release}));
  EXPECT_EQ(about("range."), Subjects({RuleSubject::Type}));
  EXPECT_EQ(subject_of("name.changed"), RuleSubject::Rename);
  EXPECT_EQ(subject_of("spec.version"), RuleSubject::Release);
  EXPECT_EQ(subject_of("no.rule"), RuleSubject::Type);
}

// An option is spelled by the interface that shows the advice.
TEST(Rules, MentionOptionsById) {
  for (const hub::Rule& rule : rules()) {
    const std::string advice = std::string(rule.meaning) + " " + std::string(rule.advice);
    const std::string program = hub::spelled(advice, hub::Interface::Program);
    EXPECT_EQ(program.find('`'), std::string::npos) << rule.slug << ": " << program;
    const bool mentions = advice.find('`') != std::string::npos;
    EXPECT_EQ(mentions, program != hub::spelled(advice, hub::Interface::Json)) << rule.slug;
    for (size_t at = advice.find("--"); at != std::string::npos; at = advice.find("--", at + 1)) {
      EXPECT_EQ(advice.substr(at, 6), "--rows") << rule.slug;
    }
  }
}

// The annotation of the type decides, not a word in its text.
TEST(HoldsYson, ReadsTheAnnotatedType) {
  const auto text = [](std::string_view type) {
    return hub::cell_text(yt::to_arrow("a", yt::parse_type_short(type)), "{b=1}", holds_yson);
  };
  EXPECT_EQ(text("Yson"), "{\"b\"=1;}");
  EXPECT_EQ(text("String"), "{b=1}");
  EXPECT_EQ(text("Tagged<String,'yson'>"), "{b=1}");
}

}  // namespace
}  // namespace xwalk::crosswalk
