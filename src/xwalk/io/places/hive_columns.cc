#include "xwalk/io/places/hive_columns.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/io/rows/row_stream.h"

namespace xwalk::io {
namespace {

/// Reads an integer in its one usual form: what `007` says would be lost in a number.
std::optional<int64_t> read_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return fmt::format("{}", value) == text ? std::optional(value) : std::nullopt;
}

/// Reads `2024-01-01` as days since 1970.
std::optional<int32_t> read_date(std::string_view text) {
  int64_t days = 0;
  if (text.size() != 10 || !hub::read_date(text, &days)) return std::nullopt;
  return static_cast<int32_t>(days);
}

[[noreturn]] void fail_input(const std::string& file, std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Input, std::move(message), {.file = file}, std::move(hint));
}

std::string keys_of(const InputFile& file) {
  std::vector<std::string> keys;
  for (const PartitionValue& value : file.partition) keys.push_back(xwalk::quoted(value.key));
  return keys.empty() ? "none" : join(keys, ", ");
}

void check_keys(const InputFile& first, const InputFile& file) {
  if (!std::ranges::equal(first.partition, file.partition, {}, &PartitionValue::key,
                          &PartitionValue::key)) {
    fail_input(
        file.path,
        fmt::format("expected folders of the keys {}, as those of {}, found {}", keys_of(first),
                    first.path, keys_of(file)),
        hub::mention(hub::Option::Partitions) + " reads the files without their folders' values.");
  }
}

void check_texts(const InputFile& file) {
  for (const PartitionValue& value : file.partition) {
    if (!is_valid_utf8(value.key) || (value.value && !is_valid_utf8(*value.value))) {
      fail_input(file.path, "expected UTF-8 in the name of a folder");
    }
  }
}

/// Returns true if a function can read every existing value of a key.
template <typename Read>
bool all_values(const std::vector<InputFile>& files, size_t key, Read read) {
  bool any = false;
  for (const InputFile& file : files) {
    const std::optional<std::string>& value = file.partition[key].value;
    if (!value) continue;
    any = true;
    if (!read(*value)) return false;
  }
  return any;
}

}  // namespace

hub::Array column_of_value(const hub::Field& field, const std::optional<std::string>& value,
                           int64_t rows) {
  hub::ColumnBuilder builder(field);
  builder.reserve(rows);
  const auto repeat = [&](auto append) {
    for (int64_t i = 0; i < rows; ++i) append();
  };
  if (!value) {
    repeat([&] { builder.append_null(); });
  } else if (field.type.kind() == hub::Kind::Int64) {
    repeat([&, number = read_integer(*value).value()] { builder.append(number); });
  } else if (field.type.kind() == hub::Kind::Date32) {
    repeat([&, days = read_date(*value).value()] { builder.append(days); });
  } else if (field.type.kind() == hub::Kind::Bool) {
    repeat([&] { builder.append_bool(*value == kTruePartition); });
  } else {
    repeat([&] { builder.append_bytes(*value); });
  }
  return builder.finish();
}

bool keeps_type(const hub::Field& key, const std::string& value) {
  if (key.type.kind() == hub::Kind::Int64) return read_integer(value).has_value();
  if (key.type.kind() == hub::Kind::Bool) {
    return value == kTruePartition || value == kFalsePartition;
  }
  return key.type.kind() != hub::Kind::Date32 || read_date(value).has_value();
}

Partitions::Partitions(const std::vector<InputFile>& files, bool listed,
                       const std::vector<hub::Field>& keys)
    : listed_(listed) {
  for (const InputFile& file : files) {
    check_keys(files.front(), file);
    check_texts(file);
  }
  if (files.empty()) return;
  for (size_t i = 0; i < files.front().partition.size(); ++i) {
    const std::string& key = files.front().partition[i].key;
    const bool twice =
        std::ranges::any_of(fields_, [&](const hub::Field& field) { return field.name == key; });
    if (twice)
      fail_input(files.front().path,
                 fmt::format("two folders have the key {}", xwalk::quoted(key)));
    const auto known = std::ranges::find(keys, key, &hub::Field::name);
    if (known != keys.end()) {
      fields_.push_back(*known);
      continue;
    }
    hub::Kind kind = hub::Kind::Utf8;
    if (all_values(files, i, read_integer)) {
      kind = hub::Kind::Int64;
    } else if (all_values(files, i, read_date)) {
      kind = hub::Kind::Date32;
    }
    fields_.emplace_back(key, kind);
  }
  if (fields_.empty()) return;
  for (const InputFile& file : files) values_.emplace(file.path, file.partition);
}

std::unique_ptr<SplitReader> Partitions::add_to(std::unique_ptr<SplitReader> reader,
                                                const Location& file) const {
  if (fields_.empty()) return reader;
  hub::Schema schema = reader->schema();
  const std::vector<PartitionValue>& values = values_.at(file);
  std::vector<std::pair<hub::Field, std::optional<std::string>>> columns;
  for (size_t i = 0; i < fields_.size(); ++i) {
    const hub::Field& field = fields_[i];
    if (std::ranges::find(schema.fields, field.name, &hub::Field::name) != schema.fields.end()) {
      continue;
    }
    columns.emplace_back(field, values[i].value);
    schema.fields.push_back(field);
  }
  const auto add = [columns = std::move(columns)](hub::Batch batch) {
    const int64_t rows = batch.array.offset + batch.array.length;
    for (const auto& [field, value] : columns) {
      batch.array.children.push_back(column_of_value(field, value, rows));
    }
    return batch;
  };
  return change_pieces(std::move(reader), std::move(schema), add);
}

}  // namespace xwalk::io
