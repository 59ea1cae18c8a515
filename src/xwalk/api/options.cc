#include "xwalk/api/options.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/format_word.h"

namespace xwalk::api {

io::ConvertOptions read_options(const Options& options) {
  // As the program: engines run with the interpreter that the user names.
  [[maybe_unused]] static const bool done = (io::use_interpreter_of_environment(), true);
  nlohmann::json named = nlohmann::json::object();
  std::optional<std::string> target;
  for (const auto& [name, value] : options) {
    if (!is_valid_utf8(name) || !is_valid_utf8(value)) {
      throw Error(ErrorCode::Usage,
                  fmt::format("option {}: expected UTF-8, found other bytes", xwalk::quoted(name)));
    }
    const bool is_target = name == hub::to_string(hub::Option::TargetSchema);
    if (named.contains(name) || (is_target && target)) {
      throw Error(ErrorCode::Usage, fmt::format("option {} is given twice", xwalk::quoted(name)),
                  {}, "Separate the items of a list with commas.");
    }
    if (is_target) {
      target = value;
    } else {
      named[name] = value;
    }
  }
  io::ConvertOptions out = io::read_named_options(named.dump(), io::OptionTexts::Parsed);
  if (target) {
    out.given.insert(hub::Option::TargetSchema);
    io::set_output_schema(io::SchemaArgument{*std::move(target)}, &out);
  }
  return out;
}

SourceOptions read_source_options(const Options& options) {
  SourceOptions out;
  Options rest;
  for (const auto& [name, value] : options) {
    const bool is_format = name == hub::to_string(hub::Option::Format);
    if (is_format && !io::names_format(value)) out.system = crosswalk::system_of_word(value);
    if (!is_format || !io::names_schemas(value)) rest.emplace_back(name, value);
  }
  out.convert = read_options(rest);
  return out;
}

}  // namespace xwalk::api
