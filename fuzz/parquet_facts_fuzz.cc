// A file of a schema made of the input: row groups with statistics, headers of pages, column
// orders. Written files are read back. Row groups are counted, and distinguished by position. A
// footer for the physical nesting is turned back into the file's. Twice the groups have twice the
// bytes and the same smallest and largest values, in any order.
//
// A few inputs are any bytes instead: a footer, the compact protocol, a file, or headers of pages.
// They are refused, or what is read of them holds together and is written again.

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/parquet_random.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/random_access.h"
#include "xwalk/parquet/bson.h"
#include "xwalk/parquet/elements.h"
#include "xwalk/parquet/engine_footer.h"
#include "xwalk/parquet/explain.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/message.h"
#include "xwalk/parquet/pages.h"
#include "xwalk/parquet/row_groups.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/statistics.h"
#include "xwalk/parquet/thrift.h"
#include "xwalk/parquet/validate.h"
#include "xwalk/parquet/values.h"

namespace xwalk::fuzz {
namespace {

using parquet::thrift::Wire;
using parquet::thrift::Writer;

constexpr int64_t kDictionaryBytes = 100;
constexpr int64_t kPageBytes = 1000;

struct LeafAt {
  parquet::Node node;
  bool is_column = false;
};

void collect(const parquet::Node& node, bool is_column, std::vector<LeafAt>* leaves) {
  if (!node.is_group()) leaves->push_back({node, is_column});
  for (const parquet::Node& child : node.children()) collect(child, false, leaves);
}

/// A column chunk that was written: what its pages are.
struct Chunk {
  bool indices = true;
  bool large = false;
  bool plain_or_indices = true;
  int64_t plain_bytes = 0;
};

struct Group {
  int64_t rows = 0;
  std::string bytes;  ///< of the RowGroup
  std::vector<Chunk> chunks;
  std::vector<int32_t> codecs;
};

/// How the file breaks a promise.
enum class Broken : uint8_t {
  Nothing,
  Encrypted,
  Elsewhere,
  MoreValues,
  FewerValues,
  OtherRows,
  NoRows,    ///< a group of less than no rows
  NoChunk,   ///< of a column
  OtherSum,  ///< of the rows of all groups
};

class FileWriter {
 public:
  FileWriter(Choices* choices, std::vector<LeafAt> leaves, Broken broken)
      : choices_(choices), leaves_(std::move(leaves)), broken_(broken) {}

  Group group() {
    Group group;
    group.rows = choices_->byte() % 5;
    if (broken_ != Broken::Nothing) group.rows += 2;
    Writer writer(&group.bytes);
    writer.field(Wire::List, 1);
    const size_t chunks = leaves_.size() - (broken_ == Broken::NoChunk ? 1 : 0);
    writer.list(Wire::Struct, chunks);
    for (size_t i = 0; i < chunks; ++i) chunk(leaves_[i].node, &group);
    writer.i64_field(2, 7);
    writer.i64_field(3, broken_ == Broken::NoRows ? -1 : group.rows);
    if (const uint8_t sorted = choices_->byte(); sorted % 4 == 0) {
      writer.field(Wire::List, 4);
      const size_t keys = sorted / 4 % 3;
      writer.list(Wire::Struct, keys);
      for (size_t i = 0; i < keys; ++i) {
        Writer key(&group.bytes);
        key.i32_field(1, choices_->byte() % 6);
        key.bool_field(2, i == 0);
        key.bool_field(3, i == 1);
        key.stop();
      }
    }
    writer.stop();
    broken_ = Broken::Nothing;
    return group;
  }

  const std::string& body() const { return body_; }

 private:
  /// A header and as many bytes as it says.
  void page(int32_t type, int32_t plain, int32_t values, int32_t encoding, int32_t rows) {
    const int32_t bytes = choices_->byte() % 4;
    Writer header(&body_);
    header.i32_field(1, type);
    header.i32_field(2, plain);
    header.i32_field(3, bytes);
    header.field(Wire::Struct, type == 0 ? 5 : type == 2 ? 7 : 8);
    Writer inner(&body_);
    inner.i32_field(1, values);
    if (type != 3) inner.i32_field(2, encoding);
    if (type == 3) {
      inner.i32_field(2, 0);
      inner.i32_field(3, rows);
      inner.i32_field(4, encoding);
    }
    inner.stop();
    header.stop();
    body_.append(static_cast<size_t>(bytes), '?');
  }

  /// Pages for this many values.
  Chunk pages(int64_t values) {
    Chunk chunk;
    const uint8_t kind = choices_->byte();
    const auto noted = [&](int32_t plain, bool holds_values) {
      chunk.plain_bytes += plain;
      chunk.large = chunk.large || (holds_values && plain >= kPageBytes);
    };
    if (kind % 3 != 0) {
      const auto plain = static_cast<int32_t>(choices_->byte()) * (kind % 3);
      noted(plain, values > 0);
      page(2, plain, 3, 0, -1);
      chunk.indices = plain <= kDictionaryBytes;
    } else {
      chunk.indices = false;
    }
    for (int64_t left = values; left > 0;) {
      const auto here = static_cast<int32_t>(1 + choices_->byte() % left);
      const uint8_t how = choices_->byte();
      const int32_t encoding = how % 8 == 7 ? 5 : how % 8 == 6 ? 0 : how % 8 == 5 ? 2 : 8;
      const int32_t plain = (kind & 16) != 0 ? 16 * choices_->byte() : 3;
      noted(plain, encoding == 0);
      chunk.indices = chunk.indices && (encoding == 2 || encoding == 8);
      chunk.plain_or_indices = chunk.plain_or_indices && encoding != 5;
      int32_t said = here;
      if (broken_ == Broken::MoreValues) said = 1'000'000;
      if (broken_ == Broken::FewerValues && left == here) said = here - 1;
      const bool of_rows = broken_ == Broken::OtherRows || (kind & 32) != 0;
      page(of_rows ? 3 : 0, plain, said, encoding, broken_ == Broken::OtherRows ? here + 1 : here);
      left -= here;
    }
    if (values == 0) chunk.indices = true;
    return chunk;
  }

  void chunk(const parquet::Node& leaf, Group* group) {
    const auto start = static_cast<int64_t>(body_.size());
    const Chunk made = pages(group->rows);
    const auto bytes = static_cast<int64_t>(body_.size()) - start;
    const uint8_t kind = choices_->byte();
    Writer writer(&group->bytes);
    if (kind % 16 == 1) writer.binary_field(1, "file");
    if (broken_ == Broken::Elsewhere) writer.binary_field(1, "another");
    writer.i64_field(2, 0);
    writer.field(Wire::Struct, 3);
    Writer meta(&group->bytes);
    meta.i32_field(1, static_cast<int32_t>(leaf.physical()));
    meta.field(Wire::List, 2);
    meta.list(Wire::I32, 0);
    group->codecs.push_back(kind % 10 - 1);
    meta.i32_field(4, group->codecs.back());
    meta.i64_field(5, group->rows);
    meta.i64_field(6, made.plain_bytes);
    meta.i64_field(7, bytes);
    meta.i64_field(9, start);
    if ((kind & 64) != 0) meta.i64_field(11, start);
    if ((kind & 32) == 0) statistics(leaf, group->rows, &meta, &group->bytes);
    if (kind % 32 == 3) meta.i64_field(14, 0);
    meta.stop();
    if (kind % 32 == 5) writer.i64_field(6, 0);
    if (broken_ == Broken::Encrypted) {
      writer.field(Wire::Struct, 8);
      group->bytes += '\0';
    }
    writer.stop();
    group->chunks.push_back(made);
  }

  void statistics(const parquet::Node& leaf, int64_t rows, Writer* meta, std::string* out) {
    const uint8_t kind = choices_->byte();
    meta->field(Wire::Struct, 12);
    Writer writer(out);
    const bool old = (kind & 1) != 0;
    if (old) {
      writer.binary_field(1, value(leaf));
      writer.binary_field(2, value(leaf));
    }
    if ((kind & 2) == 0) writer.i64_field(3, kind % 16 == 4 ? rows : kind % 32 == 8 ? -1 : 0);
    if ((kind & 4) != 0) writer.i64_field(4, kind % 3);
    if (!old || (kind & 8) != 0) {
      writer.binary_field(5, value(leaf));
      writer.binary_field(6, value(leaf));
    }
    if ((kind & 16) != 0) writer.bool_field(7, (kind & 32) != 0);
    if ((kind & 64) != 0) writer.bool_field(8, false);
    writer.stop();
  }

  /// A value of a leaf, mostly of its width.
  std::string value(const parquet::Node& leaf) {
    const uint8_t kind = choices_->byte();
    size_t width = 0;
    switch (leaf.physical()) {
      case parquet::PhysicalType::Boolean:
        return std::string(1, static_cast<char>(kind % 2));
      case parquet::PhysicalType::Int32:
      case parquet::PhysicalType::Float:
        width = 4;
        break;
      case parquet::PhysicalType::Int64:
      case parquet::PhysicalType::Double:
        width = 8;
        break;
      case parquet::PhysicalType::Int96:
        width = 12;
        break;
      case parquet::PhysicalType::FixedLenByteArray:
        width = static_cast<size_t>(leaf.length());
        break;
      case parquet::PhysicalType::ByteArray:
        if (kind % 4 == 0) return "1.5";
        if (kind % 4 == 1) return std::string("\0\7", 2);
        return std::string(choices_->text().substr(0, 20));
    }
    std::string out(width, kind % 8 == 1 ? '\xff' : '\0');
    if (kind % 8 < 4) out.front() = static_cast<char>(choices_->byte());
    if (kind % 8 >= 4) out.back() = static_cast<char>(choices_->byte());
    if (leaf.physical() == parquet::PhysicalType::Int96) {
      store_little_endian(int32_t{2'440'588}, out.data() + 8);
    }
    if (kind == 255) out += '!';
    return out;
  }

  Choices* choices_;
  std::vector<LeafAt> leaves_;
  Broken broken_;
  std::string body_ = "PAR1";
};

std::string write_footer(const parquet::Schema& schema, const std::vector<const Group*>& groups,
                         const std::vector<int32_t>& orders, std::string_view created_by) {
  std::string out;
  Writer writer(&out);
  writer.i32_field(1, 2);
  writer.field(Wire::List, 2);
  writer.raw(parquet::write_schema_elements(schema));
  int64_t rows = 0;
  for (const Group* group : groups) rows += group->rows;
  writer.i64_field(3, rows);
  writer.field(Wire::List, 4);
  writer.list(Wire::Struct, groups.size());
  for (const Group* group : groups) writer.raw(group->bytes);
  if (!created_by.empty()) writer.binary_field(6, created_by);
  if (!orders.empty()) {
    writer.field(Wire::List, 7);
    writer.list(Wire::Struct, orders.size());
    for (const int32_t order : orders) {
      Writer one(&out);
      one.field(Wire::Struct, order);
      Writer(&out).stop();
      one.stop();
    }
  }
  writer.stop();
  return out;
}

std::string whole_file(const std::string& body, const std::string& footer) {
  std::string out = body + footer + "????PAR1";
  store_little_endian(static_cast<uint32_t>(footer.size()), out.data() + out.size() - 8);
  return out;
}

hub::FileFacts facts_of(const std::string& footer, const hub::Schema& rows) {
  return parquet::facts_of(footer, parquet::parse_footer(footer), rows);
}

/// Smallest and largest, as they are shown.
std::string range_of(const hub::ColumnFacts& column) {
  if (!column.values) return "nothing";
  std::string out;
  for (const hub::SeenRange& range : column.values->ranges()) {
    out += range.smallest + " to " + range.largest + "\n";
  }
  return out;
}

void check_facts(const parquet::Schema& schema, const std::vector<LeafAt>& leaves,
                 const std::vector<Group>& groups, const hub::Schema& rows) {
  // INT96 timestamps have an order if the footer states it.
  std::vector<int32_t> orders;
  for (const LeafAt& leaf : leaves) {
    orders.push_back(leaf.node.physical() == parquet::PhysicalType::Int96 ? 3 : 1);
  }
  std::vector<const Group*> once;
  for (const Group& group : groups) once.push_back(&group);
  std::vector<const Group*> twice = once;
  twice.insert(twice.end(), once.rbegin(), once.rend());
  const hub::FileFacts one = facts_of(write_footer(schema, once, orders, "a writer"), rows);
  const hub::FileFacts two = facts_of(write_footer(schema, twice, orders, ""), rows);
  require(one.writers == std::set<std::string>{"a writer"} && two.writers.empty());
  require(two.rows == *one.rows * 2 && one.pieces == groups.size() && two.pieces == 2 * one.pieces);
  require(one.compression == two.compression && one.columns.size() == two.columns.size());
  for (size_t i = 0; i < one.columns.size(); ++i) {
    const hub::ColumnFacts& a = one.columns[i];
    const hub::ColumnFacts& b = two.columns[i];
    require(a.path == b.path && *b.bytes == 2 * *a.bytes && a.shortened == b.shortened);
    require(a.nulls.has_value() == b.nulls.has_value());
    if (a.nulls) require(*b.nulls == 2 * *a.nulls);
    require(range_of(a) == range_of(b), "values are the same twice", range_of(a) + range_of(b));
  }
}

void check_storing(const parquet::Schema& schema, const std::vector<Group>& groups,
                   const std::string& footer) {
  const hub::Storing storing = parquet::storing_of(footer, schema);
  int64_t most = 0;
  for (const Group& group : groups) most = std::max(most, group.rows);
  require(storing.group_rows == (groups.size() > 1 ? most : 0));
  require(storing.compression.size() <= schema.columns().size());
  for (const auto& key : storing.sorted_by) {
    require(std::ranges::any_of(schema.columns(), [&](const parquet::Node& column) {
      return column.name() == key.column && !column.is_group();
    }));
  }
}

/// What each leaf's pages are, told by their headers.
void check_pages(const parquet::Schema& schema, const std::vector<LeafAt>& leaves,
                 const std::vector<Group>& groups, const std::string& footer,
                 const std::string& file) {
  std::vector<int> wanted;
  std::vector<int> dictionaries;
  for (size_t i = 0; i < leaves.size(); ++i) {
    wanted.push_back(static_cast<int>(i));
    const parquet::Node& node = leaves[i].node;
    const bool fits = leaves[i].is_column && !node.is(parquet::Repetition::Repeated) &&
                      node.physical() == parquet::PhysicalType::ByteArray &&
                      !node.logical().is(parquet::LogicalKind::Unknown);
    const bool all = fits && std::ranges::all_of(groups, [&](const Group& group) {
                       return group.chunks[i].indices;
                     });
    if (all && !groups.empty()) dictionaries.push_back(wanted.back());
  }
  require(parquet::dictionary_leaves(file, footer, schema, wanted, kDictionaryBytes) ==
          dictionaries);
  size_t large = 0;
  for (const Group& group : groups) {
    for (size_t i = 0; i < leaves.size(); ++i) {
      const Chunk& chunk = group.chunks[i];
      large += leaves[i].node.physical() == parquet::PhysicalType::ByteArray && chunk.large &&
               chunk.plain_or_indices && chunk.plain_bytes >= kPageBytes &&
               chunk.plain_bytes / 256 >= group.rows;
    }
  }
  require(parquet::large_chunks(file, footer, schema, wanted, kPageBytes).size() == large);
  // Each takes the memory of a page.
  int64_t rows = 0;
  for (const Group& group : groups) rows += group.rows;
  parquet::RowCounts counts(file, "folder/file", footer, schema, wanted,
                            [&](std::span<const ByteRange> ranges) {
                              for (const ByteRange& range : ranges) {
                                require(range.offset + range.size <= file.size());
                              }
                            });
  require(counts.rows() == rows);
  require(counts.any_repeated() || std::ranges::none_of(leaves, [](const LeafAt& leaf) {
            return leaf.node.is(parquet::Repetition::Repeated);
          }));
  counts.check_until(INT64_MAX);
  // Of a footer that is cut short nothing is known.
  const std::string cut = footer.substr(0, footer.size() / 2);
  require(parquet::dictionary_leaves(file, cut, schema, wanted, kDictionaryBytes).empty());
  require(parquet::large_chunks(file, cut, schema, wanted, kPageBytes).empty());
}

/// The same row groups in a footer that says one row more.
std::string with_more_rows(const std::string& footer) {
  std::string out;
  Writer writer(&out);
  writer.i64_field(3, parquet::parse_footer(footer).rows + 1);
  parquet::thrift::Reader reader(footer);
  parquet::thrift::for_each_field(&reader, [&](parquet::thrift::FieldHeader header) {
    const size_t start = reader.position();
    reader.skip(header.type);
    if (header.id != 4) return true;
    writer.field(header.type, header.id);
    writer.raw(reader.slice(start));
    return true;
  });
  writer.stop();
  return out;
}

void check_broken(const parquet::Schema& schema, const std::vector<LeafAt>& leaves, Broken broken,
                  const std::string& footer, const std::string& file) {
  std::vector<int> wanted;
  for (size_t i = 0; i < leaves.size(); ++i) wanted.push_back(static_cast<int>(i));
  try {
    const bool sum = broken == Broken::OtherSum;
    parquet::RowCounts counts(file, "folder/file", sum ? with_more_rows(footer) : footer, schema,
                              wanted, [](auto) {});
    counts.check_until(INT64_MAX);
    // Rows in the headers of pages do no harm: they are reported.
    if (broken == Broken::OtherRows && !counts.findings().empty()) return;
  } catch (const Error& error) {
    const bool unsupported = broken == Broken::Encrypted || broken == Broken::Elsewhere;
    return require(error.code() == (unsupported ? ErrorCode::Unsupported : ErrorCode::Input));
  }
  require(false, "a count that is wrong is refused or reported", "");
}

/// Row groups by themselves.
void check_groups(const std::vector<Group>& groups, const std::string& footer, size_t first) {
  const std::vector<parquet::RowGroup> read = parquet::row_groups(footer);
  require(read.size() == groups.size());
  for (size_t i = 0; i < groups.size(); ++i) require(read[i].rows == groups[i].rows);
  const auto more = parquet::row_groups(parquet::with_one_row_more(footer));
  for (size_t i = 0; i < groups.size(); ++i) require(more[i].rows == groups[i].rows + 1);
  if (groups.empty()) return;
  const size_t at = first % groups.size();
  const std::string part = parquet::keep_row_groups(footer, at, 1);
  require(parquet::row_groups(part).size() == 1);
  require(parquet::parse_footer(part).rows == groups[at].rows);
  try {
    parquet::keep_row_groups(footer, at, groups.size() - at + 1);
    require(false, "groups that are not there are refused", "");
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input);
  }
}

/// Another type for a column, as notes of a writer give it.
hub::Schema noted(hub::Schema rows, Choices* choices) {
  for (hub::Field& field : rows.fields) {
    const uint8_t kind = choices->byte();
    if (kind % 4 != 0 || !field.type.children().empty()) continue;
    constexpr std::array kKinds = {hub::Kind::Int64,     hub::Kind::Utf8, hub::Kind::Double,
                                   hub::Kind::LargeUtf8, hub::Kind::Bool, hub::Kind::Date32};
    field.type = kKinds.at(kind / 4 % kKinds.size());
  }
  return rows;
}

/// The same columns with other orders of their values.
parquet::Node with_orders(const parquet::Node& node, const std::vector<int32_t>& orders,
                          size_t* next) {
  parquet::NodeData data = node.data();
  for (parquet::Node& child : data.children) child = with_orders(child, orders, next);
  if (!node.is_group()) data.order = static_cast<parquet::ColumnOrder>(orders[(*next)++]);
  return parquet::Node(std::move(data));
}

void check_forms(const parquet::Schema& schema, const std::vector<Group>& groups,
                 const std::vector<LeafAt>& leaves, Choices* choices) {
  const std::string elements = parquet::write_schema_elements(schema);
  require(parquet::read_schema_elements(elements) == schema, "elements give the schema back",
          parquet::print_message(schema));
  const std::string empty = parquet::empty_footer(schema);
  require(parquet::parse_footer(empty).schema == schema && parquet::row_groups(empty).empty());
  std::vector<size_t> columns(schema.columns().size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  require(schema.select(columns) == schema);
  std::vector<int32_t> orders;
  for (size_t i = 0; i < leaves.size(); ++i) orders.push_back(1 + choices->byte() % 3);
  std::vector<const Group*> all;
  for (const Group& group : groups) all.push_back(&group);
  const std::string footer = write_footer(schema, all, orders, "");
  const parquet::Footer parsed = parquet::parse_footer(footer);
  size_t next = 0;
  const parquet::Schema ordered(with_orders(schema.root(), orders, &next));
  require(parsed.schema == ordered);
  require(parquet::same_meaning(parquet::parse_message(parquet::print_message(ordered)), ordered));
  for (const parquet::Node& column : ordered.columns()) {
    require(parquet::print_field(parquet::parse_field(parquet::print_field(column))) ==
            parquet::print_field(column));
    const std::string annotation = parquet::to_string(column.logical());
    if (annotation.empty()) continue;
    require(parquet::parse_annotation(annotation).meaning() == column.logical());
  }
  const std::string physical = parquet::physical_footer(footer);
  require(parquet::parse_footer(physical).schema.columns().size() == schema.columns().size());
  // INT96 becomes bytes, and from bytes INT96.
  require(parquet::written_footer(physical, schema, {}) == footer);
  const std::string cut = footer.substr(0, choices->word() % footer.size());
  try {
    parquet::parse_footer(cut);
    require(false, "a footer that is cut short is refused", "");
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input);
  }
}

void give_meaning(const parquet::Schema& schema) {
  parquet::validate(schema);
  try {
    const hub::Schema arrow = parquet::to_arrow(schema);
    parquet::to_string(parquet::explain(schema));
    hub::lower_and_map(arrow, parquet::kCapabilities, parquet::from_arrow);
    parquet::plan_write(schema);
  } catch (const Error&) {
    // Not every schema has a meaning.
  }
}

/// Any bytes as FileMetaData: what is read is written and read again, also the fields that are
/// unknown, and has a meaning, findings and an explanation, or is refused.
void check_any_footer(const std::string& bytes) {
  try {
    // The same bytes as a whole file, with a length and a magic of their own.
    parquet::read_footer(*memory_access(bytes, "input"));
  } catch (const Error&) {
    // Few inputs are files.
  }
  parquet::Footer footer;
  try {
    const MemoryTotal total(bytes.size());
    footer = parquet::parse_footer(bytes);
  } catch (const Error&) {
    return;
  }
  give_meaning(footer.schema);
  const std::string written = parquet::write_schema_elements(footer.schema);
  const parquet::Schema again = parquet::read_schema_elements(written);
  require(parquet::write_schema_elements(again) == written);
  try {
    const parquet::Footer replaced =
        parquet::parse_footer(parquet::replace_schema(bytes, footer.schema, {{"a", "b"}}));
    // Fields that are unknown come back in the order of their ids.
    require(parquet::write_schema_elements(replaced.schema) == written);
    require(replaced.rows == footer.rows);
    require(replaced.find("a") == "b");
  } catch (const Error&) {
    require(false);
  }
  try {
    parquet::parse_footer(parquet::physical_footer(bytes));
  } catch (const Error&) {
    // Row groups are looked into here, and may be malformed.
  }
}

/// Skipped bytes are the bytes read, and a prefix is never complete.
void check_protocol(const std::string& bytes) {
  parquet::thrift::Reader reader(bytes);
  try {
    reader.skip(parquet::thrift::Wire::Struct);
  } catch (const Error&) {
    return;
  }
  const std::string whole(reader.slice(0));
  parquet::thrift::Reader again(whole);
  again.skip(parquet::thrift::Wire::Struct);
  require(again.at_end());
  // One byte less is never a whole struct.
  if (whole.empty()) return;
  const std::string cut = whole.substr(0, whole.size() - 1);
  parquet::thrift::Reader short_of(cut);
  try {
    short_of.skip(parquet::thrift::Wire::Struct);
    require(false);
  } catch (const Error&) {
  }
}

/// Reads something of a footer, within the memory that its bytes allow.
template <typename Read>
auto within(const std::string& footer, Read read) {
  const MemoryTotal total(footer.size());
  return read();
}

/// Row groups of any footer, with any bytes as their pages. The schema is read first, as
/// everywhere: it has the budget of the footer.
void check_any_groups(const std::string& footer, const std::string& file) {
  try {
    const parquet::Footer parsed = within(footer, [&] { return parquet::parse_footer(footer); });
    const auto groups = within(footer, [&] { return parquet::row_groups(footer); });
    require(parsed.row_groups == static_cast<int64_t>(groups.size()));
    std::vector<LeafAt> all;
    for (const parquet::Node& column : parsed.schema.columns()) collect(column, true, &all);
    const int count = static_cast<int>(all.size());
    std::vector<int> leaves;
    for (int i = 0; i < std::min(count, 4); ++i) leaves.push_back(i);
    within(footer, [&] {
      return parquet::dictionary_leaves(file, footer, parsed.schema, leaves, 1 << 20);
    });
    for (const auto& chunk : parquet::large_chunks(file, footer, parsed.schema, leaves, 1)) {
      require(static_cast<size_t>(chunk.group) < groups.size() && chunk.leaf < count);
    }
    for (uint64_t first = 0; first < std::min<uint64_t>(groups.size(), 3); ++first) {
      const std::string part = parquet::keep_row_groups(footer, first, 1);
      require(parquet::row_groups(part).size() == 1);
      require(parquet::row_groups(part)[0].rows == groups[first].rows);
    }
    const auto more = parquet::row_groups(parquet::with_one_row_more(footer));
    require(more.size() == groups.size());
    parquet::RowCounts counts(file, "input", footer, parsed.schema, leaves, [](auto) {});
    counts.check_until(INT64_MAX);
    within(footer, [&] { return parquet::storing_of(footer, parsed.schema); });
    const hub::Schema rows = parquet::to_arrow(parsed.schema);
    within(footer, [&] { return parquet::facts_of(footer, parsed, rows); });
  } catch (const Error&) {
  }
}

/// A footer that repeats one short item many times, in one of its lists.
std::string repeating_footer(Choices* choices) {
  constexpr uint32_t kMost = 100'000;
  const size_t what = choices->below(6);
  const size_t count = choices->word() % kMost;
  const std::string_view item = choices->text();
  std::string many;
  for (size_t i = 0; i < count; ++i) many += item.empty() ? std::string_view("\0", 1) : item;
  std::string out;
  Writer writer(&out);
  const auto list = [&](Writer* to, int32_t field, std::string_view items, size_t size) {
    to->field(Wire::List, field);
    to->list(Wire::Struct, size);
    to->raw(items);
  };
  writer.i32_field(1, 2);
  const parquet::Schema schema = parquet::parse_message("message m { required int32 a; }");
  writer.field(Wire::List, 2);
  writer.raw(parquet::write_schema_elements(schema));
  writer.i64_field(3, 0);
  if (what == 0) {
    list(&writer, 4, many, count);  // row groups
  } else if (what < 4) {
    std::string group;
    Writer inner(&group);
    if (what == 1) list(&inner, 1, many, count);  // column chunks
    if (what == 2) list(&inner, 4, many, count);  // columns by which they are sorted
    if (what == 3) {                              // page encodings of a column chunk
      std::string chunk;
      Writer part(&chunk);
      part.field(Wire::Struct, 3);
      Writer data(&chunk);
      list(&data, 13, many, count);
      data.stop();
      part.stop();
      list(&inner, 1, chunk, 1);
    }
    inner.i64_field(3, 0);
    inner.stop();
    list(&writer, 4, group, 1);
  }
  if (what >= 4) list(&writer, what == 4 ? 5 : 7, many, count);  // key-value pairs, orders
  writer.stop();
  return out;
}

/// Returns false for an input that makes a file of a schema.
bool check_any_bytes(std::string_view data) {
  constexpr uint8_t kRepeated = 251;
  constexpr uint8_t kFirst = 252;
  Choices choices(data);
  const uint8_t how = choices.byte();
  if (how < kRepeated) return false;
  if (how == kRepeated) {
    const Allowance any;
    const std::string footer = repeating_footer(&choices);
    check_any_groups(footer, footer);
    return true;
  }
  std::string bytes(choices.rest());
  if (how == kFirst) {
    check_any_footer(bytes);
    return true;
  }
  parquet::is_valid_bson(bytes);
  if (how == kFirst + 1) {
    check_protocol(bytes);
  } else if (how == kFirst + 2) {
    try {
      check_any_groups(parquet::read_footer_bytes(*memory_access(bytes, "input")), bytes);
    } catch (const Error&) {
      // Few inputs are files.
    }
  } else {
    // The length of the footer comes first, so that the rest is pages.
    const size_t size = choices.word() % 4096;
    bytes = choices.rest();
    check_any_groups(bytes.substr(0, size), bytes);
  }
  return true;
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  if (check_any_bytes(data)) return;
  const Allowance any;
  Choices choices(data);
  const uint8_t how = choices.byte();
  const parquet::Schema schema = parquet_schema(&choices);
  std::vector<LeafAt> leaves;
  for (const parquet::Node& column : schema.columns()) collect(column, true, &leaves);
  if (leaves.size() > 16) return;
  const size_t what = how % 6;
  const auto broken = what == 5 ? static_cast<Broken>(1 + how / 6 % 8) : Broken::Nothing;
  FileWriter writer(&choices, leaves, broken);
  std::vector<Group> groups;
  const size_t count = what == 5 ? 1 : choices.below(4);
  for (size_t i = 0; i < count; ++i) groups.push_back(writer.group());
  std::vector<const Group*> all;
  for (const Group& group : groups) all.push_back(&group);
  const std::string footer = write_footer(schema, all, {}, "xwalk");
  const std::string file = whole_file(writer.body(), footer);
  require(parquet::is_parquet(file));
  require(parquet::read_footer_bytes(*memory_access(file, "file")) == footer);
  if (what == 5) return check_broken(schema, leaves, broken, footer, file);
  if (what == 4) return check_forms(schema, groups, leaves, &choices);
  if (what == 3) return check_groups(groups, footer, choices.byte());
  if (what == 2) return check_pages(schema, leaves, groups, footer, file);
  hub::Schema rows;
  try {
    rows = parquet::to_arrow(schema);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "a schema without a meaning", error.describe());
  }
  check_facts(schema, leaves, groups, what == 1 ? noted(std::move(rows), &choices) : rows);
  check_storing(schema, groups, footer);
}

}  // namespace xwalk::fuzz
