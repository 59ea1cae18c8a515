#include "xwalk/crosswalk/compat.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/schema_input.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {
namespace {

using crosswalk::CompatMode;
using yt::Compatibility;

struct Options {
  RowOptions rows;
  std::string old_path;
  std::string new_path;
  CompatMode mode = CompatMode::Backward;
  std::vector<std::string> allow;
};

std::string_view words(Compatibility answer) {
  switch (answer) {
    case Compatibility::FullyCompatible:
      return "compatible";
    case Compatibility::RequireValidation:
      return "needs validation";
    case Compatibility::Incompatible:
      return "incompatible";
  }
  return "";
}

Ink ink(Compatibility answer) {
  switch (answer) {
    case Compatibility::FullyCompatible:
      return Ink::Good;
    case Compatibility::RequireValidation:
      return Ink::Warning;
    case Compatibility::Incompatible:
      return Ink::Bad;
  }
  return Ink::Good;
}

int run(const Options& options, Session& session) {
  yt::CompatibilityOptions allowed;
  for (const std::string& word : options.allow) {
    if (word == "rename") {
      allowed.allow_rename = true;
    } else if (word == "removal") {
      allowed.allow_removal = true;
    } else {
      throw unknown_word("--allow", word, {"rename", "removal"});
    }
  }
  const SchemaInput before = read_schema_input(options.old_path, options.rows, session);
  const SchemaInput after = read_schema_input(options.new_path, options.rows, session);
  const crosswalk::Compat compat =
      crosswalk::check_compat(before.schema, after.schema, options.mode, allowed);
  if (session.json) {
    nlohmann::ordered_json out;
    out["answer"] = words(compat.answer);
    out["reasons"] = nlohmann::ordered_json::array();
    for (const crosswalk::CompatReason& reason : compat.reasons) {
      out["reasons"].push_back({{"direction", reason.direction},
                                {"answer", words(reason.answer)},
                                {"path", reason.path},
                                {"reason", reason.reason}});
    }
    session.print(out.dump(2) + "\n");
  } else {
    session.print(session.out().paint(ink(compat.answer), words(compat.answer)) + "\n");
    for (const crosswalk::CompatReason& reason : compat.reasons) {
      const std::string direction =
          options.mode == CompatMode::Full ? fmt::format("{}: ", reason.direction) : "";
      session.print(fmt::format("  {}{}{}{}\n", direction, reason.path,
                                reason.path.empty() ? "" : ": ", reason.reason));
    }
  }
  return compat.answer == Compatibility::FullyCompatible ? kDone : kFound;
}

}  // namespace

Verb compat_verb() {
  return {
      "compat",
      "whether data of one schema can be read as another, and why not",
      "OLD NEW [--mode backward|forward|full]",
      {{"xwalk compat v1.schema v2.schema", "can readers of v2 read data of v1?"},
       {"xwalk compat v1.schema v2.schema --mode full --allow rename", ""},
       {"xwalk compat old.parquet new.parquet", "two files of any system"}},
      "Answers: compatible, needs validation (values must be looked at), incompatible. Two schemas "
      "of YTsaurus are held to that system's own rules, others to the values their types hold. "
      "Exits 1 unless compatible.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "OLD", &options->old_path, "OLD", "schema the data has")->required();
        add_text(app, "NEW", &options->new_path, "NEW", "schema of the readers")->required();
        add_text(app, "--from", &options->rows.from, "F", "system of both schemas")->group("Input");
        add_choice<CompatMode>(app, "--mode", &options->mode,
                               {{"backward", CompatMode::Backward},
                                {"forward", CompatMode::Forward},
                                {"full", CompatMode::Full}},
                               "new readers of old data, old readers of new data, both")
            ->group("Question");
        add_list(app, "--allow", &options->allow, "rename,removal",
                 "changes that YTsaurus refuses unless they are asked for")
            ->group("Question");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
