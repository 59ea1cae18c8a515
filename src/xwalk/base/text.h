#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xwalk {

constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii_alnum(char c) { return is_ascii_digit(c) || is_ascii_alpha(c); }

/// Returns true if the bytes are valid UTF-8 (RFC 3629: no surrogates, no overlong forms).
bool is_valid_utf8(std::string_view bytes);

/// Returns how many bytes at the beginning are valid UTF-8, whole characters.
size_t utf8_prefix(std::string_view bytes);

/// Returns true if the bytes are valid UTF-8 without control characters except tab, CR and LF.
/// Distinguishes a text schema from a binary one, whose lengths and tags are small bytes.
bool is_printable_text(std::string_view bytes);

/// Returns a text with the letters A to Z in lower case.
std::string ascii_lower(std::string_view text);

/// Returns the text between double quotes, with C escapes for quotes, backslashes, control
/// characters and bytes that are not UTF-8. Meant for messages.
std::string quoted(std::string_view text);
/// The same between other quotes.
std::string quoted(std::string_view text, char quote);

/// Returns the text quoted as above, cut to about `limit` bytes with an ellipsis.
std::string clipped(std::string_view text, size_t limit = 40);
/// Returns the text with `\xFF` in the place of each byte that is not UTF-8.
std::string with_escaped_bytes(std::string_view text);
/// Returns at most `limit` bytes of a text, whole characters.
std::string cut_utf8(std::string_view text, size_t limit);

/// Returns a text as one word of a POSIX shell, between single quotes.
std::string shell_quoted(std::string_view text);

/// Suggests up to three candidates for a mistyped text: "Did you mean int32 or int8?". Each differs
/// in at most a third of the word, or else begins with its part before `_`, `-` or `.`. Ignores
/// case. `shown` returns how a candidate is written.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::function<std::string(const std::string&)>& shown = {});

/// Suggests columns for an unknown name, as `did_you_mean` does; if none is close, lists the
/// first 20.
std::string column_hint(std::string_view name, const std::vector<std::string>& columns,
                        const std::function<std::string(const std::string&)>& shown = {});

/// Joins texts as `a, b or c`.
std::string alternatives(const std::vector<std::string>& items);

/// Joins words with a separator.
std::string join(const std::vector<std::string>& items, std::string_view separator);

/// Returns 3,000,000, and "1 row" or "3,000,000 rows".
std::string grouped(uint64_t number);
std::string counted(uint64_t number, std::string_view word);

}  // namespace xwalk
