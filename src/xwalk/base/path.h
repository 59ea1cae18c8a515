#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// libxwalk.so shows what the installed headers declare.
#pragma GCC visibility push(default)

namespace xwalk {

/// Names a place in a schema or in a value: `orders.items[].price`, map `{key}` and `{value}`,
/// alternatives `<name>`. Names outside [A-Za-z0-9_$-] are quoted with double quotes. A path shares
/// all steps but its last with the path it was made from, so copies and steps down are cheap. The
/// text is built on demand.
class Path {
 public:
  /// One step down.
  struct Step {
    enum class Kind : uint8_t {
      Field,        ///< a column or a member of a struct
      Item,         ///< every item of a list
      ItemAt,       ///< one item of a list, in errors about values
      MapKey,       ///< the keys of a map
      MapValue,     ///< the values of a map
      Alternative,  ///< an alternative of a union
    };
    Kind kind = Kind::Field;
    /// Of a field or an alternative; empty for the others.
    std::string name;
    /// For an item, its index. For a field or an alternative, the number of siblings of the same
    /// name before it. Printed names do not show it.
    size_t index = 0;

    /// Returns true if the schema gives the step its name.
    bool is_named() const { return kind == Kind::Field || kind == Kind::Alternative; }
    /// Returns the step as a path shows it: `price`, `[]`, `[3]`, `{key}`, `{value}`, `<name>`.
    std::string text() const;

    friend bool operator==(const Step&, const Step&) = default;
  };

  /// The empty path: the table as a whole.
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
  /// Returns the path one step below this one.
  Path below(Step step) const;

  bool empty() const { return node_ == nullptr; }
  /// Returns the number of steps.
  size_t size() const { return node_ == nullptr ? 0 : node_->size; }
  /// Returns the last step. The path must not be empty.
  const Step& last() const { return node_->step; }
  /// Returns the path without its last step. The path must not be empty.
  Path parent() const { return Path(node_->above); }
  /// Returns the steps, starting with the column. They live as long as any path with these steps.
  std::vector<const Step*> steps() const;
  /// Returns the place in the schema that the path of a value belongs to: `[]` for `[3]`.
  Path in_schema() const;

  /// Prints the path.
  std::string text() const;

  friend bool operator==(const Path& a, const Path& b);
  /// Hashes a path, for unordered containers.
  struct Hash {
    size_t operator()(const Path& path) const { return path.empty() ? 0 : path.node_->hash; }
  };

 private:
  struct Node {
    std::shared_ptr<const Node> above;
    Step step;
    size_t size = 0;
    size_t hash = 0;
  };

  explicit Path(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

// A friend alone would not be shown.
bool operator==(const Path& a, const Path& b);

}  // namespace xwalk

#pragma GCC visibility pop
