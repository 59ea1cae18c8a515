#include <string>
#include <utility>
#include <vector>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/api/rows.h"
#include "xwalk/convert/facade.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {
namespace {

void set_watch(const Watch& watch, io::PipelineOptions* options) {
  options->cancelled = watch.cancelled;
  if (watch.on_progress) {
    options->on_progress = [&](const io::Progress& now) {
      watch.on_progress({now.rows, now.bad_rows, now.bytes_read, now.bytes_written, now.total_rows,
                         now.total_bytes});
    };
  }
  if (watch.on_rejected) {
    options->on_bad_row = [&](const hub::BadRow& bad) {
      watch.on_rejected(hub::spelled(bad.error, hub::Interface::Json), bad.source_bytes);
    };
  }
}

Report convert(io::Dataset& rows, const std::string& output, io::ConvertOptions options,
               const Watch& watch) {
  set_watch(watch, &options.pipeline);
  const hub::Interface interface = options.interface;
  return api::make_report(
      io::report_on(io::convert(rows, output, std::move(options)), output, interface));
}

}  // namespace

Report convert(const Names& input, const std::string& output, const Options& options,
               const Watch& watch) {
  return api::guard([&] {
    io::ConvertOptions given = api::read_options(options);
    io::Dataset rows(input.all(), given.input);
    return convert(rows, output, std::move(given), watch);
  });
}

Report convert(const Rows& input, const std::string& output, const Options& options,
               const Watch& watch) {
  return api::guard(
      [&] { return convert(input.state().data, output, api::read_options(options), watch); });
}

Report verify(const Names& input, const std::string& output, const Options& options,
              std::vector<std::string> key) {
  return api::guard([&] {
    io::VerifyOptions how;
    how.key = std::move(key);
    return api::make_report({io::verify(input.all(), output, api::read_options(options), how), {}});
  });
}

}  // namespace xwalk
