#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/int128.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// A closed interval of integers, in the unit of the type it belongs to.
struct Range {
  Int128 low = 0;
  Int128 high = 0;

  bool contains(Int128 value) const { return low <= value && value <= high; }
  bool contains(const Range& other) const { return low <= other.low && other.high <= high; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// A rule for bytes whose form the hub does not know, such as BSON.
struct ContentRule {
  /// In a few words: "a BSON document".
  std::string_view name;
  bool (*accepts)(std::string_view bytes);
  /// Says where bytes that are not accepted go wrong: "wrong at byte 7". Null if it is unknown.
  std::string (*fault)(std::string_view bytes) = nullptr;
};

/// JSON text, by its grammar.
extern const ContentRule kJsonContent;

/// Which clock shows a time, if a system says so beyond the Arrow type.
enum class Clock : uint8_t {
  Unsaid,
  Local,
  Utc,
  Any,  ///< the system does not say: readers agree on one or the other
};

/// What a system says about the values of a field beyond its Arrow type.
struct Refinement {
  /// Integers, dates, times, instants, durations, the first member of `zone_names`: the values that
  /// exist, in the field's unit.
  std::optional<Range> range;
  /// Decimals: whether nan, inf and -inf exist in addition to the numbers. They are stored as n,
  /// n-1 and 1-n; n is the greatest integer of the 4, 8, 16 or 32 bytes that hold the precision.
  bool special_values = false;
  /// Structs: the second member must be the name of a time zone (`tz_*`).
  bool zone_names = false;
  /// Maps: whether the system rejects a repeated key.
  bool unique_keys = false;
  /// Maps, and lists of keys: whether keys may be null in the source, which rejects such rows.
  bool null_keys = false;
  /// Calendar intervals: whether each part is unsigned, with 32 bits of milliseconds.
  bool unsigned_millis = false;
  /// Bytes: whether each is a value of any type, as binary YSON.
  bool yson = false;
  /// Times of day and timestamps.
  Clock clock = Clock::Unsaid;
  /// Extension types: whether the name says how values are stored, not what they are.
  bool is_layout = false;
  /// Bytes: what each value must be, if the system asks for more than the Arrow type. Bytes of a
  /// fixed size are not checked if the rule has no `fault`: all of them are such values.
  const ContentRule* content = nullptr;
  /// The names by which a system tells values of one type apart, from the outermost: tags of
  /// YTsaurus. Empty if it has no names.
  std::vector<std::string> tags;
  /// Numbers: the names of labels that 0, 1, 2 and so on stand for; empty if they are numbers.
  std::vector<std::string> labels;
  /// Geometry: the year in which the coordinates were true; "" if it is not known.
  std::string epoch;
  /// Checks the bytes of the last column, which holds additional columns of a row. Returns the
  /// problem, or "" if they are valid. Null if the system has no such column.
  std::string (*rest_fault)(std::string_view bytes,
                            const std::function<bool(std::string_view)>& is_column) = nullptr;
};

/// Answers for the fields of one system. The hub knows no system, so the caller passes this in.
/// Null means "as the Arrow type says".
using Refine = std::function<Refinement(const Field&)>;

/// Families of values; containment is decided within one.
enum class Family : uint8_t {
  Null,
  Bool,
  Integer,
  Float,
  Decimal,
  Text,
  Date,
  TimeOfDay,
  Instant,
  Duration,
  Calendar,
  List,
  Map,
  Struct,
  Union,
};

/// What text and bytes must be. Each but the last narrows Bytes.
enum class Content : uint8_t { Json, Utf8, Bytes };

/// Meaning of the clock of an instant.
enum class Zone : uint8_t { Local, Utc, Named };

/// The values that one field can hold, for its own layer: children have separate domains. Layout
/// (large, view, dictionary, run-end) makes no difference.
struct Domain {
  Family family = Family::Null;
  bool nullable = true;
  /// Integer, Date, TimeOfDay, Instant, Duration; Decimal: unscaled integers where they fit 128
  /// bits, else see `precision`.
  Range range;
  /// TimeOfDay, Instant, Duration; Date counts days, or milliseconds (Date64).
  TimeUnit unit = TimeUnit::Second;
  bool days = false;
  Zone zone = Zone::Local;
  std::string zone_name;
  int precision = 0;  ///< decimals
  int scale = 0;      ///< decimals
  bool special_values = false;
  int mantissa_bits = 0;  ///< floats: 11, 24, 53
  Content content = Content::Bytes;
  /// Text: bytes of every value; List: items of every value; -1 when free.
  int64_t length = -1;
  bool unique_keys = false;           ///< maps
  bool unsigned_millis = false;       ///< calendar intervals
  bool yson = false;                  ///< bytes: values of any type, as binary YSON
  const ContentRule* rule = nullptr;  ///< bytes
};

/// Computes the domain of a field from its Arrow type, its canonical extension and what the system
/// says.
Domain domain_of(const Field& field, const Refinement& refinement = {});

/// Why a value of one domain may not be one of another.
struct Narrowing {
  /// Slug of the rule.
  std::string_view rule;
  /// In a few words: "holds 0 to 49672, not -2147483648 to 2147483647".
  std::string lost;
  /// A value that does not fit, in the source's text form; "" when none can be shown.
  std::string witness;
  /// The option that makes such values fit by altering them.
  std::optional<Option> option;
};

/// Returns why values of `from` may not be values of `to`, nulls aside; empty if all are. Both must
/// be of one family, Date and Instant counting as one, as do Integer and every family of ticks
/// (whose ticks the integer then holds).
std::vector<Narrowing> narrowings(const Domain& from, const Domain& to);

/// How ticks of one domain become ticks of another: divided by `divide`, then times `multiply`. One
/// of them is 1, except for conversions of other families to days in milliseconds.
struct TickRatio {
  int64_t multiply = 1;
  int64_t divide = 1;
};
TickRatio tick_ratio(const Domain& from, const Domain& to);

/// Returns the ticks of a unit in a second.
int64_t ticks_per_second(TimeUnit unit);

/// Prints a number of the domain's unit as a person writes it: 2024-02-29, 2024-02-29T12:00:00Z,
/// 12:30:00, 1.25; the plain number outside the years 0001 to 9999.
std::string value_text(const Domain& domain, Int128 value);

}  // namespace xwalk::hub
