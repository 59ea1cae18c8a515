#include "xwalk/yt/rich_path.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::yt {
namespace {

using yson::Node;

constexpr std::string_view kScheme = "yt://";

/// What a table is written with.
constexpr std::array<std::string_view, 4> kStorage = {"optimize_for", "compression_codec",
                                                      "erasure_codec", "primary_medium"};
constexpr std::string_view kKnown =
    "columns, ranges, lower_limit, upper_limit, exact, cluster, append, optimize_for, "
    "compression_codec, erasure_codec, primary_medium";

/// Attributes of paths for which xwalk has another way.
struct Refused {
  std::string_view name;
  std::string_view hint;
};
constexpr std::array kRefused = {
    Refused{"rename_columns", "Rename columns with `rename`."},
    Refused{"schema", "Name the schema of a table that is written with `target_schema`."},
    Refused{"sorted_by", "The schema says how the rows are sorted: give it with `target_schema`."},
    Refused{"transaction_id", "A table is read and written in a transaction of its own."},
};

/// Returns the end of the attributes before a text; 0 if it has none or they do not end.
size_t end_of_attributes(std::string_view text) {
  if (!text.starts_with('<')) return 0;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
    } else if (text[at] == '<') {
      ++depth;
    } else if (text[at] == '>' && --depth == 0) {
      return at + 1;
    }
  }
  return 0;
}

std::string_view without_spaces(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// Reads a path from its front to its end.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  RichPath read() {
    RichPath out;
    attributes(&out);
    if (rest().starts_with(kScheme)) {
      std::string named = cluster();
      if (!out.cluster.empty() && out.cluster != named) {
        fail(fmt::format("two clusters are named, {} and {}", out.cluster, named));
      }
      out.cluster = std::move(named);
      attributes(&out);
    }
    if (!rest().starts_with("//")) fail("expected the path of a table, which begins with //");
    out.path = path();
    while (at_ < text_.size()) {
      if (text_[at_] == '{' && out.columns && in_front_.columns) {
        fail("columns are given as an attribute and after the path");
      } else if (text_[at_] == '{' && !out.columns) {
        out.columns = columns();
      } else if (text_[at_] == '[' && !out.limits.empty()) {
        fail("ranges are given as an attribute and after the path");
      } else if (text_[at_] == '[' && out.ranges.empty()) {
        out.ranges = ranges(&out.several_ranges);
      } else {
        fail("expected columns {a,b} or ranges [#10:#20] once each, and then the end");
      }
    }
    return out;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  [[noreturn]] void fail(std::string message) const {
    throw Error(ErrorCode::Usage, std::move(message),
                {.file = std::string(text_), .byte = std::min(at_, text_.size())},
                "For example //home/t, or yt://cluster//home/t{a,b}[#10:#20].");
  }

  [[noreturn]] void fail_at(const Node& node, std::string message, std::string hint) const {
    throw Error(ErrorCode::Usage, std::move(message),
                {.file = std::string(text_), .byte = at_ + node.source_offset()}, std::move(hint));
  }
  [[noreturn]] void expected(std::string_view what, const Node& found) const {
    fail_at(found, fmt::format("expected {}, found {}", what, yson::print(found)), "");
  }

  /// Parses attributes before the rest, if any.
  void attributes(RichPath* out) {
    const size_t size = end_of_attributes(rest());
    if (size == 0 && rest().starts_with('<')) fail("expected > after the attributes");
    if (size == 0) return;
    Node node;
    try {
      node = yson::parse(std::string(rest().substr(0, size)) + "#");
    } catch (const Error& error) {
      fail(fmt::format("expected attributes in YSON: {}", error.message()));
    }
    for (const auto& [name, value] : node.attributes()) {
      if (std::ranges::find(given_, name) != given_.end()) {
        fail_at(value, fmt::format("the attribute {} is given twice", xwalk::quoted(name)), "");
      }
      given_.push_back(name);
      attribute(name, value, out);
    }
    if (!in_front_.range.as_map().empty()) {
      if (!out->limits.empty()) fail("expected ranges, or one range by its limits, found both");
      Node all = Node::list();
      all.add(std::exchange(in_front_.range, Node::map()));
      set_limits(std::move(all), out);
    }
    at_ += size;
    at_ = text_.size() - without_spaces(rest()).size();
  }

  void attribute(const std::string& name, const Node& value, RichPath* out) {
    if (name == "columns") {
      if (!value.is(Node::Kind::List)) expected("columns as a list", value);
      out->columns.emplace();
      in_front_.columns = true;
      for (const Node& column : value.as_list()) {
        if (!column.is(Node::Kind::String)) expected("columns, named one by one", column);
        out->columns->push_back(column.as_string());
      }
    } else if (name == "ranges") {
      if (!value.is(Node::Kind::List)) expected("ranges as a list", value);
      for (const Node& range : value.as_list()) check_range(range);
      set_limits(value, out);
    } else if (name == "lower_limit" || name == "upper_limit" || name == "exact") {
      check_limit(value);
      in_front_.range.add(name, value);
    } else if (name == "append") {
      const bool word = value.is(Node::Kind::String) &&
                        (value.as_string() == "true" || value.as_string() == "false");
      if (!word && !value.is(Node::Kind::Boolean)) expected("append as %true or %false", value);
      out->append = word ? value.as_string() == "true" : value.as_boolean();
    } else if (name == "cluster") {
      if (!value.is(Node::Kind::String)) expected("the name of a cluster", value);
      if (!out->cluster.empty() && out->cluster != value.as_string()) {
        fail(fmt::format("two clusters are named, {} and {}", out->cluster, value.as_string()));
      }
      check_cluster(value.as_string());
      out->cluster = value.as_string();
    } else if (std::ranges::find(kStorage, name) != kStorage.end()) {
      if (!value.is(Node::Kind::String)) expected(fmt::format("{} as a string", name), value);
      out->storage.emplace_back(name, value);
    } else {
      const auto refused = std::ranges::find(kRefused, name, &Refused::name);
      const bool known = refused != kRefused.end();
      fail_at(value,
              fmt::format("the attribute {} of a path {}", xwalk::quoted(name),
                          known ? "is not taken here" : "is not known here"),
              known ? std::string(refused->hint) : fmt::format("There are {}.", kKnown));
    }
  }

  static void set_limits(Node ranges, RichPath* out) {
    Node entity;
    out->several_ranges = ranges.as_list().size() > 1;
    entity.add_attribute("ranges", std::move(ranges));
    out->limits = yson::print(entity);
    out->limits.pop_back();  // the entity
  }

  void check_range(const Node& range) const {
    if (!range.is(Node::Kind::Map)) expected("a range as a map", range);
    for (const auto& [name, limit] : range.as_map()) {
      if (name != "lower_limit" && name != "upper_limit" && name != "exact") {
        fail_at(limit, fmt::format("expected a limit of a range, found {}", xwalk::quoted(name)),
                "There are lower_limit, upper_limit and exact.");
      }
      check_limit(limit);
    }
  }

  void check_limit(const Node& limit) const {
    if (!limit.is(Node::Kind::Map)) expected("a limit as a map, such as {row_index=10}", limit);
    for (const auto& [name, value] : limit.as_map()) {
      if (name == "row_index") {
        const bool fits =
            value.is(Node::Kind::Uint64) || (value.is(Node::Kind::Int64) && value.as_int64() >= 0);
        if (!fits) expected("row_index as an integer from 0", value);
      } else if (name == "key" || name == "key_bound") {
        if (!value.is(Node::Kind::List)) expected(fmt::format("{} as a list", name), value);
      } else if (name != "chunk_index" && name != "tablet_index" && name != "offset") {
        fail_at(value, fmt::format("expected a limit of rows, found {}", xwalk::quoted(name)),
                "There are row_index, key, key_bound, chunk_index, tablet_index and offset.");
      }
    }
  }

  void check_cluster(std::string_view name) const {
    if (name.empty() || name.find_first_of("/@?#<> ") != std::string::npos) {
      fail("expected the name of a cluster");
    }
  }

  std::string cluster() {
    at_ += kScheme.size();
    const size_t end = std::min(rest().find("//"), rest().find('<'));
    if (end == 0 || end == std::string_view::npos) {
      fail("expected the name of a cluster and a path after it");
    }
    const std::string name(rest().substr(0, end));
    check_cluster(name);
    at_ += end;
    return name;
  }

  /// Reads up to columns or ranges. A backslash escapes the next character. There must be a name
  /// after each slash except the first.
  std::string path() {
    const size_t begin = at_;
    const auto ends = [&] { return at_ >= text_.size() || text_[at_] == '{' || text_[at_] == '['; };
    ++at_;
    while (!ends()) {
      const bool slash = text_[at_] == '/';
      at_ += text_[at_] == '\\' ? 2 : 1;
      if (slash && (ends() || text_[at_] == '/')) fail("expected a name after each slash");
    }
    if (at_ > text_.size()) fail("expected a character after the backslash, found the end");
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
    if (at_ >= text_.size()) fail("expected } after the columns");
    ++at_;
    return out;
  }

  /// Takes the ranges; sets `several` if a comma that is not part of a key separates them.
  std::string ranges(bool* several) {
    const size_t begin = at_;
    int depth = 0;
    while (at_ < text_.size() && text_[at_] != ']') {
      const char c = text_[at_];
      if (c == '"') {
        (void)quoted_string();
        continue;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) *several = true;
      ++at_;
    }
    if (at_ >= text_.size()) fail("expected ] after the ranges");
    ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  size_t at_ = 0;
  /// The attributes so far, from before and after the cluster.
  std::vector<std::string> given_;
  /// Columns from the attributes, and the range if they have a single one without a list.
  struct {
    bool columns = false;
    Node range = Node::map();
  } in_front_;
};

}  // namespace

bool is_rich_path(std::string_view text) {
  const size_t size = end_of_attributes(text);
  const std::string_view path = without_spaces(text.substr(size));
  if (size == 0) return text.starts_with("//") || text.starts_with(kScheme);
  // Recognizes `cluster://path`, another program's notation, for the error message.
  const auto is_word = [](char c) { return is_ascii_alnum(c) || c == '-'; };
  return path.substr(static_cast<size_t>(std::ranges::find_if_not(path, is_word) - path.begin()))
             .starts_with("://") ||
         path.starts_with("//");
}

RichPath parse_rich_path(std::string_view text) { return Reader(text).read(); }

}  // namespace xwalk::yt
