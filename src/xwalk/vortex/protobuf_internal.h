#pragma once

// Inside the module: between the generated Protobuf messages and DTypes. Not installed API.

#include <string>
#include <string_view>

#include "xwalk/vortex/dtype.pb.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

void to_proto(const DType& type, wire::proto::DType* out);
/// Throws Error (Input or Unsupported).
DType from_proto(const wire::proto::DType& message);
/// Parses bytes as a message with the module's limits; throws Error (Input) naming `what`.
void parse_message(std::string_view bytes, std::string_view what,
                   google::protobuf::MessageLite* out);
/// Returns text of a message as it is, or throws Error (Input) if it is not UTF-8. The messages
/// have bytes for text: the Protobuf runtime would write to stderr.
const std::string& checked_text(const std::string& bytes, std::string_view what);

}  // namespace xwalk::vortex
