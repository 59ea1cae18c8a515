#include "xwalk/skiff/fault.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/hub/builder.h"
#include "xwalk/skiff/append.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::skiff {
namespace {

using yson::Node;

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
        end_(bytes.data() + bytes.size()),
        fault_(bytes.data()) {}

  Error run() {
    if (!is_sound()) return fault_.error();
    return {ErrorCode::Internal, "a row was rejected without a fault"};
  }

 private:
  bool is_sound() {
    size_t column = 0;
    for (const Slot& slot : table_.layout.slots) {
      if (!(slot.role == Role::Dense ? take_column(column++) : take_special(slot))) return false;
    }
    // The range may come after the row index, yet decides whether that was implied.
    if (row_implied_ && table_.layout.range_index && range_ != before_.range_index()) {
      return refuse(kRowIndex, at_, "expected $row_index in full in a new range, found none");
    }
    for (size_t i = table_.dense_columns; i < table_.columns.size(); ++i) {
      if (table_.columns[i].nullable || seen_[i - table_.dense_columns]) continue;
      return refuse(table_.columns[i].name, at_,
                    "expected a value of a required column, found none");
    }
    return true;
  }

  /// Sets a fault of a column. Returns false.
  bool refuse(std::string_view column, const char* at, std::string message) {
    fault_.set(at, std::move(message));
    return refuse(column);
  }
  /// Adds the column to the fault. Returns false.
  bool refuse(std::string_view column) {
    fault_.within(Path::column(column));
    return false;
  }

  bool take_value(std::string_view name, const Codec& codec, const hub::Field& field) {
    hub::ColumnBuilder values(field);
    at_ = explain_value(codec, at_, end_, &values, &fault_);
    return at_ != nullptr || refuse(name);
  }

  bool take_column(size_t index) {
    const BoundColumn& column = table_.columns[index];
    const hub::Field& field = shown_.fields[index];
    return take_value(
        column.name, make_codec(column.binding, yt::shape_of(column.type, field), options_), field);
  }

  /// Returns false, and sets a fault of the value at `begin`, if the bytes end in the next ones.
  bool has(WireType wire, size_t size, const char* begin) {
    const auto left = static_cast<size_t>(end_ - at_);
    if (left < size) fault_.set_cut(begin, wire, size, left);
    return left >= size;
  }

  template <typename Value>
  Value load() {
    const auto value = load_little_endian<Value>(at_);
    at_ += sizeof(value);
    return value;
  }

  bool take_special(const Slot& slot) {
    switch (slot.role) {
      case Role::Dense:
        break;
      case Role::KeySwitch: {
        Codec codec;
        codec.form = Form::Boolean;
        codec.wire = WireType::Boolean;
        codec.wire_width = 1;
        return take_value(kKeySwitch, codec, {"", hub::Kind::Bool, false});
      }
      case Role::RangeIndex:
      case Role::RowIndex:
        return take_index(slot);
      case Role::Sparse:
        return take_sparse(slot);
      case Role::Other:
        return take_other(slot);
    }
    return true;
  }

  bool take_index(const Slot& slot) {
    const std::string& name = slot.type.name();
    const size_t tags = slot.type.children().size();
    const bool is_range = slot.role == Role::RangeIndex;
    const char* const begin = at_;
    if (!has(WireType::Variant8, sizeof(uint8_t), at_)) return refuse(name);
    const auto tag = load<uint8_t>();
    std::optional<int64_t> index = is_range ? before_.range_index() : before_.row_index();
    if (tag == 1) {
      if (!has(WireType::Int64, sizeof(int64_t), at_)) return refuse(name);
      index = load<int64_t>();
    } else if (tag >= tags) {
      return refuse(name, begin,
                    fmt::format("expected a tag of variant8 below {}, found {}", tags, tag));
    } else if (tag == 2) {
      index = std::nullopt;
    } else if (!index) {
      return refuse(
          name, begin,
          fmt::format("expected {} in full in the first row of a table or range, found none",
                      name));
    } else if (!is_range) {
      row_implied_ = true;
    }
    if (is_range) range_ = index;
    return true;
  }

  bool take_sparse(const Slot& slot) {
    while (true) {
      const char* const begin = at_;
      if (!has(WireType::RepeatedVariant16, sizeof(uint16_t), at_)) return false;
      const auto tag = load<uint16_t>();
      if (tag == kEndTag16) return true;
      if (tag >= seen_.size()) {
        return refuse(slot.type.name(), begin,
                      fmt::format("expected an index of a sparse column below {}, found {}",
                                  seen_.size(), tag));
      }
      const size_t index = table_.dense_columns + tag;
      if (seen_[tag]) {
        return refuse(table_.columns[index].name, begin,
                      "expected each column once in a row, found it twice");
      }
      seen_[tag] = true;
      if (!take_column(index)) return false;
    }
  }

  bool take_other(const Slot& slot) {
    const std::string& name = slot.type.name();
    const char* const begin = at_;
    if (!has(WireType::Yson32, sizeof(uint32_t), begin)) return refuse(name);
    const auto size = load<uint32_t>();
    if (!has(WireType::Yson32, size, begin)) return refuse(name);
    try {
      check_others({at_, size});
    } catch (Error& error) {
      // The path can be that of a column in the map. The byte is always the first one of the map.
      error.place().byte = std::nullopt;
      fault_.set(begin, error);
      return error.place().path.empty() ? refuse(name) : false;
    }
    at_ += size;
    return true;
  }

  [[noreturn]] static void fail(Path path, std::string message, std::string hint = {}) {
    throw Error(ErrorCode::Input, std::move(message), {.path = std::move(path)}, std::move(hint));
  }

  void check_others(std::string_view text) const {
    const Node map = yson::parse(text);
    if (!map.is(Node::Kind::Map) || map.has_attributes()) {
      fail({}, fmt::format("expected a map without attributes, found {}",
                           map.has_attributes() ? "attributes" : yson::kind_name(map.kind())));
    }
    std::set<std::string_view> names;
    for (const auto& [name, value] : map.as_map()) {
      const bool placed =
          std::ranges::find(table_.columns, name, &BoundColumn::name) != table_.columns.end();
      if (placed || !names.insert(name).second) {
        fail(Path::column(name), "expected each column once in a row, found it twice");
      }
    }
    if (table_.others.columns.empty() && !table_.others.strict) return;
    yt::ReadOptions read;
    read.values = options_;
    try {
      yt::RowDecoder(table_.others, read).decode(yson::print(map, yson::Format::Binary), 0);
    } catch (const Error& error) {
      // The place is one in the map as it was printed.
      fail(error.place().path, error.message(), error.hint());
    }
  }

  const BoundTable& table_;
  const hub::Schema& shown_;
  const yt::ValueOptions& options_;
  IndexTracker before_;
  const char* at_;
  const char* end_;
  Fault fault_;
  std::optional<int64_t> range_;
  bool row_implied_ = false;
  std::vector<bool> seen_ = std::vector<bool>(table_.layout.sparse.size());
};

}  // namespace

Error find_fault(const BoundTable& table, const hub::Schema& shown, const yt::ValueOptions& options,
                 const IndexTracker& before, std::string_view bytes) {
  return RowCheck(table, shown, options, before, bytes).run();
}

}  // namespace xwalk::skiff
