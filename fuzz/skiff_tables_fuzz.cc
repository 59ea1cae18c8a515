// Rows of random tables in random wire types (`skiff_tables.h`), made of the choices of the input,
// whole or with one byte changed, or any bytes instead of rows. The first byte chooses the table,
// the second which property is asked, the third how often the rows are repeated and how they are
// handed out.

#include <algorithm>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/skiff_tables.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/oracle/node_codec.h"
#include "tests/skiff/oracle/rows.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/fit.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yson/parse.h"

namespace xwalk::fuzz {
namespace {

using skiff::BoundTable;
using skiff::CompiledTables;
using skiff::Flow;
using skiff::ReadOptions;
using skiff::Row;
using skiff::RowEncoder;
using skiff::Schema;
using skiff::testing::MemorySink;
using skiff::testing::MemorySource;

/// What writes the tables of a schema, each to a stream of its own.
struct Outputs {
  std::vector<Schema> schemas;
  std::vector<std::vector<BoundTable>> bound;
  std::vector<RowEncoder> encoders;
  /// What of the rows it is said to refuse or to lose.
  std::vector<hub::Findings> unfit;

  explicit Outputs(const Schema& schema) {
    for (size_t i = 0; i < schema.format.tables.size(); ++i) {
      schemas.push_back(skiff::of_table(schema, i));
      bound.push_back(skiff::bind(schemas[i], Flow::Write));
      encoders.emplace_back(schemas[i], skiff::WriteOptions{});
      unfit.push_back(skiff::unfit(schemas[i], 0, nullptr, 0));
    }
  }
};

enum class Shown : uint8_t { Controls, Columns, Ended, Skipped };

struct Table {
  Schema schema;
  std::vector<BoundTable> bound;
  /// By Shown.
  std::vector<CompiledTables> compiled;
  std::optional<Outputs> outputs;
  /// The same columns in other wire types.
  std::optional<Outputs> others;
  bool has_key_switch = true;
  bool has_index = false;
  bool has_float = false;
};

bool holds_float(const yt::Type& type) {
  switch (type.composition()) {
    case yt::Composition::None:
      return type.is(yt::TypeKind::Float);
    case yt::Composition::Optional:
    case yt::Composition::List:
    case yt::Composition::Tagged:
      return holds_float(type.item());
    case yt::Composition::Dict:
      return holds_float(type.key()) || holds_float(type.value());
    case yt::Composition::Struct:
    case yt::Composition::Tuple:
    case yt::Composition::Variant:
      break;
  }
  return std::ranges::any_of(type.members(), holds_float, &yt::Member::type);
}

/// Returns what `Shown` means for a table.
ReadOptions options_of(Shown shown, const std::vector<BoundTable>& bound) {
  ReadOptions options;
  options.controls = shown != Shown::Columns;
  options.require_end_of_stream = shown == Shown::Ended;
  options.skip_bad_rows = shown == Shown::Skipped;
  options.batch_rows = int64_t{1} << 20;
  if (shown == Shown::Skipped) options.decimal_special = yt::DecimalSpecial::Null;
  if (shown == Shown::Columns) {
    options.batch_rows = 3;
    options.uuid_order = yt::UuidOrder::Raw;
    options.table_index = options.key_switch = options.row_index = options.range_index = true;
    for (const BoundTable& table : bound) {
      options.key_switch &= table.layout.has_key_switch;
      options.row_index &= table.layout.row_index.has_value();
      options.range_index &= table.layout.range_index.has_value();
    }
  }
  return options;
}

/// Makes a table of a seed. Throws Error (Unsupported) where Arrow has no such columns.
Table make_table(uint32_t seed) {
  std::mt19937 random(seed);
  std::string noise(4096, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  Choices choices(noise);
  SchemaMaker maker(&choices);
  Table made;
  Schema others;
  const size_t tables = choices.below(4) == 0 ? 2 : 1;
  const bool known = choices.below(4) != 0;
  for (size_t i = 0; i < tables; ++i) {
    if (!known) {
      made.schema.format.tables.push_back(maker.natural_root());
      continue;
    }
    const yt::TableSchema table = maker.table();
    const std::string places = maker.places(table);
    const SchemaMaker::Specials specials = maker.specials();
    made.schema.table_schemas.push_back(table);
    others.table_schemas.push_back(table);
    made.schema.format.tables.push_back(maker.root(table, places, specials, Flow::Read));
    others.format.tables.push_back(maker.root(table, places, specials, Flow::Write));
  }
  made.bound = skiff::bind(made.schema, Flow::Read);
  for (const Shown shown : {Shown::Controls, Shown::Columns, Shown::Ended, Shown::Skipped}) {
    made.compiled.emplace_back(made.schema, options_of(shown, made.bound));
  }
  made.outputs.emplace(made.schema);
  if (known) made.others.emplace(others);
  for (const yt::TableSchema& table : made.schema.table_schemas) {
    made.has_float |= std::ranges::any_of(table.columns, holds_float, &yt::ColumnSchema::type);
  }
  for (const BoundTable& table : made.bound) {
    made.has_key_switch &= table.layout.has_key_switch;
    made.has_index |= table.layout.row_index || table.layout.range_index;
  }
  return made;
}

const std::vector<Table>& all_tables() {
  static const std::vector<Table> tables = [] {
    const Allowance any;
    std::vector<Table> made;
    for (uint32_t seed = 0; made.size() < 256; ++seed) {
      try {
        made.push_back(make_table(seed));
      } catch (const Error& error) {
        require(error.code() == ErrorCode::Unsupported, "a table is made", error.describe());
      }
    }
    return made;
  }();
  return tables;
}

/// The checked reader's result for a stream.
struct Checked {
  std::vector<Row> rows;
  std::optional<Error> error;
};

Checked read_checked(const std::vector<BoundTable>& bound, std::string_view bytes,
                     bool ended = false) {
  Checked out;
  skiff::Input input(bytes);
  skiff::RowReader reader(bound, input, {.require_end_of_stream = ended});
  try {
    while (std::optional<Row> row = reader.next()) out.rows.push_back(std::move(*row));
  } catch (const Error& error) {
    out.error = error;
  }
  return out;
}

bool is_special(const Error& error) {
  return error.message() == "expected a finite decimal, found nan or an infinity";
}

/// The fast reader finds the rows of the checked one and their indices, or the same error at the
/// same position.
void check_reader(const Table& table, const std::string& bytes, Shown shown, size_t step) {
  const Checked checked = read_checked(table.bound, bytes, shown == Shown::Ended);
  skiff::TablesReader reader(std::make_unique<MemorySource>(bytes, step),
                             table.compiled[static_cast<size_t>(shown)]);
  std::vector<int64_t> counts(table.bound.size());
  std::vector<std::vector<hub::RowControl>> controls(table.bound.size());
  std::optional<Error> error;
  bool ended_early = false;
  try {
    while (const auto found = reader.next()) {
      const hub::Batch& batch = found->batch;
      require(batch.first_row == counts[found->table]);
      counts[found->table] += batch.rows();
      auto& told = controls[found->table];
      told.insert(told.end(), batch.controls.begin(), batch.controls.end());
      for (const hub::BadRow& bad : batch.bad) {
        if (!error || bad.error.place().row < error->place().row) error = bad.error;
      }
    }
  } catch (const Error& found) {
    if (!error) error = found;
    ended_early = shown == Shown::Skipped;
  }
  if (error && is_special(*error)) return;
  if (error && ended_early) {
    // Rows that were skipped before are not reported.
    return require(checked.error && checked.error->place().row <= error->place().row,
                   "both readers refuse", error->describe());
  }
  require(checked.error.has_value() == error.has_value(), "both readers refuse",
          error           ? error->describe()
          : checked.error ? checked.error->describe()
                          : "");
  if (error) {
    // Words, table, row, column and byte.
    return require(checked.error->describe() == error->describe(), "both say the same",
                   checked.error->describe() + " and " + error->describe());
  }
  require(reader.table_count() == table.bound.size() && reader.bytes_read() <= bytes.size());
  std::vector<size_t> next(table.bound.size());
  for (const Row& row : checked.rows) {
    const size_t at = next[row.table]++;
    if (controls[row.table].empty()) continue;
    const hub::RowControl& told = controls[row.table][at];
    require(told.row_index == row.row_index && told.range_index == row.range_index);
    require(told.key_switch == row.key_switch);
  }
  for (size_t i = 0; i < next.size(); ++i) require(static_cast<size_t>(counts[i]) == next[i]);
}

/// Rows that were written, or the first that was refused.
struct Written {
  std::string bytes;
  std::optional<Error> error;
};

Written write_checked(const std::vector<BoundTable>& bound, const std::vector<Row>& rows,
                      size_t table) {
  Written out;
  skiff::RowWriter writer(bound, &out.bytes);
  for (const Row& row : rows) {
    if (row.table != table) continue;
    Row own = row;
    own.table = 0;
    const size_t before = out.bytes.size();
    try {
      writer.write(own);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Input && out.bytes.size() == before);
      out.error = error;
      break;
    }
  }
  return out;
}

/// Returns all rows of a stream of one table, or nothing if Arrow cannot hold one of them.
std::optional<hub::Batch> read_fast(const Schema& schema, std::string_view bytes) {
  ReadOptions options;
  options.controls = true;
  options.batch_rows = int64_t{1} << 20;
  const auto reader = skiff::read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options);
  try {
    return reader->next();
  } catch (const Error& error) {
    require(is_special(error), "what is written is read", error.describe());
    return std::nullopt;
  }
}

Written write_fast(const RowEncoder& encoder, const hub::Batch& batch) {
  Written out;
  yson::Buffer buffer;
  try {
    encoder.encode(batch.array, 0, batch.rows(), 0, 0, &buffer, batch.controls);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "a row is rejected", error.describe());
    out.error = error;
  }
  out.bytes = buffer.view();
  return out;
}

/// Requires that both writers write the same.
void require_same_bytes(const Written& slow, const Written& fast, const Schema& schema) {
  if (slow.bytes == fast.bytes) return;
  const auto same = std::ranges::mismatch(slow.bytes, fast.bytes).in1 - slow.bytes.begin();
  const auto from = static_cast<size_t>(same > 20 ? same - 20 : 0);
  const auto part = [&](const Written& one) { return to_hex(one.bytes.substr(from, 60)); };
  require(
      false, "both writers write the same",
      part(slow) + " and " + part(fast) + " of " + skiff::print(schema, skiff::SchemaForm::File));
}

void require_same_rows(const std::vector<Row>& a, const std::vector<Row>& b) {
  require(a.size() == b.size(), "as many rows", std::to_string(b.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    const auto print = [](const Row& row) { return yson::print(row.columns, yson::Format::Text); };
    require(print(a[i]) == print(b[i]), "the same row", print(a[i]) + " and " + print(b[i]));
    require(a[i].row_index == b[i].row_index && a[i].range_index == b[i].range_index);
    require(a[i].key_switch == b[i].key_switch);
  }
}

/// The checked writer and the encoder of Arrow batches write the same bytes, and the rows are read
/// back.
void check_writers(const Table& table, const std::string& bytes, size_t cut) {
  const Checked checked = read_checked(table.bound, bytes);
  const Outputs& outputs = *table.outputs;
  for (size_t i = 0; i < outputs.schemas.size(); ++i) {
    const Written slow = write_checked(outputs.bound[i], checked.rows, i);
    require(!slow.error, "what was read is written", slow.error ? slow.error->describe() : "");
    std::vector<Row> own;
    for (const Row& row : checked.rows) {
      if (row.table == i) own.push_back(row);
    }
    const Checked again = read_checked(skiff::bind(outputs.schemas[i], Flow::Read), slow.bytes);
    require(!again.error, "what was written is read", again.error ? again.error->describe() : "");
    require_same_rows(own, again.rows);
    if (own.empty()) continue;
    const std::optional<hub::Batch> batch = read_fast(outputs.schemas[i], slow.bytes);
    if (!batch) continue;
    const Written fast = write_fast(outputs.encoders[i], *batch);
    require(!fast.error, "a batch is written", fast.error ? fast.error->describe() : "");
    if (!table.has_float) require_same_bytes(slow, fast, outputs.schemas[i]);
    std::string streamed;
    const auto writer = skiff::write_rows(std::make_unique<MemorySink>(&streamed),
                                          outputs.schemas[i], {.end_of_stream = true});
    writer->write(*batch);
    writer->finish();
    require(streamed == fast.bytes + std::string(skiff::kEndOfStreamBytes));
    if (table.has_index) continue;
    const auto middle = static_cast<int64_t>(cut % static_cast<size_t>(batch->rows() + 1));
    yson::Buffer pieces;
    outputs.encoders[i].encode(batch->array, 0, middle, 0, 0, &pieces, batch->controls);
    outputs.encoders[i].encode(batch->array, middle, batch->rows(), 0, middle, &pieces,
                               batch->controls);
    require(pieces.view() == fast.bytes, "pieces make the whole", "");
  }
}

/// Other wire types of the same columns: both writers refuse a row or write the same, and refuse
/// only values that were reported for the schema.
void check_other_wires(const Table& table, const std::string& bytes) {
  if (!table.others) return;
  const Checked checked = read_checked(table.bound, bytes);
  for (size_t i = 0; i < table.outputs->schemas.size(); ++i) {
    const Written own = write_checked(table.outputs->bound[i], checked.rows, i);
    if (own.bytes.empty()) continue;
    const std::optional<hub::Batch> batch = read_fast(table.outputs->schemas[i], own.bytes);
    if (!batch) continue;
    // What Arrow holds of the rows: of a double in a column of floats the nearest float.
    const Written held = write_fast(table.outputs->encoders[i], *batch);
    const auto bound = skiff::bind(table.outputs->schemas[i], Flow::Read);
    const Checked again = read_checked(bound, held.bytes);
    const Written slow = write_checked(table.others->bound[i], again.rows, 0);
    const Written fast = write_fast(table.others->encoders[i], *batch);
    require(slow.error.has_value() == fast.error.has_value(), "both refuse",
            (slow.error   ? slow.error->describe()
             : fast.error ? fast.error->describe()
                          : "") +
                skiff::print(table.others->schemas[i], skiff::SchemaForm::File));
    if (slow.error) {
      // The encoder processes a block column by column. To get the first row, request single rows.
      require(slow.error->place().row <= fast.error->place().row,
              "a row after the first is reported", slow.error->describe() + fast.error->describe());
      continue;
    }
    require_same_bytes(slow, fast, table.others->schemas[i]);
  }
}

/// Puts another value somewhere into a value.
void change(yson::Node* node, Choices* choices) {
  using yson::Node;
  if (choices->below(4) != 0) {
    if (node->is(Node::Kind::List) && !node->as_list().empty()) {
      return change(&node->as_list()[choices->below(node->as_list().size())], choices);
    }
    if (node->is(Node::Kind::Map) && !node->as_map().empty()) {
      return change(&node->as_map()[choices->below(node->as_map().size())].second, choices);
    }
  }
  switch (choices->below(12)) {
    case 0:
      *node = Node();
      break;
    case 1:
      *node = Node::boolean(true);
      break;
    case 2:
      *node = Node::int64(static_cast<int8_t>(choices->byte()));
      break;
    case 3:
      *node =
          Node::int64(static_cast<int64_t>(uint64_t{choices->byte()} << (choices->byte() % 64)));
      break;
    case 4:
      *node = Node::uint64(uint64_t{choices->byte()} << (choices->byte() % 64));
      break;
    case 5:
      *node = Node::real(choices->below(2) == 0 ? 1.5 : 1e300);
      break;
    case 6:
      *node = Node::string(std::string(choices->text()));
      break;
    case 7:
      *node = Node::list();
      break;
    case 8:
      *node = Node::map();
      break;
    case 9:
      node->add_attribute("a", Node());
      break;
    case 10:
      if (node->is(Node::Kind::List)) {
        node->add(Node::int64(choices->byte()));
      } else if (node->is(Node::Kind::Map)) {
        constexpr std::string_view kNames[] = {"c0", "c1", "extra", "unknown"};
        node->add(std::string(kNames[choices->below(4)]), Node::int64(1));
      }
      break;
    default:
      if (node->is(Node::Kind::List) && !node->as_list().empty()) node->as_list().pop_back();
      if (node->is(Node::Kind::Map) && !node->as_map().empty()) node->as_map().pop_back();
  }
}

/// A row with other values than it had is refused, or written and read as it is.
void check_changed_rows(const Table& table, const std::string& bytes, Choices choices) {
  Checked checked = read_checked(table.bound, bytes);
  if (checked.rows.empty()) return;
  Row row = checked.rows.front();
  const size_t index = row.table;
  change(&row.columns, &choices);
  if (!row.columns.is(yson::Node::Kind::Map) || row.columns.has_attributes()) return;
  switch (choices.below(8)) {
    case 0:
      row.row_index = std::nullopt;
      break;
    case 1:
      row.range_index = std::nullopt;
      break;
    default:
      break;
  }
  const Outputs& outputs = *table.outputs;
  const Written written = write_checked(outputs.bound[index], {row}, index);
  if (written.error) return;
  const std::vector<BoundTable> bound = skiff::bind(outputs.schemas[index], Flow::Read);
  const Checked again = read_checked(bound, written.bytes);
  require(!again.error, "what was written is read", again.error ? again.error->describe() : "");
  const Written twice = write_checked(outputs.bound[index], again.rows, 0);
  require(!twice.error && twice.bytes == written.bytes, "a row comes back", "");
}

/// A type and a wire type fit, and then values are read and written as they are, or they are
/// refused.
void check_pair(Choices choices) {
  const auto [type, wire] = SchemaMaker(&choices).pair();
  const auto bind = [&, &type = type, &wire = wire](Flow flow) -> std::optional<skiff::Binding> {
    try {
      return choices.rest().size() % 2 == 0 ? skiff::bind_nested(type, wire, flow)
                                            : skiff::bind_column(type, wire, flow, false);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Unsupported, "a pair is refused", error.describe());
      return std::nullopt;
    }
  };
  const std::optional<skiff::Binding> from = bind(Flow::Read);
  const std::optional<skiff::Binding> to = bind(Flow::Write);
  require(!from || to, "what is read can be written", skiff::to_string(wire));
  if (!from) return;
  std::string bytes;
  RowMaker(&choices).append(*from, &bytes);
  skiff::Input input(bytes);
  skiff::Reader reader(input);
  yson::Node node;
  try {
    node = skiff::read_node(*from, &reader);
  } catch (const Error& error) {
    return require(error.code() == ErrorCode::Input, "a value is rejected", error.describe());
  }
  require(reader.at_end());
  std::string out;
  skiff::Writer writer(&out);
  skiff::write_node(*to, node, &writer);
  require(out == bytes, "a value comes back", skiff::to_string(wire));
}

/// Returns a descriptor of a file in memory.
int file_of(std::string_view bytes) {
  const int descriptor = memfd_create("rows", 0);
  require(descriptor >= 0);
  require(write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  require(lseek(descriptor, 0, SEEK_SET) == 0);
  return descriptor;
}

/// Returns the row with its columns by name.
Row sorted(Row row) {
  std::ranges::sort(row.columns.as_map(), {}, [](const auto& entry) { return entry.first; });
  return row;
}

/// A job reads the rows of the oracle, by groups or one by one, and writes these rows.
void check_job(const Table& table, const std::string& bytes, size_t way) {
  const Checked checked = read_checked(table.bound, bytes);
  const size_t outputs = table.outputs->schemas.size();
  const int input = file_of(bytes);
  const int output = file_of("");
  std::vector<std::string> written(outputs);
  std::vector<std::unique_ptr<ByteSink>> sinks;
  for (size_t i = 0; i < outputs; ++i) {
    if (i == 0) {
      sinks.push_back(skiff::descriptor_sink(output));
    } else {
      sinks.push_back(std::make_unique<MemorySink>(&written[i]));
    }
  }
  std::vector<Row> rows;
  std::optional<Error> error;
  skiff::Job job(table.schema, skiff::descriptor_source(input), table.schema, std::move(sinks));
  const auto take = [&](const Row& row) {
    rows.push_back(sorted(row));
    try {
      job.write(row.table, row.columns);
    } catch (const Error& refused) {
      require(false, "a row is written", refused.describe());
    }
  };
  try {
    if (way % 2 == 0) {
      while (const auto row = job.next()) take(*row);
    } else {
      size_t groups = 0;
      while (job.next_group()) {
        ++groups;
        // For some groups, only the first row.
        size_t of_group = 0;
        while (const auto row = job.next_in_group()) {
          require(of_group == 0 || !row->key_switch);
          ++of_group;
          take(*row);
          if (way % 4 == 3 && groups % 2 == 0) break;
        }
        require(of_group > 0);
      }
    }
    job.finish();
  } catch (const Error& found) {
    error = found;
  }
  written[0].resize(static_cast<size_t>(lseek(output, 0, SEEK_END)));
  require(pread(output, written[0].data(), written[0].size(), 0) ==
          static_cast<ssize_t>(written[0].size()));
  close(input);
  close(output);
  if (error && error->code() == ErrorCode::Usage) {
    return require(!table.has_key_switch && rows.empty(), "groups need a switch",
                   error->describe());
  }
  require(error.has_value() == checked.error.has_value(), "a job refuses what the reader refuses",
          error ? error->describe() : "");
  if (error) require(error->describe() == checked.error->describe());
  if (way % 4 == 3) return require(rows.size() <= checked.rows.size());
  if (table.has_float) return require(rows.size() == checked.rows.size());
  std::vector<Row> expected;
  for (const Row& row : checked.rows) expected.push_back(sorted(row));
  require_same_rows(expected, rows);
  if (error || table.has_index) return;
  for (size_t i = 0; i < outputs; ++i) {
    std::vector<Row> own;
    for (const Row& row : rows) {
      if (row.table == i) own.push_back(row);
    }
    for (Row& row : own) row.key_switch = false;
    const auto bound = skiff::bind(table.outputs->schemas[i], Flow::Read);
    std::vector<Row> again;
    for (const Row& row : read_checked(bound, written[i]).rows) again.push_back(sorted(row));
    require_same_rows(own, again);
  }
}

/// Any bytes instead of rows. Their size bounds what reading allocates.
void check_any_bytes(const Table& table, const std::string& bytes, size_t property, size_t way) {
  switch (property % 8) {
    case 4:
    case 5: {
      const Allowance any;
      return check_writers(table, bytes, way);
    }
    case 6:
    case 7:
      return check_job(table, bytes, property / 16);
    default:
      return check_reader(table, bytes, static_cast<Shown>(property % 2 * 3), way);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const Table& table = all_tables()[choices.byte()];
  const size_t property = choices.byte();
  const size_t way = choices.byte();
  if (property / 8 % 2 == 1) {
    return check_any_bytes(table, std::string(choices.rest()), property, way);
  }
  // Much is made of short inputs.
  const Allowance any;
  const bool damaged = property / 16 % 2 == 1;
  const size_t at = damaged ? choices.byte() << 8 | choices.byte() : 0;
  const auto by = static_cast<char>(damaged ? choices.byte() : 0);
  RowMaker maker(&choices);
  std::string bytes;
  const size_t rows = 1 + way % 4;
  for (size_t i = 0; i < rows; ++i) maker.append_row(table.bound, &bytes);
  const size_t repeats = way % 16 == 15 ? 40 + way : 1 + way % 16;
  const std::string once = bytes;
  constexpr size_t kMostBytes = 100'000;
  for (size_t i = 1; i < repeats && bytes.size() < kMostBytes; ++i) bytes += once;
  if (damaged) bytes[at % bytes.size()] = by;
  switch (property % 8) {
    case 2:
      return check_pair(choices);
    case 0:
    case 1:
      return check_reader(table, bytes, static_cast<Shown>(property / 32 % 2 * 3), way / 64);
    case 3: {
      if (property / 32 % 2 == 0) return check_reader(table, bytes, Shown::Columns, way / 64);
      if (property / 64 % 2 == 0) bytes += skiff::kEndOfStreamBytes;
      return check_reader(table, bytes, Shown::Ended, way / 64);
    }
    case 4:
      return check_writers(table, bytes, way);
    case 5:
      return check_other_wires(table, bytes);
    case 6:
      return check_changed_rows(table, bytes, choices);
    default:
      return check_job(table, bytes, property / 32);
  }
}

}  // namespace xwalk::fuzz
