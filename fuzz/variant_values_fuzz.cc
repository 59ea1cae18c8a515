// VARIANT, YSON and JSON against each other: a value of one encoding comes back from the others.
// The first byte chooses the encoding of the rest; of a VARIANT the second says how many bytes are
// metadata. Or it has a list made of objects that share one long name, which the rest gives.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/batch_memory.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/variant/transcode.h"
#include "xwalk/yson/json_text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::fuzz {
namespace {

using namespace variant;
using yson::Node;

struct Owned {
  std::string metadata;
  std::string value;

  Encoded view() const { return {metadata, value}; }
};

Owned finished(Writer* writer, const yson::Buffer& value) {
  yson::Buffer metadata;
  writer->finish(&metadata);
  return {std::string(metadata.view()), std::string(value.view())};
}

/// A rewritten value is the same value and takes no more bytes, and again the same bytes.
void check_rewritten(const Encoded& variant) {
  Writer writer;
  yson::Buffer out;
  require(Reader().to_variant(variant, &writer, &out).ok(), "a value is written again", "");
  const Owned once = finished(&writer, out);
  require(once.value.size() <= variant.value.size(), "in no more bytes", to_hex(once.value));
  yson::Buffer again;
  require(Reader().to_variant(once.view(), &writer, &again).ok());
  const Owned twice = finished(&writer, again);
  require(twice.value == once.value && twice.metadata == once.metadata);
  yson::Buffer a;
  yson::Buffer b;
  const bool known = Reader().to_json(variant, Foreign::Text, &a).ok();
  require(known == Reader().to_json(once.view(), Foreign::Text, &b).ok() && a.view() == b.view());
}

void check_variant(const Encoded& variant) {
  Reader reader;
  const Outcome outcome = reader.check(variant);
  yson::Buffer json;
  yson::Buffer text;
  yson::Buffer exact;
  require(reader.to_json(variant, Foreign::Text, &json).ok() == outcome.ok());
  require(reader.to_yson(variant, yson::Format::Binary, Foreign::Text, &text).ok() == outcome.ok());
  if (!outcome.ok()) {
    require(is_malformed(outcome.fault) || outcome.fault == Fault::NotText ||
                outcome.fault == Fault::TooDeep,
            "what is refused is malformed", describe(outcome.fault));
    return;
  }
  require(is_valid_json(json.view()), "it is JSON", json.view());
  (void)yson::parse(text.view());
  check_rewritten(variant);
  if (!reader.to_yson(variant, yson::Format::Binary, Foreign::Refuse, &exact).ok()) return;
  // What YSON has comes back.
  Writer writer;
  yson::Buffer back;
  require(write_yson_variant(exact.view(), &writer, &back).ok(), "YSON comes back", exact.view());
  const Owned owned = finished(&writer, back);
  yson::Buffer same;
  require(reader.to_yson(owned.view(), yson::Format::Binary, Foreign::Refuse, &same).ok());
  require(same.view() == exact.view(), "the same YSON", to_hex(std::string(same.view())));
}

void check_variant_of(std::string_view bytes) {
  if (bytes.empty()) return;
  const size_t size = std::min<size_t>(static_cast<uint8_t>(bytes[0]), bytes.size() - 1);
  check_variant({bytes.substr(1, size), bytes.substr(1 + size)});
}

void append_word(uint32_t value, std::string* out) {
  char bytes[sizeof(value)];
  store_little_endian(value, bytes);
  out->append(bytes, sizeof(value));
}

/// Returns one object in others, in a list of that many.
Owned with_shared_name(const std::string& name, size_t levels, uint32_t count) {
  Owned out;
  out.metadata = "\xc1";
  append_word(1, &out.metadata);
  append_word(0, &out.metadata);
  append_word(static_cast<uint32_t>(name.size()), &out.metadata);
  out.metadata += name;
  std::string item(1, '\0');
  for (; levels > 0; --levels) {
    // One field, with the first name.
    std::string object("\x02\x01\x00\x00", 4);
    object += static_cast<char>(item.size());
    item = object + item;
  }
  out.value = "\x1f";
  append_word(count, &out.value);
  for (uint32_t i = 0; i <= count; ++i)
    append_word(i * static_cast<uint32_t>(item.size()), &out.value);
  for (uint32_t i = 0; i < count; ++i) out.value += item;
  return out;
}

/// The memory of a value follows its bytes, or is that of a batch.
void check_shared_name(std::string_view bytes) {
  const Allowance any;
  Choices choices(bytes);
  const std::string name(choices.word() % 100'000, 'n');
  const size_t levels = choices.below(40);
  const Owned owned = with_shared_name(name, levels, choices.word() % 10'000);
  const size_t size = owned.metadata.size() + owned.value.size();
  // Text takes as much again, in a buffer that doubles.
  const MemoryTotal total(size);
  const BatchMemoryScope scope(8 * size, WhenFull::Fail);
  try {
    check_variant(owned.view());
  } catch (const Error& error) {
    require_refusal(error, {ErrorCode::Input});
  }
}

/// Says whether a value of YSON is one of VARIANT, from its tree.
bool has_variant(const Node& node) {
  if (!node.attributes().empty()) return false;
  if (node.is(Node::Kind::List)) return std::ranges::all_of(node.as_list(), has_variant);
  if (!node.is(Node::Kind::Map)) return true;
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : node.as_map()) {
    if (!is_valid_utf8(key) || !has_variant(value)) return false;
    keys.push_back(key);
  }
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) == keys.end();
}

void check_yson(std::string_view bytes) {
  Writer writer;
  yson::Buffer out;
  const Outcome outcome = write_yson_variant(bytes, &writer, &out);
  if (outcome.fault == Fault::Yson || outcome.fault == Fault::TooDeep) return;
  const Node node = yson::parse(bytes);
  require(outcome.ok() == has_variant(node), "a value is a VARIANT", describe(outcome.fault));
  if (!outcome.ok()) return;
  const Owned variant = finished(&writer, out);
  yson::Buffer back;
  require(Reader().to_yson(variant.view(), yson::Format::Binary, Foreign::Refuse, &back).ok());
  require(back.view() == yson::print(node, yson::Format::Binary), "YSON comes back", bytes);
  check_rewritten(variant.view());
}

void check_json(std::string_view bytes) {
  Writer writer;
  yson::Buffer out;
  const Outcome outcome = write_json_variant(bytes, &writer, &out);
  if (outcome.fault == Fault::Json) {
    return require(!is_valid_json(bytes), "JSON is taken", bytes);
  }
  if (!outcome.ok()) return;
  require(is_valid_json(bytes), "what is taken is JSON", bytes);
  const Owned variant = finished(&writer, out);
  yson::Buffer json;
  require(Reader().to_json(variant.view(), Foreign::Refuse, &json).ok());
  Writer other;
  yson::Buffer again;
  require(write_json_variant(json.view(), &other, &again).ok(), "JSON comes back", json.view());
  yson::Buffer same;
  require(Reader().to_json(finished(&other, again).view(), Foreign::Refuse, &same).ok());
  require(same.view() == json.view(), "the same JSON", same.view());
  check_rewritten(variant.view());
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  constexpr uint8_t kSharedName = 255;
  if (data.empty()) return;
  const std::string_view bytes = data.substr(1);
  const auto what = static_cast<uint8_t>(data[0]);
  if (what == kSharedName) return check_shared_name(bytes);
  switch (what % 3) {
    case 0:
      return check_variant_of(bytes);
    case 1:
      return check_yson(bytes);
    default:
      return check_json(bytes);
  }
}

}  // namespace xwalk::fuzz
