#include "xwalk/variant/fault.h"

namespace xwalk::variant {

std::string_view describe(Fault fault) {
  switch (fault) {
    case Fault::None:
      return "a value";
    case Fault::Version:
      return "metadata of another version than 1";
    case Fault::Truncated:
      return "the end of the bytes inside a value";
    case Fault::TrailingBytes:
      return "bytes after the value";
    case Fault::Dictionary:
      return "a dictionary whose offsets or names are not in order";
    case Fault::FieldId:
      return "a field id that is not in the dictionary";
    case Fault::FieldOrder:
      return "an object whose names are not in order, or repeated";
    case Fault::Offsets:
      return "offsets of values that overlap or leave bytes out";
    case Fault::UnknownType:
      return "a type that is newer than this version of xwalk";
    case Fault::Decimal:
      return "a decimal with more than 38 digits";
    case Fault::TooDeep:
      return "more than 255 open lists and objects";
    case Fault::Yson:
      return "bytes that are not YSON";
    case Fault::Json:
      return "text that is not JSON";
    case Fault::Attributes:
      return "a value with attributes";
    case Fault::NotFinite:
      return "nan or an infinity";
    case Fault::NotText:
      return "a string that is not UTF-8";
    case Fault::RepeatedKey:
      return "an object that repeats a key";
    case Fault::TextBytes:
      return "binary that is UTF-8";
    case Fault::NotObject:
      return "a value that is not an object";
    case Fault::Date:
      return "a date";
    case Fault::Time:
      return "a time";
    case Fault::Timestamp:
      return "a timestamp";
    case Fault::Uuid:
      return "a UUID";
    case Fault::DecimalDigits:
      return "a decimal that is not the shortest text of a double";
    case Fault::Taken:
      return "a value that would come back as another type: the one noted for its place";
    case Fault::Null:
      return "VARIANT null";
    case Fault::Number:
      return "a number with more than 38 digits";
    case Fault::TooLarge:
      return "a value of more than 2 GiB";
  }
  return "";
}

}  // namespace xwalk::variant
