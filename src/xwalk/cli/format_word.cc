#include "xwalk/cli/format_word.h"

#include "xwalk/base/error.h"
#include "xwalk/yson/parse.h"

namespace xwalk::cli {

FormatWord parse_format_word(const std::string& word) {
  FormatWord out;
  if (!word.starts_with('<')) {
    out.format = io::parse_format(word);
    return out;
  }
  const yson::Node node = yson::parse(word);
  if (!node.is(yson::Node::Kind::String)) {
    throw Error(ErrorCode::Usage, "expected the name of a format behind its attributes", {},
                "For example <format=binary>yson.");
  }
  out.format = io::parse_format(node.as_string());
  if (out.format == io::Format::Yson) {
    out.values = yt::parse_format(node);
  } else if (out.format == io::Format::Skiff) {
    out.skiff_schema = word;
  } else {
    throw Error(ErrorCode::Usage, "expected a format with attributes: yson or skiff, found another",
                {}, "The other formats have options of their own.");
  }
  return out;
}

}  // namespace xwalk::cli
