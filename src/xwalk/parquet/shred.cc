#include "xwalk/parquet/shred.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/variant.h"
#include "xwalk/parquet/shredded_part.h"
#include "xwalk/variant/layout.h"
#include "xwalk/variant/metadata.h"
#include "xwalk/variant/transcode.h"

namespace xwalk::parquet {
namespace {

using hub::Array;
using hub::ColumnBuilder;
using hub::Kind;
using hub::cast::Scope;
using variant::BasicType;
using variant::Layout;
using variant::Primitive;

/// A value within the bytes of a VARIANT that was checked.
class Value {
 public:
  Value(const char* at, const char* end) : at_(at), end_(end) {}

  const char* at() const { return at_; }
  BasicType basic() const { return variant::basic_type(*at_); }
  bool is(Primitive type) const { return *at_ == variant::first_byte(type); }
  Layout layout() const {
    Layout out;
    (void)variant::read_layout(at_, end_, &out);  // the bytes were checked
    return out;
  }
  /// Returns the bytes of the whole value.
  std::string_view bytes() const {
    switch (basic()) {
      case BasicType::ShortString:
        return {at_, 1 + static_cast<size_t>(variant::value_header(*at_))};
      case BasicType::Object:
      case BasicType::Array:
        return {at_, static_cast<size_t>(layout().end - at_)};
      case BasicType::Primitive:
        break;
    }
    const auto header = static_cast<size_t>(variant::value_header(*at_));
    size_t size = 1 + variant::kPrimitiveBytes.at(header);
    if (is(Primitive::Binary) || is(Primitive::String)) size += load<uint32_t>();
    return {at_, size};
  }
  /// Loads the number after the first byte.
  template <typename T>
  T load(size_t skipped = 0) const {
    return load_little_endian<T>(at_ + 1 + skipped);
  }
  /// Returns the bytes of a long string or binary.
  std::string_view sized() const { return bytes().substr(1 + sizeof(uint32_t)); }

 private:
  const char* at_;
  const char* end_;
};

Value item_of(const Layout& container, size_t index) {
  return {container.values + container.offset(index), container.end};
}

std::optional<int64_t> integer_of(const Value& value) {
  if (value.is(Primitive::Int8)) return value.load<int8_t>();
  if (value.is(Primitive::Int16)) return value.load<int16_t>();
  if (value.is(Primitive::Int32)) return value.load<int32_t>();
  if (value.is(Primitive::Int64)) return value.load<int64_t>();
  return std::nullopt;
}

/// Appends an integer that T holds.
template <typename T>
bool append_integer(const Value& value, ColumnBuilder* out) {
  const std::optional<int64_t> number = integer_of(value);
  if (!number || !std::in_range<T>(*number)) return false;
  out->append(static_cast<T>(*number));
  return true;
}

/// Appends the bits after the first byte.
template <typename T>
bool append_bits(const Value& value, Primitive type, ColumnBuilder* out) {
  if (!value.is(type)) return false;
  out->append(value.load<T>());
  return true;
}

bool append_decimal(const Value& value, const hub::Type& type, ColumnBuilder* out) {
  Int128 unscaled = 0;
  if (value.is(Primitive::Decimal4)) {
    unscaled = value.load<int32_t>(1);
  } else if (value.is(Primitive::Decimal8)) {
    unscaled = value.load<int64_t>(1);
  } else if (value.is(Primitive::Decimal16)) {
    unscaled = load_little_endian_128(value.at() + 2);
  } else {
    return false;
  }
  if (value.load<uint8_t>() != type.scale()) return false;
  const Int128 limit = variant::power_of_ten(type.precision());
  if (unscaled <= -limit || unscaled >= limit) return false;
  out->append(unscaled);
  return true;
}

bool append_text(const Value& value, ColumnBuilder* out) {
  if (value.basic() == BasicType::ShortString) {
    out->append_bytes(value.bytes().substr(1));
    return true;
  }
  if (!value.is(Primitive::String)) return false;
  out->append_bytes(value.sized());
  return true;
}

Primitive timestamp_of(const hub::Type& type) {
  const bool utc = !type.zone().empty();
  if (type.unit() == hub::TimeUnit::Nano) {
    return utc ? Primitive::TimestampNanos : Primitive::LocalTimestampNanos;
  }
  return utc ? Primitive::Timestamp : Primitive::LocalTimestamp;
}

/// Appends a value if a column of a type has it. Types are those of `is_shredded_type`.
bool append_primitive(const Value& value, const hub::Type& type, ColumnBuilder* out) {
  const Kind kind = type.kind();
  if (kind == Kind::Utf8) return append_text(value, out);
  if (kind == Kind::Int64) return append_integer<int64_t>(value, out);
  if (kind == Kind::Int32) return append_integer<int32_t>(value, out);
  if (kind == Kind::Int16) return append_integer<int16_t>(value, out);
  if (kind == Kind::Int8) return append_integer<int8_t>(value, out);
  if (kind == Kind::Double) return append_bits<uint64_t>(value, Primitive::Double, out);
  if (kind == Kind::Float) return append_bits<uint32_t>(value, Primitive::Float, out);
  if (kind == Kind::Date32) return append_bits<int32_t>(value, Primitive::Date, out);
  if (kind == Kind::Time64) return append_bits<int64_t>(value, Primitive::Time, out);
  if (kind == Kind::Timestamp) return append_bits<int64_t>(value, timestamp_of(type), out);
  if (kind == Kind::Decimal128) return append_decimal(value, type, out);
  if (kind == Kind::Bool) {
    if (!value.is(Primitive::True) && !value.is(Primitive::False)) return false;
    out->append_bool(value.is(Primitive::True));
    return true;
  }
  if (kind == Kind::Binary) {
    if (!value.is(Primitive::Binary)) return false;
    out->append_bytes(value.sized());
    return true;
  }
  if (!value.is(Primitive::Uuid)) return false;
  out->append_fixed(value.at() + 1);
  return true;
}

/// Fills the columns of one batch.
class Shredder {
 public:
  /// `names` is the dictionary of each value.
  explicit Shredder(const variant::Metadata& names) : names_(names) {}

  /// Appends a checked value to the columns of a VARIANT. Returns false, with columns of different
  /// lengths, if no column has a part of it.
  bool row(const ShreddedPart& part, std::string_view value, ColumnBuilder* columns) {
    rest_.clear();
    return put(part, {value.data(), value.data() + value.size()}, columns);
  }

 private:
  bool put(const ShreddedPart& part, const Value& value, ColumnBuilder* group) {
    bool typed = false;
    bool rest = false;
    if (part.typed) {
      ColumnBuilder& column = group->child(*part.typed);
      const BasicType basic = value.basic();
      if (part.form == ShreddedPart::Form::Primitive) {
        typed = append_primitive(value, part.type, &column);
      } else if (part.form == ShreddedPart::Form::List && basic == BasicType::Array) {
        if (!put_items(part.parts[0], value.layout(), &column)) return false;
        typed = true;
      } else if (part.form == ShreddedPart::Form::Object && basic == BasicType::Object) {
        if (!put_fields(part, value.layout(), group, &rest)) return false;
        typed = true;
      }
      if (!typed) column.append_null();
    }
    if (!typed && !part.value) return false;
    if (part.value && !rest) {
      ColumnBuilder& column = group->child(*part.value);
      if (typed) {
        column.append_null();
      } else {
        column.append_bytes(value.bytes());
      }
    }
    group->append_struct();
    return true;
  }

  bool put_items(const ShreddedPart& item, const Layout& list, ColumnBuilder* column) {
    for (size_t i = 0; i < list.count; ++i) {
      if (!put(item, item_of(list, i), &column->child(0))) return false;
    }
    column->append_list();
    return true;
  }

  /// Appends the fields that have columns, and the object of the others to `value`, if there are
  /// any (`rest`). Fields and columns are both in the order of their names.
  bool put_fields(const ShreddedPart& part, const Layout& object, ColumnBuilder* group,
                  bool* rest) {
    ColumnBuilder& typed = group->child(*part.typed);
    const size_t bottom = rest_.size();
    size_t field = 0;
    for (const size_t next : part.by_name) {
      const ShreddedPart& inner = part.parts[next];
      std::string_view name;
      for (; field < object.count; ++field) {
        name = names_.name(object.id(field));
        if (name >= inner.name) break;
        rest_.push_back(static_cast<uint32_t>(field));
      }
      ColumnBuilder& column = typed.child(next);
      if (field == object.count || name != inner.name) {
        append_missing(inner, &column);
      } else if (!put(inner, item_of(object, field++), &column)) {
        return false;
      }
    }
    for (; field < object.count; ++field) rest_.push_back(static_cast<uint32_t>(field));
    typed.append_struct();
    *rest = rest_.size() > bottom;
    if (*rest) {
      if (!part.value) return false;
      write_rest(object, bottom, &group->child(*part.value));
      // guard(allocate): A list is shortened.
      rest_.resize(bottom);
    }
    return true;
  }

  static void append_missing(const ShreddedPart& part, ColumnBuilder* group) {
    if (part.value) group->child(*part.value).append_null();
    if (part.typed) group->child(*part.typed).append_null();
    group->append_struct();
  }

  /// Writes an object of the fields in `rest_` from `bottom` on. Its values keep their order.
  void write_rest(const Layout& object, size_t bottom, ColumnBuilder* column) {
    order_.clear();
    for (size_t i = bottom; i < rest_.size(); ++i) {
      order_.emplace_back(object.offset(rest_[i]), static_cast<uint32_t>(i - bottom));
    }
    if (!std::ranges::is_sorted(order_)) std::ranges::sort(order_);
    const size_t count = order_.size();
    // guard(allocate): As many as the object has fields, which were counted.
    offsets_.resize(count);
    size_t size = 0;
    for (const auto& [offset, place] : order_) {
      offsets_[place] = static_cast<uint32_t>(size);
      size += Value(object.values + offset, object.end).bytes().size();
    }
    const bool large = count > 0xFF;
    const auto id_width = static_cast<size_t>(object.id_width);
    const auto offset_width = static_cast<size_t>(object.offset_width);
    const size_t tables = 1 + (large ? 4 : 1) + count * (id_width + offset_width) + offset_width;
    char* const begin = column->begin_bytes(tables + size);
    char* out = begin;
    const int header = (large ? 16 : 0) | (object.id_width - 1) << 2 | (object.offset_width - 1);
    *out++ = variant::first_byte(BasicType::Object, header);
    out = store(count, large ? 4 : 1, out);
    for (size_t i = 0; i < count; ++i) out = store(object.id(rest_[bottom + i]), id_width, out);
    for (const uint32_t offset : offsets_) out = store(offset, offset_width, out);
    out = store(size, offset_width, out);
    for (const auto& [offset, place] : order_) {
      const std::string_view bytes = Value(object.values + offset, object.end).bytes();
      out = std::ranges::copy(bytes, out).out;
    }
    column->end_bytes(tables + size);
  }

  static char* store(size_t value, size_t width, char* out) {
    for (size_t i = 0; i < width; ++i) *out++ = static_cast<char>(value >> (8 * i));
    return out;
  }

  const variant::Metadata& names_;
  /// Fields without columns of the open objects.
  std::vector<uint32_t> rest_;
  std::vector<std::pair<uint32_t, uint32_t>> order_;
  std::vector<uint32_t> offsets_;
};

/// The columns of a shredded VARIANT, as their types say.
hub::Field columns_of(const Resolved& variant) {
  std::vector<hub::Field> fields;
  for (const Resolved& child : variant.children) fields.push_back(child.field);
  return {variant.field.name, hub::struct_(std::move(fields)), variant.field.nullable};
}

class ShredKernel final : public hub::cast::Kernel {
 public:
  explicit ShredKernel(const Resolved& variant)
      : part_(shredded_part_of(variant)),
        metadata_(metadata_of(variant)),
        path_(variant.path),
        columns_(columns_of(variant)),
        type_(variant.field.type) {}

  Array run(const Array& in, const Scope& scope) const override {
    ColumnBuilder out(columns_);
    // guard(allocate): As many as the batch has rows.
    out.reserve(in.length);
    variant::Reader reader;
    Shredder shredder(reader.metadata());
    for (int64_t i = 0; i < in.length; ++i) {
      if (in.is_null(i)) {
        out.append_placeholder();
        continue;
      }
      const variant::Encoded value = hub::variant_at(in, type_, i);
      const variant::Outcome outcome = reader.check(value);
      if (outcome.ok()) {
        out.child(metadata_).append_bytes(value.metadata);
        if (shredder.row(part_, value.value, &out)) continue;
      }
      out.truncate(i);
      out.append_placeholder();
      scope.refuse(i, path_, outcome.ok() ? no_column() : malformed(outcome));
    }
    return out.finish();
  }

 private:
  static std::string no_column() {
    return "expected a value that a column of the shredded VARIANT has, found one of another type "
           "and no column value";
  }
  static std::string malformed(const variant::Outcome& outcome) {
    return fmt::format("expected a VARIANT, found {} at byte {}", describe(outcome.fault),
                       outcome.byte);
  }

  ShreddedPart part_;
  size_t metadata_;
  Path path_;
  hub::Field columns_;
  hub::Type type_;
};

}  // namespace

hub::cast::KernelPtr shred_kernel(const Resolved& variant) {
  return std::make_shared<ShredKernel>(variant);
}

}  // namespace xwalk::parquet
