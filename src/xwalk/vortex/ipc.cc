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
  throw Error(ErrorCode::Input,
              fmt::format("expected {} bytes of an IPC message, found {}", expected, found),
              {.byte = byte});
}

/// The header of a message, and the bytes that it and its length take.
struct Header {
  Verified<wire::Message> message;
  size_t size;
};

Header read_header(std::string_view stream) {
  uint32_t size = 0;
  if (stream.size() < sizeof size) truncated(0, sizeof size, stream.size());
  std::memcpy(&size, stream.data(), sizeof size);
  size = flatbuffers::EndianScalar(size);
  const std::string_view rest = stream.substr(sizeof size);
  if (rest.size() < size) truncated(sizeof size, size, rest.size());
  return {
      Verified<wire::Message>(rest.substr(0, size), "the header of an IPC message", sizeof size),
      sizeof size + size};
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

bool is_ipc_message(std::string_view bytes) {
  try {
    return read_header(bytes).message->header() != nullptr;
  } catch (const Error&) {
    return false;
  }
}

DType read_ipc_dtype(std::string_view stream, size_t* consumed) {
  const Header header = read_header(stream);
  const auto& message = header.message;
  if (message->version() != wire::MessageVersion::V0) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("IPC message version {} is newer than this version of xwalk",
                            static_cast<int>(message->version())));
  }
  if (message->header_type() != wire::MessageHeader::DTypeMessage) {
    throw Error(ErrorCode::Input, fmt::format("expected a DType message (3), found kind {}",
                                              static_cast<int>(message->header_type())));
  }
  const std::string_view rest = stream.substr(header.size);
  if (rest.size() < message->body_size()) {
    truncated(header.size, message->body_size(), rest.size());
  }
  if (consumed != nullptr) *consumed = header.size + message->body_size();
  return read_flatbuffers(rest.substr(0, message->body_size()));
}

}  // namespace xwalk::vortex
