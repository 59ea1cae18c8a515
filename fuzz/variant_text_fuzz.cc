// Values as text that stands for more than text: sorted JSON, and the types of shredded columns in
// JSON and YSON. The first byte chooses; of noted types the second says how many bytes are types.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "fuzz/harness.h"
#include "xwalk/base/batch_memory.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/hub/cast/noted_variants.h"
#include "xwalk/variant/leaf_types.h"
#include "xwalk/variant/sorted_json.h"
#include "xwalk/variant/text_sinks.h"
#include "xwalk/variant/transcode.h"
#include "xwalk/variant/walk.h"

namespace xwalk::fuzz {
namespace {

using namespace variant;
using hub::cast::AnyText;

std::optional<std::string> sorted(std::string_view json) {
  const MemoryTotal total(json.size());
  yson::Buffer out;
  if (!write_sorted_json(json, &out)) return std::nullopt;
  return std::string(out.view());
}

/// Writes a value with white space and the fields of each object in reverse order.
void append_other_form(const nlohmann::ordered_json& value, std::string* out) {
  const char* separator = "";
  if (value.is_object()) {
    *out += "{ ";
    for (auto field = value.rbegin(); field != value.rend(); ++field) {
      *out += separator + nlohmann::ordered_json(field.key()).dump(-1, ' ', true) + "\n: ";
      append_other_form(field.value(), out);
      separator = " ,";
    }
    *out += '}';
  } else if (value.is_array()) {
    *out += "[\t";
    for (const auto& item : value) {
      *out += separator;
      append_other_form(item, out);
      separator = ", ";
    }
    *out += ']';
  } else {
    *out += value.dump(-1, ' ', true);
  }
}

/// Sorted text is JSON of the same value, is sorted, and does not depend on the form of the text.
void check_sorted(std::string_view json) {
  const std::optional<std::string> once = sorted(json);
  if (!once) return;
  require(is_valid_json(json) && is_valid_json(*once), "sorted text is JSON", *once);
  require(sorted(*once) == once, "sorted text is sorted", *once);
  // The parser keeps one field of a name, and no number's digits.
  using Event = nlohmann::ordered_json::parse_event_t;
  bool kept = json.find("-0") == std::string_view::npos;
  std::vector<std::set<std::string>> names;
  const auto look = [&](int, Event event, nlohmann::ordered_json& parsed) {
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key) kept &= names.back().insert(parsed.get<std::string>()).second;
    if (event == Event::value) kept &= !parsed.is_number_float();
    return true;
  };
  const auto value = nlohmann::ordered_json::parse(json, look, /*allow_exceptions=*/false);
  if (value.is_discarded() || !kept) return;
  std::string other;
  append_other_form(value, &other);
  require(sorted(other) == once, "equal values have equal texts", other);
}

struct Owned {
  std::string metadata;
  std::string value;
};

/// Writes an integer instead of a decimal that equals it, or the double of the same digits or
/// value: YSON has only those.
struct IntegerWriter : Writer {
  void real32(float value) { real(value); }
  void decimal(Int128 unscaled, int scale) {
    if (scale == 0 && unscaled >= INT64_MIN && unscaled <= INT64_MAX) {
      return int64(static_cast<int64_t>(unscaled));
    }
    const bool is_uint64 = scale == 0 && unscaled >= 0 && unscaled <= Int128{UINT64_MAX};
    if (const auto same = double_of_digits(unscaled, scale); same && !is_uint64) return real(*same);
    Writer::decimal(unscaled, scale);
  }
};

/// Returns a value with fields in the order of their names, and few forms of numbers.
Owned plain(const Encoded& variant) {
  Metadata names;
  require(Reader().check(variant).ok() && names.read(variant.metadata).ok());
  IntegerWriter writer;
  yson::Buffer out;
  writer.start(&out);
  Walker<IntegerWriter> walker(names, &writer, FieldOrder::Names);
  require(walker.value(variant.value).ok() && writer.fault() == Fault::None);
  return {std::string(writer.finish()), std::string(out.view())};
}

/// Writes or reads text with noted types. Its memory follows the bytes, or is that of a batch: an
/// escape is six bytes, and fields share names. Returns false for what is refused.
template <typename Work>
bool within(size_t bytes, const Work& work) {
  const MemoryTotal total(bytes);
  const BatchMemoryScope scope(8 * bytes + kBeside / 8, WhenFull::Fail);
  try {
    return work().ok();
  } catch (const Error& error) {
    require_refusal(error, {ErrorCode::Input});
    return false;
  }
}

/// What is written with noted types comes back as the same VARIANT.
void check_noted(const LeafTypes& types, const Encoded& value) {
  for (const AnyText form : {AnyText::Json, AnyText::Yson}) {
    Metadata metadata;
    if (!metadata.read(value.metadata).ok()) return;
    yson::Buffer text;
    const auto write = [&](const Encoded& from, yson::Buffer* to) {
      return within(value.metadata.size() + value.value.size(),
                    [&] { return hub::cast::write_noted(types, form, from, &metadata, to); });
    };
    if (!write(value, &text)) continue;
    require(form == AnyText::Yson || is_valid_json(text.view()), "noted text is JSON", text.view());
    Writer writer;
    yson::Buffer back;
    require(within(text.size(),
                   [&] { return hub::cast::read_noted(types, form, text.view(), &writer, &back); }),
            "noted text is read", text.view());
    yson::Buffer dictionary;
    writer.finish(&dictionary);
    // Text again, since JSON has one form of numbers for several of VARIANT.
    const Encoded read{dictionary.view(), back.view()};
    yson::Buffer again;
    require(metadata.read(read.metadata).ok());
    require(write(read, &again) && again.view() == text.view(), "the value has the same text again",
            text.view());
    if (form == AnyText::Json) continue;
    const Owned before = plain(value);
    const Owned after = plain(read);
    require(before.value == after.value && before.metadata == after.metadata,
            "the same VARIANT comes back from YSON", text.view());
  }
}

void check_types(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const size_t size = std::min<size_t>(static_cast<uint8_t>(bytes[0]), bytes.size() - 2);
  const std::optional<LeafTypes> types = parse_leaf_types(bytes.substr(1, size));
  if (!types) return;
  const std::string text = to_text(*types);
  const std::optional<LeafTypes> again = parse_leaf_types(text);
  require(again && to_text(*again) == text, "types come back", text);
  bytes.remove_prefix(1 + size);
  const size_t names = std::min<size_t>(static_cast<uint8_t>(bytes[0]), bytes.size() - 1);
  const Encoded value{bytes.substr(1, names), bytes.substr(1 + names)};
  if (Reader().check(value).ok()) check_noted(*types, value);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view bytes) {
  if (bytes.empty()) return;
  const bool types = (bytes[0] & 1) != 0;
  bytes.remove_prefix(1);
  types ? check_types(bytes) : check_sorted(bytes);
}

}  // namespace xwalk::fuzz
