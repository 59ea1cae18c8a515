#include "xwalk/convert/verify.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/invocation.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {
namespace {

struct VerifyOptions {
  io::OptionTokens tokens;
  std::vector<std::string> paths;
  io::VerifyOptions how;
  std::optional<std::string> proof;
  bool overwrite = false;
  ReportOutput output;
};

int run(VerifyOptions& options, Session& session) {
  set_report_form(options.output, session);
  if (options.paths.size() < 2) {
    throw Error(ErrorCode::Usage,
                options.paths.empty() ? "expected IN and OUT, found nothing"
                                      : "expected IN and OUT, found one path",
                {}, "usage: xwalk verify IN... OUT [options]");
  }
  const std::string out = options.paths.back();
  const std::vector<std::string> inputs(options.paths.begin(), options.paths.end() - 1);
  io::ConvertOptions convert = read_row_options(options.tokens);
  ProgressLine line(session);
  show_work(&convert, line, session);
  options.how.command = invocation();
  options.how.title = options.output.title;
  options.how.owner = options.output.owner;
  const io::StorageOptions storage = convert.output.storage;
  const report::Proof proof = io::verify(inputs, out, std::move(convert), options.how);
  line.clear();
  if (options.proof) io::write_proof(proof, *options.proof, storage);
  print_report({proof, {}}, options.output, session);
  return proof.passes() ? kDone : kFound;
}

}  // namespace

Verb verify_verb() {
  return {
      "verify",
      "compares an output with its inputs, row by row, and writes a proof",
      "IN... OUT [--proof FILE] [options of convert]",
      {{"xwalk verify flights.parquet flights.yson", ""},
       {"xwalk verify events.yson events.parquet --on-error skip --proof proof.html", ""},
       {"xwalk verify tables/ OUT/ --to lance --proof proof.json", ""},
       {"xwalk verify a.parquet b.lance --key id", ""}},
      "Give the options of the conversion. The rows of IN are cast as the conversion does, OUT is "
      "read back, and all values, the order and the number of rows are compared. Exits 1 on any "
      "difference. Nothing is written except the proof.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<VerifyOptions>();
        add_rest(command, "PATHS", &options->paths, "the inputs, then the output");
        const char* group = "Output";
        add_text(command, "--proof", &options->proof, "FILE",
                 "write a proof: .html, .xml (JUnit), .md, .json")
            ->group(group);
        add_flag(command, "--all", &options->output.all, "list all columns with their checksums")
            ->group(group);
        declare_options(command, io::kConvert, &options->tokens);
        add_flag(command, "--overwrite", &options->overwrite, "accepted as in convert")
            ->group(group);
        declare_report(command, &options->output);
        declare_titles(command, &options->output);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
