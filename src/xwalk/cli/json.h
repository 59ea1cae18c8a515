#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace xwalk::cli {

/// A JSON value to print. Members of an object stay in the order in which they were added.
class Json {
 public:
  Json() = default;
  // Implicit, so that lists of values can be written as such.
  // NOLINTBEGIN(google-explicit-constructor)
  template <std::same_as<bool> T>
  Json(T value) : value_(value) {}
  template <std::signed_integral T>
  Json(T value) : value_(static_cast<int64_t>(value)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : value_(static_cast<uint64_t>(value)) {}
  Json(double value) : value_(value) {}
  template <typename T>
  requires std::convertible_to<const T&, std::string_view> Json(const T& text)
      : value_(std::string(std::string_view(text))) {}
  template <std::ranges::input_range T>
  requires(!std::convertible_to<const T&, std::string_view>) Json(const T& items)
      : value_(Items()) {
    for (const auto& item : items) push_back(item);
  }
  // NOLINTEND(google-explicit-constructor)
  /// Makes an object if each item is a list of a text and a value, else a list.
  Json(std::initializer_list<Json> items);

  static Json array() { return Json(Items()); }
  static Json object() { return Json(Members()); }
  /// Parses a JSON text that xwalk has written.
  static Json parse(std::string_view text);

  /// Returns a member of an object, which is added if the object does not have it. Null becomes an
  /// object.
  Json& operator[](std::string_view name);
  /// Appends to a list. Null becomes a list.
  void push_back(Json item);
  auto begin() { return std::get<Items>(value_).begin(); }
  auto end() { return std::get<Items>(value_).end(); }

  /// Prints the value, in one line with an indent of -1. Bytes that are not UTF-8 are replaced.
  std::string dump(int indent = -1) const;

 private:
  friend struct JsonText;
  using Items = std::vector<Json>;
  using Members = std::vector<std::pair<std::string, Json>>;
  explicit Json(Items items) : value_(std::move(items)) {}
  explicit Json(Members members) : value_(std::move(members)) {}

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Items, Members> value_;
};

/// Prints JSON so that all names in it can be shown: characters that show nothing are escaped. In
/// one line with an indent of -1.
std::string json_text(const Json& json, int indent = 2);

}  // namespace xwalk::cli
