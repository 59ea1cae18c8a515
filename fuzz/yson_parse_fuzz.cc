// Whatever the bytes: the parser and skip_value accept the same; what is parsed prints and parses
// back equal in every format, JSON too; chunks of the row splitter hold the same items as the whole
// stream. The second byte chooses which of the three is asked.

#include <algorithm>
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

enum class Property : uint8_t { Formats, Json, Rows };

void check_value(std::string_view bytes, Property property) {
  Node node;
  try {
    node = parse(bytes);
  } catch (const xwalk::Error&) {
    require(!skips(bytes));
    return;
  }
  require(skips(bytes));
  if (property == Property::Formats) {
    for (Format format : {Format::Text, Format::Pretty, Format::Binary}) {
      std::string printed = print(node, format);
      require(parse(printed) == node);
      require(print(parse(printed), format) == printed);
      require(skips(printed));
    }
    return;
  }
  JsonOptions json{.encode_utf8 = true};
  require(from_json(to_json(node, json), json) == node);
  Buffer text;
  const std::string binary = print(node, Format::Binary);
  require(write_json(binary, JsonStyle::Living, &text) == JsonFault::None);
  require(from_json(text.view(), json) == node);
  text.clear();
  if (write_json(binary, JsonStyle::Plain, &text) == JsonFault::None) {
    require(xwalk::is_valid_json(text.view()));
  }
}

/// Returns false if the items are refused.
bool read_items(std::string_view bytes, std::vector<Node>* items) {
  try {
    for (Node& item : parse_list_fragment(bytes)) items->push_back(std::move(item));
    return true;
  } catch (const xwalk::Error&) {
    return false;
  }
}

void check_rows(std::string_view bytes, size_t step, size_t chunk_bytes) {
  std::vector<Node> expected;
  bool accepted = read_items(bytes, &expected);
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
      split_accepted = read_items(chunk.bytes, &found);
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

void xwalk::fuzz::run(std::string_view data) {
  if (data.size() < 2) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  const auto second = static_cast<uint8_t>(data[1]);
  const auto property = static_cast<Property>(second % 3);
  const std::string_view bytes = data.substr(2);
  if (property == Property::Rows) {
    check_rows(bytes, choice % 100, second);
  } else {
    check_value(bytes, property);
  }
}
