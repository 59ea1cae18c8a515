#include "xwalk/io/formats/iceberg_partitions.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::io {
namespace {

struct TransformRow {
  std::string_view word;
  PartitionTransform transform;
};
constexpr std::array kTransforms = {
    TransformRow{"identity", PartitionTransform::Identity},
    TransformRow{"year", PartitionTransform::Year},
    TransformRow{"month", PartitionTransform::Month},
    TransformRow{"day", PartitionTransform::Day},
    TransformRow{"hour", PartitionTransform::Hour},
};
constexpr int64_t kHoursADay = 24;
constexpr int64_t kEpochYear = 1970;
constexpr int64_t kMonthsAYear = 12;

constexpr int64_t floor_div(int64_t value, int64_t by) {
  const int64_t out = value / by;
  return out * by > value ? out - 1 : out;
}

int64_t units_an_hour(const hub::Type& type) {
  constexpr int64_t kSecondsAnHour = 3600;
  return kSecondsAnHour * (type.unit() == hub::TimeUnit::Nano ? 1'000'000'000 : 1'000'000);
}

/// Returns the years, months or days since 1970 of a day since 1970.
int64_t calendar_of(int64_t day, PartitionTransform transform) {
  if (transform == PartitionTransform::Day) return day;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int32_t>(day)))};
  const int64_t years = static_cast<int>(date.year()) - kEpochYear;
  if (transform == PartitionTransform::Year) return years;
  return years * kMonthsAYear + static_cast<unsigned>(date.month()) - 1;
}

bool has_identity(hub::Kind kind) {
  return hub::is_integer(kind) || hub::is_utf8(kind) || kind == hub::Kind::Date32 ||
         kind == hub::Kind::Bool || kind == hub::Kind::Timestamp;
}

bool has_time(hub::Kind kind, PartitionTransform transform) {
  return kind == hub::Kind::Timestamp ||
         (kind == hub::Kind::Date32 && transform != PartitionTransform::Hour);
}

int64_t whole_value(const hub::Array& column, const hub::Type& type, PartitionTransform transform,
                    int64_t row) {
  const int64_t value = hub::integer_at(column, type.kind(), row);
  if (transform == PartitionTransform::Identity) return value;
  if (type.kind() == hub::Kind::Date32) return calendar_of(value, transform);
  const int64_t hours = floor_div(value, units_an_hour(type));
  if (transform == PartitionTransform::Hour) return hours;
  return calendar_of(floor_div(hours, kHoursADay), transform);
}

}  // namespace

std::string_view word_of(PartitionTransform transform) {
  return std::ranges::find(kTransforms, transform, &TransformRow::transform)->word;
}

PartitionField parse_partition(std::string_view text) {
  const size_t open = text.find('(');
  if (open != std::string_view::npos && text.ends_with(')')) {
    const auto found = std::ranges::find(kTransforms, text.substr(0, open), &TransformRow::word);
    if (found != kTransforms.end()) {
      return {std::string(text.substr(open + 1, text.size() - open - 2)), found->transform};
    }
  }
  return {.column = std::string(text)};
}

PartitionField partition_of(const std::string& column, std::string_view transform) {
  const auto found = std::ranges::find(kTransforms, transform, &TransformRow::word);
  if (found != kTransforms.end()) return {column, found->transform};
  throw Error(ErrorCode::Unsupported,
              fmt::format("the table is partitioned by {} of {}, which xwalk does not write",
                          transform, xwalk::quoted(column)),
              {}, "Write another table, and insert its rows with a program that does.");
}

Partitioner::Partitioner(std::vector<PartitionField> fields, const hub::Schema& rows) {
  for (const PartitionField& field : fields) {
    const auto found = std::ranges::find(rows.fields, field.column, &hub::Field::name);
    if (found == rows.fields.end()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{}: no column {}", hub::mention(hub::Option::PartitionBy),
                              xwalk::quoted(field.column)));
    }
    const hub::Kind kind = found->type.kind();
    const bool fits = field.transform == PartitionTransform::Identity
                          ? has_identity(kind)
                          : has_time(kind, field.transform);
    if (!fits) {
      throw Error(
          ErrorCode::Unsupported,
          field.transform == PartitionTransform::Identity
              ? fmt::format("expected text, integers, dates, times or booleans to partition by, "
                            "found {}",
                            hub::to_string(found->type))
              : fmt::format("expected a {} to take the {} of, found {}",
                            field.transform == PartitionTransform::Hour ? "time" : "date or time",
                            word_of(field.transform), hub::to_string(found->type)),
          {.path = Path::column(field.column)});
    }
    sources_.push_back(
        {static_cast<size_t>(found - rows.fields.begin()), found->type, field.transform});
  }
}

nlohmann::json Partitioner::values_of(const hub::Batch& batch, int64_t row) const {
  nlohmann::json out = nlohmann::json::array();
  for (const Source& source : sources_) {
    const hub::Array& column = batch.array.children[source.column];
    if (column.is_null(row)) {
      out.push_back(nullptr);
    } else if (hub::is_utf8(source.type.kind())) {
      out.push_back(std::string(hub::bytes_at(column, source.type, row)));
    } else if (source.type.kind() == hub::Kind::Bool) {
      out.push_back(column.bit(row));
    } else {
      out.push_back(whole_value(column, source.type, source.transform, row));
    }
  }
  return out;
}

void Partitioner::write_key(const hub::Batch& batch, int64_t row, std::string* out) const {
  out->clear();
  for (const Source& source : sources_) {
    const hub::Array& column = batch.array.children[source.column];
    if (column.is_null(row)) {
      *out += '-';
    } else if (hub::is_utf8(source.type.kind())) {
      const std::string_view text = hub::bytes_at(column, source.type, row);
      fmt::format_to(std::back_inserter(*out), "{}:", text.size());
      *out += text;
    } else if (source.type.kind() == hub::Kind::Bool) {
      *out += column.bit(row) ? '1' : '0';
    } else {
      fmt::format_to(std::back_inserter(*out), "{};",
                     whole_value(column, source.type, source.transform, row));
    }
  }
}

}  // namespace xwalk::io
