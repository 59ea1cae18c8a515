// Random schemas and random rows of them between all pairs of systems, planned and cast in a round
// trip: the plan's statements hold (tests/crosswalk/laws.h). The input chooses the pair, the seed,
// and what is changed of the schema: names, nullability.

#include <string>

#include "fuzz/harness.h"
#include "tests/crosswalk/laws.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/modules.h"

namespace xwalk::fuzz {
namespace {

using crosswalk::System;

/// Renames columns and lets some be null that were not.
void change(Choices* choices, hub::Schema* schema) {
  while (!choices->rest().empty() && !schema->fields.empty()) {
    hub::Field& field = schema->fields[choices->below(schema->fields.size())];
    std::string name(choices->text());
    if (name.empty()) {
      field.nullable = true;
      continue;
    }
    bool taken = false;
    for (const hub::Field& other : schema->fields) taken = taken || other.name == name;
    // Special columns of Skiff and YTsaurus are known by their names.
    if (!taken && !name.starts_with('$') && !field.name.starts_with('$')) {
      field.name = std::move(name);
    }
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const auto systems = crosswalk::systems();
  const System from = systems[choices.below(systems.size())];
  const System target = systems[choices.below(systems.size())];
  const uint64_t seed = choices.word();
  hub::Schema source;
  try {
    source = crosswalk::testing::random_schema(from, seed);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Unsupported, "no schema means no way", error.describe());
    return;
  }
  if (from->is_hub) change(&choices, &source);
  const std::string why = crosswalk::testing::broken(from, source, target, seed);
  require(why.empty(), "what a plan says holds", why + "\n" + hub::to_string(source));
}

}  // namespace xwalk::fuzz
