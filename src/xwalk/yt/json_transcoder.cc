#include "xwalk/yt/json_transcoder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/json_plain_internal.h"
#include "xwalk/yt/json_shape_internal.h"
#include "xwalk/yt/json_text_internal.h"

namespace xwalk::yt {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

/// The characters of a JSON string, from after its quote to the next one.
struct Characters {
  std::string_view bytes;
  bool escaped = false;
  bool high = false;  ///< bytes from 0x80
};

/// The caller must ensure that there is a quote, and readable bytes after it.
Characters characters_at(const char* begin) {
  unsigned high = 0;
  const char* const p = find_stop<false>(begin, nullptr, &high);
  Characters found;
  found.high = high != 0;
  found.escaped = *p == '\\';
  found.bytes = {begin, static_cast<size_t>(p - begin)};
  return found;
}

bool has_high(std::string_view bytes) {
  return std::ranges::any_of(bytes, [](char c) { return (c & 0x80) != 0; });
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Returns true where an object begins with a key of one dollar sign. `at` is its bracket.
bool is_wrapper(const char* at, const char* end) {
  ++at;
  while (at < end && (*at == ' ' || *at == '\t')) ++at;
  return end - at > 2 && at[0] == '"' && at[1] == '$' && at[2] != '$';
}

}  // namespace

class JsonTranscoder::Impl {
 public:
  Impl(const TableSchema* table, const ValueOptions& options)
      : form(options.json), has_schema_(table != nullptr) {
    root = std::make_shared<const JsonShape>(compile_json(table, options, &entries_));
    plain_.emplace(*root, form, entries_);
  }
  Impl(const Impl& other)
      : root(other.root),
        form(other.form),
        has_schema_(other.has_schema_),
        entries_(other.entries_),
        plain_(std::in_place, *root, form, entries_) {}

  bool row(std::string_view line, yson::Buffer* out) {
    return plain_->row(line, out, &strings) || careful_row(line, out);
  }

  bool careful_row(std::string_view line, yson::Buffer* out) {
    const size_t before = out->size();
    out_ = out;
    line_ = line;
    steps_.clear();
    failed_ = simdjson::SUCCESS;
    fault = {};
    if (whole()) return true;
    out->truncate(before);
    explain();
    return false;
  }

  size_t place_in_line(std::string_view line, size_t offset) {
    yson::Buffer scratch;
    std::vector<Mark> marks;
    marks_ = &marks;
    (void)careful_row(line, &scratch);
    marks_ = nullptr;
    const auto after =
        std::upper_bound(marks.begin(), marks.end(), offset,
                         [](size_t wanted, const Mark& mark) { return wanted < mark.in_yson; });
    return after == marks.begin() ? 0 : std::prev(after)->in_line;
  }

  std::shared_ptr<const JsonShape> root;
  JsonForm form;
  JsonLineFault fault;
  Strings strings;

 private:
  /// Where a value or key begins in both.
  struct Mark {
    size_t in_yson;
    size_t in_line;
  };

  bool whole() {
    if (parser_.capacity() < line_.size()) {
      // Not for each line that is a little longer than those before.
      const error_code failed = parser_.allocate(std::bit_ceil(line_.size()));
      if (failed != simdjson::SUCCESS) return fail(failed);
    }
    ondemand::document document;
    const error_code failed =
        parser_.iterate(line_.data(), line_.size(), line_.size() + kPadding).get(document);
    if (failed != simdjson::SUCCESS) return fail(failed);
    const size_t begin = line_.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line_[begin] != '{') {
      return refuse("expected a row as an object", line_.data() + std::min(begin, line_.size()));
    }
    const char* const start = line_.data() + begin;
    if (!form.plain && is_wrapper(start, line_.data() + line_.size())) {
      std::string_view text = line_.substr(begin);
      if (!wrapper(trimmed_json(text), any_json(), true)) return false;
    } else {
      ondemand::object object;
      if (const error_code wrong = document.get_object().get(object)) return fail(wrong);
      mark(start);
      if (!fields(object, *root, 0)) return false;
      if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
        return fail(simdjson::TAPE_ERROR);
      }
    }
    out_->append(';');
    return true;
  }

  bool value(ondemand::value item, const JsonShape& node, int depth) {
    const std::string_view token = item.raw_json_token();
    const char* const at = token.data();
    mark(at);
    switch (*at) {
      case 'n':
        if (trimmed_json(token) == "null") {
          out_->append('#');
          return true;
        }
        return word(token, node);
      case 't':
      case 'f': {
        bool truth = false;
        if (const error_code wrong = item.get_bool().get(truth)) return fail(wrong, at);
        out_->append(truth ? yson::marker::kTrue : yson::marker::kFalse);
        return true;
      }
      case '"':
        return string(item, at + 1, node);
      case '[': {
        ondemand::array array;
        if (const error_code wrong = item.get_array().get(array)) return fail(wrong, at);
        return list(array, node, depth, at);
      }
      case '{':
        return object(item, node, depth, at);
      default:
        if (*at != '-' && (*at < '0' || *at > '9')) return word(token, node);
        return number(item, token, node);
    }
  }

  /// Handles tokens that are not standard JSON, except the infinities that the format allows.
  bool word(std::string_view token, const JsonShape& node) {
    const bool real = node.kind == JsonKind::Real || node.kind == JsonKind::Any;
    if (form.not_finite == NotFinite::Unquoted && real) {
      if (const auto found = special_number(trimmed_json(token))) return put(*found);
    }
    return fail(simdjson::TAPE_ERROR, token.data());
  }

  /// Some versions of simdjson let the digits after `0.` overflow 64 bits undetected. Numbers with
  /// that many digits use xwalk's parser.
  static error_code read_double(ondemand::value item, std::string_view token, double* real) {
    constexpr size_t kFewDigits = 19;
    if (token.size() > kFewDigits && is_json_number(trimmed_json(token))) {
      const char* p = token.data();
      yson::Number number;
      const yson::Status status = yson::read_number(p, p + token.size(), number);
      if (status == yson::Status::Ok && number.kind == yson::NumberKind::Double) {
        *real = number.real;
        return std::isfinite(*real) ? simdjson::SUCCESS : simdjson::NUMBER_ERROR;
      }
    }
    return item.get_double().get(*real);
  }

  bool number(ondemand::value item, std::string_view token, const JsonShape& node) {
    switch (node.kind) {
      case JsonKind::Real: {
        double real = 0;
        if (read_double(item, token, &real) == simdjson::SUCCESS) {
          const std::string_view digits = trimmed_json(token);
          if (const auto held = number_of(real, digits, node.bits)) return put(*held);
          return refuse_inexact(digits, real, node);
        }
        if (token.starts_with("-inf")) return word(token, node);
        break;
      }
      case JsonKind::Unsigned: {
        uint64_t natural = 0;
        if (item.get_uint64().get(natural) == simdjson::SUCCESS) return put(natural);
        // -0 is the integer 0.
        int64_t zero = 0;
        if (item.get_int64().get(zero) == simdjson::SUCCESS && zero == 0) return put(uint64_t{0});
        break;
      }
      case JsonKind::Signed:
      case JsonKind::Any:
      case JsonKind::Boolean:
      case JsonKind::Box:
      case JsonKind::List:
      case JsonKind::Fields:
      case JsonKind::Variant:
      case JsonKind::Dict:
        break;
    }
    int64_t integer = 0;
    if (item.get_int64().get(integer) == simdjson::SUCCESS) return put(integer);
    uint64_t natural = 0;
    if (item.get_uint64().get(natural) == simdjson::SUCCESS) return put(natural);
    double real = 0;
    const error_code wrong = read_double(item, token, &real);
    token = trimmed_json(token);
    const bool whole = token.find_first_not_of("0123456789", 1) == std::string_view::npos;
    if (whole && node.kind != JsonKind::Real && token.size() > 1 &&
        (token[0] == '-' || token[0] > '0')) {
      if (!has_schema_) {
        if (wrong == simdjson::SUCCESS && is_number_of(real, token)) return put(real);
        out_->append(kBeyondAll);
        return true;
      }
      return refuse("expected an integer of 64 bits, found " + clipped(token), token.data(),
                    "Written as a string, a column of text or of decimal holds it. " +
                        hub::mention(hub::Option::OnError, "skip") + " " +
                        hub::mention(hub::Option::Rejects, "FILE") + " keeps such rows apart.");
    }
    if (wrong == simdjson::SUCCESS) {
      return is_number_of(real, token) ? put(real) : refuse_inexact(token, real, node);
    }
    if (token.starts_with("-i")) return word(token, node);
    if (parse_number<double>(token) || token.find_first_not_of("0123456789+-.eE") != token.npos) {
      return fail(wrong, token.data());
    }
    return refuse("expected a number that a double holds, found " + clipped(token), token.data());
  }

  /// `real` is the nearest double.
  bool refuse_inexact(std::string_view token, double real, const JsonShape& node) {
    const bool is_float = node.bits == kFloatBits;
    std::string hint;
    if (is_float && is_number_of(real, token)) {
      hint = "A column of double holds it.";
    } else if (parse_number<int64_t>(token) || parse_number<uint64_t>(token)) {
      hint = "A column of any type holds it.";
    }
    return refuse(fmt::format("expected a number that a {} holds, found {}",
                              is_float ? "float" : "double", clipped(token)),
                  token.data(), std::move(hint));
  }

  bool put(double real) {
    out_->set_end(yson::write_binary_double(out_->reserve(yson::kMaxScalarBytes), real));
    return true;
  }
  bool put(int64_t integer) {
    out_->set_end(yson::write_binary_int64(out_->reserve(yson::kMaxScalarBytes), integer));
    return true;
  }
  bool put(uint64_t natural) {
    out_->set_end(yson::write_binary_uint64(out_->reserve(yson::kMaxScalarBytes), natural));
    return true;
  }
  bool put(std::string_view bytes) {
    char* const begin = out_->reserve(yson::max_binary_string_bytes(bytes.size()));
    out_->set_end(yson::write_binary_string(begin, bytes));
    return true;
  }

  bool string(ondemand::value item, const char* begin, const JsonShape& node) {
    Characters found = characters_at(begin);
    if (found.escaped) {
      if (const error_code wrong = item.get_string().get(found.bytes)) return fail(wrong, begin);
      found.high = has_high(found.bytes);
    } else {
      ondemand::raw_json_string raw;
      if (const error_code wrong = item.get_raw_json_string().get(raw)) return fail(wrong, begin);
    }
    if (typed(found.bytes, node)) return true;
    if (found.high && !decode(&found.bytes, begin)) return false;
    return put(found.bytes);
  }

  /// Takes a string for what it says, where the type of the value and the format allow that.
  bool typed(std::string_view text, const JsonShape& node) {
    switch (node.kind) {
      case JsonKind::Real:
        if (form.reads_specials()) {
          if (const auto found = special_number(text)) return put(*found);
        }
        if (!form.stringify || !is_json_number(text)) return false;
        if (const auto found = parse_number<double>(text)) {
          if (const auto held = number_of(*found, text, node.bits)) return put(*held);
        }
        return false;
      case JsonKind::Signed:
        if (!form.stringify) return false;
        if (const auto found = parse_number<int64_t>(text)) return put(*found);
        return false;
      case JsonKind::Unsigned:
        if (!form.stringify) return false;
        if (const auto found = parse_number<uint64_t>(text)) return put(*found);
        return false;
      case JsonKind::Boolean:
        if (!form.stringify || (text != "true" && text != "false")) return false;
        out_->append(text == "true" ? yson::marker::kTrue : yson::marker::kFalse);
        return true;
      case JsonKind::Any:
      case JsonKind::Box:
      case JsonKind::List:
      case JsonKind::Fields:
      case JsonKind::Variant:
      case JsonKind::Dict:
        return false;
    }
    return false;
  }

  /// Puts a string that has more than ASCII into the bytes it stands for.
  bool decode(std::string_view* text, const char* at) {
    if (!decode_json_string(text, form.encode_utf8, &decoded_, &strings)) {
      return refuse(
          "expected code points up to U+00FF, each standing for one byte, found " + clipped(*text),
          at, "Text that is UTF-8 is read with <encode_utf8=%false>json.");
    }
    return true;
  }

  bool list(ondemand::array array, const JsonShape& node, int depth, const char* at) {
    if (depth >= yson::kMaxDepth) return too_deep(at);
    out_->append('[');
    size_t index = 0;
    const JsonEntry* chosen = nullptr;
    for (auto result : array) {
      ondemand::value item;
      if (const error_code wrong = result.get(item)) return fail(wrong);
      const JsonShape* its = &any_json();
      switch (node.kind) {
        case JsonKind::Box:
        case JsonKind::List:
          its = node.entries.front().shape.get();
          break;
        case JsonKind::Fields:
          if (index < node.entries.size()) its = node.entries[index].shape.get();
          break;
        case JsonKind::Variant:
          if (index == 0 && node.by_number) its = &signed_json();
          if (index == 1 && chosen != nullptr) its = chosen->shape.get();
          break;
        case JsonKind::Dict:
          its = nullptr;
          break;
        case JsonKind::Any:
        case JsonKind::Signed:
        case JsonKind::Unsigned:
        case JsonKind::Real:
        case JsonKind::Boolean:
          break;
      }
      const bool names = node.kind == JsonKind::Variant && index == 0;
      const std::string_view token = names ? item.raw_json_token() : std::string_view();
      const size_t before = out_->size();
      const bool fine = its != nullptr ? value(item, *its, depth + 1) : pair(item, node, depth + 1);
      if (!fine) return step({Path::Step::Kind::ItemAt, "", index});
      if (names) chosen = node.alternative(token, out_->view().substr(before));
      out_->append(';');
      ++index;
    }
    out_->append(']');
    return true;
  }

  /// Reads the key and the value of a dict.
  bool pair(ondemand::value item, const JsonShape& dict, int depth) {
    const char* const at = item.raw_json_token().data();
    if (*at != '[') return value(item, any_json(), depth);
    if (depth >= yson::kMaxDepth) return too_deep(at);
    mark(at);
    ondemand::array array;
    if (const error_code wrong = item.get_array().get(array)) return fail(wrong, at);
    out_->append('[');
    size_t index = 0;
    for (auto result : array) {
      ondemand::value part;
      if (const error_code wrong = result.get(part)) return fail(wrong);
      const JsonShape& its = index < dict.entries.size() ? *dict.entries[index].shape : any_json();
      if (!value(part, its, depth + 1)) return false;
      out_->append(';');
      ++index;
    }
    out_->append(']');
    return true;
  }

  bool object(ondemand::value item, const JsonShape& node, int depth, const char* at) {
    ondemand::object object;
    if (const error_code wrong = item.get_object().get(object)) return fail(wrong, at);
    if (!form.plain && is_wrapper(at, line_.data() + line_.size())) {
      std::string_view text;
      if (const error_code wrong = object.raw_json().get(text)) return fail(wrong, at);
      return wrapper(text, node);
    }
    return fields(object, node, depth);
  }

  bool fields(ondemand::object object, const JsonShape& node, int depth) {
    if (depth >= yson::kMaxDepth) return too_deep(line_.data());
    out_->append('{');
    size_t expected = 0;
    for (auto result : object) {
      ondemand::field field;
      if (const error_code wrong = std::move(result).get(field)) return fail(wrong);
      const char* const raw = field.key().raw();
      Characters key = characters_at(raw);
      if (key.escaped) {
        if (const error_code wrong = field.unescaped_key().get(key.bytes)) return fail(wrong, raw);
        key.high = has_high(key.bytes);
      }
      if (key.high && form.encode_utf8 && !decode(&key.bytes, raw)) return false;
      if (!form.plain && key.bytes.starts_with('$')) {
        key.bytes.remove_prefix(1);
        if (!key.bytes.starts_with('$')) {
          return refuse("expected keys, or $value with $attributes and $type, found " +
                            clipped("$" + std::string(key.bytes)),
                        raw,
                        "A key that begins with a dollar sign is written with two; "
                        "<plain=%true>json takes keys as they are.");
        }
      }
      mark(raw - 1);
      const JsonEntry* entry = nullptr;
      const JsonShape* its = &any_json();
      if (node.kind == JsonKind::Fields) {
        entry = node.find(key.bytes, &expected);
        if (entry != nullptr) its = entry->shape.get();
      } else if (node.kind == JsonKind::Dict) {
        its = node.entries.back().shape.get();
      }
      if (entry != nullptr) {
        out_->append(entry->key.bytes);
      } else {
        put(key.bytes);
        out_->append('=');
      }
      if (!value(field.value(), *its, depth + 1)) {
        // What `key` refers to may be written over by now.
        std::string name(entry != nullptr ? entry->name : characters_at(raw).bytes);
        return step({Path::Step::Kind::Field, std::move(name), 0});
      }
      out_->append(';');
    }
    out_->append('}');
    return true;
  }

  /// Reads a value that says its type or has attributes. Those of a control entity, in the place of
  /// a row, are numbers and booleans.
  bool wrapper(std::string_view text, const JsonShape& node, bool row = false) {
    yson::Node found;
    try {
      found = yson::from_json(
          text, {.encode_utf8 = form.encode_utf8, .signed_zero = node.kind == JsonKind::Real});
    } catch (const Error& error) {
      const size_t column = error.place().column.value_or(1) - 1;
      return refuse(error.message(), text.data() + std::min(column, text.size()), error.hint());
    }
    if (!found.has_attributes()) {
      if (found.is(yson::Node::Kind::String) && typed(found.as_string(), node)) return true;
      if (found.is(yson::Node::Kind::Int64)) {
        if (node.kind == JsonKind::Real && fits_bits(found.as_int64(), node.bits)) {
          return put(static_cast<double>(found.as_int64()));
        }
        const bool natural = node.kind == JsonKind::Unsigned && found.as_int64() >= 0;
        if (natural) return put(static_cast<uint64_t>(found.as_int64()));
      }
    }
    if (row && form.stringify && found.is(yson::Node::Kind::Entity)) found = destringified(found);
    out_->append(yson::print(found, yson::Format::Binary));
    return true;
  }

  /// Returns an entity whose attributes are what their strings say.
  static yson::Node destringified(const yson::Node& entity) {
    yson::Node out;
    for (const auto& [key, value] : entity.attributes()) {
      yson::Node its = value;
      if (value.is(yson::Node::Kind::String) && !value.has_attributes()) {
        const std::string& text = value.as_string();
        if (const auto number = parse_number<int64_t>(text)) its = yson::Node::int64(*number);
        if (text == "true" || text == "false") its = yson::Node::boolean(text == "true");
      }
      out.add_attribute(key, std::move(its));
    }
    return out;
  }

  void mark(const char* at) {
    if (marks_ != nullptr) {
      marks_->push_back({out_->size(), static_cast<size_t>(at - line_.data())});
    }
  }

  bool step(Path::Step step) {
    steps_.push_back(std::move(step));
    return false;
  }
  bool fail(error_code code, const char* at = nullptr) {
    failed_ = code;
    fault.offset = at == nullptr ? 0 : static_cast<size_t>(at - line_.data());
    return false;
  }
  bool refuse(std::string message, const char* at, std::string hint = {}) {
    fault.message = std::move(message);
    fault.hint = std::move(hint);
    fault.offset = static_cast<size_t>(at - line_.data());
    return false;
  }
  bool too_deep(const char* at) {
    return refuse("expected fewer nested values (the depth limit)", at);
  }

  /// Reports why a line is not JSON. Another parser gives the position.
  void explain() {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      fault.path = fault.path.below(*step);
    }
    if (!fault.message.empty()) return;
    if (failed_ == simdjson::CAPACITY || failed_ == simdjson::MEMALLOC) throw std::bad_alloc();
    try {
      (void)yson::from_json(line_);
    } catch (const Error& error) {
      fault.message = error.message();
      fault.hint = error.hint();
      const size_t column = error.place().column.value_or(fault.offset + 1) - 1;
      fault.offset = std::min(column, line_.size());
      return;
    }
    fault.message = fmt::format("expected JSON: {}", simdjson::error_message(failed_));
  }

  bool has_schema_;
  size_t entries_ = 0;
  std::optional<PlainJson> plain_;
  ondemand::parser parser_;
  std::string_view line_;
  yson::Buffer* out_ = nullptr;
  std::vector<Mark>* marks_ = nullptr;
  std::vector<Path::Step> steps_;
  std::string decoded_;
  error_code failed_ = simdjson::SUCCESS;
};

JsonTranscoder::JsonTranscoder(const TableSchema* schema, const ValueOptions& options)
    : impl_(std::make_unique<Impl>(schema, options)) {}
JsonTranscoder::~JsonTranscoder() = default;
JsonTranscoder::JsonTranscoder(const JsonTranscoder& other)
    : impl_(std::make_unique<Impl>(*other.impl_)) {}

bool JsonTranscoder::row(std::string_view line, yson::Buffer* out) { return impl_->row(line, out); }
bool JsonTranscoder::careful_row(std::string_view line, yson::Buffer* out) {
  return impl_->careful_row(line, out);
}
const JsonLineFault& JsonTranscoder::fault() const { return impl_->fault; }
size_t JsonTranscoder::place_in_line(std::string_view line, size_t offset) {
  return impl_->place_in_line(line, offset);
}
const JsonTranscoder::Strings& JsonTranscoder::strings() const { return impl_->strings; }

}  // namespace xwalk::yt
