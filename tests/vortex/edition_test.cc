#include "xwalk/vortex/edition.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/vortex/schema.h"

namespace xwalk::vortex {
namespace {

using Told = std::vector<std::string>;

/// What is lacking, as `path effect`.
Told told(std::string_view type, std::string_view edition) {
  Told out;
  for (const hub::Finding& finding : lacking(parse_text(type), parse_edition(edition))) {
    EXPECT_EQ(finding.rule, "spec.version");
    const bool refused = finding.effect == hub::Effect::Refused;
    out.push_back(finding.path.text() + (refused ? " refused" : " forbidden"));
  }
  return out;
}

TEST(Edition, TellsWhatFilesLack) {
  const char* vector = "{v=fixed_size_list(f32)[4]}";
  EXPECT_EQ(told(vector, "core2025.06.0"), Told{"v forbidden"});
  EXPECT_EQ(told(vector, "core2025.10.0"), Told{});
  const char* map = "{l=list(map(utf8, i64, keys_sorted=false))}";
  EXPECT_EQ(told(map, "core2026.08.1"), Told{"l[] forbidden"});
  EXPECT_EQ(told(map, "core2026.08.2"), Told{});
  const char* uuid = "{s={u=vortex.uuid(fixed_size_list(u8)[16])}}";
  EXPECT_EQ(told(uuid, "core2025.05.0"), Told{"s.u forbidden"});
  EXPECT_EQ(told(uuid, "core2026.08.2"), Told{"s.u forbidden"});
  EXPECT_EQ(told(uuid, "core2026.08.3"), Told{});
  EXPECT_EQ(told("{a=i64?, b=utf8, d=vortex.date[days](i32?)}", "core2025.06.0"),
            (Told{"a refused", "d refused"}));
  EXPECT_EQ(told("{a=i64?, b=list(i64)?, n=null}", "core2025.10.0"), Told{});
}

TEST(Edition, ReadsItsWords) {
  for (const std::string_view word : editions()) EXPECT_EQ(to_string(parse_edition(word)), word);
  for (const char* word : {"", "core", "core2025.10", "preview2026.08.0", "2025.10.0"}) {
    EXPECT_THROW(parse_edition(word), Error) << word;
  }
}

}  // namespace
}  // namespace xwalk::vortex
