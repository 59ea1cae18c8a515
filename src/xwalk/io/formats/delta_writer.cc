#include "xwalk/io/formats/delta_writer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/delta/hub.h"
#include "xwalk/delta/json.h"
#include "xwalk/delta/module.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/delta_place.h"
#include "xwalk/io/formats/iceberg_partitions.h"
#include "xwalk/io/formats/partition_names.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_writer.h"
#include "xwalk/io/rows/refusing_writer.h"

namespace xwalk::io {
namespace {

/// Starts the engine for a table to write, which describes an existing one.
std::unique_ptr<EngineProgram> start_delta(const Location& path, OutputMode mode) {
  auto program = std::make_unique<EngineProgram>(
      kDeltaEngine, kDeltaPackage, "write",
      print_for_engine({{"path", delta_folder(path)}, {"mode", mode_word(mode)}}));
  program->await_info(1);
  return program;
}

/// Sends the engine what the rows of a plan need of the table.
void send_delta_begin(EngineProgram& program, const OutputPlace& place, const WritePlan& plan,
                      const OutputOptions& options, CommitUse use) {
  const bool exists = !program.report().schema.empty();
  refuse_existing_table(exists, place.mode);
  nlohmann::json order = {{"partitions", options.partition_by}};
  add_inputs(options, use, &order);
  if (exists) add_key(options, &order);
  if (!exists || options.evolve) {
    const delta::Schema schema =
        plan.written ? plan.written->as<delta::Schema>() : delta::from_arrow(plan.hub).schema;
    check_has_columns(delta::kModule, schema.fields.size());
    order["schema"] = delta::write_json(schema, -1);
  }
  send_order(program, {{"begin", order}});
}

std::vector<PartitionField> delta_partitions(const std::vector<std::string>& columns) {
  std::vector<PartitionField> out;
  for (const std::string& column : columns) out.push_back({.column = column});
  return out;
}

/// Days since 1970 from the year 1 on and up to 9999, of which readers have dates.
constexpr int64_t kFirstDay = -719'162;
constexpr int64_t kLastDay = 2'932'896;
constexpr int64_t kMicrosADay = int64_t{86'400} * 1'000'000;

/// Returns a value of a part as a text in the log ("Partition Value Serialization" in the
/// protocol). Throws Error (Input) for one that readers take for another.
std::string partition_text(const nlohmann::json& value, const hub::Type& type) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    if (text.empty()) {
      throw Error(ErrorCode::Input,
                  "expected a text that is not empty: readers of Delta take an empty text of a "
                  "partition for null");
    }
    check_partition_text(text);
    return text;
  }
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  const auto number = value.get<int64_t>();
  const bool is_date = type.kind() == hub::Kind::Date32;
  if (!is_date && type.kind() != hub::Kind::Timestamp) return std::to_string(number);
  std::array<char, hub::kTimeTextSize> bytes;
  char* const end =
      is_date ? hub::write_date(number, bytes.data()) : hub::write_timestamp(number, bytes.data());
  std::string text(bytes.data(), end);
  const int64_t scale = is_date ? 1 : kMicrosADay;
  if (number < kFirstDay * scale || number >= (kLastDay + 1) * scale) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a {} of the years 1 to 9999 to partition by, found {}",
                            is_date ? "date" : "time", text));
  }
  if (is_date || !type.zone().empty()) return text;
  // Without a zone: 2022-01-02 03:04:05.123456
  text.pop_back();
  text[text.find('T')] = ' ';
  return text;
}

/// The parts of a table, as its log has their values and as folders are named.
class DeltaParts {
 public:
  DeltaParts(const std::vector<std::string>& columns, const hub::Schema& rows) {
    for (const std::string& column : columns) {
      columns_.push_back(*std::ranges::find(rows.fields, column, &hub::Field::name));
    }
  }

  /// Returns the texts of a row's part, each null or text. Throws Error (Input) with the path.
  nlohmann::json part_of(const Partitioner& parts, const hub::Batch& batch, int64_t row) const {
    nlohmann::json values = parts.values_of(batch, row);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (values[i].is_null()) continue;
      try {
        values[i] = partition_text(values[i], columns_[i].type);
        check_partition_name(name_of(i, values[i]));
      } catch (Error& error) {
        error.place().path = Path::column(columns_[i].name);
        error.with_hint("Partition by another column, or give the row another value before.");
        throw;
      }
    }
    return values;
  }

  /// Returns the folder of a part, with a slash at its end.
  std::string folder_of(const nlohmann::json& texts) const {
    std::string out;
    for (size_t i = 0; i < columns_.size(); ++i) out += name_of(i, texts[i]) + "/";
    return out;
  }

 private:
  std::string name_of(size_t column, const nlohmann::json& text) const {
    std::string out;
    append_escaped(columns_[column].name, &out);
    out += '=';
    if (text.is_null()) {
      out += kNullPartition;
    } else {
      append_escaped(text.get_ref<const std::string&>(), &out);
    }
    return out;
  }

  std::vector<hub::Field> columns_;
};

/// Only finds out which rows no part takes.
class DeltaTrial final : public RefusingWriter {
 public:
  DeltaTrial(const std::vector<std::string>& columns, const hub::Schema& rows)
      : partitioner_(delta_partitions(columns), rows), parts_(columns, rows) {}

  void write(hub::Batch batch) override {
    std::vector<hub::BadRow> refused = write_good(std::move(batch));
    if (!refused.empty()) throw Error(refused.front().error);
  }

  std::vector<hub::BadRow> write_good(hub::Batch batch) override {
    std::vector<hub::BadRow> out;
    const int64_t rows = batch.rows();
    batch = hub::slice(std::move(batch), 0, rows);
    for (int64_t row = 0; row < rows; ++row) {
      partitioner_.write_key(batch, row, &key_);
      const auto [found, fresh] = refusals_.try_emplace(key_);
      if (fresh) {
        try {
          (void)parts_.part_of(partitioner_, batch, row);
        } catch (Error& error) {
          found->second = std::move(error);
        }
      }
      if (!found->second) continue;
      out.push_back({row, *found->second, ""});
      out.back().error.place().row = static_cast<uint64_t>(batch.first_row + row);
    }
    return out;
  }

  void finish() override {}
  uint64_t bytes_written() const override { return 0; }

 private:
  Partitioner partitioner_;
  DeltaParts parts_;
  std::unordered_map<std::string, std::optional<Error>> refusals_;
  std::string key_;
};

class DeltaWriter final : public TableWriter {
 public:
  DeltaWriter(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options)
      : TableWriter(place.path, options) {
    naming_table(place.path, [&] { begin(place, plan, options); });
  }

 private:
  /// Agrees with the engine on the schema of the table and its parts.
  void begin(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options) {
    check_write(place.path);
    std::unique_ptr<EngineProgram> program = start_delta(place.path, place.mode);
    send_delta_begin(*program, place, plan, options, CommitUse::Write);
    program->await_info(2);
    const DeltaPlace table = parse_delta_place(program->report().schema, place.path);
    hub::Schema rows = delta::to_arrow(table.schema);
    rows.metadata = {};
    // A data file has no metadata of the table's columns.
    for (hub::Field& field : rows.fields) {
      for (const std::string_view key : {delta::kComment, delta::kFieldMetadata}) {
        field.metadata.erase(key);
      }
    }
    parts_.emplace(table.partitions, rows);
    begin_files(std::move(program), delta_folder(place.path), plan.hub,
                {.rows = std::move(rows),
                 .partitions = delta_partitions(table.partitions),
                 .stores_partitions = options.upsert.wanted && place.rows.has_value()});
  }

  nlohmann::json part_of(const Partitioner& parts, const hub::Batch& batch,
                         int64_t row) const override {
    return parts_->part_of(parts, batch, row);
  }
  // Some readers take the values from the names of folders and not from the log.
  std::string folder_of(const nlohmann::json& values) const override {
    return parts_->folder_of(values);
  }
  nlohmann::json entry_of(const std::string& file, const nlohmann::json& values) override {
    nlohmann::json nans = nlohmann::json::array();
    for (const auto& [path, count] : nans_in(file)) {
      if (count > 0) nans.push_back(path);
    }
    return {{"file", file}, {"partition", values}, {"nans", std::move(nans)}};
  }

  std::optional<DeltaParts> parts_;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_delta(const OutputPlace& place, const WritePlan& plan,
                                              const OutputOptions& options) {
  return std::make_unique<DeltaWriter>(place, plan, options);
}

void ask_delta(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options) {
  naming_table(place.path, [&] {
    const auto program = start_delta(place.path, place.mode);
    send_delta_begin(*program, place, plan, options, CommitUse::Ask);
    program->finish();
  });
}

std::unique_ptr<hub::BatchWriter> try_delta(const Location* there, const WritePlan& plan,
                                            const OutputOptions& options) {
  const std::vector<std::string> columns =
      there == nullptr ? options.partition_by : delta_place(*there, {}).partitions;
  if (columns.empty()) return nullptr;
  return std::make_unique<DeltaTrial>(columns, plan.hub);
}

void check_delta_partitions(const std::vector<std::string>& partition_by, const hub::Schema& rows) {
  if (partition_by.empty()) return;
  for (const std::string& text : partition_by) {
    if (parse_partition(text).transform == PartitionTransform::Identity) continue;
    throw Error(ErrorCode::Unsupported,
                fmt::format("expected columns to partition by, found {}", xwalk::quoted(text)), {},
                "Tables of Delta are partitioned by columns only.");
  }
  (void)Partitioner(delta_partitions(partition_by), rows);
  if (partition_by.size() == rows.fields.size()) {
    throw Error(ErrorCode::Unsupported,
                "expected a column that the table is not partitioned by, found none");
  }
}

}  // namespace xwalk::io
