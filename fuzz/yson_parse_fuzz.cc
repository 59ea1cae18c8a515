// For any bytes, the parser and skip_value accept the same. Parsed values print and parse back
// equal in every format, including JSON. Chunks of the row splitter hold the same items as the
// whole stream. The second byte chooses which of them is checked.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/byte_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/json_text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yson/scan.h"

namespace {

using xwalk::fuzz::require;
using namespace xwalk::yson;

class Source : public xwalk::ByteSource {
 public:
  Source(std::string_view bytes, size_t step) : bytes_(bytes), step_(step) {}
  size_t read(char* out, size_t size) override {
    size_t count = std::min({size, step_, bytes_.size() - position_});
    std::copy_n(bytes_.data() + position_, count, out);
    position_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  std::optional<std::string_view> contents() override {
    if (step_ == 0) return bytes_;
    return std::nullopt;
  }
  uint64_t position() const override { return position_; }

 private:
  std::string_view bytes_;
  std::string name_ = "fuzz";
  size_t step_;
  size_t position_ = 0;
};

bool skips(std::string_view bytes) {
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  if (skip_value(p, end) != Status::Ok) return false;
  skip_space(p, end);
  return p == end;
}

/// Does the same for items of a list.
bool skips_items(std::string_view bytes) {
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  for (skip_space(p, end); p != end; skip_space(p, end)) {
    if (skip_value(p, end) != Status::Ok) return false;
    skip_space(p, end);
    if (p != end && *p++ != ';') return false;
  }
  return true;
}

/// Requires that an action refuses its input.
template <typename Action>
void require_refusal(const Action& action) {
  try {
    action();
  } catch (const xwalk::Error&) {
    return;
  }
  require(false);
}

enum class Property : uint8_t { Format, Json, Rows };

void check_format(const Node& node, Format format) {
  const std::string printed = print(node, format);
  const Node again = parse(printed);
  require(again == node);
  require(print(again, format) == printed);
  require(skips(printed));
}

constexpr JsonOptions kJson{.encode_utf8 = true};

void check_written_json(const Node& node, JsonStyle style) {
  Buffer text;
  const JsonFault fault = write_json(print(node, Format::Binary), style, &text);
  if (style == JsonStyle::Plain) {
    if (fault == JsonFault::None) require(xwalk::is_valid_json(text.view()));
    return;
  }
  require(fault == JsonFault::None);
  require(from_json(text.view(), kJson) == node);
}

void check_value(std::string_view bytes, Property property, size_t form, bool ask_parser) {
  if (!skips(bytes)) {
    // Throwing takes most of the time of an execution, so that few inputs ask for it.
    if (ask_parser) require_refusal([&] { parse(bytes); });
    return;
  }
  const Node node = parse(bytes);
  if (property == Property::Format) {
    constexpr std::array kFormats = {Format::Text, Format::Pretty, Format::Binary};
    return check_format(node, kFormats[form]);
  }
  if (form == 0) return require(from_json(to_json(node, kJson), kJson) == node);
  check_written_json(node, form == 1 ? JsonStyle::Living : JsonStyle::Plain);
}

/// Returns false if the items are refused.
bool read_items(std::string_view bytes, bool ask_parser, std::vector<Node>* items) {
  if (!skips_items(bytes)) {
    if (ask_parser) require_refusal([&] { parse_list_fragment(bytes); });
    return false;
  }
  for (Node& item : parse_list_fragment(bytes)) items->push_back(std::move(item));
  return true;
}

void check_rows(std::string_view bytes, size_t step, size_t chunk_bytes, bool ask_parser) {
  std::vector<Node> expected;
  bool accepted = read_items(bytes, ask_parser, &expected);
  std::vector<Node> found;
  bool split_accepted = true;
  uint64_t offset = 0;
  Source source(bytes, step);
  RowSplitter splitter(&source, {.chunk_bytes = chunk_bytes});
  RowChunk chunk;
  try {
    while (splitter.next(&chunk)) {
      require(chunk.offset == offset);
      require(bytes.substr(offset, chunk.bytes.size()) == chunk.bytes);
      offset += chunk.bytes.size();
      if (!split_accepted) continue;
      split_accepted = read_items(chunk.bytes, ask_parser, &found);
      if (split_accepted) require(found.size() == chunk.first_item + chunk.items);
    }
    // Who splits rows refuses what a zero byte ends.
    if (const auto zero = splitter.zero_byte()) {
      require(bytes[*zero] == '\0');
      split_accepted = false;
    }
  } catch (const xwalk::Error&) {
    split_accepted = false;  // a length beyond the row limit
  }
  require(accepted == split_accepted);
  if (accepted) require(found == expected);
}

}  // namespace

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  if (data.size() < 2) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  const auto second = static_cast<uint8_t>(data[1]);
  const auto property = static_cast<Property>(second % 3);
  const size_t form = second / 3 % 3;
  const bool ask_parser = second / 9 % 9 == 0;
  const std::string_view bytes = data.substr(2);
  if (property == Property::Rows) {
    check_rows(bytes, choice % 100, second, ask_parser);
  } else {
    check_value(bytes, property, form, ask_parser);
  }
}
