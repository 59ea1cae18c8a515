#include "xwalk/hub/key_bytes.h"

#include <string>

#include "xwalk/base/endian.h"
#include "xwalk/hub/cast/value_bytes.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::hub {
namespace {

constexpr char kNull = '\0';
constexpr char kValue = '\1';

/// Integers and what is counted in them: the most significant byte first, negative ones before.
bool is_counted(const Type& type) {
  const Kind kind = type.kind();
  const Form form = kind_row(kind).form;
  return is_integer(kind) || form == Form::Unit || form == Form::Timestamp ||
         kind == Kind::Date32 || kind == Kind::Date64;
}

void append_count(uint64_t bits, bool is_signed, std::string& out) {
  char bytes[8];
  store_big_endian(is_signed ? bits ^ (uint64_t{1} << 63) : bits, bytes);
  out.append(bytes, sizeof bytes);
}

/// Text that ends by itself: a zero byte is followed by 0xFF, the end by another zero.
void append_text(std::string_view text, std::string& out) {
  for (size_t zero = 0; (zero = text.find('\0')) != std::string_view::npos;
       text.remove_prefix(zero + 1)) {
    out.append(text.substr(0, zero + 1));
    out.push_back('\xff');
  }
  out.append(text);
  out.append(2, '\0');
}

void append_key(const Array& array, const Type& type, int64_t row, std::string& out) {
  const Kind kind = type.kind();
  if (kind == Kind::Null || array.is_null(row)) return out.push_back(kNull);
  out.push_back(kValue);
  if (is_counted(type)) {
    return append_count(static_cast<uint64_t>(integer_at(array, kind, row)), kind != Kind::Uint64,
                        out);
  }
  if (is_utf8(kind) || is_binary(kind) || kind == Kind::FixedSizeBinary) {
    return append_text(bytes_at(array, type, row), out);
  }
  if (is_decimal(kind)) {
    const Int256 value = decimal_at(array, kind, row);
    append_count(value.limbs[3], true, out);
    for (size_t i = 3; i-- > 0;) append_count(value.limbs[i], false, out);
    return;
  }
  cast::append_value_bytes(array, type, row, out);
}

}  // namespace

Array key_bytes(std::span<const Field> fields, std::span<const Array* const> columns,
                int64_t rows) {
  Array out = start(rows);
  GrowingBytes bytes;
  Buffer offsets((rows + 1) * int64_t{sizeof(int32_t)});
  auto* to = offsets.as<int32_t>();
  to[0] = 0;
  std::string key;
  for (int64_t row = 0; row < rows; ++row) {
    key.clear();
    for (size_t i = 0; i < fields.size(); ++i) append_key(*columns[i], fields[i].type, row, key);
    bytes.append(key.data(), static_cast<int64_t>(key.size()));
    to[row + 1] = static_cast<int32_t>(bytes.size());
  }
  attach(out, offsets);
  bytes.attach(out);
  return out;
}

}  // namespace xwalk::hub
