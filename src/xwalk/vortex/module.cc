#include "xwalk/vortex/module.h"

#include <array>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/module.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/ipc.h"
#include "xwalk/vortex/kinds.h"
#include "xwalk/vortex/schema.h"
#include "xwalk/vortex/validate.h"

namespace xwalk::vortex {
namespace {

using hub::AnySchema;

constexpr std::array kForms = {
    hub::WrittenForm{"text",
                     [](const AnySchema& schema) { return print_text(schema.as<DType>()) + "\n"; }},
    hub::WrittenForm{
        .name = "flatbuffers",
        .print = [](const AnySchema& schema) { return write_flatbuffers(schema.as<DType>()); },
        .binary = true},
    hub::WrittenForm{
        .name = "protobuf",
        .print = [](const AnySchema& schema) { return write_protobuf(schema.as<DType>()); },
        .binary = true},
    hub::WrittenForm{
        .name = "ipc",
        .print = [](const AnySchema& schema) { return write_ipc_dtype(schema.as<DType>()); },
        .binary = true},
    hub::WrittenForm{"json",
                     [](const AnySchema& schema) { return write_json(schema.as<DType>()) + "\n"; }},
};

DType read_whole_message(std::string_view bytes) {
  size_t size = 0;
  DType type = read_ipc_dtype(bytes, &size);
  if (size == bytes.size()) return type;
  throw Error(
      ErrorCode::Input,
      fmt::format("expected the end of an IPC message, found {} more bytes", bytes.size() - size),
      {.byte = size});
}

/// Reads a binary form. If no form can be read, the error is that of the form whose structure the
/// bytes have.
DType parse_binary(std::string_view bytes) {
  const bool is_message = is_ipc_message(bytes);
  if (!is_message && !is_flatbuffers(bytes)) return read_protobuf(bytes);
  try {
    return is_message ? read_whole_message(bytes) : read_flatbuffers(bytes);
  } catch (const Error& error) {
    try {
      return read_protobuf(bytes);
    } catch (const Error&) {
      throw error;
    }
  }
}

DType parse_any(std::string_view bytes) {
  if (is_printable_text(bytes)) {
    const bool is_json = bytes.find("\"type\"") != std::string_view::npos;
    return is_json ? read_json(bytes) : parse_text(bytes);
  }
  return parse_binary(bytes);
}

AnySchema parse_type(std::string_view text) {
  return {kModule, DType::struct_({{std::string(hub::kLoneColumn), parse_text(text)}}, false)};
}

std::vector<std::string_view> kinds() {
  std::vector<std::string_view> out;
  for (const KindRow& row : kKindRows) {
    if (row.kind == Kind::Primitive) {
      for (const PrimitiveRow& primitive : kPrimitiveRows) out.push_back(primitive.name);
    }
    hub::add_examples(row, row.name, &out);
  }
  return out;
}

}  // namespace

constinit const hub::Module kModule = {
    .name = kSystem,
    .forms = kForms,
    .parse = [](std::string_view bytes) { return AnySchema(kModule, parse_any(bytes)); },
    .parse_type = parse_type,
    .type_text =
        [](const AnySchema& schema) { return print_text(schema.as<DType>().members()[0].type); },
    .guess = 2,
    .kinds = kinds,
    .validate = [](const AnySchema& schema) { return validate(schema.as<DType>()); },
    .to_arrow = [](const AnySchema& schema) { return to_arrow(schema.as<DType>()); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .capabilities = kCapabilities,
    .keeps_metadata = true,
    .layouts = hub::Layouts::Noted,
};

}  // namespace xwalk::vortex
