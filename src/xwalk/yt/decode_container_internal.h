#pragma once

#include "xwalk/hub/builder.h"
#include "xwalk/yt/decode_context_internal.h"

namespace xwalk::yt {

// Lists, tuples, positional structs, dicts and boxes, `p` at their first token; as `decode_value`
// otherwise.
bool decode_list(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                 DecodeContext& context);
bool decode_elements(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                     DecodeContext& context);
bool decode_pairs(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                  DecodeContext& context);
bool decode_map(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                DecodeContext& context);
bool decode_boxed(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                  DecodeContext& context);

}  // namespace xwalk::yt
