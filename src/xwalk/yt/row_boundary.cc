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

}  // namespace

Boundary find_row_end(const char*& p, const char* end) {
  std::vector<char> open;
  while (p < end) {
    char c = *p;
    yson::Status status = yson::Status::Ok;
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
        // A closing `>` at the top leads to the value that the attributes belong to.
        if (open.empty() && c != '>') return Boundary::Found;
        continue;
      case '"': {
        const char* at = p + 1;
        std::string_view raw;
        bool escaped;
        status = yson::read_quoted(at, end, raw, escaped);
        if (status != yson::Status::Ok) return of(status);
        p = at;
        break;
      }
      case yson::marker::kString: {
        const char* at = p + 1;
        std::string_view raw;
        status = yson::read_binary_string(at, end, raw);
        if (status != yson::Status::Ok) return of(status);
        p = at;
        break;
      }
      case yson::marker::kInt64:
      case yson::marker::kUint64: {
        const char* at = p + 1;
        uint64_t raw;
        status = yson::read_varint(at, end, raw);
        if (status != yson::Status::Ok) return of(status);
        p = at;
        break;
      }
      case yson::marker::kDouble:
        if (end - p < 9) return Boundary::Truncated;
        p += 9;
        break;
      case yson::marker::kFalse:
      case yson::marker::kTrue:
      case '#':
        ++p;
        break;
      case ';':
      case '=':
        if (open.empty()) return Boundary::Lost;
        ++p;
        continue;
      default:
        if (yson::is_space(c)) {
          ++p;
          continue;
        }
        if (!is_run(c)) return Boundary::Lost;
        while (p < end && is_run(*p)) ++p;
        // An unquoted token at the top level may continue after the available bytes.
        if (p == end) return Boundary::Truncated;
        break;
    }
    if (open.empty()) return Boundary::Found;
  }
  return Boundary::Truncated;
}

}  // namespace xwalk::yt
