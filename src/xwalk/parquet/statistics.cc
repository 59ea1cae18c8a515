#include "xwalk/parquet/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/wkb.h"
#include "xwalk/parquet/decode.h"
#include "xwalk/parquet/engine_footer.h"
#include "xwalk/parquet/geo_metadata.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/thrift.h"
#include "xwalk/parquet/values.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::for_each_field;
using thrift::Reader;
using thrift::Wire;
using Kind = LogicalType::Kind;

/// The statistics of a column chunk, as stored in the footer.
struct Chunk {
  int32_t codec = -1;
  int64_t values = 0;
  int64_t bytes = 0;
  std::optional<int64_t> nulls;
  std::optional<int64_t> distinct;
  std::optional<int64_t> nans;
  std::optional<hub::GeospatialFacts> geospatial;
  std::optional<std::string_view> smallest;
  std::optional<std::string_view> largest;
  /// The deprecated fields, whose sort order was undefined.
  std::optional<std::string_view> old_smallest;
  std::optional<std::string_view> old_largest;
  bool shortened = false;
  bool page_index = false;
  bool bloom_filter = false;
};

struct RowGroup : GroupOrder {
  std::vector<Chunk> chunks;
};

void read_statistics(Reader* reader, Chunk* chunk) {
  for_each_field(reader, [&](FieldHeader header) {
    if (header.type == Wire::Binary) {
      std::optional<std::string_view>* to = header.id == 1   ? &chunk->old_largest
                                            : header.id == 2 ? &chunk->old_smallest
                                            : header.id == 5 ? &chunk->largest
                                            : header.id == 6 ? &chunk->smallest
                                                             : nullptr;
      if (to == nullptr) return false;
      *to = reader->binary();
      return true;
    }
    if (header.type == Wire::I64) {
      std::optional<int64_t>* to = header.id == 3   ? &chunk->nulls
                                   : header.id == 4 ? &chunk->distinct
                                   : header.id == 9 ? &chunk->nans
                                                    : nullptr;
      if (to == nullptr) return false;
      *to = reader->i64();
      return true;
    }
    // is_max_value_exact, is_min_value_exact
    if (header.type == Wire::False && (header.id == 7 || header.id == 8)) chunk->shortened = true;
    return false;
  });
}

/// Reads a bounding box: xmin, xmax, ymin, ymax, zmin, zmax, mmin, mmax.
void read_box(Reader* reader, hub::GeospatialFacts* facts) {
  std::array<std::optional<double>, 8> bounds;
  for_each_field(reader, [&](FieldHeader header) {
    if (header.type != Wire::Double || header.id < 1 || header.id > 8) return false;
    bounds.at(static_cast<size_t>(header.id) - 1) = reader->number();
    return true;
  });
  for (size_t axis = 0; axis < facts->box.size(); ++axis) {
    const std::optional<double>& least = bounds.at(2 * axis);
    const std::optional<double>& greatest = bounds.at(2 * axis + 1);
    if (!least || !greatest || std::isnan(*least) || std::isnan(*greatest)) continue;
    facts->box.at(axis) = {.least = *least, .greatest = *greatest};
  }
}

/// Reads geospatial statistics. Types are unknown if one of their codes is.
hub::GeospatialFacts read_geospatial(Reader* reader) {
  hub::GeospatialFacts facts;
  bool known = true;
  for_each_field(reader, [&](FieldHeader header) {
    if (header.id == 1 && header.type == Wire::Struct) {
      read_box(reader, &facts);
      return true;
    }
    if (header.id != 2 || header.type != Wire::List) return false;
    const thrift::ListHeader codes = reader->list();
    if (codes.count > 0 && codes.type != Wire::I32) reader->fail("expected types of geometries");
    for (uint32_t i = 0; i < codes.count; ++i) {
      std::string name = hub::wkb_type_name(static_cast<uint32_t>(reader->i32()));
      known = known && !name.empty();
      facts.types.insert(std::move(name));
    }
    return true;
  });
  if (!known) facts.types.clear();
  return facts;
}

Chunk read_chunk(Reader* reader) {
  Chunk chunk;
  for_each_field(reader, [&](FieldHeader column) {
    constexpr int32_t kMetaData = 3;
    constexpr int32_t kColumnIndex = 6;
    if (column.id == kColumnIndex) chunk.page_index = true;
    if (column.id != kMetaData || column.type != Wire::Struct) return false;
    for_each_field(reader, [&](FieldHeader header) {
      constexpr int32_t kCodec = 4;
      constexpr int32_t kValues = 5;
      constexpr int32_t kBytes = 7;
      constexpr int32_t kStatistics = 12;
      constexpr int32_t kBloomFilter = 14;
      constexpr int32_t kGeospatial = 17;
      if (header.id == kBloomFilter) chunk.bloom_filter = true;
      if (header.id == kCodec && header.type == Wire::I32) {
        chunk.codec = reader->i32();
      } else if (header.id == kValues && header.type == Wire::I64) {
        chunk.values = reader->i64();
      } else if (header.id == kBytes && header.type == Wire::I64) {
        chunk.bytes = reader->i64();
      } else if (header.id == kStatistics && header.type == Wire::Struct) {
        read_statistics(reader, &chunk);
      } else if (header.id == kGeospatial && header.type == Wire::Struct) {
        chunk.geospatial = read_geospatial(reader);
      } else {
        return false;
      }
      return true;
    });
    return true;
  });
  return chunk;
}

SortingColumn read_sorting_column(Reader* reader) {
  SortingColumn out;
  for_each_field(reader, [&](FieldHeader header) {
    if (header.id == 1 && header.type == Wire::I32) {
      out.leaf = reader->i32();
      return true;
    }
    if (header.id == 2) out.descending = header.type == Wire::True;
    if (header.id == 3) out.nulls_first = header.type == Wire::True;
    return false;
  });
  return out;
}

/// Returns the row groups, the chunks of each in the order of the leaves.
std::vector<RowGroup> read_groups(std::string_view footer) {
  std::vector<RowGroup> groups;
  Reader reader(footer);
  for_each_field(&reader, [&](FieldHeader header) {
    constexpr int32_t kRowGroups = 4;
    if (header.id != kRowGroups || header.type != Wire::List) return false;
    const thrift::ListHeader list = reader.list();
    if (list.count > 0 && list.type != Wire::Struct) reader.fail("expected row groups");
    for (uint32_t i = 0; i < list.count; ++i) {
      RowGroup& group = groups.emplace_back();
      for_each_field(&reader, [&](FieldHeader part) {
        constexpr int32_t kColumns = 1;
        constexpr int32_t kRows = 3;
        constexpr int32_t kSortingColumns = 4;
        if (part.id == kRows && part.type == Wire::I64) {
          group.rows = reader.i64();
          return true;
        }
        if (part.id == kSortingColumns && part.type == Wire::List) {
          const thrift::ListHeader keys = reader.list();
          if (keys.count > 0 && keys.type != Wire::Struct) reader.fail("expected sorting columns");
          for (uint32_t k = 0; k < keys.count; ++k) {
            group.sorted_by.push_back(read_sorting_column(&reader));
          }
          return true;
        }
        if (part.id != kColumns || part.type != Wire::List) return false;
        const thrift::ListHeader columns = reader.list();
        if (columns.count > 0 && columns.type != Wire::Struct) {
          reader.fail("expected column chunks");
        }
        for (uint32_t k = 0; k < columns.count; ++k) group.chunks.push_back(read_chunk(&reader));
        return true;
      });
    }
    return true;
  });
  return groups;
}

std::string codec_name(int32_t codec) {
  constexpr std::array<std::string_view, 8> kNames = {"none",   "snappy", "gzip", "lzo",
                                                      "brotli", "lz4",    "zstd", "lz4"};
  if (codec < 0) return "unnamed";
  if (static_cast<size_t>(codec) >= kNames.size()) return fmt::format("codec {}", codec);
  return std::string(kNames.at(static_cast<size_t>(codec)));
}

/// Whether the values have an order by which a file may say which is the smallest.
bool has_order(const Node& leaf) {
  const LogicalType& type = leaf.logical();
  return (leaf.physical() != PhysicalType::Int96 || leaf.order() == ColumnOrder::Int96Timestamp) &&
         !type.is(Kind::Interval) && !type.is(Kind::Variant) && !type.is(Kind::Geometry) &&
         !type.is(Kind::Geography) && !type.is(Kind::Unknown);
}

/// Whether the fields that were given up can be believed: all writers compared signed numbers.
bool had_order(const Node& leaf) {
  const PhysicalType type = leaf.physical();
  const bool number = type == PhysicalType::Int32 || type == PhysicalType::Int64 ||
                      type == PhysicalType::Float || type == PhysicalType::Double;
  const bool unsigned_number =
      leaf.logical().is(LogicalType::Kind::Integer) && !leaf.logical().is_signed();
  return number && !unsigned_number;
}

/// Bytes of each value; 0 where they vary.
size_t width_of(const Node& leaf) {
  switch (leaf.physical()) {
    case PhysicalType::Boolean:
      return 1;
    case PhysicalType::Int32:
    case PhysicalType::Float:
      return 4;
    case PhysicalType::Int64:
    case PhysicalType::Double:
      return 8;
    case PhysicalType::Int96:
      return 12;
    case PhysicalType::FixedLenByteArray:
      return static_cast<size_t>(leaf.length());
    case PhysicalType::ByteArray:
      return 0;
  }
  return 0;
}

bool is_nan(const Node& leaf, std::string_view bytes) {
  if (leaf.physical() == PhysicalType::Float) {
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return std::isnan(value);
  }
  if (leaf.physical() == PhysicalType::Double) {
    double value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return std::isnan(value);
  }
  return false;
}

/// Decodes values of one leaf.
struct LeafDecoder {
  explicit LeafDecoder(const Node& leaf)
      : schema(Node::group(Repetition::Required, "schema", {leaf})),
        decoder(schema),
        raw(physical_arrow(schema).fields.front()) {}

  Schema schema;
  Decoder decoder;
  hub::Field raw;
};

/// The decoders of leaves of earlier files: most files of a folder have the same columns.
class LeafDecoders {
 public:
  std::shared_ptr<const LeafDecoder> of(const Node& leaf) {
    constexpr size_t kMostNames = 256;
    constexpr size_t kLongestName = 256;
    if (leaf.name().size() > kLongestName) return std::make_shared<const LeafDecoder>(leaf);
    const std::lock_guard guard(mutex_);
    const auto known = known_.find(leaf.name());
    if (known != known_.end() && known->second->schema.columns().front() == leaf) {
      return known->second;
    }
    auto made = std::make_shared<const LeafDecoder>(leaf);
    if (known_.size() == kMostNames) known_.clear();
    known_.insert_or_assign(std::string(leaf.name()), made);
    return made;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const LeafDecoder>> known_;
};

/// Decodes values of a leaf as if from its pages, and returns the smallest and largest; empty if
/// one is invalid for the type.
std::optional<hub::SeenValues> seen_values(const Node& leaf,
                                           const std::vector<std::string_view>& values,
                                           const hub::Field* column) {
  NodeData data = leaf.data();
  data.repetition = Repetition::Optional;
  static LeafDecoders decoders;
  const std::shared_ptr<const LeafDecoder> decoder = decoders.of(Node(std::move(data)));
  hub::ColumnBuilder builder(decoder->raw);
  const bool is_fixed = leaf.physical() != PhysicalType::ByteArray;
  const size_t width = width_of(leaf);
  // Values without bytes have no statistics.
  if (is_fixed && width == 0) return std::nullopt;
  for (const std::string_view value : values) {
    if (is_fixed && (value.size() != width || is_nan(leaf, value))) return std::nullopt;
    if (leaf.physical() == PhysicalType::Boolean) {
      builder.append_bool(value.front() != 0);
    } else if (is_fixed) {
      builder.append_fixed(value.data());
    } else {
      builder.append_bytes(value.data(), value.size());
    }
  }
  hub::Batch batch;
  batch.array = hub::start(static_cast<int64_t>(values.size()));
  batch.array.children.push_back(builder.finish());
  batch = decoder->decoder.decode(std::move(batch));
  hub::Schema schema_of_values = decoder->decoder.schema();
  if (column != nullptr) {
    hub::Field field = *column;
    field.type = hub::without_encoding(field.type);
    field.nullable = true;
    try {
      batch = hub::compile_cast(schema_of_values, {{field}, {}}).run(std::move(batch));
    } catch (const Error&) {
      return std::nullopt;
    }
    schema_of_values = {{std::move(field)}, {}};
  }
  if (!batch.bad.empty()) return std::nullopt;
  hub::SeenValues seen(schema_of_values, hub::Looking::Everything);
  seen.add(batch);
  return seen;
}

bool has_null_count(const Chunk& chunk) {
  return chunk.nulls && *chunk.nulls >= 0 && *chunk.nulls <= chunk.values;
}

bool has_values(const Chunk& chunk) {
  return chunk.values > 0 && !(has_null_count(chunk) && *chunk.nulls == chunk.values);
}

/// Returns the NaNs of all chunks with values; nothing if one of them does not count them.
std::optional<uint64_t> nans_of(const std::vector<RowGroup>& groups, size_t index) {
  std::optional<uint64_t> sum;
  for (const RowGroup& group : groups) {
    const Chunk& chunk = group.chunks[index];
    if (!has_values(chunk)) continue;
    if (!chunk.nans || *chunk.nans < 0 || *chunk.nans > chunk.values) return std::nullopt;
    sum = sum.value_or(0) + static_cast<uint64_t>(*chunk.nans);
  }
  return sum;
}

/// Returns the statistics of the geometries of all chunks with values; nothing if one has none.
std::optional<hub::GeospatialFacts> geospatial_of(const std::vector<RowGroup>& groups,
                                                  size_t index) {
  std::optional<hub::GeospatialFacts> all;
  for (const RowGroup& group : groups) {
    const Chunk& chunk = group.chunks[index];
    if (!has_values(chunk)) continue;
    if (!chunk.geospatial) return std::nullopt;
    if (all) {
      hub::add_geospatial(*chunk.geospatial, &*all);
    } else {
      all = chunk.geospatial;
    }
  }
  return all;
}

bool is_geospatial(const Node& leaf) {
  return leaf.logical().is(LogicalType::Kind::Geometry) ||
         leaf.logical().is(LogicalType::Kind::Geography);
}

/// Collects what the chunks of one leaf say. `column` is the column that another writer's notes
/// restore, if they do.
hub::ColumnFacts leaf_facts(const Resolved& leaf, bool always_there, size_t index,
                            const std::vector<RowGroup>& groups, const hub::Field* column) {
  hub::ColumnFacts facts;
  facts.path = leaf.path;
  facts.bytes = 0;
  if (always_there) facts.nulls = 0;
  std::vector<std::string_view> values;
  bool ordered = leaf.has_known_order && has_order(leaf.node);
  for (const RowGroup& group : groups) {
    const Chunk& chunk = group.chunks[index];
    *facts.bytes += static_cast<uint64_t>(std::max<int64_t>(0, chunk.bytes));
    if (!has_null_count(chunk)) facts.nulls.reset();
    if (facts.nulls) *facts.nulls += static_cast<uint64_t>(*chunk.nulls);
    if (groups.size() == 1 && chunk.distinct && *chunk.distinct >= 0 &&
        *chunk.distinct <= chunk.values) {
      facts.distinct = {static_cast<uint64_t>(*chunk.distinct), false};
    }
    if (!has_values(chunk)) continue;
    const bool old = !chunk.smallest && had_order(leaf.node);
    const auto& smallest = old ? chunk.old_smallest : chunk.smallest;
    const auto& largest = old ? chunk.old_largest : chunk.largest;
    ordered = ordered && smallest && largest;
    if (!ordered) continue;
    values.push_back(*smallest);
    values.push_back(*largest);
    facts.shortened = facts.shortened || chunk.shortened;
  }
  if (ordered) facts.values = seen_values(leaf.node, values, column);
  if (is_float(leaf.node)) facts.nans = nans_of(groups, index);
  if (is_geospatial(leaf.node)) facts.geospatial = geospatial_of(groups, index);
  return facts;
}

/// Walks the meaning of a schema beside its leaves, which are in the order of the chunks.
class Walk {
 public:
  Walk(const std::vector<RowGroup>& groups, const hub::Schema& rows) : groups_(groups) {
    for (const hub::Field& field : rows.fields) add(field, Path::column(field.name));
  }

  void visit(const Resolved& node, bool always_there) {
    if (!node.children.empty()) {
      const bool is_struct = node.field.type.kind() == hub::Kind::Struct;
      for (const Resolved& child : node.children) {
        visit(child, always_there && is_struct && !node.field.nullable);
      }
      return;
    }
    if (node.node.is_group()) {
      leaves_ += static_cast<size_t>(count_leaves(node.node));
      return;
    }
    const size_t leaf = leaves_++;
    for (const RowGroup& group : groups_) {
      if (leaf >= group.chunks.size()) return;
    }
    columns_.push_back(leaf_facts(node, always_there, leaf, groups_, noted(node)));
  }

  /// Returns what was collected, if the chunks are those of the leaves.
  std::vector<hub::ColumnFacts> columns() && {
    for (const RowGroup& group : groups_) {
      if (group.chunks.size() != leaves_) return {};
    }
    return std::move(columns_);
  }

 private:
  void add(const hub::Field& field, const Path& path) {
    fields_.emplace(path, &field);
    for (const hub::Child& child : hub::children_of(hub::without_encoding(field.type), path)) {
      add(*child.field, child.path);
    }
  }

  /// Returns the field of a leaf in the rows, if it has another type or an annotation there.
  const hub::Field* noted(const Resolved& leaf) const {
    const auto found = fields_.find(leaf.path);
    if (found == fields_.end() || (found->second->type == leaf.field.type &&
                                   found->second->metadata == leaf.field.metadata)) {
      return nullptr;
    }
    return found->second;
  }

  const std::vector<RowGroup>& groups_;
  /// The columns of rows, and what is below them.
  std::unordered_map<Path, const hub::Field*, Path::Hash> fields_;
  size_t leaves_ = 0;
  std::vector<hub::ColumnFacts> columns_;
};

/// Returns the column that is itself the leaf with this number; null if the leaf is nested.
const Node* column_of_leaf(const Schema& schema, int leaf) {
  int at = 0;
  for (const Node& column : schema.columns()) {
    if (at == leaf) return column.is_group() ? nullptr : &column;
    at += count_leaves(column);
  }
  return nullptr;
}

}  // namespace

hub::FileFacts facts_of(std::string_view footer, const Footer& parsed, const hub::Schema& rows) {
  const std::vector<RowGroup> groups = read_groups(footer);
  hub::FileFacts facts;
  // Some writers leave out the number of all rows.
  facts.rows = 0;
  for (const RowGroup& group : groups) {
    *facts.rows += static_cast<uint64_t>(std::max<int64_t>(0, group.rows));
  }
  facts.pieces_are = "row groups";
  facts.pieces = groups.size();
  if (!parsed.created_by.empty()) facts.writers.insert(parsed.created_by);
  for (const RowGroup& group : groups) {
    for (const Chunk& chunk : group.chunks) facts.compression.insert(codec_name(chunk.codec));
  }
  try {
    Walk walk(groups, rows);
    for (const Resolved& column : resolve(parsed.schema).columns) walk.visit(column, true);
    facts.columns = std::move(walk).columns();
    add_geo_facts(rows.metadata, &facts.columns);
  } catch (const Error& error) {
    // The facts are still valid if the schema cannot be interpreted.
    if (error.code() != ErrorCode::Input && error.code() != ErrorCode::Unsupported) throw;
  }
  return facts;
}

std::vector<GroupOrder> group_orders(std::string_view footer) {
  std::vector<GroupOrder> out;
  for (RowGroup& group : read_groups(footer)) out.push_back(std::move(group));
  return out;
}

hub::Storing storing_of(std::string_view footer, const Schema& schema) {
  const std::vector<RowGroup> groups = read_groups(footer);
  hub::Storing out;
  if (groups.empty()) return out;
  const RowGroup& first = groups.front();
  size_t leaf = 0;
  for (const Node& column : schema.columns()) {
    if (leaf >= first.chunks.size()) break;
    const int32_t codec = first.chunks[leaf].codec;
    constexpr int32_t kLzo = 3;  // not used by any writer
    if (codec >= 0 && codec <= 7 && codec != kLzo) {
      out.compression.emplace(column.name(), codec_name(codec));
    }
    leaf += static_cast<size_t>(count_leaves(column));
  }
  for (const RowGroup& group : groups) {
    // One group may be all there is; of several the largest has the usual size.
    if (groups.size() > 1) out.group_rows = std::max(out.group_rows, group.rows);
    for (const Chunk& chunk : group.chunks) {
      out.page_index = out.page_index || chunk.page_index;
      out.bloom_filters = out.bloom_filters || chunk.bloom_filter;
    }
  }
  const bool alike = std::ranges::all_of(
      groups, [&](const RowGroup& group) { return group.sorted_by == first.sorted_by; });
  out.sorted_in_parts = groups.size() > 1;
  for (const SortingColumn& key : first.sorted_by) {
    const Node* column = alike ? column_of_leaf(schema, key.leaf) : nullptr;
    if (column == nullptr) break;
    out.sorted_by.push_back({column->name(), key.descending, key.nulls_first});
  }
  return out;
}

}  // namespace xwalk::parquet
