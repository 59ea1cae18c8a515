#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::io {

/// Returns the schema as it goes through a pipe: no dictionaries, views, list views or run-end
/// encoding, and no decimals under 128 bits, at any depth. Names, nullability and metadata stay.
hub::Schema plain_layout(const hub::Schema& schema);

/// Memory that the receiver of a stream can read: messages are made there, not sent as bytes.
class MessageSpace {
 public:
  virtual ~MessageSpace() = default;
  /// Returns `size` bytes, at a multiple of 64, for one message.
  virtual uint8_t* begin(size_t size) = 0;
  /// Hands over the message, bytes [from, to) of them.
  virtual void send(size_t from, size_t to) = 0;
};

/// Writes an Arrow IPC stream of a plain schema.
class IpcStreamWriter {
 public:
  using Write = std::function<void(const void* data, size_t size)>;
  /// Writes the schema. Throws Error (Unsupported) for a type that a pipe does not carry; what
  /// `write` throws comes through.
  IpcStreamWriter(const hub::Schema& schema, Write write);
  ~IpcStreamWriter();
  IpcStreamWriter(IpcStreamWriter&&) noexcept;

  /// Writes one struct array. Only its rows are written, not the rest of its buffers.
  void write(const hub::Array& batch);
  /// Makes the same message in memory, separate from the stream. Its buffers are copied once.
  void write(const hub::Array& batch, MessageSpace* space);
  /// Writes the end of the stream.
  void finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Reads an Arrow IPC stream. Arrays stay valid after it. `read` fills up to so many bytes and
/// returns how many, 0 at the end.
class IpcStreamReader {
 public:
  using Read = std::function<size_t(void* out, size_t size)>;
  explicit IpcStreamReader(Read read);
  ~IpcStreamReader();
  IpcStreamReader(IpcStreamReader&&) noexcept;

  /// Reads the schema, which comes first. Throws Error (Input) for bytes that are not a stream, and
  /// the errors of `read`.
  hub::Schema schema();
  /// Returns the next batch, nothing at the end. A stream that ends between two messages looks
  /// complete.
  std::optional<hub::Array> next();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xwalk::io
