#include "xwalk/io/rows/selection.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

TEST(Selection, ReadsEveryPathThatIsPrinted) {
  const std::vector<Path> paths = {
      Path::column("a"),
      Path::column("a").field("b-$").item().field("c"),
      Path::column("m").map_key(),
      Path::column("m").map_value().item().map_value().field("x"),
      Path::column(""),
      Path::column("v").alternative("card").field("x"),
      Path::column("v").alternative("a>b"),
      Path::column("a.b").field("[]").field("{key}"),
      Path::column("\"quoted\"").field("back\\slash"),
      Path::column("line\nfeed\rtab\t").field(std::string("\0\x01\x7f", 3)),
      Path::column("\xff\xfe").field("größe"),
  };
  for (const Path& path : paths) EXPECT_EQ(parse_selection(path.text()), path) << path.text();
}

TEST(Selection, RefusesWhatIsNoPath) {
  for (const char* text :
       {"", "a.", "a..b", "a[0]", "a<b", "a{other}", "\"open", "\"a\\x1\"", "\"a\\x?1\""}) {
    try {
      parse_selection(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Usage) << text;
      EXPECT_TRUE(error.place().column) << text;
    }
  }
}

}  // namespace
}  // namespace xwalk::io
