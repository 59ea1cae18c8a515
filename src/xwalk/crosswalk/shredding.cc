#include "xwalk/crosswalk/shredding.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/path_pattern.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/shredding.h"

namespace xwalk::crosswalk {
namespace {

[[noreturn]] void refuse(std::string message, const Path& path, std::string hint) {
  throw Error(ErrorCode::Usage, std::move(message),
              {.file = mention(hub::Option::Shred), .path = path}, std::move(hint));
}

[[noreturn]] void no_column(const Path& path, const hub::Schema& schema) {
  std::vector<std::string> columns;
  for (const hub::Field& column : schema.fields) {
    columns.push_back(Path::column(column.name).text());
  }
  refuse(fmt::format("no column {}", xwalk::quoted(path.text())), {},
         column_hint(path.text(), columns));
}

/// The VARIANT groups of a schema by their paths.
std::map<std::string, size_t> places_of(const parquet::Resolution& resolution) {
  std::map<std::string, size_t> out;
  for (const parquet::Resolved* variant : parquet::variants_of(resolution.columns)) {
    out.emplace(variant->path.text(), out.size());
  }
  return out;
}

/// Returns the numbers of the VARIANT groups that a request is about.
std::vector<size_t> wanted(const CastOption& request, const hub::Schema& schema,
                           const std::map<std::string, size_t>& variants) {
  std::vector<size_t> out;
  if (request.path.empty()) return out;
  const std::vector<Path> paths = hub::paths_like(schema, request.path, request.pattern);
  if (paths.empty()) no_column(request.path, schema);
  for (const Path& path : paths) {
    const auto found = variants.find(path.text());
    if (found != variants.end()) out.push_back(found->second);
  }
  if (out.empty()) refuse("expected a column of VARIANT", request.path, {});
  return out;
}

}  // namespace

parquet::Schema with_shredding(const parquet::Schema& schema,
                               const std::vector<CastOption>& requested) {
  if (requested.empty()) return schema;
  const hub::Schema columns = parquet::to_arrow(schema);
  const std::map<std::string, size_t> variants = places_of(parquet::resolve(schema));
  std::map<size_t, parquet::Node> typed;
  for (const CastOption& request : requested) {
    const std::vector<size_t> places = wanted(request, columns, variants);
    if (request.type == kShredAuto) continue;
    const RequestedType type =
        read_type(request, hub::Option::Shred, parquet::kModule, parquet::kModule);
    const parquet::Node node = parquet::typed_value_of(type.field, request.path);
    for (const size_t place : places) {
      if (typed.emplace(place, node).second) continue;
      refuse("expected each column once, found it twice", request.path, {});
    }
  }
  return parquet::with_typed_values(schema, typed);
}

std::vector<CastOption> sampled(const std::vector<CastOption>& requested) {
  std::vector<CastOption> out;
  std::ranges::copy_if(requested, std::back_inserter(out),
                       [](const CastOption& one) { return one.type == kShredAuto; });
  return out;
}

}  // namespace xwalk::crosswalk
