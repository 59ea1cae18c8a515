#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

// What a table schema is compiled to: a tree of steps, one a value, that decoder and encoder walk
// with one switch each. Everything that depends on the schema or the options alone is decided here.
namespace xwalk::yt {

/// What to do with one value. Integers are named by the token they are in YSON and the bytes they
/// take in Arrow; their range stands in the step.
enum class Op : uint8_t {
  Signed8,
  Signed16,
  Signed32,
  Signed64,
  Unsigned8,
  Unsigned16,
  Unsigned32,
  Unsigned64,
  Float,
  Double,
  Bool,
  Null,
  String,
  Utf8,
  Json,
  Yson,
  Uuid,
  DateText,
  DatetimeText,
  TimestampText,
  Decimal,
  Tz,
  List,
  Struct,  ///< by name
  PositionalStruct,
  Tuple,
  Variant,       ///< a dense union, alternatives by index
  NamedVariant,  ///< a dense union, alternatives by name
  WideVariant,   ///< a struct with one nullable field an alternative
  NamedWideVariant,
  Dict,       ///< a list of pairs
  NamedDict,  ///< a map
  Boxed,      ///< struct<value>: a nullable value below an optional, in brackets or not
  Skip,       ///< a column that is not projected
};

/// The bytes in front of a value, `"name"=` and the like, made for one compare of at most 16 bytes.
struct KeyForm {
  std::string bytes;
  std::array<uint64_t, 2> words{};
  std::array<uint64_t, 2> mask{};

  KeyForm() = default;
  explicit KeyForm(std::string key);

  /// Returns true if the bytes stand at `p`; at least kWindow bytes must be readable there.
  bool matches(const char* p) const {
    uint64_t a;
    uint64_t b;
    std::memcpy(&a, p, 8);
    std::memcpy(&b, p + 8, 8);
    if ((((a ^ words[0]) & mask[0]) | ((b ^ words[1]) & mask[1])) != 0) return false;
    return bytes.size() <= 16 || (bytes.size() <= kWindow &&
                                  std::memcmp(p + 16, bytes.data() + 16, bytes.size() - 16) == 0);
  }
  static constexpr size_t kWindow = 64;
};

/// Finds the member of a name. Built once, read by all threads.
class KeyTable {
 public:
  KeyTable() = default;
  explicit KeyTable(const std::vector<std::string>& names);

  static constexpr uint32_t kMissing = UINT32_MAX;
  uint32_t find(std::string_view name) const {
    if (slots_.empty()) return kMissing;
    for (size_t at = hash(name) & mask_;; at = (at + 1) & mask_) {
      uint32_t index = slots_[at];
      if (index == kMissing || names_[index] == name) return index;
    }
  }
  size_t size() const { return names_.size(); }
  const std::string& name(size_t index) const { return names_[index]; }
  /// Forms of the key of each member, and at the end one that never matches.
  const KeyForm* binary() const { return binary_.data(); }
  const KeyForm* text() const { return text_.data(); }

 private:
  static size_t hash(std::string_view name) {
    uint64_t first = 0;
    uint64_t last = 0;
    size_t head = name.size() < 8 ? name.size() : 8;
    if (head == 8) {
      std::memcpy(&first, name.data(), 8);
      std::memcpy(&last, name.data() + name.size() - 8, 8);
    } else {
      for (size_t i = 0; i < head; ++i) {
        first = (first << 8) | static_cast<unsigned char>(name[i]);
      }
    }
    uint64_t mixed = (first ^ (last << 1) ^ name.size()) * 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(mixed >> 32);
  }

  std::vector<std::string> names_;
  std::vector<uint32_t> slots_;
  size_t mask_ = 0;
  std::vector<KeyForm> binary_;
  std::vector<KeyForm> text_;
};

struct Step {
  Op op = Op::Null;
  /// `#` is a null of the array itself.
  bool nullable = false;
  /// Boxed: the value stands in brackets.
  bool brackets = false;
  /// The type holds `#` (optional, null, void, tagged of those): may be absent, by name or at the
  /// end of a positional struct.
  bool may_be_absent = false;
  DecimalMode decimal_mode = DecimalMode::Binary;
  DecimalSpecial decimal_special = DecimalSpecial::Error;
  UuidMode uuid_mode = UuidMode::Binary;
  UuidOrder uuid_order = UuidOrder::Rfc;
  /// Integers: the least value, and how many more there are.
  uint64_t min = 0;
  uint64_t span = 0;
  /// The type, without optional and tags around it; for messages and rare steps.
  Type type;
  /// Arrow bytes of a fixed-width value.
  int width = 0;
  std::vector<Step> children;
  /// Members of structs and variants.
  KeyTable keys;

  bool in_range(int64_t value) const { return static_cast<uint64_t>(value) - min <= span; }
  bool in_range(uint64_t value) const { return value <= span; }
};

/// Compiles one value of a type whose Arrow field is `field`, as `to_arrow` makes it.
Step compile_value(const Type& type, const hub::Field& field, const ValueOptions& options);

/// A whole row: a step of Op::Struct with one child a column of the table schema (Skip where it is
/// not projected), and where the columns stand in the Arrow schema.
struct RowProgram {
  Step row;
  hub::Schema schema;
  /// For each column of the table schema, its column in the Arrow schema, or -1.
  std::vector<int> targets;
  /// Index of the column of undescribed columns in the Arrow schema, or -1.
  int other_columns = -1;
  bool strict = true;
  bool in_order = true;
  /// Bytes that the fixed-width buffers of one row take in Arrow.
  size_t fixed_row_bytes = 0;
};

/// Compiles a table schema; `columns` are the projected ones, empty for all. Throws Error (Usage)
/// for a name that is no column.
RowProgram compile_row(const TableSchema& schema, const ValueOptions& options,
                       const std::vector<std::string>& columns = {});

}  // namespace xwalk::yt
