#include "xwalk/base/text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

namespace xwalk {
namespace {

/// Counts inserted, removed, replaced and swapped characters.
size_t edit_distance(std::string_view word, std::string_view candidate) {
  std::vector<size_t> before(candidate.size() + 1);
  std::vector<size_t> row(candidate.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= word.size(); ++i) {
    std::vector<size_t> next(row.size());
    next[0] = i;
    for (size_t j = 1; j < row.size(); ++j) {
      const size_t substituted = row[j - 1] + (word[i - 1] == candidate[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, substituted});
      const bool swapped =
          i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = std::exchange(row, std::move(next));
  }
  return row.back();
}

}  // namespace

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return out;
}

bool is_valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

namespace {

/// Returns the bytes of the character that a text begins with; 0 where it begins with none.
size_t first_character(std::string_view text) {
  for (size_t length = 1; length <= 4 && length <= text.size(); ++length) {
    if (is_valid_utf8(text.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

size_t utf8_prefix(std::string_view bytes) {
  size_t at = 0;
  while (const size_t length = first_character(bytes.substr(at))) at += length;
  return at;
}

bool is_printable_text(std::string_view bytes) {
  auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
  };
  return std::none_of(bytes.begin(), bytes.end(), is_control) && is_valid_utf8(bytes);
}

std::string quoted(std::string_view text) { return quoted(text, '"'); }

std::string quoted(std::string_view text, char quote) {
  const bool utf8 = is_valid_utf8(text);
  std::string out(1, quote);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !utf8)) {
      out += fmt::format("\\x{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string with_escaped_bytes(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = first_character(text.substr(at));
    if (length > 0) {
      out += text.substr(at, length);
    } else {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[at]));
    }
    at += std::max<size_t>(length, 1);
  }
  return out;
}

std::string cut_utf8(std::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return std::string(text.substr(0, limit));
}

std::string clipped(std::string_view text, size_t limit) {
  if (text.size() <= limit) return quoted(text);
  return xwalk::quoted(cut_utf8(text, limit)) + "…";
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::function<std::string(const std::string&)>& shown) {
  constexpr size_t kMostShown = 3;
  constexpr size_t kLeastPart = 4;
  const std::string lower = ascii_lower(word);
  const size_t most = word.size() / 3;
  std::vector<std::pair<size_t, const std::string*>> close;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(lower, ascii_lower(candidate));
    if (distance <= most) close.emplace_back(distance, &candidate);
  }
  // Names of several parts are also close if they begin with the same one: batch_size, batch_rows.
  const size_t part = lower.find_first_of("_-.");
  if (close.empty() && part != std::string::npos && part >= kLeastPart) {
    for (const std::string& candidate : candidates) {
      if (ascii_lower(candidate).starts_with(lower.substr(0, part + 1))) {
        close.emplace_back(0, &candidate);
      }
    }
  }
  std::ranges::stable_sort(close, {}, &std::pair<size_t, const std::string*>::first);
  // The others are not meant if one is much closer.
  std::erase_if(close, [least = close.empty() ? 0 : close.front().first](const auto& one) {
    return one.first > least + 1;
  });
  if (close.size() > kMostShown) close.resize(kMostShown);
  std::vector<std::string> names;
  for (const auto& [distance, name] : close) names.push_back(shown ? shown(*name) : *name);
  return names.empty() ? "" : "Did you mean " + alternatives(names) + "?";
}

std::string column_hint(std::string_view name, const std::vector<std::string>& columns,
                        const std::function<std::string(const std::string&)>& shown) {
  std::string hint = did_you_mean(name, columns, shown);
  if (!hint.empty() || columns.empty()) return hint;
  constexpr size_t kMostShown = 20;
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    if (names.size() == kMostShown) {
      names.emplace_back("…");
      break;
    }
    names.push_back(shown ? shown(column) : column);
  }
  return "The columns are: " + join(names, ", ");
}

std::string alternatives(const std::vector<std::string>& items) {
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 < items.size() ? ", " : " or ";
    out += items[i];
  }
  return out;
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(uint64_t number, std::string_view word) {
  return fmt::format("{} {}{}", grouped(number), word, number == 1 ? "" : "s");
}

}  // namespace xwalk
