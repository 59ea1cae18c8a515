// Moves rows from one input to an output as they are, for tests against other readers and writers:
//   xwalk_copy_rows [OPTION=VALUE…] IN OUT
// Options: from, to, select (comma-separated), limit, threads, batch_rows, compression, format
// (text, pretty or binary), schema (a file), row_group_rows, message (a file), keep_repeated_keys,
// mode (create, append or overwrite), version.
// Findings of reading are lines on stdout. An error is one line on stderr and
// exit code 1.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <sys/resource.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/module.h"

namespace {

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

int run(int count, char** words) {
  if (const char* python = std::getenv("XWALK_PYTHON")) xwalk::io::set_engine_interpreter(python);
  std::map<std::string, std::string> options;
  std::vector<std::string> paths;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    size_t equals = word.find('=');
    if (equals == std::string::npos) {
      paths.push_back(word);
    } else {
      options[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  if (paths.size() < 2) return 2;
  std::string out = paths.back();
  paths.pop_back();

  xwalk::io::InputOptions in;
  xwalk::io::OutputOptions to;
  xwalk::io::PipelineOptions pipeline;
  if (options.contains("from")) in.format = xwalk::io::parse_format(options["from"]);
  if (options.contains("to")) to.format = xwalk::io::parse_format(options["to"]);
  if (options.contains("select")) in.select = split_commas(options["select"]);
  if (options.contains("limit")) in.limit = std::stoll(options["limit"]);
  if (options.contains("batch_rows")) in.batch_rows = std::stoll(options["batch_rows"]);
  if (options.contains("threads")) pipeline.threads = std::stoi(options["threads"]);
  if (options.contains("compression")) to.compression = options["compression"];
  if (options.contains("row_group_rows")) {
    to.row_group_rows = std::stoll(options["row_group_rows"]);
  }
  if (options.contains("format")) xwalk::yt::parse_mode(options["format"], &to.values.format);
  if (options.contains("schema")) {
    auto source = xwalk::io::open_source(options["schema"]);
    in.schema = xwalk::io::read_all(*source, 1 << 20);
  }
  if (options.contains("version")) in.lance.version = options["version"];
  // Cases write the same file repeatedly. For a dataset they set the mode.
  if (xwalk::io::output_format(out, to) != xwalk::io::kLanceRows) {
    to.mode = xwalk::io::OutputMode::Overwrite;
  }
  if (options["mode"] == "append") to.mode = xwalk::io::OutputMode::Append;
  if (options["mode"] == "overwrite") to.mode = xwalk::io::OutputMode::Overwrite;
  if (options.contains("engine_threads")) in.threads = std::stoi(options["engine_threads"]);
  if (options.contains("writer_threads")) to.threads = std::stoi(options["writer_threads"]);

  xwalk::io::Input input = xwalk::io::open_input(paths, in);
  xwalk::io::WritePlan schema;
  schema.hub = input.reader->schema();
  xwalk::io::Format format = xwalk::io::output_format(out, to);
  if (format == xwalk::io::kYsonRows || format == xwalk::io::kSkiffRows) {
    const xwalk::yt::TableSchema table =
        xwalk::hub::lower_and_map(schema.hub, xwalk::yt::kCapabilities, xwalk::yt::from_arrow)
            .schema;
    schema.hub = xwalk::yt::to_arrow(table);
    schema.written = xwalk::hub::AnySchema(xwalk::yt::kModule, table);
  }
  if (options.contains("message")) {
    auto source = xwalk::io::open_source(options["message"]);
    const auto message = xwalk::parquet::parse_message(xwalk::io::read_all(*source, 1 << 20));
    schema.hub = xwalk::parquet::to_arrow(message);
    schema.written = xwalk::hub::AnySchema(xwalk::parquet::kModule, message);
    schema.hub.metadata = input.reader->schema().metadata;
  }
  to.parquet.keep_repeated_keys = options.contains("keep_repeated_keys");
  if (format == xwalk::io::kLanceRows || format == xwalk::io::kVortexRows) {
    schema = xwalk::io::write_plan(
        xwalk::crosswalk::plan(input.format->system, schema.hub, format->system));
  }
  auto writer = xwalk::io::open_output(out, schema, to);
  auto cast = xwalk::hub::compile_cast(input.reader->schema(), schema.hub);
  xwalk::io::Progress done = xwalk::io::run_pipeline(*input.reader, &cast, writer.get(), pipeline);
  if (auto notes = input.reader->notes()) {
    for (const xwalk::hub::Finding& finding : notes()) {
      std::printf("%s %s: %s\n", finding.path.text().c_str(), std::string(finding.rule).c_str(),
                  finding.lost.c_str());
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::fprintf(stderr, "%llu rows, %llu bytes in, %llu bytes out, peak %ld MB\n",
               static_cast<unsigned long long>(done.rows),
               static_cast<unsigned long long>(done.bytes_read),
               static_cast<unsigned long long>(done.bytes_written), usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
