#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/endian.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/scalar_codec.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/value_options.h"

// What a table schema is compiled to: a tree of steps, one per value, that decoder and encoder walk
// with one switch each. Everything that depends on the schema or the options alone is decided here.
namespace xwalk::yt {

/// What to do with one value. Integers are named by their YSON token. The step has their range, and
/// their size in Arrow.
enum class Op : uint8_t {
  Signed,
  Unsigned,
  Float,
  Double,
  Bool,
  Null,
  Yson,
  String,
  Utf8,
  Json,
  Coded,  ///< a string that Arrow has in another form: uuid, decimal, a time as text or with a zone
  Nested,  ///< a value of other values
  Skip,    ///< a column that is not projected
};

inline bool is_integer(Op op) { return op <= Op::Unsigned; }
/// Returns true for values whose bytes are those of a string in Arrow.
inline bool is_text(Op op) { return op >= Op::Yson && op <= Op::Json; }

/// The bytes in front of a value, `"name"=` and the like, made for one compare of at most 16 bytes.
struct KeyForm {
  std::string bytes;
  std::array<uint64_t, 2> halves{};
  std::array<uint64_t, 2> mask{};

  KeyForm() = default;
  explicit KeyForm(std::string key);

  /// Returns true if the bytes at `p` match. At least kWindow bytes must be readable there.
  bool matches(const char* p) const {
    uint64_t a;
    uint64_t b;
    std::memcpy(&a, p, 8);
    std::memcpy(&b, p + 8, 8);
    if ((((a ^ halves[0]) & mask[0]) | ((b ^ halves[1]) & mask[1])) != 0) return false;
    return bytes.size() <= 16 || rest_matches(p);
  }
  /// The same for the bytes after the first 16.
  bool rest_matches(const char* p) const {
    return bytes.size() <= kWindow &&
           std::memcmp(p + 16, bytes.data() + 16, bytes.size() - 16) == 0;
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
  /// Finds the member whose key form, text or binary, is at `p`. At least KeyForm::kWindow bytes
  /// must be readable there. Keys in another form (bare, escaped, long, spaced) are not found.
  uint32_t find_form(const char* p) const {
    if (slots_.empty()) return kMissing;
    const KeyForm* forms = nullptr;
    size_t size = 0;
    if (*p == yson::marker::kString) {
      auto length = static_cast<unsigned char>(p[1]);
      if (length >= 0x40) return kMissing;
      forms = binary_.data();
      size = length / 2;
      p += 2;
    } else if (*p == '"') {
      forms = text_.data();
      ++p;
      while (size < 32) {
        constexpr uint64_t kOnes = 0x0101010101010101;
        uint64_t word = load_little_endian<uint64_t>(p + size) ^ (kOnes * '"');
        uint64_t found = (word - kOnes) & ~word & (kOnes << 7);
        if (found != 0) {
          size += static_cast<size_t>(std::countr_zero(found)) / 8;
          break;
        }
        size += 8;
      }
    } else {
      return kMissing;
    }
    const char* form = p - (forms == binary_.data() ? 2 : 1);
    for (size_t at = hash_window(p, size) & mask_;; at = (at + 1) & mask_) {
      uint32_t index = slots_[at];
      if (index == kMissing || forms[index].matches(form)) return index;
    }
  }
  size_t size() const { return names_.size(); }
  const std::string& name(size_t index) const { return names_[index]; }
  /// Forms of the key of each member, and at the end one that never matches.
  const KeyForm* binary() const { return binary_.data(); }
  const KeyForm* text() const { return text_.data(); }

 private:
  /// Fills the slots. Returns how many names are not in their first slot.
  size_t place();
  size_t mix(uint64_t first, uint64_t last, size_t size) const {
    uint64_t mixed = (first ^ (last << 1) ^ size) * factor_;
    return static_cast<size_t>(mixed >> 32);
  }
  /// Hashes a name with at least 8 bytes to read at it.
  size_t hash_window(const char* name, size_t size) const {
    uint64_t first = load_little_endian<uint64_t>(name);
    if (size >= 8) return mix(first, load_little_endian<uint64_t>(name + size - 8), size);
    return mix(first & ((uint64_t{1} << (8 * size)) - 1), 0, size);
  }
  size_t hash(std::string_view name) const {
    if (name.size() >= 8) return hash_window(name.data(), name.size());
    char padded[8] = {};
    std::copy(name.begin(), name.end(), padded);
    return hash_window(padded, name.size());
  }

  std::vector<std::string> names_;
  std::vector<uint32_t> slots_;
  size_t mask_ = 0;
  /// Odd, and such that few names collide: a branch on that is not foreseen where keys are
  /// shuffled.
  uint64_t factor_ = 0x9E3779B97F4A7C15u;
  std::vector<KeyForm> binary_;
  std::vector<KeyForm> text_;
};

struct Step {
  Op op = Op::Null;
  /// Nested: of which values.
  Nesting nesting = Nesting::Scalar;
  /// Structs and variants: members are named, and not numbered. Dicts: a map, and not a list of
  /// pairs.
  bool named = false;
  /// Variants: a dense union, and not a struct with one nullable field for each alternative.
  bool is_union = false;
  /// `#` is a null of the array itself. The value may also be absent, by name or at the end of a
  /// positional struct.
  bool nullable = false;
  /// Boxes: the value is in brackets.
  bool brackets = false;
  /// Dicts: the array is a list of structs of key and value, since keys may be null.
  bool pairs = false;
  /// Integers: the least value, and how many more there are.
  uint64_t min = 0;
  uint64_t span = 0;
  ScalarCodec scalar;
  /// The type, without optional and tags around it; for messages and rare steps.
  Type type;
  std::vector<Step> children;
  /// Members of structs and variants.
  KeyTable keys;

  bool in_range(int64_t value) const { return static_cast<uint64_t>(value) - min <= span; }
  bool in_range(uint64_t value) const { return value <= span; }
};

/// Appends the steps from a dict to the key or the value of an entry, the innermost first, as in
/// the Arrow schema.
void unwind_entry(const Step& dict, bool key, size_t index, std::vector<Path::Step>* path);
/// Appends the step from a variant to an alternative in the same way.
void unwind_alternative(const Step& variant, size_t index, std::vector<Path::Step>* path);
/// Makes the path of steps that a failure unwound.
Path unwound_path(const std::vector<Path::Step>& steps);

/// Compiles one value.
Step compile_value(const Shape& shape, const ValueOptions& options);

/// A whole row: the step of a named struct with one child per column of the table schema (Skip if
/// it is not projected), and the indices of the columns in the Arrow schema.
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

/// Compiles a table schema; `columns` are the projected ones, empty for all. Columns of `any` in
/// `variants` are VARIANT in Arrow. Throws Error (Usage) for a name that is not a column.
RowProgram compile_row(const TableSchema& schema, const ValueOptions& options,
                       const std::vector<std::string>& columns = {},
                       const std::vector<std::string>& variants = {});

}  // namespace xwalk::yt
