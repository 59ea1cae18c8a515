#include "xwalk/skiff/table.h"

#include <array>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::skiff {
namespace {

[[noreturn]] void fail(std::string_view name, std::string message, std::string hint = {}) {
  Place place;
  if (!name.empty()) place.path = Path::column(name);
  throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
}

bool is_special(std::string_view name) {
  constexpr std::array kSpecial = {kOtherColumns, kSparseColumns, kKeySwitch,
                                   kRowIndex,     kRangeIndex,    kRemainingRowBytes};
  for (std::string_view special : kSpecial) {
    if (name == special) return true;
  }
  return false;
}

void expect_wire(const Type& node, WireType wire) {
  if (node.wire() == wire) return;
  fail(node.name(), fmt::format("expected {} as the type of {}, found {}", wire_name(wire),
                                node.name(), to_string(node.named(""))));
}

IndexShape index_shape(const Type& node) {
  bool optional = node.wire() == WireType::Variant8 && node.children().size() >= 2 &&
                  node.child(0).wire() == WireType::Nothing &&
                  node.child(1).wire() == WireType::Int64;
  if (optional && node.children().size() == 2) return IndexShape::TwoWay;
  if (optional && node.children().size() == 3 && node.child(2).wire() == WireType::Nothing) {
    return IndexShape::ThreeWay;
  }
  fail(node.name(), fmt::format("expected variant8<nothing;int64> or variant8<nothing;int64;"
                                "nothing> as the type of {}, found {}",
                                node.name(), to_string(node.named(""))));
}

}  // namespace

TableLayout table_layout(const Type& root) {
  if (root.wire() != WireType::Tuple) {
    fail("", fmt::format("expected tuple as the root of a table's skiff schema, found {}",
                         wire_name(root.wire())));
  }
  TableLayout layout;
  layout.root = root;
  std::set<std::string_view> names;
  auto claim = [&](const Type& node) {
    if (!names.insert(node.name()).second) {
      fail(node.name(),
           fmt::format("expected each name once, found {} several times", clipped(node.name())));
    }
  };
  std::span<const Type> children = root.children();
  size_t last = children.size();
  bool ends_with_other = last > 0 && children[last - 1].name() == kOtherColumns;
  for (size_t i = 0; i < children.size(); ++i) {
    const Type& node = children[i];
    const std::string& name = node.name();
    if (name.empty()) {
      fail("", fmt::format("expected a name of child {} of a table's root, found none", i));
    }
    Slot slot{Role::Dense, node};
    if (name == kOtherColumns) {
      expect_wire(node, WireType::Yson32);
      if (i + 1 != last) {
        fail(name, fmt::format("expected $other_columns as the last child, found it at {} of {}", i,
                               last));
      }
      slot.role = Role::Other;
      layout.has_other_columns = true;
    } else if (name == kSparseColumns) {
      expect_wire(node, WireType::RepeatedVariant16);
      if (i + (ends_with_other ? 2 : 1) != last) {
        fail(name, fmt::format("expected $sparse_columns as the last child, or before "
                               "$other_columns, found it at {} of {}",
                               i, last));
      }
      slot.role = Role::Sparse;
      for (const Type& sparse : node.children()) {
        if (sparse.name().empty()) {
          fail(name, "expected a name of each child of $sparse_columns, found one without");
        }
        if (is_special(sparse.name())) {
          fail(sparse.name(), fmt::format("expected ordinary columns in $sparse_columns, found {}",
                                          sparse.name()));
        }
        claim(sparse);
        layout.sparse.push_back(sparse);
      }
    } else if (name == kKeySwitch) {
      expect_wire(node, WireType::Boolean);
      slot.role = Role::KeySwitch;
      layout.has_key_switch = true;
    } else if (name == kRowIndex) {
      layout.row_index = index_shape(node);
      slot.role = Role::RowIndex;
    } else if (name == kRangeIndex) {
      layout.range_index = index_shape(node);
      slot.role = Role::RangeIndex;
    } else if (name == kRemainingRowBytes) {
      throw Error(ErrorCode::Unsupported,
                  "expected columns that xwalk reads, found $remaining_row_bytes",
                  {.path = Path::column(name)},
                  "It holds the rest of the row as one blob; name the columns instead.");
    }
    claim(node);
    layout.slots.push_back(std::move(slot));
  }
  return layout;
}

}  // namespace xwalk::skiff
