#include "xwalk/python/options.h"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/explain.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/option_names.h"
#include "xwalk/python/text.h"

namespace xwalk::python {

namespace nb = nanobind;

namespace {

std::string_view word_of(io::OptionGroup group) {
  switch (group) {
    case io::OptionGroup::Source:
      return "source";
    case io::OptionGroup::Rows:
      return "rows";
    case io::OptionGroup::Work:
      return "work";
    case io::OptionGroup::Values:
      return "values";
    case io::OptionGroup::Changes:
      return "changes";
    case io::OptionGroup::Consent:
      return "consent";
    case io::OptionGroup::Writing:
      return "output";
  }
  return "";
}

std::string_view word_of(io::OptionValue value) {
  switch (value) {
    case io::OptionValue::Flag:
      return "flag";
    case io::OptionValue::Number:
      return "number";
    case io::OptionValue::Bytes:
      return "bytes";
    case io::OptionValue::NumberOrWord:
      return "number or word";
    case io::OptionValue::NumberOrShare:
      return "number or share";
    case io::OptionValue::Word:
      return "word";
    case io::OptionValue::Choice:
      return "choice";
    case io::OptionValue::List:
    case io::OptionValue::Texts:
      return "words";
    case io::OptionValue::Path:
      return "path";
    case io::OptionValue::Schema:
      return "schema";
    case io::OptionValue::Object:
      return "object";
  }
  return "";
}

/// Returns the documentation of a word as Python shows it. Throws Error (Usage) for other words.
nb::typed<nb::dict, nb::str, nb::any> explain(const std::string& word) {
  const std::optional<io::Explanation> found = io::explain(word, hub::Interface::Python);
  if (!found) {
    std::vector<std::string> names = io::explained_names();
    for (const io::NamedOption& option : io::named_options()) {
      names.emplace_back(hub::to_string(option.option));
    }
    std::string hint = io::names_with_part(word, names);
    if (hint.empty()) hint = did_you_mean(word, names);
    throw Error(ErrorCode::Usage, "unknown rule, verdict or option " + xwalk::quoted(word), {},
                hint.empty() ? "xwalk.explain() lists all rules." : std::move(hint));
  }
  nb::dict out;
  out[found->is_option ? "option" : "rule"] = found->word;
  out["meaning"] = found->meaning;
  out["advice"] = found->advice;
  if (found->example != nullptr) {
    nb::dict example;
    example["command"] = found->example->command;
    example["output"] = found->example->output;
    out["example"] = example;
  }
  return out;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> out;
  for (const hub::Rule& rule : crosswalk::rules()) out.emplace_back(rule.slug);
  return out;
}

}  // namespace

io::ConvertOptions read_options(const nb::dict& all) {
  std::string json;
  nb::dict given(all);
  // Which engine it is is Python's own matter: elsewhere there is one.
  bool separate = false;
  if (all.contains("engine")) {
    given = nb::borrow<nb::dict>(all.attr("copy")());
    const nb::object engine = given.attr("pop")("engine");
    separate = engine.equal(nb::str("process"));
    if (!separate && !engine.equal(nb::str("auto"))) {
      const std::string word = str_of(engine);
      throw Error(ErrorCode::Usage,
                  "engine: expected auto or process, found " + xwalk::quoted(word), {},
                  did_you_mean(word, {"auto", "process"}));
    }
  }
  try {
    json = nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(given));
  } catch (nb::python_error& error) {
    // A value that is not a string, number, flag or list.
    if (!error.matches(PyExc_TypeError)) throw;
    throw Error(ErrorCode::Usage, "expected plain options: " + str_of(error.value()));
  }
  io::ConvertOptions options =
      io::read_named_options(json, io::OptionTexts::Refused, hub::Interface::Python);
  options.input.separate_engine = options.output.separate_engine = separate;
  return options;
}

void bind_options(nb::module_& module) {
  module.def("explain", explain, nb::arg("word"));
  module.def("rule_names", rule_names);
  module.def(
      "named_options",
      [] {
        nb::list out;
        for (const io::NamedOption& option : io::named_options()) {
          out.append(nb::make_tuple(hub::to_string(option.option), word_of(option.group),
                                    word_of(option.value), option.usual, option.about));
        }
        return out;
      },
      nb::sig("def named_options() -> list[tuple[str, str, str, str, str]]"));
  module.def(
      "not_on_spark",
      [] {
        nb::list out;
        for (const io::NamedOption& option : io::named_options()) {
          const bool is_for_writing = option.group == io::OptionGroup::Writing;
          out.append(nb::make_tuple(
              hub::to_string(option.option), option.not_on_spark,
              is_for_writing ? std::string_view("it is for writing") : option.not_read_on_spark));
        }
        return out;
      },
      nb::sig("def not_on_spark() -> list[tuple[str, str, str]]"),
      "Returns for each option why Spark does not take it, and why not for reading; \"\" if it "
      "does.");
  module.def(
      "parse_option",
      [](const std::string& name, const std::string& text) {
        const std::optional<hub::Option> option = hub::option_of_id(name);
        return option ? io::parse_option(*option, text) : std::string();
      },
      nb::arg("name"), nb::arg("text"),
      "Returns the value of an option that is given as text, as JSON; \"\" for an unknown option.");
  module.def(
      "did_you_mean",
      [](const std::string& word, const std::vector<std::string>& candidates) {
        return did_you_mean(word, candidates);
      },
      nb::arg("word"), nb::arg("words"));
  module.def(
      "suggested_option",
      [](const std::string& name, const std::vector<std::string>& known) {
        return hub::suggested_option(name, known, hub::Interface::Python);
      },
      nb::arg("name"), nb::arg("known"));
}

}  // namespace xwalk::python
