#include "xwalk/skiff/fit.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/skiff/value_rules.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/value_path.h"

namespace xwalk::skiff {
namespace {

using yt::TypeKind;

void add(hub::Findings* findings, std::string_view rule, const Path& path, hub::Effect effect,
         std::string lost, std::string witness = {}) {
  findings->push_back({.rule = rule,
                       .path = path,
                       .effect = effect,
                       .lost = std::move(lost),
                       .witness = std::move(witness)});
}

void collect(const Binding& binding, const Path& path, Flow flow, hub::Findings* findings);

void collect_tuple(const Binding& binding, const Path& path, Flow flow, hub::Findings* findings) {
  const bool is_struct = binding.type.is(TypeKind::Struct);
  const std::span<const yt::Member> members = binding.type.members();
  const auto below = [&](size_t member) {
    return path.field(is_struct ? members[member].name : std::to_string(member));
  };
  std::vector<bool> placed(members.size());
  for (size_t i = 0; i < binding.children.size(); ++i) {
    if (binding.members[i] < 0 || binding.children[i].is_left_out()) continue;
    const auto member = static_cast<size_t>(binding.members[i]);
    placed[member] = true;
    collect(binding.children[i], below(member), flow, findings);
  }
  for (size_t i = 0; i < members.size(); ++i) {
    if (placed[i]) continue;
    add(findings, "member.left-out", below(i), hub::Effect::Altered,
        "field would be dropped: not in the Skiff schema");
  }
}

/// Returns the path of a child of an optional, a list, a dict or a variant.
Path child_path(const Binding& binding, size_t child, const Path& path) {
  if (binding.form == Form::List) return path.item();
  if (binding.form == Form::Dict) {
    return yt::entry_path(binding.type, child == 0, 0, path).in_schema();
  }
  if (binding.form == Form::Variant) return yt::alternative_path(binding.type, child, path);
  return yt::optional_value_path(binding.type, path);
}

/// Reports what one binding leaves out or narrows.
void collect(const Binding& binding, const Path& path, Flow flow, hub::Findings* findings) {
  switch (binding.form) {
    case Form::Signed:
    case Form::Unsigned:
      if (flow == Flow::Read || !is_narrowed(binding)) return;
      return add(findings, "range.narrowed", path, hub::Effect::Refused,
                 fmt::format("range narrows to {}", wire_name(binding.wire.wire())),
                 std::to_string(yt::integer_range(binding.type.kind()).max));
    case Form::Tuple:
      return collect_tuple(binding, path, flow, findings);
    case Form::Optional:
    case Form::Present:
    case Form::List:
    case Form::Dict:
    case Form::Variant:
      for (size_t i = 0; i < binding.children.size(); ++i) {
        collect(binding.children[i], child_path(binding, i, path), flow, findings);
      }
      return;
    case Form::Zone:
      if (flow == Flow::Read) return;
      return add(findings, "zone.unknown", path, hub::Effect::Refused,
                 "cannot store time zones that have no number yet", "America/Coyhaique");
    case Form::Nothing:
    case Form::Boolean:
    case Form::Double:
    case Form::String:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
      return;
  }
}

}  // namespace

bool is_narrowed(const Binding& binding) {
  if (binding.any) return false;
  const WireType wire = binding.wire.wire();
  const yt::IntegerRange range = yt::integer_range(binding.type.kind());
  if (binding.form == Form::Signed) {
    return !fits_wire(wire, range.min) || !fits_wire(wire, static_cast<int64_t>(range.max));
  }
  return binding.form == Form::Unsigned && !fits_wire(wire, range.max);
}

hub::Findings fit(const Type& root, const yt::TableSchema& schema, Flow flow) {
  BoundTable table = bind_table(root, &schema, flow);
  std::unordered_map<std::string_view, const BoundColumn*> bound;
  for (const BoundColumn& column : table.columns) bound.try_emplace(column.name, &column);
  hub::Findings findings;
  for (const yt::ColumnSchema& column : schema.columns) {
    Path path = Path::column(column.name);
    const auto place = bound.find(column.name);
    if (place == bound.end()) {
      if (table.layout.has_other_columns) continue;
      findings.push_back({.rule = "member.left-out",
                          .path = path,
                          .effect = hub::Effect::Altered,
                          .lost = "column would be dropped: not in the Skiff schema",
                          .hint = "Name it, or add $other_columns of yson32."});
      continue;
    }
    const BoundColumn* found = place->second;
    // A yson32 has its own null.
    bool admits_null = found->role == Role::Sparse || found->binding.form == Form::Optional ||
                       found->binding.form == Form::Nothing ||
                       found->binding.wire.wire() == WireType::Yson32;
    if (flow == Flow::Write && found->nullable && !admits_null) {
      hub::Finding finding;
      finding.rule = "null.refused";
      finding.path = path;
      finding.effect = hub::Effect::Refused;
      finding.lost = "the Skiff schema does not allow null";
      finding.witness = "#";
      finding.hint = "Use variant8<nothing;T>.";
      findings.push_back(std::move(finding));
    }
    collect(found->binding, path, flow, &findings);
  }
  return findings;
}

hub::Findings unfit(const Schema& output, size_t table, const Schema* input, size_t input_table) {
  const yt::TableSchema* known = output.table_schema(table);
  if (known == nullptr) return {};
  hub::Findings found = fit(output.format.tables[table], *known, Flow::Write);
  const yt::TableSchema* rows = input == nullptr ? nullptr : input->table_schema(input_table);
  if (rows == nullptr) return found;
  const hub::Findings never = fit(input->format.tables[input_table], *rows, Flow::Write);
  std::erase_if(found, [&](const hub::Finding& one) {
    return std::ranges::any_of(never, [&](const hub::Finding& other) {
      return other.rule == one.rule && other.path == one.path && other.lost == one.lost;
    });
  });
  return found;
}

}  // namespace xwalk::skiff
