#include "xwalk/convert/convert.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/api/rows.h"
#include "xwalk/convert/verify.h"
#include "xwalk/crosswalk/report_set.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {
namespace {

using Counts = Report::State::Counts;

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

/// Reports on what was converted, several outputs as several tables.
Report report_on(std::vector<io::Converted> all, const std::string& output) {
  auto owner = std::make_shared<const std::vector<io::Converted>>(std::move(all));
  crosswalk::ReportSet set;
  set.kind = "tables";
  set.name = output;
  std::vector<std::optional<Counts>> counts;
  for (const io::Converted& one : *owner) {
    crosswalk::Check check;
    check.plan = &one.plan;
    check.name = one.output;
    check.notes = one.notes;
    check.interface = hub::Interface::Json;
    counts.emplace_back(Counts{one.done.rows, one.done.bad_rows});
    if (owner->size() == 1) return api::make_report(std::move(check), owner, counts.front());
    set.recorded_rows.emplace_back(one.done.rows);
    set.reports.emplace_back(std::move(check));
  }
  return api::make_report(std::move(set), std::move(owner), std::move(counts));
}

Report convert(io::Dataset& rows, const std::string& output, io::ConvertOptions options,
               const Watch& watch) {
  set_watch(watch, &options.pipeline);
  return report_on(io::convert(rows, output, std::move(options)), output);
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
    how.interface = hub::Interface::Json;
    return api::make_report(io::verify(input.all(), output, api::read_options(options), how));
  });
}

}  // namespace xwalk
