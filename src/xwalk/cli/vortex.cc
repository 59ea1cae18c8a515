#include <memory>
#include <string>

#include "xwalk/base/schema_memory.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/verb.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/vortex/module.h"
#include "xwalk/vortex/scalar.h"
#include "xwalk/vortex/scalar_json.h"

namespace xwalk::cli {
namespace {

enum class Message { Scalar, Path };
enum class MessageForm { Text, Protobuf };

struct VortexOptions {
  Message message = Message::Scalar;
  std::string input;
  MessageForm form = MessageForm::Text;
  std::optional<std::string> schema;
  std::optional<std::string> output;
};

/// Returns the argument itself if it begins with `mark`, else the contents of the file it names.
std::string contents(const std::string& input, char mark) {
  if (input.starts_with(mark)) return input;
  return io::read_all(*io::open_source(input), schema_bytes_limit());
}

std::string scalar(const VortexOptions& options) {
  const std::string bytes = contents(options.input, '{');
  const vortex::Scalar found =
      bytes.starts_with('{') ? vortex::read_scalar_json(bytes) : vortex::read_scalar(bytes);
  return options.form == MessageForm::Protobuf ? vortex::write_scalar(found)
                                               : vortex::write_scalar_json(found) + "\n";
}

std::string path(const VortexOptions& options) {
  const std::string bytes = contents(options.input, '$');
  const vortex::FieldPath found =
      bytes.starts_with('$') ? vortex::parse_field_path(bytes) : vortex::read_field_path(bytes);
  if (options.schema) {
    const io::SchemaInput schema = io::read_schema(*options.schema, vortex::kModule);
    const auto& root = schema.schema.as<vortex::DType>();
    return vortex::print_text(vortex::resolve(root, found)) + "\n";
  }
  return options.form == MessageForm::Protobuf ? vortex::write_field_path(found)
                                               : vortex::print_field_path(found) + "\n";
}

int run(const VortexOptions& options, Session& session) {
  if (options.schema && options.message != Message::Path) {
    throw Error(ErrorCode::Usage, "--in is only for paths");
  }
  const std::string out = options.message == Message::Scalar ? scalar(options) : path(options);
  if (options.output && *options.output != "-") {
    io::write_file(*options.output, out);
  } else {
    session.print(out);
  }
  return kDone;
}

}  // namespace

Verb vortex_verb() {
  return {
      "vortex",
      "reads and writes scalars and field paths of Vortex expressions",
      "scalar|path IN [--form text|protobuf] [--in SCHEMA] [-o FILE]",
      {{"xwalk vortex scalar literal.pb", "a Scalar in Protobuf as JSON"},
       {R"(xwalk vortex scalar '{"dtype":"i64?","value":5}' --form protobuf -o literal.pb)", ""},
       {"xwalk vortex path '$.address.zip' --in users.vortex", "the type it leads to"},
       {"xwalk vortex path field.pb", "a FieldPath as text"}},
      "IN is a file, - or the text itself. A scalar as text is JSON: its dtype in Vortex's syntax, "
      "and its value, where structs, lists and pairs of maps are arrays, bytes and decimals "
      "{\"hex\":\"05\"}, a union's value {\"type_id\":1,\"value\":…}. A path is $.a.\"b c\".",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<VortexOptions>();
        add_choice<Message>(command, "MESSAGE", &options->message,
                            {{"scalar", Message::Scalar}, {"path", Message::Path}},
                            "scalar or path")
            ->required();
        add_text(command, "IN", &options->input, "IN", "file, - or text")->required();
        add_choice<MessageForm>(command, "--form", &options->form,
                                {{"text", MessageForm::Text}, {"protobuf", MessageForm::Protobuf}},
                                "form to print (default: text)")
            ->group("Output");
        add_text(command, "--in", &options->schema, "SCHEMA",
                 "print the type that the path leads to in a Vortex file or schema")
            ->group("Output");
        add_text(command, "-o,--output", &options->output, "FILE", "write to this file")
            ->group("Output");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
