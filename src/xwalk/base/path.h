#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xwalk {

/// Names a place in a schema or in a value: `orders.items[].price`, map `{key}` and `{value}`,
/// alternatives `<name>`. Names outside [A-Za-z0-9_$-] are quoted with double quotes.
class Path {
 public:
  Path() = default;

  /// Makes the path of a top-level column.
  static Path column(std::string_view name);

  /// Returns the path of a struct member or column below this one.
  Path field(std::string_view name) const;
  /// Returns the path of every item of this list: `[]`.
  Path item() const;
  /// Returns the path of one item of this list: `[index]`; used in errors about values.
  Path item(size_t index) const;
  Path map_key() const;
  Path map_value() const;
  /// Returns the path of one alternative of this union: `<name>`.
  Path alternative(std::string_view name) const;

  bool empty() const { return steps_.empty(); }
  const std::string& text() const { return text_; }
  /// Returns the steps as they are printed, first the column.
  const std::vector<std::string>& steps() const { return steps_; }

  friend bool operator==(const Path& a, const Path& b) { return a.text_ == b.text_; }
  friend auto operator<=>(const Path& a, const Path& b) { return a.text_ <=> b.text_; }

 private:
  Path append(std::string step, bool dotted) const;

  std::vector<std::string> steps_;
  std::string text_;
};

}  // namespace xwalk
