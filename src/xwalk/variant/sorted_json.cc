#include "xwalk/variant/sorted_json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/variant/fault.h"
#include "xwalk/variant/json_cursor.h"
#include "xwalk/yson/json_writer.h"

namespace xwalk::variant {
namespace {

/// The zeros that a number has at most after its other digits, or between them and the point.
constexpr int64_t kMostZeros = 20;

/// Writes a text that is known to be JSON.
class JsonSorter {
 public:
  JsonSorter(std::string_view json, yson::Buffer* out)
      : cursor_(json), out_(*out), writer_({.wrappers = false}, out) {}

  bool value(int depth) {
    switch (const char first = cursor_.peek()) {
      case '{':
      case '[':
        return depth > 0 && container(first, depth - 1);
      case '"': {
        std::string_view bytes;
        if (cursor_.string(&bytes) != Fault::None) return false;
        writer_.string(bytes);
        return true;
      }
      case 't':
      case 'f':
      case 'n':
        out_.append(cursor_.scalar());
        return true;
      default:
        append_plain_number(cursor_.scalar(), &out_);
        return true;
    }
  }

 private:
  /// A field of an open object: where its name and its value end in the output.
  struct Entry {
    size_t begin;
    size_t name_end;
    size_t end;
  };

  bool container(char bracket, int depth) {
    const bool object = bracket == '{';
    const char closing = object ? '}' : ']';
    cursor_.take(bracket);
    out_.append(bracket);
    const size_t bottom = entries_.size();
    const size_t start = out_.size();
    while (!cursor_.take(closing)) {
      if (cursor_.take(',')) out_.append(',');
      Entry entry{.begin = out_.size(), .name_end = 0, .end = 0};
      if (object) {
        std::string_view name;
        cursor_.peek();
        if (cursor_.string(&name) != Fault::None) return false;
        writer_.key(name);
        entry.name_end = out_.size();
        cursor_.take(':');
      }
      if (!value(depth)) return false;
      entry.end = out_.size();
      if (object) entries_.push_back(entry);
    }
    if (object) sort_fields(bottom, start);
    out_.append(closing);
    return true;
  }

  /// Puts the fields from `bottom` on, whose bytes begin at `start`, in the order of their names.
  void sort_fields(size_t bottom, size_t start) {
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(bottom);
    const std::string_view written = out_.view();
    const auto name = [&](const Entry& entry) {
      return written.substr(entry.begin, entry.name_end - entry.begin);
    };
    if (!std::is_sorted(first, entries_.end(),
                        [&](const Entry& a, const Entry& b) { return name(a) < name(b); })) {
      std::ranges::stable_sort(first, entries_.end(), {}, name);
      sorted_.clear();
      for (auto entry = first; entry != entries_.end(); ++entry) {
        if (entry != first) sorted_ += ',';
        sorted_ += written.substr(entry->begin, entry->end - entry->begin);
      }
      out_.truncate(start);
      out_.append(sorted_);
    }
    // guard(allocate): A list is shortened.
    entries_.resize(bottom);
  }

  JsonCursor cursor_;
  yson::Buffer& out_;
  yson::JsonWriter writer_;
  /// The fields of the open objects.
  std::vector<Entry> entries_;
  std::string sorted_;
};

}  // namespace

bool write_sorted_json(std::string_view json, yson::Buffer* out) {
  return is_valid_json(json) && JsonSorter(json, out).value(kMaxDepth);
}

void append_plain_number(std::string_view number, yson::Buffer* out) {
  std::string digits;
  int64_t exponent = 0;
  bool after_point = false;
  for (size_t i = 0; i < number.size(); ++i) {
    const char c = number[i];
    if (c == 'e' || c == 'E') {
      std::string_view power = number.substr(i + 1);
      if (power.starts_with('+')) power.remove_prefix(1);
      int32_t value = 0;
      const auto [end, failed] = std::from_chars(power.data(), power.data() + power.size(), value);
      // This number has one form: its own.
      if (failed != std::errc()) return out->append(number);
      exponent += value;
      break;
    }
    if (c == '.') {
      after_point = true;
    } else if (is_ascii_digit(c)) {
      if (!digits.empty() || c != '0') digits += c;
      if (after_point) --exponent;
    }
  }
  while (digits.ends_with('0')) {
    digits.pop_back();
    ++exponent;
  }
  if (number.starts_with('-')) out->append('-');
  if (digits.empty()) return out->append('0');
  const auto size = static_cast<int64_t>(digits.size());
  if (exponent >= 0 && exponent <= kMostZeros) {
    digits.append(static_cast<size_t>(exponent), '0');
  } else if (exponent < 0 && exponent >= -size - kMostZeros) {
    const int64_t before = size + exponent;
    if (before <= 0) digits.insert(0, static_cast<size_t>(1 - before), '0');
    digits.insert(static_cast<size_t>(std::max<int64_t>(before, 1)), 1, '.');
  } else {
    digits += 'e' + std::to_string(exponent);
  }
  out->append(digits);
}

}  // namespace xwalk::variant
