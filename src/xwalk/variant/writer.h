#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/endian.h"
#include "xwalk/base/int128.h"
#include "xwalk/variant/fault.h"
#include "xwalk/variant/kinds.h"
#include "xwalk/yson/writer.h"

namespace xwalk::variant {

/// Finds the number of a field name. Keeps names from value to value, up to a limit, so that the
/// names of similar values are hashed and compared, and not copied.
class KeyTable {
 public:
  /// Forgets which names the value before used.
  void start();
  /// Returns the number of a name in this table. Similar values have their names in the same order,
  /// so the name after the last one is compared first.
  uint32_t find(std::string_view name);
  /// Returns the number of the name that YSON text has before its `=`, if that name was the next
  /// one in a similar value, and its size; else no size.
  std::pair<uint32_t, size_t> find_expected(const char* p, const char* end);
  /// Returns true if a name is UTF-8.
  bool is_text(uint32_t key) const { return keys_[key].is_text; }
  /// Says that the current value uses a name, by its number of the same epoch.
  void use(uint32_t key) {
    Key& used = keys_[key];
    if (used.generation == generation_) return;
    used.generation = generation_;
    used.id = static_cast<uint32_t>(used_.size());
    used_.push_back(key);
  }
  std::string_view name(uint32_t key) const {
    return {names_.data() + keys_[key].offset, keys_[key].size};
  }
  /// Returns the field id of a name in the current value: names are numbered in the order of
  /// `find`.
  uint32_t id(uint32_t key) const { return keys_[key].id; }
  /// Returns true if the name of `a` is before that of `b`.
  bool before(uint32_t a, uint32_t b) const {
    if (keys_[a].prefix != keys_[b].prefix) return keys_[a].prefix < keys_[b].prefix;
    return name(a) < name(b);
  }
  /// Bytes of the tables of the last object or list that was the value of a field of this name.
  uint16_t& tables(uint32_t key) { return keys_[key].tables; }
  /// The names of the current value, in the order of their ids.
  const std::vector<uint32_t>& used() const { return used_; }
  /// Returns how often all names were forgotten, and with them what the numbers mean, counted from
  /// one.
  uint32_t epoch() const { return epoch_; }

 private:
  /// Two, since a field that only some values have makes two orders.
  using Next = std::array<uint32_t, 2>;
  struct Key {
    size_t offset;
    size_t size;
    size_t hash;
    /// The first eight bytes as a number that orders as they do, filled up with zeros.
    uint64_t prefix;
    uint32_t id;
    /// The value that used it last.
    uint32_t generation;
    /// The numbers plus one of the keys that were found after this one; 0 if none.
    Next next;
    uint16_t tables;
    bool is_text;
    /// YSON text may have the name without quotes.
    bool is_word;
  };

  Next& expected() { return last_ == 0 ? first_ : keys_[last_ - 1].next; }
  void found(uint32_t key) {
    last_ = key + 1;
    use(key);
  }
  bool is_name_of(const Key& key, std::string_view name, uint64_t prefix) const;
  uint32_t find_by_hash(std::string_view name);
  void grow();

  std::vector<Key> keys_;
  /// Numbers of keys plus one by their hash; 0 is free.
  std::vector<uint32_t> slots_;
  std::string names_;
  std::vector<uint32_t> used_;
  /// As Key::next: the key of the value's beginning, and the last one that was found.
  Next first_{};
  uint32_t last_ = 0;
  uint32_t generation_ = 0;
  uint32_t epoch_ = 1;
};

/// A name of fields that is written again and again, and its number in the writer's table.
struct FieldName {
  std::string_view text;
  uint32_t key = 0;
  uint32_t epoch = 0;
};

/// A sink of yson::Walker and of Walker that writes a VARIANT. Integers have the fewest bytes;
/// unsigned integers of YSON are decimals of scale 0; a string that is not UTF-8 is binary. Values
/// keep their order in an object, and its tables have the order of the names.
/// Nothing is allocated per value once its buffers have grown.
class Writer {
 public:
  /// Begins a value, which is appended to `out`.
  void start(yson::Buffer* out);
  /// Ends the value and appends its metadata. To be called if `fault()` is None.
  void finish(yson::Buffer* metadata) { metadata->append(finish()); }
  /// Ends the value and returns its metadata, which is kept until the next value ends.
  std::string_view finish();
  Fault fault() const { return fault_; }

  void begin(char bracket);
  void end(char bracket, bool any);
  void attributed() {}
  void item(bool /*first*/) {
    const size_t offset = out_->size() - frames_.back().start;
    if (offset > kMaxBytes) refuse(Fault::TooLarge);
    entries_.push_back({0, static_cast<uint32_t>(offset)});
  }
  static void item_end() {}
  void key(std::string_view name);
  /// Takes the key of YSON text at `p` and its `=` if it is the one that similar values have here.
  /// Returns its bytes, or 0.
  size_t known_key(const char* p, const char* end) {
    const auto [key, size] = keys_.find_expected(p, end);
    if (size != 0) entries_.back().key = key;
    return size == 0 ? 0 : size + 1;
  }
  /// The same for a name that is looked up once.
  void key(FieldName* name);
  /// Returns how many fields the open object has.
  size_t fields() const { return entries_.size() - frames_.back().first; }
  /// Returns the name of a field of the open object, by its place.
  std::string_view field(size_t place) const {
    return keys_.name(entries_[frames_.back().first + place].key);
  }

  void entity() { out_->append(first_byte(Primitive::Null)); }
  void boolean(bool value) { out_->append(first_byte(value ? Primitive::True : Primitive::False)); }
  void int64(int64_t value);
  void uint64(uint64_t value) { decimal(static_cast<Int128>(value), 0); }
  void real(double value) { fixed(Primitive::Double, std::bit_cast<uint64_t>(value)); }
  void real32(float value) { fixed(Primitive::Float, std::bit_cast<uint32_t>(value)); }
  /// A string of bytes that may be anything.
  void string(std::string_view bytes);
  void text(std::string_view bytes);
  void bytes(std::string_view bytes) { sized(Primitive::Binary, bytes); }
  /// At most 38 digits.
  void decimal(Int128 unscaled, int scale);
  void date(int32_t days) { fixed(Primitive::Date, days); }
  void time(int64_t micros) { fixed(Primitive::Time, micros); }
  void timestamp(int64_t ticks, int digits, bool utc);
  void uuid(std::string_view bytes);

 private:
  struct Entry {
    uint32_t key;
    uint32_t offset;
  };
  /// An open object or list: where its values begin, and its entries.
  struct Frame {
    size_t start;
    size_t first;
    /// Bytes left free for the tables, which go before the values.
    uint16_t tables;
    /// Bytes of the tables of the last item of a list.
    uint16_t item_tables;
    bool list;
  };
  /// The names of an object in the order of its values, and the places of the sorted fields among
  /// them.
  struct Shape {
    static constexpr size_t kMostFields = 64;
    /// 0 if this is free.
    uint32_t count = 0;
    uint32_t epoch = 0;
    bool sorted = false;
    std::array<uint8_t, kMostFields> order;
    std::array<uint32_t, kMostFields> keys;
  };

  /// Metadata that was written, and its names.
  struct Dictionary {
    std::string bytes;
    std::vector<uint32_t> names;
    uint32_t epoch = 0;
  };
  void write(Dictionary* dictionary) const;

  void refuse(Fault fault) {
    if (fault_ == Fault::None) fault_ = fault;
  }
  template <typename T>
  void fixed(Primitive type, T value) {
    char* out = out_->reserve(1 + sizeof(T));
    *out = first_byte(type);
    store_little_endian(value, out + 1);
    out_->set_end(out + 1 + sizeof(T));
  }
  void sized(Primitive type, std::string_view bytes);
  /// Puts the entries from `first` on in the order of their names.
  void sort_fields(size_t first);
  void sort_many_fields(Entry* begin, Entry* end);
  /// Returns the shape of an object of 1 to `Shape::kMostFields` fields, or null if it repeats one.
  const Shape* shape_of(const Entry* fields, size_t count);
  /// Returns how many bytes the tables had when the value that begins or ends here was last
  /// written.
  uint16_t& tables_before() {
    if (frames_.empty()) return tables_;
    Frame& parent = frames_.back();
    return parent.list ? parent.item_tables : keys_.tables(entries_.back().key);
  }

  yson::Buffer* out_ = nullptr;
  KeyTable keys_;
  std::vector<Frame> frames_;
  std::vector<Entry> entries_;
  /// Shapes by a hash of their names. Similar values have few of them.
  std::vector<Shape> shapes_;
  uint16_t tables_ = 0;
  Fault fault_ = Fault::None;
  /// Metadata by a hash of their names. Similar values have few of them.
  std::vector<Dictionary> dictionaries_;
};

}  // namespace xwalk::variant
