#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/base/int128.h"
#include "xwalk/base/time_text.h"
#include "xwalk/crosswalk/value_condition.h"

namespace xwalk::crosswalk {

// Names of readers in the tables, so that a row fits on a line.
inline constexpr std::string_view kArrowGo = "arrow-go";
inline constexpr std::string_view kAttach = "attach_table";
inline constexpr std::string_view kCarquet = "carquet";
inline constexpr std::string_view kChyt = "CHYT";
inline constexpr std::string_view kClickhouse = "ClickHouse";
inline constexpr std::string_view kClient = "ytsaurus-client";
inline constexpr std::string_view kDaft = "Daft";
inline constexpr std::string_view kDatafusion = "DataFusion";
inline constexpr std::string_view kDuckdb = "DuckDB";
inline constexpr std::string_view kDuckdbLance = "DuckDB's lance";
inline constexpr std::string_view kDuckdbVortex = "DuckDB's vortex";
inline constexpr std::string_view kFastparquet = "fastparquet";
inline constexpr std::string_view kHyparquet = "hyparquet";
inline constexpr std::string_view kJavaClient = "ytsaurus-client-java";
inline constexpr std::string_view kPolars = "Polars";
inline constexpr std::string_view kPyarrow = "pyarrow";
inline constexpr std::string_view kPyiceberg = "pyiceberg";
inline constexpr std::string_view kPylance = "pylance";
inline constexpr std::string_view kSpark = "Spark";
inline constexpr std::string_view kSpyt = "SPYT";
inline constexpr std::string_view kUpload = "upload_parquet";
inline constexpr std::string_view kVortexData = "vortex-data";
inline constexpr std::string_view kYtsaurusOf = "ClickHouse's ytsaurus";

inline constexpr Int128 kNanosOfOneDay = Int128{86'400} * 1'000'000'000;

/// Returns the nanoseconds between 1970 and the first day of a year.
constexpr Int128 start_of_year(int64_t year) {
  return days_from_civil({year, 1, 1}) * kNanosOfOneDay;
}

// Values that remarks are about.
inline constexpr ValueCondition kNulls{ValueCondition::Kind::Null};
inline constexpr ValueCondition kNoObjects{ValueCondition::Kind::NotAnObject};
inline constexpr ValueCondition kHalfSurrogates{ValueCondition::Kind::HalfSurrogate};
inline constexpr ValueCondition kNotUtf8{ValueCondition::Kind::NotUtf8};
inline constexpr ValueCondition kZerosAtEnd{ValueCondition::Kind::EndsInZero};
inline constexpr ValueCondition kMonths{ValueCondition::Kind::WithMonths};
inline constexpr ValueCondition kFarIntervals{ValueCondition::Kind::FarInterval};
inline constexpr ValueCondition kBeyondNanos{ValueCondition::Kind::TimeOutside, INT64_MIN,
                                             INT64_MAX};
inline constexpr ValueCondition kFarTimes{ValueCondition::Kind::TimeOutside, start_of_year(0),
                                          start_of_year(10'000) - 1};
inline constexpr ValueCondition kFarDays{ValueCondition::Kind::DayOutside, start_of_year(0),
                                         start_of_year(10'000) - 1};
inline constexpr ValueCondition kDaysBeyondShort{ValueCondition::Kind::DayOutside, 0,
                                                 UINT16_MAX* kNanosOfOneDay};
inline constexpr ValueCondition kBeyondInt32{ValueCondition::Kind::NumberOutside, 0, INT32_MAX};
inline constexpr ValueCondition kBeyondInt64{ValueCondition::Kind::NumberOutside, 0, INT64_MAX};
inline constexpr ValueCondition kDaysBeyondNanos{ValueCondition::Kind::DayOutside, INT64_MIN,
                                                 INT64_MAX};
inline constexpr ValueCondition kFinerThanMicros{ValueCondition::Kind::FinerThan, 1000};
inline constexpr ValueCondition kFinerThanMillis{ValueCondition::Kind::FinerThan, 1'000'000};

}  // namespace xwalk::crosswalk
