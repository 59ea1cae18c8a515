#pragma once

#include "xwalk/hub/builder.h"
#include "xwalk/yt/decode_context_internal.h"

namespace xwalk::yt {

/// Decodes a variant, `p` at its first token; as `decode_value` otherwise.
bool decode_variant(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                    DecodeContext& context);

}  // namespace xwalk::yt
