#include "xwalk/io/formats/option_check.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::io {
namespace {

using hub::Option;

std::vector<Format> every_format() {
  std::vector<Format> all(formats().begin(), formats().end());
  all.emplace_back(kClusterTables);
  all.emplace_back(kClusterYsonTables);
  return all;
}

bool is_among(Option option, std::span<const Option> options) {
  return std::ranges::find(options, option) != options.end();
}

/// Options of opening rows that any format takes.
constexpr std::array kOpening = {
    Option::Format, Option::RequireSchema, Option::Select,   Option::Exclude, Option::Partitions,
    Option::Unify,  Option::Limit,         Option::Sample,   Option::Seed,    Option::Tail,
    Option::Part,   Option::BatchRows,     Option::MaxMemory};

}  // namespace

TakenBy taken_by(Option option) {
  TakenBy out;
  for (const Format format : every_format()) {
    if (is_among(option, format->takes)) out.read.push_back(format);
    const bool by_name = option == Option::Compression && format->compressed_by_name;
    if (by_name || is_among(option, format->takes_to_write)) out.written.push_back(format);
  }
  return out;
}

bool TakenBy::is_read_by(std::span<const Format> formats) const {
  return std::ranges::find_first_of(formats, read) != formats.end();
}

bool TakenBy::is_written_by(std::span<const Format> formats) const {
  return std::ranges::find_first_of(formats, written) != formats.end();
}

bool is_about_opening(Option option) {
  const TakenBy by = taken_by(option);
  return is_among(option, kOpening) || (!by.read.empty() && by.written.empty());
}

std::string names_of(std::span<const Format> formats) {
  std::vector<std::string> format_names;
  for (const Format format : formats) {
    if (std::ranges::find(format_names, format->name) == format_names.end())
      format_names.emplace_back(format->name);
  }
  return alternatives(format_names);
}

std::vector<Format> formats_of(hub::System system) {
  std::vector<Format> out = every_format();
  std::erase_if(out, [&](Format format) { return format->system != system; });
  return out;
}

void check_taken(const std::set<Option>& given, std::span<const Format> input) {
  for (const Option option : given) {
    const TakenBy by = taken_by(option);
    if (by.read.empty() && by.written.empty()) continue;
    if (by.is_read_by(input)) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("{} needs rows of {}, found {}", hub::mention(option),
                            names_of(by.read.empty() ? by.written : by.read), names_of(input)));
  }
}

void check_taken_without_table(const std::set<Option>& given) {
  for (const Option option : kArrowFiles.takes) {
    if (!given.contains(option)) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("{} needs rows of YTsaurus with a table schema, found {}",
                            hub::mention(option), kArrowFiles.name));
  }
}

void check_taken_by(hub::System system, const InputOptions& options) {
  check_taken(options.given, formats_of(system));
  if (system == kArrowFiles.system && !options.schema) check_taken_without_table(options.given);
}

void check_storage(const StorageOptions& storage, const Locations& names) {
  const auto in_store = [](const Location& name) { return name.is_remote() && !name.is_table(); };
  if (storage.empty() || std::ranges::any_of(names, in_store)) return;
  std::vector<std::string> found;
  for (const Location& name : names) found.push_back(shown_name(name));
  throw Error(ErrorCode::Usage,
              fmt::format("{}: expected the URI of a store (s3://, gs://, abfss://, https://), "
                          "found {}",
                          hub::mention(Option::Storage),
                          found.empty() ? "rows that are in none" : join(found, ", ")));
}

}  // namespace xwalk::io
