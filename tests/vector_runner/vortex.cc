#include <fmt/format.h>

#include "pyarrow_text.h"
#include "runner.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/schema.h"

namespace xwalk::vectors {
namespace {

using vortex::DType;

/// A case says either ok or a text, or an error.
void check_parse(const Json& result, const Context& context, const std::string& bytes,
                 const std::function<DType()>& parse) {
  const bool refused = result.contains("error");
  expect(result.value("ok", !refused) != refused, "ok or an error", result.dump());
  if (refused) {
    context.expect_refused("the bytes", [&] { parse(); });
    return;
  }
  DType type = parse();
  if (result.contains("dtype")) {
    expect_equal("dtype", result.at("dtype"), vortex::print_display(type));
  }
  if (result.contains("canonical_hex")) {
    const std::string written = vortex::write_protobuf(type);
    expect_equal("canonical_hex", result.at("canonical_hex"), to_hex(written));
    expect(result.at("changed") == (written != bytes), "bytes changed as given", "otherwise");
  }
  if (!(vortex::parse_text(vortex::print_text(type)) == type)) {
    throw Mismatch{"the text to parse back", vortex::print_text(type)};
  }
}

/// The engine's layouts of strings are not those of a schema.
std::string without_views(std::string text) {
  for (size_t at; (at = text.find("_view")) != std::string::npos;) text.erase(at, 5);
  return text;
}

void arrow_to_vortex(const Json& vector, const Context& context) {
  hub::Schema schema =
      arrow::read_ipc_schema(from_base64(vector.at("arrow_ipc_schema_b64").get<std::string>()));
  const Json& written = vector.at("write");
  if (!written.value("ok", false)) {
    context.expect_refused("the schema", [&] { vortex::from_arrow(schema); });
    return;
  }
  DType type = vortex::from_arrow(schema).schema;
  expect_equal("dtype", written.at("dtype_shown"), vortex::print_display(type));
  if (vector.contains("dtype_from_arrow")) {
    expect_equal("dtype_from_arrow", vector.at("dtype_from_arrow"),
                 vortex::print_display(type.with_nullable(true)));
  }
  const hub::Schema back = hub::without_annotations(vortex::to_arrow(type));
  expect_equal("to_arrow_schema", without_views(written.at("to_arrow_schema")),
               pyarrow_schema_text(back.fields, true));
  expect_equal("FlatBuffers", written.at("dtype_flatbuffer_hex"),
               to_hex(vortex::write_flatbuffers(type)));
  expect_equal("Protobuf", written.at("dtype_proto_hex"), to_hex(vortex::write_protobuf(type)));
}

}  // namespace

void add_vortex_checks(Checks* checks) {
  (*checks)["arrow_to_vortex"] = arrow_to_vortex;
  (*checks)["dtype_flatbuffer_parse"] = [](const Json& vector, const Context& context) {
    std::string bytes = from_hex(vector.at("flatbuffer_hex").get<std::string>());
    check_parse(vector.at("result"), context, bytes,
                [&] { return vortex::read_flatbuffers(bytes); });
  };
  (*checks)["dtype_proto_parse"] = [](const Json& vector, const Context& context) {
    std::string bytes = from_hex(vector.at("proto_hex").get<std::string>());
    check_parse(vector.at("result"), context, bytes, [&] { return vortex::read_protobuf(bytes); });
  };
}

}  // namespace xwalk::vectors
