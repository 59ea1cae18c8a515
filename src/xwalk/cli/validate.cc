#include "xwalk/parquet/validate.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/row_options.h"
#include "xwalk/cli/verb.h"
#include "xwalk/io/parquet_validate.h"
#include "xwalk/io/pipeline.h"
#include "xwalk/io/source.h"

namespace xwalk::cli {
namespace {

/// Bad rows described one by one; the rest are counted.
constexpr uint64_t kDescribed = 20;

struct Options {
  RowOptions rows;
  std::vector<std::string> inputs;
  bool values = false;
};

/// Checks the rules of Parquet files, and their values if asked; returns whether all is well.
bool check_parquet(const std::vector<std::string>& files, const Options& options, Session& session,
                   nlohmann::ordered_json* findings) {
  bool sound = true;
  for (const std::string& file : files) {
    io::ParquetValidationOptions validation;
    validation.values = options.values;
    validation.threads = thread_count(options.rows);
    validation.cancelled = &interrupted();
    uint64_t described = 0;
    validation.on_bad_value = [&](const hub::BadRow& bad) {
      if (++described > kDescribed) return;
      if (session.json) {
        findings->push_back(error_json(bad.error));
      } else {
        session.print(bad.error.describe() + "\n");
      }
    };
    const io::ParquetValidation found =
        io::validate_parquet(io::with_contents(io::open_source(file)), validation);
    sound = sound && found.valid();
    if (described > kDescribed && !session.json) {
      session.print(fmt::format("… and {} more bad values\n", grouped(described - kDescribed)));
    }
    for (const hub::Finding& finding : found.findings) {
      if (session.json) {
        findings->push_back({{"file", file},
                             {"path", finding.path.text()},
                             {"rule", finding.rule},
                             {"found", finding.lost},
                             {"violation", parquet::is_violation(finding)}});
      } else {
        session.print(fmt::format("{}: {}: {}: {} ({})\n", file,
                                  parquet::is_violation(finding) ? "error" : "note",
                                  finding.path.text(), finding.lost, finding.rule));
      }
    }
  }
  return sound;
}

int run(const Options& options, Session& session) {
  ProgressLine line(session);
  io::InputOptions opening = input_options(options.rows);
  opening.skip_bad_rows = true;
  io::Input input = open_rows(options.inputs, opening, session);

  nlohmann::ordered_json errors = nlohmann::ordered_json::array();
  const bool by_rules =
      input.format != io::Format::Parquet || check_parquet(input.files, options, session, &errors);
  uint64_t described = 0;
  io::PipelineOptions pipeline;
  pipeline.threads = thread_count(options.rows);
  pipeline.skip_bad_rows = true;
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    if (++described > kDescribed) return;
    line.clear();
    if (session.json) {
      errors.push_back(error_json(bad.error));
    } else {
      session.print(bad.error.describe() + "\n");
    }
  };
  io::Progress done = io::run_pipeline(*input.reader, nullptr, nullptr, pipeline);
  line.clear();

  const bool sound = done.bad_rows == 0 && by_rules;
  if (session.json) {
    nlohmann::ordered_json out = {{"rows", done.rows + done.bad_rows},
                                  {"bad_rows", done.bad_rows},
                                  {"errors", std::move(errors)}};
    session.print(out.dump(2) + "\n");
  } else {
    if (described > kDescribed) {
      session.print(fmt::format("… and {} more\n", grouped(described - kDescribed)));
    }
    std::string verdict =
        sound
            ? session.out().paint(Ink::Good, "valid")
            : session.out().paint(
                  Ink::Bad, done.bad_rows == 0 ? "invalid"
                                               : fmt::format("{} invalid", grouped(done.bad_rows)));
    session.print(fmt::format("{}: {}, {}\n", options.inputs.front(),
                              counted(done.rows + done.bad_rows, "row"), verdict));
  }
  return sound ? kDone : kFound;
}

}  // namespace

Verb validate_verb() {
  return {"validate",
          "reads every row and checks every rule of its schema, writes nothing",
          "IN... [--schema S]",
          {{"xwalk validate events.yson --schema events.schema", ""},
           {"xwalk validate part-*.yson.zst --json", "errors as JSON"}},
          "Exits 1 when a row is invalid. The first 20 are described, the rest counted.",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            app.add_option("IN", options->inputs, "files, a folder or -")->required();
            add_flag(app, "--values", &options->values,
                     "hold every value of a Parquet file against its annotation")
                ->group("Checks");
            declare_input(app, &options->rows);
            declare_selection(app, &options->rows);
            declare_skiff(app, &options->rows);
            declare_yson(app, &options->rows, false);
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
