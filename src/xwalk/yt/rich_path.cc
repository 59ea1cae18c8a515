#include "xwalk/yt/rich_path.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"

namespace xwalk::yt {
namespace {

constexpr std::string_view kScheme = "yt://";

/// Reads a path from its front to its end.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  RichPath read() {
    RichPath out;
    if (text_.starts_with(kScheme)) out.cluster = cluster();
    if (!rest().starts_with("//")) fail("expected the path of a table, which begins with //");
    out.path = path();
    while (at_ < text_.size()) {
      if (text_[at_] == '{' && !out.columns) {
        out.columns = columns();
      } else if (text_[at_] == '[' && out.ranges.empty()) {
        out.ranges = ranges();
      } else {
        fail("expected columns {a,b} or ranges [#10:#20] once each, and then the end");
      }
    }
    return out;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  [[noreturn]] void fail(std::string message) const {
    Place place;
    place.file = text_;
    place.byte = at_;
    throw Error(ErrorCode::Usage, std::move(message), place,
                "For example //home/t, or yt://cluster//home/t{a,b}[#10:#20].");
  }

  std::string cluster() {
    at_ = kScheme.size();
    const size_t end = rest().find("//");
    if (end == 0 || end == std::string_view::npos) {
      fail("expected the name of a cluster and the path behind it");
    }
    const std::string name(rest().substr(0, end));
    if (name.find_first_of("/@?# ") != std::string::npos) fail("expected the name of a cluster");
    at_ += end;
    return name;
  }

  /// Takes all up to columns or ranges; a backslash keeps the next character. A name is behind each
  /// slash but the first.
  std::string path() {
    const size_t begin = at_;
    const auto ends = [&] { return at_ >= text_.size() || text_[at_] == '{' || text_[at_] == '['; };
    ++at_;
    while (!ends()) {
      const bool slash = text_[at_] == '/';
      at_ += text_[at_] == '\\' ? 2 : 1;
      if (slash && (ends() || text_[at_] == '/')) fail("expected a name behind each slash");
    }
    if (at_ > text_.size()) fail("expected a character behind the backslash, found the end");
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Takes a string in quotes.
  std::string quoted_string() {
    const size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) fail("expected the end of a string in quotes");
    ++at_;
    return yson::parse(text_.substr(begin, at_ - begin)).as_string();
  }

  std::vector<std::string> columns() {
    std::vector<std::string> out;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '}') {
      if (text_[at_] == ' ') {
        ++at_;
        continue;
      }
      if (text_[at_] == '"') {
        out.push_back(quoted_string());
      } else {
        const size_t end = rest().find_first_of(",:}\" ");
        if (end == 0 || end == std::string_view::npos) fail("expected the name of a column");
        out.emplace_back(rest().substr(0, end));
        at_ += end;
      }
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      if (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
      } else if (at_ < text_.size() && text_[at_] != '}') {
        fail("expected a comma between columns, which are named one by one");
      }
    }
    if (at_ >= text_.size()) fail("expected } behind the columns");
    ++at_;
    return out;
  }

  std::string ranges() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ']') {
      if (text_[at_] == '"') {
        (void)quoted_string();
      } else {
        ++at_;
      }
    }
    if (at_ >= text_.size()) fail("expected ] behind the ranges");
    ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

RichPath parse_rich_path(std::string_view text) { return Reader(text).read(); }

}  // namespace xwalk::yt
