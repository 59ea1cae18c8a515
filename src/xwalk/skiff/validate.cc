#include "xwalk/skiff/validate.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "xwalk/skiff/kinds.h"
#include "xwalk/yt/validate.h"

namespace xwalk::skiff {
namespace {

void add_beyond_text(const Type& type, bool inside_variant, const Path& path,
                     hub::Findings* findings) {
  auto add = [&](std::string lost) {
    findings->push_back({.rule = "spec.beyond-text", .path = path, .lost = std::move(lost)});
  };
  if (type.wire() == WireType::Nothing && !inside_variant) {
    add("nothing outside of a variant");
  } else if ((is_signed_integer(type.wire()) && type.wire() != WireType::Int64) ||
             (is_unsigned_integer(type.wire()) && type.wire() != WireType::Uint64)) {
    add("an integer other than int64 and uint64");
  }
  bool variant = is_variant(type.wire()) || is_repeated(type.wire());
  size_t index = 0;
  for (const Type& child : type.children()) {
    std::string name = child.name().empty() ? std::to_string(index) : child.name();
    Path below = variant ? (type.is_optional() ? path : path.alternative(name)) : path.field(name);
    add_beyond_text(child, variant, below, findings);
    ++index;
  }
}

}  // namespace

hub::Findings beyond_text(const Type& type) {
  hub::Findings findings;
  add_beyond_text(type, false, Path(), &findings);
  return findings;
}

hub::Findings table_beyond_text(const TableLayout& layout) {
  hub::Findings findings;
  auto add = [&](const Type& node, std::string lost) {
    findings.push_back(
        {.rule = "spec.beyond-text", .path = Path::column(node.name()), .lost = std::move(lost)});
  };
  auto special_name = [&](const Type& node) {
    if (node.name().starts_with('$'))
      add(node, "a column whose name begins with $, as special ones do");
  };
  for (const Slot& slot : layout.slots) {
    const Type& node = slot.type;
    if (slot.role == Role::Dense) {
      special_name(node);
      const Type& value = node.is_optional() ? node.child(1) : node;
      if (!wire_row(value.wire()).in_text) {
        add(node, is_simple(value.wire()) ? "a simple type the specification does not list"
                                          : "a compound column");
      }
    } else if (slot.role == Role::RowIndex || slot.role == Role::RangeIndex) {
      if (node.children().size() == 3) add(node, "an index that may be unknown");
    }
  }
  for (const Type& node : layout.sparse) {
    special_name(node);
    if (!wire_row(node.wire()).in_text) add(node, "a sparse column that is not a simple type");
  }
  return findings;
}

hub::Findings validate(const Schema& schema) {
  hub::Findings out;
  for (const Type& table : schema.format.tables) {
    hub::Findings found = beyond_text(table);
    for (hub::Finding& column : table_beyond_text(table_layout(table))) {
      const bool is_known =
          std::ranges::find(found, column.path, &hub::Finding::path) != found.end();
      if (!is_known) found.push_back(std::move(column));
    }
    std::ranges::move(found, std::back_inserter(out));
  }
  for (const yt::TableSchema& table : schema.table_schemas) {
    std::ranges::move(yt::findings_on(table), std::back_inserter(out));
  }
  return out;
}

}  // namespace xwalk::skiff
