#include "xwalk/vortex/file.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/base/verified.h"
#include "xwalk/vortex/file_generated.h"
#include "xwalk/vortex/flatbuffers.h"

namespace xwalk::vortex {
namespace {

constexpr std::string_view kMagic = "VTXF";
/// The one version of the file format there is.
constexpr uint16_t kVersion = 1;
/// u16 version, u16 postscript length, magic.
constexpr size_t kTailBytes = 8;
/// Segments of a file's metadata start at multiples of this.
constexpr size_t kAlignment = 8;

[[noreturn]] void fail(ErrorCode code, const std::string& message, uint64_t byte) {
  throw Error(code, message, {.byte = byte});
}

std::optional<Segment> segment_of(const wire::PostscriptSegment* segment, std::string_view what,
                                  uint64_t limit) {
  if (segment == nullptr) return std::nullopt;
  Segment out{segment->offset(), segment->length(), segment->alignment_exponent()};
  if (out.offset > limit || out.length > limit - out.offset) {
    fail(ErrorCode::Input,
         fmt::format("expected the {} segment inside the first {} bytes, found {} bytes at {}",
                     what, limit, out.length, out.offset),
         limit);
  }
  return out;
}

std::string_view bytes_of(std::string_view file, const Segment& segment) {
  return file.substr(segment.offset, segment.length);
}

}  // namespace

FileFooter read_footer(std::string_view file) {
  if (file.size() < kMagic.size() + kTailBytes) {
    fail(ErrorCode::Input,
         fmt::format("expected a Vortex file of at least {} bytes, found {}",
                     kMagic.size() + kTailBytes, file.size()),
         file.size());
  }
  if (!file.starts_with(kMagic)) {
    fail(ErrorCode::Input,
         fmt::format("expected \"VTXF\" at the start, found {}", clipped(file.substr(0, 4))), 0);
  }
  if (!file.ends_with(kMagic)) {
    fail(ErrorCode::Input,
         fmt::format("expected \"VTXF\" at the end, found {}",
                     clipped(file.substr(file.size() - 4))),
         file.size() - 4);
  }
  size_t tail = file.size() - kTailBytes;
  FileFooter footer;
  footer.version = load_little_endian<uint16_t>(file.data() + tail);
  if (footer.version != kVersion) {
    fail(ErrorCode::Unsupported,
         fmt::format("Vortex file version {} is newer than this version of xwalk", footer.version),
         tail);
  }
  size_t length = load_little_endian<uint16_t>(file.data() + tail + 2);
  if (length > tail - kMagic.size()) {
    fail(ErrorCode::Input,
         fmt::format("expected a postscript of at most {} bytes, found a length of {}",
                     tail - kMagic.size(), length),
         tail + 2);
  }
  size_t begin = tail - length;
  Verified<wire::Postscript> postscript(file.substr(begin, length), "a postscript", begin);
  footer.dtype = segment_of(postscript->dtype(), "dtype", begin);
  footer.layout = segment_of(postscript->layout(), "layout", begin);
  footer.statistics = segment_of(postscript->statistics(), "statistics", begin);
  footer.footer = segment_of(postscript->footer(), "footer", begin);
  if (postscript->metadata() != nullptr) {
    // guard(allocate): Slots may share one key.
    SchemaMemory memory(length);
    for (const wire::PostscriptMetadata* entry : *postscript->metadata()) {
      auto segment = segment_of(entry->segment(), "metadata", begin);
      if (entry->key() == nullptr || !segment) {
        fail(ErrorCode::Input, "expected a key and a segment of a metadata slot, found none",
             begin);
      }
      memory.take(entry->key()->size() + sizeof footer.metadata[0]);
      footer.metadata.emplace_back(entry->key()->str(), *segment);
    }
  }
  return footer;
}

DType read_file_dtype(std::string_view file) {
  FileFooter footer = read_footer(file);
  if (!footer.dtype) {
    throw Error(ErrorCode::Input, "expected a dtype in the file's postscript, found none")
        .with_hint(
            "The file was written without its dtype (exclude_dtype). Its schema must be "
            "given from elsewhere.");
  }
  return read_flatbuffers(bytes_of(file, *footer.dtype));
}

std::optional<uint64_t> read_file_rows(std::string_view file) {
  FileFooter footer = read_footer(file);
  if (!footer.layout) return std::nullopt;
  Verified<wire::Layout> layout(bytes_of(file, *footer.layout), "a layout", footer.layout->offset);
  return layout->row_count();
}

std::string with_metadata(std::string_view file, std::string_view key, std::string_view value) {
  MetadataTail tail = metadata_tail(file, key, value);
  std::string out(file.substr(0, tail.keep));
  return out += tail.bytes;
}

std::optional<std::string_view> find_metadata(std::string_view file, std::string_view key) {
  for (const auto& [name, segment] : read_footer(file).metadata) {
    if (name == key) return bytes_of(file, segment);
  }
  return std::nullopt;
}

MetadataTail metadata_tail(std::string_view file, std::string_view key, std::string_view value) {
  if (value.size() > UINT32_MAX) {
    throw Error(ErrorCode::Input, fmt::format("expected metadata of at most {} bytes, found {}",
                                              UINT32_MAX, value.size()));
  }
  FileFooter footer = read_footer(file);
  MetadataTail tail;
  tail.keep = file.size() - kTailBytes -
              load_little_endian<uint16_t>(file.data() + file.size() - kTailBytes + 2);
  std::string& out = tail.bytes;
  auto align = [&] {
    while ((tail.keep + out.size()) % kAlignment != 0) out += '\0';
  };
  align();
  Segment slot{tail.keep + out.size(), static_cast<uint32_t>(value.size()), 3};
  out += value;
  align();

  std::erase_if(footer.metadata, [&](const auto& entry) { return entry.first == key; });
  footer.metadata.emplace_back(key, slot);

  flatbuffers::FlatBufferBuilder builder;
  auto build = [&](const std::optional<Segment>& segment) {
    return segment ? wire::CreatePostscriptSegment(builder, segment->offset, segment->length,
                                                   segment->alignment_exponent)
                   : flatbuffers::Offset<wire::PostscriptSegment>();
  };
  auto dtype = build(footer.dtype);
  auto layout = build(footer.layout);
  auto statistics = build(footer.statistics);
  auto inner = build(footer.footer);
  std::vector<flatbuffers::Offset<wire::PostscriptMetadata>> entries;
  for (const auto& [name, segment] : footer.metadata) {
    auto text = builder.CreateString(name);
    entries.push_back(wire::CreatePostscriptMetadata(builder, text, build(segment)));
  }
  auto metadata = builder.CreateVector(entries);
  builder.Finish(wire::CreatePostscript(builder, dtype, layout, statistics, inner, metadata));
  if (builder.GetSize() > UINT16_MAX) {
    throw Error(ErrorCode::Input, fmt::format("expected a postscript of at most {} bytes, found {}",
                                              UINT16_MAX, builder.GetSize()));
  }
  out.append(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  for (uint16_t number : {kVersion, static_cast<uint16_t>(builder.GetSize())}) {
    out += static_cast<char>(number & 0xFF);
    out += static_cast<char>(number >> 8);
  }
  out += kMagic;
  return tail;
}

}  // namespace xwalk::vortex
