#include "xwalk/vortex/ipc.h"

#include <cstring>

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/verified.h"
#include "xwalk/vortex/flatbuffers.h"
#include "xwalk/vortex/message_generated.h"

namespace xwalk::vortex {
namespace {

[[noreturn]] void truncated(uint64_t byte, uint64_t expected, uint64_t found) {
  Place place;
  place.byte = byte;
  throw Error(ErrorCode::Input,
              fmt::format("expected {} bytes of an IPC message, found {}", expected, found), place);
}

}  // namespace

std::string write_ipc_dtype(const DType& type) {
  std::string body = write_flatbuffers(type);
  flatbuffers::FlatBufferBuilder builder;
  auto header = wire::CreateDTypeMessage(builder);
  // The living system adds the fields in this order, which decides the bytes.
  wire::MessageBuilder message(builder);
  message.add_header_type(wire::MessageHeader::DTypeMessage);
  message.add_header(header.Union());
  message.add_body_size(body.size());
  builder.Finish(message.Finish());
  auto size = flatbuffers::EndianScalar(static_cast<uint32_t>(builder.GetSize()));
  std::string out(sizeof size, '\0');
  std::memcpy(out.data(), &size, sizeof size);
  out.append(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  return out + body;
}

bool is_ipc_dtype(std::string_view bytes) {
  try {
    size_t size = 0;
    (void)read_ipc_dtype(bytes, &size);
    return size == bytes.size();
  } catch (const Error&) {
    return false;
  }
}

DType read_ipc_dtype(std::string_view stream, size_t* consumed) {
  uint32_t header_size = 0;
  if (stream.size() < sizeof header_size) truncated(0, sizeof header_size, stream.size());
  std::memcpy(&header_size, stream.data(), sizeof header_size);
  header_size = flatbuffers::EndianScalar(header_size);
  std::string_view rest = stream.substr(sizeof header_size);
  if (rest.size() < header_size) truncated(sizeof header_size, header_size, rest.size());
  const Verified<wire::Message> message(rest.substr(0, header_size), "the header of an IPC message",
                                        sizeof header_size);
  if (message->version() != wire::MessageVersion::V0) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("IPC message version {} is newer than this version of xwalk",
                            static_cast<int>(message->version())));
  }
  if (message->header_type() != wire::MessageHeader::DTypeMessage) {
    throw Error(ErrorCode::Input, fmt::format("expected a DType message (3), found kind {}",
                                              static_cast<int>(message->header_type())));
  }
  rest = rest.substr(header_size);
  if (rest.size() < message->body_size()) {
    truncated(sizeof header_size + header_size, message->body_size(), rest.size());
  }
  if (consumed != nullptr) *consumed = sizeof header_size + header_size + message->body_size();
  return read_flatbuffers(rest.substr(0, message->body_size()));
}

}  // namespace xwalk::vortex
