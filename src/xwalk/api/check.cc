#include <string>
#include <utility>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/api/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/facade.h"
#include "xwalk/hub/module.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {
namespace {

Report check_against(const Names& input, const io::Against& against, const Options& options,
                     Ask ask) {
  api::SourceOptions source = api::read_source_options(options);
  return api::make_report(io::check(input.all(), source.system, against,
                                    {.rows = ask.rows, .readers = ask.readers},
                                    std::move(source.convert)));
}

}  // namespace

Report check(const Names& input, std::string_view target, const Options& options, Ask ask) {
  return api::guard([&] {
    if (!target.empty()) return check_against(input, std::string(target), options, ask);
    if (ask.readers) return check_against(input, {}, options, ask);
    throw Error(ErrorCode::Usage, "expected a system or a format to convert to, found none");
  });
}

Report check(const Schema& schema, std::string_view target, const Options& options) {
  return api::guard([&] {
    const io::SchemaInput& source = schema.state().schema;
    return api::make_report(io::check(source, std::string(source.system->name), std::string(target),
                                      {}, api::read_options(options)));
  });
}

Report check_append(const Names& input, const std::string& output, const Options& options,
                    Ask ask) {
  return api::guard([&] { return check_against(input, io::Addition{output}, options, ask); });
}

}  // namespace xwalk
