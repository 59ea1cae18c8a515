#include "xwalk/hub/key_bytes.h"

#include <string>

#include "xwalk/base/ordered_bytes.h"
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

void append_key(const Array& array, const Type& type, int64_t row, std::string& out) {
  const Kind kind = type.kind();
  if (kind == Kind::Null || array.is_null(row)) return out.push_back(kNull);
  out.push_back(kValue);
  if (is_counted(type)) {
    const auto bits = static_cast<uint64_t>(integer_at(array, kind, row));
    return kind == Kind::Uint64 ? append_ordered(bits, &out) : append_ordered_signed(bits, &out);
  }
  if (is_utf8(kind) || is_binary(kind) || kind == Kind::FixedSizeBinary) {
    return append_ordered(bytes_at(array, type, row), &out);
  }
  if (is_decimal(kind)) return append_ordered(decimal_at(array, kind, row), &out);
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
