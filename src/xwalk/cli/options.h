#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/cli/command_line.h"
#include "xwalk/convert/named_options.h"

// The options of a conversion on the command line, from the table that all interfaces share.

namespace xwalk::cli {

/// Declares the options that commands of a set take.
void declare_options(CommandLine& command, io::Commands commands, io::OptionTokens* tokens);

/// Declares one option. `help` replaces its line of help.
Argument* declare_option(CommandLine& command, hub::Option option, io::OptionTokens* tokens,
                         std::string_view help = {});

/// Returns the last value given for an option.
std::optional<std::string> value_of(const io::OptionTokens& tokens, hub::Option option);

/// Reads options. A schema is the text of the file that is named, or the text itself if there is no
/// such file. Uses as many threads as the machine has unless a number is given. Throws Error.
io::ConvertOptions read_options(const io::OptionTokens& tokens);

/// Reads the options of a command that reads rows: throws Error (Usage) also for an input of a
/// system without rows.
io::ConvertOptions read_row_options(const io::OptionTokens& tokens);

/// Returns how an input is opened.
io::InputOptions input_options(const io::OptionTokens& tokens);
/// Returns the same for one of two inputs with common options, which may be meant for the other.
io::InputOptions side_options(const io::OptionTokens& tokens);

}  // namespace xwalk::cli
