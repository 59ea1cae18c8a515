#include "xwalk/io/places/reject_file.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/hub/builder.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/hive_columns.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/skiff/schema.h"

namespace xwalk::io {
namespace {

bool is_of_rejects(const Location& path, const StorageOptions& storage) {
  if (look_at(path, storage) != NameKind::File) return false;
  try {
    return parse_forms(read_all(*open_source(path, storage), limits::kSchemaBytes)).has_value();
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<ByteSink> open_side(const Location& path, const SinkOptions& options) {
  if (path.is_standard() || (!path.is_remote() && is_written_in_place(path))) return nullptr;
  SinkOptions side = options;
  side.compression = Compression::None;
  const Location name = side_schema_path(path);
  // The schema of an earlier file of rejects is replaced.
  if (side.mode == OutputMode::Create && is_of_rejects(name, options.storage)) {
    side.mode = OutputMode::Overwrite;
  }
  return open_sink(name, side);
}

/// Returns the name of the file for one more schema: the number comes before the extensions.
Location numbered(const Location& location, size_t number) {
  if (number == 1) return location;
  const std::string& path = location.name();
  const size_t name = path.find_last_of('/') + 1;
  const size_t dot = std::min(path.find('.', name + 1), path.size());
  return location.renamed(fmt::format("{}-{}{}", path.substr(0, dot), number, path.substr(dot)))
      .made_after(std::min(location.given(), name));
}

}  // namespace

RejectFile::RejectFile(const Location& path, const SinkOptions& options, bool if_any, Check check)
    : path_(path), options_(options), check_(std::move(check)) {
  // The file of an earlier run is replaced.
  if (if_any && look_at(path, options.storage) == NameKind::Nothing) {
    check_names(path);
  } else {
    open_file();
  }
}

void RejectFile::check_names(const Location& path) const {
  check_(path);
  check_(side_schema_path(path));
}

void RejectFile::open_file() {
  const Location path = numbered(path_, written_.size() + 1);
  check_names(path);
  std::unique_ptr<ByteSink> rows = open_sink(path, options_);
  written_.push_back({RejectWriter(std::move(rows)), open_side(path, options_), std::nullopt});
}

RejectFile::File& RejectFile::file_of(size_t form) {
  const auto found = std::ranges::find(written_, std::optional(form), &File::form);
  if (found != written_.end()) return *found;
  if (written_.back().form) open_file();
  written_.back().form = form;
  return written_.back();
}

void RejectFile::begin(const Input& input, const InputOptions& options) {
  files_.clear();
  // Bytes of rows are read by the schema of their file.
  is_by_file_ = input.files.size() > 1 && input.format->by_bytes;
  reading_ = options;
  // Only the schemas of the files are read again.
  reading_.select.clear();
  reading_.exclude.clear();
  reading_.limit.reset();
  reading_.tail.reset();
  reading_.sample.reset();
  names_.clear();
  for (const Location& file : input.files) names_[shown_name(file)] = file;
  partitions_ = input.partitions;
  columns_.clear();
  tables_.clear();
  if (!is_by_file_) tables_.push_back(origin_of(input));
}

void RejectFile::begin(const skiff::Schema& stream) {
  is_by_file_ = false;
  tables_.clear();
  for (size_t table = 0; table < stream.format.tables.size(); ++table) {
    RejectForm form;
    form.format = kSkiffRows.word;
    form.schema = skiff::print(skiff::of_table(stream, table), skiff::SchemaForm::File);
    tables_.push_back({number_of(std::move(form)), {}});
  }
}

size_t RejectFile::number_of(RejectForm form) {
  const auto found = std::ranges::find(forms_, form);
  if (found != forms_.end()) return static_cast<size_t>(found - forms_.begin());
  forms_.push_back(std::move(form));
  return forms_.size() - 1;
}

RejectFile::Origin RejectFile::origin_of(const Input& input) {
  return {number_of(io::form_of(input, reading_)), folder_columns(input, reading_)};
}

const RejectFile::Origin& RejectFile::origin_of_row(const hub::BadRow& row) {
  if (!is_by_file_) {
    const size_t table = row.error.place().table.value_or(0);
    return tables_[std::min(table, tables_.size() - 1)];
  }
  const std::string& file = row.error.place().file;
  const auto known = files_.find(file);
  if (known != files_.end()) return known->second;
  const auto name = names_.find(file);
  Input its = open_input({name == names_.end() ? Location(file) : name->second}, reading_);
  its.partitions = partitions_;
  return files_[file] = origin_of(its);
}

const std::string& RejectFile::columns_of(const hub::BadRow& row, const FolderColumns& folders) {
  static const std::string kNone;
  if (folders.fields.empty()) return kNone;
  const std::string& file = row.error.place().file;
  const auto known = columns_.find(file);
  if (known != columns_.end()) return known->second;
  const auto name = names_.find(file);
  const auto values = partition_of(name == names_.end() ? Location(file) : name->second);
  std::vector<hub::Array> columns;
  for (const hub::Field& field : folders.fields) {
    const auto its =
        std::ranges::find(values.rbegin(), values.rend(), field.name, &PartitionValue::key);
    columns.push_back(column_of_value(field, its == values.rend() ? std::nullopt : its->value, 1));
  }
  return columns_[file] = folders.print(hub::struct_of(std::move(columns), 1));
}

void RejectFile::add(const hub::BadRow& row) {
  const Origin& origin = origin_of_row(row);
  const std::string& columns = columns_of(row, origin.folders);
  const bool binary = forms_[origin.form].format == kSkiffRows.word;
  if (written_.empty()) open_file();
  // A pipe has no file next to it: each row says which schema it has.
  if (written_.front().side == nullptr) {
    return written_.front().rows.add(row, origin.form, columns, binary);
  }
  file_of(origin.form).rows.add(row, 0, columns, binary);
}

void RejectFile::finish() {
  for (File& file : written_) {
    file.rows.finish();
    if (file.side == nullptr) continue;
    file.side->write(print_forms(file.form ? std::vector{forms_[*file.form]} : forms_));
    file.side->finish();
  }
}

}  // namespace xwalk::io
