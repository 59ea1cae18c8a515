// The sort order of columns of random schemas after columns were moved, dropped, renamed and
// changed in type: it is kept for a run of the first keys, and lost columns are reported. Also
// names of systems, their forms and schemas.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "tests/crosswalk/random_values.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"

namespace xwalk::fuzz {
namespace {

using crosswalk::System;

hub::Schema make_schema(Choices* choices) {
  crosswalk::testing::RandomData random(choices->word() % 4096);
  hub::Schema schema{random.fields(1 + choices->below(5), 1), {}};
  for (const System system : crosswalk::systems()) {
    if (system->labels_key.empty()) continue;
    for (hub::Field& field : schema.fields) {
      if (choices->below(2) != 0) continue;
      field.metadata.set(system->labels_key, choices->below(2) == 0
                                                 ? "{sort_order=ascending;}"
                                                 : "{sort_order=descending;group=g;}");
    }
    if (choices->below(2) == 0) {
      hub::annotate(schema, system->name,
                    choices->below(2) == 0 ? "<unique_keys=%true;strict=%true;>[]"
                                           : "<a=1;unique_keys=%true;>[]");
    }
  }
  return schema;
}

void change(Choices* choices, hub::Schema* schema) {
  for (size_t left = choices->below(4); left > 0 && !schema->fields.empty(); --left) {
    const auto at =
        schema->fields.begin() + static_cast<std::ptrdiff_t>(choices->below(schema->fields.size()));
    switch (choices->below(4)) {
      case 0:
        schema->fields.erase(at);
        break;
      case 1:
        std::swap(*at, schema->fields.front());
        break;
      case 2:
        at->name += 'x';
        break;
      default: {
        const std::vector<hub::Type> types = {hub::Kind::Int64,  hub::Kind::Double,
                                              hub::Kind::Date32, hub::Kind::Utf8,
                                              hub::Kind::Binary, hub::Kind::Bool};
        at->type = types[choices->below(types.size())];
      }
    }
  }
}

size_t sorted_columns(const hub::Schema& schema) {
  return static_cast<size_t>(std::ranges::count_if(schema.fields, crosswalk::is_sorted_by));
}

void check_order(Choices* choices) {
  const hub::Schema was = make_schema(choices);
  hub::Schema is = was;
  if (choices->below(4) == 0) is.metadata = {};
  change(choices, &is);
  const size_t keys = sorted_columns(was);
  const std::vector<std::string> lost = crosswalk::cut_order(was, &is);
  require(sorted_columns(is) + lost.size() == keys, "a key stays or is lost", join(lost, ", "));
  hub::Schema again = is;
  const std::vector<std::string> more = crosswalk::cut_order(was, &again);
  require(again == is && more == lost, "it is settled once", join(more, ", "));
  require(crosswalk::order_lost(lost).empty() == lost.empty(), "a loss is reported", "");
  const std::vector<std::string> dropped = crosswalk::drop_order(&is);
  require(dropped.size() + lost.size() == keys && sorted_columns(is) == 0, "nothing is left",
          join(dropped, ", "));
}

/// Any text of a word, or one there is.
std::string any_word(const std::vector<std::string>& words, Choices* choices) {
  const size_t which = choices->below(words.size() + 1);
  return which < words.size() ? words[which] : std::string(choices->text());
}

void check_words(Choices* choices) {
  const std::string word = any_word(crosswalk::system_names(), choices);
  const std::optional<System> system = crosswalk::parse_system(word);
  crosswalk::testing::RandomData random(choices->word() % 4096);
  const hub::Schema schema{random.fields(1 + choices->below(3), 2), {}};
  try {
    require(system == crosswalk::system_of_word(word), "a word names one system", word);
    for (const hub::Field& field : schema.fields) {
      require(!crosswalk::type_text(*system, field).empty(), "a type has a text", field.name);
    }
    const std::string form = any_word(crosswalk::form_names(*system), choices);
    const hub::AnySchema made = crosswalk::from_arrow(*system, schema).schema;
    const std::string text = crosswalk::print_schema(made, form);
    require(crosswalk::is_binary_form(*system, form) || is_valid_utf8(text), "a form is text",
            text);
    (void)crosswalk::lost_in_form(made, form);
    const auto known = std::ranges::find((*system)->forms, form, &hub::WrittenForm::name);
    if (known == (*system)->forms.end() || !known->parsed) return;
    const hub::AnySchema read = crosswalk::parse_schema_of(
        choices->below(2) == 0 ? std::optional<std::string_view>(word) : std::nullopt, text);
    require(read.system() != *system || crosswalk::print_schema(read, form) == text ||
                !crosswalk::lost_in_form(made, form).empty(),
            "a form is printed the same again", text);
  } catch (const Error& error) {
    require_refusal(error);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  if (choices.below(2) == 0) return check_order(&choices);
  check_words(&choices);
}

}  // namespace xwalk::fuzz
