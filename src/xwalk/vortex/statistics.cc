#include "xwalk/vortex/statistics.h"

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/verified.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/file_generated.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/scalar.h"

namespace xwalk::vortex {
namespace {

/// Types of which a scalar is as the values of an Arrow array are, or a number of any width.
bool is_supported(hub::Kind kind) {
  const hub::KindRow& row = hub::kind_row(kind);
  return hub::is_integer(kind) || hub::is_decimal(kind) || row.form == hub::Form::Unit ||
         row.form == hub::Form::Timestamp || kind == hub::Kind::Date32 ||
         kind == hub::Kind::Date64 || kind == hub::Kind::Bool || kind == hub::Kind::Float ||
         kind == hub::Kind::Double || kind == hub::Kind::Utf8 || kind == hub::Kind::Binary;
}

/// Appends a two's complement number of another width than the array's; false if it does not fit.
bool append_number(std::string_view bytes, bool negative, hub::ColumnBuilder* builder) {
  const auto width = static_cast<size_t>(builder->width());
  std::string value(width, negative ? '\xff' : '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i < width) {
      value[i] = bytes[i];
    } else if (bytes[i] != (negative ? '\xff' : '\0')) {
      return false;
    }
  }
  builder->append_fixed(value.data());
  return true;
}

template <typename T>
bool append_whole(T value, hub::ColumnBuilder* builder) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return append_number({bytes, sizeof bytes}, std::is_signed_v<T> && value < 0, builder);
}

/// Appends a value to an array of a type; false if it is invalid for the type.
bool append_scalar(const ScalarValue& scalar, hub::Kind kind, hub::ColumnBuilder* builder) {
  const bool number = builder->layout() == hub::ColumnBuilder::Layout::Fixed &&
                      kind != hub::Kind::Float && kind != hub::Kind::Double;
  if (const auto* value = std::get_if<int64_t>(&scalar.value)) {
    return number && append_whole(*value, builder);
  }
  if (const auto* value = std::get_if<uint64_t>(&scalar.value)) {
    return number && append_whole(*value, builder);
  }
  if (const auto* value = std::get_if<Bytes>(&scalar.value)) {
    const std::string& bytes = value->bytes;
    if (hub::is_decimal(kind)) {
      return append_number(bytes, !bytes.empty() && (bytes.back() & 0x80) != 0, builder);
    }
    if (kind != hub::Kind::Binary) return false;
    builder->append_bytes(bytes.data(), bytes.size());
    return true;
  }
  if (const auto* value = std::get_if<std::string>(&scalar.value)) {
    if (kind != hub::Kind::Utf8) return false;
    builder->append_bytes(value->data(), value->size());
    return true;
  }
  if (const auto* value = std::get_if<bool>(&scalar.value)) {
    if (kind != hub::Kind::Bool) return false;
    builder->append_bool(*value);
    return true;
  }
  if (const auto* value = std::get_if<float>(&scalar.value)) {
    if (kind != hub::Kind::Float) return false;
    builder->append(*value);
    return true;
  }
  if (const auto* value = std::get_if<double>(&scalar.value)) {
    if (kind != hub::Kind::Double) return false;
    builder->append(*value);
    return true;
  }
  return false;
}

std::string_view view_of(const flatbuffers::Vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Memory of what is known about a column, without the bytes of its values, and how many times as
/// much as those bytes it takes while they are read.
constexpr uint64_t kFactsMemory = 1024;
constexpr uint64_t kValueCopies = 4;

/// Returns the memory that the facts about a column take.
uint64_t memory_of(const wire::ArrayStats& stats) {
  uint64_t bytes = 0;
  for (const auto* end : {stats.min(), stats.max()}) bytes += end == nullptr ? 0 : end->size();
  return kFactsMemory + kValueCopies * bytes;
}

/// Returns the smallest and largest value of a column; empty if they are invalid.
std::optional<hub::SeenValues> values_of(const wire::ArrayStats& stats, hub::Field field) {
  const hub::Kind kind = field.type.kind();
  if (stats.min() == nullptr || stats.max() == nullptr || !is_supported(kind)) return std::nullopt;
  field.nullable = true;
  hub::ColumnBuilder builder(field);
  try {
    for (const auto* end : {stats.min(), stats.max()}) {
      if (!append_scalar(read_scalar_value(view_of(*end)), kind, &builder)) return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  hub::Batch batch;
  batch.array = hub::start(2);
  batch.array.children.push_back(builder.finish());
  hub::SeenValues seen({{std::move(field)}, {}}, hub::Looking::Everything);
  seen.add(batch);
  return seen;
}

}  // namespace

hub::FileFacts facts_of(std::string_view file) {
  hub::FileFacts facts;
  facts.rows = read_file_rows(file);
  const FileFooter footer = read_footer(file);
  facts.versions.insert(std::to_string(footer.version));
  if (!footer.statistics || !footer.dtype) return facts;
  const hub::Schema schema = to_arrow(read_file_dtype(file));
  const std::string_view bytes = file.substr(footer.statistics->offset, footer.statistics->length);
  const Verified<wire::FileStatistics> stats(bytes, "statistics", footer.statistics->offset);
  const auto* columns = stats->field_stats();
  if (columns == nullptr || columns->size() != schema.fields.size()) return facts;
  // guard(allocate): Columns may share one value.
  SchemaMemory memory(bytes.size());
  for (uint32_t i = 0; i < columns->size(); ++i) {
    const wire::ArrayStats& column = *columns->Get(i);
    memory.take(memory_of(column));
    hub::ColumnFacts& fact = facts.columns.emplace_back();
    fact.path = Path::column(schema.fields[i].name);
    const auto nulls = column.null_count();
    if (nulls.has_value()) fact.nulls.emplace(nulls.value());
    fact.values = values_of(column, schema.fields[i]);
    fact.shortened = column.min_precision() != 1 || column.max_precision() != 1;
    if (fact.nulls && facts.rows && *fact.nulls > *facts.rows) fact.nulls.reset();
  }
  return facts;
}

}  // namespace xwalk::vortex
