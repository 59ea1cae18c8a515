#pragma once

#include "xwalk/hub/builder.h"
#include "xwalk/yt/decode_context_internal.h"

namespace xwalk::yt {

/// Decodes a struct by name, `p` at its first token; as `decode_value` otherwise.
bool decode_struct(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                   DecodeContext& context);

/// Decodes the columns of a row, with `p` after its `{`, and moves past its `}`. `others` receives
/// the columns that the schema does not describe; null refuses them.
bool decode_row(const Step& row, hub::ColumnBuilder* const* columns, int64_t index,
                yson::Buffer* others, const char*& p, DecodeContext& context);

}  // namespace xwalk::yt
