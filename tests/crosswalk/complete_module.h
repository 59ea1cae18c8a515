#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/module.h"

// What every row of a system has to have, for the systems there are and for one that is made up.

namespace xwalk::crosswalk::testing {

/// Returns what a row lacks, in words; nothing for one that is complete.
inline std::vector<std::string> missing_of(System system) {
  std::vector<std::string> out;
  const auto need = [&](bool there, std::string_view what) {
    if (!there) out.emplace_back(what);
  };
  need(!system->name.empty(), "a name");
  need(!system->forms.empty(), "a written form");
  need(system->parse != nullptr, "parse");
  need(system->parse_type != nullptr, "parse_type");
  need(system->type_text != nullptr, "type_text");
  need(system->kinds != nullptr, "kinds");
  need(system->to_arrow != nullptr, "to_arrow");
  need(system->from_arrow != nullptr, "from_arrow");
  need(system->is_hub || system->capabilities.system == system->name, "capabilities of its own");
  need(!system->notes_refine || system->refine != nullptr, "refine, which its notes promise");
  need(system->labels_key.empty() || system->labels != nullptr, "labels, as it has a key of them");
  need(system->types()->shares_types_of == nullptr, "types of a system that has its own");
  std::set<std::string_view> names;
  for (const hub::WrittenForm& form : system->forms) {
    need(!form.name.empty() && names.insert(form.name).second, "distinct names of forms");
    need(form.print != nullptr, "print of a form");
  }
  return out;
}

/// Returns what goes wrong with a schema on the way through each written form and through Arrow.
inline std::vector<std::string> wrong_with(const AnySchema& schema) {
  std::vector<std::string> out;
  const System system = schema.system();
  for (const hub::WrittenForm& form : system->forms) {
    const std::string text = form.print(schema);
    if (text.empty()) out.push_back("the form " + std::string(form.name) + " is empty");
    if (!form.parsed) continue;
    try {
      if (parse_schema(system, text).system() != system) out.push_back("another system's");
      if (form.binary) continue;
      const auto guessed = parse_guessing(parse_schema, text);
      if (!guessed || guessed->system() != system) {
        out.push_back("the form " + std::string(form.name) + " is treated as one of " +
                      (guessed ? std::string(guessed->system()->name) : "nobody") + ":\n" + text);
      }
    } catch (const Error& error) {
      out.push_back("the form " + std::string(form.name) + ": " + error.describe());
    }
  }
  if (!(schema == schema) || schema == AnySchema()) out.emplace_back("it is not like itself");
  const hub::Schema there = to_arrow(schema);
  // Vortex has unions, and its readers have no way for them: a struct stands for one.
  const bool lowered = std::ranges::any_of(there.fields, [&](const hub::Field& field) {
    return hub::is_union(field.type.kind()) && !system->capabilities.unions;
  });
  const hub::Schema back = to_arrow(from_arrow(system, there).schema);
  if (!(back == there) && !lowered) out.push_back("it comes back as " + hub::to_string(back));
  return out;
}

}  // namespace xwalk::crosswalk::testing
