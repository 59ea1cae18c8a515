#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/hub/builder.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/row_program_internal.h"

namespace xwalk::yt {

/// Open brackets that a value may still have below the row and the schema around it.
inline constexpr int kFreeDepth = 254 - kMaxTypeDepth;

/// Why a value was refused, and what decoders share while they walk a row.
struct DecodeContext {
  const char* end = nullptr;
  /// The bytes ended before the value did.
  bool incomplete = false;
  const char* at = nullptr;
  std::string message;
  std::string hint;
  /// The way to the value as a failure unwinds: the innermost step comes first.
  std::vector<Path::Step> path;
  RepeatedKeys repeated_keys = RepeatedKeys::Error;
  yson::Buffer scratch;
};

/// Decodes the value at `p` into the builder. On false the context says why, and the builder may
/// hold half a value.
bool decode_value(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                  DecodeContext& context);

/// Decodes the columns of a row, `p` behind its `{`, and moves behind its `}`. `others` receives
/// the columns that the schema does not describe; null refuses them.
bool decode_row(const Step& row, hub::ColumnBuilder* const* columns, int64_t index,
                yson::Buffer* others, const char*& p, DecodeContext& context);

/// Makes the message for a token that is not what the type asks for.
bool fail_type(DecodeContext& context, const char* p, const std::string& expected);

/// Decode values of one nesting each, `p` at their first token; as `decode_value` otherwise.
bool decode_struct(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                   DecodeContext& context);
bool decode_elements(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                     DecodeContext& context);
bool decode_list(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                 DecodeContext& context);
bool decode_pairs(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                  DecodeContext& context);
bool decode_map(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                DecodeContext& context);
bool decode_boxed(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                  DecodeContext& context);
bool decode_variant(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                    DecodeContext& context);

}  // namespace xwalk::yt
