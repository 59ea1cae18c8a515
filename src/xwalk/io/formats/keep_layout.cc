#include "xwalk/io/formats/keep_layout.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/names.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/parquet/module.h"

namespace xwalk::io {

std::optional<hub::Storing> layout_of(Format format, const Location& path, Source& source) {
  try {
    return format->storing(path, source);
  } catch (const Error&) {
    return std::nullopt;  // reading the rows reports the error
  }
}

hub::Storing stored_alike(const FileNotes& input, const crosswalk::Plan& plan,
                          const OutputOptions& options, hub::Findings* notes) {
  const crosswalk::System to = plan.target_system;
  if (!input.storing || (to != parquet::kModule && to != arrow::kModule)) return {};
  const hub::Storing& theirs = *input.storing;
  hub::Storing out;
  out.group_rows = theirs.group_rows;
  const hub::Type columns = hub::struct_(plan.source_hub.fields);
  const std::vector<hub::Rename> names = hub::names_of(columns, Path(), plan.renames);
  std::map<std::string_view, size_t> places;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = columns.child(i).name;
    places.emplace(name, i);
    const auto codec = theirs.compression.find(name);
    if (codec != theirs.compression.end()) out.compression.emplace(names[i].name, codec->second);
  }
  if (to != parquet::kModule) return out;
  out.page_index = theirs.page_index;
  const auto lost = [notes](std::string_view rule, std::string what) {
    notes->push_back({.rule = rule, .lost = std::move(what)});
  };
  // Rows of several files, or of parts that need not follow each other, are sorted no more.
  const bool one_run = !input.several && !theirs.sorted_in_parts;
  for (const hub::Storing::SortKey& key : theirs.sorted_by) {
    const auto place = places.find(key.column);
    if (!one_run || place == places.end()) break;
    const hub::Rename& name = names[place->second];
    const auto there = std::ranges::find(plan.target_hub.fields, name.name, &hub::Field::name);
    const bool same = there != plan.target_hub.fields.end() &&
                      there->type == plan.source_hub.fields[place->second].type;
    if (!same) break;
    out.sorted_by.push_back({name.name, key.descending, key.nulls_first});
  }
  if (options.partition_by.empty() && out.sorted_by.size() < theirs.sorted_by.size()) {
    std::vector<std::string> lacking;
    for (size_t i = out.sorted_by.size(); i < theirs.sorted_by.size(); ++i) {
      lacking.push_back(theirs.sorted_by[i].column);
    }
    lost("key.lost",
         fmt::format("the output doesn't say that rows are sorted by {}", join(lacking, ", ")));
  }
  if (theirs.bloom_filters) lost("metadata.lost", "Bloom filters are not written");
  return out;
}

}  // namespace xwalk::io
