// The checked reader on the bytes of a schema with every compound type: it refuses or reads, and a
// writer with the same tokens writes the same bytes. The first byte chooses how the input becomes
// bytes: unchanged; with the ends of the lists and the next row appended; or as choices of tokens
// for a valid row, then with one byte changed. Sometimes tokens go from a checked reader to a
// checked writer, and values may be skipped.

#include <optional>
#include <string>

#include "fuzz/harness.h"
#include "tests/skiff/oracle/node_codec.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/kinds.h"
#include "xwalk/skiff/reader.h"
#include "xwalk/skiff/writer.h"

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

/// Takes one token of a wire type and hands it on. Returns the tag of a variant.
template <typename From, typename To>
size_t pass_token(WireType wire, From* from, To* to) {
  const auto pass = [&]<WireType of>() -> size_t {
    const auto value = from->template read<of>();
    to->template write<of>(value);
    if constexpr (of >= WireType::Variant8) return value;
    return 0;
  };
  switch (wire) {
    case WireType::Boolean:
      return pass.template operator()<WireType::Boolean>();
    case WireType::Int8:
      return pass.template operator()<WireType::Int8>();
    case WireType::Int16:
      return pass.template operator()<WireType::Int16>();
    case WireType::Int32:
      return pass.template operator()<WireType::Int32>();
    case WireType::Int64:
      return pass.template operator()<WireType::Int64>();
    case WireType::Int128:
      return pass.template operator()<WireType::Int128>();
    case WireType::Int256:
      return pass.template operator()<WireType::Int256>();
    case WireType::Uint8:
      return pass.template operator()<WireType::Uint8>();
    case WireType::Uint16:
      return pass.template operator()<WireType::Uint16>();
    case WireType::Uint32:
      return pass.template operator()<WireType::Uint32>();
    case WireType::Uint64:
      return pass.template operator()<WireType::Uint64>();
    case WireType::Uint128:
      return pass.template operator()<WireType::Uint128>();
    case WireType::Uint256:
      return pass.template operator()<WireType::Uint256>();
    case WireType::Double:
      return pass.template operator()<WireType::Double>();
    case WireType::String32:
      return pass.template operator()<WireType::String32>();
    case WireType::Yson32:
      return pass.template operator()<WireType::Yson32>();
    case WireType::Variant8:
      return pass.template operator()<WireType::Variant8>();
    case WireType::Variant16:
      return pass.template operator()<WireType::Variant16>();
    case WireType::RepeatedVariant8:
      return pass.template operator()<WireType::RepeatedVariant8>();
    case WireType::RepeatedVariant16:
      return pass.template operator()<WireType::RepeatedVariant16>();
    case WireType::Nothing:
    case WireType::Tuple:
      break;
  }
  return 0;
}

/// Takes the tokens of one value. At the token whose number is given, asks for one of another wire
/// type.
class Passage {
 public:
  Passage(CheckedReader* from, CheckedWriter* to, size_t wrong)
      : from_(*from), to_(*to), wrong_(wrong) {}

  void value(const Type& type) {
    const WireType wire = type.wire();
    if (is_repeated(wire)) {
      while (true) {
        const size_t tag = token(wire);
        if (tag == max_children(wire)) return;
        value(type.child(tag));
      }
    }
    if (tag_width(wire) != 0) return value(type.child(token(wire)));
    if (wire == WireType::Tuple) {
      for (const Type& child : type.children()) value(child);
    } else if (wire != WireType::Nothing) {
      token(wire);
    }
  }

 private:
  size_t token(WireType wire) {
    if (count_++ == wrong_) {
      const uint64_t before = from_.position();
      const WireType other = wire == WireType::Int8 ? WireType::Variant16 : WireType::Int8;
      std::string ignored;
      Writer writer(&ignored);
      try {
        pass_token(other, &from_, &writer);
        require(false);
      } catch (const Error& error) {
        const bool ended = error.code() == ErrorCode::Input && tag_width(other) != 0;
        require(error.code() == ErrorCode::Usage || ended, "another token", error.describe());
        require(ended || from_.position() == before + tag_width(other));
        throw;
      }
    }
    return pass_token(wire, &from_, &to_);
  }

  CheckedReader& from_;
  CheckedWriter& to_;
  size_t wrong_;
  size_t count_ = 0;
};

void check_tokens(const Type& wire, const std::string& bytes, size_t wrong) {
  Input skipped(bytes);
  Reader plain(skipped);
  std::optional<Error> refused;
  try {
    skip_value(wire, &plain);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input);
    refused = error;
  }
  Input input(bytes);
  CheckedReader reader(wire, input);
  std::string out;
  CheckedWriter writer(wire, &out);
  try {
    Passage(&reader, &writer, wrong).value(wire);
  } catch (const Error& error) {
    require(refused || error.code() == ErrorCode::Usage || wrong != SIZE_MAX, "a token is taken",
            error.describe());
    // A half-written row is reported.
    try {
      writer.finish();
      require(writer.between_values());
    } catch (const Error& half) {
      require(half.code() == ErrorCode::Usage && !writer.between_values());
    }
    return;
  }
  require(!refused, "what is skipped is read", refused ? refused->describe() : "");
  require(reader.position() == plain.position() && out == bytes.substr(0, out.size()));
  require(out.size() == reader.position());
  require(reader.between_values() && writer.between_values());
  require(reader.at_end() == (reader.position() == bytes.size()));
  reader.finish();
  writer.finish();
}

}  // namespace

void run(std::string_view data) {
  static const Binding kBinding = bind_alone(parse_short(
      "tuple<'v':variant16<nothing;tuple<>;int8>;'r':repeated_variant8<int8;repeated_variant16<"
      "string32>>;'o':variant8<nothing;variant8<nothing;boolean>>;'w':int256;'d':double>"));
  static const Type kTokens = parse_short(
      "tuple<'l':repeated_variant16<uint8;int16;uint16;tuple<yson32;'u':uint128>>;'a':int32;"
      "uint32;variant8<'x':int64;'y':uint64;variant16<'z':int128;nothing>>;'m':uint256;string32>");
  Choices choices(data);
  const size_t first = choices.byte();
  if (first / 8 % 4 == 3) {
    const Type& wire = first / 32 % 2 == 0 ? kTokens : kBinding.wire;
    const size_t wrong = first / 64 % 2 == 0 ? SIZE_MAX : choices.below(12);
    return check_tokens(wire, make_bytes(wire, choices), wrong);
  }
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
