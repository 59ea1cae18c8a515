#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Prints a DType as the living system's Display does: `{a=i32?, b=utf8}`. Names are escaped but
/// not quoted, so it does not always parse; meant for people and for comparing.
std::string print_display(const DType& type);

/// Prints the same text made unambiguous: names outside [A-Za-z0-9_] stand in double quotes, and
/// metadata that its extension's words do not give back stands as hex: `acme.x[0x0102](i32)`.
std::string print_text(const DType& type);

/// Parses what `print_text` prints. Throws Error (Input) with line, column and a caret.
DType parse_text(std::string_view text);

/// Writes the FlatBuffers form (specification, "FlatBuffers definition"), byte for byte what the
/// living system writes.
std::string write_flatbuffers(const DType& type);

/// Reads the FlatBuffers form behind a verifier. Absent extension metadata reads as empty. Throws
/// Error (Input) for bytes that break the format or a rule, Error (Unsupported) for a variant,
/// PType or depth newer than this version of xwalk.
DType read_flatbuffers(std::string_view bytes);

/// Writes the Protobuf form (specification, "Protocol Buffers definition") in field order.
std::string write_protobuf(const DType& type);

/// Reads the Protobuf form; throws as `read_flatbuffers` does.
DType read_protobuf(std::string_view bytes);

/// Writes and reads the JSON form: {"type":"struct","fields":[{"name":…,"dtype":{…}}],…}. Metadata
/// and other bytes are hex.
std::string write_json(const DType& type, int indent = 2);
DType read_json(std::string_view text);

}  // namespace xwalk::vortex
