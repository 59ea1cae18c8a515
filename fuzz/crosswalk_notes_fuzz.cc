// Hostile metadata: any text as xwalk's notes, as extension names and as labels on columns of
// random types. Every system accepts the schema or refuses it with a reason; a plan of it and its
// report can be printed, and every module's reading of notes ends.

#include <optional>
#include <string>

#include "fuzz/harness.h"
#include "tests/crosswalk/random_values.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/crosswalk/path_reports.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"
#include "xwalk/report/json.h"

namespace xwalk::fuzz {
namespace {

using crosswalk::System;

void annotate(Choices* choices, hub::Metadata* metadata) {
  const auto systems = crosswalk::systems();
  const size_t which = choices->below(systems.size() + 4);
  std::string text(choices->text());
  if (which < systems.size()) {
    const System system = systems[which];
    metadata->set(hub::annotation_key(system->name), text);
    if (!system->labels_key.empty() && text.size() % 2 == 0) {
      metadata->set(system->labels_key, text);
    }
    if (!system->id_key.empty() && text.size() % 3 == 0) metadata->set(system->id_key, text);
  } else if (which == systems.size()) {
    metadata->set(hub::kExtensionName, text);
  } else if (which == systems.size() + 1) {
    metadata->set(hub::kExtensionMetadata, text);
  } else {
    std::string key(choices->text());
    metadata->set(key, std::move(text));
  }
}

/// What modules read out of a note by itself.
void read_alone(std::string_view text) {
  for (const System system : crosswalk::systems()) {
    try {
      if (system->note != nullptr) system->note(text, false);
      if (system->note != nullptr) system->note(text, true);
    } catch (const Error&) {
    }
    try {
      if (system->labels != nullptr) system->labels(text);
    } catch (const Error&) {
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
  crosswalk::testing::RandomData random(choices.byte());
  hub::Schema schema{random.fields(1 + choices.below(2), 2), {}};
  // Types that notes are about, too.
  if (const size_t kind = choices.below(4); kind < 3) {
    const hub::Kind kinds[] = {hub::Kind::Binary, hub::Kind::Int64, hub::Kind::Utf8};
    schema.fields[0].type = kinds[kind];
  }
  while (!choices.rest().empty()) {
    if (choices.below(4) == 0) {
      annotate(&choices, &schema.metadata);
    } else {
      annotate(&choices, &schema.fields[choices.below(schema.fields.size())].metadata);
    }
  }
  for (const hub::Field& field : schema.fields) {
    for (const auto& [key, value] : field.metadata) read_alone(value);
  }
  std::optional<crosswalk::Plan> plan;
  try {
    plan = crosswalk::plan(from, schema, target);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Unsupported, "no plan means no way", error.describe());
    return;
  }
  report::Check check;
  check.plan = &*plan;
  const std::string text = report::print_json(check);
  require(is_valid_json(text), "reports are JSON", text);
  crosswalk::schema_back(from, plan->target_hub, true);
  crosswalk::diff(from, schema, target, plan->target_hub);
}

}  // namespace xwalk::fuzz
