// The second codec on the bytes of a schema with every compound type: it refuses or reads, and
// writing the value gives the same bytes. The first byte chooses how the input becomes bytes:
// unchanged; with the ends of the lists and the next row appended; or as choices of tokens for a
// valid row, then with one byte changed.

#include <string>

#include "fuzz/harness.h"
#include "tests/skiff/oracle/node_codec.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/kinds.h"

namespace xwalk::fuzz {
namespace {

using namespace skiff;

void append_tag(WireType wire, size_t tag, std::string* out) {
  out->push_back(static_cast<char>(tag));
  if (tag_width(wire) == 2) out->push_back(static_cast<char>(tag >> 8));
}

void append_tokens(const Type& wire, Choices* choices, std::string* out);

void append_alternative(const Type& wire, size_t tag, Choices* choices, std::string* out) {
  append_tag(wire.wire(), tag, out);
  append_tokens(wire.child(tag), choices, out);
}

/// Appends a value of a type.
void append_tokens(const Type& wire, Choices* choices, std::string* out) {
  const size_t count = wire.children().size();
  if (is_repeated(wire.wire())) {
    while (const size_t choice = choices->byte()) {
      append_alternative(wire, (choice - 1) % count, choices, out);
    }
    append_tag(wire.wire(), max_children(wire.wire()), out);
  } else if (tag_width(wire.wire()) != 0) {
    append_alternative(wire, choices->below(count), choices, out);
  } else if (wire.wire() == WireType::String32) {
    const std::string_view text = choices->text();
    out->push_back(static_cast<char>(text.size()));
    out->append(3, '\0').append(text);
  } else if (wire.wire() == WireType::Boolean) {
    out->push_back(static_cast<char>(choices->below(2)));
  } else {
    for (const Type& child : wire.children()) append_tokens(child, choices, out);
    for (size_t i = 0; i < fixed_width(wire.wire()).value_or(0); ++i) {
      out->push_back(static_cast<char>(choices->byte()));
    }
  }
}

std::string make_bytes(const Type& wire, Choices choices) {
  const size_t way = choices.below(8);
  if (way < 3) {
    constexpr size_t kTokensBehind = 1 + 32 + 8;  // of `o`, `w` and `d`
    std::string bytes(choices.rest());
    if (way != 0) bytes.append(way == 2 ? 3 : 1, '\xff').append(kTokensBehind, '\0');
    return bytes;
  }
  const bool damaged = way == 3;
  const size_t at = damaged ? choices.byte() : 0;
  const auto by = static_cast<char>(damaged ? choices.byte() : 0);
  std::string bytes;
  append_tokens(wire, &choices, &bytes);
  if (damaged) bytes[at % bytes.size()] = by;
  return bytes;
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  static const Binding kBinding = bind_alone(parse_short(
      "tuple<'v':variant16<nothing;tuple<>;int8>;'r':repeated_variant8<int8;repeated_variant16<"
      "string32>>;'o':variant8<nothing;variant8<nothing;boolean>>;'w':int256;'d':double>"));
  const std::string bytes = make_bytes(kBinding.wire, Choices(data));
  Input input(bytes);
  Reader reader(input);
  yson::Node node;
  try {
    node = read_node(kBinding, &reader);
  } catch (const Error&) {
    return;
  }
  std::string out;
  Writer writer(&out);
  write_node(kBinding, node, &writer);
  require(out == bytes.substr(0, reader.position()));
}

}  // namespace xwalk::fuzz
