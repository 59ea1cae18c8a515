#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/verb.h"
#include "xwalk/cli/written_schema.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/report/text.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;

struct TypeOptions {
  std::string text;
  std::optional<std::string> from;
  std::string to = "all";
  std::optional<std::string> into;
  std::string form;
  io::OptionTokens tokens;
};

/// One line of the answer: the type in a system, and what the way there keeps.
struct Line {
  System system;
  std::string text;
  std::optional<hub::Verdict> verdict;
  std::vector<std::string> rules;
  std::string error;
};

/// Plans the way to a system, to the type given in its words if there is one.
crosswalk::Plan plan_of(const io::SchemaInput& source, System target,
                        const std::optional<std::string>& into,
                        const crosswalk::PlanOptions& options) {
  if (!into) return crosswalk::plan(source.system, source.hub, target, options);
  const crosswalk::AnySchema schema = crosswalk::parse_type(target, *into);
  const hub::Schema wanted = crosswalk::to_arrow(schema);
  hub::Schema hub = source.hub;
  // Types are compared, so their columns are one column whatever each is called.
  if (wanted.fields.size() == 1) hub.fields.front().name = wanted.fields.front().name;
  return crosswalk::plan_to(source.system, hub, schema, options);
}

Line line_of(const io::SchemaInput& source, System target, const std::optional<std::string>& into,
             const crosswalk::PlanOptions& options) {
  Line line{target, {}, {}, {}, {}};
  if (target == source.system && !into) {
    line.text = target->type_text(source.schema);
    return line;
  }
  const crosswalk::Plan plan = plan_of(source, target, into, options);
  line.verdict = plan.verdict();
  for (const crosswalk::PathReport& report : plan.paths) {
    for (const crosswalk::Reason& reason : report.reasons) {
      std::string rule(reason.rule);
      if (std::find(line.rules.begin(), line.rules.end(), rule) == line.rules.end()) {
        line.rules.push_back(std::move(rule));
      }
    }
  }
  if (!plan.unsupported.empty()) {
    line.error = plan.unsupported.front().lost;
  } else if (!plan.target_hub.fields.empty()) {
    line.text = target->type_text(plan.target);
  }
  return line;
}

void print_lines(const std::vector<Line>& lines, Session& session) {
  int width = std::max(60, session.out().width());
  for (const Line& line : lines) {
    std::string name(line.system->name);
    const std::string type = line.text.empty() ? "no column" : line.text;
    const std::string text = harmless(line.error.empty() ? type : line.error, /*colors=*/false);
    std::string verdict;
    int verdict_width = 0;
    if (line.verdict) {
      std::string rules = join(line.rules, ", ");
      verdict_width = display_width(hub::to_string(*line.verdict)) + 2 + display_width(rules);
      verdict = report::painted(*line.verdict, session.out().has_color());
      if (!rules.empty()) verdict += "  " + rules;
    }
    std::string head = session.out().paint(Ink::Bold, name) + std::string(9 - name.size(), ' ');
    // On one line where it fits, else the verdict below.
    int text_width = display_width(text);
    constexpr int kVerdictColumn = 45;
    int pad = std::max(2, kVerdictColumn - text_width);
    if (verdict.empty()) {
      session.print(head + text + "\n");
    } else if (9 + text_width + pad + verdict_width <= width) {
      session.print(fmt::format("{}{}{:{}}{}\n", head, text, "", pad, verdict));
    } else {
      session.print(fmt::format("{}{}\n{:11}{}\n", head, text, "", verdict));
    }
  }
}

int run(const TypeOptions& options, Session& session) {
  const crosswalk::PlanOptions plan = read_options(options.tokens).plan;
  std::optional<System> from;
  if (options.from) from = system_argument("--from", *options.from);
  io::SchemaInput source = io::parse_type_input(from, options.text);
  if (source.hub.fields.size() != 1) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("expected one type, found a schema of {} columns", source.hub.fields.size()),
        {}, "xwalk schema translates schemas.");
  }
  if (options.to == "all" && (options.into || !options.form.empty())) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} needs --to with one system", options.into ? "--into" : "--form"));
  }
  if (!options.form.empty()) {
    System target = system_argument("--to", options.to);
    crosswalk::AnySchema schema = source.schema;
    if (target != source.system || options.into) {
      const crosswalk::Plan planned = plan_of(source, target, options.into, plan);
      crosswalk::require_all_columns(planned);
      schema = planned.target;
    }
    session.print(written_schema(schema, options.form, session.json));
    return kDone;
  }
  std::vector<Line> lines;
  if (options.to == "all") {
    lines.push_back(line_of(source, source.system, {}, plan));
    for (System system : crosswalk::systems()) {
      if (system != source.system) lines.push_back(line_of(source, system, {}, plan));
    }
  } else {
    lines.push_back(line_of(source, system_argument("--to", options.to), options.into, plan));
  }
  if (session.json) {
    Json out = Json::array();
    for (const Line& line : lines) {
      Json one = {{"system", line.system->name}};
      if (line.error.empty()) one["type"] = line.text;
      if (line.verdict) one["verdict"] = hub::to_string(*line.verdict);
      if (line.verdict) one["rules"] = line.rules;
      if (!line.error.empty()) one["error"] = line.error;
      out.push_back(std::move(one));
    }
    session.print(json_text(out) + "\n");
  } else {
    print_lines(lines, session);
  }
  bool none = lines.size() == 1 && !lines[0].error.empty();
  return none ? kUnsupported : kDone;
}

}  // namespace

Verb type_verb() {
  return {"type",
          "shows what one type becomes in every system, with verdicts",
          "TEXT [--from F] [--to F|all] [--into TYPE] [--form FORM]",
          {{"xwalk type 'Optional<List<Decimal(20,4)>>' --from yt", ""},
           {"xwalk type Int64 --to arrow --into int32", "to a given type"},
           {"xwalk type 'timestamp[us, tz=UTC]' --from arrow --to yt", ""},
           {"xwalk type '{type_name=list;item=int64}' --to yt --form json", ""}},
          "Without --from, the first system that can parse the text is used.",
          [](CommandLine& command) -> Action {
            auto options = std::make_shared<TypeOptions>();
            add_text(command, "TEXT", &options->text, "TEXT", "the type")->required();
            add_text(command, "--from", &options->from, "F", "system whose syntax the text is in");
            add_text(command, "--to", &options->to, "F", "one system (default: all)");
            add_text(command, "--into", &options->into, "TYPE",
                     "convert to this type, in the syntax of --to (default: the natural one)");
            add_text(command, "--form", &options->form, "FORM",
                     "written form, as listed by xwalk schema --help");
            declare_options(command, io::kType, &options->tokens);
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
