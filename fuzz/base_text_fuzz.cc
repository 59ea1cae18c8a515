// Numbers of 128 and 256 bits give the same results as each other and as their texts. The JSON
// grammar accepts the same texts as another parser, whole and cut anywhere. Sizes with a unit equal
// those of a slow implementation. Ordered bytes have the order of their values. Base64, hex and
// shell words survive a round trip. A file has the bytes that memory has. The first byte chooses
// which.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "fuzz/harness.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/byte_count.h"
#include "xwalk/base/error.h"
#include "xwalk/base/half_float.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/ordered_bytes.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/base/wide_integer.h"

namespace xwalk::fuzz {
namespace {

/// A number of any of its widths, its bits the input's.
Int256 number(Choices* choices) {
  Int256 out;
  for (uint64_t& limb : out.limbs) limb = uint64_t{choices->word()} << 32 | choices->word();
  // Small ones as often as large ones.
  size_t limbs = choices->below(5);
  const bool negative = choices->below(2) == 1;
  if (limbs == 4) return out;
  if (limbs == 0) out.limbs[limbs++] &= 0xFF;
  for (; limbs < 4; ++limbs) out.limbs[limbs] = 0;
  return negative ? -out : out;
}

/// Returns the number with its point moved by the text alone: what multiplying writes.
std::string scaled(const Int256& value, int scale) {
  std::string out(scaled_text_size(scale), '\0');
  out.resize(static_cast<size_t>(write_scaled_text(value, scale, out.data()) - out.data()));
  if (value.fits_int128()) {
    std::string narrow(scaled_text_size(scale), '\0');
    narrow.resize(static_cast<size_t>(write_scaled_text(value.low128(), scale, narrow.data()) -
                                      narrow.data()));
    require(narrow == out, "widths write alike", narrow);
  }
  return out;
}

void check_numbers(Choices* choices) {
  const Int256 a = number(choices);
  const Int256 b = number(choices);
  const std::string text = to_decimal_text(a);
  Int256 back;
  require(parse_decimal_text(text, &back) && back == a, "a number is read", text);
  Int128 narrow = 0;
  require(parse_decimal_text(text, &narrow) == a.fits_int128(), "of 128 bits", text);
  if (a.fits_int128()) {
    require(narrow == a.low128() && to_decimal_text(narrow) == text && to_string(narrow) == text,
            "widths write alike", text);
  }
  // Sums and comparisons as those of texts.
  require((a + b) - b == a && -(-a) == a);
  require((a < b) == (b > a) && (a == b) == (a <=> b == 0) && Int256::min() <= a &&
          a <= Int256::max());
  std::string ordered[2];
  append_ordered(a, &ordered[0]);
  append_ordered(b, &ordered[1]);
  require((a < b) == (ordered[0] < ordered[1]), "ordered bytes", text);
  // Powers of ten: zeros at the end of the text, and digits that are cut off.
  const int power = static_cast<int>(choices->below(kInt256Digits + 1));
  Int256 product = a;
  const bool fits = multiply_by_power_of_ten(&product, power);
  Int256 read;
  const std::string zeros(static_cast<size_t>(power), '0');
  require(fits == parse_decimal_text(text + zeros, &read), "it fits as text", text + zeros);
  if (fits) require(product == read && to_decimal_text(product) == (a == 0 ? "0" : text + zeros));
  Int256 quotient = a;
  const PowerOfTenRemainder left = divide_by_power_of_ten(&quotient, power);
  const std::string cut = scaled(a, power);
  require(parse_decimal_text(cut.substr(0, cut.find('.')), &read) && read == quotient,
          "digits are cut off", cut);
  const std::string fraction = power == 0 ? "" : cut.substr(cut.find('.') + 1);
  require(left.exact == (fraction.find_first_not_of('0') == std::string::npos), "exact", cut);
  const std::string half = fraction.empty() ? "" : "5" + std::string(fraction.size() - 1, '0');
  const int where = fraction < half ? -1 : fraction == half ? 0 : 1;
  if (power > 0) require(left.half == where, "half", cut);
  scaled(a, -power);
  if (a.fits_int128()) {
    Int128 small = a.low128();
    const PowerOfTenRemainder same = divide_by_power_of_ten(&small, power);
    require(Int256(small) == quotient && same.exact == left.exact, "widths divide alike", text);
    if (power > 0) require(same.half == left.half, "widths divide alike", text);
    small = a.low128();
    const bool fits_too = multiply_by_power_of_ten(&small, power);
    require(fits_too == (fits && product.fits_int128()), "widths multiply alike", text);
    if (fits_too) require(Int256(small) == product, "widths multiply alike", text);
    const int digits = static_cast<int>(choices->below(kInt128Digits + 1));
    require(fits_digits(a.low128(), digits) == fits_digits(a, digits), "digits", text);
  }
  const int digits = static_cast<int>(choices->below(kInt256Digits + 1));
  const size_t count = text.size() - (a.is_negative() ? 1 : 0);
  require(fits_digits(a, digits) == (a == 0 || count <= static_cast<size_t>(digits)), "digits",
          text);
}

/// Bytes of two's complement of any size.
void check_bytes(Choices* choices) {
  const Int256 value = number(choices);
  const size_t size = 1 + choices->below(40);
  std::string bytes(size, '\0');
  store_big_endian(value, bytes.data(), size);
  Int256 back;
  const bool whole = load_big_endian(bytes, &back) && back == value;
  require(whole == (needed_bytes(value) <= size), "bytes that are needed", to_decimal_text(value));
  Int128 narrow = 0;
  if (value.fits_int128()) {
    require(needed_bytes(value.low128()) == needed_bytes(value), "widths need alike",
            to_decimal_text(value));
    std::string same(size, '\0');
    store_big_endian(value.low128(), same.data(), size);
    require(same == bytes, "widths store alike", to_hex(bytes));
  }
  // As bytes of an input.
  const std::string_view given = choices->rest();
  const bool taken = load_big_endian(given, &back);
  require(load_big_endian(given, &narrow) == (taken && back.fits_int128()), "widths load alike",
          to_hex(given));
  if (!taken) return;
  std::string again(given.size(), '\0');
  store_big_endian(back, again.data(), again.size());
  require(again == given, "bytes come back", to_hex(given));
  char fixed[32];
  store_little_endian(back, fixed);
  require(load_little_endian_256(fixed) == back);
  std::reverse(std::begin(fixed), std::end(fixed));
  require(load_big_endian_256(fixed) == back);
}

void check_number_text(std::string_view text) {
  Int256 wide;
  Int128 narrow = 0;
  const bool taken = parse_decimal_text(text, &wide);
  require(parse_decimal_text(text, &narrow) == (taken && wide.fits_int128()), "widths read alike",
          text);
  const bool minus = text.starts_with('-');
  const std::string_view digits = text.substr(minus ? 1 : 0);
  const bool is_number =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  require(!taken || is_number, "digits alone", text);
  const std::string_view bare =
      digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  if (is_number && bare.size() <= kInt256Digits) require(taken, "so many digits fit", text);
  if (!taken) return;
  const std::string sign = minus && !bare.empty() ? "-" : "";
  require(to_decimal_text(wide) == (bare.empty() ? "0" : sign + std::string(bare)),
          "a number comes back", text);
}

void check_json(std::string_view text) {
  const bool valid = is_valid_json(text);
  // The other reads a number that no double holds as an error, and takes a text before a zero byte.
  const bool other = text.find('\0') == std::string_view::npos &&
                     !text.starts_with("\xEF\xBB\xBF") && nlohmann::json::accept(text);
  require(!other || valid, "JSON is JSON", text);
  const size_t fault = json_fault(text);
  require(fault <= text.size());
  if (!valid) {
    // What is wrong is wrong whatever comes before it is as it is.
    require(!is_valid_json(text.substr(0, fault)) || fault < text.size(), "where it goes wrong",
            text);
    require(json_fault(text.substr(0, fault)) == fault, "the text before is no wrong one", text);
  }
  bool refused = false;
  try {
    check_json_document(text, ErrorCode::Input);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input);
    refused = true;
  }
  const auto opened = static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return c == '[' || c == '{' || c == '\0'; }));
  if (refused) require(opened > kJsonDepth || text.find('\0') != std::string_view::npos);
  if (valid) require(is_valid_json("{\"a\":[1e400," + std::string(text) + "]}"), "in others", text);
}

/// The digits, then the unit by a table.
void check_byte_count(std::string_view text) {
  const std::optional<int64_t> found = parse_byte_count(text);
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string unit(text.substr(digits));
  if (unit.ends_with('B')) unit.pop_back();
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1},        {"k", 1e3},     {"K", 1e3},     {"M", 1e6},     {"G", 1e9},    {"T", 1e12},
      {"ki", 0x1p10}, {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}};
  const auto known = std::ranges::find(kUnits, unit, [](const auto& row) { return row.first; });
  require(!found || (digits > 0 && known != std::end(kUnits)), "a number and a unit", text);
  if (digits == 0 || digits > 15 || known == std::end(kUnits)) return;
  const double product = std::stod(std::string(text.substr(0, digits))) * known->second;
  if (product >= 1 && product < 0x1p62) {
    require(found && std::abs(static_cast<double>(*found) - product) <= product * 1e-12,
            "a number of bytes", text);
  } else if (product < 1 || product > 0x1p64) {
    require(!found, "too few, or too many", text);
  }
}

void check_ordered(Choices* choices) {
  const std::string_view a = choices->text();
  const std::string_view b = choices->text();
  std::string keys[2];
  append_ordered(a, &keys[0]);
  append_ordered(b, &keys[1]);
  require((a < b) == (keys[0] < keys[1]) && (a == b) == (keys[0] == keys[1]), "ordered bytes",
          to_hex(keys[0]));
  require(a == b || (!keys[0].starts_with(keys[1]) && !keys[1].starts_with(keys[0])),
          "none begins another", to_hex(keys[0]));
  const uint64_t x = uint64_t{choices->word()} << 32 | choices->word();
  const uint64_t y = x + choices->byte() - 128;
  keys[0].clear();
  keys[1].clear();
  append_ordered(x, &keys[0]);
  append_ordered(y, &keys[1]);
  require((x < y) == (keys[0] < keys[1]));
  keys[0].clear();
  keys[1].clear();
  append_ordered_signed(x, &keys[0]);
  append_ordered_signed(y, &keys[1]);
  require((static_cast<int64_t>(x) < static_cast<int64_t>(y)) == (keys[0] < keys[1]));
  const Half half{static_cast<uint16_t>(x)};
  if (is_nan(half)) {
    require(std::isnan(widened(half)) && is_nan(narrowed(widened(half))));
  } else {
    require(narrowed(widened(half)) == half);
  }
}

/// Reads one word between single quotes, as a shell does.
std::string shell_word(std::string_view text) {
  std::string out;
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') {
      inside = !inside;
    } else if (!inside && text[i] == '\\' && i + 1 < text.size()) {
      out += text[++i];
    } else {
      require(inside, "nothing outside of quotes", text);
      out += text[i];
    }
  }
  return out;
}

void check_text(std::string_view text) {
  require(from_base64(to_base64(text)) == text && from_hex(to_hex(text)) == text);
  require(shell_word(shell_quoted(text)) == text, "a word of a shell", text);
  for (const bool base64 : {true, false}) {
    try {
      const std::string bytes = base64 ? from_base64(text) : from_hex(text);
      std::string same = base64 ? to_base64(bytes) : to_hex(bytes);
      std::string given(text);
      if (base64 && given.ends_with('=')) {
        // The bits of the last digit that no byte has may be any.
        for (std::string* one : {&same, &given}) (*one)[one->find('=') - 1] = 'A';
      } else if (!base64) {
        std::ranges::transform(given, given.begin(), [](char c) {
          return c >= 'A' && c <= 'F' ? static_cast<char>(c | 0x20) : c;
        });
      }
      require(same == given, "bytes are written as read", text);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Input);
    }
  }
  const size_t prefix = utf8_prefix(text);
  require(is_valid_utf8(text.substr(0, prefix)) && is_valid_utf8(text) == (prefix == text.size()));
  require(is_valid_utf8(with_escaped_bytes(text)) && is_valid_utf8(quoted(text)) &&
          is_valid_utf8(visible(text)));
  if (is_printable_text(text)) require(is_valid_utf8(text));
  const std::string_view whole = text.substr(0, prefix);
  for (const size_t limit : {size_t{3}, size_t{8}}) {
    const std::string cut = cut_utf8(whole, limit);
    require(cut.size() <= limit && whole.starts_with(cut) && is_valid_utf8(cut));
    require(is_valid_utf8(clipped(text, limit)));
  }
  std::string json;
  append_visible_json(whole, &json);
  require(is_valid_json(json) && nlohmann::json::parse(json).get<std::string>() == whole,
          "visible JSON comes back", json);
}

void check_files(Choices* choices) {
  const uint64_t offset = choices->byte();
  const uint64_t size = choices->below(8) == 7 ? ~uint64_t{0} - choices->byte() : choices->byte();
  const std::string bytes(choices->rest());
  const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(descriptor >= 0 &&
          ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  const auto file = open_random_access(name);
  const auto memory = memory_access(bytes, name);
  require(file->size() == memory->size() && file->name() == memory->name());
  std::string found[2];
  std::string refused[2];
  for (const size_t i : {0, 1}) {
    try {
      found[i] = (i == 0 ? file : memory)->read(offset, size);
      require(found[i] == bytes.substr(offset, size), "bytes of the place", found[i]);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Input);
      refused[i] = error.describe();
    }
  }
  require(found[0] == found[1] && refused[0] == refused[1], "a file is as memory", refused[0]);
  if (!bytes.empty()) {
    // Others may cut it short.
    require(::ftruncate(descriptor, static_cast<off_t>(bytes.size() - 1)) == 0);
    try {
      file->read(0, bytes.size());
      require(false, "a file that became shorter", name);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Input);
    }
  }
  ::close(descriptor);
  try {
    open_random_access(name + "/none");
    require(false, "no such file", name);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Io);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  switch (choices.below(8)) {
    case 0:
      return check_numbers(&choices);
    case 1:
      return check_bytes(&choices);
    case 2:
      return check_number_text(choices.rest());
    case 3:
      return check_json(choices.rest());
    case 4:
      return check_byte_count(choices.rest());
    case 5:
      return check_ordered(&choices);
    case 6:
      return check_text(choices.rest());
    default:
      return check_files(&choices);
  }
}

}  // namespace xwalk::fuzz
