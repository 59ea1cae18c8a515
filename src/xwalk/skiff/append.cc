#include "xwalk/skiff/append.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/exact_double.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/skiff/value_walk_internal.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/read_options.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::skiff {

const char* Fault::set(const char* at, std::string message, std::string hint) {
  Place place;
  place.byte = byte_of(at);
  error_.emplace(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
  return nullptr;
}

const char* Fault::set(const char* at, const Error& error) {
  error_ = error;
  Place& place = error_->place();
  // Only errors in YSON have a byte: one of the text, which follows its length.
  place.byte = place.byte ? byte_of(at) + sizeof(uint32_t) + *place.byte : byte_of(at);
  place.line = place.column = std::nullopt;
  return nullptr;
}

const char* Fault::set_cut(const char* at, WireType wire, size_t size, size_t left) {
  return set(at,
             fmt::format("expected {} more bytes of {}, found the end after {}", size,
                         wire_name(wire), left),
             kFetchAgain);
}

const char* Fault::within(Path path) {
  for (const Path::Step* step : error_->place().path.steps()) path = path.below(*step);
  error_->place().path = std::move(path);
  return nullptr;
}

namespace {

using hub::ColumnBuilder;
using yson::Node;
using yt::TypeKind;

/// Returns the name of the token that carries integers of 128 and 256 bits and decimals.
WireType unsigned_token(size_t width) {
  if (width == 4) return WireType::Uint32;
  if (width == 8) return WireType::Uint64;
  return width == 16 ? WireType::Uint128 : WireType::Uint256;
}

[[noreturn]] void fail(std::string message) { throw Error(ErrorCode::Input, std::move(message)); }

/// Throws the error of a string that `yt::append_scalar` or `yt::append_decimal` rejects.
[[noreturn]] void refuse(const yt::ScalarCodec& scalar, std::string_view stored) {
  yt::check_appended(scalar, stored);
  throw Error(ErrorCode::Internal, "expected a string that is refused, found a value");
}

template <typename Value>
void append_integer(const yt::ScalarCodec& scalar, Value value, ColumnBuilder* out) {
  if (!scalar.range.contains(value)) fail(yt::range_fault(scalar.kind, value));
  out->append_integer(static_cast<uint64_t>(value));
}

void append_real(const yt::ScalarCodec& scalar, double value, ColumnBuilder* out) {
  if (scalar.kind != TypeKind::Float) return out->append(value);
  if (!is_float_for(value)) fail(yt::float_fault(value));
  out->append(static_cast<float>(value));
}

void append_string(const yt::ScalarCodec& scalar, std::string_view stored, ColumnBuilder* out) {
  if (!yt::append_scalar(scalar, stored, out)) refuse(scalar, stored);
}

void append_decimal(const Codec& codec, const char* at, ColumnBuilder* out) {
  if (yt::append_decimal(codec.scalar, at, out)) return;
  std::string stored(at, codec.wire_width);
  // The system stores big-endian with the sign bit flipped, so that bytes sort as numbers.
  std::ranges::reverse(stored);
  stored[0] = static_cast<char>(stored[0] ^ 0x80);
  refuse(codec.scalar, stored);
}

bool load_boolean(const char* at) {
  const auto byte = static_cast<uint8_t>(*at);
  if (byte <= 1) return byte != 0;
  fail(fmt::format("expected boolean 0 or 1, found {}", byte));
}

/// Returns the bytes of a string, after their length.
std::string_view text_of(const char* at, const char* end) { return {at + sizeof(uint32_t), end}; }

const Node& expect_kind(const Node& node, Node::Kind kind, std::string_view name) {
  if (node.is(kind)) return node;
  fail(fmt::format("expected {}, found {}", name, yson::kind_name(node.kind())));
}

}  // namespace

void append_yson(const yt::ScalarCodec& scalar, bool any, const Node& node, ColumnBuilder* out) {
  const TypeKind kind = scalar.kind;
  if (kind == TypeKind::Yson) {
    if (!any && node.has_attributes()) {
      fail("expected a yson value without attributes, found attributes");
    }
    if (!any && node.is(Node::Kind::Entity)) fail("expected a yson value, found #");
    return out->append_bytes(yson::print(node, yson::Format::Binary));
  }
  if (node.has_attributes()) fail("expected a value without attributes, found attributes");
  if (kind == TypeKind::Bool) {
    return out->append_bool(expect_kind(node, Node::Kind::Boolean, "a boolean").as_boolean());
  }
  if (kind == TypeKind::Double || kind == TypeKind::Float) {
    return append_real(scalar, expect_kind(node, Node::Kind::Double, "a double").as_double(), out);
  }
  if (kind == TypeKind::Null || kind == TypeKind::Void) {
    expect_kind(node, Node::Kind::Entity, "#");
    return out->append_null();
  }
  if (yt::is_unsigned(kind)) {
    return append_integer(scalar, expect_kind(node, Node::Kind::Uint64, "a uint64").as_uint64(),
                          out);
  }
  if (yt::is_integral(kind)) {
    return append_integer(scalar, expect_kind(node, Node::Kind::Int64, "an int64").as_int64(), out);
  }
  append_string(scalar, expect_kind(node, Node::Kind::String, "a string").as_string(), out);
}

namespace {

/// Appends a value that is carried as YSON.
void append_node(const Codec& codec, const Node& node, ColumnBuilder* out) {
  if (codec.form != Form::Present) return append_yson(codec.scalar, codec.any, node, out);
  if (node.is(Node::Kind::Entity) && !node.has_attributes()) return out->append_null();
  append_node(codec.children[0], node, codec.wrapped ? &out->child(0) : out);
  if (codec.wrapped) out->append_struct();
}

/// Appends a value of a column of YSON.
void append_text(const Codec& codec, std::string_view text, yson::Buffer* scratch,
                 ColumnBuilder* out) {
  const Codec& value = codec.form == Form::Present ? codec.children[0] : codec;
  if (value.form == Form::Yson && !codec.wrapped) {
    scratch->clear();
    const char* p = text.data();
    const char* const end = p + text.size();
    const yson::Status status = yson::transcode(p, end, yson::Format::Binary, scratch);
    yson::skip_space(p, end);
    const bool whole = status == yson::Status::Ok && p == end;
    if (whole && scratch->view().front() != '#' && scratch->view().front() != '<') {
      return out->append_bytes(scratch->view());
    }
  }
  // A tree says what is wrong, or is rare.
  append_node(codec, yson::parse(text), out);
}

/// Returns a value of the type `yson` that a simple wire type carries.
Node load_any(const Codec& codec, const char* at, const char* end) {
  switch (codec.form) {
    case Form::Boolean:
      return Node::boolean(load_boolean(at));
    case Form::Signed:
      return Node::int64(load_signed(codec.wire_width, at));
    case Form::Unsigned:
      return Node::uint64(load_unsigned(codec.wire_width, at));
    case Form::Double:
      return Node::real(load_double(at));
    case Form::String:
      return Node::string(std::string(text_of(at, end)));
    case Form::Nothing:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
    case Form::Optional:
    case Form::Present:
    case Form::List:
    case Form::Dict:
    case Form::Tuple:
    case Form::Variant:
      break;
  }
  return {};
}

/// Appends a value that has these bytes and no children. Throws Error (Input) without a path.
[[gnu::always_inline]] inline void append_leaf(const Codec& codec, const char* at, const char* end,
                                               yson::Buffer* scratch, ColumnBuilder* out) {
  if (codec.any && codec.form != Form::Yson && codec.form != Form::Nothing) {
    return out->append_bytes(yson::print(load_any(codec, at, end), yson::Format::Binary));
  }
  switch (codec.form) {
    case Form::Nothing:
      return out->append_null();
    case Form::Boolean:
      return out->append_bool(load_boolean(at));
    case Form::Signed:
      return append_integer(codec.scalar, load_signed(codec.wire_width, at), out);
    case Form::Unsigned:
      return append_integer(codec.scalar, load_unsigned(codec.wire_width, at), out);
    case Form::Double:
      return append_real(codec.scalar, load_double(at), out);
    case Form::String:
      return append_string(codec.scalar, text_of(at, end), out);
    case Form::Yson:
    case Form::YsonOf:
    case Form::Present:
      return append_text(codec, text_of(at, end), scratch, out);
    case Form::Uuid: {
      std::array<char, kUuidSize> stored;
      std::reverse_copy(at, end, stored.begin());
      return append_string(codec.scalar, {stored.data(), stored.size()}, out);
    }
    case Form::Decimal:
      return append_decimal(codec, at, out);
    case Form::Wide:
      return out->append_fixed(at);
    case Form::Zone:
      return append_string(codec.scalar, stored_zone(codec.scalar.kind, at), out);
    case Form::Optional:
      if (!codec.required) return out->append_null();
      fail("expected a value of a required column, found null");
    case Form::List:
    case Form::Dict:
    case Form::Tuple:
    case Form::Variant:
      break;
  }
}

/// What a walk that explains what is wrong with a value fills.
struct Explanation {
  Fault* fault;
  yson::Buffer scratch;
};

/// The context of a walk that appends values to a builder. `Shared` is an explanation, or only the
/// scratch, for values whose structure was checked before.
template <typename Shared>
class Append {
 public:
  static constexpr bool kAppends = true;
  static constexpr bool kTrusts = !std::is_same_v<Shared, Explanation>;

  Append(ColumnBuilder* out, Shared* shared) : out_(out), shared_(shared) {}

  const char* cut(WireType wire, size_t size, const char* at, const char* end) const {
    return explain(
        [=](Fault& fault) { fault.set_cut(at, wire, size, static_cast<size_t>(end - at)); });
  }
  const char* cut_scalar(const Codec& codec, const char* at, const char* end) const {
    const size_t width = codec.wire_width;
    if (codec.form == Form::Zone) {
      const WireType instant = numbered_zone(codec.type).child(0).wire();
      const size_t size = *fixed_width(instant);
      if (static_cast<size_t>(end - at) < size) return cut(instant, size, at, end);
      return cut(WireType::Uint16, sizeof(uint16_t), at + size, end);
    }
    const bool is_wide =
        codec.form == Form::Decimal || codec.form == Form::Uuid || codec.form == Form::Wide;
    return cut(is_wide ? unsigned_token(width) : codec.wire, width, at, end);
  }
  const char* bad_tag(const Codec& codec, size_t below, size_t tag, const char* at) const {
    return explain([&](Fault& fault) {
      fault.set(at, fmt::format("expected a tag of {} below {}, found {}", wire_name(codec.wire),
                                below, tag));
    });
  }
  [[gnu::always_inline]] const char* take(const Codec& codec, const char* at,
                                          const char* end) const {
    try {
      append_leaf(codec, at, end, scratch(), out_);
      return end;
    } catch (const Error& error) {
      return explain([&](Fault& fault) { fault.set(at, error); });
    }
  }
  template <typename Step>
  const char* within(const Step& step) const {
    return explain([&](Fault& fault) { fault.within(step(Path())); });
  }

  Append child(size_t index) const { return {&out_->child(index), shared_}; }
  void open_variant(const Codec& codec, size_t tag) const {
    if (codec.is_union) return out_->append_union(tag);
    for (size_t i = 0; i < codec.children.size(); ++i) {
      if (i != tag) out_->child(i).append_null();
    }
  }
  void close_variant(const Codec& codec) const {
    if (!codec.is_union) out_->append_struct();
  }
  void close_tuple(const Codec& codec) const {
    for (const int member : codec.absent) out_->child(static_cast<size_t>(member)).append_null();
    out_->append_struct();
  }
  void close_struct() const { out_->append_struct(); }
  void close_list() const { out_->append_list(); }

 private:
  /// Lets `set` change the fault, if a walk explains. Returns null.
  template <typename Set>
  const char* explain([[maybe_unused]] const Set& set) const {
    if constexpr (!kTrusts) set(*shared_->fault);
    return nullptr;
  }
  yson::Buffer* scratch() const {
    if constexpr (kTrusts) {
      return shared_;
    } else {
      return &shared_->scratch;
    }
  }

  ColumnBuilder* out_;
  Shared* shared_;
};

}  // namespace

const char* append_value(const Codec& codec, const char* at, const char* end, ColumnBuilder* out,
                         yson::Buffer* scratch) {
  return walk_value(codec, at, end, Append(out, scratch));
}

const char* explain_value(const Codec& codec, const char* at, const char* end, ColumnBuilder* out,
                          Fault* fault) {
  Explanation explanation{fault, {}};
  return walk_value(codec, at, end, Append(out, &explanation));
}

}  // namespace xwalk::skiff
