#include "xwalk/base/utf8.h"
#include "xwalk/yson/escape_internal.h"

namespace xwalk::yson {
namespace {

/// Reads up to `count` hex digits and returns how many there are.
int read_hex(const char* p, const char* end, int count, uint32_t& value) {
  int digits = 0;
  value = 0;
  for (; digits < count && p < end; ++p, ++digits) {
    int digit = kHexDigits[static_cast<unsigned char>(*p)];
    if (digit < 0) break;
    value = value * 16 + static_cast<uint32_t>(digit);
  }
  return digits;
}

}  // namespace

char* unescape_one(const char*& p, const char* end, char* out) {
  char c = *p++;
  uint32_t code = 0;
  switch (c) {
    case 'a':
      *out++ = '\a';
      break;
    case 'b':
      *out++ = '\b';
      break;
    case 'f':
      *out++ = '\f';
      break;
    case 'n':
      *out++ = '\n';
      break;
    case 'r':
      *out++ = '\r';
      break;
    case 't':
      *out++ = '\t';
      break;
    case 'v':
      *out++ = '\v';
      break;
    case 'x': {
      int digits = read_hex(p, end, 2, code);
      *out++ = digits == 0 ? 'x' : static_cast<char>(code);
      p += digits;
      break;
    }
    case 'u': {
      if (read_hex(p, end, 4, code) < 4) {
        *out++ = 'u';
        break;
      }
      p += 4;
      bool leads = code >= 0xD800 && code < 0xDC00;
      uint32_t low = 0;
      if (leads && end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
          read_hex(p + 2, end, 4, low) == 4) {
        p += 6;
        bool trails = low >= 0xDC00 && low < 0xE000;
        code = trails ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
      }
      out = write_utf8(code, out);
      break;
    }
    case 'U':
      if (read_hex(p, end, 8, code) < 8) {
        *out++ = 'U';
        break;
      }
      p += 8;
      out = write_utf8(code, out);
      break;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': {
      code = static_cast<uint32_t>(c - '0');
      int more = c <= '3' ? 2 : 1;
      for (; more > 0 && p < end && *p >= '0' && *p <= '7'; --more, ++p) {
        code = code * 8 + static_cast<uint32_t>(*p - '0');
      }
      *out++ = static_cast<char>(code);
      break;
    }
    default:
      *out++ = c;
  }
  return out;
}

}  // namespace xwalk::yson
