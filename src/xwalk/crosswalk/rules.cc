#include "xwalk/crosswalk/rules.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

/// Rules whose advice compares systems.
constexpr auto kRules = std::to_array<hub::Rule>({
    {"crs.beyond-geoparquet",
     "GeoParquet 1.1 describes a coordinate reference system (CRS) only in PROJJSON, and has only "
     "planar and spherical edges.",
     "The Arrow schema in the file keeps both, and xwalk and pyarrow read it. Programs that read "
     "only the key geo see an unknown CRS or spherical edges.",
     hub::RuleSubject::Crs},
    {"crs.lost",
     "The target has no geospatial type: values are stored as WKB bytes, without their coordinate "
     "reference system (CRS).",
     "The bytes are kept. Record the CRS elsewhere, or choose Parquet, Iceberg, Arrow, Lance or "
     "Vortex, which keep it.",
     hub::RuleSubject::Crs},
    {"reader.misreads",
     "A reader that the output is for shows the column as another type, or some of its values as "
     "others.",
     "What it shows is in the finding. `cast` gives the column a type that it knows; "
     "docs/readers.md has all of them.",
     hub::RuleSubject::Readers},
    {"reader.refuses", "A reader that the output is for cannot open files with this type.",
     "`cast` gives the column another type, `exclude` leaves it out.", hub::RuleSubject::Readers},
    {"spec.version", "The type needs a later release of the system, which the finding names.",
     "An older cluster or reader refuses it. `cluster_version`, `lance_version` and "
     "`vortex_edition` check against the one that you have.",
     hub::RuleSubject::Release},
});

}  // namespace

const std::vector<hub::Rule>& rules() {
  static const std::vector<hub::Rule> kAll = [] {
    std::vector<hub::Rule> all(kRules.begin(), kRules.end());
    std::ranges::copy(hub::common_rules(), std::back_inserter(all));
    for (const System system : systems()) {
      std::ranges::copy(system->rules, std::back_inserter(all));
    }
    std::ranges::sort(all, {}, &hub::Rule::slug);
    return all;
  }();
  return kAll;
}

const hub::Rule* rule_of(std::string_view slug) {
  const auto found = std::ranges::lower_bound(rules(), slug, {}, &hub::Rule::slug);
  return found == rules().end() || found->slug != slug ? nullptr : &*found;
}

hub::RuleSubject subject_of(std::string_view slug) {
  const hub::Rule* rule = rule_of(slug);
  return rule == nullptr ? hub::RuleSubject::Type : rule->about;
}

}  // namespace xwalk::crosswalk
