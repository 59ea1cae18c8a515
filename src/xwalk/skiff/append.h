#pragma once

#include "xwalk/hub/builder.h"
#include "xwalk/skiff/plan.h"
#include "xwalk/yt/tz.h"

namespace xwalk::skiff {

/// Appends single values to Arrow builders: what columns without a kernel of their own are decoded
/// with.
class ValueAppender {
 public:
  /// Appends the value at `at`, whose structure `skip` found sound, and returns its end. Returns
  /// null for a value the type does not hold; the builders are then in between and must be
  /// truncated.
  const char* append(const Plan& plan, const char* at, hub::ColumnBuilder* out);

 private:
  const char* append_leaf(const Plan& plan, const char* at, hub::ColumnBuilder* out);
  bool append_text(const Plan& plan, std::string_view bytes, hub::ColumnBuilder* out);
  bool append_yson(const Plan& plan, std::string_view bytes, hub::ColumnBuilder* out);
  bool append_any(const Plan& plan, const char* at, hub::ColumnBuilder* out);
  const char* append_variant(const Plan& plan, size_t tag, const char* at, hub::ColumnBuilder* out);

  yt::ZoneNames zones_;
};

}  // namespace xwalk::skiff
