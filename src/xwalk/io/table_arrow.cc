#include "xwalk/io/table_arrow.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/cast.h"
#include "xwalk/io/row_stream.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/tz.h"

namespace xwalk::io {
namespace {

using hub::Kind;

/// How a column comes to its type.
enum class Way : uint8_t {
  Keep,     ///< it is left to whoever reads it
  Name,     ///< the buffers are right, and only called otherwise
  Yson,     ///< each value is YSON
  Decimal,  ///< each value is the bytes of a decimal
  Zoned,    ///< a number and the number of a zone
};

/// Returns whether YTsaurus keeps the values of `meant` in the buffers of `found`.
bool same_buffers(const hub::Field& found, const hub::Field& meant) {
  if (found.nullable && !meant.nullable) return false;
  const hub::Type& from = found.type;
  const hub::Type& to = meant.type;
  if (from.kind() == Kind::Int64 && to.kind() == Kind::Duration) return true;
  if (from.kind() != to.kind()) return false;
  if (to.kind() == Kind::Timestamp) {
    return from.unit() == to.unit() && (from.zone().empty() || from.zone() == to.zone());
  }
  if (to.kind() == Kind::List) return same_buffers(from.child(), to.child());
  if (to.kind() == Kind::Map) {
    return same_buffers(from.key(), to.key()) && same_buffers(from.value(), to.value());
  }
  if (to.kind() != Kind::Struct) return from == to;
  const auto mark = found.metadata.find("YtType");
  // An empty struct has a member that says nothing.
  if (to.children().empty()) return mark == "emptyStruct";
  // A box is called otherwise; members go by their place, as both have those of the type.
  return std::ranges::equal(from.children(), to.children(),
                            [&](const hub::Field& a, const hub::Field& b) {
                              const bool box = mark == "nestedOptional";
                              return (box || a.name == b.name) && same_buffers(a, b);
                            });
}

/// Takes the members away that stand for none.
void drop_markers(const hub::Type& meant, hub::Array* array) {
  if (meant.kind() == Kind::Struct && meant.children().empty()) array->children.clear();
  if (meant.kind() != Kind::Struct && meant.kind() != Kind::List && meant.kind() != Kind::Map)
    return;
  for (size_t i = 0; i < meant.children().size(); ++i) {
    drop_markers(meant.child(i).type, &array->children[i]);
  }
}

Way way_of(const hub::Field& found, const hub::Field& meant, const yt::Type& type) {
  if (found.type.kind() == meant.type.kind() || found.type.kind() == Kind::Int64) {
    if (same_buffers(found, meant)) return Way::Name;
  }
  if (found.nullable && !meant.nullable) return Way::Keep;
  const yt::Type& bare = yt::without_tags(type);
  const yt::Type& value = bare.is(yt::TypeKind::Optional) && !yt::is_nullable(bare.item())
                              ? yt::without_tags(bare.item())
                              : bare;
  if (found.type.kind() == Kind::Binary) {
    if (value.is(yt::TypeKind::Decimal)) return Way::Decimal;
    if (value.content() == yt::Content::Compound) return Way::Yson;
  }
  const bool zoned = value.content() == yt::Content::Zoned && found.type.kind() == Kind::Struct &&
                     found.type.children().size() == 2 &&
                     hub::is_integer(found.type.child(0).type.kind()) &&
                     found.type.child(1).type.kind() == Kind::Uint16;
  return zoned ? Way::Zoned : Way::Keep;
}

/// Returns the kind of a type with a zone.
yt::TypeKind zoned_kind(const yt::Type& type) {
  const yt::Type& bare = yt::without_tags(type);
  return bare.is(yt::TypeKind::Optional) ? zoned_kind(bare.item()) : bare.kind();
}

int64_t integer_at(const hub::Array& array, Kind kind, int64_t index) {
  if (kind == Kind::Int32) return array.value<int32_t>(index);
  if (kind == Kind::Uint16) return array.value<uint16_t>(index);
  if (kind == Kind::Uint32) return array.value<uint32_t>(index);
  return array.value<int64_t>(index);
}

/// What is done to the batches of one stream.
class Change {
 public:
  Change(const hub::Schema& found, const yt::TableSchema& table, const yt::ReadOptions& options)
      : plain_(found), schema_(found) {
    bool flattened = false;
    for (hub::Field& field : plain_.fields) {
      if (field.type.kind() != Kind::Dictionary || table.find(field.name) == nullptr) continue;
      field.type = field.type.child().type;
      flattened = true;
    }
    if (flattened) flatten_.emplace(hub::compile_cast(found, plain_));
    schema_ = plain_;
    yt::TableSchema coded;
    for (size_t i = 0; i < plain_.fields.size(); ++i) {
      const hub::Field& field = plain_.fields[i];
      const yt::ColumnSchema* column = table.find(field.name);
      if (column == nullptr) continue;
      hub::Field meant = yt::to_arrow(column->name, column->type);
      const Way way = way_of(field, meant, column->type);
      if (way == Way::Keep) continue;
      schema_.fields[i] = std::move(meant);
      if (way == Way::Name) {
        named_.push_back(i);
        continue;
      }
      coded.columns.push_back(*column);
      coded.columns.back().sort_order.reset();
      coded_.push_back({i, way, zoned_kind(column->type), key_of(column->name)});
    }
    if (coded_.empty()) return;
    yt::ReadOptions reading = options;
    reading.columns.clear();
    reading.skip_bad_rows = true;
    reading.controls = false;
    const yt::ValueOptions stored = yt::stored_form();
    reading.values.complex_type_mode = stored.complex_type_mode;
    reading.values.string_keyed_dict_mode = stored.string_keyed_dict_mode;
    reading.values.decimal_mode = stored.decimal_mode;
    reading.values.time_mode = stored.time_mode;
    reading.values.uuid_mode = stored.uuid_mode;
    decoder_ = std::make_shared<const yt::RowDecoder>(coded, reading);
  }

  bool is_none() const { return named_.empty() && coded_.empty() && !flatten_; }
  const hub::Schema& schema() const { return schema_; }

  hub::Batch run(hub::Batch batch) const {
    if (flatten_) batch = flatten_->run(std::move(batch));
    if (batch.array.offset != 0) {
      for (hub::Array& column : batch.array.children) {
        column = hub::slice(column, batch.array.offset, batch.array.length);
      }
      batch.array.offset = 0;
    }
    for (const size_t column : named_) {
      drop_markers(schema_.fields[column].type, &batch.array.children[column]);
    }
    if (coded_.empty() || batch.rows() == 0) return batch;
    yson::Buffer rows;
    for (int64_t row = 0; row < batch.rows(); ++row) {
      rows.append('{');
      for (const Coded& column : coded_) {
        rows.append(column.key);
        append(batch.array, column, batch.array.slot(row), &rows);
        rows.append(';');
      }
      rows.append("};");
    }
    yt::RowDecoder decoder(*decoder_);
    hub::Batch decoded = decoder.decode(rows.view(), batch.first_row, {.line = std::nullopt});
    for (size_t i = 0; i < coded_.size(); ++i) {
      batch.array.children[coded_[i].index] = std::move(decoded.array.children[i]);
    }
    for (hub::BadRow& bad : decoded.bad) {
      bad.error.place().byte.reset();
      bad.source_bytes.clear();
      const auto at = std::ranges::lower_bound(batch.bad, bad.index, {}, &hub::BadRow::index);
      if (at == batch.bad.end() || at->index != bad.index) batch.bad.insert(at, std::move(bad));
    }
    return batch;
  }

 private:
  struct Coded {
    size_t index;
    Way way;
    yt::TypeKind zoned;
    std::string key;
  };

  static std::string key_of(std::string_view name) {
    std::string key(yson::max_binary_string_bytes(name.size()) + 1, '\0');
    char* end = yson::write_binary_string(key.data(), name);
    *end++ = '=';
    key.resize(static_cast<size_t>(end - key.data()));
    return key;
  }

  void append(const hub::Array& rows, const Coded& column, int64_t row, yson::Buffer* out) const {
    const hub::Array& array = rows.children[column.index];
    if (array.is_null(row)) return out->append('#');
    if (column.way == Way::Zoned) {
      const hub::Type& type = plain_.fields[column.index].type;
      const int64_t at = array.slot(row);
      const auto instant = integer_at(array.children[0], type.child(0).type.kind(), at);
      char bytes[16];
      char* end = yt::store_tz_integer(column.zoned, instant, bytes);
      store_big_endian(array.children[1].value<uint16_t>(at), end);
      return string({bytes, static_cast<size_t>(end - bytes) + sizeof(uint16_t)}, out);
    }
    const std::string_view value = array.text(row);
    const bool is_yson = column.way == Way::Yson && is_one_value(value);
    // What is no value is a string, which the decoder refuses.
    is_yson ? out->append(value) : string(value, out);
  }

  static void string(std::string_view bytes, yson::Buffer* out) {
    out->set_end(yson::write_binary_string(
        out->reserve(yson::max_binary_string_bytes(bytes.size())), bytes));
  }

  static bool is_one_value(std::string_view bytes) {
    const char* p = bytes.data();
    const char* const end = p + bytes.size();
    return yson::skip_value(p, end) == yson::Status::Ok && p == end;
  }

  /// Without the dictionaries of the stream.
  hub::Schema plain_;
  hub::Schema schema_;
  std::optional<hub::CompiledCast> flatten_;
  std::vector<size_t> named_;
  std::vector<Coded> coded_;
  std::shared_ptr<const yt::RowDecoder> decoder_;
};

}  // namespace

std::unique_ptr<SplitReader> as_table_rows(std::unique_ptr<SplitReader> reader,
                                           const yt::TableSchema& table,
                                           const yt::ReadOptions& options) {
  const auto change = std::make_shared<const Change>(reader->schema(), table, options);
  if (change->is_none()) return reader;
  return change_pieces(std::move(reader), change->schema(),
                       [change](hub::Batch batch) { return change->run(std::move(batch)); });
}

}  // namespace xwalk::io
