#include "xwalk/crosswalk/schema.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/if_valid.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/skiff/module.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/schema.h"

namespace xwalk::crosswalk {
namespace {

const hub::WrittenForm& form_of(System system, std::string_view name) {
  const auto forms = system->forms;
  const auto form = std::ranges::find(forms, name, &hub::WrittenForm::name);
  if (form != forms.end()) return *form;
  throw Error(ErrorCode::Usage,
              fmt::format("unknown form {}: expected {} for a schema of {}", xwalk::quoted(name),
                          alternatives(form_names(system)), system->name),
              {}, did_you_mean(name, form_names(system)));
}

}  // namespace

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const System system : systems()) names.emplace_back(system->name);
  return names;
}

std::optional<System> parse_system(std::string_view word) {
  for (const System system : systems()) {
    const bool is_other = !word.empty() && system->other_name == word;
    if (system->name == word || is_other) return system;
  }
  return std::nullopt;
}

System system_of_word(std::string_view word) {
  if (const auto system = parse_system(word)) return *system;
  throw Error(ErrorCode::Usage,
              fmt::format("unknown system {}: expected {}", xwalk::quoted(word),
                          alternatives(system_names())),
              {}, did_you_mean(word, system_names()));
}

hub::Schema to_arrow(const AnySchema& schema) { return schema.system()->to_arrow(schema); }

hub::FromArrow<AnySchema> from_arrow(System system, const hub::Schema& schema,
                                     hub::Refused* refused) {
  return hub::lower_and_map(schema, system->capabilities, system->from_arrow, refused);
}

std::string print_schema(const AnySchema& schema, std::string_view form) {
  const System system = schema.system();
  std::string text = (form.empty() ? system->forms.front() : form_of(system, form)).print(schema);
  const auto* table = schema.get_if<yt::TableSchema>();
  if (table != nullptr && form == "commands") {
    // Which wire types a table's rows have is for Skiff to say, which YTsaurus's module knows not.
    text += print_schema({skiff::kModule, skiff::schema_of(*table)}, form);
  }
  return text;
}

std::vector<std::string> lost_in_form(const AnySchema& schema, std::string_view form) {
  const System system = schema.system();
  const hub::WrittenForm& written = form.empty() ? system->forms.front() : form_of(system, form);
  std::vector<std::string> lines;
  if (written.lost == nullptr) return lines;
  for (const hub::Finding& found : written.lost(schema)) {
    const std::string path = found.path.empty() ? "" : found.path.text() + ": ";
    lines.push_back(fmt::format("{}{} ({})", path, found.lost, found.rule));
  }
  return lines;
}

std::vector<std::string> form_names(System system) {
  std::vector<std::string> names;
  for (const hub::WrittenForm& form : system->forms) names.emplace_back(form.name);
  return names;
}

bool is_binary_form(System system, std::string_view form) {
  return (form.empty() ? system->forms.front() : form_of(system, form)).binary;
}

void check_schema(const AnySchema& schema) {
  const System system = schema.system();
  if (system->refuses == nullptr) return;
  for (const hub::Finding& finding : system->validate(schema)) {
    if (!system->refuses(finding)) continue;
    throw Error(ErrorCode::Input, finding.lost, {.path = finding.path}, finding.hint);
  }
}

AnySchema parse_schema(System system, std::string_view bytes) {
  try {
    return system->parse(bytes);
  } catch (const Error&) {
    if (auto type = if_valid([&] { return system->parse_type(bytes); })) return *std::move(type);
    // The error about it as a schema is more useful.
    throw;
  }
}

AnySchema parse_type(System system, std::string_view text) { return system->parse_type(text); }

std::optional<AnySchema> parse_guessing(Parse parse, std::string_view text) {
  std::vector<System> guesses(systems().begin(), systems().end());
  std::ranges::stable_sort(guesses, {}, [](System system) { return system->guess; });
  for (const System guess : guesses) {
    // A lone type is one of several systems: it is parsed as a schema if its system is named.
    auto schema =
        if_valid([&] { return parse == parse_schema ? guess->parse(text) : parse(guess, text); });
    if (schema) return schema;
  }
  return std::nullopt;
}

AnySchema parse_schema_of(std::optional<std::string_view> system, std::string_view text) {
  // A schema of Lance without a column takes no bytes: its system must be named.
  if (!system && text.empty()) {
    throw Error(ErrorCode::Input, "expected a schema, found nothing", {.byte = 0});
  }
  std::optional<AnySchema> found =
      system ? parse_schema(system_of_word(*system), text) : parse_guessing(parse_schema, text);
  if (found) {
    check_schema(*found);
    return std::move(*found);
  }
  throw unknown_schema({});
}

Error unknown_schema(Place place) {
  return {ErrorCode::Input, "expected a schema of any system, found none that can be read",
          std::move(place),
          fmt::format("Name its system with {} ({}) to see what is wrong with it.",
                      mention(hub::Option::Format), join(system_names(), ", "))};
}

std::string type_text(System system, const hub::Field& field) {
  hub::Refused refused;
  const auto mapped = from_arrow(system, {{field}, {}}, &refused);
  return refused.empty() ? system->type_text(mapped.schema) : hub::to_string(field.type);
}

}  // namespace xwalk::crosswalk
