#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "xwalk/convert/convert_options.h"
#include "xwalk/hub/option_value.h"

namespace xwalk::io {

using hub::OptionPlace;
using hub::OptionValue;

/// The subject of an option, which decides the calls that take it.
enum class OptionGroup : uint8_t {
  Source,   ///< what the input is
  Rows,     ///< which of its rows, and how they come
  Work,     ///< what reading and writing share
  Values,   ///< how rows of YSON and Skiff write values
  Changes,  ///< how values may change during the conversion
  Consent,  ///< accepted losses
  Writing,  ///< what the output is
};

/// The headings below which the program's help lists options, in their order.
enum class OptionTopic : uint8_t {
  Input,
  YsonRows,
  Lance,
  Speed,
  Files,
  Stores,
  WhichRows,
  SkiffRows,
  Parquet,
  Target,
  Cluster,
  Vortex,
  Csv,
  Changes,
  Fit,
};

/// Commands of the program, as a set.
using Commands = uint16_t;
inline constexpr Commands kConvert = 1U << 0;
inline constexpr Commands kCheck = 1U << 1;
inline constexpr Commands kHead = 1U << 2;
inline constexpr Commands kInfo = 1U << 3;
inline constexpr Commands kValidate = 1U << 4;
inline constexpr Commands kSchema = 1U << 5;
inline constexpr Commands kJob = 1U << 6;
inline constexpr Commands kType = 1U << 7;
/// `diff`, `compat` and `merge`.
inline constexpr Commands kPairs = 1U << 8;
inline constexpr Commands kEvolve = 1U << 9;

/// An option: how each interface names, explains and offers it, and how it is set. The rows are in
/// hub/options.inc.
struct NamedOption {
  hub::Option option;
  OptionValue value;
  /// The value that it has unless it is given, as JSON, or "". Of a choice, all its words with
  /// spaces between, the default first, which is empty if the choice has no default.
  std::string_view usual;
  OptionPlace place = OptionPlace::None;
  OptionGroup group = OptionGroup::Source;
  /// One or two sentences, for Python, C, SQL and the reference.
  std::string_view about = {};
  /// Whether Python, C, SQL and Spark take it by its id.
  bool is_keyword = true;

  /// In the program: the heading, the commands that take it, what its value is called, and a
  /// line of help.
  OptionTopic topic = OptionTopic::Input;
  Commands commands = 0;
  std::string_view placeholder = {};
  std::string_view help = {};
  /// A short name, such as j for -j.
  std::string_view letter = {};
  /// The values that it accepts, if they are few.
  std::span<const std::string_view> (*known)() = nullptr;
  /// The smallest number that it takes as text.
  int64_t least = 0;

  /// Why Spark does not take it, and why only for writing; "" if it does.
  std::string_view not_on_spark = {};
  std::string_view not_read_on_spark = {};

  /// Sets it; null for formats, which are set after all others.
  void (*set)(ConvertOptions& options, const nlohmann::json& value) = nullptr;
};

/// Returns all options.
std::span<const NamedOption> all_options();
/// Returns those that Python, C, SQL and Spark take by their ids.
std::vector<NamedOption> named_options();
const NamedOption& named_option(hub::Option option);

/// Returns the words that an option takes, the usual one first; none if it takes any text.
std::vector<std::string> choices_of(const NamedOption& option);

/// How strings that are given for numbers, flags, lists and objects are taken.
enum class OptionTexts : uint8_t {
  Refused,  ///< a string is one item of a list, and no number, flag or object
  Parsed,   ///< as `parse_option` does
};

/// Reads a JSON object of options by their ids (hub/option.h), as the Python module and the C
/// interface take them: `{"format": "yson", "on_error": "skip", "limit": 10}`. A null is as if it
/// was not given. Throws Error (Usage) for JSON that is not an object, a name or a word that is not
/// known, a value of another type or out of range. The interface becomes that of the options.
ConvertOptions read_named_options(std::string_view json, OptionTexts texts = OptionTexts::Refused,
                                  hub::Interface interface = hub::Interface::Json);

/// Returns the value of an option that is given as text, as JSON: `10k` is 10000, `a,b` a list and
/// `a=b` an object, by the option's type. Lists and objects may be JSON. Throws Error
/// (Usage).
std::string parse_option(hub::Option option, std::string_view text);

/// Sets the format of an output by its word, with the settings and the schema in its attributes.
/// Throws Error (Usage).
void set_output_format(const std::string& word, ConvertOptions* options);
/// Sets the schema that an output must have. Throws Error (Usage) if it has one already.
void set_output_schema(ConvertOptions::Target schema, ConvertOptions* options);

/// Words that a command line has for options, each option's in their order; none for a flag.
using OptionTokens = std::map<hub::Option, std::vector<std::string>>;

/// Reads options from a command line. A format of the input that is a system without rows is left
/// to the caller. Throws Error (Usage).
ConvertOptions read_option_tokens(const OptionTokens& tokens);

}  // namespace xwalk::io
