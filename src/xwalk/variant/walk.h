#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/batch_memory.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/variant/fault.h"
#include "xwalk/variant/kinds.h"
#include "xwalk/variant/layout.h"
#include "xwalk/variant/metadata.h"

namespace xwalk::variant {

/// The order in which the fields of an object are reported.
enum class FieldOrder : uint8_t {
  Bytes,
  /// For values that were checked: their offsets are not checked again.
  Names,
};

/// Reads one value of a VARIANT and reports its parts to a sink, in the order of the bytes: an
/// object that was written in another order than that of its names keeps that order. A sink has the
/// functions that yson::Walker calls, except `attributed`, and
///   `text(std::string_view)`: a string, whose bytes are UTF-8; `string` is not called;
///   `bytes(std::string_view)`: binary;
///   `real32(float)`;
///   `decimal(Int128 unscaled, int scale)`;
///   `date(int32_t days)`, `time(int64_t micros)`;
///   `timestamp(int64_t ticks, int digits, bool utc)`: a second has 10^digits ticks, 6 or 9;
///   `uuid(std::string_view)`: 16 bytes, most significant first.
/// Values may neither overlap nor leave bytes out, but each field names an entry of the dictionary:
/// a sink may get many times the bytes of the value. What it keeps is memory of the batch, see
/// base/batch_memory.h.
template <typename Sink>
class Walker {
 public:
  Walker(const Metadata& metadata, Sink* sink, FieldOrder order = FieldOrder::Bytes)
      : metadata_(&metadata), sink_(sink), by_name_(order == FieldOrder::Names) {}

  /// Reads a whole value. The sink may have received a part of it if there is a fault.
  Outcome value(std::string_view bytes) {
    begin_ = bytes.data();
    const char* p = bytes.data();
    const char* end = p + bytes.size();
    at_ = p;
    Fault fault = one(p, end, kMaxDepth);
    if (fault == Fault::None && p != end) {
      at_ = p;
      fault = Fault::TrailingBytes;
    }
    if (fault == Fault::None) return {};
    return {fault, static_cast<size_t>(at_ - begin_)};
  }

  /// Reads a whole value that is an object, and reports its fields without the brackets.
  /// `any` says whether fields were reported before, and becomes true with the first.
  Outcome fields(std::string_view bytes, bool* any) {
    begin_ = bytes.data();
    at_ = begin_;
    const char* end = begin_ + bytes.size();
    if (bytes.empty()) return {Fault::Truncated, 0};
    if (basic_type(*begin_) != BasicType::Object) return {Fault::NotObject, 0};
    const char* p = begin_;
    Fault fault = container(p, end, kMaxDepth - 1, any);
    if (fault == Fault::None && p != end) {
      at_ = p;
      fault = Fault::TrailingBytes;
    }
    if (fault == Fault::None) return {};
    return {fault, static_cast<size_t>(at_ - begin_)};
  }

 private:
  Fault fail(Fault fault, const char* at) {
    at_ = at;
    return fault;
  }

  Fault one(const char*& p, const char* end, int depth) {
    if (p == end) return fail(Fault::Truncated, p);
    const BasicType basic = basic_type(*p);
    if (basic == BasicType::ShortString) {
      const auto size = static_cast<size_t>(value_header(*p));
      return string(p, p + 1, size, end);
    }
    if (basic == BasicType::Primitive) return primitive(p, end);
    if (depth == 0) return fail(Fault::TooDeep, p);
    const bool object = basic == BasicType::Object;
    sink_->begin(object ? '{' : '[');
    bool any = false;
    const Fault fault = container(p, end, depth - 1, &any);
    if (fault == Fault::None) sink_->end(object ? '}' : ']', any);
    return fault;
  }

  /// Takes the bytes of a string: `at` is where they begin.
  Fault string(const char*& p, const char* at, size_t size, const char* end) {
    if (static_cast<size_t>(end - at) < size) return fail(Fault::Truncated, p);
    const std::string_view bytes(at, size);
    if (!is_valid_utf8(bytes)) return fail(Fault::NotText, p);
    sink_->text(bytes);
    p = at + size;
    return Fault::None;
  }

  Fault primitive(const char*& p, const char* end) {
    const int header = value_header(*p);
    if (header >= kPrimitives) return fail(Fault::UnknownType, p);
    const char* at = p + 1;
    const auto left = static_cast<size_t>(end - at);
    const auto size = static_cast<size_t>(kPrimitiveBytes[static_cast<size_t>(header)]);
    if (left < size) return fail(Fault::Truncated, p);
    const auto type = static_cast<Primitive>(header);
    switch (type) {
      case Primitive::Null:
        sink_->entity();
        break;
      case Primitive::True:
      case Primitive::False:
        sink_->boolean(type == Primitive::True);
        break;
      case Primitive::Int8:
        sink_->int64(load_little_endian<int8_t>(at));
        break;
      case Primitive::Int16:
        sink_->int64(load_little_endian<int16_t>(at));
        break;
      case Primitive::Int32:
        sink_->int64(load_little_endian<int32_t>(at));
        break;
      case Primitive::Int64:
        sink_->int64(load_little_endian<int64_t>(at));
        break;
      case Primitive::Double:
        sink_->real(std::bit_cast<double>(load_little_endian<uint64_t>(at)));
        break;
      case Primitive::Float:
        sink_->real32(std::bit_cast<float>(load_little_endian<uint32_t>(at)));
        break;
      case Primitive::Decimal4:
        return decimal(p, load_little_endian<int32_t>(at + 1), size);
      case Primitive::Decimal8:
        return decimal(p, load_little_endian<int64_t>(at + 1), size);
      case Primitive::Decimal16:
        return decimal(p, load_little_endian_128(at + 1), size);
      case Primitive::Date:
        sink_->date(load_little_endian<int32_t>(at));
        break;
      case Primitive::Time:
        sink_->time(load_little_endian<int64_t>(at));
        break;
      case Primitive::Timestamp:
      case Primitive::LocalTimestamp:
        sink_->timestamp(load_little_endian<int64_t>(at), 6, type == Primitive::Timestamp);
        break;
      case Primitive::TimestampNanos:
      case Primitive::LocalTimestampNanos:
        sink_->timestamp(load_little_endian<int64_t>(at), 9, type == Primitive::TimestampNanos);
        break;
      case Primitive::Uuid:
        sink_->uuid({at, size});
        break;
      case Primitive::Binary: {
        const size_t length = load_little_endian<uint32_t>(at);
        if (left - size < length) return fail(Fault::Truncated, p);
        sink_->bytes({at + size, length});
        p = at + size + length;
        return Fault::None;
      }
      case Primitive::String:
        return string(p, at + size, load_little_endian<uint32_t>(at), end);
    }
    p = at + size;
    return Fault::None;
  }

  Fault decimal(const char*& p, Int128 unscaled, size_t size) {
    const int scale = static_cast<unsigned char>(p[1]);
    if (scale > kMostDigits || !fits_decimal(unscaled)) return fail(Fault::Decimal, p);
    sink_->decimal(unscaled, scale);
    p += 1 + size;
    return Fault::None;
  }

  /// Checks the names of an object, and returns whether the values have the order of the names.
  Fault check_names(const Layout& layout, const char* p, bool* ascending) {
    std::string_view before;
    uint32_t last = 0;
    for (size_t i = 0; i < layout.count; ++i) {
      const uint32_t id = layout.id(i);
      if (id >= metadata_->size()) return fail(Fault::FieldId, p);
      const std::string_view name = metadata_->name(id);
      if (i > 0 && name <= before) return fail(Fault::FieldOrder, p);
      before = name;
      const uint32_t offset = layout.offset(i);
      if (offset < last) *ascending = false;
      last = offset;
    }
    return Fault::None;
  }

  Fault container(const char*& p, const char* end, int depth, bool* any) {
    Layout layout;
    Fault fault = read_layout(p, end, &layout);
    if (fault != Fault::None) return fail(fault, p);
    bool ascending = true;
    if (layout.object && !by_name_) fault = check_names(layout, p, &ascending);
    if (fault != Fault::None) return fault;
    const size_t bottom = order_.size();
    if (!ascending) sort_by_offset(layout);
    const char* at = layout.values;
    for (size_t i = 0; i < layout.count && fault == Fault::None; ++i) {
      const size_t field = ascending ? i : order_[bottom + i].second;
      if (by_name_) at = layout.values + layout.offset(field);
      if (layout.values + layout.offset(field) != at) {
        fault = fail(Fault::Offsets, p);
        break;
      }
      sink_->item(!*any);
      *any = true;
      if (layout.object) {
        const std::string_view name = metadata_->name(layout.id(field));
        // guard(allocate): The names of fields are memory of the batch, since a dictionary repeats
        // none.
        take_batch_memory(name.size());
        sink_->key(name);
      }
      fault = one(at, layout.end, depth);
      sink_->item_end();
    }
    order_.resize(bottom);
    if (fault != Fault::None) return fault;
    if (at != layout.end && !by_name_) return fail(Fault::Offsets, p);
    p = layout.end;
    return Fault::None;
  }

  void sort_by_offset(const Layout& layout) {
    const auto bottom = static_cast<std::ptrdiff_t>(order_.size());
    for (size_t i = 0; i < layout.count; ++i) {
      order_.emplace_back(layout.offset(i), static_cast<uint32_t>(i));
    }
    std::sort(order_.begin() + bottom, order_.end());
  }

  const Metadata* metadata_;
  Sink* sink_;
  bool by_name_;
  const char* begin_ = nullptr;
  /// The place of a fault.
  const char* at_ = nullptr;
  /// Offsets and fields of the open objects whose values have another order than their names.
  std::vector<std::pair<uint32_t, uint32_t>> order_;
};

}  // namespace xwalk::variant
