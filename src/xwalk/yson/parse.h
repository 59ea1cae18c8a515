#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/yson/node.h"

namespace xwalk::yson {

/// The three things a YSON text can be: one value; items `1;2;3` without brackets, as rows are
/// stored; entries `a=1;b=2` without braces.
enum class Fragment : uint8_t { Node, List, Map };

/// Open brackets of all kinds (`[`, `{`, `<`) at one time that the living system accepts.
inline constexpr int kMaxDepth = 255;

struct ParseOptions {
  /// At most kMaxDepth; larger values count as kMaxDepth.
  int max_depth = kMaxDepth;
};

/// Parses one value, in text, binary, or a mixture of both. Each node remembers the byte where it
/// began (its attributes not counted). A zero byte ends no text: nothing is left unread. Throws
/// Error (Input) with line and column for text, and the byte.
Node parse(std::string_view bytes, const ParseOptions& options = {});

/// Parses items separated by `;`, with an optional last one.
std::vector<Node> parse_list_fragment(std::string_view bytes, const ParseOptions& options = {});

/// Parses entries separated by `;`, with an optional last one, into a map.
Node parse_map_fragment(std::string_view bytes, const ParseOptions& options = {});

/// Parses bytes as the given fragment; a list fragment becomes a list.
Node parse_fragment(std::string_view bytes, Fragment fragment, const ParseOptions& options = {});

/// Makes the place of a byte of a document: line, column and snippet for text, only the byte if the
/// document has binary tokens before it. For errors about nodes, by their source_offset.
Place place_in(std::string_view document, size_t offset, size_t length = 1);

/// Gives an error at a byte of a document the place that `place_in` makes.
void locate(std::string_view document, Error* error);

/// Calls a parser of nodes, and throws its errors with their places in the document.
template <typename Call>
auto with_place(std::string_view document, const Call& call) {
  try {
    return call();
  } catch (Error& error) {
    locate(document, &error);
    throw;
  }
}

}  // namespace xwalk::yson
