// Any text where people write a word: formats with attributes, options by name, paths of columns,
// types of a system to be guessed, schemas, schemas beside rows. Each is taken or refused as what
// the user wrote, and shows nothing that a terminal would obey.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/display.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/selection.h"

namespace xwalk::fuzz {
namespace {

void read(size_t what, const std::string& text) {
  switch (what) {
    case 0:
      io::parse_format_word(text);
      return;
    case 1:
      io::read_named_options(text);
      return;
    case 2:
      io::detect_output(text);
      return;
    case 3:
      crosswalk::parse_guessing(crosswalk::parse_type, text);
      return;
    case 4:
      crosswalk::parse_guessing(crosswalk::parse_schema, text);
      return;
    case 5:
      io::parse_type_input({}, text);
      return;
    case 6: {
      const Path path = io::parse_selection(text);
      require(io::parse_selection(path.text()) == path, "a path is read as it is shown", text);
      return;
    }
    case 7:
      io::parse_rename(text);
      return;
    case 8:
      io::check_mark("/dev/null", nullptr, text);
      return;
    default:
      io::parse_schema_input({}, text);
      return;
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const size_t what = choices.below(10);
  const std::string text(choices.rest());
  io::format_of_magic(text);
  const std::string shown = visible(text);
  require(is_valid_utf8(shown), "shown text is text", shown);
  require(visible(shown) == shown, "shown text stays", shown);
  require(display_width(clip(shown, 10)) <= 10, "clipped text fits", shown);
  require(from_base64(to_base64(text)) == text);
  require(from_hex(to_hex(text)) == text);
  const Allowance any;
  try {
    read(what, text);
  } catch (const Error& error) {
    require_refusal(error);
    const std::string told = error.describe();
    require(told.find('\x1b') == std::string::npos, "errors have no escapes", told);
  }
}

}  // namespace xwalk::fuzz
