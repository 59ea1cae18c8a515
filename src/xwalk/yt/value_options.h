#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/yson/node.h"
#include "xwalk/yson/print.h"

namespace xwalk::yt {

/// How structs and named variants are written: by name (the default of formats) or by position.
enum class ComplexTypeMode : uint8_t { Named, Positional };
/// How a dict with `string` keys is written: a list of pairs (the default) or a map.
enum class DictMode : uint8_t { Positional, Named };
/// How decimals are written: the stored bytes (the default) or text.
enum class DecimalMode : uint8_t { Binary, Text };
/// How date, datetime and timestamp are written: numbers (the default) or ISO 8601 text. The other
/// time types are always numbers, those with a zone always bytes.
enum class TimeMode : uint8_t { Binary, Text };
/// How a uuid is written: the stored bytes (the default), four groups, or five as YQL shows them.
enum class UuidMode : uint8_t { Binary, TextYt, TextYql };
/// The byte order of a uuid in Arrow: that of the text YQL shows (RFC 4122), or as stored.
enum class UuidOrder : uint8_t { Rfc, Raw };
/// How the zone of a value with a time zone is written: its name (the default, which clusters
/// before June 2026 store), or the number of two bytes that later ones store. Both are read.
enum class TzForm : uint8_t { Name, Index };
/// What nan, inf and -inf of a decimal become in Arrow, which has none.
enum class DecimalSpecial : uint8_t { Error, Null };
/// What to do if a key occurs twice in one row: an error, or the last one wins.
enum class RepeatedKeys : uint8_t { Error, Last };

/// How nan and the infinities, which JSON numbers cannot express, are handled.
enum class NotFinite : uint8_t {
  Refuse,
  Unquoted,  ///< `inf`, `-inf` beside numbers; nan is rejected
  Quoted,    ///< "nan", "inf", "-inf"
};

/// The settings of YTsaurus's format `json` that YSON does not have, with the same names. The
/// defaults are those of plain JSON lines.
struct JsonForm {
  /// Each byte of a string is the code point of that number; otherwise strings are UTF-8.
  bool encode_utf8 = false;
  /// Numbers and booleans are strings.
  bool stringify = false;
  /// Each scalar says its type: `{"$type":"int64","$value":5}`.
  bool annotate_with_types = false;
  /// Keys that begin with a dollar sign mean nothing.
  bool plain = false;
  /// `support_infinity`, `stringify_nan_and_infinity`.
  NotFinite not_finite = NotFinite::Refuse;
  /// The format had attributes, so that its own defaults hold.
  bool living = false;

  /// Returns true if "nan", "inf" and "-inf" are numbers in number columns. In plain JSON they are
  /// strings.
  bool reads_specials() const {
    return not_finite == NotFinite::Quoted || stringify || annotate_with_types;
  }

  friend bool operator==(const JsonForm&, const JsonForm&) = default;
};

/// Modes that the user set explicitly.
struct ChosenModes {
  bool decimal = false;
  bool time = false;
  bool uuid = false;

  friend bool operator==(const ChosenModes&, const ChosenModes&) = default;
};

/// Every setting of a YSON format, and the layout of values in Arrow.
struct ValueOptions {
  ComplexTypeMode complex_type_mode = ComplexTypeMode::Named;
  DictMode string_keyed_dict_mode = DictMode::Positional;
  DecimalMode decimal_mode = DecimalMode::Binary;
  TimeMode time_mode = TimeMode::Binary;
  UuidMode uuid_mode = UuidMode::Binary;
  ChosenModes chosen;
  /// Leaves out columns and struct fields that are null when writing.
  bool skip_null_values = false;
  /// Layout when writing; reading takes all of them.
  yson::Format format = yson::Format::Text;
  JsonForm json;

  /// Of rows that are written, YSON and Skiff strings alike; no attribute of a format.
  TzForm tz_form = TzForm::Name;
  UuidOrder uuid_order = UuidOrder::Rfc;
  DecimalSpecial decimal_special = DecimalSpecial::Error;
  /// With DecimalSpecial::Error: nan, inf and -inf of decimals are the numbers that YTsaurus stores
  /// for them, beyond the digits that the type allows, instead of being rejected. Writers then take
  /// them. Only for rows that go to types of YTsaurus.
  bool specials_as_stored = false;

  friend bool operator==(const ValueOptions&, const ValueOptions&) = default;
};

/// The options of the stored form: positional, everything binary.
ValueOptions stored_form();

/// Reads a format: `yson`, `<format=binary;complex_type_mode=positional>yson`. Unknown attributes
/// are refused. Throws Error (Input) naming the attribute and the words it may have.
ValueOptions parse_format(const yson::Node& format);
ValueOptions parse_format(std::string_view text);

/// Reads the attributes of a format `json`: `<encode_utf8=%false;stringify=%true>json`; those that
/// are not given are as in YTsaurus, where strings are `encode_utf8`. Throws as above.
ValueOptions parse_json_format(const yson::Node& format);

/// Returns the settings of JSON rows. If their format has no attributes, they are plain lines:
/// decimals, uuids and times are text unless the user chose another form, since JSON has no bytes.
ValueOptions json_values(ValueOptions options);

/// Makes the format with every attribute that differs from its default; `print_format` as text.
yson::Node format_node(const ValueOptions& options);
std::string print_format(const ValueOptions& options);

/// Reads the value of a setting, as in the format's attributes. Throws Error (Usage) listing the
/// values. For each type of a member of ValueOptions that is an enum.
template <typename Mode>
void parse_mode(std::string_view word, Mode* mode);

}  // namespace xwalk::yt
