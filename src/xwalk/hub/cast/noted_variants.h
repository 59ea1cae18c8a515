#pragma once

#include <string_view>

#include "xwalk/variant/fault.h"
#include "xwalk/variant/leaf_types.h"
#include "xwalk/variant/metadata.h"
#include "xwalk/variant/writer.h"
#include "xwalk/yson/writer.h"

namespace xwalk::hub::cast {

/// How values of any type are written.
enum class AnyText : uint8_t { Yson, Json };

/// Appends a VARIANT as binary YSON or as JSON. If a type is noted, its values become the text
/// or the double that they have with Foreign::Text, and a value that would come back as a value of
/// that type is refused. Everything else is as with Foreign::Refuse.
variant::Outcome write_noted(const variant::LeafTypes& types, AnyText form,
                             const variant::Encoded& value, variant::Metadata* metadata,
                             yson::Buffer* out);

/// Appends what `write_noted` wrote as the same VARIANT. Text that is not of a noted type stays
/// text. The caller finishes `writer` if there is no fault.
variant::Outcome read_noted(const variant::LeafTypes& types, AnyText form, std::string_view text,
                            variant::Writer* writer, yson::Buffer* out);

}  // namespace xwalk::hub::cast
