#include "xwalk/cli/options.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/failure.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/places/schema_input.h"

namespace xwalk::cli {
namespace {

using hub::Option;
using io::OptionTopic;
using io::OptionValue;

/// By topic.
constexpr std::array<std::string_view, 15> kHeadings = {"Input",
                                                        "YSON rows",
                                                        "Lance",
                                                        "Speed and memory",
                                                        "Files and folders",
                                                        "Object stores",
                                                        "Which rows",
                                                        "Skiff rows",
                                                        "Parquet",
                                                        "Output",
                                                        "Tables on a cluster",
                                                        "Vortex",
                                                        "CSV",
                                                        "What may change",
                                                        "Values that don't fit"};
static_assert(kHeadings.size() == static_cast<size_t>(OptionTopic::Fit) + 1);

Argument::Takes takes_of(OptionValue value) {
  if (value == OptionValue::Flag) return Argument::Takes::Nothing;
  const bool several =
      value == OptionValue::List || value == OptionValue::Texts || value == OptionValue::Object;
  return several ? Argument::Takes::Each : Argument::Takes::Word;
}

Argument* declare(CommandLine& command, const io::NamedOption& option, io::OptionTokens* tokens,
                  std::string_view help) {
  const std::vector<std::string> known = io::choices_of(option);
  const std::string name(hub::program_word(option.option));
  const std::string placeholder(option.placeholder);
  return command
      .add(option.letter.empty() ? name : fmt::format("-{},{}", option.letter, name),
           takes_of(option.value), placeholder.empty() ? join(known, "|") : placeholder,
           std::string(help.empty() ? option.help : help),
           [tokens, known, name, which = option.option](const std::vector<std::string>& given) {
             for (const std::string& word : given) {
               if (known.empty() || std::ranges::find(known, word) != known.end()) continue;
               throw unknown_word(name, word, known);
             }
             (*tokens)[which] = given;
           })
      ->group(kHeadings.at(static_cast<size_t>(option.topic)))
      ->names_place(option.place);
}

}  // namespace

void declare_options(CommandLine& command, io::Commands commands, io::OptionTokens* tokens) {
  for (size_t topic = 0; topic < kHeadings.size(); ++topic) {
    for (const io::NamedOption& option : io::all_options()) {
      if (option.topic != static_cast<OptionTopic>(topic)) continue;
      if ((option.commands & commands) != 0) declare(command, option, tokens, {});
    }
  }
}

Argument* declare_option(CommandLine& command, Option option, io::OptionTokens* tokens,
                         std::string_view help) {
  return declare(command, io::named_option(option), tokens, help);
}

std::optional<std::string> value_of(const io::OptionTokens& tokens, Option option) {
  const auto found = tokens.find(option);
  if (found == tokens.end()) return std::nullopt;
  return found->second.back();
}

io::ConvertOptions read_options(const io::OptionTokens& tokens) {
  io::ConvertOptions options = io::read_option_tokens(tokens);
  if (const std::optional<std::string> schema = value_of(tokens, Option::Schema)) {
    options.input.schema = io::schema_text(*schema, options.input.storage);
    if (io::is_uri(*schema)) options.input.given.erase(Option::Storage);
  }
  if (!tokens.contains(Option::Threads)) {
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.input.threads = options.output.threads = options.pipeline.threads = threads;
  }
  return options;
}

io::InputOptions input_options(const io::OptionTokens& tokens) {
  return read_options(tokens).input;
}

io::ConvertOptions read_row_options(const io::OptionTokens& tokens) {
  if (const auto format = value_of(tokens, Option::Format)) (void)io::parse_format_word(*format);
  return read_options(tokens);
}

io::InputOptions side_options(const io::OptionTokens& tokens) {
  io::InputOptions options = input_options(tokens);
  options.given.clear();
  return options;
}

}  // namespace xwalk::cli
