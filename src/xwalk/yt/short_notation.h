#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/text_cursor.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Parses the short notation, as C++ and Python of the system print it: `Optional<List<Int64>>`,
/// `Int64?`, `Struct<'a': Utf8, b: Decimal(10, 2)>`. Throws Error (Input) with line and column.
Type parse_type_short(std::string_view text);
/// Returns what to use instead of a type of YQL or YDB that the system lacks, by its first word; ""
/// for other words.
std::string_view instead_of(std::string_view word);
/// Returns the short notation without white space. It has no place for stable names and removed
/// members.
std::string print_short(const Type& type);

/// Reads the short notation from a text that may hold more. Private to the module's written forms.
class ShortParser {
 public:
  explicit ShortParser(TextCursor* cursor) : cursor_(*cursor) {}

  /// Reads one type. `depth` is how many composite types are around it.
  Type type(int depth);
  /// Reads a name: a word, or quoted with C escapes.
  std::string name();

 private:
  struct Argument {
    bool named = false;
    std::string name;
    Type type;
  };

  bool at_quote() { return cursor_.peek('\'') || cursor_.peek('"'); }
  std::string_view word();
  std::string quoted_name();
  bool take_argument_name(std::string* name_out);
  std::vector<Argument> arguments(int depth);
  Type one_argument(int depth, std::string_view what);
  Type members_type(TypeKind kind, int depth);
  Type decimal_type();
  Type base_type(int depth);

  TextCursor& cursor_;
};

/// Returns a name between single quotes, with C escapes.
std::string short_quoted(std::string_view name);

}  // namespace xwalk::yt
