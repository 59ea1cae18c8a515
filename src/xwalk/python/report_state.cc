#include "xwalk/python/report_state.h"

#include <array>
#include <concepts>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/version.h"

namespace xwalk::python {
namespace {

using crosswalk::System;

/// Returns the members of a struct of `kCount` members. Another number does not compile, so that no
/// member is forgotten.
template <size_t kCount>
auto tied(auto& value) {
  if constexpr (kCount == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (kCount == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (kCount == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (kCount == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (kCount == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (kCount == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (kCount == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (kCount == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (kCount == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (kCount == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (kCount == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (kCount == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (kCount == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  }
}

/// Returns the members of a struct that are written, in their order.
auto members(auto& value, const Path::Step*) { return tied<3>(value); }
auto members(auto& value, const hub::Finding*) { return tied<6>(value); }
auto members(auto& value, const hub::Rename*) { return tied<3>(value); }
auto members(auto& value, const crosswalk::Reason*) { return tied<6>(value); }
auto members(auto& value, const crosswalk::PathReport*) { return tied<7>(value); }
auto members(auto& value, const report::PathRows*) { return tied<6>(value); }
auto members(auto& value, const report::Rows*) { return tied<4>(value); }
auto members(auto& value, const crosswalk::ReaderRemark*) { return tied<7>(value); }
auto members(auto& value, const crosswalk::ValueCondition*) { return tied<3>(value); }
auto members(auto& value, const crosswalk::ValueCount*) { return tied<2>(value); }
auto members(auto& value, const crosswalk::Misreadings*) { return tied<5>(value); }
auto members(auto& value, const report::FileCheck*) { return tied<3>(value); }
auto members(auto& value, const report::Acceptance*) { return tied<4>(value); }
auto members(auto& value, const report::Check*) { return tied<16>(value); }
auto members(auto& value, const crosswalk::CompatReason*) { return tied<4>(value); }
auto members(auto& value, const crosswalk::Compat*) { return tied<2>(value); }
auto members(auto& value, const report::CompatCheck*) { return tied<9>(value); }
auto members(auto& value, const crosswalk::Difference*) { return tied<4>(value); }
auto members(auto& value, const crosswalk::DiffSide*) { return tied<4>(value); }
auto members(auto& value, const crosswalk::DiffLine*) { return tied<5>(value); }
auto members(auto& value, const crosswalk::Diff*) { return tied<5>(value); }
auto members(auto& value, const report::DiffCheck*) { return tied<3>(value); }
auto members(auto& value, const crosswalk::ColumnDifference*) { return tied<3>(value); }
auto members(auto& value, const crosswalk::ColumnCount*) { return tied<2>(value); }
auto members(auto& value, const crosswalk::RowDifference*) { return tied<7>(value); }
auto members(auto& value, const crosswalk::RowDiff*) { return tied<17>(value); }
auto members(auto& value, const hub::ColumnSum*) { return tied<3>(value); }
auto members(auto& value, const report::ProofFile*) { return tied<2>(value); }
auto members(auto& value, const report::ProofColumn*) { return tied<6>(value); }
auto members(auto& value, const report::Decision*) { return tied<10>(value); }
auto members(auto& value, const report::ProvenTable*) { return tied<13>(value); }
auto members(auto& value, const report::Proof*) { return tied<7>(value); }
auto members(auto& value, const report::Problem*) { return tied<7>(value); }
auto members(auto& value, const report::ReportSet*) { return tied<7>(value); }
/// The cast and the target's own schema are for rows: no report shows them.
auto members(auto& value, const crosswalk::Plan*) {
  return std::tie(value.source_system, value.target_system, value.source_hub, value.target_hub,
                  value.renames, value.paths, value.notes, value.unsupported);
}

/// Returns a value to be read into.
template <typename T>
T fresh() {
  return {};
}
template <>
crosswalk::Plan fresh() {
  return {.target = {}, .source_hub = {}, .target_hub = {}, .cast = hub::CompiledCast(nullptr)};
}
template <>
report::FileCheck fresh() {
  return {.name = {}, .plan = fresh<crosswalk::Plan>(), .changes = {}};
}
template <>
crosswalk::Misreadings fresh() {
  return {.system = crosswalk::systems().front(), .remarks = {}};
}

template <typename T>
constexpr bool is_number = std::is_arithmetic_v<T> || std::is_same_v<T, Int128>;

/// Appends values to bytes. What a pointer points to is written in its place.
class Writer {
 public:
  std::string take() { return std::move(out_); }

  template <typename T>
  requires is_number<T> || std::is_enum_v<T>
  void put(const T& value) { out_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(std::string_view text) {
    put(text.size());
    out_ += text;
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  void put(const System& system) { put(std::string_view(system->name)); }
  void put(const hub::Schema& schema) { put(arrow::write_ipc_schema(schema)); }
  void put(const Path& path) {
    put(path.size());
    for (const Path::Step* step : path.steps()) put(*step);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const T* const& value) {
    put(value != nullptr);
    if (value != nullptr) put(*value);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& value) {
    put(value.first);
    put(value.second);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  void put(const hub::Renames& values) {
    put(values.size());
    for (const auto& [path, renames] : values) {
      put(path);
      put(renames);
    }
  }
  template <typename... T>
  void put(const std::variant<T...>& value) {
    put(value.index());
    std::visit([&](const auto& held) { put(held); }, value);
  }
  template <typename T>
  requires requires(const T& value) { members(value, &value); }
  void put(const T& value) {
    std::apply([&](const auto&... member) { (put(member), ...); }, members(value, &value));
  }

 private:
  std::string out_;
};

/// Returns a text that lives as long as the process: the name of a rule, a direction.
std::string_view kept_text(std::string text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard guard(mutex);
  return *texts.insert(std::move(text)).first;
}

/// Returns a number that any change of one byte changes (FNV-1a).
uint64_t digest(std::string_view bytes) {
  uint64_t sum = 0xCBF29CE484222325;
  for (const char byte : bytes) sum = (sum ^ static_cast<uint8_t>(byte)) * 0x100000001B3;
  return sum;
}

/// Returns true if an enumeration has an enumerator of this value: the compiler writes a cast of
/// the number otherwise.
template <auto kValue>
constexpr bool is_enumerator() {
  return std::string_view(__PRETTY_FUNCTION__).find("= (") == std::string_view::npos;
}

template <typename T>
constexpr auto kEnumerators = []<size_t... kValues>(std::index_sequence<kValues...>) {
  return std::array<bool, sizeof...(kValues)>{is_enumerator<static_cast<T>(kValues)>()...};
}
(std::make_index_sequence<256>());

/// Returns the name of a type.
template <typename T>
constexpr std::string_view name_of() {
  constexpr std::string_view kMark = "T = ";
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find(kMark) + kMark.size());
  return name.substr(0, name.find_first_of(";]"));
}

/// Reads what a Writer wrote. `read_report` has compared the digest. Enumerators are checked, since
/// switches and tables have no place for others.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  /// Throws Error (Input) unless the bytes end with the digest of the others, and skips it.
  void check_digest() {
    uint64_t written = 0;
    if (bytes_.size() < sizeof written) fail();
    std::memcpy(&written, bytes_.data() + bytes_.size() - sizeof written, sizeof written);
    bytes_.remove_suffix(sizeof written);
    if (written != digest(bytes_)) fail();
  }
  /// Throws Error (Input) for bytes that are left.
  void finish() const {
    if (!bytes_.empty()) fail();
  }
  /// Returns what the pointers that were read point to.
  std::shared_ptr<const void> owner() const {
    return std::make_shared<std::vector<std::shared_ptr<const void>>>(owned_);
  }

  template <typename T>
  requires is_number<T>
  void get(T& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  template <typename T>
  requires std::is_enum_v<T>
  void get(T& value) {
    static_assert(sizeof value == 1);
    const auto number = static_cast<uint8_t>(take(1).front());
    if (!kEnumerators<T>[number]) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected a report that xwalk pickled, found {} as {}", number,
                              name_of<T>()));
    }
    value = static_cast<T>(number);
  }
  void get(bool& value) { value = take(1).front() != 0; }
  void get(std::string& text) {
    size_t size = 0;
    get(size);
    text = take(size);
  }
  void get(std::string_view& text) { text = kept_text(read<std::string>()); }
  void get(System& system) { system = crosswalk::system_of_word(read<std::string>()); }
  void get(hub::Schema& schema) { schema = arrow::read_ipc_schema(read<std::string>()); }
  void get(Path& path) {
    path = {};
    for (auto left = read<size_t>(); left > 0; --left) path = path.below(read<Path::Step>());
  }
  template <typename T>
  void get(std::optional<T>& value) {
    value.reset();
    if (read<bool>()) value = read<T>();
  }
  template <typename T>
  void get(const T*& value) {
    value = nullptr;
    if (!read<bool>()) return;
    auto held = std::make_shared<T>(read<T>());
    value = held.get();
    owned_.push_back(std::move(held));
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& value) {
    get(value.first);
    get(value.second);
  }
  template <typename T>
  void get(std::vector<T>& values) {
    values.clear();
    for (auto left = read<size_t>(); left > 0; --left) values.push_back(read<T>());
  }
  void get(hub::Renames& values) {
    values.clear();
    for (auto left = read<size_t>(); left > 0; --left) {
      auto path = read<std::string>();
      values.emplace(std::move(path), read<std::vector<hub::Rename>>());
    }
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    const auto index = read<size_t>();
    size_t at = 0;
    ((at++ == index ? void(value = read<T>()) : void()), ...);
    if (index >= sizeof...(T)) fail();
  }
  template <typename T>
  requires requires(T& value) { members(value, &value); }
  void get(T& value) {
    std::apply([&](auto&... member) { (get(member), ...); }, members(value, &value));
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(ErrorCode::Input, "expected a report that xwalk " XWALK_VERSION
                                  " pickled, found damaged bytes or those of another version");
  }
  std::string_view take(size_t size) {
    if (size > bytes_.size()) fail();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  template <typename T>
  T read() {
    T value = fresh<T>();
    get(value);
    return value;
  }

  std::string_view bytes_;
  std::vector<std::shared_ptr<const void>> owned_;
};

}  // namespace

std::string write_report(const Report& report) {
  Writer out;
  out.put(std::string_view(XWALK_VERSION));
  out.put(report.found());
  std::string bytes = out.take();
  const uint64_t sum = digest(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

Report read_report(std::string_view bytes) {
  Reader in(bytes);
  in.check_digest();
  std::string version;
  in.get(version);
  if (version != XWALK_VERSION) {
    throw Error(ErrorCode::Input, fmt::format("expected a report that xwalk " XWALK_VERSION
                                              " pickled, found one of {}",
                                              version));
  }
  Report::Found found;
  in.get(found);
  in.finish();
  return {std::move(found), {.owner = in.owner()}};
}

}  // namespace xwalk::python
