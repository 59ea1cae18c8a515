#include "xwalk/variant/writer.h"

#include <algorithm>
#include <array>
#include <functional>

#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"

namespace xwalk::variant {
namespace {

/// Names and their bytes that are kept from value to value; more than that are forgotten.
constexpr size_t kMostKeptKeys = size_t{1} << 16;
constexpr size_t kMostKeptBytes = size_t{4} << 20;
constexpr size_t kFirstSlots = 64;
constexpr size_t kShapes = 64;
constexpr size_t kDictionaries = 16;
/// Larger metadata shares one place.
constexpr size_t kMostKeptNames = 1024;
constexpr size_t kMostKeptDictionary = size_t{64} << 10;
/// Tables of more bytes get no space in advance: deep values would reserve it at each level.
constexpr size_t kMostTablesAhead = 4096;

constexpr Int128 kDecimal4Limit = power_of_ten(9);
constexpr Int128 kDecimal8Limit = power_of_ten(18);

/// Loads the first eight bytes, filled up with zeros.
uint64_t first_word(std::string_view bytes) {
  const char* p = bytes.data();
  const size_t size = bytes.size();
  if (size >= 8) return load_little_endian<uint64_t>(p);
  if (size >= 4) {
    const uint64_t last = load_little_endian<uint32_t>(p + size - 4);
    return load_little_endian<uint32_t>(p) | last << (8 * (size - 4));
  }
  uint64_t word = 0;
  for (size_t i = size; i-- > 0;) word = word << 8 | static_cast<unsigned char>(p[i]);
  return word;
}

/// Returns a number that orders as the first eight bytes do.
uint64_t prefix_of(std::string_view name) { return __builtin_bswap64(first_word(name)); }

/// Returns the fewest bytes for an unsigned integer.
int width_of(size_t value) {
  return value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
}

/// Writes the lowest bytes of an integer, into space for four.
char* write_unsigned(char* out, size_t value, int width) {
  store_little_endian(static_cast<uint32_t>(value), out);
  return out + width;
}
constexpr size_t kSpare = 4;

bool is_text(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  uint64_t high = 0;
  for (; end - p >= 8; p += 8) high |= load_little_endian<uint64_t>(p);
  high |= first_word({p, end});
  return (high & 0x8080808080808080) == 0 || is_valid_utf8(bytes);
}

bool is_word(std::string_view name) {
  const char* p = name.data();
  return !name.empty() && yson::is_word_start(*p) && yson::read_word(p, p + name.size()) == name;
}

}  // namespace

void KeyTable::start() {
  used_.clear();
  last_ = 0;
  if (keys_.size() > kMostKeptKeys || names_.size() > kMostKeptBytes || generation_ == UINT32_MAX) {
    keys_.clear();
    slots_.clear();
    names_.clear();
    first_ = {};
    generation_ = 0;
    ++epoch_;
  }
  ++generation_;
}

bool KeyTable::is_name_of(const Key& key, std::string_view name, uint64_t prefix) const {
  if (key.size != name.size() || key.prefix != prefix) return false;
  return key.size <= 8 ||
         std::memcmp(names_.data() + key.offset + 8, name.data() + 8, key.size - 8) == 0;
}

std::pair<uint32_t, size_t> KeyTable::find_expected(const char* p, const char* end) {
  if (end - p < 8) return {};
  const uint64_t prefix = __builtin_bswap64(load_little_endian<uint64_t>(p));
  for (const uint32_t next : expected()) {
    if (next == 0) break;
    const Key& key = keys_[next - 1];
    if (!key.is_word || static_cast<size_t>(end - p) <= key.size || p[key.size] != '=') continue;
    const size_t rest = key.size < 8 ? 8 * (8 - key.size) : 0;
    if (prefix >> rest << rest != key.prefix) continue;
    if (key.size > 8 && std::memcmp(names_.data() + key.offset + 8, p + 8, key.size - 8) != 0) {
      continue;
    }
    found(next - 1);
    return {next - 1, key.size};
  }
  return {};
}

uint32_t KeyTable::find(std::string_view name) {
  const uint64_t prefix = prefix_of(name);
  for (const uint32_t next : expected()) {
    if (next == 0) break;
    if (!is_name_of(keys_[next - 1], name, prefix)) continue;
    found(next - 1);
    return next - 1;
  }
  const uint32_t number = find_by_hash(name);
  Next& next = expected();
  next = {number + 1, next[0]};
  last_ = number + 1;
  return number;
}

uint32_t KeyTable::find_by_hash(std::string_view name) {
  if (keys_.size() * 2 >= slots_.size()) grow();
  const size_t hash = std::hash<std::string_view>()(name);
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const uint32_t number = slots_[slot] - 1;
    const Key& key = keys_[number];
    if (key.hash != hash || this->name(number) != name) continue;
    use(number);
    return number;
  }
  const auto number = static_cast<uint32_t>(keys_.size());
  keys_.push_back({.offset = names_.size(),
                   .size = name.size(),
                   .hash = hash,
                   .prefix = prefix_of(name),
                   .id = static_cast<uint32_t>(used_.size()),
                   .generation = generation_,
                   .next = {},
                   .tables = 0,
                   .is_text = variant::is_text(name),
                   .is_word = is_word(name)});
  names_ += name;
  used_.push_back(number);
  slots_[slot] = number + 1;
  return number;
}

void KeyTable::grow() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < keys_.size(); ++i) {
    size_t slot = keys_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

void Writer::start(yson::Buffer* out) {
  out_ = out;
  fault_ = Fault::None;
  frames_.clear();
  entries_.clear();
  keys_.start();
}

std::string_view Writer::finish() {
  if (dictionaries_.empty()) dictionaries_.resize(kDictionaries);
  const std::vector<uint32_t>& used = keys_.used();
  uint32_t hash = 0;
  if (used.size() <= kMostKeptNames) {
    for (const uint32_t key : used) hash = std::rotl(hash, 5) ^ key;
  }
  Dictionary& kept = dictionaries_[(hash ^ hash >> 12) % kDictionaries];
  for (const Dictionary* known : {&kept, &dictionaries_[0]}) {
    if (known->epoch == keys_.epoch() && known->names == used) return known->bytes;
  }
  write(&kept);
  if (kept.bytes.size() <= kMostKeptDictionary) return kept.bytes;
  std::swap(dictionaries_[0], kept);
  if (&kept != dictionaries_.data()) kept = {};
  return dictionaries_[0].bytes;
}

void Writer::write(Dictionary* dictionary) const {
  const std::vector<uint32_t>& used = keys_.used();
  size_t bytes = 0;
  bool sorted = true;
  for (size_t i = 0; i < used.size(); ++i) {
    bytes += keys_.name(used[i]).size();
    sorted = sorted && (i == 0 || keys_.before(used[i - 1], used[i]));
  }
  const int width = width_of(std::max(bytes, used.size()));
  std::string& metadata = dictionary->bytes;
  // guard(allocate): As long as the names, which are in memory, and a number for each.
  metadata.resize(1 + (used.size() + 2) * static_cast<size_t>(width) + bytes + kSpare);
  char* out = metadata.data();
  *out++ = static_cast<char>(1 | (sorted ? 0x10 : 0) | (width - 1) << 6);
  out = write_unsigned(out, used.size(), width);
  size_t offset = 0;
  out = write_unsigned(out, offset, width);
  for (const uint32_t key : used) {
    offset += keys_.name(key).size();
    out = write_unsigned(out, offset, width);
  }
  for (const uint32_t key : used) out = std::ranges::copy(keys_.name(key), out).out;
  metadata.resize(metadata.size() - kSpare);
  dictionary->names = used;
  dictionary->epoch = keys_.epoch();
}

void Writer::begin(char bracket) {
  if (bracket == '<') refuse(Fault::Attributes);
  const uint16_t tables = tables_before();
  // guard(allocate): A guess of at most as many bytes as the last object of this depth had, with a
  // limit.
  out_->set_end(out_->reserve(tables) + tables);
  frames_.push_back({out_->size(), entries_.size(), tables, 0, bracket == '['});
}

void Writer::key(std::string_view name) {
  const uint32_t key = keys_.find(name);
  if (!keys_.is_text(key)) refuse(Fault::NotText);
  entries_.back().key = key;
}

void Writer::key(FieldName* name) {
  if (name->epoch == keys_.epoch()) {
    keys_.use(name->key);
  } else {
    if (!is_text(name->text)) return key(name->text);
    name->key = keys_.find(name->text);
    name->epoch = keys_.epoch();
  }
  entries_.back().key = name->key;
}

void Writer::sort_many_fields(Entry* begin, Entry* end) {
  const auto before = [this](const Entry& a, const Entry& b) { return keys_.before(a.key, b.key); };
  if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
  const auto same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
  if (std::adjacent_find(begin, end, same) != end) refuse(Fault::RepeatedKey);
}

const Writer::Shape* Writer::shape_of(const Entry* fields, size_t count) {
  if (shapes_.empty()) shapes_.resize(kShapes);
  uint32_t hash = 0;
  for (size_t i = 0; i < count; ++i) hash = std::rotl(hash, 5) ^ fields[i].key;
  Shape& shape = shapes_[(hash ^ hash >> 12) % kShapes];
  bool same = shape.count == count && shape.epoch == keys_.epoch();
  for (size_t i = 0; same && i < count; ++i) same = shape.keys[i] == fields[i].key;
  if (same) return &shape;
  shape.count = 0;
  for (size_t i = 0; i < count; ++i) {
    shape.keys[i] = fields[i].key;
    shape.order[i] = static_cast<uint8_t>(i);
  }
  uint8_t* const order = shape.order.data();
  const auto before = [&](uint8_t a, uint8_t b) {
    return keys_.before(shape.keys[a], shape.keys[b]);
  };
  shape.sorted = std::is_sorted(order, order + count, before);
  if (!shape.sorted) std::sort(order, order + count, before);
  for (size_t i = 1; i < count; ++i) {
    if (shape.keys[order[i - 1]] == shape.keys[order[i]]) return nullptr;
  }
  shape.count = static_cast<uint32_t>(count);
  shape.epoch = keys_.epoch();
  return &shape;
}

void Writer::sort_fields(size_t first) {
  const size_t count = entries_.size() - first;
  if (count < 2) return;
  Entry* const fields = entries_.data() + first;
  if (count > Shape::kMostFields) return sort_many_fields(fields, fields + count);
  const Shape* const shape = shape_of(fields, count);
  if (shape == nullptr) return refuse(Fault::RepeatedKey);
  if (shape->sorted) return;
  std::array<Entry, Shape::kMostFields> unsorted;
  std::copy_n(fields, count, unsorted.begin());
  for (size_t i = 0; i < count; ++i) fields[i] = unsorted[shape->order[i]];
}

void Writer::end(char bracket, bool /*any*/) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const bool object = bracket != ']';
  if (object) sort_fields(frame.first);
  const size_t count = entries_.size() - frame.first;
  const size_t size = out_->size() - frame.start;
  if (size > kMaxBytes) refuse(Fault::TooLarge);
  const int offset_width = width_of(size);
  size_t most_id = 0;
  if (object) {
    for (size_t i = frame.first; i < entries_.size(); ++i) {
      most_id = std::max<size_t>(most_id, keys_.id(entries_[i].key));
    }
  }
  const int id_width = object ? width_of(most_id) : 0;
  const bool large = count > 0xFF;
  const size_t tables = 1 + (large ? 4 : 1) + count * static_cast<size_t>(id_width) +
                        (count + 1) * static_cast<size_t>(offset_width);
  // The tables go before the values, which are written already.
  // guard(allocate): Two numbers for each entry, which are in memory.
  char* out = out_->reserve(tables + kSpare) - size - frame.tables;
  char* const values = out + tables;
  if (tables != frame.tables) std::memmove(values, out + frame.tables, size);
  // The last table entry may be written with bytes that belong to the first value.
  const auto first_bytes = load_little_endian<uint32_t>(values);
  if (object) {
    *out++ =
        first_byte(BasicType::Object, (large ? 16 : 0) | (id_width - 1) << 2 | (offset_width - 1));
  } else {
    *out++ = first_byte(BasicType::Array, (large ? 4 : 0) | (offset_width - 1));
  }
  out = write_unsigned(out, count, large ? 4 : 1);
  if (object) {
    for (size_t i = frame.first; i < entries_.size(); ++i) {
      out = write_unsigned(out, keys_.id(entries_[i].key), id_width);
    }
  }
  for (size_t i = frame.first; i < entries_.size(); ++i) {
    out = write_unsigned(out, entries_[i].offset, offset_width);
  }
  write_unsigned(out, size, offset_width);
  store_little_endian(first_bytes, values);
  out_->set_end(values + size);
  // guard(allocate): A list is shortened.
  entries_.resize(frame.first);
  tables_before() = static_cast<uint16_t>(tables <= kMostTablesAhead ? tables : 0);
}

void Writer::int64(int64_t value) {
  char* out = out_->reserve(1 + sizeof(value));
  // 8, 16, 32 and 64 bits are numbered 0 to 3.
  const auto width = std::bit_width(static_cast<uint64_t>(value < 0 ? ~value : value)) + 1;
  const int step = width <= 8 ? 0 : width <= 16 ? 1 : width <= 32 ? 2 : 3;
  *out = first_byte(BasicType::Primitive, static_cast<int>(Primitive::Int8) + step);
  store_little_endian(value, out + 1);
  out_->set_end(out + 1 + (1 << step));
}

void Writer::string(std::string_view bytes) {
  if (is_text(bytes)) return text(bytes);
  sized(Primitive::Binary, bytes);
}

void Writer::text(std::string_view bytes) {
  if (bytes.size() > kShortString) return sized(Primitive::String, bytes);
  char* out = out_->reserve(1 + kShortString);
  *out++ = first_byte(BasicType::ShortString, static_cast<int>(bytes.size()));
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  out_->set_end(out + bytes.size());
}

void Writer::sized(Primitive type, std::string_view bytes) {
  if (bytes.size() > kMaxBytes) return refuse(Fault::TooLarge);
  fixed(type, static_cast<uint32_t>(bytes.size()));
  out_->append(bytes);
}

void Writer::decimal(Int128 unscaled, int scale) {
  const Int128 size = unscaled < 0 ? -unscaled : unscaled;
  char* out = out_->reserve(2 + sizeof(unscaled));
  out[1] = static_cast<char>(scale);
  if (size < kDecimal4Limit) {
    *out = first_byte(Primitive::Decimal4);
    store_little_endian(static_cast<int32_t>(unscaled), out + 2);
    out_->set_end(out + 6);
  } else if (size < kDecimal8Limit) {
    *out = first_byte(Primitive::Decimal8);
    store_little_endian(static_cast<int64_t>(unscaled), out + 2);
    out_->set_end(out + 10);
  } else {
    *out = first_byte(Primitive::Decimal16);
    store_little_endian(unscaled, out + 2);
    out_->set_end(out + 18);
  }
}

void Writer::timestamp(int64_t ticks, int digits, bool utc) {
  if (digits == 6) return fixed(utc ? Primitive::Timestamp : Primitive::LocalTimestamp, ticks);
  fixed(utc ? Primitive::TimestampNanos : Primitive::LocalTimestampNanos, ticks);
}

void Writer::uuid(std::string_view bytes) {
  out_->append(first_byte(Primitive::Uuid));
  out_->append(bytes);
}

}  // namespace xwalk::variant
