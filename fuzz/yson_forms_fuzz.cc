// Every way to read and to write YSON against another that says the same: values told to a writer
// against trees, fragments, JSON in all its styles, strings and numbers read by those who know
// where they end, text by blocks on every processor, where rows end and their places. The
// first byte chooses what is asked, the second its form.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "tests/base/each_processor.h"
#include "tests/skiff/memory_stream.h"
#include "tests/yson/scanned_items.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/block_masks.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/json_text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yson/wide_scan.h"
#include "xwalk/yson/writer.h"

namespace xwalk::fuzz {
namespace {

using namespace yson;

constexpr std::array kFormats = {Format::Text, Format::Pretty, Format::Binary};

/// Returns the result of a function, or nothing if it throws Error (Input).
template <typename Action>
auto taken(const Action& action) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "input is refused as such", error.describe());
    return std::nullopt;
  }
}

bool skips(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  if (skip_value(p, end) != Status::Ok) return false;
  skip_space(p, end);
  return p == end;
}

/// What is written while reading is what is printed of the tree.
void check_transcode(std::string_view bytes, size_t form) {
  const Format format = kFormats[form % 3];
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  const char* skipped = p;
  Buffer out;
  const Status status = transcode(p, end, format, &out);
  require(status == skip_value(skipped, end) && p == skipped, "a value is skipped as it is read",
          describe(status));
  if (status != Status::Ok) return;
  const std::string_view value = bytes.substr(0, static_cast<size_t>(p - bytes.data()));
  require(out.view() == print(parse(value), format), "a value is written as its tree", out.view());
  Buffer other;
  write_string(bytes, format, &other);
  require(other.view() == print(Node::string(std::string(bytes)), format));
}

void check_fragments(std::string_view bytes, size_t form) {
  const Format format = kFormats[form % 3];
  const auto fragment = static_cast<Fragment>(form / 3 % 3);
  ParseOptions options;
  if (form / 9 % 4 == 0) options.max_depth = 2;
  const auto found = taken([&] { return parse_fragment(bytes, fragment, options); });
  if (!found) return;
  std::string printed;
  switch (fragment) {
    case Fragment::Node:
      require(*found == parse(bytes));
      printed = print(*found, format);
      break;
    case Fragment::List:
      require(found->as_list() == parse_list_fragment(bytes));
      printed = print_list_fragment(found->as_list(), format);
      break;
    case Fragment::Map:
      require(*found == parse_map_fragment(bytes));
      printed = print_map_fragment(*found, format);
      break;
  }
  require(parse_fragment(printed, fragment) == *found, "a fragment comes back", printed);
  // A value knows where it began.
  const size_t at = found->source_offset();
  require(at <= bytes.size());
  const Place place = place_in(bytes, at);
  require(place.byte == at || place.line.has_value());
}

bool is_all_utf8(const Node& node) {
  const auto good = [](const auto& entry) {
    return is_valid_utf8(entry.first) && is_all_utf8(entry.second);
  };
  if (!std::ranges::all_of(node.attributes(), good)) return false;
  switch (node.kind()) {
    case Node::Kind::String:
      return is_valid_utf8(node.as_string());
    case Node::Kind::List:
      return std::ranges::all_of(node.as_list(), is_all_utf8);
    case Node::Kind::Map:
      return std::ranges::all_of(node.as_map(), good);
    default:
      return true;
  }
}

/// A value in YSON is JSON, and comes back; a string that JSON does not hold is refused.
void check_json_of(const Node& node, size_t form) {
  JsonOptions options;
  options.indent = form % 2 == 0 ? 0 : 3;
  options.annotate_types = form / 2 % 2 == 1;
  options.encode_utf8 = form / 4 % 2 == 1;
  std::string json;
  try {
    json = to_json(node, options);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Unsupported && !options.encode_utf8 && !is_all_utf8(node));
    return;
  }
  require(is_valid_json(json), "it is JSON", json);
  require(from_json(json, options) == node, "JSON comes back", json);
}

/// JSON is a value, and is taken again as that.
void check_json(std::string_view bytes, size_t form) {
  JsonOptions options;
  options.encode_utf8 = form % 2 == 1;
  const auto node = taken([&] { return from_json(bytes, options); });
  if (!node) return;
  require(is_valid_json(bytes), "what is taken is JSON", bytes);
  JsonOptions written = options;
  written.annotate_types = form / 2 % 2 == 1;
  require(from_json(to_json(*node, written), written) == *node);
}

/// The writer of rows in the style of the other form gives its text; other styles give JSON.
void check_json_rows(std::string_view bytes, size_t form) {
  if (!skips(bytes)) {
    Buffer out;
    require(write_json(bytes, JsonStyle::Living, &out) == JsonFault::Malformed);
    return require(describe(JsonFault::Malformed) == "no YSON value");
  }
  JsonRowStyle style;
  style.wrappers = form % 2 == 0;
  style.encode_utf8 = form / 2 % 2 == 0;
  style.stringify = form / 4 % 2 == 1;
  style.annotate_with_types = form / 8 % 2 == 1;
  style.unquoted_infinity = form / 16 % 2 == 1;
  style.quoted_specials = form / 32 % 2 == 1;
  const bool any = form / 64 % 2 == 1;
  Buffer out;
  JsonRowWriter writer(style, &out);
  JsonFault fault = writer.key(bytes);
  require((fault == JsonFault::None) == (style.encode_utf8 || is_valid_utf8(bytes)),
          "a key is text", describe(fault));
  out.clear();
  JsonRowWriter values(style, &out);
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  fault = values.value(p, end, any);
  skip_space(p, end);
  require(p == end);
  const Node node = parse(bytes);
  if (fault == JsonFault::NotText) require(!is_all_utf8(node) && !style.encode_utf8);
  if (fault == JsonFault::Attributes) require(!style.wrappers);
  if (fault != JsonFault::None) return;
  if (!style.unquoted_infinity) require(is_valid_json(out.view()), "it is JSON", out.view());
  const bool living = style.wrappers && style.encode_utf8 && any;
  if (!living || style.unquoted_infinity) return;
  if (style.stringify && !style.annotate_with_types) return;
  require(from_json(out.view(), {.encode_utf8 = true}) == node, "a value comes back", out.view());
  if (style.stringify || style.annotate_with_types || style.quoted_specials) return;
  Buffer other;
  require(write_json(bytes, JsonStyle::Living, &other) == JsonFault::None);
  require(other.view() == out.view(), "both write the same", out.view());
}

/// Returns a text of whole blocks.
std::string blocks_of(std::string_view bytes, size_t blocks) {
  std::string text;
  while (text.size() < blocks * kBlock) text += bytes;
  text.resize(blocks * kBlock);
  return text;
}

/// Blocks are looked at in the same way on every processor, and as byte by byte.
void check_blocks(std::string_view bytes, size_t form) {
  if (bytes.empty()) return;
  const std::string text = blocks_of(bytes, form % 40);
  std::vector<uint16_t> expected;
  uint64_t lines = 0;
  StringState state;
  {
    bool inside = false;
    bool escaped = false;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '"' && !escaped) inside = !inside;
      if (!inside && (c == ';' || c == '}')) expected.push_back(static_cast<uint16_t>(i));
      escaped = c == '\\' && !escaped;
      lines += c == '\n' ? 1 : 0;
    }
    state.in_string = inside ? ~uint64_t{0} : 0;
    state.escaped = escaped ? 1 : 0;
  }
  const size_t blocks = text.size() / kBlock;
  std::vector<ItemMasks> before;
  for_each_processor([&] {
    std::vector<uint16_t> found(text.size() + kBlock);
    found.resize(mark_value_ends(text.data(), blocks, found.data()));
    require(found == expected, "ends of values", text);
    require(count_newlines(text) == lines);
    std::vector<ItemMasks> masks(blocks);
    StringState end;
    mark_items(text.data(), blocks, &end, masks.data());
    require(end.in_string == state.in_string && end.escaped == state.escaped);
    if (before.empty()) before = masks;
    for (size_t i = 0; i < blocks; ++i) {
      const ItemMasks& a = before[i];
      const ItemMasks& b = masks[i];
      require(a.open == b.open && a.angle == b.angle && a.close == b.close);
      require(a.separator == b.separator && a.control == b.control && a.odd == b.odd);
      require(a.opens == b.opens && a.closes == b.closes);
      require(a.odd_separators == b.odd_separators && a.even_separators == b.even_separators);
      require(static_cast<uint32_t>(std::popcount(a.open)) == a.opens);
    }
  });
}

uint64_t bits_of(double value) { return std::bit_cast<uint64_t>(value); }

/// Numbers are the same if all their digits are read at once.
void check_wide_numbers([[maybe_unused]] const char* begin, [[maybe_unused]] const char* end,
                        [[maybe_unused]] const Number& number) {
#if defined(XWALK_FOR_AVX512)
  if (processor_at_hand() != Processor::Avx512) return;
  const std::vector<char> alone(begin, end);
  const char* const p = alone.data();
  const char* const stop = p + alone.size();
  uint64_t whole = 0;
  double real = 0;
  if (number.kind == NumberKind::Uint64 && *begin != '+' && alone.size() <= 21) {
    require(wide::read_known_digits(p, stop - 1, whole) && whole == number.uint64);
  }
  if (wide::read_known_double(p, stop, real)) {
    require(number.kind == NumberKind::Double && bits_of(real) == bits_of(number.real));
  }
#endif
}

/// Numbers are the same to those who know where they end, and to those who know what they are; what
/// is written of them is read.
void check_numbers(std::string_view bytes) {
  const size_t size = std::min<size_t>(bytes.size(), 40);
  const std::string text = std::string(bytes.substr(0, size)) + std::string(kNumberWindow, ';');
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (size == 0 || !is_number_start(*begin)) return;
  const char* p = begin;
  Number number;
  const Status status = read_number(p, end, number);
  const bool good = status == Status::Ok;
  // Without readable bytes after it, no byte past the end is read.
  const char* near = begin;
  Number same;
  const auto length = good ? static_cast<size_t>(p - begin) : size;
  const Status status_near = read_number(near, begin + length, same);
  if (good) require(status_near == Status::Ok && near == p && same.kind == number.kind);
  const Int64Read int64 = read_usual_int64(begin, end);
  if (int64.next != nullptr) {
    require(good && number.kind == NumberKind::Int64 && number.int64 == int64.value);
    require(int64.next == p);
  }
  const Uint64Read uint64 = read_usual_uint64(begin, end);
  if (uint64.next != nullptr) {
    require(good && number.kind == NumberKind::Uint64 && number.uint64 == uint64.value);
    require(uint64.next == p);
  }
  const DoubleRead real = read_usual_double(begin, end);
  if (real.next != nullptr) {
    require(good && number.kind == NumberKind::Double &&
            bits_of(number.real) == bits_of(real.value));
    require(real.next == p);
  }
  if (!good) return;
  check_wide_numbers(begin, p, number);
  std::array<char, kMaxScalarBytes> out;
  const char* written = out.data();
  switch (number.kind) {
    case NumberKind::Int64:
      written = write_text_int64(out.data(), number.int64);
      break;
    case NumberKind::Uint64: {
      written = write_text_uint64(out.data(), number.uint64);
      uint64_t known = 0;
      if (*begin == '+' || length > 21) break;
      require(read_known_digits(begin, p - 1, known) && known == number.uint64);
      break;
    }
    case NumberKind::Double: {
      double known = 0;
      if (read_known_double(begin, p, known)) require(bits_of(known) == bits_of(number.real));
      written = write_text_double(out.data(), number.real);
      const auto nearest = static_cast<float>(number.real);
      std::array<char, kMaxScalarBytes> shorter;
      const Node node = parse({shorter.data(), write_text_float(shorter.data(), nearest)});
      require(static_cast<float>(node.as_double()) == nearest);
      break;
    }
  }
  const Node node = parse({out.data(), written});
  switch (number.kind) {
    case NumberKind::Int64:
      return require(node.as_int64() == number.int64);
    case NumberKind::Uint64:
      return require(node.as_uint64() == number.uint64);
    case NumberKind::Double:
      return require(bits_of(node.as_double()) == bits_of(number.real));
  }
}

/// Escapes are undone in the same way apart, in place and while their end is looked for; what is
/// written of a string is read, in one piece and in parts.
void check_strings(std::string_view bytes) {
  const std::string text(bytes);
  const char* const end = text.data() + text.size();
  const char* p = text.data();
  std::string_view raw;
  bool escaped = false;
  const Status status = read_quoted(p, end, raw, escaped);
  std::string out(text.size() + 16, '\0');
  char* to = out.data();
  const char* const found = unescape_quoted(text.data(), end, to);
  require((status == Status::Ok) == (found != nullptr));
  if (found != nullptr) {
    require(found == p);
    std::string apart(raw.size(), '\0');
    apart.resize(unescape(raw, apart.data()));
    require(std::string_view(out.data(), to) == apart);
    std::string place(raw);
    place.resize(unescape(place, place.data()));
    require(place == apart);
    require(escaped == (raw.find('\\') != std::string_view::npos));
    require(parse("\"" + std::string(raw) + "\"").as_string() == apart);
  }
  Buffer written;
  append_text_string(bytes, &written);
  require(written.view() == print(Node::string(text), Format::Text));
  std::string other(max_text_string_bytes(text.size()), '\0');
  const std::string wide = text + std::string(16, '7');
  const std::string_view within(wide.data(), text.size());
  other.resize(static_cast<size_t>(
      write_text_string(other.data(), within, wide.data() + wide.size()) - other.data()));
  // The next byte decides whether a short octal escape may end the string. A quote does not.
  require(parse(other).as_string() == text);
  std::string drained;
  const Buffer::Drain drain = [&](std::string_view part) { drained += part; };
  Buffer binary(&drain);
  append_binary_string(bytes, &binary);
  binary.drain_all();
  require(drained == print(Node::string(text), Format::Binary));
}

/// Ends of items are the same at once, token by token, and repeatedly. A backslash outside strings,
/// which is an error, is distinguished from one inside only in blocks of text.
void check_scan(std::string_view bytes) {
  if (bytes.find('\\') != std::string_view::npos) return;
  std::string stream(bytes);
  for (int times = 0; times < 2; ++times) {
    require(testing::scan_at_once(stream) == testing::scan_byte_by_byte(stream), "items", stream);
    while (!bytes.empty() && stream.size() < 500) stream += bytes;
  }
}

/// Splits rows in another way than `yson_parse` does: a chunk's place is its position in the
/// stream, and a row above the limit is refused.
void check_rows(std::string_view bytes, size_t form) {
  check_scan(bytes);
  const size_t step = form % 4 == 0 ? 0 : form % 61;
  RowSplitterOptions options;
  options.chunk_bytes = 1 + form / 4;
  options.max_item_bytes = 64;
  skiff::testing::MemorySource source(bytes, step);
  RowSplitter splitter(&source, options);
  RowChunk chunk;
  std::vector<RowChunk> held;
  uint64_t items = 0;
  uint64_t offset = 0;
  try {
    while (splitter.next(&chunk)) {
      require(chunk.offset == offset && chunk.first_item == items);
      require(bytes.substr(offset, chunk.bytes.size()) == chunk.bytes);
      offset += chunk.bytes.size();
      items += chunk.items;
      const Place place = place_in_chunk(chunk, 0);
      require(place.byte == chunk.offset);
      if (place.line) {
        const std::string_view before = bytes.substr(0, chunk.offset);
        require(*place.line == 1 + count_newlines(before));
      }
      // Memory that is still in use is not used again.
      if (held.size() < 3) held.push_back(chunk);
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input && error.place().byte <= bytes.size());
    require(error.place().row >= items, "rows are counted", error.describe());
  }
  for (const RowChunk& one : held) {
    require(bytes.substr(one.offset, one.bytes.size()) == one.bytes);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  if (data.size() < 2) return;
  const auto property = static_cast<uint8_t>(data[0]);
  const auto form = static_cast<uint8_t>(data[1]);
  const std::string_view bytes = data.substr(2);
  switch (property % 9) {
    case 0:
      return check_transcode(bytes, form);
    case 1:
      return check_fragments(bytes, form);
    case 2:
      if (!skips(bytes)) return;
      return check_json_of(parse(bytes), form);
    case 3:
      return check_json(bytes, form);
    case 4:
      return check_json_rows(bytes, form);
    case 5:
      return check_blocks(bytes, form);
    case 6:
      return check_numbers(bytes);
    case 7:
      return check_strings(bytes);
    default:
      return check_rows(bytes, form);
  }
}

}  // namespace xwalk::fuzz
