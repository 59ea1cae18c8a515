#include "xwalk/io/formats/yt_arrow.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/domain.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/tz.h"

namespace xwalk::io {
namespace {

using hub::Kind;

/// How a column comes to its type.
enum class Way : uint8_t {
  Keep,     ///< the reader converts it
  Name,     ///< the buffers are right, and only called otherwise
  Yson,     ///< each value is YSON
  Decimal,  ///< each value is the bytes of a decimal
  Zoned,    ///< a number and the number of a zone
  Nested,   ///< one of these is within
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

/// Removes the members that mean an unset value.
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

/// Values that become YSON, for a decoder of rows.
struct Values {
  Way way = Way::Keep;
  /// Zoned: the kind of the type, and that of the number.
  yt::TypeKind zoned = yt::TypeKind::Null;
  Kind instant = Kind::Null;
};

Values values_of(Way way, const hub::Field& found, const yt::Type& type) {
  Values out{way};
  if (way != Way::Zoned) return out;
  out.zoned = zoned_kind(type);
  out.instant = found.type.child(0).type.kind();
  return out;
}

std::string key_of(std::string_view name) {
  std::string key(yson::max_binary_string_bytes(name.size()) + 1, '\0');
  char* end = yson::write_binary_string(key.data(), name);
  *end++ = '=';
  key.resize(static_cast<size_t>(end - key.data()));
  return key;
}

void append_string(std::string_view bytes, yson::Buffer* out) {
  out->set_end(
      yson::write_binary_string(out->reserve(yson::max_binary_string_bytes(bytes.size())), bytes));
}

bool is_one_value(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  return yson::skip_value(p, end) == yson::Status::Ok && p == end;
}

void append(const hub::Array& array, const Values& values, int64_t index, yson::Buffer* out) {
  if (array.is_null(index)) return out->append('#');
  if (values.way == Way::Zoned) {
    const int64_t at = array.slot(index);
    const int64_t instant = integer_at(array.children[0], values.instant, at);
    char bytes[16];
    char* end = yt::store_tz_integer(values.zoned, instant, bytes);
    store_big_endian(array.children[1].value<uint16_t>(at), end);
    return append_string({bytes, static_cast<size_t>(end - bytes) + sizeof(uint16_t)}, out);
  }
  const std::string_view value = array.text(index);
  const bool is_yson = values.way == Way::Yson && is_one_value(value);
  // An invalid value becomes a string, which the decoder rejects.
  is_yson ? out->append(value) : append_string(value, out);
}

/// Returns a decoder of columns as YSON rows in the stored form.
std::shared_ptr<const yt::RowDecoder> decoder_of(const yt::TableSchema& columns,
                                                 const yt::ReadOptions& options) {
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
  return std::make_shared<const yt::RowDecoder>(columns, reading);
}

/// Items that are invalid for their type, by ascending index in an array.
using BadItems = std::vector<std::pair<int64_t, Error>>;

/// What is done to a value within others.
struct Step {
  Way way = Way::Name;
  hub::Type meant;
  Values values;
  std::string key;
  std::shared_ptr<const yt::RowDecoder> decoder;
  std::vector<Step> children;

  hub::Array run(hub::Array array, BadItems* bad) const {
    if (way == Way::Name) {
      drop_markers(meant, &array);
      return array;
    }
    if (way != Way::Nested) return decoded(array, bad);
    for (size_t i = 0; i < children.size(); ++i) {
      BadItems within;
      array.children[i] = children[i].run(std::move(array.children[i]), &within);
      if (!within.empty()) carry(array, within, bad);
    }
    return array;
  }

 private:
  hub::Array decoded(const hub::Array& array, BadItems* bad) const {
    yson::Buffer rows;
    for (int64_t i = 0; i < array.length; ++i) {
      rows.append('{');
      rows.append(key);
      append(array, values, i, &rows);
      rows.append("};");
    }
    yt::RowDecoder own(*decoder);
    hub::Batch batch = own.decode(rows.view(), 0, {.line = std::nullopt});
    for (hub::BadRow& one : batch.bad) bad->emplace_back(one.index, std::move(one.error));
    return std::move(batch.array.children.front());
  }

  /// Says which values bad items are of; what a null hides is of none.
  void carry(const hub::Array& array, const BadItems& items, BadItems* bad) const {
    const bool is_struct = meant.kind() == Kind::Struct;
    for (int64_t i = 0; i < array.length; ++i) {
      if (array.is_null(i)) continue;
      const int64_t first = is_struct ? array.slot(i) : array.first_item(i);
      const int64_t end = is_struct ? first + 1 : array.end_item(i);
      const auto item = std::ranges::lower_bound(items, first, {}, &BadItems::value_type::first);
      if (item == items.end() || item->first >= end) continue;
      const auto place = std::ranges::lower_bound(*bad, i, {}, &BadItems::value_type::first);
      if (place == bad->end() || place->first != i) bad->emplace(place, i, item->second);
    }
  }
};

/// Returns the types of the values in a value, as in its Arrow form; for a dict, those of key and
/// value.
std::vector<yt::Type> types_within(const yt::Type& type) {
  const yt::Type& bare = yt::without_tags(type);
  switch (bare.composition()) {
    case yt::Composition::Optional:
      return yt::is_boxed(bare) ? std::vector{bare.item()} : types_within(bare.item());
    case yt::Composition::List:
      return {bare.item()};
    case yt::Composition::Dict:
      return {bare.key(), bare.value()};
    case yt::Composition::Struct:
    case yt::Composition::Tuple: {
      std::vector<yt::Type> out;
      for (const yt::Member& member : bare.members()) out.push_back(member.type);
      return out;
    }
    case yt::Composition::Variant:
    case yt::Composition::Tagged:
    case yt::Composition::None:
      return {};
  }
  return {};
}

/// Returns the conversion of a value to its type, `name` being its column; empty if the reader
/// converts it.
std::optional<Step> step_of(const hub::Field& found, const hub::Field& meant, const yt::Type& type,
                            const std::string& name, const yt::ReadOptions& options) {
  Step step;
  step.meant = meant.type;
  step.way = way_of(found, meant, type);
  if (step.way == Way::Name) return step;
  if (step.way != Way::Keep) {
    yt::TableSchema column;
    column.columns.emplace_back(name, type);
    step.values = values_of(step.way, found, type);
    step.key = key_of(name);
    step.decoder = decoder_of(column, options);
    return step;
  }
  if (found.type.kind() != meant.type.kind() || (found.nullable && !meant.nullable)) {
    return std::nullopt;
  }
  const std::vector<yt::Type> within = types_within(type);
  const auto add = [&](const hub::Type& from, const hub::Type& to, bool named, Step* out) {
    const bool pairs =
        from.children().size() == within.size() && to.children().size() == within.size();
    for (size_t i = 0; pairs && i < within.size(); ++i) {
      if (named && from.child(i).name != to.child(i).name) return false;
      auto child = step_of(from.child(i), to.child(i), within[i], name, options);
      if (!child) return false;
      out->children.push_back(*std::move(child));
    }
    return pairs;
  };
  step.way = Way::Nested;
  const hub::Type& from = found.type;
  if (from.kind() == Kind::Map) {
    Step& entries = step.children.emplace_back();
    entries.way = Way::Nested;
    entries.meant = meant.type.child(0).type;
    if (!add(from.child(0).type, entries.meant, false, &entries)) return std::nullopt;
    return step;
  }
  if (from.kind() != Kind::List && from.kind() != Kind::Struct) return std::nullopt;
  // A box is called otherwise, and so are items.
  const bool named =
      from.kind() == Kind::Struct && found.metadata.find("YtType") != "nestedOptional";
  if (!add(from, meant.type, named, &step)) return std::nullopt;
  return step;
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
      std::optional<Step> step = step_of(field, meant, column->type, column->name, options);
      if (!step) continue;
      schema_.fields[i] = std::move(meant);
      if (step->way == Way::Name || step->way == Way::Nested) {
        within_.emplace_back(i, *std::move(step));
        continue;
      }
      coded.columns.push_back(*column);
      coded.columns.back().sort_order.reset();
      coded_.push_back({i, step->values, std::move(step->key)});
    }
    if (!coded_.empty()) decoder_ = decoder_of(coded, options);
  }

  bool is_none() const { return within_.empty() && coded_.empty() && !flatten_; }
  const hub::Schema& schema() const { return schema_; }

  hub::Batch run(hub::Batch batch) const {
    if (flatten_) batch = flatten_->run(std::move(batch));
    if (batch.array.offset != 0) {
      for (hub::Array& column : batch.array.children) {
        column = hub::slice(column, batch.array.offset, batch.array.length);
      }
      batch.array.offset = 0;
    }
    for (const auto& [column, step] : within_) {
      BadItems bad;
      hub::Array& array = batch.array.children[column];
      array = step.run(std::move(array), &bad);
      for (auto& [row, error] : bad) {
        error.place().row = static_cast<uint64_t>(batch.first_row + row);
        refuse({row, std::move(error), ""}, &batch);
      }
    }
    if (coded_.empty() || batch.rows() == 0) return batch;
    yson::Buffer rows;
    for (int64_t row = 0; row < batch.rows(); ++row) {
      rows.append('{');
      for (const Coded& column : coded_) {
        rows.append(column.key);
        append(batch.array.children[column.index], column.values, batch.array.slot(row), &rows);
        rows.append(';');
      }
      rows.append("};");
    }
    yt::RowDecoder decoder(*decoder_);
    hub::Batch decoded = decoder.decode(rows.view(), batch.first_row, {.line = std::nullopt});
    for (size_t i = 0; i < coded_.size(); ++i) {
      batch.array.children[coded_[i].index] = std::move(decoded.array.children[i]);
    }
    for (hub::BadRow& bad : decoded.bad) refuse(std::move(bad), &batch);
    return batch;
  }

 private:
  struct Coded {
    size_t index;
    Values values;
    std::string key;
  };

  /// Adds a bad row, unless another value of it is bad as well. The decoded bytes have no position
  /// in a file.
  static void refuse(hub::BadRow bad, hub::Batch* batch) {
    bad.error.place().byte.reset();
    bad.source_bytes.clear();
    const auto at = std::ranges::lower_bound(batch->bad, bad.index, {}, &hub::BadRow::index);
    if (at == batch->bad.end() || at->index != bad.index) batch->bad.insert(at, std::move(bad));
  }

  /// Without the dictionaries of the stream.
  hub::Schema plain_;
  hub::Schema schema_;
  std::optional<hub::CompiledCast> flatten_;
  /// Columns that are right except for their nested values.
  std::vector<std::pair<size_t, Step>> within_;
  std::vector<Coded> coded_;
  std::shared_ptr<const yt::RowDecoder> decoder_;
};

/// Returns whether all values of `found` are values of what a table schema calls `meant`.
bool is_described(const hub::Type& found, const hub::Type& meant) {
  // A file of Arrow has them with large offsets, too.
  const auto is_bytes = [](const hub::Type& type) {
    return hub::is_utf8(type.kind()) || hub::is_binary(type.kind());
  };
  if (is_bytes(found) && is_bytes(meant)) return true;
  if (hub::is_integer(found.kind()) && hub::is_integer(meant.kind())) {
    return hub::narrowings(hub::domain_of({"", found}), hub::domain_of({"", meant})).empty();
  }
  if (found.kind() == Kind::Float && meant.kind() == Kind::Double) return true;
  const bool lists = hub::is_list(found.kind()) && hub::is_list(meant.kind());
  if (found.kind() != meant.kind() && !lists) return false;
  if (!lists && found.kind() != Kind::Struct && found.kind() != Kind::Map) return found == meant;
  return std::ranges::equal(
      found.children(), meant.children(), [&](const hub::Field& a, const hub::Field& b) {
        return (found.kind() != Kind::Struct || a.name == b.name) && is_described(a.type, b.type);
      });
}

}  // namespace

void check_described(const hub::Schema& rows, const yt::TableSchema& table, bool whole) {
  const char* const hint =
      "This schema describes rows that YTsaurus wrote; it changes none. `cast` changes types, and "
      "`target_schema` is the schema of the output.";
  for (const yt::ColumnSchema& column : table.columns) {
    const auto found = std::ranges::find(rows.fields, column.name, &hub::Field::name);
    if (found == rows.fields.end()) {
      if (!whole) continue;
      throw Error(ErrorCode::Usage, "expected this column of the schema, found none in the rows",
                  {.path = Path::column(column.name)}, hint);
    }
    const hub::Field meant = yt::to_arrow(column.name, column.type);
    if (is_described(found->type, meant.type)) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("expected rows of {} ({}), found {}", yt::print_short(column.type),
                            hub::to_string(meant.type), hub::to_string(found->type)),
                {.path = Path::column(column.name)}, hint);
  }
}

std::unique_ptr<SplitReader> as_table_rows(std::unique_ptr<SplitReader> reader,
                                           const yt::TableSchema& table,
                                           const yt::ReadOptions& options) {
  const auto change = std::make_shared<const Change>(reader->schema(), table, options);
  if (change->is_none()) return reader;
  return change_pieces(std::move(reader), change->schema(),
                       [change](hub::Batch batch) { return change->run(std::move(batch)); });
}

}  // namespace xwalk::io
