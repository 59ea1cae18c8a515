#include "xwalk/io/engines/ipc_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_ipc.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/hub/c_schema.h"

namespace xwalk::io {
namespace {

hub::Field plain_field(hub::Field field);

hub::Type plain_type(const hub::Type& type) {
  const hub::Kind kind = type.kind();
  if (kind == hub::Kind::Utf8View) return hub::Kind::Utf8;
  if (kind == hub::Kind::BinaryView) return hub::Kind::Binary;
  if (kind == hub::Kind::Decimal32 || kind == hub::Kind::Decimal64) {
    return hub::decimal(128, type.precision(), type.scale());
  }
  if (kind == hub::Kind::Dictionary) return plain_type(type.child().type);
  if (kind == hub::Kind::RunEndEncoded) return plain_type(type.child(1).type);
  if (kind == hub::Kind::ListView || kind == hub::Kind::LargeListView) {
    return hub::list(plain_field(type.child()),
                     kind == hub::Kind::ListView ? hub::Kind::List : hub::Kind::LargeList);
  }
  if (type.children().empty()) return type;
  std::vector<hub::Field> children;
  for (const hub::Field& child : type.children()) children.push_back(plain_field(child));
  return hub::with_children(type, std::move(children));
}

hub::Field plain_field(hub::Field field) {
  field.type = plain_type(field.type);
  return field;
}

// --- trimming -----------------------------------------------------------------------------------

/// Narrows a view to rows [offset, offset + length) of it, so that its buffers hold nothing else
/// and begin at its first row: what the encoder asks for. Buffers that must be copied live in
/// `owned`.
class Trimmer {
 public:
  void trim(ArrowArrayView* view, int64_t offset, int64_t length) {
    int64_t at = view->offset + offset;
    bool whole = at == 0 && length == view->length;
    view->offset = 0;
    view->length = length;
    for (int i = 0; i < NANOARROW_MAX_FIXED_BUFFERS; ++i) {
      ArrowBufferView& buffer = view->buffer_views[i];
      switch (view->layout.buffer_type[i]) {
        case NANOARROW_BUFFER_TYPE_VALIDITY:
          bits(&buffer, at, length);
          if (!whole) view->null_count = -1;
          break;
        case NANOARROW_BUFFER_TYPE_DATA:
          if (view->layout.element_size_bits[i] == 1) {
            bits(&buffer, at, length);
          } else if (view->layout.element_size_bits[i] > 0) {
            fixed(&buffer, at, length, view->layout.element_size_bits[i] / 8);
          }
          break;
        case NANOARROW_BUFFER_TYPE_DATA_OFFSET:
          offsets(view, i, at, length);
          return finish(view);
        default:
          break;
      }
    }
    if (view->storage_type == NANOARROW_TYPE_FIXED_SIZE_LIST) {
      int64_t size = view->layout.child_size_elements;
      trim(view->children[0], at * size, length * size);
    } else if (view->storage_type == NANOARROW_TYPE_STRUCT) {
      for (int64_t i = 0; i < view->n_children; ++i) trim(view->children[i], at, length);
    }
    finish(view);
  }

 private:
  static void finish(ArrowArrayView* view) {
    if (view->buffer_views[0].data.data == nullptr &&
        view->layout.buffer_type[0] == NANOARROW_BUFFER_TYPE_VALIDITY) {
      view->null_count = 0;
    } else if (view->null_count < 0 &&
               view->layout.buffer_type[0] == NANOARROW_BUFFER_TYPE_VALIDITY) {
      view->null_count =
          view->length - ArrowBitCountSet(view->buffer_views[0].data.as_uint8, 0, view->length);
    }
    if (view->storage_type == NANOARROW_TYPE_NA) view->null_count = view->length;
  }

  char* own(size_t size) {
    // guard(allocate): Offsets or bits of a batch that is in memory, which this process sends.
    owned_.push_back(std::make_unique<char[]>(size));
    return owned_.back().get();
  }

  void bits(ArrowBufferView* buffer, int64_t at, int64_t length) {
    if (buffer->data.data == nullptr) return;
    int64_t bytes = (length + 7) / 8;
    if (at % 8 == 0) {
      buffer->data.as_uint8 += at / 8;
    } else {
      auto* copy = reinterpret_cast<uint8_t*>(own(static_cast<size_t>(bytes) + 1));
      const uint8_t* from = buffer->data.as_uint8 + at / 8;
      int64_t last = (at + length - 1) / 8 - at / 8;
      auto shift = static_cast<unsigned>(at % 8);
      for (int64_t i = 0; i < bytes; ++i) {
        unsigned high = i + 1 <= last ? from[i + 1] : 0U;
        copy[i] = static_cast<uint8_t>((from[i] >> shift) | (high << (8 - shift)));
      }
      buffer->data.as_uint8 = copy;
    }
    buffer->size_bytes = bytes;
  }

  static void fixed(ArrowBufferView* buffer, int64_t at, int64_t length, int64_t width) {
    if (buffer->data.data != nullptr) buffer->data.as_uint8 += at * width;
    buffer->size_bytes = length * width;
  }

  void offsets(ArrowArrayView* view, int index, int64_t at, int64_t length) {
    if (view->layout.element_size_bits[index] == 32) {
      rebase<int32_t>(view, index, at, length);
    } else {
      rebase<int64_t>(view, index, at, length);
    }
  }

  template <typename Offset>
  void rebase(ArrowArrayView* view, int index, int64_t at, int64_t length) {
    ArrowBufferView& buffer = view->buffer_views[index];
    auto width = static_cast<int64_t>(sizeof(Offset));
    Offset first = 0;
    Offset last = 0;
    if (buffer.size_bytes >= (at + length + 1) * width && buffer.data.data != nullptr) {
      const uint8_t* from = buffer.data.as_uint8 + at * width;
      std::memcpy(&first, from, sizeof first);
      std::memcpy(&last, from + length * width, sizeof last);
      if (first == 0) {
        buffer.data.as_uint8 = from;
      } else {
        char* copy = own(static_cast<size_t>((length + 1) * width));
        for (int64_t i = 0; i <= length; ++i) {
          Offset value;
          std::memcpy(&value, from + i * width, sizeof value);
          value = static_cast<Offset>(value - first);
          std::memcpy(copy + i * width, &value, sizeof value);
        }
        buffer.data.as_char = copy;
      }
    } else {
      // An array without rows may come without its one offset.
      buffer.data.as_char = own(static_cast<size_t>((length + 1) * width));
      std::memset(own_last(), 0, static_cast<size_t>((length + 1) * width));
    }
    buffer.size_bytes = (length + 1) * width;
    if (view->n_children > 0) {
      trim(view->children[0], first, last - first);
    } else {
      ArrowBufferView& bytes = view->buffer_views[index + 1];
      if (bytes.data.data != nullptr) bytes.data.as_uint8 += first;
      bytes.size_bytes = last - first;
    }
  }
  char* own_last() { return owned_.back().get(); }

  std::vector<std::unique_ptr<char[]>> owned_;
};

}  // namespace

hub::Schema plain_layout(const hub::Schema& schema) {
  hub::Schema out = schema;
  for (hub::Field& field : out.fields) field = plain_field(std::move(field));
  return out;
}

// --- writer -------------------------------------------------------------------------------------

namespace {

/// Counts the arrays and buffers that the decoder takes from a batch. A union has one more buffer
/// in older versions of the format.
arrow::IpcCounts counts_of(const ArrowArrayView& view) {
  arrow::IpcCounts out{.arrays = 1};
  for (const ArrowBufferType type : view.layout.buffer_type) {
    if (type != NANOARROW_BUFFER_TYPE_NONE) ++out.buffers;
  }
  const bool is_union = view.storage_type == NANOARROW_TYPE_SPARSE_UNION ||
                        view.storage_type == NANOARROW_TYPE_DENSE_UNION;
  if (is_union) ++out.buffers;
  for (int64_t i = 0; i < view.n_children; ++i) {
    const arrow::IpcCounts below = counts_of(*view.children[i]);
    out.arrays += below.arrays;
    out.buffers += below.buffers;
  }
  return out;
}

/// Bytes that buffers begin at in a message.
constexpr int64_t kBufferAlignment = 8;
/// Bytes that the memory of a message begins at, and its body in it.
constexpr size_t kSpaceAlignment = 64;

/// Counts the bytes of a batch's buffers in a message, at most.
int64_t body_bytes(const ArrowArrayView& view) {
  int64_t bytes = 0;
  for (const ArrowBufferView& buffer : view.buffer_views) {
    bytes += (buffer.size_bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  }
  for (int64_t i = 0; i < view.n_children; ++i) bytes += body_bytes(*view.children[i]);
  return bytes;
}

/// Counts the bytes of a batch's header, at most: a marker, a table of fixed size, and two numbers
/// of 64 bits for each array and each buffer.
size_t header_bytes(const ArrowArrayView& view) {
  constexpr size_t kFixed = 512;
  const arrow::IpcCounts counts = counts_of(view);
  const size_t bytes = kFixed + 2 * sizeof(int64_t) * (counts.arrays + counts.buffers);
  return (bytes + kSpaceAlignment - 1) / kSpaceAlignment * kSpaceAlignment;
}

}  // namespace

struct IpcStreamWriter::Parts {
  Write write;
  ArrowIpcEncoder encoder{};
  ArrowArrayView view{};
  ArrowBuffer header{};
  ArrowBuffer body{};
  ArrowError error{};

  Parts() {
    ArrowBufferInit(&header);
    ArrowBufferInit(&body);
    check(ArrowIpcEncoderInit(&encoder));
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    ArrowIpcEncoderReset(&encoder);
    ArrowArrayViewReset(&view);
    ArrowBufferReset(&header);
    ArrowBufferReset(&body);
  }

  void check(ArrowErrorCode code) {
    if (code == ENOMEM) throw std::bad_alloc();
    if (code != NANOARROW_OK) {
      throw Error(ErrorCode::Unsupported,
                  fmt::format("rows cannot go to an engine: {}", ArrowErrorMessage(&error)));
    }
  }

  /// Makes the header of the encoded batch.
  void make_header() {
    header.size_bytes = 0;
    check(ArrowIpcEncoderFinalizeBuffer(&encoder, /*encapsulate=*/1, &header));
  }

  void send(const ArrowBuffer& bytes) const {
    if (bytes.size_bytes > 0) write(bytes.data, static_cast<size_t>(bytes.size_bytes));
  }

  /// Calls `use` with the view of a batch, which holds its rows alone.
  template <typename Use>
  void with_view(const hub::Array& batch, const Use& use) {
    const hub::ArrayHandle exported = hub::export_array(batch);
    check(ArrowArrayViewSetArray(&view, exported.get(), &error));
    Trimmer trimmer;
    trimmer.trim(&view, 0, batch.length);
    use();
  }
};

IpcStreamWriter::IpcStreamWriter(const hub::Schema& schema, Write write)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.write = std::move(write);
  hub::SchemaHandle exported = hub::export_schema(schema);
  parts.check(ArrowArrayViewInitFromSchema(&parts.view, exported.get(), &parts.error));
  parts.check(ArrowIpcEncoderEncodeSchema(&parts.encoder, exported.get(), &parts.error));
  parts.make_header();
  parts.send(parts.header);
}

IpcStreamWriter::~IpcStreamWriter() = default;
IpcStreamWriter::IpcStreamWriter(IpcStreamWriter&&) noexcept = default;

void IpcStreamWriter::write(const hub::Array& batch) {
  Parts& parts = *parts_;
  parts.with_view(batch, [&] {
    parts.body.size_bytes = 0;
    parts.check(ArrowIpcEncoderEncodeSimpleRecordBatch(&parts.encoder, &parts.view, &parts.body,
                                                       &parts.error));
    parts.make_header();
  });
  parts.send(parts.header);
  parts.send(parts.body);
}

void IpcStreamWriter::write(const hub::Array& batch, MessageSpace* space) {
  Parts& parts = *parts_;
  parts.with_view(batch, [&] {
    // The header is made last and comes before the body.
    const size_t before = header_bytes(parts.view);
    const int64_t most = body_bytes(parts.view);
    uint8_t* const begin = space->begin(before + static_cast<size_t>(most));
    ArrowBuffer body;
    ArrowBufferInit(&body);
    body.data = begin + before;
    body.capacity_bytes = most;
    // Memory of others neither grows nor is given back.
    body.allocator.reallocate = [](ArrowBufferAllocator*, uint8_t*, int64_t, int64_t) -> uint8_t* {
      return nullptr;
    };
    body.allocator.free = [](ArrowBufferAllocator*, uint8_t*, int64_t) {};
    parts.check(
        ArrowIpcEncoderEncodeSimpleRecordBatch(&parts.encoder, &parts.view, &body, &parts.error));
    parts.make_header();
    const auto size = static_cast<size_t>(parts.header.size_bytes);
    if (size > before) {
      throw Error(ErrorCode::Internal, fmt::format("a batch's header has {} bytes, {} were expected"
                                                   " at most",
                                                   size, before));
    }
    std::memcpy(begin + before - size, parts.header.data, size);
    space->send(before - size, before + static_cast<size_t>(body.size_bytes));
  });
}

void IpcStreamWriter::finish() {
  const int32_t end[] = {-1, 0};
  parts_->write(end, sizeof end);
}

// --- reader -------------------------------------------------------------------------------------

/// Bytes allocated before any have arrived, regardless of the length in the stream.
constexpr int64_t kFirstBytes = int64_t{1} << 20;
/// Bytes of a header: those of a schema are the most.
constexpr int32_t kMostHeaderBytes = static_cast<int32_t>(limits::kSchemaBytes);
/// The prefix of a message: a marker and the length of its header.
constexpr uint32_t kMarker = 0xFFFFFFFF;
constexpr int64_t kPrefixBytes = 8;

struct IpcStreamReader::Parts {
  Read read;
  ArrowIpcDecoder decoder{};
  ArrowIpcDictionaries dictionaries{};
  ArrowBuffer header{};
  ArrowBuffer body{};
  ArrowError error{};
  hub::Type type;
  /// The counts of the last batch, and those that each dictionary must have.
  arrow::IpcCounts claimed;
  std::map<int64_t, arrow::IpcCounts> needed;

  Parts() {
    ArrowBufferInit(&header);
    ArrowBufferInit(&body);
    check(ArrowIpcDecoderInit(&decoder));
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    if (dictionaries.private_data != nullptr) ArrowIpcDictionariesReset(&dictionaries);
    ArrowIpcDecoderReset(&decoder);
    ArrowBufferReset(&header);
    ArrowBufferReset(&body);
  }

  [[noreturn]] static void fail(std::string_view found) {
    throw Error(ErrorCode::Input,
                fmt::format("expected an Arrow stream of plain types, found {}", found));
  }
  void check(int code) {
    if (code == NANOARROW_OK) return;
    if (code == ENOMEM) throw std::bad_alloc();
    fail(error.message[0] == '\0' ? std::strerror(code) : error.message);
  }

  /// Appends the next bytes, fewer only at the end. Memory grows with those that come.
  void take(int64_t size, ArrowBuffer* out) {
    for (int64_t got = 0; got < size;) {
      const int64_t wanted = std::min(size - got, std::max(kFirstBytes, got));
      check(ArrowBufferReserve(out, wanted));
      const size_t count = read(out->data + out->size_bytes, static_cast<size_t>(wanted));
      if (count == 0) return;
      out->size_bytes += static_cast<int64_t>(count);
      got += static_cast<int64_t>(count);
    }
  }

  ArrowBufferView view_of_header() const { return {{header.data}, header.size_bytes}; }

  /// Reads the header of the next message; false at the end of the stream.
  bool next_message() {
    error.message[0] = '\0';
    header.size_bytes = 0;
    take(kPrefixBytes, &header);
    if (header.size_bytes == 0) return false;
    if (header.size_bytes < kPrefixBytes) fail("a message that is cut");
    uint32_t marker = 0;
    int32_t length = 0;
    std::memcpy(&marker, header.data, sizeof(marker));
    std::memcpy(&length, header.data + sizeof(marker), sizeof(length));
    if (marker != kMarker) fail("a message without a marker");
    // The decoder adds to it.
    if (length > kMostHeaderBytes) fail(fmt::format("a header of {} bytes", length));
    int32_t prefix = 0;
    const int code = ArrowIpcDecoderPeekHeader(&decoder, view_of_header(), &prefix, &error);
    if (code == ENODATA) return false;
    check(code);
    take(decoder.header_size_bytes - kPrefixBytes, &header);
    // ArrowIpcDecoderVerifyHeader is not called: flatcc's check_result() verifies a table that it
    // refuses twice, so that a schema with n levels takes 2^n steps. It refuses 48 levels of lists.
    const std::string_view whole(static_cast<const char*>(static_cast<const void*>(header.data)),
                                 static_cast<size_t>(header.size_bytes));
    claimed = arrow::check_ipc_message(whole.substr(kPrefixBytes));
    check(ArrowIpcDecoderDecodeHeader(&decoder, view_of_header(), &error));
    return true;
  }

  /// The decoder checks the counts of a batch against the schema, except those of dictionaries.
  void check_dictionary() const {
    const auto values = needed.find(decoder.dictionary->id);
    if (values == needed.end()) fail("a dictionary of no column");
    if (claimed.arrays < values->second.arrays || claimed.buffers < values->second.buffers) {
      fail(
          fmt::format("a dictionary of {} arrays and {} buffers", claimed.arrays, claimed.buffers));
    }
  }

  /// Reads the body of the message and passes it to `decode`, whose result shares it.
  template <typename Decode>
  void with_body(const Decode& decode) {
    const int64_t size = decoder.body_size_bytes;
    ArrowBufferReset(&body);
    if (size > 0) {
      take(size, &body);
    } else {
      // The decoder adds offsets to the body's address, so even an empty body needs one.
      check(ArrowBufferReserve(&body, 1));
    }
    if (body.size_bytes != size) {
      fail(fmt::format("{} bytes of a message of {}", body.size_bytes, size));
    }
    ArrowBuffer shared;
    check(ArrowSharedBufferInit(&shared, &body));
    const int code = decode(&shared);
    ArrowBufferReset(&shared);
    check(code);
  }
};

IpcStreamReader::IpcStreamReader(Read read) : parts_(std::make_unique<Parts>()) {
  parts_->read = std::move(read);
}

IpcStreamReader::~IpcStreamReader() = default;
IpcStreamReader::IpcStreamReader(IpcStreamReader&&) noexcept = default;

hub::Schema IpcStreamReader::schema() {
  Parts& parts = *parts_;
  if (!parts.next_message()) Parts::fail("nothing");
  ArrowIpcDecoder& decoder = parts.decoder;
  if (decoder.message_type != NANOARROW_IPC_MESSAGE_TYPE_SCHEMA) Parts::fail("no schema first");
  if ((decoder.feature_flags & NANOARROW_IPC_FEATURE_COMPRESSED_BODY) != 0) {
    Parts::fail("compressed ones");
  }
  if ((decoder.feature_flags & NANOARROW_IPC_FEATURE_DICTIONARY_REPLACEMENT) != 0) {
    Parts::fail("dictionaries that are replaced");
  }
  parts.check(ArrowIpcDecoderSetEndianness(&decoder, decoder.endianness));
  hub::SchemaHandle schema;
  ArrowIpcDictionaryEncodings encodings;
  parts.check(ArrowIpcDecoderDecodeSchemaWithDictionaries(&decoder, schema.get(), &encodings,
                                                          &parts.error));
  int code = NANOARROW_OK;
  const auto* first = static_cast<const ArrowIpcDictionaryEncoding*>(
      static_cast<const void*>(encodings.encodings.data));
  const auto bytes = static_cast<size_t>(encodings.encodings.size_bytes);
  for (const ArrowIpcDictionaryEncoding& encoding : std::span(first, bytes / sizeof(*first))) {
    ArrowArrayView values{};
    code = ArrowArrayViewInitFromSchema(&values, encoding.schema->dictionary, &parts.error);
    if (code == NANOARROW_OK) parts.needed[encoding.id] = counts_of(values);
    ArrowArrayViewReset(&values);
    if (code != NANOARROW_OK) break;
  }
  if (code == NANOARROW_OK) {
    code = ArrowIpcDictionariesInit(&parts.dictionaries, &encodings, &parts.error);
  }
  if (code == NANOARROW_OK) {
    code =
        ArrowIpcDecoderSetSchemaWithDictionaries(&decoder, schema.get(), &encodings, &parts.error);
  }
  ArrowIpcDictionaryEncodingsReset(&encodings);
  parts.check(code);
  hub::Schema imported = hub::import_schema(*schema);
  parts.type = hub::struct_(imported.fields);
  return imported;
}

std::optional<hub::Array> IpcStreamReader::next() {
  Parts& parts = *parts_;
  while (parts.next_message()) {
    if (parts.decoder.message_type == NANOARROW_IPC_MESSAGE_TYPE_DICTIONARY_BATCH) {
      parts.check_dictionary();
      parts.with_body([&](ArrowBuffer* body) {
        return ArrowIpcDecoderDecodeDictionaryFromShared(&parts.decoder, body,
                                                         NANOARROW_VALIDATION_LEVEL_FULL,
                                                         &parts.dictionaries, &parts.error);
      });
      continue;
    }
    if (parts.decoder.message_type != NANOARROW_IPC_MESSAGE_TYPE_RECORD_BATCH) {
      Parts::fail("a message that is not a batch");
    }
    hub::ArrayHandle array;
    parts.with_body([&](ArrowBuffer* body) {
      return ArrowIpcDecoderDecodeArrayFromSharedWithDictionaries(
          &parts.decoder, body, -1, &parts.dictionaries, array.get(),
          NANOARROW_VALIDATION_LEVEL_FULL, &parts.error);
    });
    return hub::import_array(std::move(array), parts.type);
  }
  return std::nullopt;
}

}  // namespace xwalk::io
