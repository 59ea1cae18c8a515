#include "xwalk/convert/common_schema.h"

#include <algorithm>
#include <optional>
#include <span>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/unify.h"
#include "xwalk/io/engines/ipc_stream.h"

namespace xwalk::io {
namespace {

using hub::Field;
using hub::Schema;
using hub::Type;

const Field* find(std::span<const Field> fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

/// Every pair of a map is compared, also those that repeat a key.
hub::CastOptions comparing(crosswalk::System system, const Schema& rows) {
  return {.duplicate_keys = hub::DuplicateKeys::Keep,
          .meanings = crosswalk::meanings_of_annotations(system, rows),
          .source = system->refine};
}

class Finder {
 public:
  Finder(crosswalk::System left, crosswalk::System right) : left_(left), right_(right) {}

  std::vector<crosswalk::ColumnDifference> left_out;

  /// Pairs columns, or members of structs, into what both have of them.
  std::vector<std::pair<Field, Field>> pair(std::span<const Field> left,
                                            std::span<const Field> right, const Path& path) {
    std::vector<std::pair<Field, Field>> pairs;
    for (const Field& field : left) {
      const Path below = path.field(field.name);
      const Field* other = find(right, field.name);
      if (other != nullptr) {
        pairs.push_back(shared(field, *other, below));
      } else {
        left_out.push_back({below.text(), crosswalk::type_text(left_, field), ""});
      }
    }
    for (const Field& field : right) {
      if (find(left, field.name) != nullptr) continue;
      left_out.push_back({path.field(field.name).text(), "", crosswalk::type_text(right_, field)});
    }
    return pairs;
  }

  /// Returns a type that both have a way to: of several the one on the way to which the fewest
  /// values can be rejected.
  std::optional<Field> common(const Field& left, const Field& right) const {
    if (!compares(left, right)) return std::nullopt;
    std::vector<Field> candidates;
    const Field one = crosswalk::meant({left_, {{left}, {}}}).fields.front();
    const Field other = crosswalk::meant({right_, {{right}, {}}}).fields.front();
    try {
      candidates.push_back(hub::unify({.fields = {one}}, {.fields = {other}}).fields.front());
    } catch (const Error&) {
      // Then one of the two may do.
    }
    candidates.push_back(other);
    candidates.push_back(one);
    std::optional<Field> best;
    size_t least = SIZE_MAX;
    for (const Field& candidate : candidates) {
      const Schema to = plain_layout({.fields = {candidate}});
      try {
        const size_t refusals = refused(left, left_, to) + refused(right, right_, to);
        if (refusals >= least) continue;
        least = refusals;
        best = to.fields.front();
      } catch (const Error&) {
        // No way there.
      }
    }
    return best;
  }

 private:
  /// Returns true if values of the two have one meaning, or one is what the other's system stores
  /// for the other.
  bool compares(const Field& left, const Field& right) const {
    const Schema one{{left}, {}};
    const Schema other{{right}, {}};
    return judged(left_, one, right_, other) || is_stored_form(left_, one, right_, other) ||
           is_stored_form(right_, other, left_, one);
  }

  static bool judged(crosswalk::System a, const Schema& one, crosswalk::System b,
                     const Schema& other) {
    const crosswalk::ColumnJudge columns({a, one}, {b, other});
    return hub::first_beyond(hub::Fit::Within, columns.judge(0, 0)) == nullptr;
  }

  static bool is_stored_form(crosswalk::System from, const Schema& source, crosswalk::System to,
                             const Schema& stored) {
    if (from->types() == to->types()) return false;
    const crosswalk::Plan natural = crosswalk::plan(from, source, to);
    return natural.unsupported.empty() && judged(to, natural.target_hub, to, stored);
  }

  static size_t refused(const Field& from, crosswalk::System system, const Schema& to) {
    const Schema source{.fields = {from}};
    const hub::CompiledCast cast = hub::compile_cast(source, to, comparing(system, source));
    return static_cast<size_t>(std::ranges::count_if(
        cast.findings(), [](const auto& finding) { return finding.effect != hub::Effect::None; }));
  }

  /// Returns two fields with only those members, at any depth, that both have.
  std::pair<Field, Field> shared(Field left, Field right, const Path& path) {
    const Type& a = hub::without_encoding(left.type);
    const Type& b = hub::without_encoding(right.type);
    std::vector<Field> as;
    std::vector<Field> bs;
    if (a.kind() == hub::Kind::Struct && b.kind() == hub::Kind::Struct) {
      const size_t before = left_out.size();
      auto pairs = pair(a.children(), b.children(), path);
      if (left_out.size() == before && pairs.empty()) return {left, right};
      for (auto& [one, other] : pairs) {
        as.push_back(std::move(one));
        bs.push_back(std::move(other));
      }
    } else if (hub::is_list(a.kind()) && hub::is_list(b.kind())) {
      auto [one, other] = shared(a.child(), b.child(), path.item());
      as = {std::move(one)};
      bs = {std::move(other)};
    } else {
      return {std::move(left), std::move(right)};
    }
    left.type = with_children(a, std::move(as));
    right.type = with_children(b, std::move(bs));
    return {std::move(left), std::move(right)};
  }

  crosswalk::System left_;
  crosswalk::System right_;
};

}  // namespace

CommonSchema common_schema(crosswalk::System left_system, const Schema& left_rows,
                           crosswalk::System right_system, const Schema& right_rows) {
  const Schema left = crosswalk::with_described_values(left_rows);
  const Schema right = crosswalk::with_described_values(right_rows);
  Finder finder(left_system, right_system);
  Schema schema;
  schema.nullable_rows = left.nullable_rows || right.nullable_rows;
  for (const auto& [one, other] : finder.pair(left.fields, right.fields, Path())) {
    if (std::optional<Field> field = finder.common(one, other)) {
      schema.fields.push_back(*std::move(field));
    } else {
      finder.left_out.push_back({Path::column(one.name).text(),
                                 crosswalk::type_text(left_system, one),
                                 crosswalk::type_text(right_system, other)});
    }
  }
  hub::CompiledCast from_left = hub::compile_cast(left_rows, schema, comparing(left_system, left));
  hub::CompiledCast from_right =
      hub::compile_cast(right_rows, schema, comparing(right_system, right));
  return {std::move(schema), std::move(from_left), std::move(from_right),
          std::move(finder.left_out)};
}

}  // namespace xwalk::io
