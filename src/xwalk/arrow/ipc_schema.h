#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/hub/type.h"

namespace xwalk::arrow {

/// How a field is read whose type this version of xwalk does not know.
enum class UnknownTypes : uint8_t {
  Refused,  ///< the schema is refused
  Noted,    ///< it has the type null, and the note `xwalk:arrow` says why, after `kUnknownNote`
};
inline constexpr std::string_view kUnknownNote = "unknown: ";

/// Reads a schema in Arrow IPC form: an encapsulated message (with or without the continuation
/// marker of format V5) from the front of `bytes`. The rest is ignored. Every type of the format is
/// read, also those that nanoarrow's decoder does not know. Throws Error (Input) with the byte for
/// bytes that are not a schema message, Error (Unsupported) for a type newer than this version of
/// xwalk unless it is kept as an annotation. Does not check the byte order of the data.
hub::Schema read_ipc_schema(std::string_view bytes, UnknownTypes unknown = UnknownTypes::Refused);

/// The footer of an Arrow IPC file, and its position.
struct IpcFooter {
  size_t at;
  std::string_view bytes;
};

/// Finds the footer of an Arrow IPC file, given the whole file. Throws Error (Input) with the byte
/// where the file does not end as one.
IpcFooter find_ipc_footer(std::string_view file);

/// The arrays of a batch, including nested ones, and their buffers.
struct IpcCounts {
  size_t arrays = 0;
  size_t buffers = 0;
};

/// Checks a message, without its marker and length, before it is passed to another reader: a schema
/// is one whose metadata has keys and values, batches are not compressed, no array of one is longer
/// than 2^31 - 1, and buffers begin at a multiple of 8 bytes, as the format requires. Returns the
/// counts of a batch, also of a dictionary batch; zero for other messages. Throws Error (Input).
IpcCounts check_ipc_message(std::string_view message);

/// Reads the schema out of the footer of an Arrow IPC file, given the whole file.
hub::Schema read_ipc_file_schema(std::string_view file);

/// Returns true for bytes that begin as an Arrow IPC file does.
bool is_ipc_file(std::string_view bytes);

/// Writes a schema as an encapsulated message, padded to 8 bytes. Dictionaries are numbered from 0
/// in depth-first order.
std::string write_ipc_schema(const hub::Schema& schema);

}  // namespace xwalk::arrow
