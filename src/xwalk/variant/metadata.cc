#include "xwalk/variant/metadata.h"

#include "xwalk/base/text.h"

namespace xwalk::variant {
namespace {

constexpr int kVersion = 1;
constexpr int kVersionBits = 0x0F;
constexpr int kSortedBit = 0x10;

struct Header {
  int width;
  uint32_t size;
  /// Bytes before the names, with all offsets.
  size_t before;
};

Outcome read_header(std::string_view bytes, Header* header) {
  if (bytes.empty()) return {Fault::Truncated, 0};
  const auto first = static_cast<unsigned char>(bytes[0]);
  if ((first & kVersionBits) != kVersion) return {Fault::Version, 0};
  header->width = (first >> 6) + 1;
  const auto width = static_cast<size_t>(header->width);
  if (bytes.size() < 1 + width) return {Fault::Truncated, bytes.size()};
  header->size = load_unsigned(bytes.data() + 1, header->width);
  header->before = 1 + width * (size_t{header->size} + 2);
  if (bytes.size() < header->before) return {Fault::Truncated, bytes.size()};
  return {};
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::optional<size_t> Metadata::size_in(std::string_view bytes) {
  Header header;
  if (!read_header(bytes, &header).ok()) return std::nullopt;
  const size_t size =
      header.before + load_unsigned(bytes.data() + header.before - header.width, header.width);
  if (size > bytes.size()) return std::nullopt;
  return size;
}

Outcome Metadata::read(std::string_view bytes) {
  if (good_ && bytes == bytes_) return {};
  bytes_ = bytes;
  const Outcome outcome = check();
  good_ = outcome.ok();
  return outcome;
}

Outcome Metadata::check() {
  Header header;
  if (const Outcome outcome = read_header(bytes_, &header); !outcome.ok()) return outcome;
  width_ = header.width;
  size_ = header.size;
  offsets_ = bytes_.data() + 1 + width_;
  names_ = bytes_.data() + header.before;
  const size_t names_size = bytes_.size() - header.before;
  const size_t start = 1 + static_cast<size_t>(width_);
  if (offset(0) != 0) return {Fault::Dictionary, start};
  if (offset(size_) > names_size) return {Fault::Truncated, bytes_.size()};
  if (offset(size_) < names_size) return {Fault::TrailingBytes, header.before + offset(size_)};
  if (!is_valid_utf8({names_, names_size})) return {Fault::NotText, header.before};
  const bool sorted = (static_cast<unsigned char>(bytes_[0]) & kSortedBit) != 0;
  uint32_t begin = 0;
  std::string_view before;
  for (uint32_t id = 0; id < size_; ++id) {
    const uint32_t end = offset(id + 1);
    if (end < begin || end > names_size) return {Fault::Dictionary, start};
    // The names together are UTF-8; so is each, if none begins inside a character.
    if (begin < names_size && continues(names_[begin])) {
      return {Fault::NotText, header.before + begin};
    }
    const std::string_view name(names_ + begin, end - begin);
    if (sorted && id > 0 && name <= before) return {Fault::Dictionary, header.before + begin};
    before = name;
    begin = end;
  }
  return {};
}

}  // namespace xwalk::variant
