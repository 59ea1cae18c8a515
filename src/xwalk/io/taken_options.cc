#include "xwalk/io/taken_options.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/io/convert.h"
#include "xwalk/io/row_format.h"

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

bool any_of(std::span<const Format> ours, const std::vector<Format>& taking) {
  return std::ranges::any_of(
      ours, [&](Format format) { return std::ranges::find(taking, format) != taking.end(); });
}

/// Names formats, each name once.
std::string names(std::span<const Format> formats) {
  std::vector<std::string> words;
  for (const Format format : formats) {
    if (std::ranges::find(words, format->name) == words.end()) words.emplace_back(format->name);
  }
  return join(words, " or ");
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

std::vector<Format> formats_of(hub::System system) {
  std::vector<Format> out = every_format();
  std::erase_if(out, [&](Format format) { return format->system != system; });
  return out;
}

void check_taken(const std::set<Option>& given, std::span<const Format> input) {
  for (const Option option : given) {
    const TakenBy by = taken_by(option);
    if (by.read.empty() && by.written.empty()) continue;
    if (any_of(input, by.read)) continue;
    throw Error(ErrorCode::Usage, fmt::format("expected rows of {} for {}, found {}",
                                              names(by.read.empty() ? by.written : by.read),
                                              hub::mention(option), names(input)));
  }
}

void check_taken_without_table(const std::set<Option>& given) {
  for (const Option option : kArrowFiles.takes) {
    if (!given.contains(option)) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("expected rows of YTsaurus, with their table schema, for {}, found {}",
                            hub::mention(option), kArrowFiles.name));
  }
}

void settle_taken(std::span<const Format> output, ConvertOptions* options) {
  for (const Option option : options->given) {
    const TakenBy by = taken_by(option);
    if (any_of(output, by.written)) {
      options->input.given.erase(option);
    } else if (by.read.empty() && !by.written.empty()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected an output of {} for {}, found {}", names(by.written),
                              hub::mention(option), names(output)));
    }
  }
}

void set_output_schema(ConvertOptions::Target schema, ConvertOptions* options) {
  if (!std::holds_alternative<std::monostate>(options->target)) {
    throw Error(ErrorCode::Usage, "two schemas are given for one output", {},
                fmt::format("Give one of {}, {} and the attributes of {}.",
                            hub::mention(Option::TargetSchema), hub::mention(Option::Message),
                            hub::mention(Option::To)));
  }
  options->target = std::move(schema);
}

void check_storage(const StorageOptions& storage, std::span<const std::string> names) {
  const auto in_store = [](const std::string& name) {
    return is_uri(name) && is_remote(name) && !is_cluster(name);
  };
  if (storage.empty() || std::ranges::any_of(names, in_store)) return;
  std::vector<std::string> found;
  for (const std::string& name : names) found.push_back(shown_name(name));
  throw Error(ErrorCode::Usage,
              fmt::format("expected the URI of a store (s3://, gs://, abfss://, https://) for {}, "
                          "found {}",
                          hub::mention(Option::Storage),
                          found.empty() ? "rows that are in none" : join(found, ", ")));
}

void settle_open(Format input, const std::set<Option>& opened_with, Format output,
                 ConvertOptions* options) {
  for (const Option option : options->given) {
    const TakenBy by = taken_by(option);
    const bool opening = is_among(option, kOpening) || (!by.read.empty() && by.written.empty());
    if (!opening || opened_with.contains(option)) continue;
    throw Error(
        ErrorCode::Usage,
        fmt::format("{} says how rows are opened, and these are open", hub::mention(option)), {},
        "Give it where they are opened.");
  }
  options->input.given = options->given;
  settle_taken({&output, 1}, options);
  check_taken(options->input.given, {&input, 1});
  options->input.given.clear();
}

}  // namespace xwalk::io
