#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/yt/scalar_codec.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::skiff {

/// How the values of one node go between Skiff and an Arrow array: a binding, with the choices that
/// depend on types made once.
struct Codec {
  Form form = Form::Nothing;
  WireType wire = WireType::Nothing;
  /// The value is of the type `yson`, carried by a simple wire type.
  bool any = false;
  /// Optional: absence is rejected. List: the item's tag is that of the list.
  bool required = false;
  bool shares_tag = false;
  /// Optional, Present: the value is in a box.
  bool wrapped = false;
  /// Variant: the Arrow array is a union, else a struct of nullable fields.
  bool is_union = false;
  /// Bytes of a simple wire type.
  uint8_t wire_width = 0;
  /// Signed and Unsigned: whether the wire holds values that the type does not.
  bool check_range = false;
  yt::ScalarCodec scalar;
  std::vector<Codec> children;
  /// Tuple: the Arrow child of each child. To write, -1 for an optional that is always absent.
  std::vector<int> members;
  /// Tuple: Arrow children without a skiff child: null.
  std::vector<int> absent;
  yt::Type type;
};

/// Returns the name of a child of a tuple that the type has.
std::string member_name(const Codec& tuple, size_t child);

/// Makes the codec of a binding whose values nest in Arrow as the shape says. The options determine
/// the form of uuids and special decimals there.
Codec make_codec(const Binding& binding, const yt::Shape& shape, const yt::ValueOptions& options);

/// Returns the options of a codec: values in the stored form.
yt::ValueOptions codec_options(yt::UuidOrder uuid_order, bool specials_as_stored,
                               yt::DecimalSpecial decimal_special = yt::DecimalSpecial::Error);

/// Returns the end of a value, whose structure it checks, or null if that is broken or the bytes
/// end before. `short_of_bytes` is set in the latter case.
const char* skip(const Codec& codec, const char* at, const char* end, bool* short_of_bytes);

}  // namespace xwalk::skiff
