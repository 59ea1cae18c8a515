#include "xwalk/crosswalk/unused_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/variant.h"

namespace xwalk::crosswalk {
namespace {

/// An option, the rules of the findings about its effect, and the message if it has none.
struct Row {
  hub::Option option;
  bool (*is_on)(const hub::CastOptions& options);
  std::array<std::string_view, 3> rules;
  std::string_view lack;
};

constexpr std::array kRows = {
    Row{hub::Option::Round,
        [](const hub::CastOptions& options) { return options.round; },
        {"unit.coarser", "digits.fewer", "float.narrowed"},
        "no column needs fewer digits or a coarser unit"},
    Row{hub::Option::MergeNulls,
        [](const hub::CastOptions& options) { return options.merge_nulls; },
        {"null.levels-merged", "", ""},
        "no column has several levels of null that become one"},
    Row{hub::Option::DropZone,
        [](const hub::CastOptions& options) { return options.drop_zone; },
        {"zone.dropped", "", ""},
        "no column has a time zone per value"},
    Row{hub::Option::VariantValues,
        [](const hub::CastOptions& options) {
          return options.variant_values != variant::Foreign::Refuse;
        },
        {"variant.as-any", "variant.as-json", ""},
        "no column of VARIANT becomes any or JSON"},
};

bool alters(const Plan& plan, const Row& row) {
  return std::ranges::any_of(plan.paths, [&](const PathReport& path) {
    return std::ranges::any_of(path.reasons, [&](const Reason& reason) {
      return reason.values == hub::Values::Altered &&
             std::ranges::find(row.rules, reason.rule) != row.rules.end();
    });
  });
}

void add_note(hub::Option option, std::string_view lack, hub::Findings* notes) {
  notes->push_back({.rule = "option.unused",
                    .lost = fmt::format("{} changes nothing: {}", hub::mention(option), lack)});
}

}  // namespace

hub::Findings unused_options(const Plan& plan, const PlanOptions& options) {
  hub::Findings notes;
  for (const Row& row : kRows) {
    if (row.is_on(options.cast) && !alters(plan, row)) add_note(row.option, row.lack, &notes);
  }
  const auto is_geospatial = [](const hub::Field& field) {
    return hub::geospatial_of(field).has_value();
  };
  if (options.geoparquet && std::ranges::none_of(plan.target_hub.fields, is_geospatial)) {
    add_note(hub::Option::Geoparquet, "no column is geometry", &notes);
  }
  if (!options.shred.empty() && std::ranges::none_of(plan.target_hub.fields, hub::has_variant)) {
    add_note(hub::Option::Shred, "no column is VARIANT", &notes);
  }
  return notes;
}

}  // namespace xwalk::crosswalk
