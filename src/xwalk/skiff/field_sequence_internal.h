#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace xwalk::skiff {

/// Fields that follow each other and are taken by one function, so that their kinds cost one jump
/// and no branch each. There is a function for every sequence of up to `most` kinds.
///
/// `Maker` has the kinds as `kKinds`, the type of the functions as `Function`, and the function of
/// a sequence as `kFunction<kinds...>`.
template <typename Maker, size_t most>
class FieldSequence {
 public:
  using Function = typename Maker::Function;

  /// Returns false, and adds nothing, for a kind without functions or if the sequence is full.
  template <typename Kind>
  bool add(Kind kind) {
    if (count_ == most) return false;
    const auto found = std::ranges::find(Maker::kKinds, kind);
    if (found == Maker::kKinds.end()) return false;
    code_ += static_cast<size_t>(found - Maker::kKinds.begin()) * power(count_++);
    return true;
  }
  size_t count() const { return count_; }
  /// Returns the function of the sequence, or null for an empty one.
  Function function() const { return find(std::make_index_sequence<most>()); }

 private:
  static constexpr size_t power(size_t exponent) {
    return exponent == 0 ? 1 : Maker::kKinds.size() * power(exponent - 1);
  }
  template <size_t code, size_t... digit>
  static constexpr Function one(std::index_sequence<digit...> /*digits*/) {
    return Maker::template kFunction<Maker::kKinds[code / power(digit) % Maker::kKinds.size()]...>;
  }
  template <size_t count, size_t... code>
  static constexpr auto all(std::index_sequence<code...> /*codes*/) {
    return std::array<Function, sizeof...(code)>{one<code>(std::make_index_sequence<count>())...};
  }
  template <size_t count>
  static Function of(size_t code) {
    static constexpr auto kFunctions = all<count>(std::make_index_sequence<power(count)>());
    return kFunctions[code];
  }
  template <size_t... i>
  Function find(std::index_sequence<i...> /*counts*/) const {
    Function found = nullptr;
    ((count_ == i + 1 ? static_cast<void>(found = of<i + 1>(code_)) : static_cast<void>(0)), ...);
    return found;
  }

  size_t count_ = 0;
  /// The kinds as digits of a number, the first one the last digit.
  size_t code_ = 0;
};

}  // namespace xwalk::skiff
