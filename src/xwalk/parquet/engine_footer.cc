#include "xwalk/parquet/engine_footer.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "xwalk/parquet/file.h"
#include "xwalk/parquet/thrift.h"
#include "xwalk/parquet/values.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::ListHeader;
using thrift::Reader;
using thrift::Wire;
using thrift::Writer;

/// What differs for the chunks of a leaf.
struct LeafEdit {
  std::optional<PhysicalType> physical;
  /// Whether chunks get the number of NaNs.
  bool counts_nans = false;
  /// Whether chunks keep their smallest and largest values.
  bool bounded = true;
  ColumnOrder order = ColumnOrder::TypeDefined;
};

/// Copies a struct. `edit` is called with the header of each field, and returns true if it has read
/// the value, and written its replacement.
template <typename Edit>
void copy_struct(Reader* reader, std::string* out, Edit edit) {
  Writer writer(out);
  thrift::for_each_field(reader, [&](FieldHeader header) {
    if (edit(&writer, header)) return true;
    const size_t start = reader->position();
    reader->skip(header.type);
    writer.field(header.type, header.id);
    writer.raw(reader->slice(start));
    return true;
  });
  writer.stop();
}

/// Copies a field that is a list of structs, each by `copy` with its number.
template <typename Copy>
void copy_list(Reader* reader, Writer* writer, FieldHeader header, Copy copy) {
  const ListHeader list = reader->list();
  if (list.count > 0 && list.type != Wire::Struct) reader->fail("expected a list of structs");
  writer->field(header.type, header.id);
  writer->list(list.type, list.count);
  for (uint32_t i = 0; i < list.count; ++i) copy(i);
}

/// Reads a field that is a list of structs, each by `read` with its number.
template <typename Read>
void read_list(Reader* reader, Read read) {
  const ListHeader list = reader->list();
  if (list.count > 0 && list.type != Wire::Struct) reader->fail("expected a list of structs");
  for (uint32_t i = 0; i < list.count; ++i) read(i);
}

/// Field ids of FileMetaData, RowGroup, ColumnChunk, ColumnMetaData and Statistics.
struct Id {
  static constexpr int32_t kRowGroups = 4;
  static constexpr int32_t kColumnOrders = 7;
  static constexpr int32_t kColumns = 1;
  static constexpr int32_t kMetaData = 3;
  static constexpr int32_t kColumnIndexOffset = 6;
  static constexpr int32_t kColumnIndexLength = 7;
  static constexpr int32_t kType = 1;
  static constexpr int32_t kValues = 5;
  static constexpr int32_t kStatistics = 12;
  static constexpr int32_t kNullCount = 3;
  static constexpr int32_t kDistinctCount = 4;
  static constexpr int32_t kLargest = 5;
  static constexpr int32_t kSmallest = 6;
  static constexpr int32_t kNanCount = 9;
};

/// Returns true if a chunk has a smallest and a largest value, or nulls alone.
bool has_bounds(Reader* reader) {
  int64_t values = 0;
  std::optional<int64_t> nulls;
  int bounds = 0;
  thrift::for_each_field(reader, [&](FieldHeader column) {
    if (column.id != Id::kMetaData || column.type != Wire::Struct) return false;
    thrift::for_each_field(reader, [&](FieldHeader header) {
      if (header.id == Id::kValues && header.type == Wire::I64) {
        values = reader->i64();
        return true;
      }
      if (header.id != Id::kStatistics || header.type != Wire::Struct) return false;
      thrift::for_each_field(reader, [&](FieldHeader part) {
        if (part.id == Id::kSmallest || part.id == Id::kLargest) ++bounds;
        if (part.id != Id::kNullCount || part.type != Wire::I64) return false;
        nulls = reader->i64();
        return true;
      });
      return true;
    });
    return true;
  });
  return bounds == 2 || nulls == values;
}

/// Marks the leaves of which a chunk has NaN, or values without bounds. DataFusion takes the bounds
/// of the other chunks for those of the file. Returns false if the engine's column
/// index is wrong about a chunk: its pages have no number of NaNs, which the order of IEEE 754
/// requires.
bool mark_unbounded(std::string_view footer, const std::vector<int64_t>& nans,
                    std::vector<LeafEdit>* leaves) {
  Reader reader(footer);
  size_t next = 0;
  bool is_indexed = true;
  const auto chunk = [&](uint32_t leaf) {
    const bool bounds = has_bounds(&reader);
    if (leaf >= leaves->size()) return;
    LeafEdit& edit = (*leaves)[leaf];
    edit.bounded = edit.bounded && bounds;
    if (!edit.counts_nans) return;
    const bool is_counted = next < nans.size();
    const bool may_have_nans = !is_counted || nans[next] != 0;
    ++next;
    const bool in_order = edit.order == ColumnOrder::Ieee754Total;
    if (!is_counted || (may_have_nans && !in_order)) edit.bounded = false;
    if (may_have_nans || in_order) is_indexed = false;
  };
  thrift::for_each_field(&reader, [&](FieldHeader header) {
    if (header.id != Id::kRowGroups || header.type != Wire::List) return false;
    read_list(&reader, [&](uint32_t) {
      thrift::for_each_field(&reader, [&](FieldHeader part) {
        if (part.id != Id::kColumns || part.type != Wire::List) return false;
        read_list(&reader, chunk);
        return true;
      });
    });
    return true;
  });
  return is_indexed;
}

/// Copies FileMetaData with the edits of its leaves.
class ChunkEditor {
 public:
  ChunkEditor(std::string_view footer, const std::vector<LeafEdit>& leaves,
              std::vector<int64_t> nans, bool is_indexed)
      : reader_(footer), leaves_(leaves), nans_(std::move(nans)), is_indexed_(is_indexed) {}

  std::string run() {
    copy_struct(&reader_, &out_, [&](Writer* writer, FieldHeader header) {
      if (header.type != Wire::List) return false;
      if (header.id == Id::kRowGroups) {
        copy_list(&reader_, writer, header, [&](uint32_t) { row_group(); });
        return true;
      }
      if (header.id == Id::kColumnOrders) {
        copy_list(&reader_, writer, header, [&](uint32_t leaf) { column_order(leaf); });
        return true;
      }
      return false;
    });
    return std::move(out_);
  }

 private:
  void row_group() {
    copy_struct(&reader_, &out_, [&](Writer* writer, FieldHeader header) {
      if (header.id != Id::kColumns || header.type != Wire::List) return false;
      copy_list(&reader_, writer, header, [&](uint32_t leaf) {
        static constexpr LeafEdit kNone;
        chunk(leaf < leaves_.size() ? leaves_[leaf] : kNone);
      });
      return true;
    });
  }

  void chunk(const LeafEdit& edit) {
    std::optional<int64_t> nans;
    if (edit.counts_nans && next_ < nans_.size()) nans = nans_[next_++];
    copy_struct(&reader_, &out_, [&](Writer* writer, FieldHeader header) {
      if (header.id == Id::kMetaData && header.type == Wire::Struct) {
        writer->field(header.type, header.id);
        chunk_metadata(edit, nans);
        return true;
      }
      // All chunks of a file have a column index, or none: parquet-go reads them as one piece.
      const bool is_index =
          header.id == Id::kColumnIndexOffset || header.id == Id::kColumnIndexLength;
      if (is_indexed_ || !is_index) return false;
      reader_.skip(header.type);
      return true;
    });
  }

  void chunk_metadata(const LeafEdit& edit, std::optional<int64_t> nans) {
    copy_struct(&reader_, &out_, [&](Writer* writer, FieldHeader header) {
      if (header.id == Id::kType && header.type == Wire::I32 && edit.physical) {
        reader_.i32();
        writer->i32_field(Id::kType, static_cast<int32_t>(*edit.physical));
        return true;
      }
      if (header.id == Id::kStatistics && header.type == Wire::Struct &&
          (edit.counts_nans || !edit.bounded)) {
        writer->field(header.type, header.id);
        statistics(nans, edit.bounded);
        return true;
      }
      return false;
    });
  }

  void statistics(std::optional<int64_t> nans, bool bounded) {
    Writer writer(&out_);
    thrift::for_each_field(&reader_, [&](FieldHeader header) {
      const size_t start = reader_.position();
      reader_.skip(header.type);
      if (bounded || header.id == Id::kNullCount || header.id == Id::kDistinctCount) {
        writer.field(header.type, header.id);
        writer.raw(reader_.slice(start));
      }
      return true;
    });
    if (nans) writer.i64_field(Id::kNanCount, *nans);
    writer.stop();
  }

  void column_order(uint32_t leaf) {
    const size_t start = reader_.position();
    reader_.skip(Wire::Struct, true);
    const ColumnOrder order =
        leaf < leaves_.size() ? leaves_[leaf].order : ColumnOrder::TypeDefined;
    if (order == ColumnOrder::TypeDefined) {
      out_ += reader_.slice(start);
      return;
    }
    Writer writer(&out_);
    writer.field(Wire::Struct, static_cast<int32_t>(order));
    writer.stop();
    writer.stop();
  }

  Reader reader_;
  const std::vector<LeafEdit>& leaves_;
  /// For each row group, the number of each leaf that counts them.
  std::vector<int64_t> nans_;
  bool is_indexed_;
  size_t next_ = 0;
  std::string out_;
};

template <typename Visit>
void visit_leaves(const Node& node, const Visit& visit) {
  if (!node.is_group()) visit(node);
  for (const Node& child : node.children()) visit_leaves(child, visit);
}

/// Returns a footer whose chunks of the schema's INT96 leaves are of another type.
std::vector<LeafEdit> int96_edits(const Schema& schema, PhysicalType type) {
  std::vector<LeafEdit> leaves;
  visit_leaves(schema.root(), [&](const Node& leaf) {
    LeafEdit& edit = leaves.emplace_back();
    if (leaf.physical() == PhysicalType::Int96) edit.physical = type;
  });
  return leaves;
}

bool is_needed(const LeafEdit& edit) { return edit.physical || edit.counts_nans || !edit.bounded; }

std::string edited(std::string footer, const std::vector<LeafEdit>& leaves,
                   std::vector<int64_t> nans = {}, bool is_indexed = true) {
  if (std::ranges::none_of(leaves, is_needed)) return footer;
  return ChunkEditor(footer, leaves, std::move(nans), is_indexed).run();
}

/// Returns a footer that states no order of values.
std::string without_column_orders(std::string_view footer) {
  Reader reader(footer);
  std::string out;
  copy_struct(&reader, &out, [&](Writer*, FieldHeader header) {
    if (header.id != Id::kColumnOrders) return false;
    reader.skip(header.type);
    return true;
  });
  return out;
}

/// Reads numbers that are each followed by a space.
std::vector<int64_t> numbers_of(std::string_view text) {
  std::vector<int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int64_t number = 0;
    const auto [past, error] = std::from_chars(at, end, number);
    if (error != std::errc() || past == end || number < 0) return {};
    numbers.push_back(number);
    at = past + 1;
  }
  return numbers;
}

}  // namespace

bool is_float(const Node& leaf) {
  return leaf.physical() == PhysicalType::Float || leaf.physical() == PhysicalType::Double ||
         leaf.logical().is(LogicalType::Kind::Float16);
}

std::string physical_footer(std::string_view bytes) {
  const Footer footer = parse_footer(bytes);
  std::string without;
  if (footer.miscounts_orders()) bytes = without = without_column_orders(bytes);
  return edited(replace_schema(bytes, physical_schema(footer.schema), {}),
                int96_edits(footer.schema, PhysicalType::FixedLenByteArray));
}

std::string written_footer(std::string_view footer, const Schema& schema,
                           const std::vector<std::pair<std::string, std::string>>& metadata,
                           std::string_view nan_counts) {
  bool is_indexed = true;
  std::vector<LeafEdit> leaves = int96_edits(schema, PhysicalType::Int96);
  std::vector<int64_t> nans;
  if (!nan_counts.empty()) {
    nans = numbers_of(parse_footer(footer).find(nan_counts).value_or(""));
    auto edit = leaves.begin();
    visit_leaves(schema.root(), [&](const Node& leaf) {
      edit->counts_nans = is_float(leaf);
      if (edit->counts_nans) edit->order = leaf.order();
      ++edit;
    });
    is_indexed = mark_unbounded(footer, nans, &leaves);
  }
  return edited(replace_schema(footer, schema, metadata), leaves, std::move(nans), is_indexed);
}

}  // namespace xwalk::parquet
