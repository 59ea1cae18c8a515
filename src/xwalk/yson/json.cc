#include "xwalk/yson/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/exact_double.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/utf8.h"
#include "xwalk/yson/parse.h"

namespace xwalk::yson {
namespace {

/// JSON needs up to two levels for one of YSON: the wrapper of a value with attributes.
constexpr size_t kMaxJsonDepth = 3 * size_t{kMaxDepth};

constexpr std::string_view kValueKey = "$value";
constexpr std::string_view kAttributesKey = "$attributes";
constexpr std::string_view kTypeKey = "$type";

/// Returns a double that was read from a text. Throws Error (Input) if it is another number.
double checked_real(double value, const std::string& text) {
  if (is_number_of(value, text)) return value;
  throw Error(ErrorCode::Input, "expected a number that a double holds, found " + clipped(text));
}

std::string utf8_of_latin1(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (char c : bytes) append_utf8(static_cast<unsigned char>(c), &out);
  return out;
}

/// The text is valid UTF-8.
std::string latin1_of_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      out += text[i];
      continue;
    }
    if (byte > 0xC3) {
      throw Error(ErrorCode::Input,
                  "expected code points up to U+00FF, each standing for one byte, found " +
                      clipped(text.substr(i)));
    }
    out += static_cast<char>((byte & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return out;
}

class JsonWriter {
 public:
  explicit JsonWriter(const JsonOptions& options) : options_(options) {}

  void value(const Node& node) {
    bool typed = needs_type(node);
    if (!typed && !node.has_attributes()) return bare(node);
    begin('{');
    if (node.has_attributes()) {
      item(kAttributesKey);
      map(node.attributes());
    }
    if (typed) {
      item(kTypeKey);
      string(kind_name(node.kind()));
    }
    item(kValueKey);
    bare(node);
    end('}');
  }

  std::string take() { return std::move(out_); }

 private:
  bool needs_type(const Node& node) const {
    switch (node.kind()) {
      case Node::Kind::Uint64:
        return options_.annotate_types ||
               node.as_uint64() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
      case Node::Kind::Double:
        return options_.annotate_types || !std::isfinite(node.as_double());
      case Node::Kind::Boolean:
      case Node::Kind::Int64:
      case Node::Kind::String:
        return options_.annotate_types;
      case Node::Kind::Entity:
      case Node::Kind::List:
      case Node::Kind::Map:
        return false;
    }
    return false;
  }

  void bare(const Node& node) {
    switch (node.kind()) {
      case Node::Kind::Entity:
        out_ += "null";
        break;
      case Node::Kind::Boolean:
        out_ += node.as_boolean() ? "true" : "false";
        break;
      case Node::Kind::Int64:
        out_ += std::to_string(node.as_int64());
        break;
      case Node::Kind::Uint64:
        out_ += std::to_string(node.as_uint64());
        break;
      case Node::Kind::Double:
        real(node.as_double());
        break;
      case Node::Kind::String:
        string(node.as_string());
        break;
      case Node::Kind::List:
        begin('[');
        for (const Node& child : node.as_list()) {
          next();
          value(child);
        }
        end(']');
        break;
      case Node::Kind::Map:
        map(node.as_map());
        break;
    }
  }

  void map(const Node::Map& entries) {
    begin('{');
    for (const auto& [key, child] : entries) {
      item(key.starts_with('$') ? "$" + key : key);
      value(child);
    }
    end('}');
  }

  void real(double value) {
    if (std::isnan(value)) {
      out_ += "\"nan\"";
    } else if (std::isinf(value)) {
      out_ += value > 0 ? "\"inf\"" : "\"-inf\"";
    } else {
      char text[32];
      const char* end = std::to_chars(text, text + sizeof(text), value).ptr;
      std::string_view digits(text, static_cast<size_t>(end - text));
      out_ += digits;
      if (digits.find_first_of(".e") == std::string_view::npos) out_ += ".0";
    }
  }

  void string(std::string_view text) {
    if (options_.encode_utf8) {
      out_ += nlohmann::json(utf8_of_latin1(text)).dump();
      return;
    }
    if (!is_valid_utf8(text)) {
      throw Error(ErrorCode::Unsupported,
                  fmt::format("expected UTF-8, which JSON strings are, found {}", clipped(text)));
    }
    out_ += nlohmann::json(text).dump();
  }

  void begin(char bracket) {
    out_ += bracket;
    ++depth_;
    empty_ = true;
  }

  void next() {
    if (!empty_) out_ += ',';
    empty_ = false;
    new_line();
  }

  void item(std::string_view key) {
    next();
    string(key);
    out_ += options_.indent > 0 ? ": " : ":";
  }

  void end(char bracket) {
    --depth_;
    if (!empty_) new_line();
    out_ += bracket;
    empty_ = false;
  }

  void new_line() {
    if (options_.indent <= 0) return;
    out_ += '\n';
    out_.append(depth_ * static_cast<size_t>(options_.indent), ' ');
  }

  JsonOptions options_;
  std::string out_;
  size_t depth_ = 0;
  bool empty_ = true;
};

/// Builds the tree of the JSON itself. `$` keys are interpreted afterwards.
class JsonHandler {
 public:
  JsonHandler(std::string_view text, const JsonOptions& options) : text_(text), options_(options) {}

  bool null() { return put(Node()); }
  bool boolean(bool value) { return put(Node::boolean(value)); }
  bool number_integer(int64_t value) {
    // Called for numbers with a minus only: 0 is -0.
    if (value == 0 && !open_.empty() && open_.back().key == kValueKey) {
      open_.back().minus_zero = true;
    }
    return put(Node::int64(value));
  }
  bool number_unsigned(uint64_t value) {
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return put(Node::uint64(value));
    }
    return put(Node::int64(static_cast<int64_t>(value)));
  }
  bool number_float(double value, const std::string& digits) {
    if (digits.find_first_of(".eE") == std::string::npos) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected an integer of 64 bits, found {}", clipped(digits)));
    }
    return put(Node::real(checked_real(value, digits)));
  }
  bool string(std::string& value) { return put(Node::string(decode(value))); }
  bool binary(std::vector<uint8_t>&) { return false; }
  bool start_object(size_t) { return open(Node::map()); }
  bool key(std::string& key) {
    open_.back().key = decode(key);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(size_t) { return open(Node::list()); }
  bool end_array() { return close(); }
  bool parse_error(size_t position, const std::string& /*last_token*/,
                   const nlohmann::json::exception& failure) {
    constexpr int kNumberOverflow = 406;
    const size_t at = position > 0 ? position - 1 : 0;
    check_string(at);
    const auto [offset, size] = word_at(at);
    const std::string found =
        size == 0 ? "the end of the input" : clipped(std::string(text_.substr(offset, size)));
    const std::string_view expected =
        failure.id == kNumberOverflow ? "a number that a double holds" : "JSON";
    throw Error(ErrorCode::Input, fmt::format("expected {}, found {}", expected, found),
                place_in_text(text_, offset), size == 0 ? kCutHint : "");
  }

  Node take() { return std::move(root_); }

 private:
  static constexpr const char* kCutHint =
      "It ends within a value, as the last line of a file that is cut short.";

  /// Returns the code unit of the escape `\uXXXX` that begins at a byte, or 0 without one.
  uint32_t escaped_unit(size_t at) const {
    constexpr size_t kDigits = 4;
    if (at + 2 + kDigits > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u') return 0;
    uint32_t unit = 0;
    const char* const digits = text_.data() + at + 2;
    const auto [end, failed] = std::from_chars(digits, digits + kDigits, unit, 16);
    return failed == std::errc() && end == digits + kDigits ? unit : 0;
  }
  bool is_high(size_t at) const { return (escaped_unit(at) & 0xfc00U) == 0xd800; }
  bool is_low(size_t at) const { return (escaped_unit(at) & 0xfc00U) == 0xdc00; }

  /// Returns the place of the last escape of a string that begins before a byte in it or at it;
  /// nothing if the byte is in no string.
  std::optional<size_t> escape_before(size_t at) const {
    bool inside = false;
    size_t escape = std::string_view::npos;
    for (size_t i = 0; i < at && i < text_.size(); ++i) {
      if (text_[i] == '"') inside = !inside;
      if (!inside || text_[i] != '\\') continue;
      escape = i++;
    }
    return inside ? std::optional(escape) : std::nullopt;
  }

  /// Refuses a string in which the parser stopped at a byte, if that is due to an escape or to the
  /// byte.
  void check_string(size_t at) const {
    const std::optional<size_t> last = escape_before(at);
    if (!last) return;
    const auto fail = [&](std::string_view expected, size_t from, size_t size) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected {}, found {}", expected, clipped(text_.substr(from, size))),
                  place_in_text(text_, from));
    };
    constexpr size_t kEscape = 6;
    const size_t escape = *last;
    if (escape != std::string_view::npos && at <= escape + kEscape) {
      if (text_.substr(escape + 1, 1) != "u") {
        if (at == escape + 1) fail("an escape of JSON", escape, 2);
      } else if (escaped_unit(escape) == 0 && at < escape + kEscape) {
        fail("\\u and four hexadecimal digits", escape, at - escape);
      }
      const bool has_high = escape >= kEscape && is_high(escape - kEscape);
      if (has_high && !is_low(escape))
        fail("the other half of a surrogate pair", escape - kEscape, kEscape);
      if (is_high(escape) || (is_low(escape) && !has_high)) {
        fail("the other half of a surrogate pair", escape, kEscape);
      }
    }
    if (at >= text_.size()) return;
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < ' ') fail("an escape of a control character", at, 1);
    if (byte >= 0x80) fail("UTF-8", at - 1, 2);
  }

  /// Returns the place and size of the word or the number that a byte is in, else of the byte.
  std::pair<size_t, size_t> word_at(size_t at) const {
    if (at >= text_.size()) return {text_.size(), 0};
    const auto is_word = [&](size_t i) {
      return is_ascii_alnum(text_[i]) ||
             std::string_view("+-._").find(text_[i]) != std::string_view::npos;
    };
    size_t begin = at;
    size_t end = at + 1;
    if (is_word(at)) {
      while (begin > 0 && is_word(begin - 1)) --begin;
      while (end < text_.size() && is_word(end)) ++end;
    }
    return {begin, end - begin};
  }

  std::string decode(const std::string& text) const {
    return options_.encode_utf8 ? latin1_of_utf8(text) : text;
  }

  bool open(Node node) {
    if (open_.size() == kMaxJsonDepth) {
      throw Error(ErrorCode::Input, "expected fewer nested values (the depth limit)");
    }
    open_.push_back({.node = std::move(node)});
    return true;
  }

  bool close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.minus_zero) give_sign(&closed.node.as_map());
    return put(std::move(closed.node));
  }

  bool put(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& last = open_.back(); last.node.is(Node::Kind::List)) {
      last.node.add(std::move(node));
    } else {
      last.node.add(std::move(last.key), std::move(node));
    }
    return true;
  }

  /// Makes the `$value` -0 a double if that is its type.
  void give_sign(Node::Map* wrapper) const {
    const auto type = std::ranges::find(*wrapper, kTypeKey, &Node::Map::value_type::first);
    const bool is_double =
        type == wrapper->end() ? options_.signed_zero : type->second == Node::string("double");
    const auto value = std::ranges::find(*wrapper, kValueKey, &Node::Map::value_type::first);
    if (is_double) value->second = Node::real(-0.0);
  }

  /// A list or map that is not closed yet.
  struct Open {
    Node node;
    std::string key;
    /// The `$value` is -0.
    bool minus_zero = false;
  };

  std::string_view text_;
  JsonOptions options_;
  Node root_;
  std::vector<Open> open_;
};

double parse_special(const std::string& text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error(ErrorCode::Input, "expected nan, inf or -inf, found " + clipped(text));
}

template <typename T>
std::optional<T> parse_whole(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// Parses a scalar written as text; empty if it is invalid for the type.
std::optional<Node> scalar_of_text(const std::string& text, const std::string& type) {
  if (type == "int64") {
    if (const auto value = parse_whole<int64_t>(text)) return Node::int64(*value);
  } else if (type == "uint64") {
    if (const auto value = parse_whole<uint64_t>(text)) return Node::uint64(*value);
  } else if (type == "boolean") {
    if (text == "true" || text == "false") return Node::boolean(text == "true");
  } else if (type == "double" && text != "nan" && text != "inf" && text != "-inf") {
    if (const auto value = parse_whole<double>(text)) {
      return Node::real(checked_real(*value, text));
    }
  }
  return std::nullopt;
}

/// Makes a scalar the type that `$type` says.
Node with_type(Node node, const std::string& type) {
  if (type == kind_name(node.kind())) return node;
  if (node.is(Node::Kind::String)) {
    if (auto scalar = scalar_of_text(node.as_string(), type)) return *std::move(scalar);
  }
  if (type == "uint64" && node.is(Node::Kind::Int64) && node.as_int64() >= 0) {
    return Node::uint64(static_cast<uint64_t>(node.as_int64()));
  }
  if (type == "double" && node.is(Node::Kind::String)) {
    return Node::real(parse_special(node.as_string()));
  }
  if (type == "double" && node.is(Node::Kind::Int64)) {
    const int64_t whole = node.as_int64();
    return Node::real(checked_real(static_cast<double>(whole), std::to_string(whole)));
  }
  if (type == "double" && node.is(Node::Kind::Uint64)) {
    const uint64_t whole = node.as_uint64();
    return Node::real(checked_real(static_cast<double>(whole), std::to_string(whole)));
  }
  throw Error(ErrorCode::Input, fmt::format("expected a value of $type {}, found {}", clipped(type),
                                            kind_name(node.kind())));
}

Node interpret(Node node, size_t depth);

/// `depth` brackets are open already.
void check_depth(size_t depth) {
  if (depth < size_t{kMaxDepth}) return;
  throw Error(ErrorCode::Input, "expected fewer nested values (the depth limit)");
}

Node::Map interpret_entries(Node::Map entries, size_t depth) {
  check_depth(depth);
  for (auto& [key, child] : entries) {
    if (key.starts_with("$$")) {
      key.erase(0, 1);
    } else if (key.starts_with('$')) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected keys, or $value with $attributes and $type, found {}",
                              clipped(key)),
                  {}, "Write a key that begins with a dollar sign with two of them.");
    }
    child = interpret(std::move(child), depth + 1);
  }
  return entries;
}

Node interpret_wrapper(Node::Map&& entries, size_t depth) {
  Node value;
  Node::Map attributes;
  std::string type;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    auto& key = entry->first;
    auto& child = entry->second;
    const auto same = [&](const auto& other) { return other.first == key; };
    if (std::any_of(entries.begin(), entry, same)) {
      throw Error(ErrorCode::Input, fmt::format("expected {} once, found it twice", clipped(key)));
    }
    if (key == kValueKey) {
      value = interpret(std::move(child), depth);
    } else if (key == kAttributesKey) {
      attributes = interpret_entries(std::move(child.as_map()), depth);
    } else if (key == kTypeKey) {
      type = child.as_string();
    } else {
      throw Error(ErrorCode::Input,
                  fmt::format("expected $attributes, $type or $value, found {}", clipped(key)));
    }
  }
  if (!type.empty()) value = with_type(std::move(value), type);
  if (value.has_attributes() && !attributes.empty()) {
    throw Error(ErrorCode::Input, "expected one $attributes of a value, found two");
  }
  for (auto& [key, child] : attributes) value.add_attribute(std::move(key), std::move(child));
  return value;
}

Node interpret(Node node, size_t depth) {
  if (node.is(Node::Kind::List)) {
    check_depth(depth);
    for (Node& item : node.as_list()) item = interpret(std::move(item), depth + 1);
    return node;
  }
  if (!node.is(Node::Kind::Map)) return node;
  Node::Map& entries = node.as_map();
  bool wrapper = std::any_of(entries.begin(), entries.end(),
                             [](const auto& entry) { return entry.first == kValueKey; });
  if (wrapper) return interpret_wrapper(std::move(entries), depth);
  return Node::map(interpret_entries(std::move(entries), depth));
}

}  // namespace

std::string to_json(const Node& node, const JsonOptions& options) {
  JsonWriter writer(options);
  writer.value(node);
  return writer.take();
}

Node from_json(std::string_view text, const JsonOptions& options) {
  JsonHandler handler(text, options);
  nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
  // The parser treats a zero byte as the end of the text.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw Error(ErrorCode::Input, "expected the end of the JSON, found a zero byte",
                place_in_text(text, zero));
  }
  return interpret(handler.take(), 0);
}

}  // namespace xwalk::yson
