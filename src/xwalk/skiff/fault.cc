#include "xwalk/skiff/fault.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/value_rules.h"
#include "xwalk/skiff/value_walk_internal.h"
#include "xwalk/skiff/wire_value.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::skiff {
namespace {

using yson::Node;

/// Returns the name of the token that carries integers of 128 and 256 bits and decimals.
WireType unsigned_token(size_t width) {
  if (width == 4) return WireType::Uint32;
  if (width == 8) return WireType::Uint64;
  return width == 16 ? WireType::Uint128 : WireType::Uint256;
}

/// Parses a value in YSON that begins at `byte` of the row.
Node parse_yson(std::string_view bytes, uint64_t byte) {
  try {
    return yson::parse(bytes);
  } catch (Error& error) {
    error.place().byte = byte + error.place().byte.value_or(0);
    throw;
  }
}

/// Checks a value that has a whole number of bytes. Throws Error (Input) without a path.
class ValueCheck {
 public:
  ValueCheck(const Codec& codec, const char* at, const char* end, uint64_t byte)
      : codec_(codec), at_(at), size_(static_cast<size_t>(end - at)), byte_(byte) {}

  void run() const {
    switch (codec_.form) {
      case Form::Boolean:
        return check_boolean();
      case Form::Signed:
        if (!codec_.any) check_range(codec_.type.kind(), load_signed(codec_.wire_width, at_));
        return;
      case Form::Unsigned:
        if (!codec_.any) check_range(codec_.type.kind(), load_unsigned(codec_.wire_width, at_));
        return;
      case Form::Double:
        if (codec_.scalar.kind == yt::TypeKind::Float) check_float(load_double(at_));
        return;
      case Form::String:
        if (!codec_.any) yt::check_appended(codec_.scalar, text());
        return;
      case Form::Yson:
      case Form::YsonOf:
        return check_yson(codec_, parse_yson(text(), text_byte()));
      case Form::Present: {
        const Node node = parse_yson(text(), text_byte());
        if (!is_null(node)) check_yson(codec_.children[0], node);
        return;
      }
      case Form::Decimal:
        return check_decimal();
      case Form::Zone:
        return yt::check_appended(codec_.scalar, stored_zone(codec_.scalar.kind, at_));
      case Form::Optional:
        // An absent value.
        if (!codec_.required) return;
        throw Error(ErrorCode::Input, "expected a value of a required column, found null");
      case Form::Nothing:
      case Form::Uuid:
      case Form::Wide:
      case Form::List:
      case Form::Dict:
      case Form::Tuple:
      case Form::Variant:
        return;
    }
  }

 private:
  static bool is_null(const Node& node) {
    return node.is(Node::Kind::Entity) && !node.has_attributes();
  }

  std::string_view text() const { return {at_ + sizeof(uint32_t), size_ - sizeof(uint32_t)}; }
  uint64_t text_byte() const { return byte_ + sizeof(uint32_t); }

  void check_boolean() const {
    const auto byte = static_cast<uint8_t>(*at_);
    if (byte <= 1) return;
    throw Error(ErrorCode::Input, fmt::format("expected boolean 0 or 1, found {}", byte));
  }

  static void check_yson(const Codec& codec, const Node& node) {
    if (codec.form == Form::Yson) {
      if (!codec.any) check_any(node);
      return;
    }
    check_node(codec.type, node);
    if (node.is(Node::Kind::String)) yt::check_appended(codec.scalar, node.as_string());
  }

  void check_decimal() const {
    std::string stored(at_, size_);
    // The system stores big-endian with the sign bit flipped, so that bytes sort as numbers.
    std::ranges::reverse(stored);
    stored[0] = static_cast<char>(stored[0] ^ 0x80);
    yt::check_appended(codec_.scalar, stored);
  }

  const Codec& codec_;
  const char* at_;
  size_t size_;
  uint64_t byte_;
};

/// The context of a walk that reports an error, with path and byte.
struct Explanation {
  static constexpr bool kExplains = true;

  Path path;
  const char* row = nullptr;
  std::optional<Error> fault = std::nullopt;

  uint64_t byte_of(const char* at) const { return static_cast<uint64_t>(at - row); }

  const char* fail(const char* at, std::string message, std::string hint = {}) {
    Place place;
    place.path = path;
    place.byte = byte_of(at);
    fault.emplace(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
    return nullptr;
  }
  /// Keeps an error that was found in a value which begins at `at`.
  void keep(const Error& error, const char* at) {
    fault = error;
    Place& place = fault->place();
    if (place.path.empty()) place.path = path;
    if (!place.byte) place.byte = byte_of(at);
    // A place within a value, such as a YSON text, is not one of the stream.
    place.line = place.column = std::nullopt;
  }
  const char* cut(WireType wire, size_t size, const char* at, const char* end) {
    return fail(at, fmt::format("expected {} more bytes of {}, found the end after {}", size,
                                wire_name(wire), end - at));
  }
  const char* cut_scalar(const Codec& codec, const char* at, const char* end) {
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
  const char* bad_tag(const Codec& codec, size_t below, size_t tag, const char* at) {
    return fail(at, fmt::format("expected a tag of {} below {}, found {}", wire_name(codec.wire),
                                below, tag));
  }
  const char* unknown_member(const char* at) {
    return fail(at, "expected an absent value of an unknown member");
  }
  const char* check(const Codec& codec, const char* at, const char* end) {
    try {
      ValueCheck(codec, at, end, byte_of(at)).run();
      return end;
    } catch (const Error& error) {
      keep(error, at);
      return nullptr;
    }
  }
};

/// Walks over the columns of a row in the order of the schema until there is a fault.
class RowCheck {
 public:
  RowCheck(const BoundTable& table, const hub::Schema& shown, const yt::ValueOptions& options,
           IndexTracker before, std::string_view bytes)
      : table_(table),
        shown_(shown),
        options_(options),
        before_(before),
        at_(bytes.data()),
        end_(bytes.data() + bytes.size()) {
    context_.row = bytes.data();
  }

  std::optional<Error> run() {
    size_t column = 0;
    for (const Slot& slot : table_.layout.slots) {
      context_.path = Path::column(slot.type.name());
      if (!(slot.role == Role::Dense ? take_column(column++) : take_special(slot))) {
        return std::move(context_.fault);
      }
    }
    // The range may come after the row index, yet decides whether that was implied.
    if (row_implied_ && table_.layout.range_index && range_ != before_.range_index()) {
      context_.path = Path::column(kRowIndex);
      context_.fail(at_, "expected $row_index in full in a new range, found none");
      return std::move(context_.fault);
    }
    for (size_t i = table_.dense_columns; i < table_.columns.size(); ++i) {
      if (table_.columns[i].nullable || seen_[i - table_.dense_columns]) continue;
      context_.path = Path::column(table_.columns[i].name);
      context_.fail(at_, "expected a value of a required column, found none");
      return std::move(context_.fault);
    }
    return std::nullopt;
  }

 private:
  /// Takes a value that begins here. Returns false for one with a fault.
  bool take_column(size_t index) {
    const BoundColumn& column = table_.columns[index];
    const Codec codec =
        make_codec(column.binding, yt::shape_of(column.type, shown_.fields[index]), options_);
    at_ = walk_value(codec, at_, end_, context_);
    return at_ != nullptr;
  }

  bool take_special(const Slot& slot) {
    switch (slot.role) {
      case Role::Dense:
        break;
      case Role::KeySwitch:
        return take_key_switch();
      case Role::RangeIndex:
      case Role::RowIndex:
        return take_index(slot);
      case Role::Sparse:
        return take_sparse();
      case Role::Other:
        return take_other();
    }
    return true;
  }

  bool take_key_switch() {
    Codec codec;
    codec.form = Form::Boolean;
    codec.wire = WireType::Boolean;
    codec.wire_width = 1;
    at_ = walk_value(codec, at_, end_, context_);
    return at_ != nullptr;
  }

  bool take_index(const Slot& slot) {
    const bool is_range = slot.role == Role::RangeIndex;
    const char* const begin = at_;
    size_t tag = 0;
    if (!walk_tag(WireType::Variant8, &at_, end_, context_, &tag)) return false;
    std::optional<int64_t> index = is_range ? before_.range_index() : before_.row_index();
    if (tag == 1) {
      if (static_cast<size_t>(end_ - at_) < sizeof(int64_t)) {
        context_.cut(WireType::Int64, sizeof(int64_t), at_, end_);
        return false;
      }
      index = load_little_endian<int64_t>(at_);
      at_ += sizeof(int64_t);
    } else if (tag >= slot.type.children().size()) {
      context_.fail(begin, fmt::format("expected a tag of variant8 below {}, found {}",
                                       slot.type.children().size(), tag));
      return false;
    } else if (tag == 2) {
      index = std::nullopt;
    } else if (!index) {
      context_.fail(
          begin, fmt::format("expected {} in full in the first row of a table or range, found none",
                             slot.type.name()));
      return false;
    } else if (!is_range) {
      row_implied_ = true;
    }
    if (is_range) range_ = index;
    return true;
  }

  bool take_sparse() {
    while (true) {
      const char* const begin = at_;
      const Path outer = std::exchange(context_.path, Path());
      if (static_cast<size_t>(end_ - at_) < sizeof(uint16_t)) {
        context_.cut(WireType::RepeatedVariant16, sizeof(uint16_t), at_, end_);
        return false;
      }
      context_.path = outer;
      const auto tag = load_little_endian<uint16_t>(at_);
      at_ += sizeof(tag);
      if (tag == kEndTag16) return true;
      if (tag >= seen_.size()) {
        context_.fail(begin, fmt::format("expected an index of a sparse column below {}, found {}",
                                         seen_.size(), tag));
        return false;
      }
      const size_t index = table_.dense_columns + tag;
      context_.path = Path::column(table_.columns[index].name);
      if (seen_[tag]) {
        context_.fail(begin, "expected each column once in a row, found it twice");
        return false;
      }
      seen_[tag] = true;
      if (!take_column(index)) return false;
      context_.path = outer;
    }
  }

  bool take_other() {
    const char* const begin = at_;
    at_ = walk_string(WireType::Yson32, at_, end_, context_);
    if (at_ == nullptr) {
      context_.fault->place().byte = context_.byte_of(begin);
      return false;
    }
    const char* const text = begin + sizeof(uint32_t);
    try {
      check_others({text, static_cast<size_t>(at_ - text)});
      return true;
    } catch (const Error& error) {
      context_.keep(error, begin);
      context_.fault->place().byte = context_.byte_of(begin);
      return false;
    }
  }

  [[noreturn]] static void refuse(Path path, std::string message, std::string hint = {}) {
    Place place;
    place.path = std::move(path);
    throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
  }

  void check_others(std::string_view text) const {
    const Node map = yson::parse(text);
    if (!map.is(Node::Kind::Map) || map.has_attributes()) {
      refuse({}, fmt::format("expected a map without attributes, found {}",
                             map.has_attributes() ? "attributes" : yson::kind_name(map.kind())));
    }
    std::set<std::string_view> names;
    for (const auto& [name, value] : map.as_map()) {
      const bool placed =
          std::ranges::find(table_.columns, name, &BoundColumn::name) != table_.columns.end();
      if (placed || !names.insert(name).second) {
        refuse(Path::column(name), "expected each column once in a row, found it twice");
      }
    }
    if (table_.others.columns.empty() && !table_.others.strict) return;
    yt::ReadOptions read;
    read.values = options_;
    try {
      yt::RowDecoder(table_.others, read).decode(yson::print(map, yson::Format::Binary), 0);
    } catch (const Error& error) {
      // The place is one in the map as it was printed.
      refuse(error.place().path, error.message(), error.hint());
    }
  }

  const BoundTable& table_;
  const hub::Schema& shown_;
  const yt::ValueOptions& options_;
  IndexTracker before_;
  const char* at_;
  const char* end_;
  Explanation context_;
  std::optional<int64_t> range_;
  bool row_implied_ = false;
  std::vector<bool> seen_ = std::vector<bool>(table_.layout.sparse.size());
};

}  // namespace

std::optional<Error> find_fault(const BoundTable& table, const hub::Schema& shown,
                                const yt::ValueOptions& options, const IndexTracker& before,
                                std::string_view bytes) {
  return RowCheck(table, shown, options, before, bytes).run();
}

}  // namespace xwalk::skiff
