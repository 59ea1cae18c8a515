#include "xwalk/io/places/hive_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/plan_keys.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/added_order.h"
#include "xwalk/io/places/file_output.h"
#include "xwalk/io/places/folder_output.h"
#include "xwalk/io/places/hive_columns.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/part_names.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/refusing_writer.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/io/rows/selection.h"

namespace xwalk::io {
namespace {

/// Files that are open at a time; beyond, the one that was not written to for longest is closed.
constexpr size_t kMaxOpen = 128;

[[noreturn]] void fail_output(ErrorCode code, const std::string& file, std::string message,
                              std::string hint = {}) {
  throw Error(code, std::move(message), {.file = file}, std::move(hint));
}

[[noreturn]] void usage_error(std::string message, std::string hint = "") {
  throw Error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

[[noreturn]] void refuse_format(std::string_view found) {
  usage_error(fmt::format("{} makes a folder of Parquet or Arrow files, not {}",
                          hub::mention(hub::Option::PartitionBy), found));
}

/// The type of the values that a column shows.
const hub::Type& shown(const hub::Type& type) {
  return type.kind() == hub::Kind::Dictionary ? type.child().type : type;
}

bool can_be_a_name(const hub::Type& type) {
  const hub::Kind kind = shown(type).kind();
  return hub::is_integer(kind) || hub::is_utf8(kind) || kind == hub::Kind::Date32 ||
         kind == hub::Kind::Bool;
}

/// Appends a value as written in the name of a folder.
void append_value(const hub::Array& column, const hub::Type& type, int64_t row, std::string* out) {
  if (column.is_null(row)) {
    out->append(kNullPartition);
    return;
  }
  const hub::Kind kind = type.kind();
  if (kind == hub::Kind::Dictionary) {
    append_value(*column.dictionary, type.child().type,
                 hub::integer_at(column, type.index_kind(), row), out);
  } else if (hub::is_utf8(kind)) {
    const std::string_view text = hub::bytes_at(column, type, row);
    check_partition_text(text);
    append_escaped(text, out);
  } else if (kind == hub::Kind::Bool) {
    out->append(column.bit(row) ? kTruePartition : kFalsePartition);
  } else if (kind == hub::Kind::Date32) {
    std::array<char, hub::kTimeTextSize> date;
    const char* end = hub::write_date(hub::integer_at(column, kind, row), date.data());
    out->append(date.data(), static_cast<size_t>(end - date.data()));
  } else if (kind == hub::Kind::Uint64) {
    fmt::format_to(std::back_inserter(*out), "{}",
                   static_cast<uint64_t>(hub::integer_at(column, kind, row)));
  } else {
    fmt::format_to(std::back_inserter(*out), "{}", hub::integer_at(column, kind, row));
  }
}

/// Drops rows.
class NoWriter final : public hub::BatchWriter {
 public:
  void write(hub::Batch /*batch*/) override {}
  void finish() override {}
  uint64_t bytes_written() const override { return 0; }
};

/// Returns the columns that the files in the folders have, with the metadata of the table.
hub::Schema in_files(hub::Schema schema, const std::vector<std::string>& by_folders) {
  std::erase_if(schema.fields, [&](const hub::Field& field) {
    return std::ranges::find(by_folders, field.name) != by_folders.end();
  });
  return schema;
}

/// Writes each row to the file of its folder, or only finds out which rows have none.
class PartitionedWriter final : public RefusingWriter {
 public:
  /// Writes no file if `folder` is null.
  PartitionedWriter(std::unique_ptr<FolderOutput> folder, const WritePlan& plan,
                    const InputFiles& there, const OutputOptions& options)
      : folder_(std::move(folder)), schema_(plan.hub), options_(options) {
    if (options.mode == OutputMode::Append) note_existing(there);
    for (const std::string& name : options.partition_by) {
      keys_.push_back(static_cast<size_t>(
          std::ranges::find(schema_.fields, name, &hub::Field::name) - schema_.fields.begin()));
      std::string word;
      append_escaped(name, &word);
      prefixes_.push_back(word + "=");
    }
    rows_.like = plan.like;
    rows_.hub = in_files(schema_, options.partition_by);
    rows_.hub.metadata = crosswalk::renewed_metadata(schema_, rows_.hub);
  }

  void write(hub::Batch batch) override { write_rows(std::move(batch), nullptr); }

  std::vector<hub::BadRow> write_good(hub::Batch batch) override {
    std::vector<hub::BadRow> refused;
    write_rows(std::move(batch), &refused);
    std::ranges::stable_sort(refused, {}, &hub::BadRow::index);
    return refused;
  }

  void finish() override {
    while (!open_.empty()) close(open_.back());
    if (folder_ != nullptr) folder_->finish();
  }

  uint64_t bytes_written() const override {
    uint64_t bytes = bytes_;
    for (const Part* part : open_) bytes += part->writer->bytes_written();
    return bytes;
  }

 private:
  /// The rows of one combination of values.
  struct Part {
    std::string folder;
    uint64_t files = 0;
    /// Those that it has already, which its rows come after; null if they need not.
    const std::vector<Location>* existing = nullptr;
    std::string name;  ///< of the file that is open, below the folder of all
    uint64_t rows = 0;
    std::unique_ptr<hub::BatchWriter> writer;
    /// Checks the order of the rows of all its files; null if they promise none.
    std::unique_ptr<OrderedWriter> order;
    std::list<Part*>::iterator place;
  };

  /// Notes the columns that the existing folders are named by, and the files of each if rows that
  /// are added come after theirs.
  void note_existing(const InputFiles& there) {
    existing_ = Partitions(there.files).fields();
    if (there.files.empty()) return;
    InputOptions reading;
    reading.storage = options_.storage;
    hub::Schema rows = read_schema(there.files.front().path, std::nullopt, reading).hub;
    if (!crosswalk::has_unique_keys(rows)) return;
    meaning_ = std::move(rows);
    for (const InputFile& file : there.files) {
      files_of_[text_of(file.partition)].push_back(file.path);
    }
  }

  /// Returns the existing files of a folder that rows come after; null for a new folder.
  const std::vector<Location>* existing_in(const std::string& folder) const {
    const auto files = files_of_.find(text_of(partition_of(folder + "/")));
    return files == files_of_.end() ? nullptr : &files->second;
  }

  /// Returns one text for the values of a folder, however their characters are escaped.
  static std::string text_of(const std::vector<PartitionValue>& values) {
    std::string out;
    for (const PartitionValue& one : values) {
      append_escaped(one.value.value_or(std::string(kNullPartition)), &out);
      out += '/';
    }
    return out;
  }

  /// Writes each row to its part. Rows without a place are appended to `refused`; if that is null,
  /// the error of the first one is thrown.
  void write_rows(hub::Batch batch, std::vector<hub::BadRow>* refused) {
    const int64_t count = batch.rows();
    batch = hub::slice(std::move(batch), 0, count);  // columns begin where rows do
    std::unordered_map<Part*, std::vector<int64_t>> rows_of;
    std::vector<Part*> order;
    for (int64_t row = 0; row < count; ++row) {
      Part* part = nullptr;
      try {
        part = part_of(batch, row);
      } catch (Error& error) {
        if (refused == nullptr) throw;
        refused->push_back({row, std::move(error), ""});
        continue;
      }
      std::vector<int64_t>& rows = rows_of[part];
      if (rows.empty()) order.push_back(part);
      rows.push_back(row);
    }
    for (Part* part : order) {
      const std::vector<int64_t>& its = rows_of[part];
      hub::Batch rows = batch;
      if (std::ssize(its) < count) rows = hub::take_rows(batch, schema_, its);
      std::vector<hub::Array> columns;
      for (size_t i = 0; i < schema_.fields.size(); ++i) {
        if (std::ranges::find(keys_, i) != keys_.end()) continue;
        columns.push_back(std::move(rows.array.children[i]));
      }
      rows.array.children = std::move(columns);
      write_part(part, std::move(rows), its, refused);
    }
  }

  /// Writes rows of one part, which are those of `places` in the whole batch.
  void write_part(Part* part, hub::Batch rows, const std::vector<int64_t>& places,
                  std::vector<hub::BadRow>* refused) {
    hub::BatchWriter& writer = writer_of(part);
    if (part->order != nullptr) {
      std::vector<hub::BadRow> misplaced;
      rows = part->order->leave_out(std::move(rows), rows_.hub, &misplaced);
      if (refused == nullptr && !misplaced.empty()) throw Error(misplaced.front().error);
      for (hub::BadRow& row : misplaced) {
        row.index = places[static_cast<size_t>(row.index)];
        refused->push_back(std::move(row));
      }
    }
    part->rows += static_cast<uint64_t>(rows.rows());
    if (rows.rows() > 0) writer.write(std::move(rows));
  }

  /// Refuses a value by which readers would take all values of a key for text.
  void check_type(size_t key, std::string_view value) const {
    if (key >= existing_.size() || value == kNullPartition) return;
    if (keeps_type(existing_[key], std::string(value))) return;
    throw Error(
        ErrorCode::Input,
        fmt::format("expected {} in the name of a folder, as in those that exist, found {}",
                    existing_[key].type.kind() == hub::Kind::Int64 ? "an integer" : "a date",
                    xwalk::quoted(value)));
  }

  Part* part_of(const hub::Batch& batch, int64_t row) {
    name_.clear();
    for (size_t i = 0; i < keys_.size(); ++i) {
      const size_t begin = name_.size();
      if (i > 0) name_ += '/';
      name_ += prefixes_[i];
      const hub::Field& field = schema_.fields[keys_[i]];
      try {
        append_value(batch.array.children[keys_[i]], field.type, row, &name_);
        check_type(i, std::string_view(name_).substr(begin + prefixes_[i].size() + (i > 0)));
        check_partition_name(std::string_view(name_).substr(begin));
      } catch (Error& error) {
        error.place().path = Path::column(field.name);
        error.place().row = static_cast<uint64_t>(batch.first_row + row);
        error.with_hint("Give the row another value, or leave it out before.");
        throw;
      }
    }
    if (last_ != nullptr && last_->folder == name_) return last_;
    auto found = parts_.find(name_);
    if (found == parts_.end()) {
      auto part = std::make_unique<Part>();
      part->folder = name_;
      part->existing = existing_in(name_);
      if (part->existing != nullptr) part->files = next_number(*part->existing);
      found = parts_.emplace(name_, std::move(part)).first;
    }
    return last_ = found->second.get();
  }

  hub::BatchWriter& writer_of(Part* part) {
    if (part->writer != nullptr) {
      open_.splice(open_.begin(), open_, part->place);
      return *part->writer;
    }
    if (open_.size() >= kMaxOpen) close(open_.back());
    part->writer = folder_ == nullptr ? in_promised_order(rows_.hub, options_.values.uuid_order, "",
                                                          std::make_unique<NoWriter>())
                                      : open_file(part);
    take_order(part);
    open_.push_front(part);
    part->place = open_.begin();
    return *part->writer;
  }

  /// Has the rows of one more file of a part follow those of the files before, and existing rows.
  void take_order(Part* part) {
    auto* const ordered = dynamic_cast<OrderedWriter*>(part->writer.get());
    const bool begins = part->order == nullptr;
    if (ordered != nullptr) {
      if (begins) part->order = std::make_unique<OrderedWriter>(nullptr, ordered->order());
      part->writer = ordered->give_writer();
    }
    if (!begins || part->existing == nullptr) return;
    std::optional<RowOrder> order =
        order_after(*part->existing, *meaning_, rows_.hub, options_, Location(part->folder));
    if (order) part->order = std::make_unique<OrderedWriter>(nullptr, *std::move(order));
  }

  /// Returns true if others may add files at the same time, or later runs look for inputs.
  bool names_inputs() const {
    return folder_->shares_names() || options_.mode == OutputMode::Append;
  }

  std::unique_ptr<hub::BatchWriter> open_file(Part* part) {
    const std::string_view extension = (*options_.format)->extensions.front();
    part->name = Location(part->folder)
                     .in(names_inputs() ? name_of_part(part->files, *options_.format, options_)
                                        : fmt::format("part-{:05}{}", part->files, extension));
    ++part->files;
    OutputOptions opening = options_;
    const std::string path = folder_->begin(part->name, &opening);
    try {
      const Destination file{path, *opening.format, output_place(path, opening), {}};
      return open_file_output(file, rows_, opening);
    } catch (const SystemError& error) {
      // Another run has added the same inputs since this one looked for them.
      const bool is_taken = error.number() == EEXIST && options_.mode == OutputMode::Append;
      if (is_taken) refuse_repeated_inputs(folder_->folder(), {{.path = path}}, options_);
      throw;
    }
  }

  void close(Part* part) {
    part->writer->finish();
    const uint64_t bytes = part->writer->bytes_written();
    if (folder_ != nullptr) folder_->wrote(part->name, std::exchange(part->rows, 0), bytes);
    bytes_ += bytes;
    part->writer = nullptr;
    open_.erase(part->place);
  }

  std::unique_ptr<FolderOutput> folder_;
  hub::Schema schema_;
  /// Without the columns that folders are named by.
  WritePlan rows_;
  OutputOptions options_;
  std::vector<size_t> keys_;
  /// The columns of the folders that exist, in the order of the keys.
  std::vector<hub::Field> existing_;
  /// The schema of the existing files if their keys are unique, and the files of each folder.
  std::optional<hub::Schema> meaning_;
  std::unordered_map<std::string, std::vector<Location>> files_of_;
  std::vector<std::string> prefixes_;
  std::string name_;
  std::unordered_map<std::string, std::unique_ptr<Part>> parts_;
  /// Those with a writer, the last written to first.
  std::list<Part*> open_;
  Part* last_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace

hub::Findings partition_conflicts(const Location& folder, const InputFiles& there,
                                  const hub::Schema& schema, const OutputOptions& options) {
  if (options.mode == OutputMode::Overwrite || there.files.empty()) return {};
  // The newest has every column that a conversion added.
  const InputFile& first = there.files.back();
  if (!std::ranges::equal(first.partition, options.partition_by, {}, &PartitionValue::key)) {
    std::vector<std::string> keys;
    for (const PartitionValue& value : first.partition) {
      keys.push_back(Path::column(value.key).text());
    }
    fail_output(
        ErrorCode::Usage, folder,
        keys.empty() ? "the files there are not in folders by the values of columns"
                     : fmt::format("the files there are in folders by {}", join(keys, ", ")),
        fmt::format("Give the same columns with {}.", hub::mention(hub::Option::PartitionBy)));
  }
  InputOptions reading;
  reading.storage = options.storage;
  const SchemaInput own = read_schema(first.path, std::nullopt, reading);
  const std::string hint = ways_with_column(own.system, /*selects=*/false);
  hub::Findings found;
  const auto conflict = [&](std::string_view rule, const hub::Field& field, std::string why,
                            std::string help) {
    found.push_back({rule, Path::column(field.name), hub::Effect::Forbidden, std::move(why), "",
                     std::move(help)});
  };
  std::vector<std::string_view> added;
  std::vector<std::string_view> existing;
  for (const hub::Field& field : schema.fields) {
    if (std::ranges::find(options.partition_by, field.name) != options.partition_by.end()) continue;
    const auto same = std::ranges::find(own.hub.fields, field.name, &hub::Field::name);
    if (same == own.hub.fields.end() && options.evolve) continue;
    if (same == own.hub.fields.end()) {
      conflict("member.left-out", field, "the existing rows have no such column", hint);
    } else if (!is_same_column(own.system, *same, field)) {
      conflict("type.no-cast", field,
               fmt::format("the existing rows have {}", crosswalk::type_text(own.system, *same)),
               fmt::format("convert it with {}, or write another output",
                           hub::mention(hub::Option::Cast)));
    } else {
      added.push_back(field.name);
    }
  }
  for (const hub::Field& field : own.hub.fields) {
    if (std::ranges::find(schema.fields, field.name, &hub::Field::name) == schema.fields.end()) {
      conflict("member.added", field, "the existing rows have this column", "write another output");
    } else {
      existing.push_back(field.name);
    }
  }
  if (found.empty() && added != existing) {
    found.push_back(
        {"order.changed", Path(), hub::Effect::Forbidden,
         "the existing rows have the columns in another order", "",
         fmt::format("put them in that order with {}", hub::mention(hub::Option::Select))});
  }
  return found;
}

std::unique_ptr<hub::BatchWriter> open_partitioned(const Destination& output, const WritePlan& plan,
                                                   const OutputOptions& options) {
  if (output.path.is_standard() || output.format->adding != Adding::ToFolder) {
    refuse_format(output.path.is_standard() ? "a pipe" : output.format->name);
  }
  for (const std::string& name : options.partition_by) {
    (void)select(plan.hub, {Path::column(name)});
  }
  const hub::Findings conflicts = partition_conflicts(output.path, output.there, plan.hub, options);
  if (!conflicts.empty()) refuse_addition(output.path, conflicts.front());
  return std::make_unique<PartitionedWriter>(
      std::make_unique<FolderOutput>(output.path, output.there, options), plan, output.there,
      options);
}

std::unique_ptr<hub::BatchWriter> try_partitioned(const WritePlan& plan, const InputFiles& there,
                                                  const OutputOptions& options) {
  return std::make_unique<PartitionedWriter>(nullptr, plan, there, options);
}

namespace {

/// Returns true if a column of the output is one that cannot be converted.
bool is_unsupported(const crosswalk::Plan& plan, const std::string& column) {
  return std::ranges::any_of(plan.unsupported, [&](const hub::Finding& finding) {
    const Path source = Path::column(finding.path.steps().front()->name);
    const auto renamed = plan.renames.find(source.text());
    const bool keeps_name = renamed == plan.renames.end();
    return column == (keeps_name ? source.last().name : renamed->second.front().name);
  });
}

}  // namespace

void plan_partitions(const std::vector<std::string>& columns, crosswalk::Plan* plan) {
  if (columns.empty()) return;
  const bool makes_folders = std::ranges::any_of(formats(), [&](Format format) {
    return format->system == plan->target_system && format->adding == Adding::ToFolder;
  });
  const bool splits_itself = std::ranges::any_of(formats(), [&](Format format) {
    return format->system == plan->target_system && format->partitions;
  });
  if (splits_itself) return;
  if (!makes_folders) refuse_format(plan->target_system->name);
  add_order_of_folder(plan->target_hub, plan);
  crosswalk::add_stale_keys(
      crosswalk::renewed_keys(plan->target_hub, in_files(plan->target_hub, columns), {}).stale,
      plan);
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    // The report says why it cannot be converted.
    if (is_unsupported(*plan, *column)) continue;
    const hub::Field field = select(plan->target_hub, {Path::column(*column)}).fields.front();
    const std::string shown_name = Path::column(*column).text();
    if (std::find(columns.begin(), column, *column) != column) {
      usage_error(fmt::format("{} is named twice in {}", shown_name,
                              hub::mention(hub::Option::PartitionBy)));
    }
    if (!can_be_a_name(field.type)) {
      usage_error(
          fmt::format("expected text, integers, dates or booleans to name folders by, found {} {}",
                      shown_name, hub::to_string(field.type)),
          fmt::format("Bytes that are text become text with {}.",
                      hub::mention(hub::Option::TargetSchema)));
    }
    const hub::Kind kind = field.type.kind();
    const bool is_found = kind == hub::Kind::Int64 || kind == hub::Kind::Date32;
    if (is_found && !field.nullable) continue;
    for (crosswalk::PathReport& path : plan->paths) {
      if (path.path != Path::column(*column)) continue;
      path.type = hub::TypeKept::Changed;
      path.reasons.push_back({"type.as-storage", hub::Values::Kept, "",
                              is_found ? "stored in folder names, where a column of nulls alone "
                                         "reads as text"
                                       : "stored in folder names, where numbers read as int64 and "
                                         "all except dates as text",
                              "", ""});
      if (!hub::is_utf8(shown(field.type).kind())) continue;
      path.values = std::max(path.values, hub::Values::Checked);
      path.reasons.push_back({"range.narrowed", hub::Values::Checked, "",
                              fmt::format("folder names have at most {} bytes, and {} means null",
                                          kMaxName, kNullPartition),
                              std::string(kNullPartition), ""});
    }
  }
  if (columns.size() >= plan->target_hub.fields.size() + plan->unsupported.size()) {
    usage_error(hub::mention(hub::Option::PartitionBy) + " leaves no column for the files",
                "Name fewer columns there: a file holds the columns that are not named.");
  }
}

}  // namespace xwalk::io
