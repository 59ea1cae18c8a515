#include "xwalk/io/places/upsert.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/rows/key_writer.h"

namespace xwalk::io {
namespace {

using hub::mention;
using hub::Option;

std::vector<std::string> column_names(const hub::Schema& schema) {
  std::vector<std::string> out;
  for (const hub::Field& field : schema.fields) out.push_back(field.name);
  return out;
}

}  // namespace

void check_upsert(Format format, const OutputOptions& options) {
  const UpsertOptions& upsert = options.upsert;
  if (!upsert.wanted) {
    if (upsert.key.empty()) return;
    throw Error(ErrorCode::Usage,
                fmt::format("{} is about rows that replace others", mention(Option::Key)), {},
                fmt::format("Give {} as well.", mention(Option::Mode, "upsert")));
  }
  if (format->upserts == Upserts::Never) {
    std::vector<std::string> able;
    for (const Format one : formats()) {
      if (one->upserts != Upserts::Never) able.emplace_back(one->name);
    }
    throw Error(ErrorCode::Usage,
                fmt::format("{} needs an output of {}, found {}", mention(Option::Mode, "upsert"),
                            alternatives(able), format->name),
                {},
                fmt::format("Rows of other formats have no keys: replace all with {}.",
                            mention(Option::Mode, "overwrite")));
  }
  if (upsert.key.empty()) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} needs the columns of a key", mention(Option::Mode, "upsert")), {},
                fmt::format("Name them: {}.", mention(Option::Key, "COLUMN")));
  }
  if (options.evolve && format->upserts != Upserts::NewColumns) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("{} and {}: rows of {} do not replace others in the version that adds "
                            "columns",
                            mention(Option::Mode, "upsert"), mention(Option::Evolve), format->name),
                {},
                fmt::format("Leave the new columns out with {}, or add them before.",
                            mention(Option::Exclude)));
  }
}

void check_upserted_columns(const hub::Schema& rows, const crosswalk::AnySchema& there,
                            const crosswalk::PlanOptions& plan, const OutputOptions& options) {
  if (!options.upsert.wanted) return;
  const std::vector<std::string> names = column_names(crosswalk::to_arrow(there));
  for (const std::string& name : options.upsert.key) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("{}: the existing rows have no column {}", mention(Option::Key),
                            xwalk::quoted(name)),
                {}, column_hint(name, names));
  }
  const std::vector<std::optional<size_t>> places = places_there(rows, there, plan);
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(places, std::optional(i)) != places.end()) continue;
    const bool is_key = std::ranges::find(options.upsert.key, names[i]) != options.upsert.key.end();
    throw Error(ErrorCode::Unsupported,
                is_key ? "the input has no such column, which is one of the key"
                       : "the input has no such column: the rows that it replaces would lose its "
                         "values",
                {.path = Path::column(names[i])},
                fmt::format("Add it to the input, or give a column of it this name with {}.",
                            mention(Option::Rename)));
  }
}

std::unique_ptr<hub::BatchWriter> with_keys(const OutputPlace& place, const hub::Schema& rows,
                                            const OutputOptions& options,
                                            std::unique_ptr<hub::BatchWriter> writer) {
  if (place.rows && std::ranges::any_of(place.rows->meaning.fields, crosswalk::is_sorted_by)) {
    throw Error(ErrorCode::Unsupported,
                "the schema of the existing rows says that they are sorted, which an upsert does "
                "not keep",
                {.file = place.path},
                fmt::format("Write the table again with {}, which leaves out what says so.",
                            mention(Option::Annotations)));
  }
  return std::make_unique<KeyWriter>(std::move(writer), rows, options.upsert.key,
                                     options.upsert.key_bytes);
}

}  // namespace xwalk::io
