#include <vector>

#include "xwalk/yson/scan.h"
#include "xwalk/yt/row_boundary_internal.h"

namespace xwalk::yt {
namespace {

Boundary of(yson::Status status) {
  return status == yson::Status::Truncated ? Boundary::Truncated : Boundary::Lost;
}

/// Bytes of numbers, words and literals, right or wrong.
bool is_run(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '.' || c == '%' || c == '+' || c == '-' ||
         // Bytes that are not tokens at all, inside a row that brackets still delimit.
         static_cast<unsigned char>(c) >= 0x80;
}

/// Moves `p` past a string, number, word or literal.
Boundary skip_scalar(const char*& p, const char* end) {
  const char* at = p + 1;
  yson::Status status = yson::Status::Ok;
  std::string_view raw;
  switch (*p) {
    case '"': {
      bool escaped;
      status = yson::read_quoted(at, end, raw, escaped);
      break;
    }
    case yson::marker::kString:
      status = yson::read_binary_string(at, end, raw);
      break;
    case yson::marker::kInt64:
    case yson::marker::kUint64: {
      uint64_t value;
      status = yson::read_varint(at, end, value);
      break;
    }
    case yson::marker::kDouble:
      if (end - p < 9) return Boundary::Truncated;
      at = p + 9;
      break;
    case yson::marker::kFalse:
    case yson::marker::kTrue:
    case '#':
      break;
    default:
      if (!is_run(*p)) return Boundary::Lost;
      while (p < end && is_run(*p)) ++p;
      // A run without quotes may continue after the available bytes.
      return p == end ? Boundary::Truncated : Boundary::Found;
  }
  if (status != yson::Status::Ok) return of(status);
  p = at;
  return Boundary::Found;
}

}  // namespace

Boundary find_row_end(const char*& p, const char* end) {
  std::vector<char> open;
  while (p < end) {
    const char c = *p;
    switch (c) {
      case '{':
        open.push_back('}');
        ++p;
        continue;
      case '[':
        open.push_back(']');
        ++p;
        continue;
      case '<':
        open.push_back('>');
        ++p;
        continue;
      case '}':
      case ']':
      case '>':
        if (open.empty() || open.back() != c) return Boundary::Lost;
        open.pop_back();
        ++p;
        // After a `>` at the top comes the value that the attributes belong to.
        if (open.empty() && c != '>') return Boundary::Found;
        continue;
      case ';':
      case '=':
        if (open.empty()) return Boundary::Lost;
        ++p;
        continue;
      default:
        break;
    }
    if (yson::is_space(c)) {
      ++p;
      continue;
    }
    const Boundary scalar = skip_scalar(p, end);
    if (scalar != Boundary::Found) return scalar;
    if (open.empty()) return Boundary::Found;
  }
  return Boundary::Truncated;
}

}  // namespace xwalk::yt
