#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/option_value.h"

// The options and positional arguments of a command, and how words are read by them. CLI11 reads
// the words, in command_line.cc alone: help, completion and the manual page need none of it.

namespace xwalk::cli {

/// An option of a command, or a positional argument.
class Argument {
 public:
  /// How many words it takes.
  enum class Takes : uint8_t {
    Nothing,  ///< a flag
    Word,
    Each,  ///< one word each time it is given
    Rest,  ///< all words that belong to no option
  };
  /// Called with the words that were given, none for a flag. May throw Error.
  using Read = std::function<void(const std::vector<std::string>&)>;

  /// `names` are separated by commas: `-o,--output`, or the name of a positional argument.
  Argument(std::string_view names, Takes takes, std::string placeholder, std::string description,
           Read read);

  /// Sets the heading below which help lists it. Help does not list it if the heading is "".
  Argument* group(std::string_view heading);
  Argument* placeholder(std::string_view text);
  Argument* required();
  /// Sets what its value names.
  Argument* names_place(hub::OptionPlace place);
  /// Refuses it without another option.
  Argument* needs(const Argument* other);
  /// Refuses it together with another option.
  Argument* excludes(std::string_view name);

  /// Returns its first name as it is given: `--output`, `-n`, `IN`.
  std::string name() const;
  /// Without their dashes.
  const std::vector<std::string>& short_names() const { return short_names_; }
  const std::vector<std::string>& long_names() const { return long_names_; }
  const std::string& position() const { return position_; }
  const std::string& group() const { return group_; }
  const std::string& placeholder() const { return placeholder_; }
  const std::string& description() const { return description_; }
  bool is_positional() const { return !position_.empty(); }
  bool is_required() const { return is_required_; }
  hub::OptionPlace place() const { return place_; }
  bool takes_value() const { return takes_ != Takes::Nothing; }
  /// Returns how often it was given.
  size_t count() const { return count_; }

 private:
  friend class CommandLine;
  std::string names_;
  std::vector<std::string> short_names_;
  std::vector<std::string> long_names_;
  std::string position_;
  std::string group_ = "Options";
  Takes takes_;
  std::string placeholder_;
  std::string description_;
  Read read_;
  bool is_required_ = false;
  hub::OptionPlace place_ = hub::OptionPlace::None;
  std::vector<const Argument*> needs_;
  std::vector<std::string> excludes_;
  size_t count_ = 0;
};

/// Why words are not understood.
struct Misread {
  std::string message;
  /// Whether a required argument is missing.
  bool is_missing = false;
};

/// The arguments of a command.
class CommandLine {
 public:
  explicit CommandLine(std::string_view name = {}) : name_(name) {}

  /// Declares an argument. The reference stays valid.
  Argument* add(std::string_view names, Argument::Takes takes, std::string placeholder,
                std::string description, Argument::Read read);

  const std::string& name() const { return name_; }
  std::vector<const Argument*> arguments() const;
  /// Returns the options in the order in which they were declared.
  std::vector<const Argument*> options() const;
  std::vector<const Argument*> positionals() const;
  /// Returns the headings in the order in which they were first used.
  std::vector<std::string> groups() const;
  /// Returns true if an option was declared and given: `--config`.
  bool has(std::string_view name) const;
  /// Returns the arguments that were given, each as often as it was given, in the order of the
  /// words.
  const std::vector<const Argument*>& given() const { return given_; }

  /// Parses arguments. Returns what is wrong with them as a command line. Throws the errors of the
  /// options.
  std::optional<Misread> parse(const std::vector<std::string>& tokens);

 private:
  std::string name_;
  std::vector<std::unique_ptr<Argument>> arguments_;
  std::vector<const Argument*> given_;
};

}  // namespace xwalk::cli
