#include "xwalk/cli/section_outputs.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::cli {
namespace {

[[noreturn]] void refuse(const std::string& file, uint64_t line, std::string message,
                         std::string hint) {
  Place place;
  place.file = file;
  place.line = line;
  throw Error(ErrorCode::Usage, std::move(message), std::move(place), std::move(hint));
}

/// Replaces the options of a conversion by those of a table.
void apply(const TableOptions& table, ProjectSection* section) {
  const auto is_replaced = [&](const std::string& option) {
    return std::ranges::any_of(table.replaced, [&](const std::string& name) {
      return option.starts_with(name) &&
             (option.size() == name.size() || option[name.size()] == '=');
    });
  };
  for (auto* options : {&section->options, &section->check_options}) {
    std::erase_if(*options, is_replaced);
    const bool is_checks = options == &section->check_options;
    const std::vector<std::string>& own = is_checks ? table.check_options : table.options;
    options->insert(options->end(), own.begin(), own.end());
  }
  if (table.output) section->output = *table.output;
  section->line = table.line;
}

/// Cuts a conversion whose files have an output each by the options of its tables.
class Cut {
 public:
  Cut(const std::string& file, const ProjectSection& section, const OptionsOf& options_of)
      : file_(file),
        section_(section),
        options_of_(options_of),
        whole_(std::make_shared<const ProjectSection>(section)),
        met_(section.of_tables.size()) {}

  std::vector<SectionOutput> run(std::vector<io::OutputOf> found) {
    const std::string first = seen_from(file_, found.front().inputs.front());
    for (io::OutputOf& one : found) add(std::move(one));
    for (size_t i = 0; i < met_.size(); ++i) {
      if (met_[i]) continue;
      refuse(
          file_, section_.of_tables[i].line, "[[convert.table]]: no input matches its patterns",
          fmt::format("Names are as seen from the folder of the file: {}.", xwalk::quoted(first)));
    }
    if (out_.empty()) {
      refuse(file_, section_.line, "[[convert]]: except leaves no input",
             "Leave out fewer, or remove the section.");
    }
    return std::move(out_);
  }

 private:
  void add(io::OutputOf one) {
    const std::string table = seen_from(file_, one.inputs.front());
    if (!section_.tables.has(table)) return;
    std::vector<size_t> places;
    for (size_t i = 0; i < section_.of_tables.size(); ++i) {
      if (!section_.of_tables[i].tables.has(table)) continue;
      places.push_back(i);
      met_[i] = true;
    }
    if (places.empty()) {
      out_.push_back({std::move(one), whole_});
      return;
    }
    std::shared_ptr<const ProjectSection>& own = variants_[places];
    if (own == nullptr) {
      ProjectSection made = section_;
      for (const size_t i : places) apply(section_.of_tables[i], &made);
      own = std::make_shared<const ProjectSection>(std::move(made));
    }
    add_variant(std::move(one), own);
  }

  void add_variant(io::OutputOf one, const std::shared_ptr<const ProjectSection>& own) {
    const bool moves = own->output != section_.output;
    std::vector<io::OutputOf> found;
    try {
      found = io::resumable_outputs(one.inputs, moves ? io::Location(own->output) : one.output,
                                    options_of_(*own));
    } catch (const Error& error) {
      throw naming_section(file_, *own, error);
    }
    for (io::OutputOf& table : found) {
      io::InputOptions& input = table.options.input;
      input.partitions = one.options.input.partitions;
      if (!input.schema) input.inferred = one.options.input.inferred;
      if (!moves) table.folder = one.folder;
      out_.push_back({std::move(table), own});
    }
  }

  const std::string& file_;
  const ProjectSection& section_;
  const OptionsOf& options_of_;
  std::shared_ptr<const ProjectSection> whole_;
  /// By the places of the options that they have.
  std::map<std::vector<size_t>, std::shared_ptr<const ProjectSection>> variants_;
  std::vector<bool> met_;
  std::vector<SectionOutput> out_;
};

}  // namespace

std::vector<SectionOutput> outputs_of(const std::string& file, const ProjectSection& section,
                                      const OptionsOf& options_of) {
  std::vector<io::OutputOf> found =
      io::resumable_outputs(section.inputs, section.output, options_of(section));
  const bool is_cut = !section.of_tables.empty() || !section.tables.except.empty();
  if (is_cut && found.front().folder.name().empty()) {
    refuse(file, section.line,
           fmt::format("expected an output for each table, as [[convert.table]] and except need, "
                       "found one for all: {}",
                       xwalk::quoted(section.output)),
           "End the output with /.");
  }
  if (is_cut) return Cut(file, section, options_of).run(std::move(found));
  std::vector<SectionOutput> out;
  const auto whole = std::make_shared<const ProjectSection>(section);
  for (io::OutputOf& one : found) out.push_back({std::move(one), whole});
  return out;
}

Error naming_section(const std::string& file, const ProjectSection& section, const Error& error) {
  if (error.place().file == file) return error;
  Error bare(error.code(), error.message(), error.place());
  std::string text = bare.describe();
  constexpr std::string_view kError = "error: ";
  if (const size_t at = text.find(kError); at != std::string::npos) text.erase(at, kError.size());
  Place place;
  place.file = file;
  place.line = section.line;
  return {error.code(), fmt::format("[[convert]] to {}: {}", section.output, text), place,
          error.hint()};
}

}  // namespace xwalk::cli
